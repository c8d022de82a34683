// Command gin is the smallest service worth showing: one route in two
// versions, which differ in a field, and whose answer links to itself.
//
//	go run ./quickstart/gin
package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func main() {
	log.Fatal(http.ListenAndServe(":8080", newServer()))
}

func newServer() *gin.Engine {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}))

	r := gin.New()
	v := versogin.New(r, api)
	r.Use(v.Middleware())
	v.Neutral().GET("/health", health)
	v.Name("user").GET("/:version/users/:id", showUser)
	v.Choose("GET", "/:version/rooms", versogin.From("v1", listRooms), versogin.Removed("v2"))
	return r
}

func health(c *gin.Context)    { c.Status(http.StatusNoContent) }
func listRooms(c *gin.Context) { c.JSON(http.StatusOK, []string{"Blue", "Green"}) }

func showUser(c *gin.Context) {
	self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	user := gin.H{"self": self, "name": "Ada Lovelace"}
	if versogin.Version(c) == verso.V("v1") {
		user = gin.H{"self": self, "first_name": "Ada", "last_name": "Lovelace"}
	}
	c.JSON(http.StatusOK, user)
}
