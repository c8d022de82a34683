package generated_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/generated/chiapi"
	"github.com/goverso/verso/examples/generated/echo5api"
	"github.com/goverso/verso/examples/generated/echoapi"
	"github.com/goverso/verso/examples/generated/fiberapi"
	"github.com/goverso/verso/examples/generated/ginapi"
	"github.com/goverso/verso/examples/generated/humaapi"
	"github.com/goverso/verso/examples/generated/nethttpapi"
	"github.com/goverso/verso/examples/generated/ogenapi"
)

// routes has the methods of an adapter's routes that the choice needs.
type routes[R any] interface {
	Neutral() R
	With(options ...verso.RouteOption) R
	Rewrite(rewriter verso.Rewriter) R
}

// perOperation is a choice for PerRoute in each framework: the report has no version, and an end
// of its own; a user is rewritten for v1.
func perOperation[R routes[R]](v R, method, path string) R {
	switch {
	case path == "/report":
		return v.Neutral().With(verso.SunsetAt(catalogue.MustDate("2098-06-30")))
	case method == http.MethodGet && path[:min(7, len(path))] == "/users/":
		return v.Rewrite(new(conformance.Shouting))
	}
	return v
}

// TestPerOperation: single operations of generated code have options, and bodies of their own.
func TestPerOperation(t *testing.T) {
	gin.SetMode(gin.TestMode)
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{TrustedHosts: []string{"127.0.0.1"}}})
	inHeader := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{TrustedHosts: []string{"127.0.0.1"}}})
	e, e4, e5, mux, mux2, r, app := gin.New(), echo.New(), echo5.New(), http.NewServeMux(), http.NewServeMux(), chi.NewRouter(), fiber.New()
	huma, huma4 := gin.New(), echo.New()
	ginapi.OneServer(versogin.New(e, api).EachVersion().Group("/api").PerRoute(perOperation))
	echoapi.OneServer(versoecho.New(e4, api).EachVersion().Group("/api").PerRoute(perOperation))
	echo5api.OneServer(versoecho5.New(e5, api).EachVersion().Group("/api").PerRoute(perOperation))
	nethttpapi.OneServer(versohttp.New(mux, api).Group("/api").EachVersion().PerRoute(perOperation))
	ogenapi.OneServer(versohttp.New(mux2, inHeader).PerRoute(perOperation)) // which has a router for one place of its paths
	chiapi.OneServer(versochi.New(r, api).EachVersion().Group("/api").PerRoute(perOperation))
	fiberapi.OneServer(versofiber.New(app, api).EachVersion().Group("/api").PerRoute(perOperation))
	humaapi.GinOneServer(huma, versogin.New(huma, api).EachVersion().Group("/api").PerRoute(perOperation))
	humaapi.EchoOneServer(huma4, versoecho.New(huma4, api).EachVersion().Group("/api").PerRoute(perOperation))
	for name, handler := range map[string]http.Handler{"gin": e, "echo": e4, "echo v5": e5, "net/http": mux, "ogen": mux2, "chi": r,
		"fiber": adaptor.FiberApp(app), "huma with gin": huma, "huma with echo": huma4} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			at := func(version, path string) (target string, fields http.Header) {
				if name == "ogen" {
					return server.URL + path, http.Header{"Api-Version": {version}}
				}
				return server.URL + "/api/" + version + path, http.Header{}
			}
			ask := func(version, path string) (int, http.Header, string) {
				target, fields := at(version, path)
				return send(t, http.MethodGet, target, "", fields)
			}
			status, fields, _ := ask("v2", "/report")
			assert.Equal(t, http.StatusNoContent, status)
			assert.Equal(t, "Mon, 30 Jun 2098 00:00:00 GMT", fields.Get("Sunset"))
			_, _, body := ask("v1", "/users/7")
			assert.Contains(t, body, `"NAME":"ADA LOVELACE"`)
			_, _, body = ask("v2", "/users/7")
			assert.Contains(t, body, `"name":"Ada Lovelace"`)
		})
	}
}
