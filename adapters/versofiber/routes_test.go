package versofiber_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

var anyVersion = verso.Config{AnyVersion: true}

// answerName answers with the name of the route and the version.
func answerName(c fiber.Ctx) error {
	return c.SendString(c.Route().Name + " " + versofiber.Version(c).String())
}

// TestNamespace reads versions from names: given by Namespace, by Fiber's own
// groups, by the names of routes, and to routes without a name.
func TestNamespace(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewNamespace(twoVersions)))

	v1 := v.Group("/v1").Namespace("v1")
	v1.Get("/users", answerName).Name("user-list").Post("/users", answerName)
	v1.Group("/admin").Get("/users", answerName).Name("admin-list")
	v1.Add([]string{"GET", "PUT"}, "/both", answerName)
	v1.Add([]string{"GET", "PUT"}, "/named", answerName).Name("both")
	v1.All("/all", answerName).Name("all")
	api := v.Namespace("api").Group("/api")
	api.Group("/v2").Namespace("v2").Get("/users", answerName).Name("user-list")
	v.Namespace("v2").Route("/routes", func(r fiber.Router) {
		r.Get("/users", answerName).Name("route-list")
		r.Group("/more").Get("/users", answerName)
	})
	v1.Get("/late", answerName)
	app.Name("by-fiber")
	v.Group("/fiber").Name("v2:").Get("/users", answerName).Name("fiber-list")
	v.Route("/named", func(r fiber.Router) { r.Get("/users", answerName).Name("named-list") }, "v2:")
	v.Get("/own", answerName).Name("v1:own")
	v.Get("/plain", answerName)
	s := start(t, app)

	for _, test := range []struct{ method, target, want string }{
		{"GET", "/v1/users", "v1:user-list v1"},
		{"POST", "/v1/users", " v1"},
		{"GET", "/v1/admin/users", "v1:admin-list v1"},
		{"GET", "/v1/both", " v1"},
		{"PUT", "/v1/both", " v1"},
		{"GET", "/v1/named", " v1"},
		{"PUT", "/v1/named", "v1:both v1"},
		{"DELETE", "/v1/all", " v1"},
		{fiber.DefaultMethods[len(fiber.DefaultMethods)-1], "/v1/all", "v1:all v1"},
		{"GET", "/api/v2/users", "api:v2:user-list v2"},
		{"GET", "/fiber/users", "v2:fiber-list v2"},
		{"GET", "/named/users", "v2:named-list v2"},
		{"GET", "/own", "v1:own v1"},
		{"GET", "/plain", " "},
		{"GET", "/routes/users", "v2:route-list v2"},
		{"GET", "/routes/more/users", " v2"},
		{"GET", "/v1/late", "by-fiber v1"},
	} {
		assert.Equal(t, test.want, s.do(t, test.method, test.target).body, "%s %s", test.method, test.target)
	}
	for name, want := range map[string]string{"v1:user-list": "/v1/users", "api:v2:user-list": "/api/v2/users", "v1:by-fiber": "/v1/late"} {
		link, err := v.Link(verso.Target{Name: name})
		require.NoError(t, err)
		assert.Equal(t, want, link)
	}
	link, err := v.Link(verso.Target{Name: "fiber-list", Version: verso.V("v2")})
	require.NoError(t, err)
	assert.Equal(t, "/fiber/users", link)
}

// TestRouter registers a route by each method.
func TestRouter(t *testing.T) {
	methods := slices.Clone(fiber.DefaultMethods)
	if !slices.Contains(methods, "QUERY") { // which Fiber 3.0 does not have
		methods = append(methods, "QUERY")
	}
	app := fiber.New(fiber.Config{DisableHeadAutoRegister: true, RequestMethods: methods})
	v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	register := map[string]func(string, any, ...any) fiber.Router{
		"GET": v.Get, "HEAD": v.Head, "POST": v.Post, "PUT": v.Put, "DELETE": v.Delete,
		"CONNECT": v.Connect, "OPTIONS": v.Options, "TRACE": v.Trace, "PATCH": v.Patch, "QUERY": v.Query,
	}
	var ran []string
	step := func(name string) fiber.Handler {
		return func(c fiber.Ctx) error {
			ran = append(ran, name)
			return c.Next()
		}
	}
	answer := func(c fiber.Ctx) error {
		c.Set("X-Version", versofiber.Version(c).String())
		return c.SendString(c.Method())
	}
	for method, add := range register {
		require.Equal(t, v.Router(), add("/"+method, step("first"), func(c fiber.Ctx) { _ = c.Next() }, answer))
	}
	v.All("/ALL", answer)
	v.Router().RouteChain("/chain").All(step("all")).RouteChain("/:id").Get(answer)
	handle := app.Handler()
	for method := range register {
		paths := []string{"/" + method, "/ALL"}
		if method == fiber.MethodGet {
			paths = append(paths, "/chain/7")
		}
		for _, path := range paths {
			ran = nil
			ctx := new(fasthttp.RequestCtx)
			ctx.Request.Header.SetMethod(method)
			ctx.Request.SetRequestURI(path + "?version=v2")
			handle(ctx)
			assert.Equal(t, "v2", string(ctx.Response.Header.Peek("X-Version")), "%s %s", method, path)
			assert.Equal(t, path != "/ALL", len(ran) == 1, "%s %s", method, path)
		}
	}
}

// TestDomain gives In the routes of one host, which those of v cannot be limited to.
func TestDomain(t *testing.T) {
	type hosts interface {
		Domain(host string) fiber.Router
	}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	assert.ErrorContains(t, panicked(func() { v.Router().(hosts).Domain("example.com") }),
		"Domain example.com: the router of Routes is for all hosts: give In the router that app.Domain returns")
	of := fiber.Router(app)
	if newer, ok := of.(hosts); ok { // Fiber 3.0 has none
		of = newer.Domain("example.com")
	}
	v.In(of).Group("/api").Get("/users", answerVersion)
	s := start(t, app)
	for version, want := range map[string]string{"v2": "v2", "v9": "invalid_header_version"} {
		assert.Contains(t, s.raw(t, "GET /api/users HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\nApi-Version: "+version+"\r\n\r\n").body, want)
	}
}

// TestSameRoute registers handlers of one route apart, which Fiber joins: the check is
// in front of the one that v has registered.
func TestSameRoute(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
	app.Get("/v1/users", func(c fiber.Ctx) error {
		c.Set("X-Before", versofiber.Version(c).String())
		return c.Next()
	})
	v.Namespace("ns").Get("/v1/users", answerName).Name("users")
	v.Get("/v1/:any", answerName)
	got := start(t, app).get(t, "/v1/users", "Accept", "application/json; version=v2")
	assert.Equal(t, "ns:users v2", got.body)
	assert.Empty(t, got.header.Get("X-Before"))
	assert.Equal(t, []string{"Accept"}, got.header.Values("Vary"))
	link, err := v.Link(verso.Target{Name: "ns:users"})
	require.NoError(t, err)
	assert.Equal(t, "/v1/users", link)
}

// TestTextBehindAParameter: a link is refused only where Fiber would end the value too early.
func TestTextBehindAParameter(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	v.Get("/reports/:name.json", func(c fiber.Ctx) error { return c.SendString(versofiber.Param(c, "name")) }).Name("report")
	client := start(t, app)
	for name, arrives := range map[string]bool{"2026": true, "v1.2": true, "v1.json": false} {
		link, err := v.Link(verso.Target{Name: "report", Params: verso.Params{"name": name}, Version: verso.V("v1")})
		if !arrives {
			require.ErrorIs(t, err, verso.ErrNoReverseMatch)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, name, client.get(t, link).body)
	}
}

// TestMountedApps mounts an app in an app in an app.
func TestMountedApps(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", twoVersions))
	inner, middle, outer := fiber.New(), fiber.New(), fiber.New()
	link := func(c fiber.Ctx) error {
		link, err := versofiber.Link(c, verso.Target{Name: "inner", Params: verso.Params{"id": versofiber.Param(c, "id")}})
		if err != nil {
			return err
		}
		return c.SendString(versofiber.Version(c).String() + " " + link)
	}
	innerRoutes := versofiber.New(inner, api)
	innerRoutes.Get("/users/:id", link).Name("inner")
	outerRoutes := versofiber.New(outer, api)
	outerRoutes.Get("/outer/:id", link).Name("outer")
	innerRoutes.Since("v2").Get("/single/:id", link)
	inner.Get("/plain", func(c fiber.Ctx) error { return c.SendString("plain" + versofiber.Version(c).String()) })
	middle.Use("/inner", inner)
	outerRoutes.Group("/g").Use("/middle", middle)

	_, err := innerRoutes.Link(verso.Target{Name: "inner", Params: verso.Params{"id": 7}})
	require.ErrorContains(t, err, "mounted")
	before, err := outerRoutes.Link(verso.Target{Name: "outer", Params: verso.Params{"id": 7}, Version: verso.V("v1")})
	require.NoError(t, err)
	assert.Equal(t, "/outer/7?version=v1", before)

	s := start(t, outer)
	want := "v2 " + s.url + "/g/middle/inner/users/7?version=v2"
	for _, target := range []string{"/outer/7", "/g/middle/inner/users/7", "/g/middle/inner/single/7"} {
		assert.Equal(t, want, s.get(t, target+"?version=v2").body, target)
		assert.Equal(t, 404, s.get(t, target+"?version=v9").status, target)
	}
	assert.Equal(t, "plain", s.get(t, "/g/middle/inner/plain?version=v9").body)
	assert.Equal(t, 404, s.get(t, "/g/middle/inner/nowhere?version=v9").status)
	assert.Equal(t, "Method Not Allowed", s.do(t, http.MethodPost, "/g/middle/inner/users/7?version=v9").body)

	outside, err := outerRoutes.Link(verso.Target{Name: "inner", Params: verso.Params{"id": 7}, Version: verso.V("v1")})
	require.NoError(t, err)
	assert.Equal(t, "/g/middle/inner/users/7?version=v1", outside)
	inside, err := innerRoutes.Link(verso.Target{Name: "inner", Params: verso.Params{"id": 7}, Version: verso.V("v1")})
	require.NoError(t, err)
	assert.Equal(t, outside, inside)
	assert.Equal(t, 404, s.get(t, "/g/middle/inner/single/7?version=v1").status, "its options are mounted too")
	for _, r := range innerRoutes.Explain().Routes {
		if r.Pattern == "/g/middle/inner/single/:id" {
			assert.Equal(t, "v2", r.Since)
		}
	}
}

// TestTwoApps has routes of one API in two apps, each with names of its own.
func TestTwoApps(t *testing.T) {
	api := verso.Must(scheme.NewNamespace(twoVersions))
	var servers []*server
	for i := range 2 {
		app := fiber.New()
		versofiber.New(app, api).Get("/users", func(c fiber.Ctx) error {
			link, err := versofiber.Link(c, verso.Target{Name: "other"})
			return c.SendString(fmt.Sprint(versofiber.Version(c), " ", link, " ", err))
		}).Name(fmt.Sprintf("v%d:users", i+1))
		app.Get(fmt.Sprintf("/other%d", i+1), answerName).Name(fmt.Sprintf("v%d:other", i+1))
		servers = append(servers, start(t, app))
	}
	for range 3 {
		for i, s := range servers {
			assert.Equal(t, fmt.Sprintf("v%d %s/other%d <nil>", i+1, s.url, i+1), s.get(t, "/users").body)
		}
	}
}

// TestAnsweredEarly: a handler in front of the last one that answers does so in no version that the check rejects.
func TestAnsweredEarly(t *testing.T) {
	show := func(c fiber.Ctx) error { c.Set("Secret", "yes"); return c.SendString("shown") }
	audit := func(c fiber.Ctx) error { return c.Next() }
	preflights := func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) }
	refuse := func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusUnauthorized) }
	leave := func(c fiber.Ctx) error { c.Path("/maintenance"); return c.RestartRouting() }
	for name, test := range map[string]struct {
		method   string
		handlers []any
		want     [2]string // in v1, and in an unknown version
		isLogged bool
	}{
		"by middleware":     {"GET", []any{show, audit}, [2]string{"^200 yes shown$", "^404  {"}, true},
		"in the middle":     {"POST", []any{audit, show, audit}, [2]string{"^200 yes shown$", "^404  {"}, true},
		"by the handler":    {"GET", []any{audit, show}, [2]string{"^200 yes shown$", "^404  {"}, false},
		"refused":           {"GET", []any{refuse, show}, [2]string{"^401  Unauthorized$", "^401  Unauthorized$"}, false},
		"preflight of CORS": {"OPTIONS", []any{preflights, show}, [2]string{"^204  $", "^204  $"}, false},
		"by another route":  {"GET", []any{leave, show}, [2]string{"^200  maintenance$", "^200  maintenance$"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			app := fiber.New()
			v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{
				AllowedVersions: []string{"v1"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
			v.Add([]string{test.method}, "/:version/users", test.handlers[0], test.handlers[1:]...)
			last := len(test.handlers) - 1
			v.HandleVersions(test.method, "/:version/rooms",
				versofiber.Handlers{"v1": test.handlers[last].(func(fiber.Ctx) error)}, test.handlers[:last]...)
			app.Get("/maintenance", func(c fiber.Ctx) error { return c.SendString("maintenance") })
			for i, path := range []string{"/v1/users", "/v9/users", "/v1/rooms", "/v9/rooms"} {
				response, err := app.Test(httptest.NewRequest(test.method, path, nil))
				require.NoError(t, err)
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
				got := fmt.Sprint(response.StatusCode, " ", response.Header.Get("Secret"), " ", string(body))
				assert.Regexp(t, test.want[i%2], got, path)
			}
			assert.Equal(t, test.isLogged, strings.Contains(log.String(), "code=answered_early"), log.String())
		})
	}
}

// TestAnsweredEarlyBehindRoute: the check of a route that calls the next one does not decide for that one.
func TestAnsweredEarlyBehindRoute(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	next := func(c fiber.Ctx) error { return c.Next() }
	v.Get("/:version/:thing", next)
	v.With(verso.Since("v2")).Get("/:version/users", func(c fiber.Ctx) error { return c.SendString("shown") }, next)
	for path, want := range map[string]int{"/v1/users": http.StatusNotFound, "/v2/users": http.StatusOK} {
		response, err := app.Test(httptest.NewRequest(http.MethodGet, path, nil))
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, want, response.StatusCode, path)
	}
}

// TestMethodChanged: the route is that of the method that middleware has set.
func TestMethodChanged(t *testing.T) {
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error {
		if c.Query("method") != "" {
			c.Method(c.Query("method"))
		}
		return c.Next()
	})
	v := versofiber.New(app, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.Post("/:version/orders", answerVersion)
	s := start(t, app)
	assert.Equal(t, "v1", s.get(t, "/v1/orders?method=POST").body)
	assert.Equal(t, 404, s.get(t, "/v9/orders?method=POST").status)
	assert.Equal(t, 405, s.get(t, "/v1/orders").status)
}

// TestParam reads path parameters: decoded once, with regard to case.
func TestParam(t *testing.T) {
	for _, test := range []struct {
		path, target, name string
		want, unescaped    string // unescaped: with UnescapePath
	}{
		{"/users/:id", "/users/7", "id", "7", "7"},
		{"/users/:id", "/users/7", "ID", "", ""},
		{"/users/:ID", "/users/A", "ID", "A", "A"},
		{"/users/:ID", "/users/A", "id", "", ""},
		{"/users/:id", "/users/7", "none", "", ""},
		{"/users/:id", "/users/a%20b", "id", "a b", "a b"},
		{"/users/:id", "/users/%2561", "id", "%61", "%61"},
		{"/users/:id", "/users/%25zz", "id", "%zz", "%zz"},
		{"/users/:id", "/users/100%25", "id", "100%", "100%"},
		{"/users/:id", "/users/a+b", "id", "a+b", "a b"},
		{"/users/:id", "/users/a%2Bb", "id", "a+b", "a+b"},
		{"/users/:id?", "/users/", "id", "", ""},
		{"/users/:id?", "/users/7", "id", "7", "7"},
		{"/users/:id<int>", "/users/7", "id", "7", "7"},
		{"/flights/:from-:to", "/flights/LAX-SFO", "from", "LAX", "LAX"},
		{"/flights/:from-:to", "/flights/LAX-SFO", "to", "SFO", "SFO"},
		{"/files/*", "/files/a%20b/c", "*", "a b/c", "a b/c"},
		{"/files/*", "/files/a/c", "*1", "a/c", "a/c"},
		{"/files/*", "/files/", "*", "", ""},
		{"/files/+", "/files/a/c", "+", "a/c", "a/c"},
		{"/files/+", "/files/a/c", "*", "", ""},
		{"/a/*/b/*", "/a/1/2/b/3", "*", "1/2", "1/2"},
		{"/a/*/b/*", "/a/1/2/b/3", "*2", "3", "3"},
	} {
		for name, unescape := range map[string]bool{"sent": false, "unescaped": true} {
			for _, immutable := range []bool{false, true} {
				app := fiber.New(fiber.Config{UnescapePath: unescape, Immutable: immutable})
				v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", anyVersion)))
				v.Get(test.path, func(c fiber.Ctx) error { return c.SendString(versofiber.Param(c, test.name)) })
				ctx := new(fasthttp.RequestCtx)
				ctx.Request.SetRequestURI(test.target)
				app.Handler()(ctx)
				want := test.want
				if unescape {
					want = test.unescaped
				}
				assert.Equal(t, 200, ctx.Response.StatusCode(), "%s %s, %s", test.path, test.target, name)
				assert.Equal(t, want, string(ctx.Response.Body()), "%s %s, %s, %s", test.path, test.target, test.name, name)
			}
		}
	}
}

// TestVersionParam determines versions from a path parameter.
func TestVersionParam(t *testing.T) {
	app := fiber.New()
	config := twoVersions
	config.AllowedVersions = []string{"v1", "vé", "3%"}
	api := verso.Must(scheme.NewURLPath("version", config))
	v := versofiber.New(app, api)
	v.Get("/:version/users", answerVersion)
	v.Get("/upper/:VERSION", answerVersion)
	v.Get("/optional/:version?", answerVersion)
	s := start(t, app)
	assert.Equal(t, "v1", s.get(t, "/v%31/users").body)
	assert.Equal(t, "vé", s.get(t, "/v%C3%A9/users").body)
	assert.Equal(t, "3%", s.get(t, "/3%25/users").body)
	assert.Equal(t, 404, s.get(t, "/v%2531/users").status)
	assert.Equal(t, 404, s.get(t, "/V1/users").status)
	assert.Equal(t, 404, s.get(t, "/upper/v1").status, "another parameter")
	assert.Equal(t, "v1", s.get(t, "/optional/v1").body)
	assert.Equal(t, 404, s.get(t, "/optional/").status, "an empty version")

	config.DefaultVersion = verso.V("v1")
	v = versofiber.New(app, verso.MustNew(verso.PathParam("version"), config))
	v.Get("/opt/:version?", answerVersion)
	v.Get("/short/:version<maxLen(2)>?", answerVersion)
	app.RebuildTree()
	for target, want := range map[string]string{"/opt": "v1", "/opt/": "v1", "/opt/3%25": "3%", "/short": "v1", "/short/v1": "v1"} {
		assert.Equal(t, want, s.get(t, target).body, target)
	}
	assert.Equal(t, 404, s.get(t, "/opt/v9").status)
}

// TestPatterns builds a link for each kind of path, and follows it.
func TestPatterns(t *testing.T) {
	exact := fiber.Config{CaseSensitive: true, StrictRouting: true}
	decoded := fiber.Config{UnescapePath: true}
	for _, test := range []struct {
		path   string
		config fiber.Config
		params verso.Params
		want   string // "": it cannot be expressed
	}{
		{"/", fiber.Config{}, nil, "/"},
		{"/users", fiber.Config{}, nil, "/users"},
		{"/users/", fiber.Config{}, nil, "/users/"},
		{"/users/", exact, nil, "/users/"},
		{"users", fiber.Config{}, nil, "/users"},
		{"/Users/:ID", fiber.Config{}, verso.Params{"ID": "A b"}, "/Users/A%20b"},
		{"/Users/:ID", exact, verso.Params{"ID": "a%b"}, "/Users/a%25b"},
		{"/users/:id/", exact, verso.Params{"id": 7}, "/users/7/"},
		{"/:a/:b/:c", fiber.Config{}, verso.Params{"a": 1, "b": 2, "c": 3}, "/1/2/3"},
		{"/users/:id", decoded, verso.Params{"id": "a+b c%41"}, "/users/a%2Bb%20c%2541"},

		{"/files/*", fiber.Config{}, verso.Params{"*": "a/b c"}, "/files/a/b%20c"},
		{"/files/+", fiber.Config{}, verso.Params{"+": "a/b"}, "/files/a/b"},
		{"/*", fiber.Config{}, verso.Params{"*": "a"}, "/a"},
		{"/files*", fiber.Config{}, verso.Params{"*": "a"}, "/filesa"},
		{"/:id/*", fiber.Config{}, verso.Params{"id": 7, "*": "a"}, "/7/a"},
		{"/a/*/b/*", fiber.Config{}, verso.Params{"*": "a", "*2": "b"}, ""},
		{"/a/*/b", fiber.Config{}, verso.Params{"*": "a"}, ""},
		{"/a/+/b", fiber.Config{}, verso.Params{"+": "a"}, ""},

		{"/users/:id?", fiber.Config{}, verso.Params{"id": 7}, ""},
		{"/users/:id?/orders", fiber.Config{}, verso.Params{"id": 7}, ""},
		{"/users/:id<int>", fiber.Config{}, verso.Params{"id": 7}, "/users/7"},
		{"/users/:id<int>?", fiber.Config{}, verso.Params{"id": 7}, ""},
		{"/users/:id<min(1);max(9)>/orders", fiber.Config{}, verso.Params{"id": 7}, "/users/7/orders"},
		{"/users/:id<alpha>", fiber.Config{}, verso.Params{"id": "abc"}, "/users/abc"},
		{`/users/:id<regex(\d+)>`, exact, verso.Params{"id": 7}, "/users/7"},
		{`/users/:id<regex([a-z]{2})>.json`, exact, verso.Params{"id": "ab"}, "/users/ab.json"},
		{`/users/:id<regex((<a>|b)+)>`, exact, verso.Params{"id": "b"}, ""},
		{"/users/:id<int>x/y", fiber.Config{}, verso.Params{"id": 7}, ""},

		{"/flights/:from-:to", fiber.Config{}, verso.Params{"from": "LAX", "to": "SFO"}, "/flights/LAX-SFO"},
		{"/files/:name.:format", fiber.Config{}, verso.Params{"name": "a", "format": "json"}, "/files/a.json"},
		{"/users/@:name", fiber.Config{}, verso.Params{"name": "a"}, "/users/@a"},
		{"/pair/:a:b", fiber.Config{}, verso.Params{"a": "1", "b": "2"}, ""},
		{"/empty/:", fiber.Config{}, verso.Params{"": "1"}, ""},
		{`/v1/\:name`, fiber.Config{}, nil, "/v1/:name"},
		{`/v1/\:id/:id`, fiber.Config{}, verso.Params{"id": "1"}, ""},
		{`/v1/a\:b/:id`, fiber.Config{}, verso.Params{"id": "1"}, "/v1/a:b/1"},
		{`/v1/:id\:undelete`, fiber.Config{}, verso.Params{"id": "1"}, "/v1/1:undelete"},
		{"/v1/::id", fiber.Config{}, verso.Params{"id": "1"}, "/v1/:1"},

		// Fiber compares the path as it is sent.
		{"/a b", fiber.Config{}, nil, ""},
		{"/a%20b", fiber.Config{}, nil, "/a%20b"},
		{"/café/:id", fiber.Config{}, verso.Params{"id": 7}, ""},
		{"/caf%C3%A9", exact, nil, "/caf%C3%A9"},
		{"/caf%c3%a9", exact, nil, ""},
		{"/caf%c3%a9", fiber.Config{}, nil, "/caf%C3%A9"},
		{"/a{b}", fiber.Config{}, nil, ""},
		{"/a!b", exact, nil, "/a!b"},
		{"/100%", fiber.Config{}, nil, ""},
		{`/c\+\+/:id`, fiber.Config{}, verso.Params{"id": 1}, "/c++/1"},

		// It compares the path decoded, a plus as a space.
		{"/café", decoded, nil, "/caf%C3%A9"},
		{"/café/:id", decoded, verso.Params{"id": "a+b"}, ""}, // the plus would be sent as it is
		{"/cafe/:id", decoded, verso.Params{"id": "ü"}, "/cafe/%C3%BC"},
		{"/a b", decoded, nil, "/a%20b"},
		{"/a%20b", decoded, nil, ""},
		{`/c\+\+`, decoded, nil, ""},
	} {
		t.Run(test.path, func(t *testing.T) {
			app := fiber.New(test.config)
			v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", anyVersion)))
			v.Get(test.path, func(c fiber.Ctx) error {
				for name, value := range test.params {
					assert.Equal(t, fmt.Sprint(value), versofiber.Param(c, name))
				}
				return c.SendString("here")
			}).Name("route")
			link, err := v.Link(verso.Target{Name: "route", Params: test.params})
			if test.want == "" {
				require.ErrorIs(t, err, verso.ErrPattern)
				assert.NotErrorIs(t, err, verso.ErrNoReverseMatch)
				assert.ErrorContains(t, err, fmt.Sprintf("%q", "/"+strings.TrimPrefix(test.path, "/")))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, link)
			ctx := new(fasthttp.RequestCtx)
			ctx.Request.SetRequestURI(link)
			app.Handler()(ctx)
			assert.Equal(t, "here", string(ctx.Response.Body()), link)
		})
	}
}

// FuzzPattern registers a route at a random path, and follows the links to it.
func FuzzPattern(f *testing.F) {
	for _, path := range []string{"/users/:id", "/files/*", "/a/:b-:c.:d", `/x\:y/:z<int>/+`, "/:a?", "/a%20é/:b:c", "/::a/*b"} {
		for config := range byte(8) {
			f.Add(path, "value", config)
		}
	}
	f.Fuzz(func(t *testing.T, path, value string, setting byte) {
		app := fiber.New(fiber.Config{CaseSensitive: setting&1 > 0, StrictRouting: setting&2 > 0, UnescapePath: setting&4 > 0})
		v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", anyVersion)))
		params := make(verso.Params)
		if len(path) > 100 || strings.HasSuffix(strings.TrimRight(path, "/"), `\`) || !isRead(func() { // no request reaches a backslash at the end
			v.Get(path, func(c fiber.Ctx) error {
				for name, value := range params {
					assert.Equal(t, value, versofiber.Param(c, name), "%q of %q", name, path)
				}
				return c.SendStatus(fiber.StatusTeapot)
			}).Name("route")
		}) {
			return
		}
		for _, name := range app.GetRoutes(true)[0].Params {
			if name == "*1" || name == "+1" {
				name = name[:1]
			}
			params[name] = value
		}
		link, err := v.Link(verso.Target{Name: "route", Params: params})
		if err != nil || strings.Contains(path, "<") { // constraints are not compared with values
			return
		}
		if strings.HasSuffix(value, "/") { // which Fiber cuts off unless routing is strict
			return
		}
		if strings.ContainsAny(strings.ToLower(value+url.PathEscape(value)+url.QueryEscape(value)), strings.ToLower(path)) || len(params) != len(app.GetRoutes(true)[0].Params) {
			params = nil // Fiber ends a value at the text behind its parameter; or a parameter is there twice
		}
		_, err = url.ParseRequestURI(link)
		require.NoError(t, err)
		ctx := new(fasthttp.RequestCtx)
		ctx.Request.SetRequestURI(link)
		app.Handler()(ctx)
		if params != nil {
			assert.Equal(t, fiber.StatusTeapot, ctx.Response.StatusCode(), "route %q, link %q", path, link)
		}
	})
}

// isRead reports whether Fiber's parser did not panic, as it does for "/:\\".
func isRead(register func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	register()
	return true
}

// TestLinkWithoutVersion builds links to routes that have none, and where the
// request has none.
func TestLinkWithoutVersion(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(scheme.NewURLPath("version", twoVersions)))
	link := func(c fiber.Ctx) error {
		link, err := versofiber.Link(c, verso.Target{Name: "health"})
		return c.SendString(fmt.Sprint(link, " ", err))
	}
	v.Get("/:version/link", link)
	app.Get("/health", link).Name("health")
	s := start(t, app)
	assert.Equal(t, s.url+"/health <nil>", s.get(t, "/v1/link").body)
	assert.Contains(t, s.get(t, "/health").body, verso.ErrNotChecked.Error())
}

// TestHandleVersionsIsForItsRouteOnly: what HandleVersions returns registers other routes as v does.
func TestHandleVersionsIsForItsRouteOnly(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.HandleVersions("GET", "/old", versofiber.Handlers{"v1": answerVersion, "v2": nil}).Get("/users", answerVersion)
	s := start(t, app)
	assert.Equal(t, fiber.StatusNotFound, s.get(t, "/old", "Api-Version", "v2").status)
	assert.Equal(t, "v2", s.get(t, "/users", "Api-Version", "v2").body)
}

// TestInBelowAGroup: the middleware of a group by path runs for the groups below it.
func TestInBelowAGroup(t *testing.T) {
	for _, prefix := range []string{"", "/", "/api", "/api/"} {
		app := fiber.New()
		v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
		group := v.In(app.Group(prefix))
		group.Use(needsA)
		group.In(app.Group("/api/users")).Get("/x", answerName)
		group.Group("/api", needsA).In(app.Group(strings.TrimRight(prefix, "/")+"/api")).Get("/y", answerName)
		response, err := app.Test(httptest.NewRequest(http.MethodGet, "/api/users/x", nil))
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, http.StatusUnauthorized, response.StatusCode, prefix)
		v.In(app.Group("/other", needsA)).In(app.Group("/other/users"))
		assert.ErrorContains(t, panicked(func() { v.In(app.Group("/other", needsA)).In(app.Group("/b")) }), "would lose the middleware")
		for _, other := range []string{"/apis", "/"} {
			if prefix := strings.Trim(prefix, "/"); prefix != "" {
				assert.ErrorContains(t, panicked(func() { group.In(app.Group(other)) }), "would lose the middleware", prefix)
			}
		}
	}
}

// TestRestOfAVersion: other code may have all paths of a version, which for Fiber is the path without a rest, too.
func TestRestOfAVersion(t *testing.T) {
	for path, isTold := range map[string]bool{"/v1/*": true, "/v1/users/*": true, "/v1/rooms/*": false, "/v3/*": false} {
		app := fiber.New()
		v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), twoVersions))
		app.Get(path, answerName)
		v.Get("/:version/users", answerName)
		assert.Equal(t, isTold, slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool {
			return f.Code == "unchecked_versioned" && strings.Contains(f.Message, path)
		}), path)
	}
}

// TestSameRouteBefore: Fiber calls the handlers of other code first, which may answer in any version.
func TestSameRouteBefore(t *testing.T) {
	for name, between := range map[string]string{"joined": "", "apart": "/:version/rooms"} {
		t.Run(name, func(t *testing.T) {
			app := fiber.New()
			v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), twoVersions))
			app.Get("/:version/users", answerName)
			if between != "" {
				v.Get(between, answerName)
			}
			v.Get("/:version/users", answerName)
			e := v.Explain()
			assert.Len(t, slices.DeleteFunc(e.Routes, func(r verso.RouteInfo) bool { return !r.Unchecked }), 1)
			assert.True(t, slices.ContainsFunc(e.Findings, func(f verso.Finding) bool { return f.Code == "unchecked_versioned" }))
		})
	}
}

// TestNameInFront: Name names the route before, so v.Name is not followed by a route.
func TestNameInFront(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), anyVersion))
	v.Get("/:version/a", answerName).Name("a").Get("/:version/b", answerName).Name("b")
	v.Group("/:version/c").Name("c-").Get("/", answerName).Name("all")
	defer func() { assert.ErrorContains(t, recover().(error), "route /:version/d: Name in front of it") }()
	v.Name("d").Get("/:version/d", answerName)
}
