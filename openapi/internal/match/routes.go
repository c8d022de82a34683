// Package match matches the operations of an OpenAPI document with the routes of a
// service.
package match

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
)

// Routes are the routes that a version has.
type Routes struct {
	*Place
	exact    map[string]*form // by method and shape
	others   map[string]bool  // the same, of the routes that the version does not have
	all      []*form
	Segments []string // templates of the segments with the version: "v{version}"

	// resources maps each route to its method and shape without a version, which
	// are equal for routes that differ only in how a request asks for the version.
	resources map[*verso.RouteInfo]string
}

// form is a way in which a document may write the path of a route.
type form struct {
	route    *verso.RouteInfo
	shape    []string
	index    int    // of the segment with the version in the route, -1: none
	template string // of that segment
	written  writing
}

// writing is how a path contains its version.
type writing int

const (
	literal  writing = iota // "/v2/users", or a route without a place for the version
	variable                // "/{version}/users"
	absent                  // "/users"
)

// New returns the routes of a service that a version has.
func New(service *verso.Explanation, version string) *Routes {
	r := &Routes{Place: NewPlace(service, version), exact: make(map[string]*form), others: make(map[string]bool),
		resources: make(map[*verso.RouteInfo]string)}
	for i := range service.Routes {
		if route := &service.Routes[i]; route.Path != "" && !route.InVersion(version) {
			r.add(route)
		}
	}
	for _, f := range r.all {
		r.others[keyOf(f.route.Method, f.shape)] = true
	}
	r.all, r.Segments = nil, nil
	clear(r.resources)
	for i := range service.Routes {
		if route := &service.Routes[i]; route.Path != "" && route.InVersion(version) {
			r.add(route)
		}
	}
	slices.SortStableFunc(r.all, func(a, b *form) int { return int(a.written - b.written) })
	for _, f := range r.all {
		if key := keyOf(f.route.Method, f.shape); r.exact[key] == nil {
			r.exact[key] = f
		}
	}
	return r
}

func keyOf(method string, shape []string) string { return method + " /" + strings.Join(shape, "/") }

// add adds the forms of a route.
func (r *Routes) add(route *verso.RouteInfo) {
	segments := Segments(route.Path)
	index, template := -1, ""
	if !route.Neutral && !route.Unchecked {
		index, template = r.of(segments)
	}
	add := func(written writing, segments []string) {
		r.all = append(r.all, &form{route, shape(segments), index, template, written})
	}
	if index < 0 {
		add(literal, segments)
		r.resources[route] = keyOf(route.Method, shape(segments))
		return
	}
	if !slices.Contains(r.Segments, template) {
		r.Segments = append(r.Segments, template)
	}
	add(literal, slices.Replace(slices.Clone(segments), index, index+1, r.write(template)))
	add(variable, slices.Replace(slices.Clone(segments), index, index+1, template))
	without := slices.Delete(slices.Clone(segments), index, index+1)
	add(absent, without)
	r.resources[route] = keyOf(route.Method, shape(without))
}

// Match is the route of an operation.
type Match struct {
	Route   *verso.RouteInfo
	routes  *Routes
	form    *form
	dropped int // segments of the base that the route does not have
	base    int // segments of the base that it has
}

// Find returns the route of an operation whose path follows one of the bases: the
// paths of the URLs of its servers. A gateway may remove the beginning of a base, or
// all of it. If no route has exactly the path, Find returns a route whose parameters
// match it.
func (r *Routes) Find(method, path string, bases ...string) (m Match, ok bool) {
	candidates := r.candidates(path, bases)
	for _, method := range methods(method) {
		for _, c := range candidates {
			if f := r.exact[keyOf(method, c.shape)]; f != nil {
				return Match{f.route, r, f, c.dropped, c.base}, true
			}
		}
	}
	for _, method := range methods(method) {
		for _, c := range candidates {
			if r.others[keyOf(method, c.shape)] {
				return Match{}, false // it is a route of another version, beside one with a parameter in its place
			}
		}
	}
	for _, c := range candidates {
		for _, f := range r.all {
			if slices.Contains(methods(method), f.route.Method) && r.serves(f, c.shape) {
				return Match{f.route, r, f, c.dropped, c.base}, true
			}
		}
	}
	return Match{}, false
}

// methods returns the methods of routes that answer a method. Routes for any method
// answer all of them, and GET answers HEAD (RFC 9110, section 9.3.2).
func methods(method string) []string {
	if method == http.MethodHead {
		return []string{method, http.MethodGet, ""}
	}
	return []string{method, ""}
}

// candidate is a path that an operation may have in the service.
type candidate struct {
	shape         []string
	dropped, base int
}

// candidates returns the paths that an operation may have, whole bases first.
func (r *Routes) candidates(path string, bases []string) (candidates []candidate) {
	segments := Segments(path)
	for dropped, more := 0, true; more; dropped++ {
		more = false
		for _, base := range append(slices.Clip(bases), "") {
			if base := Segments(base); dropped <= len(base) {
				kept := base[dropped:]
				candidates = append(candidates, candidate{shape(slices.Concat(kept, segments)), dropped, len(kept)})
				more = true
			}
		}
	}
	return candidates
}

// serves reports whether the parameters of a form match a path.
func (r *Routes) serves(f *form, path []string) bool {
	if f.written == variable || f.written == absent && f.index < len(path) && r.IsVersion(path[f.index]) {
		return false
	}
	rest := strings.Contains(f.route.Path, "{+")
	for i, segment := range f.shape {
		last := i == len(f.shape)-1
		switch {
		case i >= len(path):
			return false
		case last && rest:
			return true
		case segment != "{}" && segment != path[i]:
			return false
		}
	}
	return len(path) == len(f.shape)
}

// Place reports whether the path of the route contains the version.
func (m *Match) Place() bool { return m.form.index >= 0 }

// Path returns the path of the operation with the version, in the place where the
// document or else the route has it. inServer is true if the URL of the server already
// contains the version.
func (m *Match) Path(path string, inServer bool) (string, error) {
	at := m.form.index - m.base
	if !m.Place() || m.form.written == literal || m.form.written == absent && inServer {
		return path, nil
	}
	if at < 0 {
		return "", fmt.Errorf("the URL of its server ends after the place of the version in %q: write {version} "+
			"into that URL", m.Route.Pattern)
	}
	segments, remove := Segments(path), 0
	if m.form.written == variable {
		remove = 1
	}
	segments = slices.Replace(segments, at, at+remove, m.routes.write(m.form.template))
	return "/" + strings.Join(segments, "/"), nil
}
