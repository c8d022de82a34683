package service

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func inEcho5(o *Options) Server {
	e, names := echo.New(), o.names(colons)
	v, read := (*versoecho5.Routes)(nil), func(c *echo.Context) string { return text(c.Get(key)) }
	determine := byHand(o, access[*echo.Context]{
		(*echo.Context).Param, (*echo.Context).QueryParam,
		func(c *echo.Context, name string) string { return c.Request().Header.Get(name) },
		func(c *echo.Context) string { return c.Request().Host },
		func(c *echo.Context) string { return names[c.Path()] },
	})
	switch o.Variant {
	case Store, ByHand:
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				if determine == nil {
					c.Set(key, &constant)
					return next(c)
				}
				version, ok := o.respond(c.Response().Header(), determine(c))
				if !ok {
					return echo.NewHTTPError(http.StatusNotFound, "invalid version")
				}
				c.Set(key, version)
				return next(c)
			}
		})
	case Verso:
		config := versoecho5.Config{Client: client[*echo.Context](o)}
		if o.WriteProblem {
			config.ErrorHandler = versoecho5.WriteProblem
		}
		v = versoecho5.NewWithConfig(o.API, config)
		read = func(c *echo.Context) string { return versoecho5.Version(c).String() }
		e.Use(v.Middleware())
	}
	for _, route := range o.Routes {
		handler := func(c *echo.Context) error {
			if o.Inside != nil {
				o.Inside(func(t verso.Target) (string, error) { return versoecho5.Link(c, t) })
			}
			if o.Answer != nil {
				return c.JSON(o.Answer(read(c)))
			}
			kept = read(c)
			return nil
		}
		add := func(path string, handler echo.HandlerFunc, _ ...echo.MiddlewareFunc) echo.RouteInfo {
			added, err := e.AddRoute(echo.Route{Method: http.MethodGet, Path: path, Name: route.Name, Handler: handler})
			if err != nil {
				panic(err)
			}
			return added
		}
		if o.Choose {
			v.Choose(add, colons(route.Pattern), versoecho5.From("v1", handler), versoecho5.From("v2", handler))
			continue
		}
		if added := add(colons(route.Pattern), handler); o.Options != nil {
			v.Route(added, o.Options...)
		}
	}
	return Server{handler: e}
}
