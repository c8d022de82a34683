package versochi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

// TestRegisteredWithinAFunction registers routes while functions of Group and Route run: what is around the function
// has no middleware that the function adds.
func TestRegisteredWithinAFunction(t *testing.T) {
	ok := func(http.ResponseWriter, *http.Request) {}
	for name, test := range map[string]struct {
		register  func(r *chi.Mux, v *versochi.Routes)
		isRefused bool
	}{
		"Group of chi": {func(r *chi.Mux, v *versochi.Routes) {
			r.Group(func(chi.Router) { v.Get("/{version}/x", ok) })
		}, true},
		"Group of what With returns": {func(r *chi.Mux, v *versochi.Routes) {
			r.With().Group(func(chi.Router) { v.Handle("/{version}/x", http.NotFoundHandler()) })
		}, true},
		"Route of chi": {func(r *chi.Mux, v *versochi.Routes) {
			r.Route("/{version}", func(chi.Router) { v.Mount("/{version}/x", http.NotFoundHandler()) })
		}, true},
		"Group in Route": {func(r *chi.Mux, v *versochi.Routes) {
			r.Route("/{version}", func(r chi.Router) {
				v := v.In("/{version}", r)
				r.Group(func(chi.Router) { v.Group("/x").HandleVersions("GET", "", versochi.Handlers{"v1": ok}) })
			})
		}, true},
		"Route of v": {func(_ *chi.Mux, v *versochi.Routes) {
			v.Route("/{version}", func(*versochi.Routes) { v.Get("/{version}/x", ok) })
		}, true},
		"Route in Route of v": {func(_ *chi.Mux, v *versochi.Routes) {
			v.Route("/{version}", func(v *versochi.Routes) {
				v.Route("/x", func(*versochi.Routes) { v.Route("/y", func(v *versochi.Routes) { v.Get("/", ok) }) })
			})
		}, true},
		"Group and Route of Router": {func(_ *chi.Mux, v *versochi.Routes) {
			r := v.Router()
			r.Route("/{version}", func(chi.Router) { r.Group(func(chi.Router) { r.Get("/{version}/x", ok) }) })
		}, true},
		"what the functions get": {func(r *chi.Mux, v *versochi.Routes) {
			r.Group(func(r chi.Router) { v.In("", r).Get("/{version}/a", ok) })
			v.Route("/{version}/b", func(v *versochi.Routes) {
				v.Route("/c", func(v *versochi.Routes) { v.Get("/", ok) })
				v.Group("/d").Router().Group(func(r chi.Router) { r.Get("/", ok) })
			})
			v.Router().Route("/{version}/e", func(r chi.Router) {
				r.Group(func(r chi.Router) { versochi.On(r).Since("v2").Get("/f", ok) })
				r.With().Group(func(r chi.Router) { r.Get("/g", ok) })
			})
		}, false},
		"afterwards": {func(r *chi.Mux, v *versochi.Routes) {
			var inner *versochi.Routes
			sub := v.Route("/{version}/a", func(v *versochi.Routes) { v.Get("/", ok) })
			r.Group(func(r chi.Router) { inner = v.In("", r) })
			sub.Get("/b", ok)
			inner.Get("/{version}/c", ok)
		}, false},
		"New": {func(r *chi.Mux, _ *versochi.Routes) {
			r.Route("/api", func(r chi.Router) {
				versochi.New(r, verso.MustNew(verso.PathParam("version"), twoVersions)).Get("/{version}/x", ok)
			})
		}, false},
		"Explain, for routes that a mounted router has got": {func(r *chi.Mux, v *versochi.Routes) {
			mounted := chi.NewRouter()
			mounted.Get("/x", ok)
			v.Mount("/{version}/m", mounted)
			mounted.Get("/y", ok)
			r.Group(func(chi.Router) { v.Explain() })
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				if (err != nil) != test.isRefused || err != nil && !strings.Contains(err.Error(), "is running") {
					t.Errorf("%v", err)
				}
			}()
			r := chi.NewRouter()
			test.register(r, versochi.New(r, verso.MustNew(verso.PathParam("version"), twoVersions)))
		})
	}
}
