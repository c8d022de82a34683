package versochi_test

import (
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
)

// TestRegisterVersionsBeside: a route beside a subrouter changes none of its answers, or is a mistake.
func TestRegisterVersionsBeside(t *testing.T) {
	register := func(r chi.Router) {
		r.Route("/a", func(r chi.Router) { r.Get("/{id}", say("a")); r.Head("/head", say("head")) })
		r.Patch("/a", say("patched"))
		r.Route("/empty", func(chi.Router) {})
		r.Get("/empty/x", say("x"))
		r.Route("/outer", func(r chi.Router) {
			r.Route("/inner", func(r chi.Router) { r.Put("/put", say("put")) })
		})
		r.Get("/outer/inner", say("x"))
	}
	r := chi.NewRouter()
	r.Use(middleware.GetHead)
	versochi.New(r, byHeader()).RegisterVersions(map[string]func(chi.Router){"v1": register})
	for request, want := range map[string]string{
		"HEAD /a/7": "200 a", "HEAD /a/head": "200 head", "PATCH /a": "200 patched", "GET /a": "404 404 page not found\n", "POST /a/7": "405 ",
		"POST /empty/x": "404 404 page not found\n", "POST /outer/inner": "405 ",
	} {
		method, path, _ := strings.Cut(request, " ")
		assert.Equal(t, want, ask(r, method, path, "v1"), request)
	}
	sub := func(r chi.Router) { r.Get("/b", say("b")); r.Get("/{id}/c", say("c")) }
	for text, register := range map[string]func(r chi.Router){
		"chi gives requests for GET /a/b to /a/{id}":               func(r chi.Router) { r.Route("/a", sub); r.Get("/a/{id}", say("x")) },
		"chi gives requests for GET /a/b to /a/*":                  func(r chi.Router) { r.Route("/a", sub); r.Get("/a/*", say("x")) },
		"chi gives requests for GET /a/b to /a/{id:.+}":            func(r chi.Router) { r.Route("/a", sub); r.Get("/a/{id:.+}", say("x")) },
		"GET /taken is there already, and the subrouter":           func(r chi.Router) { r.Route("/taken", sub) },
		"chi gives requests for GET /own/b to /own/{id}, beside":   func(r chi.Router) { r.Route("/own", sub) },
		"chi gives requests for GET /own/{x} to /own/{id}, beside": func(r chi.Router) { r.Route("/own", func(r chi.Router) { r.Get("/{x}", say("x")) }) },
		"chi gives requests for GET /own/inner to /own/{id}, beside": func(r chi.Router) {
			r.Route("/own", func(r chi.Router) { r.Route("/inner", func(r chi.Router) { r.Put("/put", say("put")) }) })
		},
		"chi gives requests for GET /a/b/* to /a/{id}/x, beside": func(r chi.Router) {
			r.Route("/a", func(r chi.Router) { r.Get("/b/*", say("b")) })
			r.Get("/a/{id}/x", say("x"))
		},
		"chi gives requests for GET /s/{id} to /{x}/*, beside": func(r chi.Router) {
			r.Route("/", func(r chi.Router) { r.Route("/s", func(r chi.Router) { r.Get("/{id}", say("s")) }) })
			r.Route("/{x}", func(r chi.Router) { r.Put("/put", say("put")) })
		},
		"chi gives requests for GET /a-{id} to /{x}/*, beside": func(r chi.Router) {
			r.Route("/", func(r chi.Router) { r.Get("/a-{id}", say("a")) })
			r.Route("/{x}", func(r chi.Router) { r.Get("/put", say("put")) })
		},
		"chi gives requests for GET /b to /{x}, beside": func(r chi.Router) {
			r.Route("/", sub)
			r.Get("/{x}", say("x"))
		},
		"chi gives requests for GET /b to /{x:[a-z]}, beside": func(r chi.Router) {
			r.Route("/", sub)
			r.Get("/{x:[a-z]}", say("x"))
		},
		"<nil>": func(r chi.Router) {
			r.Route("/a", sub)
			r.Route("/", func(r chi.Router) { r.Get("/b", say("b")); r.Get("/s/me", say("me")) })
			r.Get("/{x:[0-9]+}", say("x"))
			r.Get("/a-{x}", say("x"))
			r.Post("/{x}", say("x"))
			r.Route("/x-{x}", sub)
			r.Get("/a/me", say("me"))
			r.Put("/a/{id}", say("x"))
			r.Route("/own", func(r chi.Router) { r.Put("/{x}", say("x")); r.Get("/{x}/y", say("y")) })
		},
	} {
		own := chi.NewRouter()
		own.Get("/own/{id}", say("own"))
		v := versochi.New(own, byHeader())
		v.Get("/taken", say("taken"))
		assert.Contains(t, panicOf(func() { v.RegisterVersions(map[string]func(chi.Router){"v1": register}) }), text)
	}
}

// TestRegisterVersionsBesideSubrouters: a subrouter, or a handler mounted, beside those of the versions loses no request
// that chi gives it, whichever comes first.
func TestRegisterVersionsBesideSubrouters(t *testing.T) {
	getAt := func(path string) register { return func(r chi.Router) { r.Get(path, say("own")) } }
	mountAt := func(path string) register {
		return func(r chi.Router) { r.With(only("admin")).Mount(path, say("foreign")) }
	}
	for name, c := range map[string]struct {
		own, foreign register
		hidden       string // "" if none is
	}{
		"a parameter beside / with a router":  {in("/", in("/s", getAt("/{id}"))), in("/{x}", getAt("/y")), "GET /s/{id} to /{x}/*"},
		"a mount beside / with a router":      {in("/", in("/s", getAt("/{id}"))), mountAt("/{x}"), "GET /s/{id} to /{x}/*"},
		"a mount at a route of /":             {in("/", getAt("/s")), mountAt("/s"), "GET /s to /s/*"},
		"a mount above a route of /":          {in("/", getAt("/s/{id}")), mountAt("/s"), "GET /s/{id} to /s/*"},
		"a mount within the path of a router": {in("/p", in("/s", getAt("/{id}"))), mountAt("/p/{x}"), "GET /p/s/{id} to /p/{x}/*"},
		"a route with another name":           {in("/{x}", getAt("/s")), getAt("/{y}/{id}"), "GET /{x}/s to /{y}/{id}"},
		"a route beside an expression":        {in("/", getAt("/s/{id:[a-z]}")), getAt("/{x}/b"), "GET /s/{id:[a-z]} to /{x}/b"},
		"a mount beside / with another path":  {in("/", in("/s", getAt("/{id}"))), mountAt("/t"), ""},
		"a mount beside a router":             {in("/s", getAt("/{id}")), mountAt("/{x}"), ""},
		"a mount beside a route":              {getAt("/s/{id}"), mountAt("/{x}"), ""},
		"a rest beside a router":              {in("/s", getAt("/{id}")), getAt("/*"), ""},
		"a route beside another route":        {in("/", getAt("/s/{id}")), getAt("/s/me"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := "<nil>"
			if c.hidden != "" {
				want = "chi gives requests for " + c.hidden + ", beside"
			}
			registerOwn := func(r chi.Router) *versochi.Routes {
				v := versochi.New(r, byHeader())
				v.RegisterVersions(map[string]func(chi.Router){"v1": c.own})
				return v
			}
			first := chi.NewRouter()
			c.foreign(first)
			assert.Contains(t, panicOf(func() { registerOwn(first) }), want)
			last := chi.NewRouter()
			v := registerOwn(last)
			c.foreign(last)
			for _, path := range []string{"/s", "/s/b", "/p/s/b"} {
				text := panicOf(func() { ask(last, "GET", path, "v1") })
				assert.True(t, text == "<nil>" || strings.Contains(text, want), path+": "+text)
			}
			assert.Contains(t, panicOf(func() { v.Explain() }), want)
		})
	}
}
