package versoecho5_test

import (
	"bufio"
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
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) echo.HandlerFunc {
	return func(c *echo.Context) error {
		link, err := versoecho5.Reverse(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}

func TestReverseFindsEchosNames(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(twoVersions))))
	user := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Kwargs: verso.Kwargs{"*": "a/b c.txt"}}))
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

// curious is a scheme that reads all of a request when it reverses.
type curious struct {
	*verso.Base
	seen *[]string
}

func (curious) DetermineVersion(verso.Request) (verso.Version, error) { return verso.V("v1"), nil }

func (s curious) Reverse(r verso.Request, reverser verso.Reverser, target verso.Target) (string, error) {
	accepted, _ := r.AcceptedMediaType()
	param, _ := r.PathParam("id")
	query, _ := r.QueryParam("q")
	*s.seen = []string{accepted, param, query, r.Namespace(), r.Host(), r.Version().String()}
	return reverser.Reverse(r, target)
}

func TestReversingSchemeReadsTheRequest(t *testing.T) {
	var seen []string
	e := echo.New()
	e.Use(versoecho5.Middleware(curious{verso.Must(verso.NewBase("Curious", verso.Settings{})), &seen}))
	add(t, e, http.MethodGet, "/users/:id", answerLink(verso.Target{Name: "x"}), "api:v3:user")
	send(t, e, http.MethodGet, "/users/7?q=a%20b", http.Header{"Host": {"api.example.com"}, "Accept": {"text/plain"}})
	assert.Equal(t, []string{"text/plain", "7", "a b", "api:v3", "api.example.com", "v1"}, seen)
}

func TestLinks(t *testing.T) {
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
			verso.LinkConfig{OriginFunc: func(r *http.Request) string { return "https://" + r.Header.Get("X-Forwarded-Host") }},
			"https://front.example/users",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := echo.New()
			e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
				Scheme: verso.Must(verso.NewAcceptHeader(verso.Settings{})),
				Links:  test.links,
			}))
			add(t, e, http.MethodGet, "/users", answerLink(verso.Target{Name: "users"}), "users")
			got := send(t, e, http.MethodGet, "/users", http.Header{
				"Host": {"api.example.com"}, "X-Forwarded-Host": {"front.example"}, "X-Forwarded-Proto": {"https"},
			})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestReverseOutsideOfARequest(t *testing.T) {
	e := echo.New()
	add(t, e, http.MethodGet, "/:version/users/:id", answerVersion, "user")
	target := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")}
	config := versoecho5.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))}
	reverse, err := config.ToReverse(e)
	require.NoError(t, err)
	link, err := reverse(target)
	require.NoError(t, err)
	assert.Equal(t, "/v2/users/7", link)

	config.Links.Origin = "https://api.example.com"
	reverse, err = config.ToReverse(e)
	require.NoError(t, err)
	link, err = reverse(target)
	require.NoError(t, err)
	assert.Equal(t, "https://api.example.com/v2/users/7", link)
}

// Whatever the route and the arguments: a URL that is built leads to the route,
// whose handler sees these arguments, or the arguments were refused.
func FuzzReverse(f *testing.F) {
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
			checkReverse(t, config, pattern, first, second)
		}
	})
}

// checkReverse is FuzzReverse with an Echo whose router is configured.
func checkReverse(t *testing.T, config echo.RouterConfig, pattern, first, second string) {
	t.Helper()
	e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(config)})
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(verso.Settings{}))))
	var arrived map[string]string
	var version verso.Version
	handler := func(c *echo.Context) error {
		arrived, version = make(map[string]string), versoecho5.Version(c)
		for _, value := range c.PathValues() {
			arrived[value.Name] = versoecho5.Param(c, value.Name)
		}
		return c.NoContent(http.StatusOK)
	}
	var refused error
	if !registers(func() {
		_, refused = e.AddRoute(echo.Route{Method: http.MethodGet, Path: pattern, Handler: handler, Name: "r"})
	}) || refused != nil {
		return
	}
	reverse, err := versoecho5.Config{Scheme: verso.Must(verso.NewURLPath(verso.Settings{}))}.ToReverse(e)
	require.NoError(t, err)
	names := regexp.MustCompile(`\\:|:[^/]*|\*`).FindAllString(pattern, -1)
	names = slices.DeleteFunc(names, func(name string) bool { return name == `\:` })
	kwargs, sent := make(verso.Kwargs), make(map[string]string)
	for i, name := range names {
		name = strings.TrimPrefix(name, ":")
		sent[name] = []string{first, second}[i%2]
		kwargs[name] = sent[name]
	}
	if len(sent) < len(names) {
		return // no arguments by name can fit
	}

	path, err := reverse(verso.Target{Name: "r", Kwargs: kwargs})
	if err != nil {
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

// registers reports whether a router takes a route, which it refuses by a panic.
func registers(register func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	register()
	return
}

// isPlain reports whether text can stand in each place of a path.
var isPlain = regexp.MustCompile(`^[a-z0-9]+$`).MatchString
