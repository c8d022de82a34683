package versofiber_test

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
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
	conformance.Run(t, mountWith(fiber.Config{CaseSensitive: true, StrictRouting: true}), clientGone, noMiddleware, noHosts, noScopes, namesOfMount, clientOfMount, errorAnswered)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, settings()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, settings()...) }

// settings returns mounts with the settings that change what Fiber takes from a path.
func settings() (mounts []conformance.Mount) {
	for _, config := range []fiber.Config{{CaseSensitive: true, StrictRouting: true}, {}, {UnescapePath: true}} {
		mounts = append(mounts, mountWith(config))
	}
	return mounts
}

var noMiddleware = conformance.Without("middleware", "Fiber calls middleware before it has found the route: the adapter has none")

var noHosts = conformance.Without("hosts", "the adapter has no hosts")

var noScopes = conformance.Without("scopes", "each route of a group has its own check")

var clientOfMount = conformance.Deviates("mount/client-after", "Fiber cannot change the names of path parameters for a handler")

var namesOfMount = conformance.Deviates("mount/parameters", "Fiber cannot change the names of path parameters for a handler")

var clientGone = conformance.Deviates("faults/client/leaves-before-its-answer", "fasthttp does not tell a handler that the client is gone")

var errorAnswered = conformance.Deviates("rewrite/error-passed-on", "Fiber would answer once more an error that is answered inside of the rewriting")

// TestSettings runs the suite with the settings that change what Fiber compares
// and cuts from a path, and what it takes from a header.
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
		{"immutable, header names as sent, lists with commas, behind a proxy", fiber.Config{
			Immutable: true, EnableSplittingOnParsers: true, DisableHeaderNormalizing: true, TrustProxy: true, TrustProxyConfig: fiber.TrustProxyConfig{Loopback: true},
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := slices.Concat(test.opts, []conformance.Option{
				noMiddleware, noHosts, noScopes, namesOfMount, clientOfMount, errorAnswered, conformance.Without("concurrent", "TestConformance runs it"), conformance.Without("faults", "TestConformance runs it"),
			})
			conformance.Run(t, mountWith(test.config), opts...)
		})
	}
}

// mountWith returns a mount that registers the routes with Verso, and serves
// them with fasthttp.
func mountWith(config fiber.Config) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		f := newApp(config)
		var own versofiber.Config
		if app.ExemptFromSunset != "" {
			own.ExemptFromSunset = func(c fiber.Ctx) bool { return c.Get(app.ExemptFromSunset) != "" }
		}
		if app.Client != nil {
			own.Client = func(c fiber.Ctx) string {
				return app.Client(conformance.Step{Version: versofiber.Version(c), Header: func(name string) string { return c.Get(name) }, Param: func(name string) string { return versofiber.Param(c, name) }})
			}
		}
		if app.ErrorHandler != nil {
			own.ErrorHandler = func(c fiber.Ctx, rejected *verso.Error, answer *verso.Answer) error {
				return send(c, app.ErrorHandler(rejected, answer))
			}
		}
		v := versofiber.New(f, app.API, own)
		f.Use(func(c fiber.Ctx) error {
			for name, lines := range app.Outer {
				addLines(c, name, lines)
			}
			return c.Next()
		})
		if app.RewriteErrors {
			f.Use(v.RewriteErrors())
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		installOuter(f, app)
		adapt := middlewareOf(v)
		for _, before := range conformance.Adapt(app.Before, adapt) {
			f.Use(before)
		}
		if app.Between != nil {
			v.Router().Use(conformance.Adapt(app.Between, adapt)...)
		}
		of := v
		if app.Other != nil {
			of = versofiber.New(f, app.Other)
		}
		v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
		if app.InContext {
			v = v.AfterCheck(versofiber.InContext)
		}
		in := conformance.Groups(v, adapt, func(v *versofiber.Routes, prefix string, middleware ...any) *versofiber.Routes {
			return v.In(f.Group(prefix, middleware...))
		})
		add := func(r conformance.Route) {
			addRoute(f, in(r.Group), r, pathOf(r, config), conformance.Adapt(r.Middleware, adapt))
		}
		for _, r := range app.Routes {
			add(r)
		}
		for _, m := range app.Mounts {
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(fiber.Router) {
				return func(to fiber.Router) {
					for _, before := range conformance.Adapt(version.Middleware, adapt) {
						to.Use(before)
					}
					to.Route("", func(to fiber.Router) {
						for _, r := range version.Routes {
							chain := append(conformance.Adapt(r.Middleware, adapt), handlerOf(r.Handle))
							if r.Method == "" {
								to.All(pathOf(r, config), chain[0], chain[1:]...)
								continue
							}
							to.Add([]string{r.Method}, pathOf(r, config), chain[0], chain[1:]...)
						}
					})
				}
			}))
		}
		if app.NotFound {
			f.Use(v.NotFound())
		}
		server := serve(tb, app, f)
		server.Link, server.Explain = v.Link, v.Explain
		server.Add = func(r conformance.Route) {
			add(r)
			f.RebuildTree()
		}
		return server
	}
}

// addRoute registers a route.
func addRoute(f *fiber.App, v *versofiber.Routes, r conformance.Route, path string, middleware []any) {
	v = v.With(r.Options...)
	if r.Namespace != "" {
		v = v.Namespace(r.Namespace)
	}
	if r.EachVersion {
		v = v.EachVersion()
	}
	to, methods, chain := fiber.Router(f), r.Methods, slices.Concat(middleware, []any{handlerOf(r.Handle)})
	if !r.Outside && !r.Foreign {
		to = v.Router()
	}
	if methods == nil {
		methods = []string{r.Method}
	}
	switch {
	case r.Handlers != nil:
		v.HandleVersions(r.Method, path, conformance.Handlers(r, handlerOf), middleware...)
	case methods[0] == "":
		to.All(path, chain[0], chain[1:]...)
	case len(methods) > 1 || r.Outside || r.Foreign:
		to.Add(methods, path, chain[0], chain[1:]...)
	default:
		addVerb(to, methods[0], path, chain)
	}
	if r.Name != "" {
		v.Name(r.Name)
	}
}

// addVerb registers a route by the method for its verb, or in a chain if it has no middleware.
func addVerb(to fiber.Router, method, path string, chain []any) {
	in := to.RouteChain("").RouteChain(path)
	verb := map[string]func(string, any, ...any) fiber.Router{
		"CONNECT": to.Connect, "DELETE": to.Delete, "GET": to.Get, "HEAD": to.Head, "OPTIONS": to.Options,
		"PATCH": to.Patch, "POST": to.Post, "PUT": to.Put, "TRACE": to.Trace,
	}[method]
	chained := map[string]func(any, ...any) fiber.Register{
		"CONNECT": in.Connect, "DELETE": in.Delete, "GET": in.Get, "HEAD": in.Head, "OPTIONS": in.Options,
		"PATCH": in.Patch, "POST": in.Post, "PUT": in.Put, "TRACE": in.Trace,
	}[method]
	switch {
	case verb == nil:
		to.Add([]string{method}, path, chain[0], chain[1:]...)
	case len(chain) == 1:
		chained(chain[0])
	default:
		verb(path, chain[0], chain[1:]...)
	}
}

// middlewareOf returns what makes middleware of Fiber's.
func middlewareOf(v *versofiber.Routes) func(conformance.Middleware) any {
	return func(run conformance.Middleware) any {
		return func(c fiber.Ctx) error {
			inside, ended, sent := http.ResponseWriter(nil), func() {}, httptest.NewRecorder()
			defer func() { ended() }()
			status := run(conformance.Step{
				Version:        versofiber.Version(c),
				Header:         func(name string) string { return c.Get(name) },
				AddField:       c.Response().Header.Add,
				SetTestVersion: func(version verso.Version) error { return v.SetTestVersion(c, version) },
				SetHeader:      c.Request().Header.Set,
				Keep:           func(key, value string) { c.Locals(key, value) },
				SetMethod:      func(method string) { c.Request().Header.SetMethod(method) },
				Query:          func(name string) string { return c.Query(name) },
				Form:           func(name string) string { return c.FormValue(name) },
				Wrap:           func(with func(http.ResponseWriter) (http.ResponseWriter, func())) { inside, ended = with(sent) },
			})
			if status != 0 {
				return c.SendStatus(status)
			}
			err := c.Next()
			if inside == nil || err != nil || c.Response().IsBodyStream() {
				return err
			}
			write(inside, c)
			ended()
			ended = func() {}
			read(sent, c)
			return nil
		}
	}
}

// write writes a response to the writer of a middleware. What has nothing but its status is not written.
func write(to http.ResponseWriter, c fiber.Ctx) {
	for name, value := range c.Response().Header.All() {
		to.Header().Add(string(name), string(value))
	}
	if len(c.Response().Body()) > 0 || c.Response().StatusCode() != http.StatusOK {
		to.WriteHeader(c.Response().StatusCode())
		_, _ = to.Write(c.Response().Body())
	}
}

// read makes what a middleware has written the response.
func read(sent *httptest.ResponseRecorder, c fiber.Ctx) {
	c.Response().Reset()
	c.Status(sent.Code)
	for name, lines := range sent.Header() {
		for _, line := range lines {
			c.Response().Header.Add(name, line)
		}
	}
	c.Response().SetBody(sent.Body.Bytes())
}

// newApp returns an app for the suite. The default error handler would send the text of a
// panic, and of a malformed request, to the client.
func newApp(config fiber.Config) *fiber.App {
	config.ReadBufferSize = 1 << 17 // of the header of a request
	config.RequestMethods = append(slices.Clone(fiber.DefaultMethods), "PURGE")
	config.ErrorHandler = func(c fiber.Ctx, err error) error {
		var known *fiber.Error
		if errors.As(err, &known) {
			return c.SendStatus(known.Code)
		}
		return c.SendStatus(fiber.StatusInternalServerError)
	}
	return fiber.New(config)
}

// installOuter installs what is outside of the routes. Neither Fiber nor fasthttp recovers a
// panic: without the middleware for it, one ends the process.
func installOuter(f *fiber.App, app conformance.App) {
	f.Use(recoverer.New(), func(c fiber.Ctx) error {
		if app.Around == nil {
			return c.Next()
		}
		return app.Around(c.Next, func(status int, text string) {
			if status != 0 {
				c.Status(status)
			}
			_ = c.SendString(text) // which never fails
		})
	})
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
	if handle == nil {
		return nil
	}
	return func(c fiber.Ctx) error {
		return send(c, handle(conformance.Call{
			Context:     c.Context(),
			Own:         c,
			Version:     versofiber.Version(c),
			Link:        func(target verso.Target) (string, error) { return versofiber.Link(c, renameRest(target)) },
			Query:       func(name string) string { return c.Query(name) },
			Form:        func(name string) string { return c.FormValue(name) },
			Bind:        map[string]func(any) error{"query": c.Bind().Query, "form": c.Bind().Form, "header": c.Bind().Header},
			AtLeast:     func(version string) bool { return versofiber.AtLeast(c, version) },
			ContentType: func(resource string) (string, error) { return versofiber.ContentType(c, resource) },
			Param: func(name string) string {
				if name == "rest" {
					name = "*"
				}
				return versofiber.Param(c, name)
			},
		}))
	}
}

func send(c fiber.Ctx, response conformance.Response) error {
	if response.PassOn != "" {
		c.Path(response.PassOn)
		return c.RestartRouting()
	}
	if response.Err != nil || response.Silent {
		return response.Err
	}
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
			if recover() == nil { // no middleware is around a stream: the process would end
				return
			}
			for range 8 { // more than is held: it fails if nothing of the stream is sent
				if _ = w.WriteByte(' '); w.Flush() != nil {
					return
				}
			}
			_ = conn.Close()
		}()
		_ = response.Stream(w, w.Flush)
	})
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
			err := f.ShutdownWithTimeout(10 * time.Second)
			_ = listener.Close() // Shutdown did, if the server had started
			<-stopped
			return err
		},
	}
}
