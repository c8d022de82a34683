package versochi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
)

// TestRegisterVersionsAsInChi: the routes of a function, and those of other code beside them, get the requests that chi
// gives them, whichever come first.
func TestRegisterVersionsAsInChi(t *testing.T) {
	at := func(method, path string) register {
		return func(r chi.Router) { r.Method(method, path, say(method+" "+path)) }
	}
	all := func(registers ...register) register {
		return func(r chi.Router) {
			for _, one := range registers {
				one(r)
			}
		}
	}
	use := func(m func(http.Handler) http.Handler) register { return func(r chi.Router) { r.Use(m) } }
	mountAt := func(path string) register {
		return func(r chi.Router) { r.With(only("admin")).Mount(path, say("mounted at "+path)) }
	}
	sayFormat := func(r chi.Router) {
		r.Get("/b", func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, r.Context().Value(middleware.URLFormatCtxKey))
		})
	}
	none := all()
	for name, c := range map[string]struct{ own, foreign register }{
		"a parameter beside a router":     {all(in("/s", at("GET", "/b")), at("GET", "/s/{id}")), none},
		"a rest beside a router":          {all(in("/s", at("GET", "/b")), at("GET", "/s/*")), none},
		"a router at /":                   {all(in("/", in("/s", at("GET", "/{id}"))), in("/{x}", at("GET", "/y"))), none},
		"a router at / of a router":       {in("/s", all(at("GET", "/b"), in("/", at("GET", "/{id}")))), none},
		"a router without routes":         {all(in("/s", none), at("GET", "/s/b")), none},
		"an own 404":                      {in("/s", all(func(r chi.Router) { r.NotFound(say("own 404")) }, at("GET", "/b"))), none},
		"a router with a slash":           {all(in("/s/", at("GET", "/")), at("POST", "/s")), none},
		"a path without its slash":        {in("/s", all(use(middleware.StripSlashes), at("GET", "/b"), at("GET", "/"))), none},
		"GET for HEAD":                    {in("/s", all(use(middleware.GetHead), at("GET", "/b"))), none},
		"a format":                        {in("/s", all(use(middleware.URLFormat), sayFormat)), none},
		"a parameter of other code":       {in("/s", at("GET", "/b")), at("GET", "/s/{id}")},
		"a router of other code":          {in("/", in("/s", at("GET", "/{id}"))), in("/{x}", at("GET", "/y"))},
		"a mount of other code":           {in("/", in("/s", at("GET", "/{id}"))), mountAt("/{x}")},
		"a mount at a route of /":         {in("/", at("GET", "/s")), mountAt("/s")},
		"a mount in the path of a router": {in("/p", in("/s", at("GET", "/{id}"))), mountAt("/p/{x}")},
		"another name":                    {in("/{x}", at("GET", "/s")), at("GET", "/{y}/{id}")},
		"a path of a router":              {in("/s", at("GET", "/b")), at("GET", "/s")},
	} {
		for _, isFirst := range []bool{true, false} {
			bare, own := chi.NewRouter(), chi.NewRouter()
			register := func(r chi.Router, registerOwn func()) {
				if isFirst {
					registerOwn()
					c.foreign(r)
				} else {
					c.foreign(r)
					registerOwn()
				}
			}
			register(bare, func() { c.own(bare) })
			register(own, func() {
				versochi.New(own, byHeader()).RegisterVersions(map[string]func(chi.Router){"v1": c.own})
			})
			for _, method := range []string{"GET", "HEAD", "POST"} {
				for _, path := range []string{"/s", "/s/", "/s/b", "/s/b/", "/s/b.json", "/s/7", "/p/s/b", "/s/b/c"} {
					assert.Equal(t, ask(bare, method, path, "v1"), ask(own, method, path, "v1"), "%s: %s %s", name, method, path)
				}
			}
		}
	}
}

// TestRegisterVersionsOfOtherShape: what has a subrouter in one version may be a route, or a handler mounted, in another.
func TestRegisterVersionsOfOtherShape(t *testing.T) {
	router := in("/s", func(r chi.Router) { r.Get("/", say("root")); r.Get("/b", say("router")) })
	route := func(r chi.Router) { r.Get("/s/b", say("route")); r.Get("/s", say("path")) }
	mount := func(r chi.Router) { r.Mount("/s", say("mount")) }
	for _, c := range []struct {
		v1, v2 register
		want   map[string]string // for v1 and v2
	}{
		{router, route, map[string]string{"/s": "200 root 200 path", "/s/b": "200 router 200 route"}},
		{route, router, map[string]string{"/s": "200 path 200 root", "/s/b": "200 route 200 router"}},
		{router, mount, map[string]string{"/s": "200 root 200 mount", "/s/": "200 root 200 mount", "/s/c": "404 200 mount"}},
		{mount, router, map[string]string{"/s": "200 mount 200 root", "/s/b": "404 200 router", "/s/c": "200 mount 404"}},
	} {
		r := chi.NewRouter()
		versochi.New(r, byHeader()).RegisterVersions(map[string]func(chi.Router){"v1": c.v1, "v2": c.v2})
		for path, want := range c.want {
			var got []string
			for _, version := range []string{"v1", "v2"} {
				answer, _, _ := strings.Cut(ask(r, "GET", path, version), " {") // not_in_version
				got = append(got, answer)
			}
			assert.Equal(t, want, strings.Join(got, " "), path)
		}
	}
}

// TestRegisterVersionsOfMovers: which route is found does not depend on the version.
func TestRegisterVersionsOfMovers(t *testing.T) {
	strip := func(r chi.Router) { r.Use(middleware.StripSlashes); r.Get("/b", say("b")) }
	plain := func(r chi.Router) { r.Get("/b", say("b")) }
	for _, versions := range []map[string]func(chi.Router){
		{"v1": strip}, {"v1": in("/s", strip), "v2": in("/s", plain)}, {"v1": in("/s", plain), "v2": in("/s", strip)},
	} {
		v := versochi.New(chi.NewRouter(), byHeader())
		text := panicOf(func() { v.RegisterVersions(versions) })
		assert.True(t, strings.Contains(text, "the path or the method"), text)
	}
}
