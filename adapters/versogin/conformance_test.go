package versogin_test

import (
	"cmp"
	"net/http"
	"slices"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(), noHosts)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(), conformance.BehindMiddleware(), noHosts)
}

// TestForeignRoutes registers the routes of which nothing is said with Gin.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(), conformance.ForeignRoutes(false), noHosts)
}

// TestPaths runs the suite where Gin compares the path as it was sent, and where groups of
// its own have the routes with options and without a name.
func TestPaths(t *testing.T) {
	opts := []conformance.Option{noHosts}
	for _, id := range []string{"twins/path/put-and-patch", "twins/path/chain-by-another-method", "routes/method/not-yet", "routes/method/removed", "routes/method/allow-two", "registered/unmatched/own-allow"} {
		opts = append(opts, conformance.Deviates(id, "routes in groups of Gin's own are known by their group alone"))
	}
	for _, group := range []string{"caching", "strictness", "decisions", "middleware", "concurrent", "faults"} {
		opts = append(opts, conformance.Without(group, "TestConformance runs it"))
	}
	conformance.Run(t, mount(func(r *gin.Engine) { r.UseRawPath = true }), opts...)
}

var noHosts = conformance.Without("hosts", "Gin has no hosts")

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, overridden()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, overridden()...) }

// overridden returns mounts, with the middleware or without, in which clients may set
// another method.
func overridden() (mounts []conformance.Mount) {
	override := func(r *gin.Engine) {
		r.Use(func(c *gin.Context) {
			if method := c.GetHeader("X-HTTP-Method-Override"); method != "" {
				c.Request.Method = method
			}
		})
	}
	for _, install := range []func(*gin.Engine){func(*gin.Engine) {}, override} {
		for times := range 2 {
			mounts = append(mounts, func(tb testing.TB, app conformance.App) *conformance.Server {
				tb.Helper()
				app.Middleware = times
				return mount(install, func(r *gin.Engine) {
					r.HandleMethodNotAllowed = false // the router of Gin 1.12.0 panics for some requests otherwise
				})(tb, app)
			})
		}
	}
	return mounts
}

// mount mounts applications on Gin.
func mount(install ...func(*gin.Engine)) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		r := gin.New()
		r.HandleMethodNotAllowed = true
		var config versogin.Config
		if app.ExemptFromSunset != "" {
			config.ExemptFromSunset = func(c *gin.Context) bool { return c.GetHeader(app.ExemptFromSunset) != "" }
		}
		config.Skipper = func(c *gin.Context) bool { return c.GetHeader(app.Skipper) != "" }
		if app.Client != nil {
			config.Client = func(c *gin.Context) string {
				return app.Client(conformance.Step{Version: versogin.Version(c), Header: c.GetHeader, Param: func(name string) string { return versogin.Param(c, name) }})
			}
		}
		switch {
		case app.ErrorHandler != nil:
			config.ErrorHandler = func(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
				response := app.ErrorHandler(rejected, answer)
				if response.Err == nil {
					response.Write(c.Writer)
				}
				return response.Err
			}
		case app.Middleware > 0: // a central handler answers
			config.ErrorHandler = func(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
				c.Set("answer", answer)
				return versogin.ReturnError(c, rejected, answer)
			}
			r.Use(func(c *gin.Context) {
				c.Next()
				if answer, ok := c.Get("answer"); ok && len(c.Errors) == 1 && !c.Writer.Written() {
					answer.(*verso.Answer).ServeHTTP(c.Writer, c.Request)
				}
			})
		}
		v := versogin.New(r, app.API, config)
		for _, route := range app.Routes {
			if route.Outside { // before any middleware of the engine
				addRoute(r, v, route, nil)
			}
		}
		for _, install := range install {
			install(r)
		}
		adapt := middlewareOf(v)
		if app.RewriteErrors {
			r.Use(v.RewriteErrors())
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		if app.Around != nil {
			r.Use(func(c *gin.Context) {
				next := func() error {
					if c.Next(); len(c.Errors) > 0 {
						return c.Errors.Last()
					}
					return nil
				}
				_ = app.Around(next, func(status int, text string) { conformance.WriteTo(c.Writer)(status, text) })
			})
		}
		r.Use(conformance.Adapt(app.Before, adapt)...)
		for range app.Middleware {
			r.Use(v.Middleware())
		}
		r.Use(conformance.Adapt(app.Between, adapt)...)
		of := v
		if app.Other != nil {
			of = versogin.New(r, app.Other)
		}
		if app.Other != nil && app.Middleware > 0 {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
		}
		if app.InContext {
			v = v.AfterCheck(versogin.InContext)
		}
		in := conformance.Groups(v, adapt, func(v *versogin.Routes, prefix string, middleware ...gin.HandlerFunc) *versogin.Routes {
			return v.In(r.Group(prefix, middleware...))
		})
		add := func(route conformance.Route) {
			addRoute(r, in(route.Group), route, conformance.Adapt(route.Middleware, adapt))
		}
		for _, route := range app.Routes {
			if !route.Outside {
				add(route)
			}
		}
		for _, m := range app.Mounts {
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(gin.IRouter) {
				return func(to gin.IRouter) {
					to.Use(conformance.Adapt(version.Middleware, adapt)...)
					for _, route := range version.Routes {
						in := to.Group("", conformance.Adapt(route.Middleware, adapt)...)
						if route.Method == "" {
							in.Any(pathOf(route), handlerOf(r, route.Handle))
							continue
						}
						in.Handle(route.Method, pathOf(route), handlerOf(r, route.Handle))
					}
				}
			}))
		}
		if app.NotFound {
			r.NoRoute(v.NotFound())
			r.NoMethod(v.NotFound())
		}
		server := conformance.Serve(tb, app, r)
		server.Add, server.Link, server.Explain = add, v.Link, v.Explain
		return server
	}
}

// addRoute registers a route.
func addRoute(r *gin.Engine, v *versogin.Routes, route conformance.Route, middleware []gin.HandlerFunc) {
	if route.FullName() != "" {
		v = v.Name(route.FullName())
	}
	v = v.With(route.Options...)
	if route.EachVersion {
		v = v.EachVersion()
	}
	to, path, chain := gin.IRoutes(v), pathOf(route), slices.Concat(middleware, []gin.HandlerFunc{handlerOf(r, route.Handle)})
	if route.Outside || route.Foreign {
		to = r
	}
	switch {
	case route.Group != nil && route.Group.Scope:
		v.RouterGroup("").Handle(route.Method, path, chain...)
	case route.Handlers != nil:
		v.HandleVersions(route.Method, path, conformance.Handlers(route, func(handle handle) gin.HandlerFunc { return handlerOf(r, handle) }), middleware...)
	case route.Methods != nil:
		to.Match(route.Methods, path, chain...)
	case r.UseRawPath && len(route.Options) > 0 && route.Group == nil && !route.EachVersion && route.FullName() == "" && route.Method != "":
		v.RouterGroup(path, middleware...).Handle(route.Method, "", handlerOf(r, route.Handle))
	case route.Method == "":
		to.Any(path, chain...)
	default:
		verb, ok := map[string]func(string, ...gin.HandlerFunc) gin.IRoutes{
			"DELETE": to.DELETE, "GET": to.GET, "HEAD": to.HEAD, "OPTIONS": to.OPTIONS, "PATCH": to.PATCH, "POST": to.POST, "PUT": to.PUT,
		}[route.Method]
		if ok {
			verb(path, chain...)
		} else {
			to.Handle(route.Method, path, chain...)
		}
	}
}

// middlewareOf returns what makes middleware of Gin's.
func middlewareOf(v *versogin.Routes) func(conformance.Middleware) gin.HandlerFunc {
	return func(run conformance.Middleware) gin.HandlerFunc {
		return func(c *gin.Context) {
			outside, ended, hasReturned := c.Writer, func() {}, false
			defer func() {
				if in, ok := c.Writer.(*wrapped); ok && hasReturned && in.Status() != http.StatusOK {
					in.WriteHeaderNow()
				}
				ended()
				c.Writer = outside
			}()
			status := run(conformance.Step{
				Version:        versogin.Version(c),
				Header:         c.GetHeader,
				AddField:       c.Writer.Header().Add,
				SetTestVersion: func(version verso.Version) error { return v.SetTestVersion(c, version) },
				SetHeader:      c.Request.Header.Set,
				Keep:           func(key, value string) { c.Set(key, value) },
				SetMethod:      func(method string) { c.Request.Method = method },
				Query:          c.Query,
				Form:           c.PostForm,
				Wrap: func(with func(http.ResponseWriter) (http.ResponseWriter, func())) {
					inside, end := with(outside)
					c.Writer, ended = &wrapped{ResponseWriter: outside, inside: inside}, end
				},
			})
			if status != 0 {
				c.AbortWithStatus(status)
			} else if c.Writer != outside {
				c.Next()
			}
			hasReturned = true
		}
	}
}

// wrapped is the writer of middleware in Gin, which delays the header.
type wrapped struct {
	gin.ResponseWriter
	inside  http.ResponseWriter
	status  int
	written bool
}

func (w *wrapped) Header() http.Header    { return w.inside.Header() }
func (w *wrapped) Status() int            { return cmp.Or(w.status, http.StatusOK) }
func (w *wrapped) Written() bool          { return w.written }
func (w *wrapped) WriteHeader(status int) { w.status = status }

func (w *wrapped) WriteHeaderNow() {
	if !w.written {
		w.written = true
		w.inside.WriteHeader(w.Status())
	}
}

func (w *wrapped) Write(p []byte) (int, error) {
	w.WriteHeaderNow()
	return w.inside.Write(p)
}

func (w *wrapped) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

func pathOf(route conformance.Route) string {
	return route.Path(func(name string, rest bool) string {
		if rest {
			return "*" + name
		}
		return ":" + name
	})
}

type handle = func(conformance.Call) conformance.Response

func handlerOf(r *gin.Engine, handle handle) gin.HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(c *gin.Context) {
		response := handle(conformance.Call{
			Context:     c.Request.Context(),
			Own:         c,
			Version:     versogin.Version(c),
			Param:       func(name string) string { return versogin.Param(c, name) },
			Link:        func(target verso.Target) (string, error) { return versogin.Link(c, target) },
			Query:       c.Query,
			Form:        c.PostForm,
			Bind:        map[string]func(any) error{"query": c.ShouldBindQuery, "form": c.ShouldBind, "header": c.ShouldBindHeader},
			AtLeast:     func(version string) bool { return versogin.AtLeast(c, version) },
			ContentType: func(resource string) (string, error) { return versogin.ContentType(c, resource) },
		})
		if response.PassOn != "" {
			c.Request.URL.Path = response.PassOn
			r.HandleContext(c)
			return
		}
		if response.Err != nil { // what is around may answer
			c.Status(http.StatusInternalServerError)
			_ = c.Error(response.Err)
			return
		}
		response.Write(c.Writer)
	}
}
