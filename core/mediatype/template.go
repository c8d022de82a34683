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

// Fields of a template.
const (
	versionField  = "{version}"
	resourceField = "{resource}"
)

var fieldForm = regexp.MustCompile(`\{[^}]*\}`)

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
	t, err := parseTemplate(template)
	if err != nil {
		return nil, fmt.Errorf("mediatype: template %q %w", template, err)
	}
	return t, nil
}

func parseTemplate(template string) (*Template, error) {
	if strings.Contains(template, ";") {
		return nil, errors.New(`has parameters: remove ";" and what follows it`)
	}
	typ, subtype, ok := strings.Cut(template, "/")
	if !ok {
		return nil, errors.New("is not a media type: write it like application/vnd.example.{version}+json")
	}
	if strings.ContainsAny(typ, "{}") {
		return nil, errors.New("has a field in the type: move it into the subtype, after the slash")
	}
	if !text.IsToken(typ) || typ == "*" || len(typ) > maxNameBytes {
		return nil, fmt.Errorf("has the type %q: write one like application", typ)
	}
	fields, literals := fieldForm.FindAllString(subtype, -1), fieldForm.Split(subtype, -1)
	for _, field := range fields {
		if field != versionField && field != resourceField {
			return nil, fmt.Errorf("has the field %q: only {version} and {resource} are known", field)
		}
	}
	for _, literal := range literals {
		switch {
		case strings.Contains(literal, "{"):
			return nil, errors.New(`has "{" without "}": write {version}`)
		case literal != "" && !text.IsToken(literal):
			return nil, fmt.Errorf("has the text %q, which cannot be in a media type: use letters, digits, dots, hyphens and +", literal)
		}
	}
	t := &Template{text: template, typ: typ, before: literals[0], after: literals[len(literals)-1]}
	switch order := strings.Join(fields, ""); {
	case strings.Count(order, versionField) > 1:
		return nil, errors.New("has {version} twice: remove one")
	case strings.Count(order, resourceField) > 1:
		return nil, errors.New("has {resource} twice: remove one")
	case order == versionField+resourceField:
		return nil, errors.New("has {resource} after {version}: move it before {version}, or remove it")
	case order == resourceField+versionField && literals[1] == "":
		return nil, errors.New("has nothing between {resource} and {version}: put text between them, such as a hyphen")
	case order == resourceField+versionField:
		t.hasResource, t.separator = true, literals[1]
	case order != versionField:
		return nil, errors.New("has no {version}: put it where the version is")
	}
	if t.roomForVersion() < 1 {
		return nil, fmt.Errorf("leaves no room for a version: a subtype has at most %d bytes", maxNameBytes)
	}
	return t, nil
}

// String returns the text of the template.
func (t *Template) String() string { return t.text }

// roomForVersion returns how many bytes a version can have.
func (t *Template) roomForVersion() int {
	room := maxNameBytes - len(t.before) - len(t.separator) - len(t.after)
	if t.hasResource {
		room--
	}
	return room
}

// MediaType returns the media type of a resource in a version, for the Content-Type
// of a response: "application/vnd.acme.order-v3+json". The resource must be ""
// for a template without {resource}, and not empty for any other.
//
// It fails when the resource or the version cannot be in the media type. It does
// not check that the version is known: see [Template.Check].
func (t *Template) MediaType(resource, version string) (string, error) {
	switch {
	case t.hasResource && !text.IsToken(resource):
		return "", fmt.Errorf("mediatype: template %q: resource %q cannot be in a media type: use letters, digits, dots and hyphens", t.text, resource)
	case !t.hasResource && resource != "":
		return "", fmt.Errorf("mediatype: template %q has no {resource}: add it to the template, or leave out the resource %q", t.text, resource)
	}
	if err := t.checkVersion(version); err != nil {
		return "", err
	}
	if extra := len(resource) - 1; t.hasResource && len(version)+extra > t.roomForVersion() {
		return "", fmt.Errorf("mediatype: template %q: resource %q and version %q are too long: a subtype has at most %d bytes",
			t.text, resource, version, maxNameBytes)
	}
	return t.typ + "/" + t.before + resource + t.separator + version + t.after, nil
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
	if version, ok = strings.CutSuffix(version, t.after); !ok || len(version) > t.roomForVersion() ||
		!canBeVersion(version) {
		return "", false
	}
	return version, true
}

func canBeVersion(version string) bool { return text.IsToken(version) && version != "*" }

// checkVersion returns an error for a version that cannot be in the media type.
func (t *Template) checkVersion(version string) error {
	switch {
	case !canBeVersion(version):
		return fmt.Errorf("mediatype: template %q: version %q cannot be in a media type: use letters, digits, dots and hyphens", t.text, version)
	case len(version) > t.roomForVersion():
		return fmt.Errorf("mediatype: template %q: version %q is too long: it has %d bytes: shorten it to %d",
			t.text, version, len(version), t.roomForVersion())
	default:
		return nil
	}
}

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
	known := make(map[string]string, len(versions)) // in lower case -> as listed
	var valid []string
	for _, version := range versions {
		if err := t.checkVersion(version); err != nil {
			all = append(all, err)
			continue
		}
		key := strings.ToLower(version) // ASCII
		switch earlier, ok := known[key]; {
		case !ok:
			known[key] = version
			valid = append(valid, version)
		case earlier == version:
			all = append(all, fmt.Errorf("mediatype: template %q: version %q is listed twice: remove one", t.text,
				version))
		default:
			all = append(all, fmt.Errorf("mediatype: template %q: versions %q and %q differ only in case, which media types ignore: rename one",
				t.text, earlier, version))
		}
	}
	for _, version := range valid {
		if shorter, ok := t.hiddenBy(version, known); ok {
			all = append(all, fmt.Errorf("mediatype: template %q: a media type with %q could mean version %q or %q: rename one, or change the text before {version}",
				t.text, t.separator+version, version, shorter))
		}
	}
	return errors.Join(all...)
}

// hiddenBy returns a shorter version that also ends a media type of the version:
// the separator and the longer version end in the separator and the shorter
// version. The separators may overlap.
func (t *Template) hiddenBy(version string, known map[string]string) (shorter string, ok bool) {
	if !t.hasResource {
		return "", false
	}
	separator := strings.ToLower(t.separator)
	text := separator + strings.ToLower(version)
	for i := 1; i < len(text); i++ {
		if rest, found := strings.CutPrefix(text[i:], separator); found {
			if shorter, ok = known[rest]; ok {
				return shorter, true
			}
		}
	}
	return "", false
}
