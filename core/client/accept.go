package client

import (
	"strings"

	verso "github.com/goverso/verso/core"
)

// accept joins the version with an Accept field that the request has. The version
// is a parameter of each range, or in a media type that takes the place of ranges.
type accept struct {
	param string // its name; "": the version is in the media type
	added string // "; version=v2"

	mediaType string // "application/vnd.acme.v2+json"
	plain     string // "application/json", "": none
	anyOf     string // "application/*"
	pattern   pattern
}

// newAccept returns how the value that a source writes is joined with another;
// nil when it has neither of the two forms, so that a field of the request stays.
func newAccept(value string, source verso.Source, version verso.Version) *accept {
	if added, ok := strings.CutPrefix(value, "*/*"); ok {
		name, _, isParam := strings.Cut(strings.Trim(added, "; "), "=")
		if !isParam {
			return nil
		}
		return &accept{param: name, added: added}
	}
	typ, subtype, ok := strings.Cut(value, "/")
	found, known := newPattern(source.Describe().ContentType, version)
	if !ok || !known || strings.ContainsAny(value, "; ,") {
		return nil
	}
	a := &accept{mediaType: value, anyOf: typ + "/*", pattern: found}
	if plus := strings.LastIndexByte(subtype, '+'); plus >= 0 {
		a.plain = typ + "/" + subtype[plus+1:]
	}
	return a
}

// own returns the version that the lines of a field ask for, none if they ask for
// several. ok reports whether they ask for any.
func (a *accept) own(lines []string) (version verso.Version, ok bool) {
	for r := range ranges(lines) {
		if text, found := a.versionOf(r); found {
			if other := verso.V(latin1Text(text)); !ok {
				version, ok = other, true
			} else if other != version {
				version = verso.Version{}
			}
		}
	}
	return version, ok
}

func (a *accept) versionOf(r mediaRange) (version string, ok bool) {
	if a.param == "" {
		return a.pattern.version(r.name)
	}
	for name, value := range r.params() {
		if equalFold(name, a.param) {
			return unquote(value), true
		}
	}
	return "", false
}

// join returns the lines with the version. ok is false when it has no place in
// them.
func (a *accept) join(lines []string) (joined []string, ok bool) {
	var all []string
	best := a.place(lines)
	i := -1
	for r := range ranges(lines) {
		i++
		switch {
		case !r.isRange() || r.weight() == "0":
			all = append(all, r.text)
		case a.param != "":
			all, ok = append(all, r.with(a.added)), true
		case i == best:
			all, ok = append(all, a.mediaType+r.text[len(r.name):]), true
		case a.rank(r) > 0:
			// It would accept other versions.
		default:
			all = append(all, r.text)
		}
	}
	if !ok {
		return lines, false
	}
	return []string{strings.Join(all, ", ")}, true
}

// place returns which of the ranges, counted from 0, the media type takes the
// place of: the most specific one that accepts the same; -1 for none.
func (a *accept) place(lines []string) int {
	best, highest, i := -1, 0, -1
	for r := range ranges(lines) {
		i++
		if rank := a.rank(r); rank > highest && r.weight() != "0" {
			best, highest = i, rank
		}
	}
	return best
}

// rank says how specific a range is that accepts what the media type is, without
// its version; 0 for one that does not.
func (a *accept) rank(r mediaRange) int {
	switch {
	case !r.isRange():
		return 0
	case a.plain != "" && equalFold(r.name, a.plain):
		return 3
	case equalFold(r.name, a.anyOf):
		return 2
	case r.name == "*/*":
		return 1
	}
	return 0
}

// pattern is the template of a vendor media type.
type pattern struct {
	before, resource, after string // resource: between {resource} and {version}
	hasResource             bool
}

// newPattern finds the template by what a source makes of it.
func newPattern(contentType func(resource string, v verso.Version) (string, error), version verso.Version) (pattern, bool) {
	if contentType == nil {
		return pattern{}, false
	}
	const one, other = "0", "1"
	textOf := func(resource, version string) string {
		text, err := contentType(resource, verso.V(version))
		if err != nil {
			return ""
		}
		return text
	}
	hasResource := textOf("", version.String()) == ""
	resource := ""
	if hasResource {
		resource = one
	}
	text := textOf(resource, one)
	at := firstDifference(text, textOf(resource, other))
	if at < 0 {
		return pattern{}, false
	}
	p := pattern{before: text[:at], after: text[at+1:], hasResource: hasResource}
	if hasResource {
		from := firstDifference(text, textOf(other, one))
		if from < 0 || from >= at {
			return pattern{}, false
		}
		p.before, p.resource = text[:from], text[from+1:at]
	}
	return p, true
}

// firstDifference returns where two texts of the same length differ, or -1.
func firstDifference(a, b string) int {
	if len(a) != len(b) {
		return -1
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// version returns the version in a media type of the template: the last part of
// it, where a resource can have the separator, too.
func (p *pattern) version(mediaType string) (version string, ok bool) {
	rest := mediaType
	if len(rest) <= len(p.before)+len(p.after) || !equalFold(rest[:len(p.before)], p.before) || !equalFold(rest[len(rest)-len(p.after):], p.after) {
		return "", false
	}
	rest = rest[len(p.before) : len(rest)-len(p.after)]
	if !p.hasResource {
		return rest, rest != "*"
	}
	at := strings.LastIndex(strings.ToLower(rest), strings.ToLower(p.resource))
	if at < 1 || at+len(p.resource) == len(rest) {
		return "", false
	}
	return rest[at+len(p.resource):], true
}
