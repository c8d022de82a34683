// Package documents compares the documents of package openapi with what services send.
package documents

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// server answers a request.
type server func(t *testing.T, r *http.Request) *http.Response

func serve(handler http.Handler) server {
	return func(_ *testing.T, r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Result()
	}
}

func newEcho(api *verso.Versioning, config ...versoecho.Config) (server, *verso.Explanation) {
	e := echo.New()
	v := versoecho.New(e, api, config...)
	v.GET("/users", func(c echo.Context) error { return c.JSON(http.StatusOK, 1) })
	return serve(e), v.Explain()
}

func newEcho5(api *verso.Versioning, config ...versoecho5.Config) (server, *verso.Explanation) {
	e := echo5.New()
	v := versoecho5.New(e, api, config...)
	v.GET("/users", func(c *echo5.Context) error { return c.JSON(http.StatusOK, 1) })
	return serve(e), v.Explain()
}

func newGin(api *verso.Versioning, config ...versogin.Config) (server, *verso.Explanation) {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	v := versogin.New(r, api, config...)
	v.GET("/users", func(c *gin.Context) { c.JSON(http.StatusOK, 1) })
	return serve(r), v.Explain()
}

func newHTTP(api *verso.Versioning, config ...versohttp.Config) (server, *verso.Explanation) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, config...)
	v.HandleFunc("GET /users", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "1")
	})
	return serve(mux), v.Explain()
}

func newFiber(api *verso.Versioning, config ...versofiber.Config) (server, *verso.Explanation) {
	app := fiber.New()
	v := versofiber.New(app, api, config...)
	v.Get("/users", func(c fiber.Ctx) error { return c.JSON(1) })
	return func(t *testing.T, r *http.Request) *http.Response {
		t.Helper()
		response, err := app.Test(r)
		require.NoError(t, err)
		return response
	}, v.Explain()
}

// What a service answers with is what its document says, for each adapter and each way to
// answer rejected requests. A document says nothing of the format of an error handler.
func TestResponsesAreAsDocumented(t *testing.T) {
	whole, err := openapi3.NewLoader().LoadFromData([]byte(`{"openapi": "3.0.3", "info": {"title": "Users", "version": "all"},
		"paths": {"/users": {"get": {"responses": {"200": {"description": "The users.", "content": {"application/json": {"schema": {"type": "integer"}}}}}}}}}`))
	require.NoError(t, err)
	const inJSON, problem, nothing = "application/json", verso.ProblemType, ""
	for name, test := range map[string]struct {
		start      func(*verso.Versioning) (server, *verso.Explanation)
		documented string // the media type of rejections
	}{
		"Echo v4": {func(api *verso.Versioning) (server, *verso.Explanation) { return newEcho(api) }, inJSON},
		"Echo v4, WriteProblem": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newEcho(api, versoecho.Config{ErrorHandler: versoecho.WriteProblem})
		}, problem},
		"Echo v4, its own": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newEcho(api, versoecho.Config{ErrorHandler: func(c echo.Context, err *verso.Error, _ *verso.Answer) error { return c.String(err.Status, "no") }})
		}, nothing},
		"Echo v5": {func(api *verso.Versioning) (server, *verso.Explanation) { return newEcho5(api) }, inJSON},
		"Echo v5, WriteProblem": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newEcho5(api, versoecho5.Config{ErrorHandler: versoecho5.WriteProblem})
		}, problem},
		"Echo v5, its own": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newEcho5(api, versoecho5.Config{ErrorHandler: func(c *echo5.Context, err *verso.Error, _ *verso.Answer) error { return c.String(err.Status, "no") }})
		}, nothing},
		"Gin": {func(api *verso.Versioning) (server, *verso.Explanation) { return newGin(api) }, problem},
		"Gin, its own": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newGin(api, versogin.Config{ErrorHandler: func(c *gin.Context, err *verso.Error, _ *verso.Answer) error { c.String(err.Status, "no"); return nil }})
		}, nothing},
		"net/http": {func(api *verso.Versioning) (server, *verso.Explanation) { return newHTTP(api) }, problem},
		"net/http, its own": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newHTTP(api, versohttp.Config{ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err *verso.Error, _ *verso.Answer) {
				http.Error(w, "no", err.Status)
			}})
		}, nothing},
		"Fiber": {func(api *verso.Versioning) (server, *verso.Explanation) { return newFiber(api) }, problem},
		"Fiber, its own": {func(api *verso.Versioning) (server, *verso.Explanation) {
			return newFiber(api, versofiber.Config{ErrorHandler: func(c fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
				return c.Status(err.Status).SendString("no")
			}})
		}, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			ask, service := test.start(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
			document, err := openapi.ForVersion(whole, service, "v1")
			require.NoError(t, err)
			content := document.Paths.Value("/users").Get.Responses.Status(http.StatusBadRequest).Value.Content
			assert.Equal(t, test.documented != nothing, content[test.documented] != nil)
			router, err := legacy.NewRouter(document)
			require.NoError(t, err)
			for _, version := range []string{"v1", "", "v9"} {
				r := httptest.NewRequest(http.MethodGet, "/users", nil)
				if version != "" {
					r.Header.Set("Api-Version", version)
				}
				route, params, err := router.FindRoute(r)
				require.NoError(t, err)
				response := ask(t, r)
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				assert.Equal(t, version == "v1", response.StatusCode == http.StatusOK, response.StatusCode)
				assert.NoError(t, openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
					RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
					Status:                 response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(body)),
					Options: &openapi3filter.Options{IncludeResponseStatus: true},
				}), "%q: %s %s", version, response.Header.Get("Content-Type"), body)
			}
		})
	}
}
