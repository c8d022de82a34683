package versofiber_test

import (
	"net/http"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

func prefixed(config verso.Config) (*fiber.App, *versofiber.Routes) {
	config.AllowedVersions = []string{"v1", "v2"}
	app := fiber.New()
	return app, versofiber.New(app, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
}

// needs lets requests through that have a header field.
func needs(name string) fiber.Handler {
	return func(c fiber.Ctx) error {
		if c.Get(name) == "" {
			return fiber.ErrUnauthorized
		}
		return c.Next()
	}
}

// TestEachVersion registers routes once, in groups that have middleware.
func TestEachVersion(t *testing.T) {
	app, v := prefixed(verso.Config{DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}})
	v.Group("/api", needs("All"))
	each := v.EachVersion(needs("A"))
	each.Get("/api/lists", answerName).Name("lists")
	admin := each.Group("/api/admin/", needs("B"))
	admin.Get("/lists/:id", answerName).Name("list")
	admin.Group("deep", needs("C")).Name("deep.").Post("x", answerName).Name("x")
	v.Group("/api", needs("D")).EachVersion().Get("/own", answerName)
	v.In(app.Group("/api/in", needs("E"))).In(app).EachVersion().Choose("GET", "/api/chosen", versofiber.Handlers{"v1": answerName}, needs("F"))
	each.Router().Route("/api/routed", func(r fiber.Router) { r.Group("/x", needs("B")).RouteChain("/y").Put(answerName) })
	s := start(t, app)

	for _, test := range []struct{ method, behind, name, needs string }{
		{"GET", "/lists", "lists", "A"},
		{"GET", "/admin/lists/7", "list", "AB"},
		{"POST", "/admin/deep/x", "deep.x", "ABC"},
		{"GET", "/own", "", "D"},
		{"GET", "/chosen", "", "DF"},
		{"PUT", "/routed/x/y", "", "DAB"},
	} {
		for prefix, version := range map[string]string{"/api": "v1", "/api/v1": "v1", "/api/v2": "v2"} {
			fields := []string{"All", "x"}
			for _, name := range test.needs {
				assert.Equal(t, http.StatusUnauthorized, s.do(t, test.method, prefix+test.behind, fields...).status, "%s without %c", prefix+test.behind, name)
				fields = append(fields, string(name), "x")
			}
			assert.Equal(t, http.StatusUnauthorized, s.do(t, test.method, prefix+test.behind, fields[2:]...).status)
			want := " " + version
			if prefix == "/api" { // Fiber knows the name of one form
				want = test.name + want
			}
			assert.Equal(t, want, s.do(t, test.method, prefix+test.behind, fields...).body, prefix+test.behind)
		}
	}
	assert.Equal(t, http.StatusNotFound, s.do(t, "GET", "/api/v9/lists", "All", "x", "D", "x").status)
	assert.Equal(t, http.StatusNotFound, s.do(t, "GET", "/other").status, "a group of EachVersion installs no middleware by path")
	assert.Len(t, v.Explain().Routes, 6, "a route in each version is one route")
	for version, want := range map[string]string{"v1": "/api/admin/lists/7", "v2": "/api/v2/admin/lists/7"} {
		link, err := v.Link(verso.Target{Name: "list", Params: verso.Params{"id": 7}, Version: verso.V(version)})
		require.NoError(t, err)
		assert.Equal(t, want, link)
	}
}

func TestEachVersionWithoutDefault(t *testing.T) {
	app, v := prefixed(verso.Config{})
	v.EachVersion().Get("/api/lists", answerName).Name("lists")
	s := start(t, app)
	assert.Equal(t, http.StatusNotFound, s.do(t, "GET", "/api/lists").status)
	assert.Equal(t, "lists v1", s.do(t, "GET", "/api/v1/lists").body)
	assert.Equal(t, " v2", s.do(t, "GET", "/api/v2/lists").body)
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	for path, code := range map[string]string{"/health": "prefix_outside", "/api/:kind/x": "prefix_parameter", "/api/*": "prefix_parameter", "/api/+": "prefix_parameter"} {
		err := panicked(func() { v.EachVersion().Get(path, answerName) })
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake, path)
		assert.Equal(t, code, mistake.Code, path)
		assert.ErrorContains(t, err, "route GET "+path)
	}
	for advice, register := range map[string]func(){
		`"/api/v1/admin/x": make it with EachVersion().Group`: func() { v.Group("/api/admin", needs("A")).EachVersion().Get("/x", answerName) },
		`"/api/v1/v/x": make it with EachVersion().Group`:     func() { v.Group("/api/v").EachVersion().Get("/x", answerName) },
		"not a versofiber.fiberRouter":                        func() { v.In(v.Group("/api").Router()).EachVersion().Get("/y", answerName) },
		"give the middleware to EachVersion or Group":         func() { v.EachVersion().Use(needs("A")) },
		"route GET /api/nil: a handler is nil: give it one":   func() { v.EachVersion(nil).Get("/api/nil", answerName) },
	} {
		assert.ErrorContains(t, panicked(register), advice)
	}
}

// TestMiddlewareByPath is refused where it runs for one form of a route and not for
// another: each form has the authentication of the others.
func TestMiddlewareByPath(t *testing.T) {
	tests := []struct {
		name    string
		install func(app *fiber.App)
		missing string // "": nothing
	}{
		{"for all", func(app *fiber.App) { app.Use(needs("A")) }, ""},
		{"for the fixed part", func(app *fiber.App) { app.Use("/api", needs("A")) }, ""},
		{"for another path", func(app *fiber.App) { app.Use("/api/administrators", needs("A")) }, ""},
		{"for one version", func(app *fiber.App) { app.Use("/api/v1/admin", needs("A")) }, ""},
		{"for any parameter", func(app *fiber.App) { app.Use("/api/:any", needs("A")) }, ""},
		{"for each form", func(app *fiber.App) {
			app.Use([]string{"/api/admin", "/api/v1/admin", "/api/v2/admin"}, needs("A"))
		}, ""},
		{"for one form", func(app *fiber.App) { app.Use("/api/admin", needs("A")) }, `for "/api/admin", which does not run for "/api/v1/admin/x"`},
		{"for one form, in another case", func(app *fiber.App) { app.Use("/API/Admin/", needs("A")) }, `for "/API/Admin/"`},
		{"for the whole path", func(app *fiber.App) { app.Use("/api/admin/x", needs("A")) }, `does not run for "/api/v1/admin/x"`},
		{"for a parameter", func(app *fiber.App) { app.Use("/api/:any/x", needs("A")) }, `does not run for "/api/v1/admin/x"`},
		{"for two of three forms", func(app *fiber.App) { app.Use([]string{"/api/v1/admin", "/api/admin"}, needs("A")) }, `does not run for "/api/v2/admin/x"`},
		{"by a group", func(app *fiber.App) { app.Group("/api/admin", needs("A")) }, `does not run for "/api/v1/admin/x"`},
		{"by a route for all methods", func(app *fiber.App) { app.All("/api/admin/*", needs("A")) }, `for "/api/admin/*", which does not run for "/api/v1/admin/x"`},
		{"by routes for all methods in each form", func(app *fiber.App) {
			for _, path := range []string{"/api/admin/*", "/api/v1/admin/*", "/api/v2/admin/*"} {
				app.All(path, needs("A"))
			}
		}, ""},
		{"by a route for all methods above", func(app *fiber.App) { app.All("/api/admin", needs("A")) }, ""},
		{"by a route for all methods of any path", func(app *fiber.App) { app.All("/*", needs("A")) }, ""},
		{"besides a route", func(app *fiber.App) { app.Get("/api/admin", answerName) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			app, v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
			v.EachVersion().Get("/api/admin/before", answerName) // Fiber calls what is installed later for later routes only
			test.install(app)
			err := panicked(func() { v.EachVersion().Get("/api/admin/x", answerName) })
			if test.missing != "" {
				require.ErrorContains(t, err, test.missing)
				return
			}
			require.NoError(t, err)
		})
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestEncodedPrefixes reach no handler in a version that is not that of the path.
func TestEncodedPrefixes(t *testing.T) {
	for _, unescape := range []bool{false, true} {
		app := fiber.New(fiber.Config{UnescapePath: unescape})
		v := versofiber.New(app, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})))
		v.EachVersion().Get("/api/lists", answerName)
		v.Since("v2").Get("/api/v2/new", answerName)
		s := start(t, app)
		for target, version := range map[string]string{
			"/api/%76%32/lists": "v2", "/api//v2/lists": "v2", "/api/v2/../v1/lists": "v1", "/api/v2%2Flists": "v2", "/API/V2/lists": "v2", "/api/v1/new": "", "/api/v2/./lists": "v2",
		} {
			got := s.do(t, "GET", target)
			if got.status == http.StatusOK {
				assert.Equal(t, " "+version, got.body, "%t %s", unescape, target)
			} else {
				assert.Equal(t, http.StatusNotFound, got.status, "%t %s", unescape, target)
			}
		}
	}
}

// TestNotFound deletes the routes of versions, in an app alone and in one that is
// mounted.
func TestNotFound(t *testing.T) {
	for _, mounted := range []bool{false, true} {
		app := fiber.New()
		outer, prefix := app, ""
		if mounted {
			outer, prefix = fiber.New(), "/sub"
			outer.Use(prefix, app)
		}
		v := versofiber.New(app, verso.Must(verso.New(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), twoVersions)))
		v.Get("/api/:version/x", answerName)
		app.Get("/passes", func(c fiber.Ctx) error { return c.Next() })
		app.Use(v.NotFound())
		s := start(t, outer)
		for _, test := range []struct {
			method, target, version string
			status                  int
			body                    string
		}{
			{"GET", "/api/v9/deleted", "", http.StatusNotFound, "invalid_url_path_version"},
			{"GET", "/deleted", "v9", http.StatusBadRequest, "invalid_header_version"},
			{"POST", "/api/v9/x", "", http.StatusNotFound, "invalid_url_path_version"},
			{"GET", "/passes", "v9", http.StatusNotFound, "Not Found"},
			{"GET", "/deleted", "v2", http.StatusNotFound, "Not Found"},
			{"GET", "/api/v2/deleted", "", http.StatusNotFound, "Not Found"},
			{"POST", "/api/v2/x", "", http.StatusMethodNotAllowed, "Method Not Allowed"},
			{"GET", "/api/v2/x", "", http.StatusOK, " v2"},
		} {
			var fields []string
			if test.version != "" {
				fields = []string{"Api-Version", test.version}
			}
			got := s.do(t, test.method, prefix+test.target, fields...)
			assert.Equal(t, test.status, got.status, "%t %s", mounted, test.target)
			assert.Contains(t, got.body, test.body, "%t %s", mounted, test.target)
		}
	}
}
