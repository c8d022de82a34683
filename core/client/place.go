package client

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
)

// place is where the version is in a request. The zero place is nowhere.
type place struct {
	query  url.Values // nil: not there
	name   string     // of the header field, in canonical form; "": none
	value  string     // of it, in the bytes of the wire
	accept *accept    // how the field is joined with one of the request, for Accept
}

// write returns the request with the version, in copies of what it changes, and
// the version that it asks for: none if it is not known.
func (p *place) write(r *http.Request, version verso.Version) (sent *http.Request, asked verso.Version) {
	if p.name == "" && p.query == nil {
		return r, version
	}
	if own, ok := p.own(r); ok {
		return r, own
	}
	sent = new(http.Request)
	*sent = *r
	if p.query != nil {
		sent.URL = new(url.URL)
		*sent.URL = *r.URL
		sent.URL.RawQuery = p.appendQuery(r.URL.RawQuery)
	}
	if p.name == "" {
		return sent, version
	}
	lines := []string{p.value}
	if own := r.Header[p.name]; p.accept != nil && !isEmptyList(own) {
		var ok bool
		if lines, ok = p.accept.join(own); !ok {
			version = verso.Version{}
		}
	}
	if sent.Header = maps.Clone(r.Header); sent.Header == nil {
		sent.Header = make(http.Header, 1)
	}
	sent.Header[p.name] = lines
	return sent, version
}

// own returns the version that a request has already, none if it is not known
// which one. ok reports whether there is one.
func (p *place) own(r *http.Request) (version verso.Version, ok bool) {
	for name := range p.query {
		if version, ok = ownQuery(r.URL.RawQuery, name); ok {
			return version, true
		}
	}
	lines := r.Header[p.name]
	switch {
	case p.name == "" || len(lines) == 0:
		return verso.Version{}, false
	case p.accept != nil:
		return p.accept.own(lines)
	}
	if value := strings.Trim(lines[0], " \t"); len(lines) == 1 && p.name != "Accept" && value != "" && !strings.Contains(value, ",") {
		version = verso.V(latin1Text(value))
	}
	return version, true
}

// ownQuery returns the last value of a query parameter.
func ownQuery(rawQuery, name string) (version verso.Version, ok bool) {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key != name {
			if unescaped, err := url.QueryUnescape(key); err != nil || unescaped != name || pair == "" {
				continue
			}
		}
		version, ok = verso.Version{}, true
		if unescaped, err := url.QueryUnescape(value); err == nil {
			version = verso.V(unescaped)
		}
	}
	return version, ok
}

// appendQuery adds the version to the query, whose text stays as it is.
func (p *place) appendQuery(rawQuery string) string {
	for _, name := range slices.Sorted(maps.Keys(p.query)) {
		for _, value := range p.query[name] {
			if rawQuery != "" {
				rawQuery += "&"
			}
			rawQuery += url.QueryEscape(name) + "=" + url.QueryEscape(value)
		}
	}
	return rawQuery
}

// isEmptyList reports whether no line has an element.
func isEmptyList(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool { return strings.Trim(line, ", \t") != "" })
}

// latin1Bytes returns text as the bytes of a field value, which are ISO-8859-1
// (RFC 9110, section 5.5). ok is false for text that no field can have.
func latin1Bytes(text string) (value string, ok bool) {
	var bytes []byte
	for _, char := range text {
		if char < ' ' && char != '\t' || char == 0x7f || char > 0xff {
			return "", false
		}
		bytes = append(bytes, byte(char))
	}
	return string(bytes), true
}

// latin1Text returns the text of the bytes of a field value.
func latin1Text(value string) string {
	for i := range len(value) {
		if value[i] >= 0x80 {
			text := make([]rune, len(value))
			for i := range len(value) {
				text[i] = rune(value[i])
			}
			return string(text)
		}
	}
	return value
}
