package frameworks

import (
	"io"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

func inFiber(api *verso.Versioning, app App) Service {
	f := fiber.New(app.Fiber)
	var config versofiber.Config
	if app.ErrorHandler != nil {
		config.ErrorHandler = func(c fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
			writing(c, func(w http.ResponseWriter) { app.ErrorHandler(w, err) })
			return nil
		}
	}
	v := versofiber.New(f, api, config)
	if app.ReadsQuery {
		f.Use(func(c fiber.Ctx) error { c.Query("x"); return c.Next() })
	}
	if app.RewriteErrors {
		f.Use(v.RewriteErrors())
	}
	authenticate := func(c fiber.Ctx) error {
		c.Locals("pin", app.Pins[c.Get("Authorization")])
		return c.Next()
	}
	if app.Pins != nil && !app.PinLate {
		f.Use(authenticate)
	}
	handler := func(h http.HandlerFunc) fiber.Handler {
		return func(c fiber.Ctx) error {
			r, err := adaptor.ConvertRequest(c, true)
			if err != nil {
				return err
			}
			writing(c, func(w http.ResponseWriter) {
				h(w, Call{
					Version: versofiber.Version(c),
					Link:    func(to verso.Target) (string, error) { return versofiber.Link(c, to) },
					AtLeast: func(version string) bool { return versofiber.AtLeast(c, version) },
					Query:   func() map[string][]string { return lists(c.RequestCtx().QueryArgs().All()) },
					Form: func() (map[string][]string, *multipart.Form) {
						if m, err := c.MultipartForm(); err == nil {
							return m.Value, m
						}
						return lists(c.RequestCtx().PostArgs().All()), nil
					},
					FormValue: func(name string) string { return c.FormValue(name) },
					Bind:      map[string]func(any) error{"query": c.Bind().Query, "form": c.Bind().Form, "header": c.Bind().Header},
				}.in(r))
			})
			return nil
		}
	}
	below := with(v.Group(colons(app.Below, "")), nil, app.Rewriter)
	for _, route := range app.Routes {
		path, of, methods := colons(route.Path, "*"), with(below, route.Options, route.Rewriter), []string{route.Method}
		switch {
		case route.Foreign && app.PinLate:
			of.AfterCheck(authenticate).Add(methods, path, handler(route.Handle))
		case route.Foreign && !app.Middleware:
			f.Add(methods, path, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(route.Method, path, choices(route, handler))
		default:
			if added := of.Add(methods, path, handler(route.Handle)); route.Name != "" {
				added.Name(route.Name)
			}
		}
	}
	if app.NotFound {
		f.Use(v.NotFound())
	}
	return Service{OverFiber(f), v.Explain, v.Link}
}

func lists(args iter.Seq2[[]byte, []byte]) map[string][]string {
	all := make(map[string][]string)
	for name, value := range args {
		all[string(name)] = append(all[string(name)], string(value))
	}
	return all
}

// OverFiber returns an application of Fiber as a handler.
func OverFiber(app *fiber.App) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := app.Test(r, fiber.TestConfig{Timeout: 0})
		if err != nil {
			panic(err)
		}
		defer func() { _ = response.Body.Close() }()
		maps.Copy(w.Header(), response.Header)
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	})
}

// writing writes a response of net/http in Fiber, which does not send it before the handler returns.
func writing(c fiber.Ctx, write func(http.ResponseWriter)) {
	header := make(http.Header)
	write(fiberWriter{c, header})
	c.Response().Header.SetNoDefaultContentType(true)
	for name, lines := range header {
		c.Response().Header.Del(name)
		for _, line := range lines {
			c.Response().Header.Add(name, line)
		}
	}
}

type fiberWriter struct {
	c      fiber.Ctx
	header http.Header
}

func (w fiberWriter) Header() http.Header            { return w.header }
func (w fiberWriter) Write(part []byte) (int, error) { return w.c.Response().BodyWriter().Write(part) }
func (w fiberWriter) WriteHeader(status int)         { w.c.Status(status) }
