package versoecho5_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func Example() {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	v := versoecho5.New(e, api)
	v.GET("/:version/users", func(c *echo.Context) error {
		return c.String(http.StatusOK, "users in "+versoecho5.Version(c).String())
	})

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("/v1/users"))
	fmt.Println(ask("/v9/users"))
	// Output:
	// 200 users in v1
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

// One line checks all routes, whoever registers them.
func ExampleRoutes_Middleware() {
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.New(e, api, versoecho5.Config{
		Skipper: func(c *echo.Context) bool { return c.Path() == "/health" },
		ErrorHandler: func(c *echo.Context, err *verso.Error, answer *verso.Answer) error {
			return c.JSON(err.StatusCode(), map[string]any{"error": answer.Problem.Detail})
		},
	}).Middleware())
	answer := func(c *echo.Context) error { return c.String(http.StatusOK, "fine\n") }
	e.GET("/health", answer)
	e.GET("/users", answer)

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Print(ask("/health?version=v9"))
	fmt.Print(ask("/users?version=v9"))
	// Output:
	// 200 fine
	// 404 {"error":"Invalid version in query parameter."}
}

// A service says who sent a request, and is told who calls which version.
func ExampleConfig() {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Observation) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	}))
	keys := map[string]string{"k-7": "acme"}
	e := echo.New()
	v := versoecho5.New(e, api, versoecho5.Config{
		Client: func(c *echo.Context) string { return keys[c.Request().Header.Get("Api-Key")] },
	})
	v.GET("/:version/users", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })

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
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	v := versoecho5.New(e, api, versoecho5.Config{ErrorHandler: versoecho5.WriteProblem})
	v.GET("/users", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })

	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(response.Code, response.Header().Get("Content-Type"))
	// Output: 404 application/problem+json
}

func ExampleLink() {
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	v.Name("user").GET("/:version/users/:id", func(c *echo.Context) error {
		next, err := versoecho5.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 8}})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, next)
	})

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("http://api.example.com/v1/users/7"))
	// Output: 200 http://api.example.com/v1/users/8
}

func ExampleParam() {
	e := echo.New()
	e.GET("/users/:name", func(c *echo.Context) error {
		return c.String(http.StatusOK, versoecho5.Param(c, "name")+", not "+c.Param("name"))
	})

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("/users/a%2Bb"))
	// Output: 200 a+b, not a%2Bb
}

func ExampleAtLeast() {
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	v.GET("/:version/users", func(c *echo.Context) error {
		if versoecho5.AtLeast(c, "v2") {
			return c.String(http.StatusOK, "users with their teams")
		}
		return c.String(http.StatusOK, "users")
	})

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("/v1/users"))
	fmt.Println(ask("/v2/users"))
	// Output:
	// 200 users
	// 200 users with their teams
}

func ExampleRoutes_Link() {
	v := versoecho5.New(echo.New(), verso.Must(scheme.NewURLPath("version", verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	})))
	v.Name("user").GET("/:version/users/:id", func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })

	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output: https://api.example.com/v2/users/7 <nil>
}

func ExampleRoutes_Namespace() {
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	users := func(v *versoecho5.Routes) {
		v.Name("user-list").GET("/users", func(c *echo.Context) error {
			self, err := versoecho5.Link(c, verso.Target{Name: "user-list"})
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, versoecho5.Version(c).String()+" "+self)
		})
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	ask := func(target string) string {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	fmt.Println(ask("http://api.example.com/v2/users"))
	// Output: 200 v2 http://api.example.com/v2/users
}

func ExampleContentType() {
	api := verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	e := echo.New()
	versoecho5.New(e, api).GET("/orders", func(c *echo.Context) error {
		contentType, err := versoecho5.ContentType(c, "order")
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

// A unit test calls a handler without a check.
func ExampleRoutes_SetTestVersion() {
	showUser := func(c *echo.Context) error {
		self, err := versoecho5.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, versoecho5.Version(c).String()+" "+self)
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	v.Name("user").GET("/:version/users/:id", showUser)

	response := httptest.NewRecorder()
	c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), response)
	c.SetPathValues(echo.PathValues{{Name: "id", Value: "7"}})
	fmt.Println(v.SetTestVersion(c, verso.V("v2")), showUser(c), response.Body)
	fmt.Println(v.SetTestVersion(c, verso.V("v9")))
	// Output:
	// <nil> <nil> v2 http://example.com/v2/users/7
	// verso: unknown version: "v9": use one of ["v1" "v2"]
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
	e := echo.New()
	v := versoecho5.New(e, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.AfterCheck(versoecho5.InContext).Name("user").GET("/:version/users/:id", func(c *echo.Context) error {
		return c.String(http.StatusOK, showUser(c.Request().Context(), c.Param("id")))
	})

	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users/7", nil))
	fmt.Println(w.Body)
	// Output: v2 true http://example.com/v2/users/7
}
