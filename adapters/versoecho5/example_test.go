package versoecho5_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func Example() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.Middleware(api))
	e.GET("/:version/users", func(c *echo.Context) error {
		return c.String(http.StatusOK, "users in "+versoecho5.Version(c).String())
	})

	for _, target := range []string{"/v1/users", "/v9/users"} {
		response := httptest.NewRecorder()
		e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(response.Code, response.Body)
	}
	// Output:
	// 200 users in v1
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func ExampleMiddlewareWithConfig() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(api, versoecho5.Config{
		Skipper: func(c *echo.Context) bool { return c.Path() == "/health" },
		ErrorHandler: func(c *echo.Context, err *verso.Error, answer *verso.Answer) error {
			return c.JSON(err.StatusCode(), map[string]any{"error": answer.Problem.Detail})
		},
	}))
	answer := func(c *echo.Context) error { return c.String(http.StatusOK, "fine") }
	e.GET("/health", answer)
	e.GET("/users", answer)

	for _, target := range []string{"/health?version=v9", "/users?version=v9"} {
		response := httptest.NewRecorder()
		e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Print(response.Code, " ", response.Body, "\n")
	}
	// Output:
	// 200 fine
	// 404 {"error":"Invalid version in query parameter."}
}

// A service says who sent a request, and is told who calls which version.
func ExampleConfig() {
	api := verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Usage) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	}))
	keys := map[string]string{"k-7": "acme"}
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(api, versoecho5.Config{
		Client: func(c *echo.Context) string { return keys[c.Request().Header.Get("Api-Key")] },
	}))
	e.GET("/:version/users", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })

	for _, target := range []string{"/v1/users", "/v9/users"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Api-Key", "k-7")
		e.ServeHTTP(httptest.NewRecorder(), r)
	}
	// Output:
	// version "v1" served on /:version/users for acme
	// version "" invalid_url_path_version on /:version/users for acme
}

func ExampleWriteProblem() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(api, versoecho5.Config{ErrorHandler: versoecho5.WriteProblem}))
	e.GET("/users", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(response.Code, response.Header().Get("Content-Type"))
	// Output: 404 application/problem+json
}

func ExampleLink() {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))))
	_, err := e.AddRoute(echo.Route{
		Method: http.MethodGet,
		Path:   "/:version/users/:id",
		Name:   "user",
		Handler: func(c *echo.Context) error {
			next, err := versoecho5.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 8}})
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, next)
		},
	})
	if err != nil {
		panic(err)
	}

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://api.example.com/v1/users/7", nil))
	fmt.Println(response.Body)
	// Output: http://api.example.com/v1/users/8
}

func ExampleParam() {
	e := echo.New()
	e.GET("/users/:name", func(c *echo.Context) error {
		return c.String(http.StatusOK, versoecho5.Param(c, "name")+", not "+c.Param("name"))
	})

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/users/a%2Bb", nil))
	fmt.Println(response.Body)
	// Output: a+b, not a%2Bb
}

func ExampleRoutes_Link() {
	v := versoecho5.New(verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.Links{Origin: "https://api.example.com"},
	})))
	e := echo.New()
	e.Use(v.Middleware())
	_, err := e.AddRoute(echo.Route{
		Method:  http.MethodGet,
		Path:    "/:version/users/:id",
		Name:    "user",
		Handler: func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) },
	})
	if err != nil {
		panic(err)
	}

	link, err := v.Link(e, verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output: https://api.example.com/v2/users/7 <nil>
}

func ExampleRoutes_Namespace() {
	v := versoecho5.New(verso.Must(verso.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	e := echo.New()
	e.Use(v.Middleware())
	users := func(routes versoecho5.RouteAdder) {
		_, err := routes.AddRoute(echo.Route{
			Method: http.MethodGet,
			Path:   "/users",
			Name:   "user-list",
			Handler: func(c *echo.Context) error {
				self, err := versoecho5.Link(c, verso.Target{Name: "user-list"})
				if err != nil {
					return err
				}
				return c.String(http.StatusOK, versoecho5.Version(c).String()+" "+self)
			},
		})
		if err != nil {
			panic(err)
		}
	}
	users(v.Namespace(e.Group("/v1"), "v1"))
	users(v.Namespace(e.Group("/v2"), "v2"))

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(response.Body)
	// Output: v2 http://api.example.com/v2/users
}
