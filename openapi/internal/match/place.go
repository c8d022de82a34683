package match

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// Place is where paths have the version: in path parameters, after a prefix, or in the
// segment of a namespace.
type Place struct {
	Version string
	known   []string // versions
	params  []string // names of path parameters
	prefix  []string // the segments of a template with {version} in the last; nil: none
	named   bool     // by a namespace
}

// NewPlace returns the place that the source of a service reads, for writing a
// version into it.
func NewPlace(service *verso.Explanation, version string) *Place {
	p := &Place{Version: version, known: append([]string{version}, service.Versions...)}
	for _, part := range Parts(service.Source) {
		if part.PathParam != "" {
			p.params = append(p.params, part.PathParam)
		}
		if part.PathPrefix != "" {
			p.prefix = Segments(part.PathPrefix)
		}
		p.named = p.named || part.Namespace
	}
	return p
}

// Parts returns the descriptions of the single sources of a source.
func Parts(from source.Source) (parts []source.Description) {
	for _, single := range Singles(from) {
		parts = append(parts, single.Describe())
	}
	return parts
}

// Singles returns the single sources of a source.
func Singles(from source.Source) []source.Source {
	if from == nil {
		return nil
	}
	if parts := from.Describe().Parts; len(parts) > 0 {
		return parts
	}
	return []source.Source{from}
}

const placeholder = "{version}"

// of returns the index of the segment with the version in the path of a route, and
// the segment as a template. The index is -1 if the path has no version.
func (p *Place) of(segments []string) (index int, template string) {
	for index, segment := range segments {
		for _, name := range p.params {
			if param := "{" + name + "}"; strings.Contains(segment, param) {
				return index, strings.Replace(segment, param, placeholder, 1)
			}
		}
	}
	if last := len(p.prefix) - 1; last >= 0 && len(segments) > last && slices.Equal(segments[:last], p.prefix[:last]) {
		if segment := segments[last]; segment == p.prefix[last] || segment == p.write(p.prefix[last]) {
			return last, p.prefix[last]
		}
	}
	if index = slices.Index(segments, p.Version); p.named && index >= 0 {
		return index, placeholder
	}
	return -1, ""
}

// write puts the version into the template of a segment.
func (p *Place) write(template string) string {
	return strings.Replace(template, placeholder, p.Version, 1)
}

// Names reports whether name is the name of a path parameter with the version. The
// variables of a server's URL use the same names.
func (p *Place) Names(name string) bool {
	return name == "version" && p.prefix != nil || slices.Contains(p.params, name)
}

// Placeholder returns what paths of all versions have in the place of the version.
func (p *Place) Placeholder() string {
	if len(p.params) > 0 {
		return "{" + p.params[0] + "}"
	}
	return placeholder
}

// IsVersion reports whether text is a version of the service.
func (p *Place) IsVersion(text string) bool { return slices.Contains(p.known, text) }

// Segments returns the segments of a path that begins with a slash, or is empty.
func Segments(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(path, "/"), "/")
}

var expression = regexp.MustCompile(`\{[^{}]*\}`)

// Shape returns a path in a form that is the same for paths that differ only in the
// names of parameters and in escapes.
func Shape(path string) string { return strings.Join(shape(Segments(path)), "/") }

// shape returns segments in a form that is the same for routes and operations: it
// ignores the names of parameters and escapes.
func shape(segments []string) []string {
	shaped := make([]string, len(segments))
	for i, segment := range segments {
		if text, err := url.PathUnescape(segment); err == nil {
			segment = text
		}
		shaped[i] = expression.ReplaceAllString(segment, "{}")
	}
	return shaped
}
