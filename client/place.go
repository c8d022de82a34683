package client

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// place is where a source has the version in a request. The zero place means that
// the program's URL contains it: nothing is written.
type place struct {
	query  url.Values
	name   string  // of a header field, in canonical form; "": no field
	value  string  // of the header field
	accept *accept // how to add the version to an Accept field; nil for other fields

	// path writes the version into a path, nil for other sources.
	path func(escaped string) (string, error)
}

// newPlace returns where a source writes the version.
func newPlace(from source.Source, version verso.Version) (place, error) {
	if v := reflect.ValueOf(from); from == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return place{}, mistake("source_missing", "Source",
			"the source is missing: set the one that the service reads, such as verso.Header(%q), or set InURL if the version is in the URL", "Api-Version")
	}
	name := from.Describe().Name
	written, err := from.Write(source.Written{}, version)
	param, _ := written.Param()
	queryParam, queryValue := written.Query()
	header, value := written.Header()
	switch {
	case errors.Is(err, verso.ErrNoReverseMatch):
		return place{}, mistake("version_place", "Version", "the %s cannot carry version %q: %v", name, version, err)
	case err != nil:
		return place{}, mistake("source_invalid", "Source", "the %s cannot write a version: %v", name, err)
	case from.Describe().PathPrefix != "" && len(from.Describe().Parts) == 0:
		return place{path: written.Path}, nil
	case param != "" || written.Name("") != "" || queryParam == "" && header == "":
		return place{}, mistake("source_place", "Source",
			"the %s does not write the version into a header or the query: if it is in the path or the host, remove Source and set InURL; "+
				"for a combined source, give the part to use: verso.Header, AcceptParam, MediaType or QueryParam", name)
	default:
		p := place{name: http.CanonicalHeaderKey(header), value: value}
		if queryParam != "" {
			p.query = url.Values{queryParam: {queryValue}}
		}
		if p.name == "Accept" {
			p.accept = newAccept(p.value, from)
		}
		return p, p.check(name, version)
	}
}

// isHeader reports whether the version is the whole value of a header field.
func (p *place) isHeader() bool { return p.name != "" && p.name != "Accept" }

// check returns an error if the written text is not valid.
func (p *place) check(from string, version verso.Version) error {
	switch text := version.String(); {
	case strings.TrimSpace(text) != text,
		p.isHeader() && !catalogue.Listable(text),
		strings.ContainsFunc(p.value, func(c rune) bool { return c < ' ' || c > '~' }):
		return mistake("version_place", "Version",
			"the %s cannot carry version %q: use printable ASCII without white space around it, and in a header without commas and spaces", from, text)
	case p.name == "Accept" && parseRange(p.value).name == "":
		return mistake("source_invalid", "Source",
			"the %s writes %q, which is not a media range: use letters, digits and hyphens", from, p.value)
	case p.isHeader():
		var found *catalogue.Error
		if errors.As(catalogue.CheckFieldName(p.name), &found) {
			return mistake(found.Code, "Source", "%s", found.Message)
		}
	}
	return nil
}

// write returns the request with the version, and the version that it asks for, or
// the zero version if that is not known. A version of the request stays.
func (p *place) write(r *http.Request, version verso.Version) (sent *http.Request, asked verso.Version) {
	if p.path != nil {
		return p.writePath(r, version)
	}
	if p.name == "" && len(p.query) == 0 {
		return r, version
	}
	for name := range p.query {
		if asked, ok := askedInQuery(r.URL.RawQuery, name); ok {
			return r, asked
		}
	}
	field, asked, ok := p.field(r.Header[p.name], version)
	if !ok {
		return r, asked
	}
	sent = r.Clone(r.Context())
	if len(p.query) > 0 {
		if sent.URL.RawQuery != "" {
			sent.URL.RawQuery += "&"
		}
		sent.URL.RawQuery += p.query.Encode()
	}
	if p.name != "" {
		if sent.Header == nil {
			sent.Header = make(http.Header, 1)
		}
		sent.Header[p.name] = []string{field}
	}
	return sent, asked
}

// writePath returns the request with the version in its path. A path that does not
// match the prefix stays unchanged; its version is not known.
func (p *place) writePath(r *http.Request, version verso.Version) (sent *http.Request, asked verso.Version) {
	escaped, err := p.path(r.URL.EscapedPath())
	if err != nil {
		return r, verso.Version{}
	}
	sent = r.Clone(r.Context())
	sent.URL.RawPath = escaped
	if sent.URL.Path, err = url.PathUnescape(escaped); err != nil {
		return r, verso.Version{}
	}
	return sent, version
}

// field returns the field that replaces the lines of a request, and the version
// that it asks for. ok is false when the lines stay.
func (p *place) field(lines []string, version verso.Version) (field string, asked verso.Version, ok bool) {
	switch {
	case p.accept != nil:
		return p.accept.join(lines, version)
	case len(lines) == 0:
		return p.value, version, true
	}
	if text := strings.TrimSpace(lines[0]); len(lines) == 1 && p.isHeader() && catalogue.Listable(text) {
		asked = verso.V(text)
	}
	return "", asked, false
}

// askedInQuery returns the version that a query parameter asks for: its last value.
func askedInQuery(rawQuery, name string) (version verso.Version, ok bool) {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || key != name || pair == "" {
			continue
		}
		version, ok = verso.Version{}, true
		if text, err := url.QueryUnescape(value); err == nil {
			version = verso.V(text)
		}
	}
	return version, ok
}
