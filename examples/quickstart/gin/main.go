// Command gin is the smallest service worth showing: one route in two
// versions, whose answer links to itself.
//
//	go run ./quickstart/gin [address]
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func main() {
	addr := ":8080"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	log.Fatal(http.ListenAndServe(addr, newServer()))
}

func newServer() *gin.Engine {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))

	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(scheme, versogin.WithRoutes(routes)))
	routes.Name("user").GET("/:version/users/:id", showUser)
	return r
}

func showUser(c *gin.Context) {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	self, err := versogin.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": id}})
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"version": versogin.Version(c), "self": self})
}
