package verso_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// adapted is what an adapter makes of a handler of its framework, here of net/http.
type adapted struct {
	api     *verso.Versioning
	client  func(request any) string // from verso.ClientFunc, nil for none
	pattern string                   // of the route
	handler http.HandlerFunc
}

func (a *adapted) ServeHTTP(w http.ResponseWriter, raw *http.Request) {
	r := verso.NewHTTPRequest(raw, pathValues{}, raw, nil)
	decision, err := a.api.Determine(r)
	if a.api.Observes() {
		defer a.api.Observe(r, &decision, err, a.pattern, a.client)
	}
	verso.SetFields(w.Header(), &decision)
	if rejected, ok := errors.AsType[*verso.Error](err); ok {
		verso.WriteAnswer(w, raw, a.api.Answer(r, rejected))
		return
	}
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	a.handler(w, raw)
}

type pathValues struct{}

func (pathValues) PathParam(request any, name string) (value string, ok bool) {
	value = request.(*http.Request).PathValue(name)
	return value, value != ""
}

func (pathValues) Route(any) *route.Route { return nil }

// An adapter tells what became of a request, when the handler or the rejection has
// returned.
func ExampleVersioning_Observe() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Usage) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	}))
	client := func(r *http.Request) string { return r.Header.Get("From") } // from the configuration of the adapter
	users := &adapted{
		api: api, client: verso.ClientFunc(api, client), pattern: "/users",
		handler: func(http.ResponseWriter, *http.Request) { fmt.Println("in the handler") },
	}
	for _, target := range []string{"/users?version=v2", "/users?version=v9"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("From", "acme")
		users.ServeHTTP(httptest.NewRecorder(), r)
	}
	// Output:
	// in the handler
	// version "v2" served on /users for acme
	// version "" invalid_query_parameter_version on /users for acme
}
