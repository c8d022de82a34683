package verso

import (
	"fmt"
	"net/textproto"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

var invalidHeaderVersion = Rejection{Status: 400, Message: InvalidHeaderVersion}

// Header returns the source that reads a header of the API's own:
//
//	Api-Version: v2
//
// Several lines, and elements separated by commas, are one list (RFC 9110, section
// 5.3). Empty elements and white space are ignored. A request with different elements
// is rejected with [ContradictingVersions], one with more than 8 KiB with
// [InvalidVersion]; a header without an element is the empty version. A version that is not served, and a request without a version if there is
// no default, is rejected with status 400. Links do not carry the version.
func Header(name string) Source {
	return &header{textproto.CanonicalMIMEHeaderKey(name)}
}

type header struct{ name string }

func (s *header) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *header) read(r *Request, _ *ServedVersions, reading *Reading) {
	field, ok := r.Header(s.name)
	switch {
	case !ok:
		return
	case len(field) > mediatype.MaxBytes:
		reading.Outcome = Malformed
		return
	}
	if text.IsToken(field) { // one element, the usual case
		reading.Outcome, reading.Text = Found, field
		return
	}
	first, rest := nextElement(field)
	reading.Outcome, reading.Text = Found, text.Latin1(first)
	for rest != "" {
		var other string
		if other, rest = nextElement(rest); other != "" && text.Latin1(other) != reading.Text {
			reading.Outcome = Contradicting
			return
		}
	}
}

// nextElement returns the first element of a list that is not empty, without white
// space around it, and the rest of the list.
func nextElement(list string) (element, rest string) {
	for list != "" && element == "" {
		if element, list, _ = strings.Cut(list, ","); element != "" {
			element = text.Trim(element)
		}
	}
	return element, list
}

func (s *header) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *header) write(w *Written, v Version) { w.SetHeader(s.name, v.String()) }

func (s *header) Describe() Description {
	return Description{
		Name:    fmt.Sprintf("header %q", s.name),
		Headers: []string{s.name},
		Invalid: invalidHeaderVersion,
		Check:   s.check,
	}
}

func (s *header) check(served *ServedVersions) (findings []Finding) {
	if err := catalogue.CheckFieldName(s.name); err != nil {
		findings = CatalogueFindings("Source", err)
	}
	for _, version := range served.Versions() {
		if !catalogue.Listable(version) {
			findings = append(findings, refuse("version_not_listable", "AllowedVersions",
				"version %q cannot be an element of a header: use printable ASCII without commas and spaces", version))
		}
	}
	return findings
}

var invalidAcceptHeaderVersion = Rejection{Status: 406, Message: InvalidAcceptHeaderVersion}

// AcceptParam returns the source that reads a parameter of the media type that the
// client accepts among those of [Config.Produces]:
//
//	Accept: application/json; version=v2
//
// Case is ignored in the names of parameters and media types. The value is ISO-8859-1,
// quoted or not. A version that is not served, and a request that accepts nothing that
// the service produces, is rejected with status 406, a request without a version if there
// is no default with status 400. Links do not carry the version.
// Specification: "AcceptHeaderVersioning".
func AcceptParam(name string) Source { return &acceptParam{name} }

type acceptParam struct{ name string }

func (s *acceptParam) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *acceptParam) read(r *Request, served *ServedVersions, reading *Reading) {
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

func (s *acceptParam) contradicts(accept string, served *ServedVersions) bool {
	accepted, _ := served.set.negotiator.Negotiate(accept)
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
		Name:    fmt.Sprintf(`parameter %q of "Accept"`, s.name),
		Headers: []string{"Accept"},
		Invalid: invalidAcceptHeaderVersion,
		Check:   s.check,
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

// MediaType returns the source that reads the version from a vendor media type in the
// Accept header. The template has {version} once, and may have {resource} before it:
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// The service produces the known versions, the newest first, and then
// [Config.Produces]. The Accept header is negotiated among these
// ([mediatype.Template.Negotiate]): an unknown version is not acceptable, a later range
// may win, and "*/*" gets the default version. A request that accepts none of them is
// rejected with status 406, one without a version if there is no default with status
// 400. A header that names no media type of the template, such as application/json,
// has no version, whether the service produces that type or not. Case is ignored.
// Links do not carry the version. [Result.ContentType] returns the media type of the
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
		if version := served.lookup(text); version != nil && !served.set.any {
			reading.Outcome, reading.Text, reading.version = Found, version.text, version
			return
		}
	}
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
		version := served.atRank(rank)
		reading.Outcome, reading.Text, reading.version = Found, version.text, version
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
		return fmt.Errorf("%w: %w", ErrNoReverseMatch, err)
	}
	w.SetHeader("Accept", text)
	return nil
}

func (s *mediaType) Describe() Description {
	return Description{
		Name:        fmt.Sprintf("media type %q", s.text),
		Headers:     []string{"Accept"},
		Invalid:     notAcceptable,
		ContentType: s.contentType,
		Check:       s.check,
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
