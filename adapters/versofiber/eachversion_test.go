package versofiber_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/static"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func prefixed(config verso.Config) (*fiber.App, *versofiber.Routes) {
	config.AllowedVersions = []string{"v1", "v2"}
	app := fiber.New()
	return app, versofiber.New(app, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

// needsA lets requests through that have the header field A.
func needsA(c fiber.Ctx) error {
	if c.Get("A") == "" {
		return fiber.ErrUnauthorized
	}
	return c.Next()
}

// Fiber would give /v1 to V1 where case does not count.
func TestVersionsThatDifferInCase(t *testing.T) {
	for where, from := range map[string]source.Source{"a prefix": verso.PathPrefix("/api/{version}"), "a header": verso.Header("Api-Version")} {
		api := verso.MustNew(from, verso.Config{AllowedVersions: []string{"V1", "v1"}})
		err := panicked(func() { versofiber.New(fiber.New(), api) })
		if where == "a header" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, `the paths of versions "V1" and "v1" are one to this app: set CaseSensitive, or rename one`)
		assert.NoError(t, panicked(func() { versofiber.New(fiber.New(fiber.Config{CaseSensitive: true}), api) }))
	}
}

// A route at the path of the version itself has one name for all versions.
func TestLinkToVersion(t *testing.T) {
	v := versofiber.New(fiber.New(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	v.EachVersion().Get("", answerName).Name("home")
	for _, version := range []string{"v1", "v2"} {
		link, err := v.Link(verso.Target{Name: "home", Version: verso.V(version)})
		require.NoError(t, err)
		assert.Equal(t, "/"+version, link)
	}
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	for path, code := range map[string]string{"/api/*": "prefix_parameter", "/api/+": "prefix_parameter"} {
		err := panicked(func() { v.EachVersion().Get(path, answerName) })
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake, path)
		assert.Equal(t, code, mistake.Code, path)
		assert.ErrorContains(t, err, "route GET "+path)
	}
	for advice, register := range map[string]func(){
		`"/api/v1/admin/x": make it with EachVersion().Group`: func() { v.Group("/api/admin", needsA).EachVersion().Get("/x", answerName) },
		`"/api/v1/v/x": make it with EachVersion().Group`:     func() { v.Group("/api/v").EachVersion().Get("/x", answerName) },
		"not a versofiber.fiberRouter":                        func() { v.In(v.Group("/api").Router()).EachVersion().Get("/y", answerName) },
		"give the middleware to EachVersion or Group":         func() { v.EachVersion().Use(needsA) },
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
		{"for all", func(app *fiber.App) { app.Use(needsA) }, ""},
		{"for the fixed part", func(app *fiber.App) { app.Use("/api", needsA) }, ""},
		{"for another path", func(app *fiber.App) { app.Use("/api/administrators", needsA) }, ""},
		{"for one version", func(app *fiber.App) { app.Use("/api/v1/admin", needsA) }, `for "/api/v1/admin" does not run for "/api/admin/x"`},
		{"for another path of a version", func(app *fiber.App) { app.Use("/api/v1/administrators", needsA) }, ""},
		{"for all of each version", func(app *fiber.App) { app.Use([]string{"/api/v1", "/api/v2"}, needsA) }, `for "/api/v1" does not run for "/api/admin/x"`},
		{"for any parameter", func(app *fiber.App) { app.Use("/api/:any", needsA) }, ""},
		{"for each form", func(app *fiber.App) {
			app.Use([]string{"/api/admin", "/api/v1/admin", "/api/v2/admin"}, needsA)
		}, ""},
		{"for one form", func(app *fiber.App) { app.Use("/api/admin", needsA) }, `for "/api/admin" does not run for "/api/v1/admin/x"`},
		{"for one form, in another case", func(app *fiber.App) { app.Use("/API/Admin/", needsA) }, `for "/API/Admin/"`},
		{"for the whole path", func(app *fiber.App) { app.Use("/api/admin/x", needsA) }, `does not run for "/api/v1/admin/x"`},
		{"for a parameter", func(app *fiber.App) { app.Use("/api/:any/x", needsA) }, `does not run for "/api/v1/admin/x"`},
		{"for two of three forms", func(app *fiber.App) { app.Use([]string{"/api/v1/admin", "/api/admin"}, needsA) }, `does not run for "/api/v2/admin/x"`},
		{"by a group", func(app *fiber.App) { app.Group("/api/admin", needsA) }, `does not run for "/api/v1/admin/x"`},
		{"by a route for all methods", func(app *fiber.App) { app.All("/api/admin/*", needsA) }, `for "/api/admin/*" does not run for "/api/v1/admin/x"`},
		{"by routes for all methods in each form", func(app *fiber.App) {
			for _, path := range []string{"/api/admin/*", "/api/v1/admin/*", "/api/v2/admin/*"} {
				app.All(path, needsA)
			}
		}, ""},
		{"by a route for all methods above", func(app *fiber.App) { app.All("/api/admin", needsA) }, ""},
		{"by a route for all methods of any path", func(app *fiber.App) { app.All("/*", needsA) }, ""},
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

// TestMiddlewareOfVersions: what guards one version only would be missed in the next one.
func TestMiddlewareOfVersions(t *testing.T) {
	for _, test := range []struct {
		missing string // "": nothing
		paths   []string
	}{
		{"", []string{"/api/v1", "/api/v2"}},
		{"", []string{"/api/v1/admin", "/api/v2/admin"}},
		{`for "/api/v1" does not run for "/api/v2/admin/x"`, []string{"/api/v1"}},
		{`for "/api/v1/admin" does not run for "/api/v2/admin/x"`, []string{"/api/v1/admin", "/api/v2/x"}},
	} {
		app, v := prefixed(verso.Config{})
		app.Use(test.paths, needsA)
		err := panicked(func() { v.EachVersion().Get("/api/admin/x", answerName) })
		if test.missing != "" {
			assert.ErrorContains(t, err, test.missing, test.paths)
			continue
		}
		assert.NoError(t, err, test.paths)
	}
}

// TestMiddlewareOfOneVersion: what is for one version on purpose has a middleware for the other that passes requests on.
func TestMiddlewareOfOneVersion(t *testing.T) {
	app, v := prefixed(verso.Config{})
	app.Use("/api/v1", needsA)
	assert.ErrorContains(t, panicked(func() { v.EachVersion().Get("/api/x", answerName) }), "install what calls Next for the other paths")
	app.Use("/api/v2", fiber.Ctx.Next)
	v.EachVersion().Get("/api/y", answerName)
	for path, want := range map[string]int{"/api/v1/y": http.StatusUnauthorized, "/api/v2/y": http.StatusOK} {
		response, err := app.Test(httptest.NewRequest(http.MethodGet, path, nil))
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, want, response.StatusCode, path)
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestFolderOfEachVersion: static.New cuts off as much of each path as the route of the first request has.
func TestFolderOfEachVersion(t *testing.T) {
	files := static.New("", static.Config{FS: fstest.MapFS{"file.txt": {Data: []byte("a file")}}})
	app, v := prefixed(verso.Config{})
	v.EachVersion().Get("/api/files/*", files)
	for _, version := range []string{"v1", "v2"} {
		response, err := app.Test(httptest.NewRequest(http.MethodGet, "/api/"+version+"/files/file.txt", nil))
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, response.StatusCode, version)
		require.NoError(t, response.Body.Close())
	}
	_, v = prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	err := panicked(func() { v.EachVersion().Get("/api/files/*", files) })
	assert.ErrorContains(t, err, "route GET /api/files/*: static.New cuts off the same length of all paths")
}

// TestEachVersionName: the first path has the name in Fiber.
func TestEachVersionName(t *testing.T) {
	app, v := prefixed(verso.Config{})
	v.EachVersion().Get("/api/users", answerName).Name("users")
	assert.Equal(t, "/api/v1/users", app.GetRoute("users").Path)
}

// TestRegisteredUnmatched: the middleware of a function of RegisterVersions also runs where no route is, in each version.
func TestRegisteredUnmatched(t *testing.T) {
	for name, config := range map[string]verso.Config{"": {}, "by default": {DefaultVersion: verso.V("v1")}} {
		app, v := prefixed(config)
		v.EachVersion().Group("/api").RegisterVersions(map[string]func(fiber.Router){"v1": func(r fiber.Router) {
			r.Use(needsA)
			r.Get("/x", answerName)
		}})
		paths := []string{"/api/v1/none", "/api/v2/none", "/api/v2/x"}
		if name != "" {
			paths = append(paths, "/api/none", "/api/x")
		}
		for _, path := range paths {
			got, err := app.Test(httptest.NewRequest(http.MethodGet, path, nil))
			require.NoError(t, err)
			require.NoError(t, got.Body.Close())
			assert.Equal(t, http.StatusUnauthorized, got.StatusCode, "%s %s", name, path)
		}
	}
}
