package versohttp

import (
	"net/http"
	"strings"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Mux is what generated code registers routes with: an [http.ServeMux], or [Routes].
type Mux interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

var _ Mux = (*Routes)(nil)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a Mux that only
// records routes. Each method and path among them becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware that a function puts around its handlers runs after the check.
//
//	v.RegisterVersions(map[string]func(versohttp.Mux){
//		"v1": func(mux versohttp.Mux) { apiv1.HandlerFromMux(serverV1, mux) },
//		"v2": func(mux versohttp.Mux) { apiv2.HandlerFromMux(serverV2, mux) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its Mux, or a
// route twice.
func (r *Routes) RegisterVersions(versions map[string]func(Mux)) {
	err := adapter.RouteJoiner[Mux, http.Handler]{
		Record: func(register func(Mux), note func(route.Route, http.Handler)) {
			to := &recorder{r, note}
			register(to)
			to.note = func(at route.Route, _ http.Handler) {
				r.over.Fail("RegisterVersions: route %s: the function has returned: register it while it runs", at.Pattern)
			}
		},
		Rename: rename,
		Add: func(first route.Route, handlers map[string]http.Handler) {
			handleVersions(r, strings.TrimSpace(first.Method+" "+first.Host+first.Path), handlers)
		},
	}.Join(r.over.Seam.Binding, versions)
	r.over.Must("RegisterVersions", err)
}

// recorder takes note of routes.
type recorder struct {
	http.Handler // that serves them
	note         func(r route.Route, handler http.Handler)
}

func (r *recorder) Handle(pattern string, handler http.Handler) {
	r.note(mustRead(pattern), handler)
}

func (r *recorder) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// rename gives path parameters their names in a version.
func rename(handler http.Handler, from, to []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := make([]string, len(from))
		for i, name := range from {
			values[i] = r.PathValue(name)
		}
		for i, name := range to {
			r.SetPathValue(name, values[i])
		}
		handler.ServeHTTP(w, r)
	})
}
