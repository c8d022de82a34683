package snippets

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func init() { gin.SetMode(gin.TestMode) }

func Example_ginNamespace() {
	scheme := verso.Must(verso.NewNamespace(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(scheme, versogin.WithRoutes(routes)))

	users := func(r *versogin.Routes) {
		r.Name("user-list").GET("/users", func(c *gin.Context) {
			self, err := versogin.Reverse(c, verso.Target{Name: "user-list"})
			if err != nil {
				_ = c.AbortWithError(http.StatusInternalServerError, err)
				return
			}
			c.String(http.StatusOK, self)
		})
	}
	users(routes.Group("/v1").Namespace("v1"))
	users(routes.Group("/v2").Namespace("v2"))

	get(r, "/v1/users")
	get(r, "/v2/users")
	// Output:
	// 200 http://api.example.com/v1/users
	// 200 http://api.example.com/v2/users
}

func Example_ginError() {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		for _, err := range c.Errors {
			if refusal, ok := errors.AsType[*verso.Error](err); ok {
				c.JSON(refusal.StatusCode(), gin.H{"error": refusal.MessageID, "text": refusal.Message})
			}
		}
	})
	leaveIt := func(*gin.Context, *verso.Error, verso.Problem) {}
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1"}})),
		versogin.WithErrorHandler(leaveIt)))
	r.GET("/users", func(*gin.Context) {})

	get(r, "/users?version=v9")
	// Output:
	// 404 {"error":"invalid_query_parameter_version","text":"Invalid version in query parameter."}
}

func Example_ginStrict() {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")}))
	strict := verso.Strictness{BaseDomains: []string{"example.org"}}
	r := gin.New()
	r.Use(versogin.New(scheme, versogin.WithStrictness(strict)))
	r.GET("/users", func(*gin.Context) {})

	get(r, "/users") // of api.example.com
	// Output:
	// 421 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#unknown-host","title":"Misdirected request","status":421,"detail":"Unknown hostname in request.","code":"unknown_host"}
}
