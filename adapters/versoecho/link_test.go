package versoecho_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) echo.HandlerFunc {
	return func(c echo.Context) error {
		link, err := versoecho.Link(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}

func TestLinkFindsEchosNames(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewURLPath("version", twoVersions))).Middleware())
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Params: verso.Params{"*": "a/b c.txt"}}))
	e.GET("/:version/ambiguous", answerLink(verso.Target{Name: "twice"}))
	e.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	e.GET("/:version/users/:id", answerVersion).Name = "user"
	e.PUT("/:version/users/:id", answerVersion).Name = "user"
	e.GET("/:version/files/*", answerVersion).Name = "files"
	e.GET("/:version/one", answerVersion).Name = "twice"
	e.GET("/:version/two", answerVersion).Name = "twice"

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, e, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, e, http.MethodGet, "/v2/files", header).body)
	ambiguous := send(t, e, http.MethodGet, "/v1/ambiguous", header).body
	assert.Contains(t, ambiguous, "/:version/one")
	assert.Contains(t, ambiguous, "/:version/two")
	assert.Contains(t, send(t, e, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	e.GET("/:version/added", answerVersion).Name = "late"
	assert.Equal(t, "http://api.example.com/v1/added", send(t, e, http.MethodGet, "/v1/late", header).body)
}

func TestLinkOnHosts(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	users, shop := verso.Target{Name: "users"}, verso.Target{Name: "shop"}
	e.GET("/here", answerLink(users))
	e.GET("/users", answerVersion).Name = "users"
	one := e.Host("one.example")
	one.GET("/here", answerLink(users))
	one.GET("/people", answerVersion).Name = "users"
	one.GET("/shop", answerLink(shop)).Name = "shop"
	two := e.Host("two.example")
	two.GET("/here", answerLink(shop))
	for _, test := range []struct{ name, host, target, want string }{
		{"the default router's", "any.example", "/here", "http://any.example/users"},
		{"the host's own", "one.example", "/here", "http://one.example/people"},
		{"another host's", "two.example", "/here", "http://one.example/shop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, send(t, e, http.MethodGet, test.target, http.Header{"Host": {test.host}}).body)
		})
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
			e := echo.New()
			e.Use(versoecho.New(e, verso.Must(scheme.NewAcceptHeader("version", verso.Config{Links: test.links}))).Middleware())
			e.GET("/users", answerLink(verso.Target{Name: "users"})).Name = "users"
			got := send(t, e, http.MethodGet, "/users", http.Header{
				"Host": {"api.example.com"}, "X-Forwarded-Host": {"front.example"}, "X-Forwarded-Proto": {"https"},
			})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestLinkOutsideOfARequest(t *testing.T) {
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}
	for origin, want := range map[string]string{"": "/v2/users/7", "https://api.example.com": "https://api.example.com/v2/users/7"} {
		config := twoVersions
		config.Links.Origin = origin
		e := echo.New()
		v := versoecho.New(e, verso.Must(scheme.NewURLPath("version", config)))
		e.GET("/:version/users/:id", answerVersion).Name = "user"
		link, err := v.Link(target)
		require.NoError(t, err)
		assert.Equal(t, want, link)

		_, err = v.Link(verso.Target{Name: "late"})
		require.ErrorIs(t, err, verso.ErrNoReverseMatch)
		e.GET("/late", answerVersion).Name = "late"
		link, err = v.Link(verso.Target{Name: "late"})
		require.NoError(t, err)
		assert.Equal(t, origin+"/late", link)
	}
}

// curious is a source that takes all that a request has for the version.
type curious struct{ verso.Source }

func (curious) Read(r verso.Request, _ *verso.ServedVersions) verso.Reading {
	accept, _ := r.Header("Accept")
	_, missing := r.Header("X-Missing")
	id, _ := r.PathParam("id")
	_, ID := r.PathParam("ID")
	read := fmt.Sprint(r.Method(), r.Secure(), r.Host(), r.RawQuery(), accept, missing, id, ID, r.Route().Name, r.Context() != nil)
	return verso.Reading{Outcome: verso.Found, Text: read}
}

func TestSourceReadsTheRequest(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(verso.New(curious{verso.QueryParam("version")}, verso.Config{}))).Middleware())
	e.GET("/users/:id", answerVersion).Name = "api:v2:user"
	header := http.Header{"Accept": {"text/csv", "text/html;q=0.5"}, "Host": {"api.example.com"}, "X-Forwarded-Proto": {"https"}}
	want := fmt.Sprint("GET", false, "api.example.com", "q=%38", "text/csv, text/html;q=0.5", false, "7 ü", false, "api:v2:user", true)
	assert.Equal(t, want, send(t, e, http.MethodGet, "/users/%37%20%C3%BC?q=%38", header).body)
}

// Whatever the route and the parameters: a URL that is built leads to the route,
// whose handler sees these parameters, or it is not built.
func FuzzLink(f *testing.F) {
	f.Add("/users/:id", "7", "")
	f.Add("/:version/users/:id", "v1", "a b+c%2F")
	f.Add("/files/*", "a/b c/", "")
	f.Add(`/a\:b/x:id/é/:version`, "!'()*", "\xff\x00?#")
	f.Add("/gr\u00f6\u00dfe/:a/*", "1+1", "x!")
	f.Add("/files/:a/*", "a", "../x")
	f.Add("users:a", ".", "..")
	f.Fuzz(func(t *testing.T, pattern, first, second string) {
		if star := strings.IndexByte(pattern, '*'); star >= 0 && star < len(pattern)-1 {
			return // Echo takes text behind the star for a name, and for text
		}
		e := echo.New()
		v := versoecho.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{})))
		var arrived map[string]string
		var version verso.Version
		handler := func(c echo.Context) error {
			arrived, version = make(map[string]string), versoecho.Version(c)
			for _, name := range c.ParamNames() {
				arrived[name] = versoecho.Param(c, name)
			}
			return c.NoContent(http.StatusOK)
		}
		if !registers(func() { v.GET(pattern, handler).Name = "r" }) {
			return
		}
		names := regexp.MustCompile(`\\:|:[^/]*|\*`).FindAllString(pattern, -1)
		names = slices.DeleteFunc(names, func(name string) bool { return name == `\:` })
		params, sent := make(verso.Params), make(map[string]string)
		for i, name := range names {
			name = strings.TrimPrefix(name, ":")
			sent[name] = []string{first, second}[i%2]
			params[name] = sent[name]
		}
		if len(sent) < len(names) {
			return // no parameters by name can fit
		}

		path, err := v.Link(verso.Target{Name: "r", Params: params})
		if err != nil {
			if errors.Is(err, verso.ErrPattern) {
				return // syntax of other routers, such as ":id<int>"
			}
			assert.ErrorIs(t, err, verso.ErrNoReverseMatch)
			assert.False(t, isPlain(first) && isPlain(second), "%v", err)
			return
		}
		require.Equal(t, http.StatusOK, follow(t, e, path), "path %q", path)
		assert.Equal(t, sent, arrived, "path %q", path)
		if text, ok := sent["version"]; ok {
			assert.Equal(t, verso.V(text), version, "path %q", path)
		}
	})
}

// follow sends a request for a path that was built, read as from the wire, and
// returns the status.
func follow(t *testing.T, handler http.Handler, path string) int {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + path + " HTTP/1.1\r\nHost: example.com\r\n\r\n")))
	require.NoError(t, err, "path %q", path)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Code
}

// registers reports whether a router takes a route, which it rejects by a panic.
func registers(register func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	register()
	return
}

// isPlain reports whether text can stand in each place of a path.
var isPlain = regexp.MustCompile(`^[a-z0-9]+$`).MatchString
