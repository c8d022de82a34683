package versohttp

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of requests to a ServeMux.
type router struct {
	ahead bool                       // of the ServeMux: it has not set the path values yet
	say   func(name, pattern string) // that a pattern does not have a path parameter; nil: nothing
	of    *bound                     // nil: it is not asked for methods
}

// Engine returns what New got.
func (m *router) Engine() any { return m.of.mux }

// Routes returns none, since a ServeMux does not list them.
func (*router) Routes() []adapter.Listed { return nil }

// ServesHead reports that a pattern for GET serves HEAD.
func (*router) ServesHead() bool { return true }

// OtherRoutes returns the routes of other code that have the path of a request, except one for
// all paths.
func (m *router) OtherRoutes(request any) (others []*route.Route) {
	probe := *request.(*http.Request)
	host := read(probe.Pattern).Host
	for _, probe.Method = range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions} {
		handler, pattern := m.of.mux.Handler(&probe)
		if _, isNotFound := handler.(*notFound); pattern == "" || isNotFound || m.of.isOwn(pattern) {
			continue
		}
		if at := read(pattern); at.Path != "/" {
			at.Host, at.Method, at.Foreign, at.Checked = host, probe.Method, true, m.of.checks.Load()
			others = append(others, at.Prepare())
		}
	}
	return others
}

// TakesBelow reports that a pattern with a slash at its end has all paths below it.
func (*router) TakesBelow() bool { return true }

// OwnNotFound returns the pattern of other code for all paths, such as a page's, unless
// NotFound is around its handler.
func (m *router) OwnNotFound() (routes []*route.Route) {
	handler, pattern := m.of.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/verso/asks/who/has/all/paths"}})
	at := read(pattern)
	if _, isNotFound := handler.(*notFound); pattern == "" || isNotFound || m.of.isOwn(pattern) {
		return nil
	}
	at.Foreign = true
	return []*route.Route{at.Prepare()}
}

// PathParam returns a path parameter, which the ServeMux has decoded.
func (m *router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	if m.ahead || r.Method == http.MethodConnect && strings.Contains(r.URL.Path, "//") {
		// For CONNECT alone the ServeMux lets an empty segment match a
		// wildcard, but keeps no value for it, so that the others move up and
		// PathValue panics for the last one (go.dev/issue/81222).
		if value, ok = pathValue(r.Pattern, r.URL.EscapedPath(), name); ok {
			return value, true
		}
	}
	if value = r.PathValue(name); value != "" {
		return value, true
	}
	switch _, ok = pathValue(r.Pattern, "", name); {
	case ok:
	case r.Pattern == "":
		r.SetPathValue(asked, name)
	case m.say != nil:
		m.say(name, r.Pattern)
	}
	return "", ok
}

// pathValue returns the value of a wildcard of a pattern in a percent-encoded
// path that the pattern matches.
func pathValue(pattern, path, name string) (value string, ok bool) {
	_, pattern, _ = strings.Cut(pattern, "/") // method and host have no slash
	path = strings.TrimPrefix(path, "/")
	for more := true; more; {
		var segment, behind string
		segment, pattern, more = strings.Cut(pattern, "/")
		value, behind, _ = strings.Cut(path, "/")
		wildcard, isRest := strings.CutSuffix(strings.Trim(segment, "{}"), "...")
		if wildcard == name && strings.HasPrefix(segment, "{") {
			if isRest {
				value = path
			}
			value, _ = url.PathUnescape(value) // url.URL encodes it rightly
			return value, true
		}
		path = behind
	}
	return "", false
}

// read returns the route of a pattern.
func read(pattern string) route.Route {
	slash := max(0, strings.IndexByte(pattern, '/')) // other routers may have none
	before, path := pattern[:slash], pattern[slash:]
	host := before[strings.LastIndexAny(before, " \t")+1:]
	method := strings.TrimRight(strings.TrimSuffix(before, host), " \t")
	return route.Route{Host: host, Method: method, Path: path, Pattern: readPath(path)}
}

// mustRead reads a pattern of v. It panics as a ServeMux does if there is no such
// pattern.
func mustRead(pattern string) route.Route {
	http.NewServeMux().Handle(pattern, http.NotFoundHandler())
	return read(pattern)
}

// readPath reads the path of a pattern. A star at its end is plain text to a
// ServeMux, but not to [route.Braces].
func readPath(path string) route.Pattern {
	slash := strings.LastIndexByte(path, '/') + 1
	if last := path[slash:]; strings.HasSuffix(last, "*") {
		if plain, err := url.PathUnescape(last); err == nil { // else both take it as it is
			last = plain
		}
		path = path[:slash] + url.PathEscape(last)
	}
	return route.Braces(path)
}
