package versohttp

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/goverso/verso/core/adapter"
)

// EachVersion returns a group that registers each route once per version, with the
// same middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a
// DefaultVersion, /api/tags itself is registered too, for requests without a version.
// A route Since v2 is not registered under /api/v1: see [adapter.Binding.Forms]. The API
// must read a [verso.PathPrefix]. It panics if the API reads none.
func (r *Routes) EachVersion(middleware ...func(http.Handler) http.Handler) *Routes {
	g := r.Group("", middleware...)
	return g.with(g.over.EachVersion())
}

// forms returns the patterns under which a route is registered, and the path that is
// the same in each, "" for one alone.
func (r *Routes) forms(pattern string) (forms []string, as string) {
	slash := strings.IndexByte(pattern, '/')
	if slash < 0 {
		return []string{pattern}, ""
	}
	forms, as = r.over.Forms(pattern, pattern[slash:])
	for i, form := range forms {
		forms[i] = pattern[:slash] + form
	}
	return forms, as
}

// NotFound returns a middleware around the ServeMux of v, and around that of
// [Routes.Middleware]. Of the requests that match no route, it rejects those that
// name a version that is unknown or has ended, so that you can delete the routes of
// an ended version: they still get 410. In a path parameter, an unknown version
// counts only where a route has the path: /favicon.ico is none. The ServeMux answers
// the rest, with 404, 405 or a redirect. Or put it around the handler of "/" of the ServeMux,
// which then answers them.
//
//	http.ListenAndServe(":8080", v.NotFound()(mux))
func (r *Routes) NotFound() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		r.over.Need("NotFound", next)
		return &notFound{r.bound, next}
	}
}

// notFound is what NotFound puts around a handler. It may be around the ServeMux, or on it
// as the handler of "/".
type notFound struct {
	*bound
	next http.Handler
}

func (n *notFound) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := n.mux.Handler(r)
	if pattern == "" && !isRedirect(handler) || handler == http.Handler(n) {
		call, rejected := n.shared.Unmatched(w, r)
		if rejected {
			return
		}
		if pattern == "" {
			w = &unmatchedWriter{w, call}
		}
	}
	n.next.ServeHTTP(w, r)
}

// isRedirect reports whether a ServeMux answers by the path that it would have for a request.
func isRedirect(handler http.Handler) bool { return reflect.TypeOf(handler) == redirect }

var redirect = reflect.TypeOf(http.RedirectHandler("/", http.StatusMovedPermanently))

// unmatchedWriter leaves out of the Allow field of the ServeMux what the version lacks.
type unmatchedWriter struct {
	http.ResponseWriter
	call *adapter.Call
}

// Unwrap is for [http.ResponseController].
func (w *unmatchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *unmatchedWriter) WriteHeader(status int) {
	if header := w.Header(); status == http.StatusMethodNotAllowed && len(header["Allow"]) > 0 {
		header.Set("Allow", w.call.Allow(header.Get("Allow")))
	}
	w.ResponseWriter.WriteHeader(status)
}
