package versofiber_test

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/log"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func TestConformance(t *testing.T) {
	conformance.Run(t, mountWith(fiber.Config{CaseSensitive: true, StrictRouting: true}), clientGone, noMiddleware)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, guarded()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, guarded()...) }

// guarded returns mounts for fuzz tests.
func guarded() (mounts []conformance.Mount) {
	guard := func(c fiber.Ctx) error {
		c.Response().Header.Add(conformance.Guard, "ran")
		return c.Next()
	}
	for _, config := range []fiber.Config{{CaseSensitive: true, StrictRouting: true}, {}, {UnescapePath: true}} {
		mounts = append(mounts, mountWith(config, guard))
	}
	return mounts
}

var noMiddleware = conformance.Without("middleware", "Fiber calls middleware before it has found the route: the adapter has none")

var clientGone = conformance.Deviates("faults/client/leaves-before-its-answer", "fasthttp does not tell a handler that the client is gone")

// TestSettings runs the suite with the settings that change what Fiber compares
// and cuts from a path, and what it takes from a header, and once with Mount.
func TestSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, test := range []struct {
		name   string
		config fiber.Config
		opts   []conformance.Option
	}{
		{"default", fiber.Config{}, nil},
		{"unescape", fiber.Config{CaseSensitive: true, StrictRouting: true, UnescapePath: true}, []conformance.Option{
			conformance.Deviates("determine/url_path/plus/x-none", "Fiber decodes a plus in a path to a space"),
			conformance.Deviates("path/plus-next-to-an-unusual-escape", "Fiber decodes a plus in a path to a space"),
			conformance.Deviates("links/fixed-text-escaped", "a link with text that needs an escape writes a plus as it is, which Fiber decodes to a space, so there is none"),
		}},
		{"immutable, header names as sent, behind a proxy", fiber.Config{
			Immutable: true, DisableHeaderNormalizing: true, TrustProxy: true, TrustProxyConfig: fiber.TrustProxyConfig{Loopback: true},
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := slices.Concat(test.opts, []conformance.Option{
				noMiddleware, conformance.Without("concurrent", "TestConformance runs it"), conformance.Without("faults", "TestConformance runs it"),
			})
			conformance.Run(t, mountWith(test.config), opts...)
		})
	}
}

// mountWith returns a mount that registers the routes with Verso, and serves
// them with fasthttp.
func mountWith(config fiber.Config, guards ...any) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		f := newApp(app, config)
		var own versofiber.Config
		if app.KeepServed != "" {
			own.KeepServed = func(c fiber.Ctx) bool { return c.Get(app.KeepServed) != "" }
		}
		v := versofiber.New(f, app.API, own)
		for _, step := range slices.Concat(stepOf(v, app.Before), stepOf(v, app.Between)) {
			f.Use(step)
		}
		of := v
		if app.Other != nil {
			of = versofiber.New(f, app.Other)
		}
		v = v.AfterCheck(stepOf(of, app.After)...)
		for _, r := range app.Routes {
			routes, before := v.With(r.Options...).AfterCheck(guards...), guards
			if r.Rewriter != nil {
				routes = routes.Rewrite(r.Rewriter)
			}
			if r.Namespace != "" {
				routes = routes.Namespace(r.Namespace)
			}
			if r.EachVersion {
				routes, before = routes.EachVersion(guards...), nil
			}
			switch {
			case r.Outside, r.Foreign:
				f.Add([]string{r.Method}, pathOf(r, config), handlerOf(r.Handle))
				continue
			case r.Handlers != nil && config.Immutable:
				routes.Mount(conformance.Handlers(r, func(handle func(conformance.Call) conformance.Response) func(fiber.Router) {
					return func(to fiber.Router) { to.Add([]string{r.Method}, pathOf(r, config), handlerOf(handle)) }
				}))
			case r.Handlers != nil:
				routes.Choose(r.Method, pathOf(r, config), conformance.Handlers(r, handlerOf), before...)
			case r.Method == "":
				handlers := append(slices.Clone(before), handlerOf(r.Handle))
				routes.All(pathOf(r, config), handlers[0], handlers[1:]...)
			default:
				handlers := append(slices.Clone(before), handlerOf(r.Handle))
				routes.Add([]string{r.Method}, pathOf(r, config), handlers[0], handlers[1:]...)
			}
			if r.Name != "" {
				routes.Name(r.Name)
			}
		}
		if app.NotFound {
			f.Use(v.NotFound())
		}
		return serve(tb, app, f)
	}
}

// stepOf returns middleware of the suite, nil for none.
func stepOf(v *versofiber.Routes, step func(conformance.Step)) []any {
	if step == nil {
		return nil
	}
	return []any{func(c fiber.Ctx) error {
		step(conformance.Step{
			SetVersion: func(version verso.Version) error { return v.SetVersion(c, version) },
			SetHeader:  c.Request().Header.Set,
		})
		return c.Next()
	}}
}

// newApp returns an app for the suite. Neither Fiber nor fasthttp recovers a
// panic: without the middleware for it, one ends the process. The default error
// handler would send the text of a panic, and of a malformed request, to the
// client.
func newApp(app conformance.App, config fiber.Config) *fiber.App {
	config.ReadBufferSize = 1 << 17 // of the header of a request
	config.RequestMethods = append(slices.Clone(fiber.DefaultMethods), "PURGE")
	config.ErrorHandler = func(c fiber.Ctx, err error) error {
		if known, ok := errors.AsType[*fiber.Error](err); ok {
			return c.SendStatus(known.Code)
		}
		return c.SendStatus(fiber.StatusInternalServerError)
	}
	f := fiber.New(config)
	f.Use(recoverer.New(), func(c fiber.Ctx) error {
		for name, lines := range app.Outer {
			addLines(c, name, lines)
		}
		return c.Next()
	})
	return f
}

// pathOf returns the pattern of a route. Fiber compares its fixed text with the path
// as it was sent, unless it is told to decode that.
func pathOf(r conformance.Route, config fiber.Config) string {
	segments := strings.Split(r.Pattern, "/")
	for i, text := range segments {
		if !config.UnescapePath && !strings.HasPrefix(text, "{") {
			segments[i] = url.PathEscape(text)
		}
	}
	r.Pattern = strings.Join(segments, "/")
	return r.Path(func(name string, rest bool) string {
		if rest {
			return "*"
		}
		return ":" + name
	})
}

func handlerOf(handle func(conformance.Call) conformance.Response) fiber.Handler {
	return func(c fiber.Ctx) error {
		response := handle(conformance.Call{
			Context: c.Context(),
			Version: versofiber.Version(c),
			Link:    func(target verso.Target) (string, error) { return versofiber.Link(c, renameRest(target)) },
			Param: func(name string) string {
				if name == "rest" {
					name = "*"
				}
				return versofiber.Param(c, name)
			},
		})
		for name, lines := range response.Set {
			c.Response().Header.Del(name)
			addLines(c, name, lines)
		}
		for name, lines := range response.Add {
			addLines(c, name, lines)
		}
		c.Status(response.StatusCode())
		if response.Stream == nil {
			return c.SendString(response.Body)
		}
		conn := c.RequestCtx().Conn() // c is not valid in the stream
		return c.SendStreamWriter(func(w *bufio.Writer) {
			defer func() {
				if recover() != nil { // no middleware is around a stream: the process would end
					_ = conn.Close()
				}
			}()
			_ = response.Stream(w, w.Flush)
		})
	}
}

func addLines(c fiber.Ctx, name string, lines []string) {
	for _, line := range lines {
		c.Response().Header.Add(name, line)
	}
}

// renameRest gives the rest of a path the name that it has in Fiber.
func renameRest(target verso.Target) verso.Target {
	if rest, ok := target.Params["rest"]; ok {
		target.Params = maps.Clone(target.Params)
		delete(target.Params, "rest")
		target.Params["*"] = rest
	}
	return target
}

// serve serves an app with fasthttp, on a port of its own.
func serve(tb testing.TB, app conformance.App, f *fiber.App) *conformance.Server {
	tb.Helper()
	listener := conformance.Listen(tb, app)
	f.Handler()                                              // makes the app ready before a request can come
	f.Server().MaxIdleWorkerDuration = 10 * time.Millisecond // fasthttp's own goroutine sleeps as long after the end
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = f.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true})
	}()
	return &conformance.Server{
		Address: listener.Addr().String(),
		Close: func() error {
			// Shutdown looks at the connections ten times a second: most end sooner.
			for range 20 {
				if f.Server().GetOpenConnectionsCount() == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			err := f.ShutdownWithTimeout(time.Second)
			_ = listener.Close() // Shutdown did, if the server had started
			<-stopped
			return err
		},
	}
}
