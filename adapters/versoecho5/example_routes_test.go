package versoecho5_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// Each handler applies until the next one.
func ExampleRoutes_HandleVersions() {
	say := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}})))
	v.HandleVersions(http.MethodGet, "/:version/rooms", versoecho5.Handlers{"v1": say("rooms"), "v3": say("rooms with their beds"), "v4": nil})

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms", "/v4/rooms"} {
		fmt.Println(ask(target))
	}
	// Output:
	// 200 rooms
	// 200 rooms
	// 200 rooms with their beds
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#not-in-version","title":"Not in this API version","status":404,"detail":"This API version does not have the resource.","code":"not_in_version","allowed_versions":["v1","v2","v3"]}
}

// Two versions register the same path, as generated code does.
func ExampleRoutes_RegisterVersions() {
	e := echo.New()
	v := versoecho5.New(e, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.RegisterVersions(map[string]func(*echo.Group){
		"v1": func(g *echo.Group) {
			g.GET("/users/:id", func(c *echo.Context) error { return c.String(http.StatusOK, "user "+c.Param("id")) })
		},
		"v2": func(g *echo.Group) {
			g.GET("/users/:user", func(c *echo.Context) error { return c.String(http.StatusOK, "user "+c.Param("user")+", whole") })
			g.GET("/rooms", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })
		},
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil)
		request.Header.Set("Api-Version", version)
		e.ServeHTTP(w, request)
		fmt.Println(w.Code, w.Body)
	}
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// 200 user 7
	// 200 user 7, whole
	// GET     /users/:id
	// GET     /rooms                                                        since v2
}

func ExampleRoutes_Since() {
	say := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	e.GET("/metrics", say("requests 7")) // not of the API
	v.Neutral().GET("/health", say("fine"))
	v.Since("v2").Name("bookings").GET("/:version/bookings", say("bookings"))
	v.RemovedIn("v2").Group("/:version").GET("/rooms", say("rooms"))
	v.With(verso.Since("v2")).Any("/:version/users", say("users"))

	for _, r := range v.Explain().Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /health                                                       neutral
	// GET     /:version/bookings                       bookings             since v2
	// GET     /:version/rooms                                               removed in v2
	//         /:version/users                                               since v2
	// GET     /metrics                                                      not checked
}

// Routes has all that a group of Echo registers routes with.
func ExampleRoutes_Add() {
	say := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	answer := say("")
	v.Add("REPORT", "/:version/rooms", answer)
	users := v.Group("/:version/users")
	users.Name("users").GET("", answer)
	users.HEAD("", answer)
	users.POST("", answer)
	user := users.Group("/:id")
	user.PUT("", answer)
	user.PATCH("", answer)
	user.DELETE("", answer)
	user.OPTIONS("", answer)
	user.CONNECT("", answer)
	user.TRACE("", answer)
	user.QUERY("", answer)
	v.Match([]string{http.MethodGet, http.MethodPost}, "/:version/search", answer)
	v.Any("/:version/echo", answer)
	fmt.Println(len(e.Router().Routes()), "routes")

	fmt.Println(v.Link(verso.Target{Name: "users", Version: verso.V("v2")}))
	// Output:
	// 14 routes
	// /v2/users <nil>
}

func ExampleRoutes_Static() {
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))).Neutral()
	v.Name("asset").Static("/assets/", "testdata")
	v.StaticFS("/docs", os.DirFS("testdata"))
	v.File("/logo", "testdata/logo.svg")
	v.FileFS("/icon", "logo.svg", os.DirFS("testdata"))

	fmt.Println(v.Link(verso.Target{Name: "asset", Params: verso.Params{"*": "logo.svg"}}))
	// Output: /assets/logo.svg <nil>
}

// Middleware that needs the version of a request runs behind the check.
func ExampleRoutes_AfterCheck() {
	say := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	before := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			fmt.Println("log a request to", c.Request().URL)
			return next(c)
		}
	}
	limit := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			fmt.Println("count a request in", versoecho5.Version(c))
			return next(c)
		}
	}
	v.AfterCheck(limit).GET("/:version/users", say("users"), before)

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("/v1/users"))
	fmt.Println(ask("/v9/users")[:3])
	// Output:
	// log a request to /v1/users
	// count a request in v1
	// 200 users
	// log a request to /v9/users
	// 404
}

// A service that has its groups already gives them to Verso.
func ExampleRoutes_In() {
	say := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	group := e.Group("/api/:version")
	v.In(group).GET("/users", say("users"))

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("/api/v2/users"))
	// Output: 200 users
}

// A route of Echo's own form, with a name and middleware.
func ExampleRoutes_AddRoute() {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v := versoecho5.New(echo.New(), api)
	added, err := v.AddRoute(echo.Route{Method: http.MethodGet, Path: "/:version/users", Name: "users", Handler: func(c *echo.Context) error {
		return c.String(http.StatusOK, versoecho5.Version(c).String())
	}})
	fmt.Println(added.Path, err)
	fmt.Println(v.Link(verso.Target{Name: "users", Version: verso.V("v2")}))
	// Output:
	// /:version/users <nil>
	// /v2/users <nil>
}

// Routes keep the paths that they have, and stand under the prefix of each version.
func ExampleRoutes_EachVersion() {
	api := verso.MustNew(verso.PathPrefix("/api/v{version}"), verso.Config{
		AllowedVersions: []string{"1", "2"},
		DefaultVersion:  verso.V("1"),
	})
	e := echo.New()
	v := versoecho5.New(e, api)
	e.HTTPErrorHandler = v.NotFound()
	v.EachVersion().GET("/api/lists", func(c *echo.Context) error {
		return c.String(http.StatusOK, "lists in "+versoecho5.Version(c).String())
	})

	for _, target := range []string{"/api/lists", "/api/v2/lists", "/api/v9/lists"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 lists in 1
	// 200 lists in 2
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["1","2"]}
}

// A plugin gets a group of Echo's own, whose routes are checked.
func ExampleRoutes_EchoGroup() {
	e := echo.New()
	v := versoecho5.New(e, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	plugin := func(g *echo.Group) {
		g.GET("/rooms", func(c *echo.Context) error { return c.String(http.StatusOK, versoecho5.Version(c).String()) })
	}
	plugin(v.EchoGroup("/:version/hotel"))
	plugin(v.Since("v2").EchoGroup("/:version/hostel"))

	for _, target := range []string{"/v1/hotel/rooms", "/v2/hostel/rooms", "/v1/hostel/rooms", "/v9/hostel/rooms"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code)
	}
	// Output:
	// /v1/hotel/rooms 200
	// /v2/hostel/rooms 200
	// /v1/hostel/rooms 404
	// /v9/hostel/rooms 404
}

// Bodies of v1 are rewritten, here to upper case; the handler knows v2 only. Module migrate makes
// useful rewriters.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	e := echo.New()
	v := versoecho5.New(e, api)
	e.Use(v.RewriteErrors(), middleware.Recover())
	v.Rewrite(new(conformance.Shouting)).GET("/bookings/:id", func(c *echo.Context) error { return c.String(http.StatusOK, "booked") })

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		e.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 BOOKED
	// v2 booked
}

// Options of the operations of generated code.
func ExampleRoutes_PerRoute() {
	registerHandlers := func(r *versoecho5.Routes) { // as oapi-codegen writes it, with an interface of these methods
		r.GET("/rooms", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })
		r.POST("/webhooks/:id", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })
	}
	v := versoecho5.New(echo.New(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	registerHandlers(v.Group("/api/v1").PerRoute(func(v *versoecho5.Routes, _, path string) *versoecho5.Routes {
		if path == "/webhooks/:id" {
			return v.Neutral()
		}
		return v
	}))
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// GET     /api/v1/rooms                                                 in v1
	// POST    /api/v1/webhooks/:id                                          neutral
}

// Generated code that takes a group of Echo's own: each of its routes is one of v.
func ExampleRoutes_Register() {
	registerOperations := func(g *echo.Group) {
		g.GET("/rooms", func(c *echo.Context) error { return c.String(http.StatusOK, versoecho5.Version(c).String()) })
	}
	e := echo.New()
	v := versoecho5.New(e, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().Group("/api").Register(registerOperations)

	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/rooms", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 v2
}
