package versochi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

// TestUnmounted registers routes in routers that are mounted, or that nobody serves.
func TestUnmounted(t *testing.T) {
	ok := func(http.ResponseWriter, *http.Request) {}
	for name, test := range map[string]struct {
		register func(r *chi.Mux, v *versochi.Routes)
		want     string
	}{
		"In of a router that is mounted": {func(r *chi.Mux, v *versochi.Routes) {
			sub := chi.NewRouter()
			r.Mount("/api", sub)
			v.In("/api", sub).Get("/{version}/u", ok)
		}, ""},
		"In of a router that is mounted later": {func(r *chi.Mux, v *versochi.Routes) {
			sub := chi.NewRouter()
			v.In("/api", sub).Get("/{version}/u", ok)
			r.Mount("/api", sub)
		}, ""},
		"In of a group, and of With": {func(r *chi.Mux, v *versochi.Routes) {
			r.Group(func(g chi.Router) { v.In("", g).Get("/{version}/g", ok) })
			v.In("", r.With(func(next http.Handler) http.Handler { return next })).Get("/{version}/w", ok)
		}, ""},
		"In of a router that nobody serves": {func(_ *chi.Mux, v *versochi.Routes) {
			v.In("/api", chi.NewRouter()).Get("/{version}/u", ok)
		}, `requests to "/api/{version}/u"`},
		"a route in whose place another one is": {func(r *chi.Mux, v *versochi.Routes) {
			v.Get("/{version}/u", ok)
			r.Get("/{version}/u", ok)
		}, `requests to "/{version}/u"`},
		"Router, Mount and a group of each": {func(_ *chi.Mux, v *versochi.Routes) {
			v.Router().Route("/{version}/r", func(r chi.Router) { r.Get("/", ok); r.Get("/{id}", ok) })
			sub := chi.NewRouter()
			sub.Get("/late", ok)
			v.Mount("/{version}/m", sub)
			v.PerRoute(func(v *versochi.Routes, _, _ string) *versochi.Routes { return v }).Router().Get("/{version}/p", ok)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			v := versochi.New(r, verso.MustNew(verso.PathParam("version"), twoVersions))
			v.Get("/{version}/x", ok)
			test.register(r, v)
			found := v.Explain().Findings
			i := slices.IndexFunc(found, func(f verso.Finding) bool { return f.Code == "route_unmounted" })
			if i < 0 != (test.want == "") || i >= 0 && !strings.Contains(found[i].Message, test.want) {
				t.Errorf("%v, want %q", found, test.want)
			}
		})
	}
}

// TestUnmountedUnderEachVersion has routes at several paths each.
func TestUnmountedUnderEachVersion(t *testing.T) {
	ok := func(http.ResponseWriter, *http.Request) {}
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	each := v.EachVersion()
	each.Get("/users", ok)
	each.Since("v2").Get("/rooms", ok)
	each.Router().Route("/deep", func(r chi.Router) { r.Get("/", ok) })
	for _, f := range v.Explain().Findings {
		if f.Code == "route_unmounted" {
			t.Error(f)
		}
	}
}

// TestMountedByChiAlone: where chi alone mounts a router as well, Explain lists its routes, and that they have no checks.
func TestMountedByChiAlone(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/x", say("x"))
	v := versochi.New(r, byHeader())
	v.Since("v2").Mount("/p", sub)
	r.Mount("/q", sub)
	listed := make(map[string]string)
	for _, info := range v.Explain().Routes {
		listed[info.Pattern] = strings.Join(strings.Fields(info.String())[2:], " ")
	}
	assert.Equal(t, map[string]string{"/p/x": "since v2", "/q/x": "not checked"}, listed)
}
