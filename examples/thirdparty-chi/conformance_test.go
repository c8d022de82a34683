package versochi_test

import (
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"

	versochi "example.com/verso-chi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount)
}

func TestRoundTrip(t *testing.T) {
	conformance.RoundTrip(t, mount)
}

func TestCaching(t *testing.T) {
	conformance.Caching(t, mount)
}

func TestHostile(t *testing.T) {
	conformance.Hostile(t, mount)
}

func TestStrictness(t *testing.T) {
	conformance.Strictness(t, mount)
}

func TestConcurrent(t *testing.T) {
	conformance.Concurrent(t, mount)
}

func TestFaults(t *testing.T) {
	conformance.Faults(t, mount)
}

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	r := chi.NewRouter()
	routes, err := versochi.New(r, verso.VersioningConfig{
		Scheme:     app.Scheme,
		Produces:   app.Produces,
		Translator: app.Translator,
		Strict:     app.Strict,
	})
	if err != nil {
		tb.Fatal(err)
	}
	for _, route := range app.Routes {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				return "*"
			}
			return "{" + name + "}"
		})
		r.Method(route.Method, path, routes.Named(route.FullName(), func(w http.ResponseWriter, r *http.Request) {
			route.Handle(w, r, conformance.Call{
				Version: versochi.Version(r),
				Reverse: func(target verso.Target) (string, error) { return versochi.Reverse(r, target) },
				Param:   func(name string) string { return param(r, name) },
			})
		}))
	}
	return r
}

// param gives the rest of a path the name that it has in chi.
func param(r *http.Request, name string) string {
	if name == "rest" {
		name = "*"
	}
	return versochi.Param(r, name)
}
