package params

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// TestRenamedPath: a path has another text from v2 on, with the same parameters and the same name. A
// link leads to the path of its version, and the changelog says where the path is now.
func TestRenamedPath(t *testing.T) {
	to := func(version string) verso.Target {
		return verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V(version)}
	}
	nothing := func(http.ResponseWriter, *http.Request) {}
	for name, serve := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, Links: verso.LinkConfig{Relative: true}})
			v := serve(api, frameworks.App{Routes: []frameworks.Route{
				{Method: http.MethodGet, Path: "/{version}/users/{id}", Name: "user", Options: []verso.RouteOption{verso.RemovedIn("v2")}, Handle: nothing},
				{Method: http.MethodGet, Path: "/{version}/people/{id}", Name: "user", Options: []verso.RouteOption{verso.Since("v2")}, Handle: nothing},
			}})
			for version, want := range map[string]string{"v1": "/v1/users/7", "v2": "/v2/people/7", "v3": "/v3/people/7"} {
				got, err := v.Link(to(version))
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
			history := verso.Must(migrate.New(api, migrate.Release("v3"), migrate.Release("v2"), migrate.Release("v1")))
			var texts []string
			for _, release := range history.Changelog(v.Explain()).Versions {
				for _, change := range release.Changes {
					texts = append(texts, release.Version+": "+change.Text)
				}
			}
			assert.Equal(t, []string{"v2: GET /users/{id} is now GET /people/{id}."}, texts)
		})
	}
}

// TestNamesThatOverlap: in v2 the name means both paths, so it is refused as before.
func TestNamesThatOverlap(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	v := versohttp.New(http.NewServeMux(), api)
	nothing := func(http.ResponseWriter, *http.Request) {}
	v.Name("user").RemovedIn("v3").HandleFunc("GET /{version}/users/{id}", nothing)
	defer func() {
		err, _ := recover().(error)
		assert.ErrorContains(t, err, `the name "user" means both`)
	}()
	v.Name("user").Since("v2").HandleFunc("GET /{version}/people/{id}", nothing)
}

// TestLinkInRequestOfRenamedPath is a handler of both.
func TestLinkInRequestOfRenamedPath(t *testing.T) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}}))
	show := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(versohttp.URL(r, verso.Target{Name: "user", Params: verso.Params{"id": 8}})))
	}
	v.Name("user").RemovedIn("v2").HandleFunc("GET /{version}/users/{id}", show)
	v.Name("user").Since("v2").HandleFunc("GET /{version}/people/{id}", show)
	for path, want := range map[string]string{"/v1/users/7": "/v1/users/8", "/v2/people/7": "/v2/people/8"} {
		w := frameworks.Ask(mux, http.MethodGet, path, nil)
		assert.Equal(t, want, w.Body.String())
	}
}
