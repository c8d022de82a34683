package service

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

// InEcho are the services in Echo v4.
var InEcho = &Framework{
	Name: "echo",
	Bare: func(s *Scheme, version string) http.Handler {
		e := echo.New()
		registerInEcho(e, s, func(c echo.Context) error {
			return c.JSON(http.StatusOK, user{version})
		})
		return e
	},
	Stored: func(s *Scheme, version string) http.Handler {
		e := echo.New()
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				c.Set("version", &version)
				return next(c)
			}
		})
		registerInEcho(e, s, func(c echo.Context) error {
			stored, _ := c.Get("version").(*string)
			return c.JSON(http.StatusOK, user{*stored})
		})
		return e
	},
	Versioned: func(s *Scheme, translator verso.Translator) http.Handler {
		e := echo.New()
		e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{Scheme: s.scheme, Translator: translator}))
		registerInEcho(e, s, func(c echo.Context) error {
			return c.JSON(http.StatusOK, user{versoecho.Version(c).String()})
		})
		return e
	},
}

func registerInEcho(e *echo.Echo, s *Scheme, handler echo.HandlerFunc) {
	for _, route := range s.routes {
		e.GET(route.pattern, handler).Name = route.name
	}
}
