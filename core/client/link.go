package client

import (
	"net/url"
	"slices"
	"strings"
)

// Link is a link of an answer (RFC 8288).
type Link struct {
	Rel  string // "deprecation", "sunset", "successor-version" or "latest-version"
	Href string // absolute, with the scheme http, https or mailto
}

// relations are the relations that are reported: RFC 9745, section 3; RFC 8594,
// section 6; RFC 5829, section 3.
var relations = []string{"deprecation", "sunset", "successor-version", "latest-version"}

// parseLinks reads the links with these relations from the lines of Link, for an
// answer from the base URL. Links that are malformed or that are about another
// resource are passed over.
func parseLinks(lines []string, base *url.URL) (links []Link) {
	for line := range bounded(lines, maxLinksBytes) {
		for line != "" && len(links) < maxLinks {
			var l rawLink
			l, line = nextLink(line)
			links = l.appendTo(links, base)
		}
	}
	return links
}

// rawLink is a link as it is written.
type rawLink struct {
	target    string
	rel       string
	anchor    string
	hasRel    bool
	hasAnchor bool
}

// nextLink reads the first link of a list as RFC 8288, appendix B.2, does. The
// zero rawLink is an element that is no link.
func nextLink(list string) (l rawLink, rest string) {
	list = strings.TrimLeft(list, " \t,")
	if !strings.HasPrefix(list, "<") {
		_, rest = cutUnquoted(list, ',')
		return rawLink{}, rest
	}
	target, rest, ok := strings.Cut(list[1:], ">")
	if !ok {
		return rawLink{}, ""
	}
	l.target = trim(target)
	for rest = trimLeft(rest); rest != "" && rest[0] != ','; rest = trimLeft(rest) {
		var name, value string
		name, value, rest = nextParam(rest)
		switch {
		case equalFold(name, "rel") && !l.hasRel: // the first counts (RFC 8288, section 3.3)
			l.rel, l.hasRel = value, true
		case equalFold(name, "anchor") && !l.hasAnchor:
			l.anchor, l.hasAnchor = value, true
		}
	}
	return l, rest
}

// nextParam reads the first parameter, as RFC 8288, appendix B.3, does. What is
// left begins with the ";" of the next one, with the "," behind the link, or is
// empty.
func nextParam(text string) (name, value, rest string) {
	rest = strings.TrimLeft(text, "; \t")
	end := strings.IndexAny(rest, "=;,")
	if end < 0 {
		return trim(rest), "", ""
	}
	name, rest = trim(rest[:end]), rest[end:]
	if rest[0] != '=' {
		return name, "", rest
	}
	if rest = trimLeft(rest[1:]); strings.HasPrefix(rest, `"`) {
		value, rest = cutQuoted(rest)
		if end = strings.IndexAny(rest, ";,"); end < 0 {
			end = len(rest)
		}
		return name, value, rest[end:]
	}
	if end = strings.IndexAny(rest, ";,"); end < 0 {
		end = len(rest)
	}
	return name, trim(rest[:end]), rest[end:]
}

// cutQuoted reads the quoted string at the beginning. One that is never closed
// reaches to the end (RFC 8288, appendix B.4).
func cutQuoted(text string) (value, rest string) {
	var plain strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return plain.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		plain.WriteByte(text[i])
	}
	return plain.String(), ""
}

func trimLeft(text string) string { return strings.TrimLeft(text, " \t") }

// appendTo appends what the link says, once for each of its relations.
func (l *rawLink) appendTo(links []Link, base *url.URL) []Link {
	var href string
	for rel := range strings.FieldsSeq(l.rel) {
		known := slices.IndexFunc(relations, func(known string) bool { return equalFold(known, rel) })
		if known < 0 {
			continue
		}
		if href == "" {
			var ok bool
			if href, ok = l.resolve(base); !ok {
				return links
			}
		}
		if link := (Link{relations[known], href}); len(links) < maxLinks && !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	return links
}

// resolve returns the target, unless the link is about another resource than the
// base, or leads where no page can be.
func (l *rawLink) resolve(base *url.URL) (href string, ok bool) {
	if l.hasAnchor {
		anchor, err := base.Parse(l.anchor)
		if err != nil || withoutFragment(anchor) != withoutFragment(base) {
			return "", false
		}
	}
	target, err := baseOf(base).Parse(l.target)
	if err != nil {
		return "", false
	}
	target.Scheme = strings.ToLower(target.Scheme)
	isPage := (target.Scheme == "http" || target.Scheme == "https") && target.Host != ""
	if !isPage && target.Scheme != "mailto" {
		return "", false
	}
	return target.String(), true
}

// baseOf returns what targets are resolved against: the URL of the answer,
// without what a log must not have.
func baseOf(u *url.URL) *url.URL {
	base := *u
	base.User, base.RawQuery, base.ForceQuery, base.Fragment, base.RawFragment = nil, "", false, "", ""
	return &base
}

// withoutFragment returns what identifies the resource of a URL.
func withoutFragment(u *url.URL) string {
	resource := *u
	resource.User, resource.Fragment, resource.RawFragment = nil, "", ""
	resource.Host = strings.ToLower(u.Host)
	if resource.Path == "" {
		resource.Path = "/"
	}
	return resource.String()
}
