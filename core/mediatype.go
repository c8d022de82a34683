package verso

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// MediaType is the source that reads the version from a vendor media type in the
// Accept header. The template has {version} once, and may have {resource}
// before it:
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// The known versions, the newest first, and behind them [Config.Produces] are
// what the service produces. The client's choice among them is negotiated
// ([mediatype.Template.Negotiate]): so an unknown version is not acceptable, a
// later range may win, and "*/*" gets the default version. A request that accepts
// nothing of it is rejected with status 406, one without a version where there is
// no default with status 400. A header that names no media type of the template,
// such as application/json, has no version, whether the service produces what it
// names or not. Case does not matter. Links do not carry the version.
// [Result.ContentType] is the media type to answer with.
func MediaType(template string) Source {
	parsed, err := mediatype.ParseTemplate(template)
	return &mediaType{template, parsed, err}
}

type mediaType struct {
	text     string
	template *mediatype.Template
	err      error
}

func (s *mediaType) Read(r Request, served *Served) Reading {
	accept, _ := r.Header("Accept")
	rank, outcome := s.template.Negotiate(accept, served, served.set.negotiator, served.defaultRank())
	if outcome == mediatype.NotAcceptable && served.ended != nil {
		// Versions that have ended compete only when nothing else is acceptable.
		rank, outcome = s.template.Negotiate(accept, served.ended, nil, -1)
		if outcome == mediatype.Unnamed {
			outcome = mediatype.NotAcceptable
		}
	}
	switch outcome {
	case mediatype.Named:
		return served.atRank(rank)
	case mediatype.Unnamed:
		return Reading{}
	}
	return Reading{Outcome: NotAcceptable}
}

func (s *mediaType) Write(t Target, v Version) (Target, error) {
	if t.isLink {
		return t, nil
	}
	if s.err != nil {
		return t, s.err
	}
	resource := ""
	if strings.Contains(s.text, "{resource}") {
		resource = "any"
	}
	text, err := s.template.MediaType(resource, v.String())
	if err != nil {
		return t, fmt.Errorf("%w: %w", ErrNoReverseMatch, err)
	}
	t.SetHeader("Accept", text)
	return t, nil
}

func (s *mediaType) Describe() Description {
	return Description{
		Name:        fmt.Sprintf("media type %q", s.text),
		Headers:     []string{"Accept"},
		Invalid:     notAcceptable,
		Missing:     missingVersion,
		ContentType: s.contentType,
		Check:       s.check,
	}
}

func (s *mediaType) contentType(resource string, v Version) (string, error) {
	return s.template.MediaType(resource, v.String())
}

func (s *mediaType) check(served *Served) []Finding {
	if s.err != nil {
		return []Finding{refuse("template", "MediaTypeTemplate", "%w", s.err)}
	}
	if err := s.template.Check(served.Versions()); err != nil {
		return []Finding{refuse("template_version", "AllowedVersions", "%w", err)}
	}
	return nil
}

// ContentType returns the vendor media type to answer with in the version of the
// request, for the source [MediaType]. resource is that of the template's
// {resource}, "" for a template without one. It fails with [ErrNotChecked] when res
// is nil, and with another error when no source has a template, when the request
// has no version, and when the resource cannot be in a media type.
func (res *Result) ContentType(resource string) (string, error) {
	switch {
	case res == nil:
		return "", ErrNotChecked
	case res.binding.api.contentType == nil:
		return "", errors.New("verso: no source is a MediaType: there is no template to answer with")
	case res.version.IsNone():
		return "", errors.New("verso: the request has no version to answer in")
	}
	return res.binding.api.contentType(resource, res.version)
}
