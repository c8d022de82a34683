package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) gin.HandlerFunc {
	return func(c *gin.Context) {
		link, err := versogin.Link(c, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		c.String(http.StatusOK, link)
	}
}

func TestLinkFindsNames(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	r.Use(v.Middleware())
	r.GET("/:version/here", answerLink(verso.Target{Name: "user", Params: verso.Params{"id": 7}}))
	r.GET("/:version/folder", answerLink(verso.Target{Name: "files", Params: verso.Params{"path": "/a/b c.txt"}}))
	r.GET("/:version/colon", answerLink(verso.Target{Name: "colon"}))
	r.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	versioned := v.Group("/:version")
	versioned.Name("user").GET("/users/:id", answerVersion).PUT("/users/:id", answerVersion)
	versioned.Name("files").GET("/files/*path", answerVersion)
	versioned.Name("colon").GET(`/users\:all`, answerVersion)
	unescapeColons(r)

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, r, http.MethodGet, "/v1/here", header).Body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, r, http.MethodGet, "/v2/folder", header).Body)
	assert.Equal(t, "http://api.example.com/v2/users:all", send(t, r, http.MethodGet, "/v2/colon", header).Body)
	if readsColons() {
		assert.Equal(t, "v2", send(t, r, http.MethodGet, "/v2/users:all", header).Body)
	}
	assert.Contains(t, send(t, r, http.MethodGet, "/v1/late", header).Body, `no route is called "late"`)
	versioned.Name("late").GET("/added", answerVersion)
	assert.Equal(t, "http://api.example.com/v1/added", send(t, r, http.MethodGet, "/v1/late", header).Body)
}

// unescapeColons makes Gin read `\:` in patterns as it does when it begins to serve:
// before 1.12, by Run alone.
func unescapeColons(r *gin.Engine) { _ = r.Run("no address") }

// readsColons reports whether Gin reads `\:` in patterns, which it does since 1.11.
var readsColons = sync.OnceValue(func() bool {
	r := gin.New()
	r.GET(`/a\:b`, func(*gin.Context) {})
	unescapeColons(r)
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/a:b", nil))
	return w.Code == http.StatusOK
})

// TestOriginFuncReadsTheRequest gives the origin of links what it asks for.
func TestOriginFuncReadsTheRequest(t *testing.T) {
	config := twoVersions
	config.Links.OriginFunc = func(r source.Request) string {
		tenant, _ := r.PathParam("tenant")
		region, _ := r.Header("Region")
		if assert.Nil(t, r.Route()) && assert.IsType(t, (*gin.Context)(nil), r.Unwrap()) && assert.NoError(t, r.Context().Err()) {
			return "https://" + tenant + "." + region + "." + r.Host()
		}
		return ""
	}
	r := gin.New()
	v := versogin.New(r, verso.Must(scheme.NewQueryParameter("version", config)))
	r.Use(v.Middleware())
	v.Name("home").GET("/in/:tenant", answerLink(verso.Target{Name: "home", Params: verso.Params{"tenant": "acme"}}))
	got := send(t, r, http.MethodGet, "/in/acme?version=v1", http.Header{"Region": {"eu"}, "Host": {"example.com"}})
	assert.Equal(t, "https://acme.eu.example.com/in/acme?version=v1", got.Body)
}

// Whatever the route and the parameters: a URL that is built leads to the route,
// whose handler sees these parameters, or there is none for them. So it is also
// when Gin cuts the parameters from the path as it was sent.
func FuzzLink(f *testing.F) {
	f.Add("/users/:id", false, "7", "")
	f.Add("/:version/users/:id", true, "v1", "a b+c%2F")
	f.Add("/files/*path", true, "/a/b c/", "")
	f.Add("/files/*path", false, "a+b", "")
	f.Add(`/a\:b/x:id/é/:version`, false, "!'()*", "\xff\x00?#")
	f.Add("/gr\u00f6\u00dfe/:a/*rest", true, "1+1", "x!")
	f.Add("/files/:a/*rest", true, "a", "../x")
	f.Add("users/:a", false, ".", "..")
	f.Fuzz(func(t *testing.T, pattern string, raw bool, first, second string) {
		if strings.Contains(pattern, `\:`) && !readsColons() {
			return
		}
		for _, decoding := range decodings() {
			if decoding.raw != raw || decoding.removeExtraSlash {
				continue
			}
			if fixed := (&url.URL{Path: pattern}).EscapedPath(); decoding.escaped && fixed != pattern {
				continue // Gin compares fixed text with the encoded path, and finds no such route
			}
			checkLink(t, decoding, pattern, first, second)
		}
	})
}

func checkLink(t *testing.T, decoding decoding, pattern, first, second string) {
	t.Helper()
	r := decoding.newEngine()
	v := versogin.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true})))
	r.Use(v.Middleware())
	conformance.CheckLink(t, r, v.Link, first, second, func(got func(map[string]string, verso.Version)) (names []string) {
		v.Name("r").GET(pattern, func(c *gin.Context) {
			params := make(map[string]string)
			for _, param := range c.Params {
				params[param.Key] = versogin.Param(c, param.Key)
			}
			got(params, versogin.Version(c))
		})
		cleaned := r.Routes()[0].Path
		unescapeColons(r)
		for _, name := range regexp.MustCompile(`\\:|(?s):[^/]*|\*.*`).FindAllString(cleaned, -1) {
			if name != `\:` {
				names = append(names, strings.TrimPrefix(name, ":"))
			}
		}
		return names
	})
}
