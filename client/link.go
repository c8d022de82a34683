package client

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Link is a link of a response (RFC 8288).
type Link struct {
	Rel  string // "deprecation", "sunset", "successor-version" or "latest-version"
	Href string // absolute, with the scheme http, https or mailto
}

// relations are the reported relations: RFC 9745, section 3; RFC 8594, section 6;
// RFC 5829, section 3.
var relations = []string{"deprecation", "sunset", "successor-version", "latest-version"}

// linkText is a link in a list, and paramText one of its parameters: name, quoted
// value, other value. An unclosed quote extends to the end (RFC 8288, appendix B).
var (
	linkText  = regexp.MustCompile(`(?:^|,)[ \t]*<([^<>]*)>((?:=[ \t]*"(?:[^"\\]|\\.)*"?|[^,])*)`)
	paramText = regexp.MustCompile(`;[ \t]*([^=;" \t]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;" \t]*))`)
)

// parseLinks reads the links with these relations from the lines of Link of a
// response from the base URL. It skips links that are malformed or about another
// resource.
func parseLinks(lines []string, base *url.URL) (links []Link) {
	for _, line := range bounded(lines, maxLinksBytes) {
		for _, link := range linkText.FindAllStringSubmatch(line, -1) {
			rels, anchor := linkParams(link[2])
			if len(rels) == 0 || len(links) >= maxLinks {
				continue
			}
			href, ok := resolve(link[1], anchor, base)
			for _, rel := range rels {
				if l := (Link{rel, href}); ok && len(links) < maxLinks && !slices.Contains(links, l) {
					links = append(links, l)
				}
			}
		}
	}
	return links
}

// linkParams returns the reported relations of a link, and its anchor. Of several
// parameters with the same name the first applies (RFC 8288, section 3.3).
func linkParams(text string) (rels []string, anchor string) {
	values := make(map[string]string)
	for _, param := range paramText.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(param[1])
		if _, ok := values[name]; !ok {
			values[name] = param[2] + param[3]
		}
	}
	for rel := range strings.FieldsSeq(strings.ToLower(values["rel"])) {
		if slices.Contains(relations, rel) && !slices.Contains(rels, rel) {
			rels = append(rels, rel)
		}
	}
	return rels, values["anchor"]
}

// resolve returns the target as an absolute URL, without the password and the query
// of the base. ok is false when the anchor is a different resource from the base, or
// when the target is not a page.
func resolve(target, anchor string, base *url.URL) (href string, ok bool) {
	about, err := base.Parse(anchor)
	if err != nil || !strings.EqualFold(about.Host, base.Host) || about.RequestURI() != base.RequestURI() {
		return "", false
	}
	u, err := (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path,
		RawPath: base.RawPath}).Parse(strings.Trim(target, " \t"))
	if err != nil {
		return "", false
	}
	isPage := (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	return u.String(), isPage || u.Scheme == "mailto"
}
