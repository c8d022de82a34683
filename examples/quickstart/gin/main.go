// Command gin is the Gin program of the README: v1, which is deprecated, and v2
// side by side.
//
//	go run ./quickstart/gin
package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() { log.Fatal(newServer().Run("localhost:8080")) }

func newServer() *gin.Engine {
	versions := verso.Must(catalogue.Parse([]byte(`{"successor_links": true, "versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2027-12-31",
			"successor": "v2", "after_sunset": "gone"},
		{"version": "v2"}
	]}`)))
	links := verso.LinkConfig{Origin: "http://localhost:8080"}
	api := verso.Must(verso.New(verso.PathParam("version"),
		verso.Config{Catalogue: versions, Links: links}))

	r := gin.Default()
	v := versogin.New(r, api)
	users := versogin.Handlers{"v1": showNames, "v2": showUser}
	v.Name("user").Choose("GET", "/:version/users/:id", users)
	r.GET("/health", func(c *gin.Context) { c.Status(204) })
	return r
}

func showNames(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c *gin.Context) {
	params := verso.Params{"id": versogin.Param(c, "id")}
	self, err := versogin.Link(c, verso.Target{Name: "user", Params: params})
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err) // Gin logs it
		return
	}
	c.JSON(http.StatusOK, gin.H{"name": "Ada Lovelace", "self": self})
}
