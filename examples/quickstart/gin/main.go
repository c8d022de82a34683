// Command gin is the Gin program of the README: v1, which is deprecated, and v2
// side by side.
//
//	go run ./quickstart/gin
package main

import (
	"log"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() {
	log.Fatal(newServer().Run("localhost:8080"))
}

func newServer() *gin.Engine {
	versions := verso.Must(catalogue.New(catalogue.Config{
		SuccessorLinks: true,
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: date(2026, 6, 30), Sunset: date(2027, 12, 31), Successor: "v2"},
			{Version: "v2"},
		},
	}))
	api := verso.Must(verso.NewURLPath(verso.Config{
		Catalogue: versions,
		Links:     verso.Links{Origin: "http://localhost:8080"},
		Strict:    verso.Strict(),
	}))

	r := gin.Default()
	r.GET("/health", func(c *gin.Context) { c.Status(http.StatusNoContent) })

	v := versogin.New(r, api)
	v.Name("user").Choose("GET", "/:version/users/:id", versogin.Handlers{"v1": showNames, "v2": showUser})
	return r
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func showNames(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c *gin.Context) {
	id := versogin.Param(c, "id")
	self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": id}})
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err) // Gin logs it
		return
	}
	c.JSON(http.StatusOK, gin.H{"self": self, "name": "Ada Lovelace"})
}
