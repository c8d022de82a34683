package versohttp

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"strings"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// router says what a ServeMux knows of a request.
type router struct {
	ahead  bool // the route was looked up ahead of the ServeMux: see lookUp
	notes  bool // a path parameter that the request does not have is noted
	warns  bool // and logged for each pattern, not only for that of a subtree
	warned atomic.Bool
}

// linkRouter is for links, which do not change the request.
var linkRouter verso.RouterFacts = new(router)

// Route returns nil: a [Mux] gives the matched route to [verso.NewHTTPRequest], and
// nobody else knows it.
func (m *router) Route(any) *route.Route { return nil }

// PathParam returns a path parameter, which the router has decoded.
func (m *router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	if m.ahead || r.Method == http.MethodConnect && strings.Contains(r.URL.Path, "//") {
		// The ServeMux has not set the values yet. Or they are not to be
		// trusted: for CONNECT alone it lets an empty segment match a
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
	case ok || !m.notes:
	case r.Pattern == "":
		r.SetPathValue(asked, name)
	case (m.warns || strings.HasSuffix(r.Pattern, "/")) && !m.warned.Swap(true):
		slog.Warn(fmt.Sprintf("verso: the path parameter %q is not in %q: such a route gets the default version, "+
			"also where a handler inside routes on by a pattern that has it", name, r.Pattern),
			"code", "route_without_param", "field", "Routes")
	}
	return "", ok
}

// asked is the path value that notes, in a request without a pattern, which path
// parameter a source has asked for: so the requests in which none does allocate
// nothing. No pattern can have a wildcard of that name.
const asked = "verso: path parameter"

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

// lookUp returns the handler for a whole ServeMux. It asks the ServeMux for the
// pattern that a request matches, so that the path parameters are known before
// the version is determined.
func lookUp(mux *http.ServeMux, versioned http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, pattern := mux.Handler(r)
		if pattern == "" || redirects(handler, pattern, r.URL.EscapedPath()) {
			mux.ServeHTTP(w, r)
			return
		}
		r.Pattern = pattern // as the ServeMux will do
		versioned.ServeHTTP(w, r)
	})
}

var redirectHandler = reflect.TypeOf(http.RedirectHandler("/", http.StatusTemporaryRedirect))

// redirects reports whether the handler is the ServeMux's own redirect: to the
// clean path, or to the path with a slash at the end. The pattern is then that of
// the other path, or in a CONNECT even the client's own text.
func redirects(handler http.Handler, pattern, sent string) bool {
	if reflect.TypeOf(handler) != redirectHandler {
		return false
	}
	clean := path.Clean(sent)
	return clean != sent && (clean == "/" || clean+"/" != sent) || strings.Count(pattern, "/") > strings.Count(sent, "/")
}
