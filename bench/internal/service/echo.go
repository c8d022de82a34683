package service

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func inEcho(o *Options) Server {
	e, names := echo.New(), o.names(colons)
	v, read := (*versoecho.Routes)(nil), func(c echo.Context) string { return text(c.Get(key)) }
	determine := byHand(o, access[echo.Context]{
		echo.Context.Param, echo.Context.QueryParam,
		func(c echo.Context, name string) string { return c.Request().Header.Get(name) },
		func(c echo.Context) string { return c.Request().Host },
		func(c echo.Context) string { return names[c.Path()] },
	})
	switch o.Variant {
	case Store, ByHand:
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
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
	case Verso, Middleware:
		config := versoecho.Config{Client: client[echo.Context](o)}
		if o.WriteProblem {
			config.ErrorHandler = versoecho.WriteProblem
		}
		v = versoecho.New(e, o.API, config)
		read = func(c echo.Context) string { return versoecho.Version(c).String() }
		if o.Variant == Middleware {
			e.Use(v.Middleware())
		}
	}
	for _, route := range o.Routes {
		handler := func(c echo.Context) error {
			if o.Inside != nil {
				o.Inside(func(t verso.Target) (string, error) { return versoecho.Link(c, t) })
			}
			if o.Answer != nil {
				return c.JSON(o.Answer(read(c)))
			}
			kept = read(c)
			return nil
		}
		if o.Variant != Verso {
			e.GET(colons(route.Pattern), handler).Name = route.Name
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if o.Choose {
			group.Choose(http.MethodGet, colons(route.Pattern), versoecho.Handlers{"v1": handler, "v2": handler}).Name = name
			continue
		}
		group.GET(colons(route.Pattern), handler).Name = name
	}
	return Server{handler: e}
}
