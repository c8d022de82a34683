package versofiber_test

import (
	"net/http"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
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
			app := fiber.New()
			v := versofiber.New(app, api)
			var asked []string
			group := v.Group("/api")
			if layout == "path" {
				group = v.EachVersion().Group("/api")
			}
			generated(group.PerRoute(func(v *versofiber.Routes, method, path string) *versofiber.Routes {
				asked = append(asked, method+" "+path)
				switch {
				case path == "/webhooks/:id":
					return v.Neutral()
				case path == "/new":
					return v.Since("v2").Namespace("later")
				case path == "/users/:id" && method == http.MethodGet:
					return v.Rewrite(new(conformance.Shouting))
				}
				return v
			}).Router())
			assert.Equal(t, []string{"GET ", "GET /users/:id", " /any", "PUT /users/:id", "PATCH /users/:id", "POST /webhooks/:id", "GET /new", "GET /chain"}, asked)
			s := start(t, app)
			for _, test := range []struct{ method, path, version, want string }{
				{"GET", "/users/7", "v1", "V1 SAID 7"},
				{"GET", "/users/7", "v2", "v2 said 7"},
				{"PUT", "/users/7", "v1", "v1 changed 7"},
				{"DELETE", "/any", "v1", "v1 any "},
				{"GET", "/new", "v2", "v2 new "},
				{"GET", "", "v1", "v1 root "},
				{"GET", "/chain", "v1", "v1 chain "},
			} {
				path := "/api/" + test.version + test.path
				if layout == "header" {
					path = "/api" + test.path
				}
				assert.Equal(t, test.want, s.do(t, test.method, path, "Api-Version", test.version).body, "%v", test)
			}
			if layout == "header" {
				assert.Equal(t, " hook 7", s.do(t, "POST", "/api/webhooks/7", "Api-Version", "v9").body)
				assert.Equal(t, http.StatusNotFound, s.get(t, "/api/new", "Api-Version", "v1").status)
			}
			link, err := v.Link(verso.Target{Name: "later:new", Version: verso.V("v2")})
			require.NoError(t, err)
			assert.Contains(t, link, "/new")
		})
	}
}

// generated is what a generator registers.
func generated(r fiber.Router) {
	r.Get("", mounted("root", ""))
	r.Get("/users/:id", mounted("said", "id"))
	r.All("/any", mounted("any", ""))
	r.Add([]string{"PUT", "PATCH"}, "/users/:id", mounted("changed", "id"))
	r.Post("/webhooks/:id", mounted("hook", "id"))
	r.Get("/new", mounted("new", "")).Name("new")
	r.RouteChain("/chain").Get(mounted("chain", ""))
}

// TestPerRouteRegisters: all that registers a route asks.
func TestPerRouteRegisters(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	var asked []string
	g := v.Group("/internal").PerRoute(func(v *versofiber.Routes, method, path string) *versofiber.Routes {
		asked = append(asked, method+" "+path)
		return v.RemovedIn("v2")
	})
	g.HandleVersions("GET", "/x", versofiber.Handlers{"v1": answerVersion}).Get("/chained", answerVersion)
	g.Group("/deep").RegisterVersions(map[string]func(fiber.Router){"v1": func(r fiber.Router) { r.Get("/y", answerVersion) }})
	g.In(app.Group("/internals")).Get("/x", answerVersion)
	assert.Equal(t, []string{"GET /x", "GET /chained", "GET /deep/y", "GET /internals/x"}, asked)
	for _, route := range v.Explain().Routes {
		assert.Contains(t, route.String(), "removed in v2")
	}
	assert.PanicsWithError(t, "versofiber: PerRoute: the routes have a function already: join the two", func() {
		g.Group("/x").PerRoute(func(v *versofiber.Routes, _, _ string) *versofiber.Routes { return v })
	})
}
