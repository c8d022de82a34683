package verso_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// mux is an adapter for net/http.
type mux struct {
	*http.ServeMux

	binding *verso.Binding
	client  func(request any) string // nil: nobody knows
}

// PathParam and Routes are what a binding asks of the router.
func (*mux) PathParam(request any, name string) (value string, ok bool) {
	value = request.(*http.Request).PathValue(name)
	return value, value != ""
}

// Routes lists none: http.ServeMux has no such method.
func (*mux) Routes() []route.Route { return nil }

// stored is where a request keeps its result.
type stored struct{}

// Get registers a route, with its check directly before its handler.
func (m *mux) Get(path string, handler http.HandlerFunc, options ...verso.RouteOption) {
	added := verso.Must(m.binding.Add(route.Route{Method: http.MethodGet, Path: path, Pattern: route.Braces(path)}, options...))
	m.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		var call verso.Call
		prior, _ := r.Context().Value(stored{}).(*verso.Result)
		call.Request.SetHTTP(r, r, added.Route())
		result := m.binding.Begin(&call, prior)
		if call.HasFields() {
			call.SetFields(w.Header())
		}
		if m.binding.Observes() {
			defer call.End(result, m.client)
		}
		if result == nil {
			if _, answer, ok := call.Rejected(); ok {
				verso.WriteAnswer(w, r, answer)
			} else {
				http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			}
			return
		}
		handler(w, r.WithContext(context.WithValue(r.Context(), stored{}, result)))
	})
}

// An adapter registers each route together with its check, and keeps the result of a
// request for its handler.
func ExampleBinding_Begin() {
	api := verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Usage) {
			fmt.Printf("  version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	}))
	m := &mux{ServeMux: http.NewServeMux()}
	m.binding = api.Bind(m)
	m.client = verso.ClientFunc(api, func(r *http.Request) string { return r.Header.Get("From") }) // from the configuration of the adapter
	m.Get("/{version}/users", func(_ http.ResponseWriter, r *http.Request) {
		result, _ := r.Context().Value(stored{}).(*verso.Result)
		fmt.Println("  in the handler:", result.Version(), result.AtLeast("v2"), result.Version().Is("v2"))
	}, verso.Since("v2"))

	for _, target := range []string{"/v2/users", "/v1/users", "/v9/users"} {
		r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
		r.Header.Set("From", "acme")
		fmt.Println(target)
		m.ServeHTTP(w, r)
		fmt.Println(" ", w.Code)
	}
	// Output:
	// /v2/users
	//   in the handler: v2 true true
	//   version "v2" served on /{version}/users for acme
	//   200
	// /v1/users
	//   version "v1" not_in_version on /{version}/users for acme
	//   404
	// /v9/users
	//   version "" invalid_url_path_version on /{version}/users for acme
	//   404
}
