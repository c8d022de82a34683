package snippets

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// versioningOfAPI returns the configuration of a service whose routes were below /api/v1.
func versioningOfAPI(day string) *verso.Versioning {
	return verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-06-30"), Sunset: catalogue.MustDate("2027-12-31"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
		Clock: func() time.Time { return catalogue.MustDate(day) },
		Links: verso.LinkConfig{Relative: true},
	})
}

func inGin(text string) gin.HandlerFunc {
	return func(c *gin.Context) { c.String(http.StatusOK, text+" "+c.FullPath()) }
}

func authenticate(c *gin.Context) {
	if c.GetHeader("Api-Key") == "" {
		c.AbortWithStatus(http.StatusUnauthorized)
	}
}

func registerUsers(users gin.IRoutes) {
	users.GET("/users", inGin("users"))
	users.GET("/users/:id", inGin("user"))
}

func registerPlugin(plugin *gin.RouterGroup) { plugin.GET("/plugin", inGin("plugin")) }

func apiV1Before() http.Handler {
	list, show, create, removeIcon := inGin("list"), inGin("show"), inGin("create"), inGin("icon")
	r := gin.New()
	r.GET("/health", inGin("healthy"))
	api := r.Group("/api/v1", authenticate)
	api.GET("/tags", list)
	api.GET("/tags/:id", show)
	api.POST("/tags", create)
	api.DELETE("/tags/:id/icon", removeIcon)
	registerUsers(api)
	registerPlugin(api)
	return r
}

func apiV1After(day string) http.Handler {
	list, listV2, show, showV2 := inGin("list"), inGin("listV2"), inGin("show"), inGin("showV2")
	create, removeIcon, search := inGin("create"), inGin("icon"), inGin("search")
	r := gin.New()
	r.GET("/health", inGin("healthy"))
	v := versogin.New(r, versioningOfAPI(day))
	r.NoRoute(v.NotFound())
	api := v.EachVersion().Group("/api", authenticate)
	api.HandleVersions("GET", "/tags", versogin.Handlers{"v1": list, "v2": listV2})
	api.HandleVersions("GET", "/tags/:id", versogin.Handlers{"v1": show, "v2": showV2})
	api.POST("/tags", create) // in v1 and v2
	api.RemovedIn("v2").DELETE("/tags/:id/icon", removeIcon)
	api.Since("v2").GET("/search", search)
	registerUsers(api)                                     // func(gin.IRoutes)
	registerPlugin(v.RouterGroup("/api/v1", authenticate)) // func(*gin.RouterGroup): stays in v1, and ends with it
	return r
}

// send returns what a service answers to a request, such as "GET /api/v1/tags".
func send(h http.Handler, request, key string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequest(method, path, nil)
	if key != "" {
		r.Header.Set("Api-Key", key)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestAPIV1InGin shows that old requests get what they got, with three more fields, and
// what v2 gets.
func TestAPIV1InGin(t *testing.T) {
	before, after, gone := apiV1Before(), apiV1After("2026-11-23"), apiV1After("2028-01-01")
	for _, key := range []string{"", "1"} {
		for _, request := range []string{
			"GET /api/v1/tags", "GET /api/v1/tags/7", "POST /api/v1/tags", "DELETE /api/v1/tags/7/icon", "GET /api/v1/users",
			"GET /api/v1/users/1", "GET /api/v1/plugin", "GET /health", "GET /api/tags", "GET /api/v9/tags", "GET /api/v1/search",
			"GET /api/v1/tags/", "PATCH /api/v1/tags", "GET /api/v1", "GET /nothing", "GET /api/v1/nothing",
		} {
			want, got := send(before, request, key), send(after, request, key)
			for _, field := range []string{"Deprecation", "Sunset", "Link"} {
				got.Header().Del(field)
			}
			about := request + " " + key
			assert.Equal(t, want.Code, got.Code, about)
			assert.Equal(t, want.Body.String(), got.Body.String(), about)
			assert.Equal(t, want.Header(), got.Header(), about)
		}
	}
	check(t, after, map[string]string{
		"GET /api/v2/tags": "200 listV2 /api/v2/tags", "GET /api/v2/search": "200 search /api/v2/search", "GET /api/v2/users/1": "200 user /api/v2/users/:id",
		"DELETE /api/v2/tags/7/icon": "404 not_in_version", "GET /api/v2/plugin": "404",
	})
	check(t, gone, map[string]string{
		"GET /api/v1/tags": "410 version_gone", "GET /api/v1/plugin": "410 version_gone", "GET /api/v2/tags": "200 listV2 /api/v2/tags",
	})
}

func check(t *testing.T, h http.Handler, want map[string]string) {
	t.Helper()
	for request, want := range want {
		got := send(h, request, "1")
		status, part, _ := strings.Cut(want, " ")
		assert.Equal(t, status, strconv.Itoa(got.Code), request)
		assert.Contains(t, got.Body.String(), part, request)
	}
}

// TestAPIV1InOthers registers the same with Echo and net/http.
func TestAPIV1InOthers(t *testing.T) {
	inEcho := func(text string) echo.HandlerFunc {
		return func(c echo.Context) error { return c.String(http.StatusOK, text+" "+c.Path()) }
	}
	e := echo.New()
	v := versoecho.New(e, versioningOfAPI("2026-11-23"))
	e.HTTPErrorHandler = v.NotFound()
	api := v.EachVersion().Group("/api")
	api.HandleVersions("GET", "/tags", versoecho.Handlers{"v1": inEcho("list"), "v2": inEcho("listV2")})
	api.POST("/tags", inEcho("create"))
	api.Since("v2").GET("/search", inEcho("search"))

	inHTTP := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, text, " ", r.URL.Path) }
	}
	mux := http.NewServeMux()
	vhttp := versohttp.New(mux, versioningOfAPI("2026-11-23"))
	group := vhttp.EachVersion().Group("/api")
	group.HandleVersions("GET /tags", versohttp.Handlers{"v1": inHTTP("list"), "v2": inHTTP("listV2")})
	group.HandleFunc("POST /tags", inHTTP("create"))
	group.Since("v2").HandleFunc("GET /search", inHTTP("search"))

	for name, h := range map[string]http.Handler{"Echo": e, "net/http": vhttp.NotFound()(mux)} {
		t.Run(name, func(t *testing.T) {
			check(t, h, map[string]string{
				"GET /api/v1/tags": "200 list /api/v1/tags", "GET /api/v2/tags": "200 listV2 /api/v2/tags", "POST /api/v2/tags": "200 create /api/v2/tags",
				"GET /api/v2/search": "200 search /api/v2/search", "GET /api/v1/search": "404", "GET /api/tags": "404", "GET /api/v9/tags": "404",
			})
		})
	}
}

// TestPluginInBothVersions registers code that takes a framework's own group in v1 and in v2.
func TestPluginInBothVersions(t *testing.T) {
	r := gin.New()
	inGinGroups := versogin.New(r, versioningOfAPI("2026-11-23"))
	e := echo.New()
	inEchoGroups := versoecho.New(e, versioningOfAPI("2026-11-23"))
	for _, prefix := range []string{"/api/v1", "/api/v2"} {
		registerPlugin(inGinGroups.RouterGroup(prefix))
		plugin := inEchoGroups.EchoGroup(prefix)
		plugin.GET("/plugin", func(c echo.Context) error { return c.String(http.StatusOK, "plugin "+c.Path()) })
	}
	for name, of := range map[string]struct {
		http.Handler
		template func(pattern string) string
	}{"Gin": {r, inGinGroups.Template}, "Echo": {e, inEchoGroups.Template}} {
		t.Run(name, func(t *testing.T) {
			check(t, of, map[string]string{
				"GET /api/v1/plugin": "200 plugin /api/v1/plugin", "GET /api/v2/plugin": "200 plugin /api/v2/plugin",
			})
			assert.Equal(t, `</api/v2/plugin>; rel="successor-version"`, send(of, "GET /api/v1/plugin", "").Header().Get("Link"))
			assert.Equal(t, "/api/{version}/plugin", of.template("/api/v1/plugin"))
			assert.Equal(t, "/api/{version}/plugin", of.template("/api/v2/plugin"))
		})
	}
}
