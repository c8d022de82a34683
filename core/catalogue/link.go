package catalogue

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/text"
)

// Bounds of the links of a version, and of the links of a route. [New] and
// [Catalogue.Route] refuse more.
const (
	MaxLinks     = 8
	MaxLinkBytes = 2 << 10 // of the values of their Link lines together
)

// Link is a link in the Link field (RFC 8288), such as the page about a
// deprecation.
type Link struct {
	// Required. One relation type: registered, such as "deprecation", or a URI.
	Rel      string `json:"rel"`
	Href     string `json:"href"`               // Required. A URI of http, https or mailto, or a relative reference.
	Type     string `json:"type,omitempty"`     // Optional. Media type of the target, without parameters.
	Title    string `json:"title,omitempty"`    // Optional. One line of ASCII.
	Hreflang string `json:"hreflang,omitempty"` // Optional. Language of the target, such as "de".
}

// line returns the value of the Link line.
func (l Link) line() string {
	line := []string{fmt.Sprintf(`<%s>; rel="%s"`, l.Href, l.Rel)}
	for _, param := range []struct{ name, value string }{{"type", l.Type}, {"title", l.Title},
		{"hreflang", l.Hreflang}} {
		if param.value != "" {
			line = append(line, param.name+"="+text.Quote(param.value))
		}
	}
	return strings.Join(line, "; ")
}

// check checks the link at a field.
func (l Link) check(m *mistakes, field string) {
	for _, part := range []struct {
		isValid     bool
		field, text string
		row         codes.Row
	}{
		{relationForm.MatchString(l.Rel), "rel", l.Rel, codes.LinkRelation},
		{isTarget(l.Href), "href", l.Href, codes.LinkTarget},
		{mediaTypeForm.MatchString(l.Type), "type", l.Type, codes.LinkType},
		{titleForm.MatchString(l.Title), "title", l.Title, codes.LinkTitle},
		{languageForm.MatchString(l.Hreflang), "hreflang", l.Hreflang, codes.LinkHreflang},
	} {
		if !part.isValid {
			m.add(field+"."+part.field, part.row, quote(part.text))
		}
	}
	if near := misspelt(l.Rel); near != "" && relationForm.MatchString(l.Rel) {
		m.add(field+".rel", codes.LinkRelationNear, quote(l.Rel), near)
	}
}

// relations are the registered relation types about the life of an API (RFC 5829, RFC 8594, RFC 9745).
var relations = []string{"deprecation", "sunset", "successor-version", "predecessor-version", "latest-version",
	"version-history"}

// misspelt returns the relation type from which up to a third of the letters differ, "" if there is none. The whole
// registry is not compared: it grows, and a new type must not wait for a release of Verso.
func misspelt(rel string) string {
	if slices.Contains(relations, rel) {
		return ""
	}
	for _, known := range relations {
		if text.Distance(rel, known) <= len(known)/3 {
			return known
		}
	}
	return ""
}

// linkLines checks the links at a field and returns the values of their lines.
func linkLines(m *mistakes, field string, links []Link) []string {
	var lines []string
	size := 0
	for i, link := range links {
		link.check(m, fmt.Sprintf("%s[%d]", field, i))
		lines = append(lines, link.line())
		size += len(lines[i])
	}
	if len(links) > MaxLinks {
		m.add(field, codes.LinkCount, len(links), MaxLinks)
	} else if size > MaxLinkBytes {
		m.add(field, codes.LinkBytes, size, MaxLinkBytes)
	}
	return lines
}

const (
	uriBytes   = "(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+" // RFC 3986, section 2
	restricted = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"                     // RFC 6838, section 4.2
)

var (
	uriForm = regexp.MustCompile("^" + uriBytes + "$")
	// RFC 8288, section 3.3.
	relationForm  = regexp.MustCompile("^(?:[a-z][a-z0-9.-]*|[A-Za-z][A-Za-z0-9+.-]*:" + uriBytes + ")$")
	mediaTypeForm = regexp.MustCompile("^(?:" + restricted + "/" + restricted + ")?$")
	titleForm     = regexp.MustCompile("^[ -~]*$")
	languageForm  = regexp.MustCompile("^(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)?$") // RFC 5646, section 2.1
)

// isTarget reports whether a link may have the target.
func isTarget(href string) bool {
	target, err := url.Parse(href)
	// url.Parse accepts brackets outside an IP address and a number sign in a
	// fragment, which RFC 3986, section 3, does not allow.
	if err != nil || !uriForm.MatchString(href) || strings.Count(href, "#") > 1 ||
		strings.Count(href, "[") > strings.Count(target.Host, "[") {
		return false
	}
	switch target.Scheme {
	case "http", "https":
		return target.Hostname() != ""
	case "mailto":
		return target.Opaque != ""
	}
	return target.Scheme == "" && strings.HasPrefix(href, "/") // else it is another URL on each route
}
