package versogin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// Each handler is for a version and those after it, until the next one.
func ExampleRoutes_HandleVersions() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.HandleVersions("GET", "/:version/rooms", versogin.Handlers{
		"v1": func(c *gin.Context) { c.String(http.StatusOK, "rooms") },
		"v2": func(c *gin.Context) { c.String(http.StatusOK, "rooms with their beds") },
		"v3": nil, // removed
	})

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 rooms
	// 200 rooms with their beds
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#not-in-version","title":"Not in this API version","status":404,"detail":"This API version does not have the resource.","code":"not_in_version","allowed_versions":["v1","v2"]}
}

// Two versions register the same path, as generated code does.
func ExampleRoutes_RegisterVersions() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.RegisterVersions(map[string]func(gin.IRouter){
		"v1": func(r gin.IRouter) {
			r.GET("/users/:id", func(c *gin.Context) { c.String(http.StatusOK, "user %s", c.Param("id")) })
		},
		"v2": func(r gin.IRouter) {
			r.GET("/users/:user", func(c *gin.Context) { c.String(http.StatusOK, "user %s, whole", c.Param("user")) })
			r.GET("/rooms", func(c *gin.Context) { c.Status(http.StatusNoContent) })
		},
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil)
		request.Header.Set("Api-Version", version)
		r.ServeHTTP(w, request)
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

func ExampleRoutes_With() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(c *gin.Context) { c.Status(http.StatusNoContent) }
	v.Neutral().GET("/health", answer)
	v.Since("v2").GET("/:version/bookings", answer)
	v.RemovedIn("v2").GET("/:version/rooms", answer)
	v.With(verso.Neutral()).Group("/docs").GET("/", answer)

	for _, r := range v.Explain().Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /health                                                       neutral
	// GET     /:version/bookings                                            since v2
	// GET     /:version/rooms                                               removed in v2
	// GET     /docs/                                                        neutral
}

// Routes has all that a group of Gin registers routes with.
func ExampleRoutes_Handle() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(c *gin.Context) { c.Status(http.StatusNoContent) }
	v.POST("/:version/users", answer)
	v.Name("user").GET("/:version/users/:id", answer).PUT("/:version/users/:id", answer).PATCH("/:version/users/:id", answer).
		DELETE("/:version/users/:id", answer).HEAD("/:version/users/:id", answer).OPTIONS("/:version/users/:id", answer)
	v.Handle("REPORT", "/:version/rooms", answer)
	v.Match([]string{"GET", "POST"}, "/:version/search", answer)
	v.Any("/:version/echo", answer)
	fmt.Println(len(r.Routes()), "routes")

	fmt.Println(v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	// Output:
	// 19 routes
	// /v2/users/7 <nil>
}

func ExampleRoutes_Static() {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	files := v.Neutral()
	files.Name("asset").Static("/assets", "testdata")
	files.StaticFS("/docs", http.FS(os.DirFS("testdata")))
	files.StaticFile("/logo", "testdata/logo.svg")
	files.StaticFileFS("/icon", "icon.svg", http.FS(os.DirFS("testdata")))

	fmt.Println(v.Link(verso.Target{Name: "asset", Params: verso.Params{"filepath": "logo.svg"}}))
	// Output: /assets/logo.svg <nil>
}

func ExampleContentType() {
	api := verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	r := gin.New()
	v := versogin.New(r, api)
	v.GET("/orders", func(c *gin.Context) {
		contentType, err := versogin.ContentType(c, "order")
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.Data(http.StatusOK, contentType, []byte("[]"))
	})

	request, w := httptest.NewRequest(http.MethodGet, "/orders", nil), httptest.NewRecorder()
	request.Header.Set("Accept", "application/vnd.acme.order-v2+json")
	r.ServeHTTP(w, request)
	fmt.Println(w.Header().Get("Content-Type"), w.Header().Get("Vary"))
	// Output: application/vnd.acme.order-v2+json Accept
}

// A unit test calls a handler alone.
func ExampleRoutes_SetTestVersion() {
	showUser := func(c *gin.Context) {
		self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.String(http.StatusOK, "%s %s", versogin.Version(c), self)
	}
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Name("user").GET("/:version/users/:id", showUser)

	w := httptest.NewRecorder()
	c := gin.CreateTestContextOnly(w, r)
	c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
	c.AddParam("id", "7")
	fmt.Println(v.SetTestVersion(c, verso.V("v2")))
	showUser(c)
	fmt.Println(w.Body)
	fmt.Println(v.SetTestVersion(c, verso.V("v9")))
	// Output:
	// <nil>
	// v2 http://example.com/v2/users/7
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}

// Bodies of v1 are rewritten, here to upper case; the handler knows v2 only. Module migrate makes
// useful rewriters.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := gin.New()
	v := versogin.New(r, api)
	r.Use(v.RewriteErrors(), gin.Recovery())
	v.Rewrite(new(conformance.Shouting)).GET("/bookings/:id", func(c *gin.Context) { c.String(http.StatusOK, "booked") })

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		r.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 BOOKED
	// v2 booked
}
