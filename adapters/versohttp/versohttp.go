// Package versohttp installs Verso in net/http: a [Mux], whose routes have a
// version and names, and a middleware for other handlers.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	mux := versohttp.NewMux(api)
//	mux.HandleFunc("GET /{version}/bookings", func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintln(w, versohttp.Version(r))
//	})
//	log.Fatal(http.ListenAndServe(":8080", mux))
//
// A service that says nothing more about its routes can keep its
// [http.ServeMux], and puts the middleware around it:
//
//	http.ListenAndServe(":8080", versohttp.Middleware(api)(mux))
package versohttp

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Config configures a [Mux] or a [Middleware] in what is net/http's own.
type Config struct {
	// ErrorHandler answers a rejected request. The answer is what the response
	// would be: see [verso.WriteAnswer]. Its Vary and Content-Language fields
	// are set already. When the handler writes nothing, the answer is written
	// as by default. An [http.ResponseController] reaches what w can do beside
	// writing.
	// Optional. Default value: writes the answer as application/problem+json.
	ErrorHandler func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer)

	// Client names who sent a request, for [verso.Usage]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned, with the request that the middleware was given.
	// Optional. Default value: nil, nobody knows.
	Client func(r *http.Request) string

	// Neutral lists the patterns of routes that are version-neutral, as they
	// were registered ("GET /metrics", "/debug/pprof/"): those that others
	// register. See also [Mux.Neutral].
	// Optional. Default value: none.
	Neutral []string
}

// Middleware returns a middleware that determines the version of each request
// and keeps it in the request's context for [Version]. It answers a request for a
// version that is not served with problem details (RFC 9457). There is at most
// one config.
//
// Put it directly around an [*http.ServeMux]: it looks the route up first, so
// that the version can be a path parameter, and requests that the ServeMux
// answers by itself, with 404, 405 or a redirect, pass untouched. Or put it around
// the handlers that are registered on a ServeMux, or on another router that sets
// path values ([http.Request.SetPathValue]). Around any other handler, every
// request counts as matched, and its path parameters are not known: the version
// can be in a header, the host or the query. Where a path parameter is asked for,
// the request fails with status 500, and the log says why.
//
// The routes have neither names nor namespaces: these are for a [Mux].
// Middleware panics when api is nil, and when api reads the namespaces of routes.
// The middleware panics when the handler is nil, or a Mux.
func Middleware(api *verso.Versioning, config ...Config) func(http.Handler) http.Handler {
	m := newMiddleware("Middleware", api, config)
	sources := api.Sources()
	if slices.Contains(sources, verso.Namespace().Describe().Name) {
		panic(errors.New("versohttp: Middleware: the version is read from the namespaces of routes, which only a Mux has: register the routes on one, see NewMux"))
	}
	return func(next http.Handler) http.Handler {
		mustHandle("Middleware", next)
		v := &versioned{middleware: m, router: &router{notes: true, warns: len(sources) == 1}, next: next}
		switch next := next.(type) {
		case *Mux:
			panic(errors.New("versohttp: Middleware: a Mux determines the version by itself: serve it without the middleware"))
		case *http.ServeMux:
			v.router.ahead = true
			return lookUp(next, v)
		}
		return v
	}
}

// mustHandle panics when there is no handler.
func mustHandle(what string, handler http.Handler) {
	if f := reflect.ValueOf(handler); handler == nil || f.Kind() == reflect.Func && f.IsNil() || handler == http.Handler((*http.ServeMux)(nil)) {
		panic(fmt.Errorf("versohttp: %s: the handler is nil: give it one", what))
	}
}

// middleware is what all handlers have in common that are made versioned together.
type middleware struct {
	api          *verso.Versioning
	neutral      []string
	client       func(r any) string                                                    // nil: nobody knows
	errorHandler func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) // nil: the default
}

func newMiddleware(what string, api *verso.Versioning, config []Config) *middleware {
	if api == nil {
		panic(fmt.Errorf("versohttp: %s: the versioning is nil: make it, for example with verso.NewURLPath, and check its error", what))
	}
	if len(config) > 1 {
		panic(fmt.Errorf("versohttp: %s: there are %d configs: give one", what, len(config)))
	}
	m := &middleware{api: api}
	for _, c := range config {
		m.errorHandler, m.neutral, m.client = c.ErrorHandler, c.Neutral, verso.ClientFunc(api, c.Client)
	}
	return m
}

// versioned is a handler whose requests have a version.
type versioned struct {
	*middleware
	router *router
	route  *route.Route // nil: not known
	next   http.Handler
}

// contextKey is where a versioned handler keeps its result in the context of a
// request.
type contextKey struct{}

func (v *versioned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if slices.Contains(v.neutral, r.Pattern) {
		v.next.ServeHTTP(w, r)
		return
	}
	request := verso.NewHTTPRequest(r, v.router, r, v.route)
	decision, err := v.api.Determine(request)
	verso.SetFields(w.Header(), &decision)
	if r.Pattern == "" && r.PathValue(asked) != "" { // the decision was made without the path
		err = fmt.Errorf("the version may be in the path parameter %q, but the request has no route yet: "+
			"put the middleware directly around the *http.ServeMux, or around the handlers that are registered on it", r.PathValue(asked))
	}
	if v.api.Observes() {
		defer v.api.Observe(request, &decision, err, r.Pattern[max(0, strings.IndexByte(r.Pattern, '/')):], v.client)
	}
	if err != nil {
		v.reject(w, r, request, err)
		return
	}
	v.next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, decision.Result)))
}

// reject answers a rejected request. Another error is a programming error: the
// client learns nothing of it, and it goes where those of net/http go, to the log
// of the server.
func (m *middleware) reject(w http.ResponseWriter, r *http.Request, request verso.Request, err error) {
	rejected, ok := errors.AsType[*verso.Error](err)
	if !ok {
		logger := log.Default()
		if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
			logger = server.ErrorLog
		}
		logger.Printf("versohttp: determining the version: %q", err.Error())
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	answer := m.api.Answer(request, rejected)
	if m.errorHandler != nil {
		answer.SetFields(w.Header())
		response := &response{ResponseWriter: w}
		m.errorHandler(response, r, rejected, answer)
		if response.begun {
			return
		}
	}
	verso.WriteAnswer(w, r, answer)
}

// response notes whether an error handler writes: net/http sends an empty 200
// for one that does not.
type response struct {
	http.ResponseWriter
	begun bool
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *response) WriteHeader(status int) {
	r.begun = r.begun || status >= http.StatusOK // others are interim
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(data []byte) (int, error) {
	r.begun = true
	return r.ResponseWriter.Write(data)
}

// SetVersion returns a copy of a request that has a version as if it had passed
// the mux, for a test that calls a handler without it: [Version], [Link] and
// [ContentType] work then. Links lead to the routes of the mux. It fails with
// [verso.ErrUnknownVersion] when the API does not serve the version.
func (m *Mux) SetVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	result, err := m.versioned.api.Result(version)
	if err != nil {
		return nil, err
	}
	return r.WithContext(context.WithValue(r.Context(), contextKey{}, result)), nil
}

// Version returns the version of the request, none when it has none or passed
// neither a [Mux] nor the middleware. The version is in the request that handlers
// get, not in that of a middleware outside, such as a logger: put what reads it
// around the handlers.
func Version(r *http.Request) verso.Version {
	if result := resultOf(r); result != nil {
		return result.Version
	}
	return verso.Version{}
}

// resultOf returns what was kept of a request, nil for nothing.
func resultOf(r *http.Request) *verso.Result {
	result, _ := r.Context().Value(contextKey{}).(*verso.Result)
	return result
}

var errNotVersioned = errors.New("versohttp: the request did not pass a Mux or the middleware: register the handler on a Mux")

// ContentType returns the vendor media type to answer with in the version of the
// request: see [verso.Result.ContentType].
func ContentType(r *http.Request, resource string) (string, error) {
	result := resultOf(r)
	if result == nil {
		return "", errNotVersioned
	}
	return result.ContentType(resource)
}

// Link builds the URL of a named route (see [Mux.Name]) in the version of the
// request, or in that of the target:
//
//	mux.Name("user").HandleFunc("GET /{version}/users/{id}", showUser)
//	...
//	url, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link]; in a request that passed neither a
// [Mux] nor the middleware it fails too.
func Link(r *http.Request, target verso.Target) (string, error) {
	result := resultOf(r)
	if result == nil {
		return "", errNotVersioned
	}
	return result.Link(verso.NewHTTPRequest(r, linkRouter, r, nil), target)
}
