package mediatype

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goverso/verso/core/internal/text"
)

// maxNameBytes is the longest subtype that can be registered (RFC 6838, section
// 4.2). A longer one matches no template, which bounds the search for a version
// at its end.
const maxNameBytes = 127

const tokenByte = "[!#$%&'*+.^_`|~0-9A-Za-z-]" // RFC 9110, section 5.6.2

// templateForm is the form of a template: the type, and the parts of the subtype.
var templateForm = regexp.MustCompile("^(" + tokenByte + "{1,127})/(" + tokenByte +
	`*)(?:(\{resource\})(` + tokenByte + `+))?\{version\}(` + tokenByte + "*)$")

// Template is a media type of a vendor with the version in it (RFC 6838,
// section 3.2), such as
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// With {resource} it covers the media types of every resource. [ParseTemplate] returns one; the
// zero Template matches nothing. It is immutable and safe for concurrent use.
type Template struct {
	text        string
	typ         string
	before      string // the literal at the beginning of the subtype
	hasResource bool   // {resource} follows before
	separator   string // between {resource} and {version}
	after       string // the literal after {version}
}

// ParseTemplate reads a template: a type and a subtype. The subtype has
// {version} once. It may have {resource} once, before {version} and with at least
// one byte of text between the two. All other text consists of bytes of a token
// (RFC 9110, section 5.6.2). A template has no parameters, and ignores those of a
// media range.
func ParseTemplate(template string) (*Template, error) {
	if match := templateForm.FindStringSubmatch(template); match != nil && match[1] != "*" && !strings.HasPrefix(match[2], "*") {
		t := &Template{text: template, typ: match[1], before: match[2], hasResource: match[3] != "",
			separator: match[4], after: match[5]}
		if _, err := t.MediaType(t.shortestResource(), "v"); err == nil {
			return t, nil
		}
	}
	return nil, fmt.Errorf("mediatype: %q is not a template: write it like application/vnd.example.{version}+json or application/vnd.example.{resource}-{version}+json, with text between the fields, no parameters, and a subtype of at most %d bytes",
		template, maxNameBytes)
}

// String returns the text of the template.
func (t *Template) String() string { return t.text }

// shortestResource returns a resource that leaves the most room for a version.
func (t *Template) shortestResource() string {
	if t.hasResource {
		return "r"
	}
	return ""
}

// MediaType returns the media type of a resource in a version, for the Content-Type
// of a response: "application/vnd.acme.order-v3+json". The resource must be ""
// for a template without {resource}, and not empty for any other.
//
// It fails when the resource or the version cannot be in the media type. It does
// not check that the version is known: see [Template.Check].
func (t *Template) MediaType(resource, version string) (string, error) {
	whole := t.typ + "/" + t.before + resource + t.separator + version + t.after
	switch {
	case t.hasResource && !text.IsToken(resource):
		return "", fmt.Errorf("mediatype: template %q: resource %q cannot be in a media type: use letters, digits, dots and hyphens", t.text, resource)
	case !t.hasResource && resource != "":
		return "", fmt.Errorf("mediatype: template %q has no {resource}: add it to the template, or leave out the resource %q", t.text, resource)
	case !canBeVersion(version):
		return "", fmt.Errorf("mediatype: template %q: version %q cannot be in a media type: use letters, digits, dots and hyphens", t.text, version)
	case len(whole) > len(t.typ)+1+maxNameBytes:
		return "", fmt.Errorf("mediatype: template %q: the media type with version %q is too long: shorten it, a subtype has at most %d bytes", t.text, version, maxNameBytes)
	}
	return whole, nil
}

// Version returns the version of a media type that is written as [Template.MediaType]
// writes it, case included. ok is false for any other text, and always for a template
// with {resource}.
func (t *Template) Version(mediaType string) (version string, ok bool) {
	subtype, ok := strings.CutPrefix(mediaType, t.typ)
	if !ok || t.hasResource || subtype == "" || subtype[0] != '/' {
		return "", false
	}
	if version, ok = strings.CutPrefix(subtype[1:], t.before); !ok {
		return "", false
	}
	if version, ok = strings.CutSuffix(version, t.after); !ok || len(subtype) > 1+maxNameBytes ||
		!canBeVersion(version) {
		return "", false
	}
	return version, true
}

func canBeVersion(version string) bool { return text.IsToken(version) && version != "*" }

// Check returns all reasons why the template cannot be used with the known
// versions, joined: there are no versions, so no media type would be produced; a
// version cannot be in a media type; two versions differ only in case, which media
// types ignore (RFC 9110, section 8.3.1); or a media type with {resource} could end
// in either of two versions, such as "beta-v1" and "v1" after a hyphen.
func (t *Template) Check(versions []string) error {
	if len(versions) == 0 {
		return fmt.Errorf("mediatype: template %q needs the known versions: list them", t.text)
	}
	var all []error
	ends := make([]string, len(versions)) // of media types in lower case
	for i, version := range versions {
		if _, err := t.MediaType(t.shortestResource(), version); err != nil {
			all = append(all, err)
		}
		ends[i] = strings.ToLower(t.separator + version)
		for j, other := range versions[:i] {
			switch {
			case ends[i] == ends[j]:
				all = append(all, fmt.Errorf("mediatype: template %q: versions %q and %q are the same in media types, which ignore case: rename one",
					t.text, other, version))
			case t.hasResource && (strings.HasSuffix(ends[i], ends[j]) || strings.HasSuffix(ends[j], ends[i])):
				all = append(all, fmt.Errorf("mediatype: template %q: a media type could end in version %q or %q: rename one, or change the text before {version}",
					t.text, other, version))
			}
		}
	}
	return errors.Join(all...)
}
