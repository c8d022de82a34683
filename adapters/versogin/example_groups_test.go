package versogin_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// Routes keep the paths that they have, and get one in each version.
func ExampleRoutes_EachVersion() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		DefaultVersion:  verso.V("v1"),
	})
	r := gin.New()
	v := versogin.New(r, api)
	r.NoRoute(v.NotFound())
	lists := v.In(r.Group("/api/lists")).EachVersion()
	lists.GET("/", func(c *gin.Context) {
		if versogin.AtLeast(c, "v2") {
			c.String(http.StatusOK, "lists and their owners")
			return
		}
		c.String(http.StatusOK, "lists")
	})

	for _, target := range []string{"/api/lists/", "/api/v1/lists/", "/api/v2/lists/", "/api/v1/gone"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 lists
	// 200 lists
	// 200 lists and their owners
	// 404 404 page not found
}

// What needs the version runs behind the check.
func ExampleRoutes_AfterCheck() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	announce := func(c *gin.Context) { c.Header("Api-Version", versogin.Version(c).String()) }
	v.AfterCheck(announce).GET("/:version/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users", nil))
	fmt.Println(w.Code, w.Header().Get("Api-Version"))
	// Output: 204 v2
}

// Generated code, and functions that take a group of Gin's own, register checked routes.
func ExampleRoutes_Router() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	generated := func(router gin.IRouter) {
		router.GET("/:version/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	}
	ofGroup := func(g *gin.RouterGroup) {
		g.GET("/rooms", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	}
	generated(v.Since("v2").Router())
	ofGroup(v.RouterGroup("/:version/hotel"))

	for _, target := range []string{"/v1/users", "/v2/users", "/v1/hotel/rooms", "/v9/hotel/rooms"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code)
	}
	// Output:
	// /v1/users 404
	// /v2/users 204
	// /v1/hotel/rooms 204
	// /v9/hotel/rooms 404
}

// Options of the operations of generated code.
func ExampleRoutes_PerRoute() {
	registerHandlers := func(r gin.IRouter) { // as oapi-codegen writes it
		r.GET("/rooms", func(c *gin.Context) { c.Status(http.StatusNoContent) })
		r.POST("/webhooks/:id", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	}
	v := versogin.New(gin.New(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	registerHandlers(v.Group("/api/v1").PerRoute(func(v *versogin.Routes, _, path string) *versogin.Routes {
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

// Generated code that takes a group of Gin's own: each of its routes is one of v.
func ExampleRoutes_Register() {
	registerOperations := func(g *gin.RouterGroup) {
		g.GET("/rooms", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
	}
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().Group("/api").Register(registerOperations)

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/rooms", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 v2
}

// An error middleware answers rejections, and keeps the status.
func ExampleReturnError() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		if err := c.Errors.Last(); err != nil {
			c.JSON(-1, gin.H{"error": err.Error(), "rejected": errors.Is(err, verso.ErrNotFound)})
		}
	})
	v := versogin.New(r, api, versogin.Config{ErrorHandler: versogin.ReturnError})
	v.GET("/:version/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v9/users", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 404 {"error":"Invalid version in URL path.","rejected":true}
}
