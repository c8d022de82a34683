package versoecho5_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func strictPath() *verso.Versioning  { return verso.Must(scheme.NewURLPath("version", strict)) }
func strictQuery() *verso.Versioning { return verso.Must(scheme.NewQueryParameter("version", strict)) }
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

// TestDefaultNotListed: a default that is not listed has no place among the versions
// of a route (H1).
func TestDefaultNotListed(t *testing.T) {
	api := func() *verso.Versioning {
		return verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0")}))
	}
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(api())
			for _, register := range []func(){
				func() { v.Since("v2").GET("/since", answerVersion) },
				func() { v.RemovedIn("v2").GET("/removed", answerVersion) },
				func() { v.Choose(http.MethodGet, "/choose", versoecho5.Handlers{"v1": answerVersion}) },
			} {
				func() {
					defer func() {
						err, _ := recover().(error)
						assert.ErrorContains(t, err, "add it to the list")
					}()
					register()
				}()
			}
			v.GET("/users", answerVersion)
			v.Neutral().GET("/health", answerVersion)
			want(t, e, http.MethodGet, "/users", nil, http.StatusOK, "v0")
			want(t, e, http.MethodGet, "/users", http.Header{"Api-Version": {"v2"}}, http.StatusOK, "v2")
			want(t, e, http.MethodGet, "/health", http.Header{"Api-Version": {"v9"}}, http.StatusOK, "")
		})
	}
}

// TestPreflightOfChoose: a preflight never calls a nil handler (H2).
func TestPreflightOfChoose(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			v.Choose(http.MethodOptions, "/:version/options", versoecho5.Handlers{"v1": answerVersion, "v2": nil})
			header := preflightAs("")
			want(t, e, http.MethodOptions, "/v1/options", header, http.StatusOK, "v1")
			want(t, e, http.MethodOptions, "/v2/options", header, http.StatusNoContent, "")
			want(t, e, http.MethodOptions, "/v9/options", header, http.StatusNoContent, "")
		})
	}
}

// TestOptionsSaidLate: nothing that is said of a route is lost (H3).
func TestOptionsSaidLate(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			v.Name("a").GET("/:version/a", answerVersion)
			require.NotEmpty(t, v.Explain().String())
			v.Since("v2").GET("/:version/explained", answerVersion)
			link, err := v.Link(verso.Target{Name: "a", Version: verso.V("v1")})
			require.NoError(t, err)
			assert.Equal(t, "/v1/a", link)
			v.Since("v2").GET("/:version/linked", answerVersion)
			want(t, e, http.MethodGet, "/v1/a", nil, http.StatusOK, "v1")
			v.Since("v2").GET("/:version/requested", answerVersion)
			e.OnAddRoute = nil
			v.Since("v2").GET("/:version/unhooked", answerVersion)
			for _, path := range []string{"explained", "linked", "requested", "unhooked"} {
				want(t, e, http.MethodGet, "/v1/"+path, nil, http.StatusNotFound, "not_in_version")
				want(t, e, http.MethodGet, "/v2/"+path, nil, http.StatusOK, "v2")
			}
		})
	}
}

// TestTwoInstances: options of one instance are not those of another (H4).
func TestTwoInstances(t *testing.T) {
	api := strictPath()
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			admin, va := install(api)
			public, vp := install(api)
			va.Neutral().GET("/:version/status", answerVersion)
			vp.GET("/:version/status", answerVersion)
			vp.RemovedIn("v2").GET("/:version/old", answerVersion)
			va.GET("/:version/old", answerVersion)
			want(t, admin, http.MethodGet, "/v9/status", nil, http.StatusOK, "")
			want(t, public, http.MethodGet, "/v9/status", nil, http.StatusNotFound, "invalid_url_path_version")
			want(t, public, http.MethodGet, "/v2/old", nil, http.StatusNotFound, "not_in_version")
			want(t, admin, http.MethodGet, "/v2/old", nil, http.StatusOK, "v2")
		})
	}
}

// TestRequestChangedInUse: the handler that runs is in the version that was checked,
// although a middleware behind the router has changed the method, the host or the path
// of the request (H6).
func TestRequestChangedInUse(t *testing.T) {
	t.Run("MethodOverride and options", func(t *testing.T) {
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictQuery(), middleware.MethodOverride())
				v.RemovedIn("v2").POST("/x", saying("post"))
				v.PUT("/x", saying("put"))
				v.POST("/y", saying("post"))
				v.Neutral().DELETE("/y", saying("delete"))
				v.Since("v2").POST("/z", saying("post"))
				e.PUT("/z", saying("put of Echo"))
				want(t, e, http.MethodPost, "/x?version=v2", overriding("PUT"), http.StatusMethodNotAllowed, "method_not_in_version")
				want(t, e, http.MethodPost, "/x?version=v1", overriding("PUT"), http.StatusOK, "post v1")
				want(t, e, http.MethodPost, "/y?version=v9", overriding("DELETE"), http.StatusNotFound, "invalid_query_parameter_version")
				want(t, e, http.MethodPost, "/z?version=v1", overriding("PUT"), http.StatusMethodNotAllowed, "method_not_in_version")
				want(t, e, http.MethodPost, "/z?version=v2", overriding("PUT"), http.StatusOK, "post v2")
			})
		}
	})
	t.Run("MethodOverride and namespaces", func(t *testing.T) {
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictSpace(), middleware.MethodOverride())
				v.Namespace("v1").PUT("/x", saying("put"))
				v.Namespace("v9").POST("/x", saying("post"))
				want(t, e, http.MethodPost, "/x", overriding("PUT"), http.StatusNotFound, "invalid_namespace_version")
				want(t, e, http.MethodPut, "/x", nil, http.StatusOK, "put v1")
			})
		}
	})
	t.Run("a preflight made of a POST", func(t *testing.T) {
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictPath(), override)
				v.POST("/:version/x", saying("post"))
				v.OPTIONS("/:version/y", saying("options"))
				v.Since("v2").POST("/:version/y", saying("post"))
				want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
				want(t, e, http.MethodPost, "/v1/y", preflightAs("OPTIONS"), http.StatusNotFound, "not_in_version")
				want(t, e, http.MethodPost, "/v2/y", preflightAs("OPTIONS"), http.StatusOK, "post v2")
			})
		}
	})
	t.Run("Host", func(t *testing.T) {
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
	})
	t.Run("Rewrite", func(t *testing.T) {
		rewrite := middleware.Rewrite(map[string]string{"/v1/*": "/v2/$1", "/v9/*": "/health"})
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictPath(), rewrite)
				v.Since("v2").GET("/:version/x", saying("x"))
				v.Neutral().GET("/health", saying("health"))
				want(t, e, http.MethodGet, "/v1/x", nil, http.StatusNotFound, "not_in_version")
				want(t, e, http.MethodGet, "/v9/x", nil, http.StatusNotFound, "invalid_url_path_version")
				want(t, e, http.MethodGet, "/v2/x", nil, http.StatusOK, "x v2")
			})
		}
	})
}

// TestRoutesOfEchoChangedInUse is TestRequestChangedInUse for routes of Echo's own
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

// TestTwoVersionings: each route has the version of its own API (M1).
func TestTwoVersionings(t *testing.T) {
	for name, install := range map[string]func(e *echo.Echo, va, vb *versoecho5.Routes){
		"routes alone":          func(*echo.Echo, *versoecho5.Routes, *versoecho5.Routes) {},
		"behind the middleware": func(e *echo.Echo, va, vb *versoecho5.Routes) { e.Use(va.Middleware(), vb.Middleware()) },
		"in the other order":    func(e *echo.Echo, va, vb *versoecho5.Routes) { e.Use(vb.Middleware(), va.Middleware()) },
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			va := versoecho5.New(e, verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{
				AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v1"),
			})))
			vb := versoecho5.New(e, verso.Must(verso.New(verso.QueryParam("schema"), verso.Config{
				AllowedVersions: []string{"2024", "2025", "2026"}, DefaultVersion: verso.V("2024"),
			})))
			install(e, va, vb)
			va.Choose(http.MethodGet, "/a", versoecho5.Handlers{"v1": saying("first"), "v2": saying("second"), "v3": saying("third")})
			vb.Since("2025").GET("/b", answerVersion)
			want(t, e, http.MethodGet, "/a?schema=2026", http.Header{"Api-Version": {"v1"}}, http.StatusOK, "first v1")
			want(t, e, http.MethodGet, "/a?schema=2024", http.Header{"Api-Version": {"v3"}}, http.StatusOK, "third v3")
			want(t, e, http.MethodGet, "/b?schema=2026", http.Header{"Api-Version": {"v1"}}, http.StatusOK, "2026")
			want(t, e, http.MethodGet, "/b", http.Header{"Api-Version": {"v3"}}, http.StatusNotFound, "not_in_version")
		})
	}
}

// TestPreflightOfAnyMethod: a preflight in a version that is unknown or has ended does
// not reach a handler for any method (M2).
func TestPreflightOfAnyMethod(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			v.Any("/:version/any", saying("any"))
			v.OPTIONS("/:version/options", saying("options"))
			header := preflightAs("")
			want(t, e, http.MethodOptions, "/v1/any", header, http.StatusOK, "any v1")
			want(t, e, http.MethodOptions, "/v9/any", header, http.StatusNotFound, "invalid_url_path_version")
			want(t, e, http.MethodOptions, "/v9/options", header, http.StatusOK, "options ")
			want(t, e, http.MethodOptions, "/v9/options", nil, http.StatusNotFound, "invalid_url_path_version")
		})
	}
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

// TestDecidedOnce: a request is told of once, with the route that ran.
func TestDecidedOnce(t *testing.T) {
	var told []verso.Observation
	config := strict
	config.Observe = func(_ context.Context, u verso.Observation) { told = append(told, u) }
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(verso.Must(scheme.NewURLPath("version", config)), override)
			v.Since("v2").POST("/:version/x", answerVersion)
			v.Neutral().PUT("/:version/x", answerVersion)
			v.GET("/:version/y", answerVersion)
			for target, header := range map[string]http.Header{
				"/v1/x": nil, "/v2/x": nil, "/v9/x": nil, "/v1/x?put": overriding("PUT"), "/v2/x?put": overriding("PUT"),
			} {
				told = nil
				send(t, e, http.MethodPost, target, header)
				if assert.Len(t, told, 1, target) {
					assert.Equal(t, "/:version/x", told[0].Route)
				}
			}
			told = nil
			want(t, e, http.MethodPut, "/v9/x", nil, http.StatusOK, "")
			want(t, e, http.MethodGet, "/nowhere", nil, http.StatusNotFound, "Not Found")
			assert.Empty(t, told, "a neutral route, and none")
			got := send(t, e, http.MethodGet, "/v2/y", nil)
			assert.Len(t, told, 1)
			assert.Empty(t, got.header.Values("Vary"))
		})
	}
}
