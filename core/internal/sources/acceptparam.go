package sources

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from a parameter of the Accept field. In comes the field; out comes the parameter of the
// media range that negotiation prefers, so that "*/*;q=0.1; version=v1" does not decide beside a better range.
// A link has no part in it: the client that follows a link sends its own Accept.

var invalidAcceptHeaderVersion = source.Rejection{Status: 406, Message: source.InvalidAcceptHeaderVersion}

// AcceptParam is the source of this name in package verso.
func AcceptParam(name string) source.Source { return newOwn(&acceptParam{name}) }

type acceptParam struct{ name string }

func (s *acceptParam) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	accept, _ := r.Header("Accept")
	value, found, ok := served.Negotiator().Param(accept, s.name)
	switch {
	case !ok:
		reading.Outcome = source.NotAcceptable
	case found:
		reading.Outcome, reading.Text = source.Found, text.Latin1(value)
		if !served.RefusesContradictions() {
			return
		}
		if accepted, _ := served.Negotiator().Negotiate(accept); mediatype.Contradicts(accepted.MediaType, s.name) {
			reading.Outcome = source.Contradicting
		}
	}
}

func (s *acceptParam) write(w *source.Written, v source.Version) {
	if !w.IsLink() { // which needs no header
		w.SetHeader("Accept", "*/*; "+s.name+"="+quoted(v.String()))
	}
}

func (s *acceptParam) Describe() source.Description {
	return source.Description{
		Name: fmt.Sprintf(`parameter %q of "Accept"`, s.name), Headers: []string{"Accept"},
		Invalid: invalidAcceptHeaderVersion, Check: s.check,
	}
}

func (s *acceptParam) check(*source.ServedVersions) []source.Finding {
	if !text.IsToken(s.name) {
		return []source.Finding{finding.Of(codes.AcceptParam, s.name)}
	}
	if strings.EqualFold(s.name, "q") || strings.EqualFold(s.name, "charset") {
		return []source.Finding{finding.Of(codes.AcceptMeaning, s.name, "version")}
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
