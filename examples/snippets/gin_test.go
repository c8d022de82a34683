package snippets

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func init() { gin.SetMode(gin.TestMode) }

func Example_ginNamespace() {
	api := verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := gin.New()
	v := versogin.New(r, api)

	users := func(r *versogin.Routes) {
		r.Name("user-list").GET("/users", func(c *gin.Context) {
			self, err := versogin.Link(c, verso.Target{Name: "user-list"})
			if err != nil {
				_ = c.AbortWithError(http.StatusInternalServerError, err)
				return
			}
			c.String(http.StatusOK, self)
		})
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	get(r, "/v1/users")
	get(r, "/v2/users")
	// Output:
	// 200 http://api.example.com/v1/users
	// 200 http://api.example.com/v2/users
}

func Example_ginErrorHandler() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	r := gin.New()
	v := versogin.New(r, api, versogin.Config{
		ErrorHandler: func(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
			c.JSON(rejected.StatusCode(), gin.H{"error": rejected.MessageID, "text": answer.Problem.Detail})
			return nil
		},
	})
	v.GET("/users", func(*gin.Context) {})

	get(r, "/users?version=v9")
	// Output:
	// 404 {"error":"invalid_query_parameter_version","text":"Invalid version in query parameter."}
}

func Example_ginRouterErrors() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	r := gin.New()
	v := versogin.New(r, api)
	r.HandleMethodNotAllowed = true
	r.NoRoute(v.NotFound(), func(c *gin.Context) { c.JSON(http.StatusNotFound, gin.H{"error": "not_found"}) })
	r.NoMethod(v.NotFound(), func(c *gin.Context) { c.JSON(http.StatusMethodNotAllowed, gin.H{"error": "wrong_method"}) })
	v.POST("/users", func(*gin.Context) {})

	get(r, "/rooms")
	get(r, "/users")
	// Output:
	// 404 {"error":"not_found"}
	// 405 {"error":"wrong_method"}
}

func Example_ginErrors() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		if err := c.Errors.Last(); err != nil {
			c.JSON(-1, gin.H{"error": err.Error()}) // -1 keeps the status
		}
	})
	v := versogin.New(r, api, versogin.Config{ErrorHandler: versogin.ReturnError})
	v.GET("/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })

	get(r, "/users?version=v9")
	// Output:
	// 404 {"error":"Invalid version in query parameter."}
}
