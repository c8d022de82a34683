package versohttp

import (
	"fmt"
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
	return m.othersOf(probe, read(probe.Pattern).Host)
}

// RoutesAt returns the routes of other code that have a path, except one for all paths.
func (m *router) RoutesAt(host, path string) []*route.Route {
	return m.othersOf(http.Request{Host: host, URL: &url.URL{Path: path}}, host)
}

func (m *router) othersOf(probe http.Request, host string) (others []*route.Route) {
	for _, probe.Method = range m.methodsAt(probe) {
		handler, pattern := m.of.mux.Handler(&probe)
		if pattern == "" || notFoundOf(handler) != nil || m.of.isOwn(pattern) {
			continue
		}
		if at := read(pattern); at.Path != "/" {
			at.Host, at.Method, at.Foreign, at.Checked = host, probe.Method, true, m.of.checks.Load()
			others = append(others, at.Prepare())
		}
	}
	return others
}

// methodsAt returns the methods that a path may have a pattern for: where none is for all, the answer of the ServeMux
// to an unknown one names them.
func (m *router) methodsAt(probe http.Request) []string {
	probe.Method = "VERSO"
	handler, pattern := m.of.mux.Handler(&probe)
	if pattern != "" {
		return methodNames
	}
	allowed := allowed{header: http.Header{}}
	handler.ServeHTTP(allowed, &probe)
	return strings.FieldsFunc(allowed.header.Get("Allow"), func(c rune) bool { return c == ',' || c == ' ' })
}

// allowed keeps the fields of a response.
type allowed struct {
	adapter.Discard
	header http.Header
}

func (a allowed) Header() http.Header { return a.header }

// TakesBelow reports that a pattern with a slash at its end has all paths below it.
func (*router) TakesBelow() bool { return true }

// OwnNotFound returns the pattern of other code for all paths, such as a page's, unless
// NotFound is around its handler.
func (m *router) OwnNotFound() (routes []*route.Route) {
	handler, pattern := m.of.mux.Handler(&http.Request{Method: http.MethodGet,
		URL: &url.URL{Path: "/verso/asks/who/has/all/paths"}})
	at := read(pattern)
	if pattern == "" || notFoundOf(handler) != nil || m.of.isOwn(pattern) {
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

// asked is the path value that notes, in a request without a pattern, which path
// parameter a source has asked for, so that the requests in which none does allocate
// nothing. No pattern can have a wildcard of that name.
const asked = "verso: path parameter"

// unrouted returns the error of a request that was decided on without the path
// parameter that a source has asked for, otherwise nil.
func unrouted(r *http.Request) error {
	if r.Pattern != "" || r.PathValue(asked) == "" {
		return nil
	}
	return fmt.Errorf("the version may be in the path parameter %q, but the request has no path values: put the middleware around the ServeMux "+
		"of v or its handlers; a router without them, such as gorilla/mux, needs an adapter", r.PathValue(asked))
}
