package sources

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from a vendor media type. In comes the Accept field; out comes the best served version
// that it accepts. A field of one plain type is looked up without negotiation, since nearly all clients send that.
// Ended versions compete only where no served one is acceptable: who accepts both gets the served one, and who
// accepts the ended one alone learns that it has ended, and not that it is unknown.

// MediaType is the source of this name in package verso.
func MediaType(template string) source.Source {
	parsed, err := mediatype.ParseTemplate(template)
	return newOwn(&mediaType{template, parsed, err})
}

type mediaType struct {
	text     string
	template *mediatype.Template
	err      error
}

func (s *mediaType) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	accept, _ := r.Header("Accept")
	if text, ok := s.template.Version(accept); ok { // as most clients send it
		if version := in(served).Lookup(text); version != nil {
			reading.Outcome, reading.Text = source.Found, version.Text
			return
		}
	}
	rank, outcome := s.template.Negotiate(accept, in(served), served.Negotiator(), in(served).DefaultRank())
	if ended := in(served).Ended(); outcome == mediatype.NotAcceptable && ended != nil {
		// Versions that have ended compete only when nothing else is acceptable.
		rank, outcome = s.template.Negotiate(accept, ended, nil, -1)
		if outcome == mediatype.Unnamed {
			outcome = mediatype.NotAcceptable
		}
	}
	switch outcome {
	case mediatype.Named:
		reading.Outcome, reading.Text = source.Found, in(served).AtRank(rank).Text
	case mediatype.NotAcceptable:
		reading.Outcome = source.NotAcceptable
	}
}

func (s *mediaType) write(w *source.Written, v source.Version) error {
	if w.IsLink() {
		return nil
	}
	if s.err != nil {
		return s.err
	}
	resource := ""
	if strings.Contains(s.text, "{resource}") {
		resource = "any"
	}
	text, err := s.template.MediaType(resource, v.String())
	if err != nil {
		return fmt.Errorf("%w: %w", route.ErrNoMatch, err)
	}
	w.SetHeader("Accept", text)
	return nil
}

func (s *mediaType) Describe() source.Description {
	return source.Description{
		Name: fmt.Sprintf("media type %q", s.text), Headers: []string{"Accept"}, ContentType: s.contentType,
		Invalid: source.Rejection{Status: 406, Message: source.NotAcceptableMessage}, Check: s.check,
	}
}

func (s *mediaType) contentType(resource string, v source.Version) (string, error) {
	return s.template.MediaType(resource, v.String())
}

func (s *mediaType) check(served *source.ServedVersions) []source.Finding {
	if s.err != nil {
		return []source.Finding{finding.Of(codes.Template, s.err)}
	}
	if err := s.template.Check(served.Versions()); err != nil {
		return []source.Finding{finding.Of(codes.TemplateVersion, err)}
	}
	return doubled(s.text, served)
}
