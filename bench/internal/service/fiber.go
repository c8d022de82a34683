package service

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

func inFiber(o *Options) Server {
	app := fiber.New()
	v, read := (*versofiber.Routes)(nil), func(c fiber.Ctx) string { return text(c.Locals(key)) }
	if o.Variant == Verso {
		v = versofiber.New(app, o.API, versofiber.Config{Client: client[fiber.Ctx](o)})
		read = func(c fiber.Ctx) string { return versofiber.Version(c).String() }
	}
	for _, route := range o.Routes {
		hand := newByHand(o, route, leanInFiber, usualInFiber)
		middleware := func(c fiber.Ctx) error {
			if hand.variant == Store {
				c.Locals(key, &constant)
				return c.Next()
			}
			version := hand.group
			if hand.inPath {
				version = c.Params("version")
			}
			if version == "" && hand.read != nil {
				version = hand.read(c)
			}
			if version == "" {
				version = "v1"
			}
			if hand.vary != nil && hand.variant == Floor {
				c.Response().Header.SetCanonical(hand.name, hand.line)
			} else if hand.vary != nil {
				c.Vary(hand.vary[0])
			}
			for _, field := range hand.fields {
				c.Set(field[0], field[1])
			}
			if hand.variant == Floor {
				if constant := floor(version); constant != nil {
					c.Locals(key, constant)
					return c.Next()
				}
			} else if hand.isServed(version) {
				c.Locals(key, version)
				return c.Next()
			}
			return c.SendStatus(http.StatusNotFound)
		}
		handler := func(c fiber.Ctx) error {
			if o.Inside != nil {
				o.Inside(func(t verso.Target) (string, error) { return versofiber.Link(c, t) })
			}
			if o.Answer != nil {
				status, body := o.Answer(read(c))
				return c.Status(status).JSON(body)
			}
			kept = read(c)
			return nil
		}
		switch pattern := colons(route.Pattern); o.Variant {
		case Verso:
			group, name := v.With(o.Options...), route.Name
			if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
				group, name = group.Namespace(namespace), rest
			}
			if o.HandleVersions {
				group.HandleVersions(http.MethodGet, pattern,
					versofiber.Handlers{"v1": handler, "v2": handler}).Name(name)
				continue
			}
			group.Get(pattern, handler).Name(name)
		case Bare:
			app.Get(pattern, handler).Name(route.Name)
		default:
			app.Get(pattern, middleware, handler).Name(route.Name)
		}
	}
	return Server{fast: app.Handler()}
}
