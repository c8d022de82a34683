package service

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func inEcho5(o *Options) Server {
	e := echo.New()
	v, read := (*versoecho5.Routes)(nil), func(c *echo.Context) string { return text(c.Get(key)) }
	if o.Variant == Verso || o.Variant == Middleware {
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
		inFront := echo5ByHand(newByHand(o, route, lean, usual))
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
			added := echo.Route{Method: http.MethodGet, Path: colons(route.Pattern), Name: route.Name, Handler: handler,
				Middlewares: inFront}
			if _, err := e.AddRoute(added); err != nil {
				panic(err)
			}
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if group = group.Name(name); o.HandleVersions {
			group.HandleVersions(http.MethodGet, colons(route.Pattern),
				versoecho5.Handlers{"v1": handler, "v2": handler})
			continue
		}
		group.GET(colons(route.Pattern), handler)
	}
	return Server{handler: e}
}

// echo5ByHand returns the middleware of a route whose version is checked by hand, if it is.
func echo5ByHand(hand byHand[*http.Request]) []echo.MiddlewareFunc {
	switch hand.variant {
	case Store:
		return []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				c.Set(key, &constant)
				return next(c)
			}
		}}
	case Floor, Lean, Usual:
		return []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				version := hand.group
				if hand.inPath {
					version = c.Param("version")
				}
				if version == "" && hand.read != nil {
					version = hand.read(c.Request())
				}
				if version == "" {
					version = "v1"
				}
				if hand.vary != nil || hand.fields != nil {
					hand.respond(c.Response().Header())
				}
				if hand.variant == Floor {
					if constant := floor(version); constant != nil {
						c.Set(key, constant)
						return next(c)
					}
				} else if hand.isServed(version) {
					c.Set(key, version)
					return next(c)
				}
				return echo.NewHTTPError(http.StatusNotFound, "invalid version")
			}
		}}
	}
	return nil
}
