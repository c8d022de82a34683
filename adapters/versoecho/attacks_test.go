package versoecho_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// strict rejects what has no version.
var strict = verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}

func strictPath() *verso.Versioning { return verso.Must(scheme.NewURLPath("version", strict)) }

func strictSpace() *verso.Versioning { return verso.Must(scheme.NewNamespace(strict)) }

// want sends a request and compares the status, and what its body contains.
func want(t *testing.T, e *echo.Echo, method, target string, header http.Header, status int, body string) {
	t.Helper()
	got := send(t, e, method, target, header)
	assert.Equal(t, status, got.status, "%s %s: %s", method, target, got.body)
	assert.Contains(t, got.body, body, "%s %s", method, target)
}

// override lets a client say the method of a POST, as middleware.MethodOverride does
// for fewer methods.
func override(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if method := c.Request().Header.Get("X-Override"); method != "" {
			c.Request().Method = method
		}
		if host := c.Request().Header.Get("X-Forwarded-Host"); host != "" {
			c.Request().Host = host
		}
		return next(c)
	}
}

func overriding(method string) http.Header {
	return http.Header{"X-Override": {method}, "X-Http-Method-Override": {method}}
}

// preflightAs is a preflight that a client sends as POST.
func preflightAs(method string) http.Header {
	header := overriding(method)
	header.Set("Origin", "https://app.example")
	header.Set("Access-Control-Request-Method", "GET")
	return header
}

// TestRoutesOfEchoChangedInUse is TestRequestChangedInUse of servertest for routes of Echo's own
// behind the middleware, next to routes of v.
func TestRoutesOfEchoChangedInUse(t *testing.T) {
	newEcho := func(api *verso.Versioning) (*echo.Echo, *versoecho.Routes) {
		e := echo.New()
		v := versoecho.New(e, api)
		e.Use(override, v.Middleware())
		return e, v
	}
	t.Run("options", func(t *testing.T) {
		e, v := newEcho(strictPath())
		e.POST("/:version/x", saying("post"))
		v.Neutral().DELETE("/:version/x", saying("delete"))
		v.Since("v2").PUT("/:version/x", saying("put"))
		want(t, e, http.MethodPost, "/v9/x", overriding("DELETE"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v1/x", overriding("PUT"), http.StatusOK, "post v1")
		want(t, e, http.MethodDelete, "/v2/x", nil, http.StatusOK, "delete ")
		want(t, e, http.MethodDelete, "/v9/x", nil, http.StatusOK, "delete ")
	})
	t.Run("a preflight made of a POST", func(t *testing.T) {
		e, _ := newEcho(strictPath())
		e.POST("/:version/x", saying("post"))
		want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
		e.OPTIONS("/:version/x", saying("options"))
		want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
		want(t, e, http.MethodOptions, "/v9/x", preflightAs(""), http.StatusOK, "options ")
		hosted := e.Host("b.com")
		hosted.POST("/:version/x", saying("post"))
		hosted.OPTIONS("/:version/x", saying("options"))
		onHost := preflightAs("OPTIONS")
		onHost.Set("Host", "b.com")
		want(t, e, http.MethodPost, "/v9/x", onHost, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodOptions, "/v9/x", onHost, http.StatusOK, "options ")
	})
	t.Run("namespaces", func(t *testing.T) {
		e, _ := newEcho(strictSpace())
		e.PUT("/x", saying("put")).Name = "v1:x"
		e.POST("/x", saying("post")).Name = "v9:x"
		e.PUT("/y", saying("put")).Name = "v1:y"
		e.POST("/y", saying("post")).Name = "v1:z"
		want(t, e, http.MethodPost, "/x", overriding("PUT"), http.StatusInternalServerError, "")
		want(t, e, http.MethodPost, "/y", overriding("PUT"), http.StatusOK, "post v1")
		want(t, e, http.MethodPost, "/y", overriding("BREW"), http.StatusOK, "post v1")
	})
	t.Run("Host", func(t *testing.T) {
		e, v := newEcho(strictPath())
		v.Host("admin.example.com").Neutral().GET("/:version/status", saying("admin"))
		e.GET("/:version/status", saying("public"))
		as := http.Header{"X-Forwarded-Host": {"admin.example.com"}}
		want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
	})
}

// TestHostChangedInUse is the same for routes of hosts.
func TestHostChangedInUse(t *testing.T) {
	for _, behind := range []bool{false, true} {
		e := echo.New()
		v := versoecho.New(e, strictPath())
		e.Use(override)
		if behind {
			e.Use(v.Middleware())
		}
		v.Host("admin.example.com").Neutral().GET("/:version/status", saying("admin"))
		v.Since("v2").GET("/:version/status", saying("public"))
		as := http.Header{"X-Forwarded-Host": {"admin.example.com"}}
		want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodGet, "/v1/status", as, http.StatusNotFound, "not_in_version")
		want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
		want(t, e, http.MethodGet, "/v9/status", http.Header{"Host": {"admin.example.com"}}, http.StatusOK, "admin ")
	}
}
