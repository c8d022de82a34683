package service

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func inEcho(o *Options) Server {
	e := echo.New()
	v, read := (*versoecho.Routes)(nil), func(c echo.Context) string { return text(c.Get(key)) }
	if o.Variant == Verso || o.Variant == Middleware {
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
		inFront := echoByHand(newByHand(o, route, lean, usual))
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
			e.GET(colons(route.Pattern), handler, inFront...).Name = route.Name
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if o.HandleVersions {
			group.HandleVersions(http.MethodGet, colons(route.Pattern),
				versoecho.Handlers{"v1": handler, "v2": handler}).Name = name
			continue
		}
		group.GET(colons(route.Pattern), handler).Name = name
	}
	return Server{handler: e}
}

// echoByHand returns the middleware of a route whose version is checked by hand, if it is.
func echoByHand(hand byHand[*http.Request]) []echo.MiddlewareFunc {
	switch hand.variant {
	case Store:
		return []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				c.Set(key, &constant)
				return next(c)
			}
		}}
	case Floor, Lean, Usual:
		return []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
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
