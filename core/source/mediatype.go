package source

import (
	"fmt"
	"github.com/goverso/verso/core/route"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// MediaType returns the source that reads the version from a vendor media type in the
// Accept header. The template has {version} once, and may have {resource} before it:
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// The service produces the known versions, the newest first, and then [github.com/goverso/verso/core.Config.Produces].
// The Accept header is negotiated among these ([mediatype.Template.Negotiate]): an
// unknown version is not acceptable, a later range may win, and "*/*" gets the default
// version. A request that does not accept any of them is rejected with status 406, one
// without a version if there is no default with status
// 400. A header that names no media type of the template, such as application/json,
// has no version, whether the service produces that type or not. Case is ignored.
// Links do not carry the version. [github.com/goverso/verso/core.Result.ContentType] returns the media type of the
// response.
func MediaType(template string) Source {
	parsed, err := mediatype.ParseTemplate(template)
	return &mediaType{template, parsed, err}
}

type mediaType struct {
	text     string
	template *mediatype.Template
	err      error
}

func (s *mediaType) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *mediaType) read(r *Request, served *ServedVersions, reading *Reading) {
	accept, _ := r.Header("Accept")
	if text, ok := s.template.Version(accept); ok { // as most clients send it
		if version := served.in().Lookup(text); version != nil && !served.in().Set().Any {
			reading.Outcome, reading.Text = Found, version.Text
			return
		}
	}
	rank, outcome := s.template.Negotiate(accept, served.in(), served.Negotiator(), served.in().DefaultRank())
	if ended := served.in().Ended(); outcome == mediatype.NotAcceptable && ended != nil {
		// Versions that have ended compete only when nothing else is acceptable.
		rank, outcome = s.template.Negotiate(accept, ended, nil, -1)
		if outcome == mediatype.Unnamed {
			outcome = mediatype.NotAcceptable
		}
	}
	switch outcome {
	case mediatype.Named:
		reading.Outcome, reading.Text = Found, served.in().AtRank(rank).Text
	case mediatype.NotAcceptable:
		reading.Outcome = NotAcceptable
	}
}

func (s *mediaType) Write(w Written, v Version) (Written, error) {
	err := s.write(&w, v)
	return w, err
}

func (s *mediaType) write(w *Written, v Version) error {
	if w.isLink {
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

func (s *mediaType) Describe() Description {
	return Description{
		Name: fmt.Sprintf("media type %q", s.text), Headers: []string{"Accept"}, ContentType: s.contentType,
		Invalid: Rejection{Status: 406, Message: NotAcceptableMessage}, Check: s.check,
	}
}

func (s *mediaType) contentType(resource string, v Version) (string, error) {
	return s.template.MediaType(resource, v.String())
}

func (s *mediaType) check(served *ServedVersions) []Finding {
	if s.err != nil {
		return []Finding{refuse("template", "Source", "%w", s.err)}
	}
	if err := s.template.Check(served.Versions()); err != nil {
		return []Finding{refuse("template_version", "AllowedVersions", "%w", err)}
	}
	return nil
}
