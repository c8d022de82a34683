package versofiber_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

func Example() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Get("/:version/users", func(c fiber.Ctx) error {
		return c.SendString("users in " + versofiber.Version(c).String())
	}).Name("user-list")
	app.Get("/health", func(c fiber.Ctx) error { // has no version
		return c.SendString("healthy")
	})

	for _, target := range []string{"/v1/users", "/v9/users", "/health"} {
		response, err := app.Test(httptest.NewRequest(fiber.MethodGet, target, nil))
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(response.StatusCode, string(body))
	}
	// Output:
	// 200 users in v1
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
	// 200 healthy
}

func ExampleConfig() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api, versofiber.Config{
		ErrorHandler: func(c fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
			return c.Status(err.StatusCode()).JSON(fiber.Map{"message": err.Error()})
		},
	})
	v.Get("/users", func(c fiber.Ctx) error {
		return c.SendString(versofiber.Version(c).LogValue().String())
	})

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/users?version=v9", nil))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println(response.StatusCode, string(body))
	// Output: 404 {"message":"Invalid version in query parameter."}
}

// A service says who sent a request, and is told who calls which version.
func ExampleConfig_client() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Observation) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	})
	keys := map[string]string{"k-7": "acme"}
	app := fiber.New()
	v := versofiber.New(app, api, versofiber.Config{
		Client: func(c fiber.Ctx) string { return keys[c.Get("Api-Key")] },
	})
	v.Get("/:version/users", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })

	for _, target := range []string{"/v1/users", "/v9/users"} {
		r := httptest.NewRequest(fiber.MethodGet, target, nil)
		r.Header.Set("Api-Key", "k-7")
		response, err := app.Test(r)
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
	}
	// Output:
	// version "v1" served on /:version/users for acme
	// version "" invalid_url_path_version on /:version/users for acme
}

func ExampleLink() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Get("/:version/users/:id", func(c fiber.Ctx) error {
		next, err := versofiber.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 8}})
		if err != nil {
			return err
		}
		return c.SendString(next)
	}).Name("user")

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "http://api.example.com/v1/users/7", nil))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println(response.StatusCode, string(body))
	// Output: 200 http://api.example.com/v1/users/8
}

func ExampleParam() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Get("/:version/users/:name", func(c fiber.Ctx) error {
		return c.SendString(c.Params("name") + " is " + versofiber.Param(c, "name"))
	})

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/v1/users/J%C3%B6rg", nil))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println(response.StatusCode, string(body))
	// Output: 200 J%C3%B6rg is Jörg
}

func ExampleVersion() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error { // such as a log
		before := versofiber.Version(c)
		err := c.Next()
		fmt.Println(before.IsNone(), versofiber.Version(c))
		return err
	})
	v := versofiber.New(app, api)
	v.Get("/:version/users", func(c fiber.Ctx) error {
		return c.SendString("users in " + versofiber.Version(c).String())
	})

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/v2/users", nil))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println(response.StatusCode, string(body))
	// Output:
	// true v2
	// 200 users in v2
}

func ExampleRoutes_Namespace() {
	api := verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	users := func(r *versofiber.Routes) {
		r.Get("/users", func(c fiber.Ctx) error {
			self, err := versofiber.Link(c, verso.Target{Name: "user-list"})
			if err != nil {
				return err
			}
			return c.SendString(self)
		}).Name("user-list")
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "http://api.example.com/v2/users", nil))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println(response.StatusCode, string(body))
	// Output: 200 http://api.example.com/v2/users
}

func ExampleRoutes_Link() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	})
	v := versofiber.New(fiber.New(), api)
	v.Get("/:version/users/:id", func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) }).Name("user")

	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output: https://api.example.com/v2/users/7 <nil>
}

func ExampleInContext() {
	showUser := func(ctx context.Context, id string) string { // as of a generated server
		result, _ := verso.FromContext(ctx)
		self, err := result.Link(verso.Target{Name: "user", Params: verso.Params{"id": id}})
		if err != nil {
			panic(err)
		}
		return fmt.Sprint(result.Version(), " ", result.AtLeast("v2"), " ", self)
	}
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.AfterCheck(versofiber.InContext).Get("/:version/users/:id", func(c fiber.Ctx) error {
		return c.SendString(showUser(c.Context(), c.Params("id")))
	}).Name("user")

	response, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/v2/users/7", nil))
	if err != nil {
		panic(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	fmt.Println(string(body), err)
	// Output: v2 true http://example.com/v2/users/7 <nil>
}
