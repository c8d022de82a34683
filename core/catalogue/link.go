package catalogue

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the links of a version, and of the links of a route. More are
// refused.
const (
	MaxLinks     = 8
	MaxLinkBytes = 2 << 10 // the values of their Link lines together
)

// Link is a link in the Link field (RFC 8288), such as the page about a
// deprecation.
type Link struct {
	Rel      string `json:"rel"`                // Required. One relation type: registered, such as "deprecation", or a URI.
	Href     string `json:"href"`               // Required. A URI of http, https or mailto, or a relative reference.
	Type     string `json:"type,omitempty"`     // Optional. Media type of the target, without parameters.
	Title    string `json:"title,omitempty"`    // Optional. Text in any language.
	Hreflang string `json:"hreflang,omitempty"` // Optional. Language of the target, such as "de".
}

// line returns the value of the Link line.
func (l Link) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<%s>; rel="%s"`, l.Href, l.Rel)
	if l.Type != "" {
		fmt.Fprintf(&b, `; type="%s"`, l.Type)
	}
	if l.Title != "" {
		b.WriteString("; ")
		writeTitle(&b, l.Title)
	}
	if l.Hreflang != "" {
		fmt.Fprintf(&b, `; hreflang="%s"`, l.Hreflang)
	}
	return b.String()
}

// writeTitle writes a title as a quoted string (RFC 9110, section 5.6.4), or,
// where it is not ASCII, as an extended value (RFC 8187, section 3.2).
func writeTitle(b *strings.Builder, title string) {
	if isASCII(title) {
		b.WriteString(`title="`)
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(title))
		b.WriteByte('"')
		return
	}
	b.WriteString("title*=UTF-8''")
	for i := range len(title) {
		if c := title[i]; isAlpha(c) || isDigit(c) || c < utf8.RuneSelf && strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// links checks the links at a field and returns the values of their lines.
func (m *mistakes) links(field string, links []Link) []string {
	if len(links) == 0 {
		return nil
	}
	lines := make([]string, 0, len(links))
	size := 0
	for i, link := range links {
		m.link(fmt.Sprintf("%s[%d]", field, i), link)
		lines = append(lines, link.line())
		size += len(lines[i])
	}
	if len(links) > MaxLinks {
		m.add(field, CodeLinkBound, "%d links: leave at most %d, the others can be on the page that one of them leads to", len(links), MaxLinks)
	} else if size > MaxLinkBytes {
		m.add(field, CodeLinkBound, "the links have %d bytes: leave at most %d, the rest can be on the page that one of them leads to", size, MaxLinkBytes)
	}
	return lines
}

// link checks one link.
func (m *mistakes) link(field string, link Link) {
	if !isRelation(link.Rel) {
		m.add(field+".rel", CodeLinkRelation, `%s is not one relation type: write a registered one, such as "deprecation", or a URI`, quote(link.Rel))
	}
	if problem := targetProblem(link.Href); problem != "" {
		m.add(field+".href", CodeLinkTarget, "%s %s: write an encoded URI of http, https or mailto, or a relative reference", quote(link.Href), problem)
	}
	if link.Type != "" && !isMediaType(link.Type) {
		m.add(field+".type", CodeLinkType, `%s is no media type without parameters: write one, such as "text/html"`, quote(link.Type))
	}
	if !isTitle(link.Title) {
		m.add(field+".title", CodeLinkTitle, "%s has a control character or is not UTF-8: write one line of text", quote(link.Title))
	}
	if link.Hreflang != "" && !isLanguage(link.Hreflang) {
		m.add(field+".hreflang", CodeLinkHreflang, `%s is no language tag: write one, such as "de" or "pt-BR"`, quote(link.Hreflang))
	}
}

// isRelation reports whether text is one relation type: a registered name or a
// URI (RFC 8288, section 3.3).
func isRelation(text string) bool {
	if text == "" || !isAlpha(text[0]) {
		return false
	}
	if strings.Trim(text, relationBytes) == "" {
		return true
	}
	scheme, rest, found := strings.Cut(text, ":")
	return found && rest != "" && strings.Trim(scheme, relationBytes+"+") == "" && isURIBytes(text) && isEscaped(text)
}

const relationBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"

// targetProblem says why text is no target of a link, or nothing.
func targetProblem(text string) string {
	if text == "" {
		return "is no target"
	}
	if !isURIBytes(text) || !isEscaped(text) {
		return "has a character that no URI has"
	}
	target, err := url.Parse(text)
	// Brackets are for a host that is an address only, and a fragment has no
	// number sign (RFC 3986, section 3). url.Parse lets them through.
	if err != nil || strings.Count(text, "[") > strings.Count(target.Host, "[") || strings.Count(text, "#") > 1 {
		return "is no URI"
	}
	switch target.Scheme {
	case "":
		return ""
	case "http", "https":
		if target.Hostname() == "" {
			return "has no host"
		}
	case "mailto":
		if target.Opaque == "" {
			return "has no address"
		}
	default:
		return "has another scheme"
	}
	return ""
}

// isURIBytes reports whether all bytes of text may be in a URI (RFC 3986,
// section 2).
func isURIBytes(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isAlpha(c) && !isDigit(c) && strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) < 0 {
			return false
		}
	}
	return true
}

// isEscaped reports whether two hexadecimal digits follow each percent sign (RFC
// 3986, section 2.1).
func isEscaped(text string) bool {
	for _, after := range strings.Split(text, "%")[1:] {
		if len(after) < 2 || !isHex(after[0]) || !isHex(after[1]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// isMediaType reports whether text is a type and a subtype (RFC 6838, section
// 4.2; RFC 8288, section 3.4.1).
func isMediaType(text string) bool {
	typ, subtype, found := strings.Cut(text, "/")
	return found && isRestrictedName(typ) && isRestrictedName(subtype)
}

func isRestrictedName(text string) bool {
	if text == "" || len(text) > 127 || !isAlpha(text[0]) && !isDigit(text[0]) {
		return false
	}
	for i := range len(text) {
		if c := text[i]; !isAlpha(c) && !isDigit(c) && strings.IndexByte("!#$&-^_.+", c) < 0 {
			return false
		}
	}
	return true
}

// isTitle reports whether text is one line in UTF-8.
func isTitle(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// isLanguage reports whether text has the form of a language tag (RFC 5646,
// section 2.1): subtags of at most eight letters and digits, the first of letters.
func isLanguage(text string) bool {
	for i, subtag := range strings.Split(text, "-") {
		if subtag == "" || len(subtag) > 8 {
			return false
		}
		for j := range len(subtag) {
			if !isAlpha(subtag[j]) && (i == 0 || !isDigit(subtag[j])) {
				return false
			}
		}
	}
	return true
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// quote quotes text of a configuration for a message, cut where it is long.
func quote(text string) string {
	const most = 64
	if len(text) > most {
		return strconv.QuoteToASCII(text[:most]) + "…"
	}
	return strconv.QuoteToASCII(text)
}
