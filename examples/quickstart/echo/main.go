// Command echo is the smallest service worth showing: one route in two
// versions, which differ in a field, and whose answer links to itself.
//
//	go run ./quickstart/echo
package main

import (
	"log"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func main() {
	log.Fatal(http.ListenAndServe(":8080", newServer()))
}

func newServer() *echo.Echo {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}))
	v := versoecho.New(api)

	e := echo.New()
	e.Use(v.Middleware())
	v.Route(e.GET("/health", health), verso.Neutral())
	e.GET("/:version/users/:id", showUser).Name = "user"
	v.Choose(e.GET, "/:version/rooms", versoecho.From("v1", listRooms), versoecho.Removed("v2"))
	return e
}

func health(c echo.Context) error    { return c.NoContent(http.StatusNoContent) }
func listRooms(c echo.Context) error { return c.JSON(http.StatusOK, []string{"Blue", "Green"}) }

func showUser(c echo.Context) error {
	self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
	if err != nil {
		return err
	}
	user := echo.Map{"self": self, "name": "Ada Lovelace"}
	if versoecho.Version(c) == verso.V("v1") {
		user = echo.Map{"self": self, "first_name": "Ada", "last_name": "Lovelace"}
	}
	return c.JSON(http.StatusOK, user)
}
