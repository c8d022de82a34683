package mediatype

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/text"
)

// maxNameBytes is the longest subtype that can be registered (RFC 6838, section
// 4.2). A longer one matches no template, which bounds the search for a version
// at its end.
const maxNameBytes = 127

// Names in a template.
const (
	versionField  = "version"
	resourceField = "resource"
)

// Template is a media type of a vendor with the version in it (RFC 6838,
// section 3.2), such as
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// With {resource} it stands for the media types of every resource. It does not
// change once it is made and is safe for concurrent use.
type Template struct {
	text        string
	typ         string
	before      string // the literal at the beginning of the subtype
	hasResource bool   // {resource} follows before
	separator   string // between {resource} and {version}
	after       string // the literal behind {version}
}

// ParseTemplate reads a template: a type and a subtype. The subtype has
// {version} once. It may have {resource} once, in front of {version} and with at
// least one byte of text between the two. The rest is text, all of it bytes of
// a token (RFC 9110, section 5.6.2). A template has no parameters: those of a
// media range do not matter to it.
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
		return nil, errors.New("has a field in the type: move it into the subtype, behind the slash")
	}
	if !text.IsToken(typ) || typ == "*" || len(typ) > maxNameBytes {
		return nil, fmt.Errorf("has the type %q: write one like application", typ)
	}
	t := &Template{text: template, typ: typ}
	hasVersion := false
	for {
		literal, rest, open := strings.Cut(subtype, "{")
		if literal != "" && !text.IsToken(literal) {
			return nil, fmt.Errorf("has the text %q, which cannot be in a media type: use letters, digits, dots, hyphens and +", literal)
		}
		if !open {
			t.after = literal
			break
		}
		var field string
		if field, subtype, ok = strings.Cut(rest, "}"); !ok {
			return nil, errors.New(`has "{" without "}": write {version}`)
		}
		switch {
		case field == versionField && hasVersion:
			return nil, errors.New("has {version} twice: remove one")
		case field == versionField && t.hasResource && literal == "":
			return nil, errors.New("has nothing between {resource} and {version}: put text between them, such as a hyphen")
		case field == versionField && t.hasResource:
			t.separator, hasVersion = literal, true
		case field == versionField:
			t.before, hasVersion = literal, true
		case field == resourceField && hasVersion:
			return nil, errors.New("has {resource} behind {version}: put it in front, or remove it")
		case field == resourceField && t.hasResource:
			return nil, errors.New("has {resource} twice: remove one")
		case field == resourceField:
			t.before, t.hasResource = literal, true
		default:
			return nil, fmt.Errorf("has the field %q: only {version} and {resource} are known", "{"+field+"}")
		}
	}
	if !hasVersion {
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

// MediaType returns the media type of a resource in a version: the Content-Type
// of a response, such as "application/vnd.acme.order-v3+json". The resource is
// "" for a template without {resource}, and only for that.
//
// It fails when the resource or the version cannot be in the media type. It
// does not know the versions: see [Template.Check].
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

// checkVersion reports what is wrong with one version.
func (t *Template) checkVersion(version string) error {
	switch {
	case !text.IsToken(version) || version == "*":
		return fmt.Errorf("mediatype: template %q: version %q cannot be in a media type: use letters, digits, dots and hyphens", t.text, version)
	case len(version) > t.roomForVersion():
		return fmt.Errorf("mediatype: template %q: version %q is too long: it has %d bytes, shorten it to %d",
			t.text, version, len(version), t.roomForVersion())
	default:
		return nil
	}
}

// Check reports, all at once, why the template cannot be used with the known
// versions: there are none, so that no media type would be produced; one cannot
// be in a media type; two differ in their case only, which media types ignore
// (RFC 9110, section 8.3.1); or a media type with {resource} could end in
// either of two versions, such as "beta-v1" and "v1" behind a hyphen.
func (t *Template) Check(versions []string) error {
	if len(versions) == 0 {
		return fmt.Errorf("mediatype: template %q needs the known versions: list them", t.text)
	}
	var all []error
	known := make(map[string]string, len(versions)) // in lower case -> as it is listed
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
			all = append(all, fmt.Errorf("mediatype: template %q: version %q is listed twice: remove one", t.text, version))
		default:
			all = append(all, fmt.Errorf("mediatype: template %q: versions %q and %q differ in their case only, which media types ignore: rename one",
				t.text, earlier, version))
		}
	}
	for _, version := range valid {
		if shorter, ok := t.hiddenBy(version, known); ok {
			all = append(all, fmt.Errorf("mediatype: template %q: a media type with %q could mean version %q or %q: rename one, or change the text in front of {version}",
				t.text, t.separator+version, version, shorter))
		}
	}
	return errors.Join(all...)
}

// hiddenBy returns a shorter version that a media type of the version ends in
// too: the separator and the longer one end in the separator and the shorter
// one. The separators may overlap.
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
