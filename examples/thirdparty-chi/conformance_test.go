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

func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	chi.RegisterMethod("PURGE") // one of the suite's methods that chi does not know
	r := chi.NewRouter()
	v := versochi.New(r, app.API)
	names := make(map[string]string) // of chi's parameters, by the suite's
	for _, route := range app.Routes {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				names[name] = "*"
				return "*"
			}
			return "{" + name + "}"
		})
		handler := func(handle func(conformance.Call) conformance.Response) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				handle(conformance.Call{
					Context: r.Context(),
					Version: versochi.Version(r),
					Param:   func(name string) string { return versochi.Param(r, nameIn(names, name)) },
					Link: func(target verso.Target) (string, error) {
						params := make(verso.Params)
						for name, value := range target.Params {
							params[nameIn(names, name)] = value
						}
						target.Params = params
						return versochi.Link(r, target)
					},
				}).Write(w)
			}
		}
		if route.Choices != nil {
			r.Method(route.Method, path, v.Choose(route.FullName(), conformance.Choices(route, handler), route.Options...))
		} else {
			r.Method(route.Method, path, v.Named(route.FullName(), handler(route.Handle), route.Options...))
		}
	}
	return conformance.Serve(tb, app, r)
}

// nameIn returns the name that a path parameter of the suite has in chi, which
// calls the rest of a path "*".
func nameIn(names map[string]string, name string) string {
	if renamed, ok := names[name]; ok {
		return renamed
	}
	return name
}
