package versohttp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestPerRoute gives options to operations that a generator registers.
func TestPerRoute(t *testing.T) {
	for layout, api := range map[string]*verso.Versioning{
		"header": verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}),
		"path":   verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v2")}),
	} {
		t.Run(layout, func(t *testing.T) {
			v := newRoutes(api)
			var asked []string
			group := v.Group("/api")
			if layout == "path" {
				group = group.EachVersion()
			}
			generated(group.PerRoute(func(v *versohttp.Routes, method, path string) *versohttp.Routes {
				asked = append(asked, method+" "+path)
				switch {
				case path == "/webhooks/{id}":
					return v.Neutral()
				case path == "/new":
					return v.Since("v2").Name("new")
				case path == "/users/{id}" && method == http.MethodGet:
					return v.Rewrite(new(conformance.Shouting))
				}
				return v
			}))
			assert.Equal(t, []string{"GET ", "GET /users/{id}", " /any/", "PUT /users/{id}", "POST /webhooks/{id}", "GET /new", "GET static.example.com/files/{$}"}, asked)
			for _, test := range []struct{ method, path, version, want string }{
				{"GET", "/users/7", "v1", "V1 SAID 7"},
				{"GET", "/users/7", "v2", "v2 said 7"},
				{"PUT", "/users/7", "v1", "v1 changed 7"},
				{"DELETE", "/any/x", "v1", "v1 any "},
				{"GET", "/new", "v2", "v2 new "},
				{"GET", "", "v1", "v1 root "},
			} {
				path, fields := "/api/"+test.version+test.path, http.Header(nil)
				if layout == "header" {
					path, fields = "/api"+test.path, http.Header{"Api-Version": {test.version}}
				}
				assert.Equal(t, test.want, send(t, v, test.method, path, fields).Body, "%v", test)
			}
			if layout == "header" {
				assert.Equal(t, " hook 7", send(t, v, "POST", "/api/webhooks/7", http.Header{"Api-Version": {"v9"}}).Body)
				assert.Equal(t, http.StatusNotFound, send(t, v, "GET", "/api/new", http.Header{"Api-Version": {"v1"}}).Status)
			}
			link, err := v.Link(verso.Target{Name: "new", Version: verso.V("v2")})
			require.NoError(t, err)
			assert.Contains(t, link, "/new")
		})
	}
}

// generated is what a generator registers.
func generated(mux versohttp.Mux) {
	mux.HandleFunc("GET", mounted("root", ""))
	mux.HandleFunc("GET /users/{id}", mounted("said", "id"))
	mux.Handle("/any/", mounted("any", ""))
	mux.HandleFunc("PUT\t/users/{id}", mounted("changed", "id"))
	mux.HandleFunc("POST /webhooks/{id}", mounted("hook", "id"))
	mux.HandleFunc("GET /new", mounted("new", ""))
	mux.HandleFunc("GET static.example.com/files/{$}", mounted("files", ""))
}

// TestPerRouteRegisters: all that registers a route asks.
func TestPerRouteRegisters(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	var asked []string
	v := newRoutes(api)
	g := v.Group("/internal").PerRoute(func(v *versohttp.Routes, method, path string) *versohttp.Routes {
		asked = append(asked, method+" "+path)
		return v.RemovedIn("v2").Name("some")
	})
	g.HandleVersions("GET /x", versohttp.Handlers{"v1": answerVersion})
	g.LinkOnly("/linked/{id}")
	g.Group("/deep").RegisterVersions(map[string]func(versohttp.Mux){"v1": func(mux versohttp.Mux) { mux.HandleFunc("GET /y/{a}/{b}", answerVersion) }})
	assert.Equal(t, []string{"GET /x", " /linked/{id}", "GET /deep/y/{a}/{b}"}, asked)
	for _, route := range v.Explain().Routes {
		assert.Contains(t, route.String(), "removed in v2")
	}
	assert.PanicsWithError(t, "versohttp: PerRoute: the routes have a function already: join the two", func() {
		g.Group("/x").PerRoute(func(v *versohttp.Routes, _, _ string) *versohttp.Routes { return v })
	})
}
