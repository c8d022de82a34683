package verso

import (
	"fmt"

	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

var invalidAcceptHeaderVersion = Rejection{Status: 406, Message: InvalidAcceptHeaderVersion}

// AcceptParam returns the source that reads a parameter of the media type that the
// client accepts among those of [Config.Produces]:
//
//	Accept: application/json; version=v2
//
// Case is ignored in the names of parameters and media types. The value is ISO-8859-1,
// quoted or not. A version that is not served, and a request that accepts nothing that
// the service produces, is rejected with status 406. Links do not carry the version.
// Specification: "AcceptHeaderVersioning".
func AcceptParam(name string) Source { return &acceptParam{name} }

type acceptParam struct{ name string }

func (s *acceptParam) Read(r Request, served *Served) Reading { return readBy(s, r, served) }

func (s *acceptParam) read(r *Request, served *Served, reading *Reading) {
	accept, _ := r.Header("Accept")
	value, found, ok := served.set.negotiator.Param(accept, s.name)
	switch {
	case !ok:
		reading.Outcome = NotAcceptable
	case found:
		reading.Outcome, reading.Text = Found, text.Latin1(value)
		if served.contradictory && s.contradicts(accept, served) {
			reading.Outcome = Contradicting
		}
	}
}

func (s *acceptParam) contradicts(accept string, served *Served) bool {
	accepted, _ := served.set.negotiator.Negotiate(accept)
	return mediatype.Contradicts(accepted.MediaType, s.name)
}

func (s *acceptParam) Write(t Target, v Version) (Target, error) { return writeBy(s, t, v) }

func (s *acceptParam) write(t *Target, v Version) {
	if !t.isLink { // which needs no header
		t.SetHeader("Accept", "*/*; "+s.name+"="+quoted(v.String()))
	}
}

func (s *acceptParam) Describe() Description {
	return Description{
		Name:    fmt.Sprintf(`parameter %q of "Accept"`, s.name),
		Headers: []string{"Accept"},
		Invalid: invalidAcceptHeaderVersion,
		Missing: invalidAcceptHeaderVersion,
		Check:   s.check,
	}
}

func (s *acceptParam) check(*Served) []Finding {
	if !text.IsToken(s.name) {
		return []Finding{refuse("accept_param", "VersionParam",
			"the version parameter %q cannot occur in a media type: use letters, digits and hyphens", s.name)}
	}
	return nil
}

// quoted returns a parameter value as a token or a quoted string (RFC 9110,
// section 5.6.6).
func quoted(value string) string {
	if text.IsToken(value) {
		return value
	}
	return text.Quote(value)
}
