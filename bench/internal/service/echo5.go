package service

import (
	"net/http"
	"strings"

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
	case Verso, Middleware:
		config := versoecho5.Config{Client: client[*echo.Context](o)}
		if o.WriteProblem {
			config.ErrorHandler = versoecho5.WriteProblem
		}
		v = versoecho5.New(e, o.API, config)
		read = func(c *echo.Context) string { return versoecho5.Version(c).String() }
		if o.Variant == Middleware {
			e.Use(v.Middleware())
		}
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
		if o.Variant != Verso {
			added := echo.Route{Method: http.MethodGet, Path: colons(route.Pattern), Name: route.Name, Handler: handler}
			if _, err := e.AddRoute(added); err != nil {
				panic(err)
			}
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if group = group.Name(name); o.Choose {
			group.Choose(http.MethodGet, colons(route.Pattern), versoecho5.Handlers{"v1": handler, "v2": handler})
			continue
		}
		group.GET(colons(route.Pattern), handler)
	}
	return Server{handler: e}
}
