package client

import (
	"mime"
	"regexp"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/source"
)

// accept adds the version to the Accept field of a request: as a parameter of each
// range, or in a vendor media type.
type accept struct {
	value    string         // "*/*; version=v2" or "application/vnd.acme.v2+json"
	param    string         // the name of the parameter in lower case
	template *regexp.Regexp // of the media type in any version; nil: the version is a parameter
	// replaceable are the ranges in whose place it may be, the best first: "application/json", "application/*", "*/*"
	replaceable []string
}

// newAccept reads the value that a source writes. It returns nil when the value has
// neither of the two forms; a field of the request then stays unchanged.
func newAccept(value string, from source.Source) *accept {
	if param, ok := strings.CutPrefix(value, "*/*;"); ok {
		name, _, _ := strings.Cut(param, "=")
		return &accept{value: value, param: strings.ToLower(strings.TrimSpace(name))}
	}
	template := templateOf(from.Describe().ContentType)
	if template == nil || !template.MatchString(value) {
		return nil
	}
	a := &accept{value: value, template: template}
	typ, subtype, _ := strings.Cut(strings.ToLower(value), "/")
	if plus := strings.LastIndexByte(subtype, '+'); plus >= 0 {
		a.replaceable = append(a.replaceable, typ+"/"+subtype[plus+1:])
	}
	a.replaceable = append(a.replaceable, typ+"/*", "*/*")
	return a
}

// templateOf returns an expression that matches the media types of a source and
// captures the version. After a resource the version is the last part, since a
// resource may also contain the separator.
func templateOf(contentType func(resource string, v verso.Version) (string, error)) *regexp.Regexp {
	if contentType == nil {
		return nil
	}
	const resource, version = "~resource~", "~version~"
	text, err := contentType("", verso.V(version))
	if err != nil { // the template has a resource
		if text, err = contentType(resource, verso.V(version)); err != nil {
			return nil
		}
	}
	pattern := strings.NewReplacer(resource, ".+", version, "(.+)").Replace(regexp.QuoteMeta(text))
	return regexp.MustCompile("(?i)^" + pattern + "$")
}

// join returns the field with the version, and the version that it asks for. ok is
// false when the lines stay unchanged: they already have a version, or no place for it.
func (a *accept) join(lines []string, version verso.Version) (field string, asked verso.Version, ok bool) {
	ranges := parseAccept(lines)
	if len(ranges) == 0 {
		return a.value, version, true
	}
	if asked, isThere := a.asked(ranges); isThere {
		return "", asked, false
	}
	replaced := a.replaced(ranges)
	all := make([]string, 0, len(ranges))
	for i, r := range ranges {
		name, rest := r.text[:len(r.name)], r.text[len(r.name):]
		switch {
		case name != "" && a.template == nil:
			all, ok = append(all, name+a.value[len("*/*"):]+rest), true
		case i == replaced:
			all, ok = append(all, a.value+rest), true
		case !slices.Contains(a.replaceable, r.name): // a replaceable range would accept other versions
			all = append(all, r.text)
		}
	}
	if !ok {
		return "", verso.Version{}, false
	}
	return strings.Join(all, ", "), version, true
}

// replaced returns the index of the range that the media type replaces, or -1.
func (a *accept) replaced(ranges []mediaRange) int {
	for _, name := range a.replaceable {
		if i := slices.IndexFunc(ranges, func(r mediaRange) bool { return r.name == name }); i >= 0 {
			return i
		}
	}
	return -1
}

// asked returns the version that the ranges ask for, or no version if they differ. ok
// reports whether they ask for any version.
func (a *accept) asked(ranges []mediaRange) (version verso.Version, ok bool) {
	for _, r := range ranges {
		text, found := a.versionOf(r)
		switch {
		case found && !ok:
			version, ok = verso.V(text), true
		case found && verso.V(text) != version:
			version = verso.Version{}
		}
	}
	return version, ok
}

// versionOf returns the version of a range.
func (a *accept) versionOf(r mediaRange) (version string, ok bool) {
	if a.template == nil {
		version, ok = r.params[a.param]
		return version, ok
	}
	if found := a.template.FindStringSubmatch(r.text[:len(r.name)]); found != nil {
		return found[1], true
	}
	return "", false
}

// mediaRange is an element of an Accept field (RFC 9110, section 12.5.1).
type mediaRange struct {
	text   string
	name   string            // the beginning of text in lower case; "": the range accepts nothing
	params map[string]string // names in lower case
}

// elementText is an element of a list with quoted strings. An unclosed quote extends
// to the end.
var elementText = regexp.MustCompile(`(?:[^",]|"(?:[^"\\]|\\.)*"?)+`)

// parseAccept returns the non-empty elements of the lines of an Accept field.
func parseAccept(lines []string) (ranges []mediaRange) {
	for _, line := range lines {
		for _, text := range elementText.FindAllString(line, -1) {
			if text = strings.TrimSpace(text); text != "" {
				ranges = append(ranges, parseRange(text))
			}
		}
	}
	return ranges
}

func parseRange(text string) mediaRange {
	name, params, err := mime.ParseMediaType(text)
	typ, _, ok := strings.Cut(name, "/")
	if err != nil || !ok || typ == "*" && name != "*/*" || mediatype.ParseWeight(params["q"]) == 0 {
		return mediaRange{text: text}
	}
	return mediaRange{text, name, params}
}
