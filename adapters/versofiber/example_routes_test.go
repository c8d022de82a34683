package versofiber_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"slices"

	"github.com/gofiber/fiber/v3"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Each handler is for its version and those after it, until the next one.
func ExampleRoutes_HandleVersions() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.HandleVersions("GET", "/:version/rooms", versofiber.Handlers{
		"v1": func(c fiber.Ctx) error { return c.SendString("rooms") },
		"v2": func(c fiber.Ctx) error { return c.SendString("rooms with their beds") },
		"v3": nil,
	})

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(response.StatusCode, string(body))
	}
	// Output:
	// 200 rooms
	// 200 rooms with their beds
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#not-in-version","title":"Not in this API version","status":404,"detail":"This API version does not have the resource.","code":"not_in_version","allowed_versions":["v1","v2"]}
}

// Two versions register the same path, as generated code does.
func ExampleRoutes_RegisterVersions() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.RegisterVersions(map[string]func(fiber.Router){
		"v1": func(r fiber.Router) {
			r.Get("/users/:id", func(c fiber.Ctx) error { return c.SendString("user " + c.Params("id")) })
		},
		"v2": func(r fiber.Router) {
			r.Get("/users/:id", func(c fiber.Ctx) error { return c.SendString("user " + c.Params("id") + ", whole") })
			r.Get("/rooms", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
		},
	})

	for _, version := range []string{"v1", "v2"} {
		request := httptest.NewRequest(fiber.MethodGet, "/users/7", nil)
		request.Header.Set("Api-Version", version)
		response, err := app.Test(request)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(response.StatusCode, string(body))
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

func ExampleRoutes_With() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) }
	v.Neutral().Get("/health", answer)
	v.Since("v2").Get("/:version/bookings", answer)
	v.RemovedIn("v2").Get("/:version/rooms", answer)
	v.With(verso.Neutral()).Group("/docs").Get("/", answer)

	for _, r := range v.Explain().Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /health                                                       neutral
	// GET     /:version/bookings                                            since v2
	// GET     /:version/rooms                                               removed in v2
	// GET     /docs/                                                        neutral
}

// Routes has what an app of Fiber registers routes with.
func ExampleRoutes_Add() {
	methods := fiber.DefaultMethods
	if !slices.Contains(methods, "QUERY") { // before Fiber 3.5
		methods = append(slices.Clone(methods), "QUERY")
	}
	app := fiber.New(fiber.Config{RequestMethods: methods})
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Use(func(c fiber.Ctx) error { return c.Next() })
	answer := func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) }
	v.Route("/:version/users", func(users fiber.Router) {
		users.Post("/", answer)
		users.Get("/:id", answer).Name("user")
		users.Head("/:id", answer).Put("/:id", answer).Patch("/:id", answer).Delete("/:id", answer).Options("/:id", answer)
	})
	v.Trace("/:version/trace", answer).Connect("/:version/tunnel", answer)
	v.Query("/:version/found", answer)
	v.Add([]string{"GET", "POST"}, "/:version/search", answer)
	v.All("/:version/echo", answer)

	fmt.Println(v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	// Output: /v2/users/7 <nil>
}

func ExampleContentType() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	v.Get("/orders", func(c fiber.Ctx) error {
		contentType, err := versofiber.ContentType(c, "order")
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentType, contentType)
		return c.SendString("[]")
	})

	r := httptest.NewRequest(fiber.MethodGet, "/orders", nil)
	r.Header.Set("Accept", "application/vnd.acme.order-v2+json")
	response, err := app.Test(r)
	if err != nil {
		panic(err)
	}
	_ = response.Body.Close()
	fmt.Println(response.Header.Get("Content-Type"), response.Header.Get("Vary"))
	// Output: application/vnd.acme.order-v2+json Accept
}

// A unit test calls a handler without the check.
func ExampleRoutes_SetTestVersion() {
	listUsers := func(c fiber.Ctx) error {
		self, err := versofiber.Link(c, verso.Target{Name: "user-list"})
		if err != nil {
			return err
		}
		return c.SendString(versofiber.Version(c).String() + " " + self)
	}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Get("/:version/users", listUsers).Name("user-list")

	c := app.AcquireCtx(&fasthttp.RequestCtx{})
	defer app.ReleaseCtx(c)
	fmt.Println(v.SetTestVersion(c, verso.V("v2")), listUsers(c), string(c.Response().Body()))
	fmt.Println(v.SetTestVersion(c, verso.V("v9")))
	// Output:
	// <nil> <nil> v2 /v2/users
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}

// Handlers of a group and of a route run before the check, and those of AfterCheck
// behind it.
func ExampleRoutes_AfterCheck() {
	say := func(name string) fiber.Handler {
		return func(c fiber.Ctx) error {
			fmt.Println(name)
			return c.Next()
		}
	}
	cache := func(c fiber.Ctx) error {
		fmt.Println("cache of", versofiber.Version(c))
		return c.Next()
	}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Group("/:version", say("log")).AfterCheck(cache).Get("/bookings", say("authentication"), func(c fiber.Ctx) error {
		return c.SendString("bookings")
	})

	for _, target := range []string{"/v2/bookings", "/v9/bookings"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode)
	}
	// Output:
	// log
	// authentication
	// cache of v2
	// 200
	// log
	// authentication
	// 404
}

func ExampleAtLeast() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.Get("/:version/rooms", func(c fiber.Ctx) error {
		if versofiber.AtLeast(c, "v2") {
			return c.SendString("rooms with their beds")
		}
		return c.SendString("rooms")
	})

	for _, target := range []string{"/v1/rooms", "/v3/rooms"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(string(body))
	}
	// Output:
	// rooms
	// rooms with their beds
}

// A group that is there already gets routes that carry the check.
func ExampleRoutes_In() {
	app := fiber.New()
	admin := app.Group("/admin")
	admin.Get("/health", func(c fiber.Ctx) error { return c.SendString("fine") })
	v := versofiber.New(app, verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.In(admin).Since("v2").Get("/users", func(c fiber.Ctx) error { return c.SendString("users") })

	for _, target := range []string{"/admin/health", "/admin/users?version=v1", "/admin/users?version=v2"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode)
	}
	// Output:
	// 200
	// 404
	// 200
}

// Code that takes a router of Fiber's registers routes that carry the check.
func ExampleRoutes_Router() {
	register := func(r fiber.Router) { // such as generated code
		r.Group("/users").Get("/:id", func(c fiber.Ctx) error { return c.SendString("user") }).Name("user")
		r.RouteChain("/rooms").Get(func(c fiber.Ctx) error { return c.SendString("rooms") })
	}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	register(v.Group("/:version").Since("v2").Router())

	for _, r := range v.Explain().Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /:version/users/:id                      user                 since v2
	// GET     /:version/rooms                                               since v2
}

// URLs that are there already stay, and each version has its own besides.
func ExampleRoutes_EachVersion() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"),
	}))
	api := v.EachVersion().Group("/api")
	api.Get("/lists", func(c fiber.Ctx) error { return c.SendString(versofiber.Version(c).String()) })

	for _, target := range []string{"/api/lists", "/api/v1/lists", "/api/v2/lists", "/api/v3/lists"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(response.StatusCode, string(body))
	}
	// Output:
	// 200 v1
	// 200 v1
	// 200 v2
	// 404 Not Found
}

// A version that is not served is answered without routes of its own.
func ExampleRoutes_NotFound() {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2025-12-31")}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})}))
	v.Get("/:version/users", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
	app.Use(v.NotFound())

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/favicon.ico"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode, response.Header.Get("Content-Type"))
	}
	// Output:
	// 410 application/problem+json
	// 404 text/plain; charset=utf-8
	// 404 text/plain; charset=utf-8
}

// Bodies of v1 are rewritten, here to upper case; the handler knows v2 only. Module migrate makes
// useful rewriters.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	app.Use(v.RewriteErrors(), recoverer.New())
	v.Rewrite(new(conformance.Shouting)).Get("/bookings/:id", func(c fiber.Ctx) error { return c.SendString("booked") })

	for _, version := range []string{"v1", "v2"} {
		request := httptest.NewRequest(fiber.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		response, err := app.Test(request)
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(version, string(body))
	}
	// Output:
	// v1 BOOKED
	// v2 booked
}

// Options of the operations of generated code.
func ExampleRoutes_PerRoute() {
	registerHandlers := func(r fiber.Router) { // as oapi-codegen writes it
		r.Get("/rooms", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
		r.Post("/webhooks/:id", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
	}
	v := versofiber.New(fiber.New(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	registerHandlers(v.Group("/api/v1").PerRoute(func(v *versofiber.Routes, _, path string) *versofiber.Routes {
		if path == "/webhooks/:id" {
			return v.Neutral()
		}
		return v
	}).Router())
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// GET     /api/v1/rooms                                                 in v1
	// POST    /api/v1/webhooks/:id                                          neutral
}
