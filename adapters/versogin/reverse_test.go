package versogin_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) gin.HandlerFunc {
	return func(c *gin.Context) {
		link, err := versogin.Reverse(c, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		c.String(http.StatusOK, link)
	}
}

func TestReverseFindsNames(t *testing.T) {
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(verso.Must(verso.NewURLPath(twoVersions)), versogin.WithRoutes(routes)))
	r.GET("/:version/here", answerLink(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}))
	r.GET("/:version/folder", answerLink(verso.Target{Name: "files", Kwargs: verso.Kwargs{"path": "/a/b c.txt"}}))
	r.GET("/:version/colon", answerLink(verso.Target{Name: "colon"}))
	r.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	versioned := routes.Group("/:version")
	versioned.Name("user").GET("/users/:id", answerVersion).PUT("/users/:id", answerVersion)
	versioned.Name("files").GET("/files/*path", answerVersion)
	versioned.Name("colon").GET(`/users\:all`, answerVersion)

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, r, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, r, http.MethodGet, "/v2/folder", header).body)
	assert.Equal(t, "http://api.example.com/v2/users:all", send(t, r, http.MethodGet, "/v2/colon", header).body)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/v2/users:all", header).body)
	assert.Contains(t, send(t, r, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	versioned.Name("late").GET("/added", answerVersion)
	assert.Equal(t, "http://api.example.com/v1/added", send(t, r, http.MethodGet, "/v1/late", header).body)
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
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			routes := versogin.NewRoutes(r)
			r.Use(versogin.New(verso.Must(verso.NewAcceptHeader(verso.Settings{})),
				versogin.WithRoutes(routes), versogin.WithLinks(test.links)))
			routes.Name("users").GET("/users", answerLink(verso.Target{Name: "users"}))
			got := send(t, r, http.MethodGet, "/users", http.Header{"Host": {"api.example.com"}})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestReverseOutsideOfARequest(t *testing.T) {
	routes := versogin.NewRoutes(gin.New())
	routes.Name("user").GET("/:version/users/:id", answerVersion)
	reverse := versogin.NewReverse(verso.Must(verso.NewURLPath(twoVersions)), versogin.WithRoutes(routes),
		versogin.WithLinks(verso.LinkConfig{Origin: "https://api.example.com"}))
	link, err := reverse(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")})
	require.NoError(t, err)
	assert.Equal(t, "https://api.example.com/v2/users/7", link)
}

// curious is a scheme whose Reverse reads what a request has.
type curious struct{ *verso.Base }

func (curious) DetermineVersion(verso.Request) (verso.Version, error) { return verso.V("v1"), nil }

func (curious) Reverse(r verso.Request, _ verso.Reverser, _ verso.Target) (string, error) {
	accepted, _ := r.AcceptedMediaType()
	param, _ := r.PathParam("id")
	query, _ := r.QueryParam("q")
	return strings.Join([]string{accepted, param, query, r.Namespace(), r.Host(), r.Version().String()}, " "), nil
}

func TestReverseOfASchemeReadsTheRequest(t *testing.T) {
	base, err := verso.NewBase("CuriousVersioning", verso.Settings{})
	require.NoError(t, err)
	header := http.Header{"Accept": {"text/csv"}, "Host": {"api.example.com"}}
	const want = "text/csv 7 8 api:v2 api.example.com v1"
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(curious{base}, versogin.WithRoutes(routes)))
	routes.Namespace("api").Namespace("v2").Name("user").GET("/users/:id", answerLink(verso.Target{}))
	assert.Equal(t, want, send(t, r, http.MethodGet, "/users/7?q=8", header).body)
}

// Whatever the route and the arguments: a URL that is built leads to the route,
// whose handler sees these arguments, or the arguments were refused. So it is
// also when Gin cuts the arguments from the path as it was sent.
func FuzzReverse(f *testing.F) {
	f.Add("/users/:id", false, "7", "")
	f.Add("/:version/users/:id", true, "v1", "a b+c%2F")
	f.Add("/files/*path", true, "/a/b c/", "")
	f.Add("/files/*path", false, "a+b", "")
	f.Add(`/a\:b/x:id/é/:version`, false, "!'()*", "\xff\x00?#")
	f.Add("/gr\u00f6\u00dfe/:a/*rest", true, "1+1", "x!")
	f.Add("/files/:a/*rest", true, "a", "../x")
	f.Add("users/:a", false, ".", "..")
	f.Fuzz(func(t *testing.T, pattern string, raw bool, first, second string) {
		r := gin.New()
		r.UseRawPath = raw
		routes := versogin.NewRoutes(r)
		scheme := verso.Must(verso.NewURLPath(verso.Settings{}))
		r.Use(versogin.New(scheme, versogin.WithRoutes(routes)))
		var arrived map[string]string
		var version verso.Version
		handler := func(c *gin.Context) {
			arrived, version = make(map[string]string), versogin.Version(c)
			for _, param := range c.Params {
				if strings.HasSuffix(c.FullPath(), "/*"+param.Key) {
					param.Value = strings.TrimPrefix(param.Value, "/")
				}
				arrived[param.Key] = param.Value
			}
		}
		if !registers(func() { routes.Name("r").GET(pattern, handler) }) {
			return
		}
		kwargs, sent := make(verso.Kwargs), make(map[string]string)
		names := regexp.MustCompile(`\\:|(?s):[^/]*|\*.*`).FindAllString(pattern, -1)
		names = slices.DeleteFunc(names, func(name string) bool { return name == `\:` })
		for i, name := range names {
			value := []string{first, second}[i%2]
			kwargs[name[1:]] = value
			if name[0] == '*' {
				value = strings.TrimPrefix(value, "/")
			}
			sent[name[1:]] = value
		}
		if len(sent) < len(names) {
			return // no arguments by name can fit
		}

		path, err := versogin.NewReverse(scheme, versogin.WithRoutes(routes))(verso.Target{Name: "r", Kwargs: kwargs})
		if err != nil {
			assert.ErrorIs(t, err, verso.ErrNoReverseMatch)
			assert.False(t, isPlain(first) && isPlain(second), "%v", err)
			return
		}
		require.Equal(t, http.StatusOK, follow(t, r, path), "path %q", path)
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

// registers reports whether a router takes a route, which it refuses by a panic.
func registers(register func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	register()
	return
}

// isPlain reports whether text can stand in each place of a path.
var isPlain = regexp.MustCompile(`^[a-z0-9]+$`).MatchString
