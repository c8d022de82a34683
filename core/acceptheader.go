package verso

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

var (
	invalidAcceptHeaderVersion = refusal{http.StatusNotAcceptable, InvalidAcceptHeaderVersion}
	notAcceptable              = refusal{http.StatusNotAcceptable, NotAcceptable}
)

// AcceptHeader reads the version from a parameter of the accepted media type:
//
//	Accept: application/json; version=v2
//
// Parameter names ignore case, as media types do. The value is text in
// ISO-8859-1, unquoted. Specification: "AcceptHeaderVersioning".
type AcceptHeader struct{ *Base }

var _ Scheme = (*AcceptHeader)(nil)

// NewAcceptHeader returns the scheme AcceptHeaderVersioning. It fails when
// the version parameter cannot be the name of a media type's parameter
// (RFC 9110, section 5.6.6: a token), or an allowed version is listed twice.
func NewAcceptHeader(settings Settings) (*AcceptHeader, error) {
	base, err := NewBase(AcceptHeaderVersioning, settings)
	if err != nil {
		return nil, err
	}
	if !mediatype.IsToken(base.rules.VersionParam) {
		return nil, fmt.Errorf("verso: %s: version parameter %q cannot occur in a media type: use letters, digits and hyphens",
			base.name, base.rules.VersionParam)
	}
	return &AcceptHeader{base}, nil
}

// DetermineVersion returns the version parameter of the accepted media type.
// A version that is not allowed, and a request that accepts nothing that the
// service produces, is an [*Error] with status 406.
func (s *AcceptHeader) DetermineVersion(r Request) (Version, error) {
	accepted, ok := r.AcceptedMediaType()
	if !ok {
		return Version{}, notAcceptable.of(s.name, Version{})
	}
	value, ok := mediatype.Param(accepted, s.rules.VersionParam)
	if !ok {
		return s.fallBack(&invalidAcceptHeaderVersion)
	}
	return s.decide(latin1(value), &invalidAcceptHeaderVersion)
}

// Vary returns "Accept".
func (s *AcceptHeader) Vary() []string {
	return []string{"Accept"}
}

// latin1 returns the text that the bytes of a header value stand for
// (RFC 9110, section 5.5: historically ISO-8859-1).
func latin1(value string) string {
	for i := range len(value) {
		if value[i] >= 0x80 {
			return decodeLatin1(value)
		}
	}
	return value
}

func decodeLatin1(value string) string {
	var text strings.Builder
	for i := range len(value) {
		text.WriteRune(rune(value[i]))
	}
	return text.String()
}
