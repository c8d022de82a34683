package versoecho5_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// strict rejects what has no version.
var strict = verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}

// installs are the ways to check routes of v: alone, and behind the middleware.
var installs = map[string]func(api *verso.Versioning, before ...echo.MiddlewareFunc) (*echo.Echo, *versoecho5.Routes){
	"routes alone": func(api *verso.Versioning, before ...echo.MiddlewareFunc) (*echo.Echo, *versoecho5.Routes) {
		e := echo.New()
		e.Use(before...)
		return e, versoecho5.New(e, api)
	},
	"behind the middleware": func(api *verso.Versioning, before ...echo.MiddlewareFunc) (*echo.Echo, *versoecho5.Routes) {
		e := echo.New()
		v := versoecho5.New(e, api)
		e.Use(append(before, v.Middleware())...)
		return e, v
	},
}

func strictPath() *verso.Versioning { return verso.Must(scheme.NewURLPath("version", strict)) }

func strictSpace() *verso.Versioning { return verso.Must(scheme.NewNamespace(strict)) }

// want sends a request and compares the status, and what its body contains.
func want(t *testing.T, e http.Handler, method, target string, header http.Header, status int, body string) {
	t.Helper()
	got := send(t, e, method, target, header)
	assert.Equal(t, status, got.status, "%s %s: %s", method, target, got.body)
	assert.Contains(t, got.body, body, "%s %s", method, target)
}

// override lets a client say the method of a POST, as middleware.MethodOverride does
// for fewer methods.
func override(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
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
// behind the middleware, next to routes of v: Echo tells which one it has matched.
func TestRoutesOfEchoChangedInUse(t *testing.T) {
	newEcho := func(api *verso.Versioning) (*echo.Echo, *versoecho5.Routes) {
		e := echo.New()
		v := versoecho5.New(e, api)
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
		want(t, e, http.MethodDelete, "/v9/x", nil, http.StatusOK, "delete ")
	})
	t.Run("a preflight made of a POST", func(t *testing.T) {
		e, _ := newEcho(strictPath())
		e.POST("/:version/x", saying("post"))
		e.OPTIONS("/:version/x", saying("options"))
		want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
		want(t, e, http.MethodOptions, "/v9/x", preflightAs(""), http.StatusOK, "options ")
	})
	t.Run("namespaces", func(t *testing.T) {
		e, _ := newEcho(strictSpace())
		add(t, e, http.MethodPut, "/x", saying("put"), "v1:x")
		add(t, e, http.MethodPost, "/x", saying("post"), "v9:x")
		want(t, e, http.MethodPost, "/x", overriding("PUT"), http.StatusNotFound, "invalid_namespace_version")
		want(t, e, http.MethodPost, "/x", overriding("BREW"), http.StatusNotFound, "invalid_namespace_version")
		want(t, e, http.MethodPut, "/x", nil, http.StatusOK, "put v1")
	})
}

// TestAllowOfAnyMethod: Allow never names the method that Echo has for any.
func TestAllowOfAnyMethod(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			v.Any("/:version/x", saying("any"))
			v.Since("v2").GET("/:version/x", saying("get"))
			v.POST("/:version/x", saying("post"))
			v.Any("/:version/y", saying("any"))
			v.Since("v2").GET("/:version/y", saying("get"))
			got := send(t, e, http.MethodGet, "/v1/x", nil)
			assert.Equal(t, http.StatusMethodNotAllowed, got.status)
			assert.Equal(t, "POST", got.header.Get("Allow"))
			want(t, e, http.MethodGet, "/v1/y", nil, http.StatusNotFound, "not_in_version")
			want(t, e, "BREW", "/v1/y", nil, http.StatusOK, "any v1")
			for _, info := range v.Explain().Routes {
				assert.NotContains(t, info.Method, "echo")
			}
		})
	}
}

// TestHeadOfGet: HEAD that leads to a GET route has its options.
func TestHeadOfGet(t *testing.T) {
	for _, behind := range []bool{false, true} {
		e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true})})
		v := versoecho5.New(e, strictPath())
		if behind {
			e.Use(v.Middleware())
		}
		v.Since("v2").GET("/:version/x", answerVersion)
		v.Neutral().GET("/health", answerVersion)
		want(t, e, http.MethodHead, "/v1/x", nil, http.StatusNotFound, "")
		want(t, e, http.MethodHead, "/v2/x", nil, http.StatusOK, "")
		want(t, e, http.MethodHead, "/health", nil, http.StatusOK, "")
	}
}

// TestHostChangedInUse is the same for hosts.
func TestHostChangedInUse(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			admin, va := install(strictPath(), override)
			public, vp := install(strictPath(), override)
			va.Neutral().GET("/:version/status", saying("admin"))
			vp.Since("v2").GET("/:version/status", saying("public"))
			e := echo.NewVirtualHostHandler(map[string]*echo.Echo{"admin.example.com": admin, "example.com": public})
			as := http.Header{"Host": {"example.com"}, "X-Forwarded-Host": {"admin.example.com"}}
			want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
			want(t, e, http.MethodGet, "/v1/status", as, http.StatusNotFound, "not_in_version")
			want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
			want(t, e, http.MethodGet, "/v9/status", http.Header{"Host": {"admin.example.com"}}, http.StatusOK, "admin ")
		})
	}
}
