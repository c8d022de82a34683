package route

import (
	"net/url"
	"strings"
)

// byteSet holds the bytes that a path contains unescaped.
type byteSet [256]bool

var (
	// segmentBytes are the bytes of fixed text: pchar of RFC 3986, section 3.3. A
	// plus is not escaped, since routers compare fixed text byte for byte.
	segmentBytes = newByteSet("-._~!$&'()*+,;=:@")

	valueBytes = newByteSet("-._~!$&'()*,;=:@") // a plus is a space to form decoders
	goBytes    = newByteSet("-._~$&+,;=:@")     // the bytes of [url.URL.EscapedPath]
)

// goEscapes escapes the bytes that are allowed in a segment but that Go escapes:
// see [Route.AppendPath].
var goEscapes = strings.NewReplacer("!", "%21", "'", "%27", "(", "%28", ")", "%29", "*", "%2A")

// goEscaped is what goEscapes makes of these.
var goEscaped = []string{"%21", "%27", "%28", "%29", "%2A"}

// newByteSet returns the set of ASCII letters, digits, and the given marks.
func newByteSet(marks string) *byteSet {
	const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	set := new(byteSet)
	for _, c := range []byte(alphanumeric + marks) {
		set[c] = true
	}
	return set
}

const upperHex = "0123456789ABCDEF"

// appendEscaped appends text, percent-encoded except for the given bytes and, if
// the text may have several segments, slashes.
func appendEscaped(dst []byte, text string, plain *byteSet, segments bool) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case plain[c], c == '/' && segments:
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

// escapeAgain decodes percent-encoded text and escapes it again, segment by
// segment, so that an encoded slash stays encoded. It fails for a segment in another
// form if all must be encoded.
func escapeAgain(text string, must bool) (string, error) {
	segments := strings.Split(text, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil && must {
			return "", err
		} else if err != nil {
			plain = segment
		}
		segments[i] = string(appendEscaped(nil, plain, segmentBytes, false))
	}
	return strings.Join(segments, "/"), nil
}
