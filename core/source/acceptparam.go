package source

import (
	"fmt"

	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

var invalidAcceptHeaderVersion = Rejection{Status: 406, Message: InvalidAcceptHeaderVersion}

// AcceptParam returns the source that reads a parameter of the media type that the
// client accepts among those of [github.com/goverso/verso/core.Config.Produces]:
//
//	Accept: application/json; version=v2
//
// Case is ignored in the names of parameters and media types. The value is ISO-8859-1,
// quoted or not. Rejected are, with status 406, a version that is not served and a
// request that accepts nothing that the service produces; with status 400, a request
// without a version if there is no default. Links do not carry the version.
// Specification: "AcceptHeaderVersioning".
func AcceptParam(name string) Source { return &acceptParam{name} }

type acceptParam struct{ name string }

func (s *acceptParam) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *acceptParam) read(r *Request, served *ServedVersions, reading *Reading) {
	accept, _ := r.Header("Accept")
	value, found, ok := served.Negotiator().Param(accept, s.name)
	switch {
	case !ok:
		reading.Outcome = NotAcceptable
	case found:
		reading.Outcome, reading.Text = Found, text.Latin1(value)
		if served.RefusesContradictions() && s.contradicts(accept, served) {
			reading.Outcome = Contradicting
		}
	}
}

func (s *acceptParam) contradicts(accept string, served *ServedVersions) bool {
	accepted, _ := served.Negotiator().Negotiate(accept)
	return mediatype.Contradicts(accepted.MediaType, s.name)
}

func (s *acceptParam) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *acceptParam) write(w *Written, v Version) {
	if !w.isLink { // which needs no header
		w.SetHeader("Accept", "*/*; "+s.name+"="+quoted(v.String()))
	}
}

func (s *acceptParam) Describe() Description {
	return Description{
		Name: fmt.Sprintf(`parameter %q of "Accept"`, s.name), Headers: []string{"Accept"},
		Invalid: invalidAcceptHeaderVersion, Check: s.check,
	}
}

func (s *acceptParam) check(*ServedVersions) []Finding {
	if !text.IsToken(s.name) {
		return []Finding{refuse("accept_param", "Source",
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
