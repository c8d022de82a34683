package versoecho5_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func Example() {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.Middleware(scheme))
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

func ExampleReverse() {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(verso.Settings{}))))
	_, err := e.AddRoute(echo.Route{
		Method: http.MethodGet,
		Path:   "/:version/users/:id",
		Name:   "user",
		Handler: func(c *echo.Context) error {
			next, err := versoecho5.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 8}})
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

func ExampleNamespace() {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewNamespace(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))))
	users := func(routes versoecho5.RouteAdder) {
		_, err := routes.AddRoute(echo.Route{
			Method: http.MethodGet,
			Path:   "/users",
			Name:   "user-list",
			Handler: func(c *echo.Context) error {
				self, err := versoecho5.Reverse(c, verso.Target{Name: "user-list"})
				if err != nil {
					return err
				}
				return c.String(http.StatusOK, self)
			},
		})
		if err != nil {
			panic(err)
		}
	}
	users(versoecho5.Namespace(e.Group("/v1"), "v1"))
	users(versoecho5.Namespace(e.Group("/v2"), "v2"))

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(response.Body)
	// Output: http://api.example.com/v2/users
}
