package versofiber_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/log"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// server is an app, served by fasthttp.
type server struct {
	url    string
	client *http.Client
}

func start(tb testing.TB, app *fiber.App) *server {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	return startOn(tb, app, listener, "http://"+listener.Addr().String())
}

func startOn(tb testing.TB, app *fiber.App, listener net.Listener, url string) *server {
	tb.Helper()
	app.Handler()
	go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	s := &server{url, &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	tb.Cleanup(func() {
		s.client.CloseIdleConnections()
		_ = app.ShutdownWithTimeout(time.Second)
	})
	return s
}

type response struct {
	status int
	header http.Header
	body   string
}

// do sends a request. Fields of the header are names and values in turn.
func (s *server) do(tb testing.TB, method, target string, header ...string) response {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), method, s.url+target, http.NoBody)
	require.NoError(tb, err)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Add(header[i], header[i+1])
	}
	got, err := s.client.Do(r)
	require.NoError(tb, err)
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	require.NoError(tb, err)
	return response{got.StatusCode, got.Header, string(body)}
}

func (s *server) get(tb testing.TB, target string, header ...string) response {
	tb.Helper()
	return s.do(tb, http.MethodGet, target, header...)
}

// raw sends text over a connection and returns the response.
func (s *server) raw(tb testing.TB, text string) response {
	tb.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(tb, err)
	defer conn.Close()
	require.NoError(tb, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, text)
	require.NoError(tb, err)
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(tb, err)
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	require.NoError(tb, err)
	return response{got.StatusCode, got.Header, string(body)}
}

// answerVersion answers with the version of the request.
func answerVersion(c fiber.Ctx) error { return c.SendString(versofiber.Version(c).String()) }

func saying(text string) fiber.Handler {
	return func(c fiber.Ctx) error { return c.SendString(text + " " + versofiber.Version(c).String()) }
}

// logged returns what Fiber logs meanwhile.
func logged(do func()) string {
	var text bytes.Buffer
	log.SetOutput(&text)
	defer log.SetOutput(io.Discard)
	do()
	return text.String()
}

// TestAnswerIsNotShared lets middleware of others write to the body of a rejection.
func TestAnswerIsNotShared(t *testing.T) {
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error {
		err := c.Next()
		body := c.Response().Body()
		for i := range body {
			body[i] = 'x'
		}
		return err
	})
	var answers []string
	v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versofiber.Config{
		ErrorHandler: func(_ fiber.Ctx, _ *verso.Error, answer *verso.Answer) error {
			answers = append(answers, string(answer.Body))
			return nil
		},
	})
	v.Get("/seen", answerVersion)
	s := start(t, app)
	s.get(t, "/seen?version=v9")
	s.get(t, "/seen?version=v9")
	require.Len(t, answers, 2)
	assert.Equal(t, answers[0], answers[1])
	assert.True(t, json.Valid([]byte(answers[1])))
}

// TestUnmatched sends requests that Fiber answers itself, behind middleware of a group.
func TestUnmatched(t *testing.T) {
	for name, config := range map[string]fiber.Config{"default": {}, "exact": {CaseSensitive: true, StrictRouting: true}} {
		t.Run(name, func(t *testing.T) {
			app := fiber.New(config)
			v := versofiber.New(app, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
			var seen []string
			v.Group("/g", func(c fiber.Ctx) error {
				before := versofiber.Version(c).String()
				err := c.Next()
				seen = []string{before, versofiber.Version(c).String()}
				return err
			}).Get("/users", answerVersion)
			s := start(t, app)
			other := map[bool]int{true: 404, false: 200}[config.CaseSensitive]
			for _, test := range []struct {
				method, target, version string
				status                  int
				after, allow            string
			}{
				{"GET", "/g/nowhere", "v9", 404, "", ""},
				{"POST", "/g/users", "v9", 405, "", "GET, HEAD"},
				{"OPTIONS", "/g/users", "v9", 405, "", "GET, HEAD"},
				{"HEAD", "/g/users", "v9", 406, "", ""},
				{"GET", "/g/users", "v2", 200, "v2", ""},
				{"GET", "/G/Users/", "v1", other, map[int]string{200: "v1"}[other], ""},
			} {
				seen = []string{"", ""}
				got := s.do(t, test.method, test.target, "Accept", "application/json; version="+test.version)
				assert.Equal(t, test.status, got.status, "%v", test)
				assert.Equal(t, []string{"", test.after}, seen, "%v: known to middleware once the route has run", test)
				assert.Equal(t, test.allow, got.header.Get("Allow"), "%v", test)
			}
		})
	}
}

// failing is a source that cannot read.
type failing struct{ source.Source }

func (failing) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{Outcome: source.Failed, Err: fmt.Errorf("secret: %w", &verso.Error{Status: 200, Message: "secret"})}
}

// TestProgrammingError lets Verso fail: the client learns nothing.
func TestProgrammingError(t *testing.T) {
	app := fiber.New()
	var seen error
	app.Use(func(c fiber.Ctx) error {
		seen = c.Next()
		return seen
	})
	versofiber.New(app, verso.MustNew(failing{verso.QueryParam("version")}, anyVersion)).Get("/users", answerVersion)
	s := start(t, app)
	var got response
	text := logged(func() { got = s.get(t, "/users") })
	assert.Equal(t, 500, got.status)
	assert.Equal(t, "Internal Server Error", got.body)
	require.ErrorIs(t, seen, fiber.ErrInternalServerError)
	assert.NotEmpty(t, text)
}

func TestErrorHandler(t *testing.T) {
	for _, test := range []struct {
		name   string
		handle func(c fiber.Ctx, err *verso.Error, answer *verso.Answer) error
		want   response
	}{
		{"answers", func(c fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
			return c.Status(err.StatusCode()).SendString("no: " + err.Error())
		}, response{404, nil, "no: Invalid version in query parameter."}},
		{"answers without a status", func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			return c.SendString("sorry")
		}, response{404, nil, "sorry"}},
		{"answers without a body", func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			c.Status(410)
			return nil
		}, response{410, nil, ""}},
		{"answers with a stream", func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			return c.SendStreamWriter(func(w *bufio.Writer) { _, _ = w.WriteString("stream") })
		}, response{404, nil, "stream"}},
		{"redirects", func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			return c.Redirect().To("/docs")
		}, response{303, nil, ""}},
		{"returns Fiber's error", func(_ fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
			return fiber.NewError(err.StatusCode(), "no")
		}, response{404, nil, "no"}},
		{"does nothing", func(fiber.Ctx, *verso.Error, *verso.Answer) error { return nil }, response{404, nil, "problem"}},
		{"sets a field only", func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			c.Set("X-Seen", "yes")
			return nil
		}, response{404, nil, "problem"}},
	} {
		for _, before := range []int{200, 299} { // what middleware has set
			t.Run(fmt.Sprint(test.name, "/", before), func(t *testing.T) {
				app := fiber.New()
				app.Use(func(c fiber.Ctx) error {
					c.Status(before)
					return c.Next()
				})
				v := versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versofiber.Config{ErrorHandler: test.handle})
				v.Get("/users", answerVersion)
				got := start(t, app).get(t, "/users?version=v9")
				want := test.want
				assert.Equal(t, want.status, got.status)
				if want.body == "problem" {
					assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
					assert.Contains(t, got.body, `"status":404`)
				} else {
					assert.Equal(t, want.body, got.body)
				}
			})
		}
	}
}

func TestPanics(t *testing.T) {
	app, api := fiber.New(), verso.Must(scheme.NewAcceptHeader("version", twoVersions))
	const none = "versofiber: the app or the versioning is nil: check the error of verso.New"
	v := versofiber.New(app, api)
	for _, test := range []struct {
		name    string
		mistake func()
		want    string
	}{
		{"no versioning", func() { versofiber.New(app, nil) }, none},
		{"no app", func() { versofiber.New(nil, api) }, none},
		{"an empty namespace", func() { v.Namespace("") }, `versofiber: Namespace needs a name, such as "v1"`},
		{"no handler", func() { v.Get("/users", nil) }, "versofiber: route GET /users: a handler is nil: give it one"},
		{"no handler function", func() { v.Get("/users", fiber.Handler(nil)) }, "versofiber: route GET /users: a handler is nil: give it one"},
		{"no middleware", func() { v.Get("/users", nil, answerVersion) }, "versofiber: route GET /users: a handler is nil: give it one"},
		{"no method", func() { v.Add(nil, "/users", answerVersion) }, "versofiber: route /users: there is no method: give it one"},
		{"no middleware after", func() { v.AfterCheck(nil).Get("/users", answerVersion) }, "versofiber: route GET /users: a handler is nil: give it one"},
		{"a parameter in braces", func() { v.Group("/{tenant}").Get("/users", answerVersion) }, "versofiber: route GET /{tenant}/users: Fiber reads {tenant} as text: write :tenant"},
		{"no group", func() { v.In(nil) }, "versofiber: In: the group is nil"},
		{
			"another group behind middleware", func() { v.Group("/a", answerVersion).In(app.Group("/b")) },
			"versofiber: In: the routes would lose the middleware of their group: call it first, and Group on what it returns",
		},
		{
			"another group behind Use", func() {
				v.Use(answerVersion)
				group := v.In(app.Group("/a"))
				group.Use("/c", fiber.New())
				group = group.In(app.Group("/b"))
				group.Use(answerVersion)
				group.In(app.Group("/c"))
			},
			"versofiber: In: the routes would lose the middleware of their group: call it first, and Group on what it returns",
		},
		{
			"a group of another app", func() { v.In(fiber.New().Group("/g")).Get("/users", answerVersion) },
			"versofiber: route GET /users: the group is of another app: give In a group of the app of v",
		},
	} {
		t.Run(test.name, func(t *testing.T) { assert.PanicsWithError(t, test.want, test.mistake) })
	}
}

// TestHeader reads fields of several lines, and in other case.
func TestHeader(t *testing.T) {
	api := verso.Must(scheme.NewAcceptHeader("version", twoVersions))
	for _, disable := range []bool{false, true} {
		app := fiber.New(fiber.Config{DisableHeaderNormalizing: disable})
		versofiber.New(app, api).Get("/users", answerVersion)
		s := start(t, app)
		for _, header := range []string{
			"Accept: application/json; version=v2\r\n",
			"accept: application/json; version=v2\r\n",
			"Accept: text/html;q=0.1\r\nAccept: application/json; version=v2\r\n",
			"accept: text/html;q=0.1\r\naccept: application/json; version=v2\r\n",
		} {
			got := s.raw(t, "GET /users HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n"+header+"\r\n")
			assert.Equal(t, "v2", got.body, "normalizing disabled: %v, %q", disable, header)
		}
		assert.Equal(t, 406, s.raw(t, "GET /users HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n").status)
	}
}

// TestQueryIsRewritten lets a middleware change the query before the route.
func TestQueryIsRewritten(t *testing.T) {
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error {
		c.Request().URI().SetQueryString("version=v2")
		return c.Next()
	})
	versofiber.New(app, verso.Must(scheme.NewQueryParameter("version", twoVersions))).Get("/users", answerVersion)
	assert.Equal(t, "v2", start(t, app).get(t, "/users?version=v1#version=v9").body)
}

// customCtx is a context of the user's own.
type customCtx struct {
	*fiber.DefaultCtx
}

func TestCustomContext(t *testing.T) {
	app := fiber.NewWithCustomCtx(func(app *fiber.App) fiber.CustomCtx {
		return &customCtx{fiber.NewDefaultCtx(app)}
	})
	v := versofiber.New(app, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.Get("/:version/users/:id", func(c fiber.Ctx) error {
		assert.IsType(t, &customCtx{}, c)
		link, err := versofiber.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 8}})
		return errors.Join(err, c.SendString(versofiber.Version(c).String()+versofiber.Param(c, "id")+link))
	}).Name("user")
	s := start(t, app)
	assert.Equal(t, "v27"+s.url+"/v2/users/8", s.get(t, "/v2/users/7").body)
	assert.Equal(t, 404, s.get(t, "/v9/users/7").status)
}

// A route for /users/* has the path /users in Fiber: as for other routes of Fiber's own, no version
// counts there.
func TestBesideRests(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.Post("/:id", answerVersion)
	app.Delete("/users/*", answerVersion)
	app.Use(v.NotFound())
	s := start(t, app)
	for target, status := range map[string]int{"/users": 405, "/users/7": 405, "/rooms": 400} {
		assert.Equal(t, status, s.do(t, http.MethodPut, target, "Api-Version", "v9").status, target)
	}
}

// TestOptionalParameters serves patterns that links cannot be built from, in the version that stands in front
// of what is not understood, and Explain does not say that they lack the parameter with it.
func TestOptionalParameters(t *testing.T) {
	config := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, SuccessorLinks: true, Versions: []catalogue.Entry{
		{Version: "v0", Sunset: catalogue.MustDate("2020-01-01"), Successor: "v1"}, {Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Successor: "v2"}, {Version: "v2"},
	}})}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathPrefix("/{version}"), config))
	v.EachVersion().Get("/things/:id?", func(c fiber.Ctx) error { return c.SendString(c.Params("id") + versofiber.Version(c).String()) })
	s := start(t, app)
	for target, want := range map[string]string{"/v1/things": "200 v1", "/v1/things/7": "200 7v1", "/v2/things/7": "200 7v2", "/v0/things": "410 ", "/v0/things/7": "410 "} {
		got := s.get(t, target)
		assert.True(t, strings.HasPrefix(fmt.Sprint(got.status, " ", got.body), want), "%s: %d %s", target, got.status, got.body)
	}
	for _, finding := range v.Explain().Findings {
		assert.NotContains(t, finding.Code, "prefix_", finding.Message)
	}

	v = versofiber.New(fiber.New(), verso.MustNew(verso.PathParam("version"), config))
	v.Get("/:version/things/:id?", answerVersion)
	for _, finding := range v.Explain().Findings {
		assert.NotContains(t, finding.Code, "param", finding.Message)
	}
}

// TestAllowOfHead: a 405 names HEAD where Fiber answers it.
func TestAllowOfHead(t *testing.T) {
	for disabled, want := range map[bool]string{false: "GET, HEAD", true: "GET"} {
		app := fiber.New(fiber.Config{DisableHeadAutoRegister: disabled})
		v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
		v.Get("/x", answerName)
		v.Since("v2").Post("/x", answerName)
		got := start(t, app).do(t, "POST", "/x", "Api-Version", "v1")
		assert.Equal(t, http.StatusMethodNotAllowed, got.status)
		assert.Equal(t, want, got.header.Get("Allow"))
	}
}
