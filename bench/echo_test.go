package bench

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
)

var inEcho = &framework{
	name: "echo",
	bare: func(s *schemeCase) http.Handler {
		return echoService(s, func(echo.Context) error { return nil })
	},
	nop: func(s *schemeCase) http.Handler {
		return echoService(s, func(echo.Context) error { return nil }, func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error { return next(c) }
		})
	},
	store: func(s *schemeCase) http.Handler {
		read := func(c echo.Context) error {
			keptPointer, _ = c.Get("constant").(*int)
			return nil
		}
		return echoService(s, read, func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				c.Set("constant", constant)
				return next(c)
			}
		})
	},
	verso: func(s *schemeCase) http.Handler {
		read := func(c echo.Context) error {
			keptVersion = versoecho.Version(c)
			return nil
		}
		return echoService(s, read, versoecho.Middleware(s.scheme))
	},
	byHand: func(s *schemeCase) http.Handler {
		read := func(c echo.Context) error {
			keptText, _ = c.Get("version").(string)
			return nil
		}
		determine := echoByHand(s)
		return echoService(s, read, func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				version := determine(c)
				if version == "" {
					version = defaultByHand
				}
				if !servedByHand[version] {
					return echo.NewHTTPError(http.StatusNotFound, "invalid version")
				}
				c.Set("version", version)
				return next(c)
			}
		})
	},
}

func echoService(s *schemeCase, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) http.Handler {
	e := echo.New()
	e.Use(middleware...)
	e.GET(s.colons(), handler).Name = s.route
	return e
}

// echoByHand returns what determines the version of a request by hand.
func echoByHand(s *schemeCase) func(echo.Context) string {
	switch s.name {
	case "accept_header":
		return func(c echo.Context) string { return acceptedByHand(c.Request().Header.Get("Accept")) }
	case "url_path":
		return func(c echo.Context) string { return c.Param("version") }
	case "namespace":
		names := map[string]string{s.colons(): s.route} // Echo does not tell the name of the route
		return func(c echo.Context) string { return namespaceByHand(names[c.Path()]) }
	case "hostname":
		return func(c echo.Context) string { return hostByHand(c.Request().Host) }
	default:
		return func(c echo.Context) string { return c.QueryParam("version") }
	}
}
