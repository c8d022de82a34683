// Command echo is the smallest service worth showing: one route in two
// versions, whose answer links to itself.
//
//	go run ./quickstart/echo [address]
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func main() {
	addr := ":8080"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	log.Fatal(http.ListenAndServe(addr, newServer()))
}

func newServer() *echo.Echo {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))

	e := echo.New()
	e.Use(versoecho.Middleware(scheme))
	e.GET("/:version/users/:id", showUser).Name = "user"
	return e
}

func showUser(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.ErrBadRequest
	}
	self, err := versoecho.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": id}})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"version": versoecho.Version(c), "self": self})
}
