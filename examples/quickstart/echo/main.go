// Command echo is the Echo program of the README: v1, which is deprecated, and v2
// side by side.
//
//	go run ./quickstart/echo
package main

import (
	"log"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() {
	log.Fatal(newServer().Start("localhost:8080"))
}

func newServer() *echo.Echo {
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

	e := echo.New()
	e.GET("/health", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })

	v := versoecho.New(e, api)
	v.Choose("GET", "/:version/users/:id", versoecho.Handlers{"v1": showNames, "v2": showUser}).Name = "user"
	return e
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func showNames(c echo.Context) error {
	return c.JSON(http.StatusOK, echo.Map{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(c echo.Context) error {
	id := versoecho.Param(c, "id")
	self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": id}})
	if err != nil {
		c.Logger().Error(err)
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"self": self, "name": "Ada Lovelace"})
}
