package echotest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
)

// override lets a client say the method of a POST, as middleware.MethodOverride does
// for fewer methods.
func override(next HandlerFunc) HandlerFunc {
	return func(c Context) error {
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
				e, v := install(strictQuery(), methodOverride())
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
				e, v := install(strictSpace(), methodOverride())
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
	t.Run("a preflight made of a POST, in a group of Echo's own", func(t *testing.T) {
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictPath(), override)
				g := v.EchoGroup("/g")
				g.POST("/:version/x", saying("post"))
				g.OPTIONS("/:version/x", saying("options"))
				want(t, e, http.MethodPost, "/g/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
				want(t, e, http.MethodPost, "/g/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
			})
		}
	})
	t.Run("Rewrite", func(t *testing.T) {
		rewriting := rewrite(map[string]string{"/v1/*": "/v2/$1", "/v9/*": "/health"})
		for name, install := range installs {
			t.Run(name, func(t *testing.T) {
				e, v := install(strictPath(), rewriting)
				v.Since("v2").GET("/:version/x", saying("x"))
				v.Neutral().GET("/health", saying("health"))
				want(t, e, http.MethodGet, "/v1/x", nil, http.StatusNotFound, "not_in_version")
				want(t, e, http.MethodGet, "/v9/x", nil, http.StatusNotFound, "invalid_url_path_version")
				want(t, e, http.MethodGet, "/v2/x", nil, http.StatusOK, "x v2")
			})
		}
	})
}

// TestOptionsSaidLate: nothing that is said of a route is lost (H3).
func TestOptionsSaidLate(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			add(t, v, "GET", "/:version/a", answerVersion, "a")
			require.NotEmpty(t, v.Explain().String())
			v.Since("v2").GET("/:version/explained", answerVersion)
			link, err := v.Link(verso.Target{Name: "a", Version: verso.V("v1")})
			require.NoError(t, err)
			assert.Equal(t, "/v1/a", link)
			v.Since("v2").GET("/:version/linked", answerVersion)
			want(t, e, http.MethodGet, "/v1/a", nil, http.StatusOK, "v1")
			v.Since("v2").GET("/:version/requested", answerVersion)
			unhook(e)
			v.Since("v2").GET("/:version/unhooked", answerVersion)
			for _, path := range []string{"explained", "linked", "requested", "unhooked"} {
				want(t, e, http.MethodGet, "/v1/"+path, nil, http.StatusNotFound, "not_in_version")
				want(t, e, http.MethodGet, "/v2/"+path, nil, http.StatusOK, "v2")
			}
		})
	}
}

// TestRoutesOfEchoChangedInUse is [TestRequestChangedInUse] for routes of Echo's own
// behind the middleware, next to routes of v.
func TestRoutesOfEchoChangedInUse(t *testing.T) {
	install := installs["behind the middleware"]
	t.Run("options", func(t *testing.T) {
		e, v := install(strictPath(), override)
		e.POST("/:version/x", saying("post"))
		v.Neutral().DELETE("/:version/x", saying("delete"))
		v.Since("v2").PUT("/:version/x", saying("put"))
		want(t, e, http.MethodPost, "/v9/x", overriding("DELETE"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v1/x", overriding("PUT"), http.StatusOK, "post v1")
		want(t, e, http.MethodDelete, "/v2/x", nil, http.StatusOK, "delete ")
		want(t, e, http.MethodDelete, "/v9/x", nil, http.StatusOK, "delete ")
	})
	t.Run("a preflight made of a POST", func(t *testing.T) {
		e, _ := install(strictPath(), override)
		e.POST("/:version/x", saying("post"))
		want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
		e.OPTIONS("/:version/x", saying("options"))
		want(t, e, http.MethodPost, "/v9/x", preflightAs("OPTIONS"), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodPost, "/v2/x", preflightAs("OPTIONS"), http.StatusOK, "post v2")
		want(t, e, http.MethodOptions, "/v9/x", preflightAs(""), http.StatusOK, "options ")
	})
}
