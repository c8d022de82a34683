package adapter_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// mux is an adapter for net/http.
type mux struct {
	*http.ServeMux

	seam *adapter.Seam[*exchange, http.HandlerFunc]
}

// exchange is a request and its response: the context of a framework.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	kept *verso.Result
}

// stored is where a request keeps its result.
type stored struct{}

// request returns the request with what is kept.
func (e *exchange) request() *http.Request {
	return e.r.WithContext(context.WithValue(e.r.Context(), stored{}, e.kept))
}

func newMux(api *verso.Versioning) *mux {
	m := &mux{ServeMux: http.NewServeMux()}
	seam := adapter.Seam[*exchange, http.HandlerFunc]{
		Binding: adapter.Bind(api, m),
		Load:    func(e *exchange) *verso.Result { return e.kept },
		Store:   func(e *exchange, result *verso.Result) { e.kept = result },
		Header:  func(e *exchange) http.Header { return e.w.Header() },
		Next: func(e *exchange, next http.HandlerFunc) error {
			next(e.w, e.request())
			return nil
		},
		NoContent: func(e *exchange) error { e.w.WriteHeader(http.StatusNoContent); return nil },
		Reject: func(e *exchange, _ *verso.Error, answer *verso.Answer) error {
			answer.ServeHTTP(e.w, e.r)
			return nil
		},
		Fail: func(e *exchange, _ error) error {
			http.Error(e.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return nil
		},
	}
	if seam.Observes() {
		seam.Client = func(e *exchange) string { return e.r.Header.Get("From") }
	}
	m.seam = adapter.NewSeam(seam)
	return m
}

// PathParam and Routes are what a binding asks of the router.
func (*mux) PathParam(request any, name string) (value string, ok bool) {
	value = request.(*exchange).r.PathValue(name)
	return value, value != ""
}

// Routes lists none: http.ServeMux has no such method.
func (*mux) Routes() []adapter.Listed { return nil }

// Get registers a route, with its check directly before its handler.
func (m *mux) Get(path string, handler http.HandlerFunc, options ...verso.RouteOption) {
	m.handle(path, func(*verso.Result) http.HandlerFunc { return handler }, options...)
}

// HandleVersions registers a route with a handler for each version.
func (m *mux) HandleVersions(path string, handlers verso.Handlers[http.HandlerFunc]) {
	pick, option, err := adapter.Picker(handlers, m.seam.Binding)
	if err != nil {
		panic(err)
	}
	m.handle(path, pick, option)
}

func (m *mux) handle(path string, pick func(*verso.Result) http.HandlerFunc, options ...verso.RouteOption) {
	added := verso.Must(m.seam.Add(route.Route{Method: http.MethodGet, Path: path, Pattern: route.Braces(path)}, options...))
	m.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		e, call := &exchange{w: w, r: r}, adapter.Call{}
		call.Request.SetHTTP(r, e, added.Route())
		_ = m.seam.HandleVersions(e, &call, pick) // net/http has no errors
	})
}

// Middleware checks a handler registered by other code.
func (m *mux) Middleware(next http.HandlerFunc) http.HandlerFunc {
	m.seam.NoteMiddleware(nil)
	return func(w http.ResponseWriter, r *http.Request) {
		at, _ := m.seam.Lookup(r.Host, r.Method, strings.TrimPrefix(r.Pattern, r.Method+" "))
		if at == nil { // a route of Get decides for itself
			next(w, r)
			return
		}
		e, call := &exchange{w: w, r: r}, adapter.Call{}
		call.Request.SetHTTP(r, e, at)
		_ = m.seam.CheckForeign(e, &call, next) // as above
	}
}

// ServeHTTP answers what the router does not find, if it names a version that the
// service does not have.
func (m *mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := m.Handler(r); pattern == "" {
		e, call := &exchange{w: w, r: r}, adapter.Call{}
		call.Request.SetHTTP(r, e, nil)
		if rejected, _ := m.seam.CheckUnmatched(e, &call, r.URL.EscapedPath()); rejected {
			return
		}
		own := httptest.NewRecorder()
		m.ServeMux.ServeHTTP(own, r)
		if own.Code == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", call.Allow(own.Header().Get("Allow"))) // what the version has
		}
		w.WriteHeader(own.Code)
		return
	}
	m.ServeMux.ServeHTTP(w, r)
}

// InVersion returns the request of a test that calls a handler without the check.
func (m *mux) InVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	e := &exchange{r: r}
	err := m.seam.SetTestVersion(e, version)
	return e.request(), err
}

// An adapter registers each route together with its check.
func ExampleSeam() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, o verso.Observation) {
			fmt.Printf("  version %q %s on %q for %s\n", o.Version, o.Outcome, o.Route, o.Client)
		},
	})
	m := newMux(api)
	users := func(_ http.ResponseWriter, r *http.Request) {
		result, _ := r.Context().Value(stored{}).(*verso.Result)
		fmt.Println("  in the handler:", result.Version(), result.AtLeast("v2"), result.Version().Is("v2"))
	}
	m.Get("/{version}/users", users, verso.Since("v2"))
	m.HandleVersions("/{version}/lists", verso.Handlers[http.HandlerFunc]{"v2": users})
	m.HandleFunc("GET /{version}/status", m.Middleware(users)) // of other code

	for _, request := range []string{"GET /v2/users", "GET /v1/users", "GET /v2/lists", "GET /v1/status", "POST /v9/users", "POST /v2/users", "GET /v9/rooms"} {
		method, target, _ := strings.Cut(request, " ")
		r, w := httptest.NewRequest(method, target, nil), httptest.NewRecorder()
		r.Header.Set("From", "acme")
		fmt.Println(request)
		m.ServeHTTP(w, r)
		fmt.Println(" ", w.Code)
	}

	r, err := m.InVersion(httptest.NewRequest(http.MethodGet, "/v1/users", nil), verso.V("v1"))
	fmt.Println("a test", err)
	users(httptest.NewRecorder(), r)
	// Output:
	// GET /v2/users
	//   in the handler: v2 true true
	//   version "v2" served on "/{version}/users" for acme
	//   200
	// GET /v1/users
	//   version "v1" not_in_version on "/{version}/users" for acme
	//   404
	// GET /v2/lists
	//   in the handler: v2 true true
	//   version "v2" served on "/{version}/lists" for acme
	//   200
	// GET /v1/status
	//   in the handler: v1 false false
	//   version "v1" served on "/{version}/status" for acme
	//   200
	// POST /v9/users
	//   version "" invalid_url_path_version on "" for acme
	//   404
	// POST /v2/users
	//   405
	// GET /v9/rooms
	//   404
	// a test <nil>
	//   in the handler: v1 false false
}
