// Command gin is a new service with Gin: v2, and v1, which ends.
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
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-06-30"), Sunset: catalogue.MustDate("2027-12-31"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
		Links:  verso.LinkConfig{Relative: true},
		Strict: verso.Strict(),
	})

	r := gin.Default()
	v := versogin.New(r, api)
	v.Name("user").HandleVersions("GET", "/api/:version/users/:id", versogin.Handlers{"v1": showNames, "v2": showUser})
	return r
}

func showNames(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c *gin.Context) {
	self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versogin.Param(c, "id")}})
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err) // Gin logs it
		return
	}
	c.JSON(http.StatusOK, gin.H{"name": "Ada Lovelace", "self": self})
}
