package versoecho_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func Example() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho.Middleware(api))
	e.GET("/:version/users", func(c echo.Context) error {
		return c.String(http.StatusOK, "users in "+versoecho.Version(c).String())
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
	e.Use(versoecho.MiddlewareWithConfig(api, versoecho.Config{
		Skipper: func(c echo.Context) bool { return c.Path() == "/health" },
		ErrorHandler: func(c echo.Context, err *verso.Error, answer *verso.Answer) error {
			return c.JSON(err.StatusCode(), echo.Map{"error": answer.Problem.Detail})
		},
	}))
	answer := func(c echo.Context) error { return c.String(http.StatusOK, "fine") }
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
	e.Use(versoecho.MiddlewareWithConfig(api, versoecho.Config{
		Client: func(c echo.Context) string { return keys[c.Request().Header.Get("Api-Key")] },
	}))
	e.GET("/:version/users", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })

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
	e.Use(versoecho.MiddlewareWithConfig(api, versoecho.Config{ErrorHandler: versoecho.WriteProblem}))
	e.GET("/users", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(response.Code, response.Header().Get("Content-Type"))
	// Output: 404 application/problem+json
}

func ExampleLink() {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))))
	e.GET("/:version/users/:id", func(c echo.Context) error {
		next, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 8}})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, next)
	}).Name = "user"

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://api.example.com/v1/users/7", nil))
	fmt.Println(response.Body)
	// Output: http://api.example.com/v1/users/8
}

func ExampleParam() {
	e := echo.New()
	e.GET("/users/:name", func(c echo.Context) error {
		return c.String(http.StatusOK, versoecho.Param(c, "name")+", not "+c.Param("name"))
	})

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/users/a%2Bb", nil))
	fmt.Println(response.Body)
	// Output: a+b, not a%2Bb
}

func ExampleRoutes_Link() {
	v := versoecho.New(verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.Links{Origin: "https://api.example.com"},
	})))
	e := echo.New()
	e.Use(v.Middleware())
	e.GET("/:version/users/:id", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }).Name = "user"

	link, err := v.Link(e, verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output: https://api.example.com/v2/users/7 <nil>
}

func ExampleRoutes_Namespace() {
	v := versoecho.New(verso.Must(verso.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	e := echo.New()
	e.Use(v.Middleware())
	users := func(g *echo.Group) {
		g.GET("/users", func(c echo.Context) error {
			self, err := versoecho.Link(c, verso.Target{Name: "user-list"})
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, versoecho.Version(c).String()+" "+self)
		}).Name = "user-list"
	}
	v.Namespace(e, "v1", func() { users(e.Group("/v1")) })
	v.Namespace(e, "v2", func() { users(e.Group("/v2")) })

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(response.Body)
	// Output: v2 http://api.example.com/v2/users
}
