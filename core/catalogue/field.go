package catalogue

import (
	"net/textproto"
	"slices"
	"strings"
)

// Names of the header fields that a catalogue has lines for, in the form of
// [textproto.CanonicalMIMEHeaderKey].
const (
	DeprecationField        = "Deprecation"             // RFC 9745
	SunsetField             = "Sunset"                  // RFC 8594
	LinkField               = "Link"                    // RFC 8288
	SupportedVersionsField  = "Api-Supported-Versions"  // released, not deprecated yet
	DeprecatedVersionsField = "Api-Deprecated-Versions" // deprecated, before the sunset
	ExposeHeadersField      = "Access-Control-Expose-Headers"
)

// Field is a header field with its lines, ready to be sent.
type Field struct {
	Name  string   // in the form of [textproto.CanonicalMIMEHeaderKey]
	Lines []string // shared, without spare capacity: callers may append, but must not modify
}

// newField returns a field whose lines have no spare capacity.
func newField(name string, lines ...string) Field {
	return Field{Name: name, Lines: slices.Clip(lines)}
}

// Listable reports whether a version can be in a header field, alone or in a
// list: visible ASCII without a comma (RFC 9110, sections 5.5 and 5.6.1).
func Listable(version string) bool {
	for i := range len(version) {
		if c := version[i]; c <= ' ' || c >= 0x7f || c == ',' {
			return false
		}
	}
	return version != ""
}

// CheckFieldName checks the name of a header field that carries a version. The
// error is an [*Error]: [CodeHeaderName] for text that is no field name,
// [CodeHeaderReserved] for a field that has a meaning of its own.
func CheckFieldName(name string) error {
	if code := fieldNameCode(name); code != "" {
		return &Error{Code: code, Message: fieldNameMessage(code, name)}
	}
	return nil
}

func fieldNameCode(name string) Code {
	if !isToken(name) {
		return CodeHeaderName
	}
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	if slices.Contains(reservedFields, canonical) {
		return CodeHeaderReserved
	}
	for _, prefix := range reservedPrefixes {
		if strings.HasPrefix(canonical, prefix) {
			return CodeHeaderReserved
		}
	}
	return ""
}

func fieldNameMessage(code Code, name string) string {
	if code == CodeHeaderReserved {
		return textproto.CanonicalMIMEHeaderKey(name) + ` has a meaning of its own: choose another name, such as "Api-Version"`
	}
	return quote(name) + ` is no field name: write letters, digits and hyphens, such as "Api-Version"`
}

// reservedFields have a meaning that a version would contradict.
var reservedFields = []string{
	"Accept", "Allow", "Authorization", "Cache-Control", "Connection", "Cookie", "Date", "Etag", "Host", "Location",
	"Retry-After", "Set-Cookie", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Vary",
	DeprecationField, SunsetField, LinkField, SupportedVersionsField, DeprecatedVersionsField,
}

var reservedPrefixes = []string{"Accept-", "Content-", "Access-Control-"}

// isToken reports whether text is a token (RFC 9110, section 5.6.2).
func isToken(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isAlpha(c) && !isDigit(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return text != ""
}

func isAlpha(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

func isDigit(c byte) bool {
	return '0' <= c && c <= '9'
}
