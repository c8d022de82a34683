package unmatched

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// TestThrownAway: middleware of a group that is thrown away is lost.
func TestThrownAway(t *testing.T) {
	param := verso.MustNew(verso.PathParam("version"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	prefix := verso.MustNew(verso.PathPrefix("/{version}"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	for name, api := range map[string]*verso.Versioning{"Group": param, "EachVersion": prefix} {
		each := name == "EachVersion"
		found := map[string][]string{}
		vg := versogin.New(gin.New(), api)
		if auth := func(*gin.Context) {}; each {
			vg.EachVersion(auth)
		} else {
			vg.Group("/:version", auth)
		}
		found["gin"] = codes(vg.Explain())
		ve := versoecho.New(echo.New(), api)
		if auth := func(next echo.HandlerFunc) echo.HandlerFunc { return next }; each {
			ve.EachVersion(auth)
		} else {
			ve.Group("/:version", auth)
			ve.Host("a.example.com", auth)
		}
		found["echo4"] = codes(ve.Explain())
		v5 := versoecho5.New(echo5.New(), api)
		if auth := func(next echo5.HandlerFunc) echo5.HandlerFunc { return next }; each {
			v5.EachVersion(auth)
		} else {
			v5.Group("/:version", auth)
		}
		found["echo5"] = codes(v5.Explain())
		vh := versohttp.New(http.NewServeMux(), api)
		if auth := func(next http.Handler) http.Handler { return next }; each {
			vh.EachVersion(auth)
		} else {
			vh.Group("/{version}", auth)
		}
		found["http"] = codes(vh.Explain())
		vf := versofiber.New(fiber.New(), api)
		if auth := func(c fiber.Ctx) error { return c.Next() }; each {
			vf.EachVersion(auth)
		} else {
			vf.Group("/:version", auth)
		}
		found["fiber"] = codes(vf.Explain())
		for framework, codes := range found {
			if !slices.Contains(codes, "option_unused") {
				t.Errorf("%s in %s: %q", name, framework, codes)
			}
		}
	}
}

func TestTwoConfigs(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	for name, build := range map[string]func(){
		"gin":   func() { versogin.New(gin.New(), api, versogin.Config{}, versogin.Config{}) },
		"echo4": func() { versoecho.New(echo.New(), api, versoecho.Config{}, versoecho.Config{}) },
		"echo5": func() { versoecho5.New(echo5.New(), api, versoecho5.Config{}, versoecho5.Config{}) },
		"http":  func() { versohttp.New(http.NewServeMux(), api, versohttp.Config{}, versohttp.Config{}) },
		"fiber": func() { versofiber.New(fiber.New(), api, versofiber.Config{}, versofiber.Config{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}

// TestSkipper: files behind Middleware are served without a version; what it checks is checked.
func TestSkipper(t *testing.T) {
	api := func() *verso.Versioning {
		return verso.MustNew(verso.Header("Api-Version"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	}
	r := gin.New()
	r.Use(versogin.New(r, api(), versogin.Config{Skipper: func(c *gin.Context) bool { return strings.HasPrefix(c.FullPath(), "/static/") }}).Middleware())
	ok := func(c *gin.Context) { c.String(200, "ok") }
	r.GET("/static/*rest", ok)
	r.GET("/users", ok)
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
	mux.HandleFunc("GET /static/", write)
	mux.HandleFunc("GET /users", write)
	v := versohttp.New(mux, api(), versohttp.Config{Skipper: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/static/") }})
	for name, do := range map[string]doer{"gin": over(r), "http": over(v.Middleware()(mux)), "http, one handler": over(v.Middleware()(http.HandlerFunc(write)))} {
		for target, want := range map[string]int{"/static/a.css": 200, "/users": 400} {
			if status, body, _ := do(httptest.NewRequest(http.MethodGet, target, nil)); status != want {
				t.Errorf("%s: %s: %d %s", name, target, status, body)
			}
		}
	}
}
