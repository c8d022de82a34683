package versofiber_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/static"
	"github.com/gofiber/fiber/v3/middleware/timeout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

// preflight are the fields of a CORS preflight.
var preflight = []string{"Origin", "https://app.example", "Access-Control-Request-Method", "GET"}

// TestChangedPreflight: what a middleware makes a preflight is none.
func TestChangedPreflight(t *testing.T) {
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error {
		c.Request().Header.SetMethod(http.MethodOptions)
		return c.Next()
	})
	versofiber.New(app, verso.Must(scheme.NewURLPath("version", twoVersions))).Post("/:version/changed", answerVersion)
	got := start(t, app).do(t, http.MethodPost, "/v9/changed", preflight...)
	assert.Equal(t, 404, got.status)
	assert.Contains(t, got.body, "invalid_url_path_version")
}

// TestHeadHasTheOptionsOfGet sends HEAD to routes for GET, also of a mounted app.
func TestHeadHasTheOptionsOfGet(t *testing.T) {
	sub, app := fiber.New(), fiber.New()
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	for _, v := range []*versofiber.Routes{versofiber.New(app, api), versofiber.New(sub, api)} {
		v.Neutral().Get("/health", answerVersion)
		v.Since("v2").Get("/:version/new", answerVersion)
		v.HandleVersions("GET", "/:version/chosen", versofiber.Handlers{"v1": answerVersion, "v2": nil})
		v.Since("v2").Get("/:version/head", answerVersion)
		v.Neutral().Head("/:version/head", answerVersion)
	}
	app.Use("/sub", sub)
	s := start(t, app)
	for target, status := range map[string]int{
		"/health": 200, "/v1/new": 404, "/v2/new": 200, "/v1/chosen": 200, "/v2/chosen": 404, "/v9/new": 404, "/v9/head": 200,
	} {
		assert.Equal(t, status, s.do(t, http.MethodHead, target).status, target)
		assert.Equal(t, status, s.do(t, http.MethodHead, "/sub"+target).status, "/sub"+target)
	}
}

// TestTrailers sends fields behind a chunked body: they are none of the header.
func TestTrailers(t *testing.T) {
	config := twoVersions
	config.DefaultVersion = verso.V("v1")
	for _, settings := range []fiber.Config{{}, {StreamRequestBody: true}, {DisableHeaderNormalizing: true}} {
		app := fiber.New(settings)
		v := versofiber.New(app, verso.MustNew(verso.First(verso.Header("Api-Version"), verso.AcceptParam("version")), config))
		v.Add([]string{"GET", "POST"}, "/users", func(c fiber.Ctx) error { _ = c.Body(); return c.Next() }, answerVersion)
		v.HandleVersions("OPTIONS", "/users", versofiber.Handlers{"v1": saying("preflight")})
		s := start(t, app)
		for _, test := range []struct{ method, header, trailer, want string }{
			{"GET", "", "Api-Version: v2\r\n", "v1"},
			{"POST", "", "Api-Version: v2\r\n", "v1"},
			{"POST", "Trailer: Api-Version\r\n", "Api-Version: v2\r\n", "v1"},
			{"POST", "", "Accept: application/json; version=v2\r\n", "v1"},
			{"POST", "Api-Version: v2\r\n", "Api-Version: v1\r\n", "v2"},
			{"POST", "api-version: v2\r\n", "", "v2"},
			{"POST", "api-version: v2\r\n", "Api-Version: v1\r\n", "v2"},
			{"POST", "API-VERSION: v2\r\n", "api-version: v1\r\n", "v2"},
			{"OPTIONS", "", "Origin: https://app.example\r\nAccess-Control-Request-Method: GET\r\n", "preflight v1"},
		} {
			got := s.raw(t, test.method+" /users HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n"+test.header+
				"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n"+test.trailer+"\r\n")
			assert.Equal(t, test.want, got.body, "%v", test)
		}
	}
}

// TestHosts sends several Host lines (RFC 9112, section 3.2).
func TestHosts(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewHostName("", twoVersions)))
	v.Get("/users", answerVersion)
	s := start(t, app)
	for hosts, status := range map[string]int{
		"Host: v1.example.com\r\n":                                 200,
		"host: v1.example.com\r\nX-Host: v2.example.com\r\n":       200,
		"Host: v1.example.com\r\nHost: v2.example.com\r\n":         400,
		"Host: v1.example.com\r\nA: b\r\nhost: v1.example.com\r\n": 400,
		"Host: v1.example.com\r\nHost: v9.example.com\r\n":         400,
	} {
		assert.Equal(t, status, s.raw(t, "GET /users HTTP/1.1\r\n"+hosts+"Connection: close\r\n\r\n").status, hosts)
	}
}

// TestFieldsThatHandlersLose sends the fields of a version through handlers that
// replace the response.
func TestFieldsThatHandlersLose(t *testing.T) {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("Vary", "Origin")
		_, _ = w.Write([]byte("backend"))
	}))
	defer backend.Close()
	folder := t.TempDir()
	file := filepath.Join(folder, "file.txt")
	require.NoError(t, os.WriteFile(file, []byte("file"), 0o600))

	clock := versotest.NewClock(conformance.Deprecated)
	app := fiber.New()
	v := versofiber.New(app, conformance.Retiring(t, clock.Now))
	v.Get("/proxy", func(c fiber.Ctx) error { // Fiber's own takes no backend on loopback
		c.Request().SetRequestURI(backend.URL)
		return fasthttp.Do(c.Request(), c.Response())
	})
	v.Get("/reset", func(c fiber.Ctx) error {
		c.Response().Reset()
		return c.SendString("reset")
	})
	v.Get("/file", func(c fiber.Ctx) error { return c.SendFile(file) })
	v.Get("/static/*", static.New(folder))
	v.Get("/sets", func(c fiber.Ctx) error {
		c.Set("Link", "</handler>")
		c.Set("Api-Version", "handler")
		return c.SendString("sets")
	})
	s := start(t, app)
	ofV1 := conformance.FieldsOfV1
	but := func(changed http.Header) http.Header {
		fields := maps.Clone(ofV1)
		maps.Copy(fields, changed)
		return fields
	}
	since := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for _, test := range []struct {
		path   string
		header []string
		status int
		want   http.Header
	}{
		{"/proxy", nil, 200, but(http.Header{"Vary": {"Origin, Api-Version"}, "Cache-Control": {"max-age=60"}})},
		{"/reset", nil, 200, ofV1},
		{"/file", nil, 200, ofV1},
		{"/file", []string{"If-Modified-Since", since}, 304, ofV1},
		{"/static/file.txt", nil, 200, ofV1},
		{"/static/file.txt", []string{"If-Modified-Since", since}, 304, ofV1},
		{"/sets", nil, 200, but(http.Header{"Link": {"</handler>"}, "Api-Version": {"handler"}})},
	} {
		got := s.get(t, test.path, append(test.header, "Api-Version", "v1")...)
		assert.Equal(t, test.status, got.status, test.path)
		for name, lines := range test.want {
			assert.Equal(t, lines, got.header.Values(name), "%s %d: %s", test.path, test.status, name)
		}
	}
}

// TestPassedOn passes requests to the next matching route, and to the router again:
// each route has the version of the request that it gets, and one is observed.
func TestPassedOn(t *testing.T) {
	var mu sync.Mutex
	var told []string
	config := twoVersions
	config.Observe = func(_ context.Context, u verso.Observation) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, u.Route+" "+u.Version.String()+" "+u.Outcome)
	}
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewURLPath("version", config)))
	next := func(c fiber.Ctx) error { return c.Next() }
	to := func(path string) fiber.Handler {
		return func(c fiber.Ctx) error {
			c.Path(path)
			return c.RestartRouting()
		}
	}
	v.Get("/:version/old", to("/v2/users"))
	v.Get("/:version/older", to("/v1/new"))
	v.Get("/:version/oldest", to("/v9/users"))
	v.Get("/:version/users", answerVersion)
	v.Since("v2").Get("/:version/new", answerVersion)
	v.Get("/:version/:tenant/x", next)
	v.Get("/:tenant/:version/:any", answerVersion)
	v.Neutral().Get("/:version/n/:a/:b", next)
	v.RemovedIn("v2").Get("/:version/n/:any/c", answerVersion)
	s := start(t, app)
	for _, test := range []struct{ target, body, told string }{
		{"/v1/old", "v2", "/:version/users v2 served"},
		{"/v2/older", "not_in_version", "/:version/new v1 not_in_version"},
		{"/v2/oldest", "invalid_url_path_version", "/:version/users  invalid_url_path_version"},
		{"/v1/v2/x", "v2", "/:tenant/:version/:any v2 served"},
		{"/v1/v9/x", "invalid_url_path_version", "/:tenant/:version/:any  invalid_url_path_version"},
		{"/v1/n/b/c", "v1", "/:version/n/:any/c v1 served"},
		{"/v2/n/b/c", "not_in_version", "/:version/n/:any/c v2 not_in_version"},
		{"/v9/n/b/c", "invalid_url_path_version", "/:version/n/:any/c  invalid_url_path_version"},
	} {
		mu.Lock()
		told = nil
		mu.Unlock()
		assert.Contains(t, s.get(t, test.target).body, test.body, test.target)
		mu.Lock()
		assert.Equal(t, []string{test.told}, told, test.target)
		mu.Unlock()
	}
}

// TestRoutesOfOneRequest have options of their own: those of the last one are not for
// all, also where their paths differ in case or in a slash at the end alone.
func TestRoutesOfOneRequest(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.RemovedIn("v2").Get("/:version/x", answerVersion)
	v.Since("v2").Get("/:version/X/", answerVersion)
	v.Neutral().Post("/:version/x", func(c fiber.Ctx) error { return c.Next() })
	v.Post("/:version/:any", answerVersion)
	s := start(t, app)
	assert.Equal(t, "v1", s.get(t, "/v1/x").body)
	assert.Equal(t, 405, s.get(t, "/v2/x").status, "POST is in v2")
	assert.Equal(t, 404, s.do(t, http.MethodPost, "/v9/x").status)
}

// TestTimeout lets a handler go on when its request is answered: nothing reads what it
// writes.
func TestTimeout(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
	goOn, done := make(chan struct{}), make(chan struct{})
	v.Get("/slow", timeout.New(func(c fiber.Ctx) error {
		defer close(done)
		for <-c.Context().Done(); ; c.Locals("late", "yes") {
			select {
			case <-goOn:
				c.Set("X-Late", "yes")
				return nil
			default:
			}
		}
	}, timeout.Config{Timeout: 10 * time.Millisecond}))
	s := start(t, app)
	got := s.get(t, "/slow", "Accept", "application/json; version=v1")
	close(goOn)
	<-done
	assert.Equal(t, 408, got.status)
	assert.Equal(t, "Accept", strings.Join(got.header.Values("Vary"), ", "))
}

// TestLostUserValues has middleware that removes what the check has kept.
func TestLostUserValues(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.AfterCheck(func(c fiber.Ctx) error {
		c.RequestCtx().ResetUserValues()
		return c.Next()
	}).HandleVersions("GET", "/users", versofiber.Handlers{"v1": answerVersion})
	s := start(t, app)
	var got response
	assert.Contains(t, logged(func() { got = s.get(t, "/users", "Api-Version", "v1") }), "user values")
	assert.Equal(t, 500, got.status)
}

// TestHeadHasItsOwnNamespace names a route for GET, to whose name Fiber changes that of a
// route for HEAD on the same path.
func TestHeadHasItsOwnNamespace(t *testing.T) {
	app := fiber.New()
	config := twoVersions
	config.Strict = verso.Strict()
	v := versofiber.New(app, verso.Must(scheme.NewNamespace(config)))
	v.Head("/none", answerVersion)
	v.Namespace("v2").Get("/none", answerVersion).Name("list")
	v.Namespace("v1").Head("/other", answerVersion).Name("head")
	v.Namespace("v2").Get("/other", answerVersion).Name("get")
	v.Namespace("v9").Head("/ended", answerVersion)
	v.Namespace("v2").Get("/ended", answerVersion).Name("list-ended")
	v.Head("/named", answerVersion).Name("v2:same")
	v.Get("/named", answerVersion).Name("v2:same")
	s := start(t, app)
	for path, status := range map[string]int{"/none": 404, "/other": 200, "/ended": 404, "/named": 200} {
		assert.Equal(t, status, s.do(t, http.MethodHead, path).status, path)
	}
	names := make(map[string]string)
	for _, r := range v.Explain().Routes {
		names[r.Method+" "+r.Path] = r.Name
	}
	assert.Equal(t, map[string]string{
		"HEAD /none": "", "GET /none": "v2:list", "HEAD /other": "v1:head", "GET /other": "v2:get",
		"HEAD /ended": "v9:", "GET /ended": "v2:list-ended", "HEAD /named": "v2:same", "GET /named": "v2:same",
	}, names)
}

// TestRestartRoutingInAnotherVersion: a route decides on the request that it gets, also
// if a route before it has decided on what the request was then, observed or not.
func TestRestartRoutingInAnotherVersion(t *testing.T) {
	for name, observe := range map[string]func(context.Context, verso.Observation){"not observed": nil, "observed": func(context.Context, verso.Observation) {}} {
		t.Run(name, func(t *testing.T) {
			config := twoVersions
			config.Observe = observe
			app := fiber.New()
			v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), config))
			v.Get("/from", func(c fiber.Ctx) error {
				c.Request().Header.Set("Api-Version", c.Query("to"))
				c.Path("/to")
				return c.RestartRouting()
			})
			v.Get("/to", answerVersion)
			s := start(t, app)
			assert.Equal(t, "v2", s.get(t, "/from?to=v2", "Api-Version", "v1").body)
			assert.Equal(t, 400, s.get(t, "/from?to=v9", "Api-Version", "v1").status)
		})
	}
}
