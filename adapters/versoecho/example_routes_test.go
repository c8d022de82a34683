package versoecho_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

// Each handler counts until the next one.
func ExampleRoutes_Choose() {
	v := versoecho.New(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})))
	e := echo.New()
	e.Use(v.Middleware())
	v.Choose(e.GET, "/:version/rooms",
		versoecho.From("v1", func(c echo.Context) error { return c.String(http.StatusOK, "rooms") }),
		versoecho.From("v2", func(c echo.Context) error { return c.String(http.StatusOK, "rooms with their beds") }),
		versoecho.Removed("v3"))

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms"} {
		response := httptest.NewRecorder()
		e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(response.Code, strings.TrimSpace(response.Body.String()))
	}
	// Output:
	// 200 rooms
	// 200 rooms with their beds
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#not-in-version","title":"Not in this API version","status":404,"detail":"This API version does not have the resource.","code":"not_in_version","allowed_versions":["v1","v2"]}
}

// Routes of others, such as those of a metrics package, are named in the config.
func ExampleRoutes_Route() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v := versoecho.NewWithConfig(api, versoecho.Config{Neutral: []string{"/metrics"}})
	e := echo.New()
	e.Use(v.Middleware())
	answer := func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }
	e.GET("/metrics", answer)
	v.Route(e.GET("/health", answer), verso.Neutral())
	v.Route(e.GET("/:version/bookings", answer), verso.Since("v2"))
	v.With(e, func() { e.GET("/:version/rooms", answer) }, verso.RemovedIn("v2"))

	for _, r := range v.Explain(e).Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /:version/bookings                                            since v2
	// GET     /:version/rooms                                               removed in v2
	// GET     /health                                                       neutral
	// GET     /metrics                                                      neutral
}

func ExampleContentType() {
	api := verso.Must(verso.New(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	e := echo.New()
	e.Use(versoecho.Middleware(api))
	e.GET("/orders", func(c echo.Context) error {
		contentType, err := versoecho.ContentType(c, "order")
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, contentType, []byte("[]"))
	})

	r, response := httptest.NewRequest(http.MethodGet, "/orders", nil), httptest.NewRecorder()
	r.Header.Set("Accept", "application/vnd.acme.order-v2+json")
	e.ServeHTTP(response, r)
	fmt.Println(response.Header().Get("Content-Type"), response.Header().Get("Vary"))
	// Output: application/vnd.acme.order-v2+json Accept
}

// A unit test calls a handler without the middleware.
func ExampleRoutes_SetVersion() {
	showUser := func(c echo.Context) error {
		self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, versoecho.Version(c).String()+" "+self)
	}
	v := versoecho.New(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	e := echo.New()
	e.GET("/:version/users/:id", showUser).Name = "user"

	response := httptest.NewRecorder()
	c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), response)
	c.SetParamNames("id")
	c.SetParamValues("7")
	fmt.Println(v.SetVersion(c, verso.V("v2")), showUser(c), response.Body)
	fmt.Println(v.SetVersion(c, verso.V("v9")))
	// Output:
	// <nil> <nil> v2 http://example.com/v2/users/7
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}
