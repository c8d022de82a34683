// Command echo is the Echo program of the README: v1, which is deprecated, and v2
// side by side.
//
//	go run ./quickstart/echo
package main

import (
	"log"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() { log.Fatal(newServer().Start("localhost:8080")) }

func newServer() *echo.Echo {
	versions := verso.Must(catalogue.Parse([]byte(`{"successor_links": true, "versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2027-12-31",
			"successor": "v2", "after_sunset": "gone"},
		{"version": "v2"}
	]}`)))
	links := verso.LinkConfig{Origin: "http://localhost:8080"}
	api := verso.Must(verso.New(verso.PathParam("version"),
		verso.Config{Catalogue: versions, Links: links}))

	e := echo.New()
	v := versoecho.New(e, api)
	users := versoecho.Handlers{"v1": showNames, "v2": showUser}
	v.Choose("GET", "/:version/users/:id", users).Name = "user"
	e.GET("/health", func(c echo.Context) error { return c.NoContent(204) })
	return e
}

func showNames(c echo.Context) error {
	return c.JSON(http.StatusOK, echo.Map{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c echo.Context) error {
	params := verso.Params{"id": versoecho.Param(c, "id")}
	self, err := versoecho.Link(c, verso.Target{Name: "user", Params: params})
	if err != nil {
		c.Logger().Error(err)
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"name": "Ada Lovelace", "self": self})
}
