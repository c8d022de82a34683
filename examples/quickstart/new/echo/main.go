// Command echo is a new service with Echo: v2, and v1, which ends.
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

	e := echo.New()
	v := versoecho.New(e, api)
	v.HandleVersions("GET", "/api/:version/users/:id", versoecho.Handlers{"v1": showNames, "v2": showUser}).Name = "user"
	return e
}

func showNames(c echo.Context) error {
	return c.JSON(http.StatusOK, echo.Map{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c echo.Context) error {
	self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versoecho.Param(c, "id")}})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"name": "Ada Lovelace", "self": self})
}
