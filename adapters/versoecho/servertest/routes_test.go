package servertest

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

// TestCheckIsInnermost: what runs when of a route of v, and what a rejection passes.
func TestCheckIsInnermost(t *testing.T) {
	var ran []string
	step := func(name string) MiddlewareFunc {
		return func(next HandlerFunc) HandlerFunc {
			return func(c Context) error {
				text := name
				if version := Version(c); !version.IsNone() {
					text += " in " + version.String()
				}
				ran = append(ran, text)
				return next(c)
			}
		}
	}
	e := newEcho()
	v := New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	group := v.AfterCheck(step("after 1")).Group("/g", step("group")).AfterCheck(step("after 2"))
	group.GET("/x", answerVersion, step("route"))
	v.Use(step("engine")) // later, but Echo runs it for all routes
	want(t, e, http.MethodGet, "/g/x?version=v9", nil, http.StatusNotFound, "")
	assert.Equal(t, []string{"engine", "group", "route"}, ran)
	ran = nil
	want(t, e, http.MethodGet, "/g/x?version=v2", nil, http.StatusOK, "v2")
	assert.Equal(t, []string{"engine", "group", "route", "after 1 in v2", "after 2 in v2"}, ran)
}

// TestOptionsOfGroups joins what is said of a group with what is said of a route. What
// is registered with Echo itself has no version.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	e := newEcho()
	v := New(e, api)
	e.GET("/metrics", saying("metrics"))
	v.RemovedIn("v3").Group("/:version").Since("v2").GET("/old", saying("old"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		_, body, _ := request(t, e, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), adapter+": route ")
	}()
	v.Since("v1").Group("/x").Neutral().GET("/c", saying("b"))
}

// request sends a GET over a real connection and returns the status, the body and
// the header.
func request(t *testing.T, handler http.Handler, path string, header ...string) (int, string, http.Header) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(response.Body)
	require.NoError(t, err)
	return response.StatusCode, body.String(), response.Header
}

func TestLinkFindsEchosNames(t *testing.T) {
	e := newEcho()
	e.Use(New(e, verso.Must(scheme.NewURLPath("version", twoVersions))).Middleware())
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Params: verso.Params{"*": "a/b c.txt"}}))
	e.GET("/:version/ambiguous", answerLink(verso.Target{Name: "twice"}))
	e.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	add(t, e, "GET", "/:version/users/:id", answerVersion, "user")
	add(t, e, "PUT", "/:version/users/:id", answerVersion, "user")
	add(t, e, "GET", "/:version/files/*", answerVersion, "files")
	add(t, e, "GET", "/:version/one", answerVersion, "twice")
	add(t, e, "GET", "/:version/two", answerVersion, "twice")

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, e, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, e, http.MethodGet, "/v2/files", header).body)
	ambiguous := send(t, e, http.MethodGet, "/v1/ambiguous", header).body
	assert.Contains(t, ambiguous, "/:version/one")
	assert.Contains(t, ambiguous, "/:version/two")
	assert.Contains(t, send(t, e, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	add(t, e, "GET", "/:version/added", answerVersion, "late")
	assert.Equal(t, "http://api.example.com/v1/added", send(t, e, http.MethodGet, "/v1/late", header).body)
}

func TestLinkOutsideOfARequest(t *testing.T) {
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}
	for origin, want := range map[string]string{"": "/v2/users/7", "https://api.example.com": "https://api.example.com/v2/users/7"} {
		config := twoVersions
		config.Links.Origin = origin
		e := newEcho()
		v := New(e, verso.Must(scheme.NewURLPath("version", config)))
		add(t, e, "GET", "/:version/users/:id", answerVersion, "user")
		link, err := v.Link(target)
		require.NoError(t, err)
		assert.Equal(t, want, link)

		_, err = v.Link(verso.Target{Name: "late"})
		require.ErrorIs(t, err, verso.ErrNoReverseMatch)
		add(t, e, "GET", "/late", answerVersion, "late")
		link, err = v.Link(verso.Target{Name: "late"})
		require.NoError(t, err)
		assert.Equal(t, origin+"/late", link)
	}
}

func TestLinksConfig(t *testing.T) {
	for _, test := range []struct {
		name  string
		links verso.LinkConfig
		want  string
	}{
		{"the request's origin", verso.LinkConfig{}, "http://api.example.com/users"},
		{"fixed origin", verso.LinkConfig{Origin: "https://public.example/api"}, "https://public.example/api/users"},
		{"relative", verso.LinkConfig{Relative: true}, "/users"},
		{"untrusted host", verso.LinkConfig{TrustedHosts: []string{"example.org"}}, "/users"},
		{"trusted host", verso.LinkConfig{TrustedHosts: []string{"*.example.com"}}, "http://api.example.com/users"},
		{
			"origin from the proxy",
			verso.LinkConfig{OriginFunc: func(r verso.Request) string {
				host, _ := r.Header("X-Forwarded-Host")
				return "https://" + host
			}},
			"https://front.example/users",
		},
		{
			"origin of a script",
			verso.LinkConfig{OriginFunc: func(verso.Request) string { return "javascript:alert(1)" }},
			"/users",
		},
		{
			"origin with a line break",
			verso.LinkConfig{OriginFunc: func(verso.Request) string { return "https://example.com\r\nX-Evil: 1" }},
			"/users",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newEcho()
			e.Use(New(e, verso.Must(scheme.NewAcceptHeader("version", verso.Config{Links: test.links}))).Middleware())
			add(t, e, "GET", "/users", answerLink(verso.Target{Name: "users"}), "users")
			got := send(t, e, http.MethodGet, "/users", http.Header{
				"Host": {"api.example.com"}, "X-Forwarded-Host": {"front.example"}, "X-Forwarded-Proto": {"https"},
			})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := newEcho()
	e.Use(New(e, api).Middleware())
	e.GET("/orders", func(c Context) error {
		contentType, err := ContentType(c, "order")
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, contentType, []byte("{}"))
	})
	_, _, header := request(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	v := New(newEcho(), verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	v.GET("/:ver/users", saying("users"))
	explanation := v.Explain()
	require.Len(t, explanation.Routes, 1)
	require.NotEmpty(t, explanation.Findings)
	assert.Equal(t, "param_in_no_route", explanation.Findings[0].Code)
}

// TestClient sees who sent a request in what Observe is told, and that the callback
// comes after the handler.
func TestClient(t *testing.T) {
	told := make(chan verso.Observation, 1)
	config := verso.Config{AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, u verso.Observation) { told <- u }}
	api := verso.Must(scheme.NewURLPath("version", config))
	e := newEcho()
	withClient := Config{Client: func(c Context) string { name, _ := c.Get("user").(string); return name }}
	e.Use(check(e, api, withClient))
	e.GET("/:version/users", func(c Context) error {
		c.Set("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		request(t, e, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: nothing calls Client, since Config.Observe is nil: set it, or remove Client",
		func() {
			New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}

// TestKeepServed has an authentication that says who asks, in front of routes whose
// version has ended, with and without the middleware on the instance. Routes of
// others are not asked about.
func TestKeepServed(t *testing.T) {
	authenticate := func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			c.Set("user", c.Request().Header.Get("Authorization"))
			return next(c)
		}
	}
	after := func() time.Time { return conformance.Sunset }
	for _, withMiddleware := range []bool{false, true} {
		e := newEcho()
		v := New(e, conformance.Retiring(t, after), Config{KeepServed: func(c Context) bool {
			assert.NotEqual(t, "/others", c.Path())
			return c.Get("user") == "our UI"
		}})
		if withMiddleware {
			e.Use(v.Middleware())
		}
		api := v.Group("/api", authenticate)
		api.GET("/users", answerVersion)
		api.Choose("GET", "/rooms", Handlers{"v1": answerVersion, "v2": nil})
		e.GET("/others", answerVersion)
		for _, test := range []struct {
			target, user string
			status       int
		}{
			{"/api/users", "our UI", http.StatusOK},
			{"/api/rooms", "our UI", http.StatusOK},
			{"/api/users", "somebody", http.StatusGone},
			{"/api/rooms", "", http.StatusGone},
		} {
			got := send(t, e, http.MethodGet, test.target, http.Header{"Authorization": {test.user}, "Api-Version": {"v1"}})
			assert.Equal(t, test.status, got.status, "%s of %q", test.target, test.user)
			assert.Equal(t, conformance.FieldsOfV1["Sunset"], got.header["Sunset"])
			if test.status == http.StatusOK {
				assert.Equal(t, "v1", got.body)
			}
		}
		got := send(t, e, http.MethodGet, "/others", http.Header{"Api-Version": {"v1"}})
		assert.Equal(t, withMiddleware, got.status == http.StatusGone, "of others")
	}
}

// TestFields sends requests in v1 on the paths that only Echo has for a response: its
// errors, its middleware, what it answers by itself.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(conformance.Deprecated)
	api := conformance.Retiring(t, clock.Now)
	ofV1, none, gone := conformance.FieldsOfV1, make(http.Header), maps.Clone(conformance.FieldsOfV1)
	for name := range ofV1 {
		none[name] = nil
	}
	gone["Api-Version"], gone["Api-Deprecated-Versions"] = nil, nil
	zipped := func(fields http.Header) http.Header {
		fields = maps.Clone(fields)
		fields["Vary"] = []string{"Accept-Encoding, Api-Version"}
		return fields
	}
	for kind, handleError := range map[string]func(Context, *verso.Error, *verso.Answer) error{"problem": WriteProblem, "Echo's": nil} {
		e := newEcho()
		quiet(e)
		v := New(e, api, Config{ErrorHandler: handleError})
		e.Use(gzipWith(GzipConfig{Skipper: func(c Context) bool { return c.Path() != "/gzip" }}),
			recoverWith(RecoverConfig{DisablePrintStack: true}), v.Middleware())
		for path, handler := range map[string]HandlerFunc{
			"/gzip":    answerVersion,
			"/refuses": func(Context) error { return NewHTTPError(http.StatusUnprocessableEntity, "handler") },
			"/fails":   func(Context) error { return errors.New("handler") },
			"/panics":  func(Context) error { panic("handler") },
		} {
			e.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
		}
		v.Neutral().GET("/health", answerVersion)

		for _, test := range []struct {
			name, method, path string
			now                time.Time
			status             int
			want               http.Header
		}{
			{"4xx of the handler", "GET", "/refuses", conformance.Deprecated, 422, ofV1},
			{"4xx of the handler to HEAD", "HEAD", "/refuses", conformance.Deprecated, 422, ofV1},
			{"5xx of the handler", "GET", "/fails", conformance.Deprecated, 500, ofV1},
			{"panic", "GET", "/panics", conformance.Deprecated, 500, ofV1},
			{"OPTIONS that Echo answers", "OPTIONS", "/health", conformance.Deprecated, 204, none},
			{"gzip", "GET", "/gzip", conformance.Deprecated, 200, zipped(ofV1)},
			{"gzip, gone", "GET", "/gzip", conformance.Sunset, 410, zipped(gone)},
		} {
			t.Run(kind+"/"+test.name, func(t *testing.T) {
				clock.Set(test.now)
				got := send(t, e, test.method, test.path, http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}})
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(c Context) error {
		link, err := Link(c, user)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, Version(c).String()+" "+link)
	}
	for _, test := range conformance.InV2 {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.Source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.LinkConfig{Origin: "http://v1.example.com"},
			}))
			e := newEcho()
			v := New(e, api)
			add(t, v, "GET", test.Route.Path(colon), show, test.Route.FullName())

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), v.Link, user)
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			require.NoError(t, show(c))
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "without the middleware")

			c = e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, Version(c).IsNone())
		})
	}
}

// colon writes a path parameter.
func colon(name string, _ bool) string { return ":" + name }
