package versoecho5_test

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

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) echo.HandlerFunc {
	return func(c *echo.Context) error {
		link, err := versoecho5.Link(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}

func TestLinkFindsEchosNames(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewURLPath("version", twoVersions))))
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Params: verso.Params{"*": "a/b c.txt"}}))
	e.GET("/:version/relative", answerLink(verso.Target{Name: "relative"}))
	e.GET("/:version/ambiguous", answerLink(verso.Target{Name: "twice"}))
	e.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	add(t, e, http.MethodGet, "/:version/users/:id", answerVersion, "user")
	add(t, e, http.MethodPut, "/:version/users/:id", answerVersion, "user")
	add(t, e, http.MethodGet, "/:version/files/*", answerVersion, "files")
	add(t, e, http.MethodGet, ":version", answerVersion, "relative")
	add(t, e, http.MethodGet, "/:version/one", answerVersion, "twice")
	add(t, e, http.MethodGet, "/:version/two", answerVersion, "twice")

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, e, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, e, http.MethodGet, "/v2/files", header).body)
	assert.Equal(t, "http://api.example.com/v1", send(t, e, http.MethodGet, "/v1/relative", header).body)
	ambiguous := send(t, e, http.MethodGet, "/v1/ambiguous", header).body
	assert.Contains(t, ambiguous, "/:version/one")
	assert.Contains(t, ambiguous, "/:version/two")
	assert.Contains(t, send(t, e, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	add(t, e, http.MethodGet, "/:version/added", answerVersion, "late")
	assert.Equal(t, "http://api.example.com/v1/added", send(t, e, http.MethodGet, "/v1/late", header).body)
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
	e.Use(check(e, verso.Must(verso.New(curious{verso.QueryParam("version")}, verso.Config{}))))
	add(t, e, http.MethodGet, "/users/:id", answerVersion, "api:v2:user")
	header := http.Header{"Accept": {"text/csv", "text/html;q=0.5"}, "Host": {"api.example.com"}, "X-Forwarded-Proto": {"https"}}
	want := fmt.Sprint("GET", false, "api.example.com", "q=%38", "text/csv, text/html;q=0.5", false, "7 ü", false, "api:v2:user", true)
	assert.Equal(t, want, send(t, e, http.MethodGet, "/users/%37%20%C3%BC?q=%38", header).body)
}

func TestOriginFuncReadsTheRequest(t *testing.T) {
	config := twoVersions
	config.Links.OriginFunc = func(r verso.Request) string {
		id, _ := r.PathParam("id")
		return "https://" + id + ".example"
	}
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewNamespace(config))))
	add(t, e, http.MethodGet, "/users", answerVersion, "v1:users")
	add(t, e, http.MethodGet, "/here/:id", answerLink(verso.Target{Name: "users"}), "v1:here")
	assert.Equal(t, "https://a.example/users", send(t, e, http.MethodGet, "/here/a", nil).body)
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
			e.Use(check(e, verso.Must(scheme.NewAcceptHeader("version", verso.Config{Links: test.links}))))
			add(t, e, http.MethodGet, "/users", answerLink(verso.Target{Name: "users"}), "users")
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
		v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", config)))
		add(t, e, http.MethodGet, "/:version/users/:id", answerVersion, "user")
		link, err := v.Link(target)
		require.NoError(t, err)
		assert.Equal(t, want, link)

		_, err = v.Link(verso.Target{Name: "late"})
		require.ErrorIs(t, err, verso.ErrNoReverseMatch)
		add(t, e, http.MethodGet, "/late", answerVersion, "late")
		link, err = v.Link(verso.Target{Name: "late"})
		require.NoError(t, err)
		assert.Equal(t, origin+"/late", link)
	}
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
		for _, config := range []echo.RouterConfig{{}, {UnescapePathParamValues: true}, {UseEscapedPathForMatching: true}} {
			checkLink(t, config, pattern, first, second)
		}
	})
}

// checkLink is FuzzLink with an Echo whose router is configured.
func checkLink(t *testing.T, config echo.RouterConfig, pattern, first, second string) {
	t.Helper()
	e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(config)})
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{})))
	var arrived map[string]string
	var version verso.Version
	handler := func(c *echo.Context) error {
		arrived, version = make(map[string]string), versoecho5.Version(c)
		for _, value := range c.PathValues() {
			arrived[value.Name] = versoecho5.Param(c, value.Name)
		}
		return c.NoContent(http.StatusOK)
	}
	var rejected error
	if !registers(func() {
		_, rejected = v.AddRoute(echo.Route{Method: http.MethodGet, Path: pattern, Handler: handler, Name: "r"})
	}) || rejected != nil {
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
