package versogin_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func ExampleRoutes_Middleware() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := gin.New()
	r.Use(versogin.New(r, api).Middleware())
	r.GET("/:version/bookings", func(c *gin.Context) {
		c.String(http.StatusOK, "bookings in %s", versogin.Version(c))
	})

	for _, target := range []string{"/v2/bookings", "/v3/bookings"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 bookings in v2
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func ExampleNew() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Relative: true},
	})
	r := gin.New()
	v := versogin.New(r, api)
	v.Name("booking").GET("/:version/bookings/:id", func(c *gin.Context) {
		next, err := versogin.Link(c, verso.Target{Name: "booking", Params: verso.Params{"id": 8}})
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.String(http.StatusOK, "next: %s", next)
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/bookings/7", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 next: /v2/bookings/8
}

func ExampleRoutes_Namespace() {
	api := verso.MustNew(verso.Namespace(), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Relative: true},
	})
	r := gin.New()
	v := versogin.New(r, api)

	users := func(v *versogin.Routes) {
		v.Name("user-list").GET("/users", func(c *gin.Context) {
			link, err := versogin.Link(c, verso.Target{Name: "user-list"})
			c.String(http.StatusOK, "%s at %s %v", versogin.Version(c), link, err)
		})
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	for _, target := range []string{"/v1/users", "/v2/users"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 v1 at /v1/users <nil>
	// 200 v2 at /v2/users <nil>
}

func ExampleRoutes_Link() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	})
	v := versogin.New(gin.New(), api)
	v.Name("booking").GET("/:version/bookings/:id", func(*gin.Context) {})

	link, err := v.Link(verso.Target{Name: "booking", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output: https://api.example.com/v2/bookings/7 <nil>
}

func ExampleParam() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})
	r := gin.New()
	r.UseRawPath = true // an encoded slash does not separate
	r.Use(versogin.New(r, api).Middleware())
	r.GET("/files/:name/*path", func(c *gin.Context) {
		c.String(http.StatusOK, "%q %q, in Gin %q %q", versogin.Param(c, "name"), versogin.Param(c, "path"), c.Param("name"), c.Param("path"))
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/files/a%2Fb+c/d/e", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 "a/b+c" "d/e", in Gin "a/b c" "/d/e"
}

func ExampleConfig() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})
	r := gin.New()
	v := versogin.New(r, api, versogin.Config{
		ErrorHandler: func(c *gin.Context, err *verso.Error, answer *verso.Answer) error {
			c.JSON(err.Status, gin.H{"error": answer.Problem.Detail})
			return nil
		},
	})
	v.GET("/bookings", func(c *gin.Context) { c.String(http.StatusOK, "in %s", versogin.Version(c)) })

	for _, target := range []string{"/bookings", "/bookings?version=v9"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 in v1
	// 404 {"error":"Invalid version in query parameter."}
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
	r := gin.New()
	v := versogin.New(r, api, versogin.Config{Client: func(c *gin.Context) string { return keys[c.GetHeader("Api-Key")] }})
	v.GET("/:version/bookings", func(c *gin.Context) { c.Status(http.StatusNoContent) })

	for _, target := range []string{"/v1/bookings", "/v9/bookings"} {
		request := httptest.NewRequest(http.MethodGet, target, nil)
		request.Header.Set("Api-Key", "k-7")
		r.ServeHTTP(httptest.NewRecorder(), request)
	}
	// Output:
	// version "v1" served on /:version/bookings for acme
	// version "" invalid_url_path_version on /:version/bookings for acme
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
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.AfterCheck(versogin.InContext).Name("user").GET("/:version/users/:id", func(c *gin.Context) {
		c.String(http.StatusOK, showUser(c, c.Param("id")))
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users/7", nil))
	fmt.Println(w.Body)
	// Output: v2 true http://example.com/v2/users/7
}
