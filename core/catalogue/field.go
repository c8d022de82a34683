package catalogue

import (
	"net/textproto"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/text"
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
	return text.All(version, func(c byte) bool { return ' ' < c && c < 0x7f && c != ',' })
}

// CheckFieldName checks the name of a header field that carries a version. The
// error is an [*Error] with the code header_name if name is not a field name, or
// header_reserved if the field already has another meaning.
func CheckFieldName(name string) error {
	var m mistakes
	checkFieldName(&m, "", name)
	return m.err()
}

func checkFieldName(m *mistakes, field, name string) {
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	isReserved := func(prefix string) bool {
		return strings.HasPrefix(canonical, prefix) && canonical != "Accept-Version" // of restify, Fastify, Grape and Iris
	}
	switch {
	case !text.IsToken(name):
		m.add(field, codes.FieldName, quote(name))
	case slices.Contains(reservedFields, canonical), slices.ContainsFunc(reports, func(r report) bool { return r.field == canonical }),
		slices.ContainsFunc(reservedPrefixes, isReserved):
		m.add(field, codes.FieldReserved, canonical)
	}
}

// reservedFields have a meaning that a version would conflict with. So have the fields of reports.
var reservedFields = []string{
	"Accept", "Allow", "Authorization", "Cache-Control", "Connection", "Cookie", "Date", "Etag", "Host", "Location",
	"Age", "Expect", "Expires", "Forwarded", "From", "Keep-Alive", "Max-Forwards", "Origin", "Pragma", "Range", "Referer",
	"Retry-After", "Server", "Set-Cookie", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary", "Via",
	"Www-Authenticate",
	DeprecationField, SunsetField, LinkField,
}

var reservedPrefixes = []string{"Accept-", "Content-", "Access-Control-", "If-", "Proxy-", "Sec-", "X-Forwarded-"}
