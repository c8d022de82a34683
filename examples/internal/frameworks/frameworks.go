// Package frameworks builds the same service in each framework, for tests of what is alike in all.
package frameworks

import (
	"context"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

func init() { gin.SetMode(gin.ReleaseMode) }

// All are the frameworks, by the names that tests give them.
var All = map[string]func(*verso.Versioning, App) Service{
	"gin": inGin, "echo4": inEcho4, "echo5": inEcho5, "http": inHTTP, "chi": inChi, "fiber": inFiber,
}

func inGin(api *verso.Versioning, app App) Service {
	r := gin.New()
	r.HandleMethodNotAllowed = true
	var config versogin.Config
	if app.ErrorHandler != nil {
		config.ErrorHandler = func(c *gin.Context, err *verso.Error, _ *verso.Answer) error {
			app.ErrorHandler(c.Writer, err)
			return nil
		}
	}
	v := versogin.New(r, api, config)
	if app.RewriteErrors {
		r.Use(v.RewriteErrors())
	}
	known := app.Pins
	authenticate := func(c *gin.Context) { c.Set("pin", known[c.GetHeader("Authorization")]) }
	if known != nil && !app.PinLate {
		r.Use(authenticate)
	}
	if app.Middleware {
		r.Use(v.Middleware())
	}
	if app.PinLate {
		r.Use(authenticate)
	}
	handler := func(h http.HandlerFunc) gin.HandlerFunc {
		return func(c *gin.Context) {
			h(c.Writer, Call{
				Version: versogin.Version(c),
				Link:    func(to verso.Target) (string, error) { return versogin.Link(c, to) },
				AtLeast: func(version string) bool { return versogin.AtLeast(c, version) },
				Query:   func() map[string][]string { return values(c.Request.URL.Query(), c.QueryArray) },
				Form: func() (map[string][]string, *multipart.Form) {
					c.PostForm("") // reads all
					return values(c.Request.PostForm, c.PostFormArray), c.Request.MultipartForm
				},
				FormValue: c.Request.FormValue,
				Bind:      map[string]func(any) error{"query": c.ShouldBindQuery, "form": c.ShouldBind, "header": c.ShouldBindHeader},
			}.in(c.Request))
		}
	}
	below := with(v.Group(colons(app.Below, "")), nil, app.Rewriter)
	for _, route := range app.Routes {
		path, of := colons(route.Path, "*rest"), with(below, route.Options, route.Rewriter)
		switch {
		case route.Foreign:
			r.Handle(route.Method, path, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(route.Method, path, choices(route, handler))
		case route.Name != "":
			of.Name(route.Name).Handle(route.Method, path, handler(route.Handle))
		default:
			of.Handle(route.Method, path, handler(route.Handle))
		}
	}
	if app.NotFound {
		r.NoRoute(v.NotFound())
		r.NoMethod(v.NotFound())
	}
	return Service{r, v.Explain, v.Link}
}

func inEcho4(api *verso.Versioning, app App) Service {
	e := echo.New()
	var config versoecho.Config
	if app.Problem {
		config.ErrorHandler = versoecho.WriteProblem
	} else if app.ErrorHandler != nil {
		config.ErrorHandler = func(c echo.Context, err *verso.Error, _ *verso.Answer) error {
			app.ErrorHandler(c.Response(), err)
			return nil
		}
	}
	v := versoecho.New(e, api, config)
	if app.ReadsQuery {
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error { c.QueryParam("x"); return next(c) }
		})
	}
	if app.RewriteErrors {
		e.Use(v.RewriteErrors())
	}
	authenticate := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set("pin", app.Pins[c.Request().Header.Get("Authorization")])
			return next(c)
		}
	}
	if app.Pins != nil && !app.PinLate {
		e.Use(authenticate)
	}
	if app.Middleware {
		e.Use(v.Middleware())
	}
	if app.PinLate {
		e.Use(authenticate)
	}
	handler := func(h http.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			h(c.Response(), Call{
				Version: versoecho.Version(c),
				Link:    func(to verso.Target) (string, error) { return versoecho.Link(c, to) },
				AtLeast: func(version string) bool { return versoecho.AtLeast(c, version) },
				Query:   func() map[string][]string { return c.QueryParams() },
				Form: func() (map[string][]string, *multipart.Form) {
					fields := verso.Must(c.FormParams())
					files, _ := c.MultipartForm() // nil without
					return fields, files
				},
				FormValue: c.FormValue,
				Bind: map[string]func(any) error{
					"query":  func(into any) error { return new(echo.DefaultBinder).BindQueryParams(c, into) },
					"form":   func(into any) error { return new(echo.DefaultBinder).BindBody(c, into) },
					"header": func(into any) error { return new(echo.DefaultBinder).BindHeaders(c, into) },
				},
			}.in(c.Request()))
			return nil
		}
	}
	below := with(v.Group(colons(app.Below, "")), nil, app.Rewriter)
	for _, route := range app.Routes {
		path, of := colons(route.Path, "*"), with(below, route.Options, route.Rewriter)
		switch {
		case route.Foreign:
			e.Add(route.Method, path, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(route.Method, path, choices(route, handler))
		default:
			if added := of.Add(route.Method, path, handler(route.Handle)); route.Name != "" {
				added.Name = route.Name
			}
		}
	}
	if app.NotFound {
		e.HTTPErrorHandler = v.NotFound()
	}
	return Service{e, v.Explain, v.Link}
}

func inEcho5(api *verso.Versioning, app App) Service {
	e := echo5.New()
	var config versoecho5.Config
	if app.Problem {
		config.ErrorHandler = versoecho5.WriteProblem
	} else if app.ErrorHandler != nil {
		config.ErrorHandler = func(c *echo5.Context, err *verso.Error, _ *verso.Answer) error {
			app.ErrorHandler(c.Response(), err)
			return nil
		}
	}
	v := versoecho5.New(e, api, config)
	if app.ReadsQuery {
		e.Use(func(next echo5.HandlerFunc) echo5.HandlerFunc {
			return func(c *echo5.Context) error { c.QueryParam("x"); return next(c) }
		})
	}
	if app.RewriteErrors {
		e.Use(v.RewriteErrors())
	}
	authenticate := func(next echo5.HandlerFunc) echo5.HandlerFunc {
		return func(c *echo5.Context) error {
			c.Set("pin", app.Pins[c.Request().Header.Get("Authorization")])
			return next(c)
		}
	}
	if app.Pins != nil && !app.PinLate {
		e.Use(authenticate)
	}
	if app.Middleware {
		e.Use(v.Middleware())
	}
	if app.PinLate {
		e.Use(authenticate)
	}
	handler := func(h http.HandlerFunc) echo5.HandlerFunc {
		return func(c *echo5.Context) error {
			h(c.Response(), Call{
				Version: versoecho5.Version(c),
				Link:    func(to verso.Target) (string, error) { return versoecho5.Link(c, to) },
				AtLeast: func(version string) bool { return versoecho5.AtLeast(c, version) },
				Query:   func() map[string][]string { return c.QueryParams() },
				Form: func() (map[string][]string, *multipart.Form) {
					files, _ := c.MultipartForm() // nil without
					return verso.Must(c.FormValues()), files
				},
				FormValue: c.FormValue,
				Bind: map[string]func(any) error{
					"query":  func(into any) error { return echo5.BindQueryParams(c, into) },
					"form":   func(into any) error { return echo5.BindBody(c, into) },
					"header": func(into any) error { return echo5.BindHeaders(c, into) },
				},
			}.in(c.Request()))
			return nil
		}
	}
	below := with(v.Group(colons(app.Below, "")), nil, app.Rewriter)
	for _, route := range app.Routes {
		path, of := colons(route.Path, "*"), with(below, route.Options, route.Rewriter)
		switch {
		case route.Foreign:
			e.Add(route.Method, path, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(route.Method, path, choices(route, handler))
		case route.Name != "":
			of.Name(route.Name).Add(route.Method, path, handler(route.Handle))
		default:
			of.Add(route.Method, path, handler(route.Handle))
		}
	}
	if app.NotFound {
		e.HTTPErrorHandler = v.NotFound()
	}
	return Service{e, v.Explain, v.Link}
}

// formOf returns the form of a request of net/http.
func formOf(r *http.Request) (map[string][]string, *multipart.Form) {
	_ = r.ParseMultipartForm(1 << 20)
	return r.PostForm, r.MultipartForm
}

// handlers returns what makes handlers for an adapter over net/http, given its functions.
func handlers(version func(*http.Request) verso.Version, link func(*http.Request, verso.Target) (string, error),
	atLeast func(*http.Request, string) bool) func(http.HandlerFunc) http.HandlerFunc {
	return func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			h(w, Call{
				Version:   version(r),
				Link:      func(to verso.Target) (string, error) { return link(r, to) },
				AtLeast:   func(version string) bool { return atLeast(r, version) },
				Query:     func() map[string][]string { return r.URL.Query() },
				Form:      func() (map[string][]string, *multipart.Form) { return formOf(r) },
				FormValue: r.FormValue,
			}.in(r))
		}
	}
}

// rejected is the ErrorHandler of an adapter over net/http, nil without.
func (app App) rejected() func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) {
	if app.ErrorHandler == nil {
		return nil
	}
	return func(w http.ResponseWriter, _ *http.Request, err *verso.Error, _ *verso.Answer) {
		app.ErrorHandler(w, err)
	}
}

// authenticate is the authentication of an App over net/http.
func (app App) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), "pin", app.Pins[r.Header.Get("Authorization")]) //nolint:staticcheck // as in the other frameworks
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func inHTTP(api *verso.Versioning, app App) Service {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, versohttp.Config{ErrorHandler: app.rejected()})
	handler := handlers(versohttp.Version, versohttp.Link, versohttp.AtLeast)
	below := with(v.Group(app.Below), nil, app.Rewriter)
	for _, route := range app.Routes {
		pattern, of := route.Method+" "+route.Path, with(below, route.Options, route.Rewriter)
		switch {
		case route.Foreign:
			mux.HandleFunc(pattern, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(pattern, choices(route, handler))
		case route.Name != "":
			of.Name(route.Name).HandleFunc(pattern, handler(route.Handle))
		default:
			of.HandleFunc(pattern, handler(route.Handle))
		}
	}
	h := http.Handler(mux)
	if app.Middleware && !app.PinLate {
		h = v.Middleware()(h)
	}
	if app.NotFound {
		h = v.NotFound()(h)
	}
	if app.Pins != nil {
		h = app.authenticate(h)
	}
	if app.Middleware && app.PinLate {
		h = v.Middleware()(h)
	}
	if app.RewriteErrors {
		h = v.RewriteErrors()(h)
	}
	return Service{h, v.Explain, v.Link}
}

func inChi(api *verso.Versioning, app App) Service {
	r := chi.NewRouter()
	v := versochi.New(r, api, versochi.Config{ErrorHandler: app.rejected()})
	if app.RewriteErrors {
		r.Use(v.RewriteErrors())
	}
	if app.Pins != nil && !app.PinLate {
		r.Use(app.authenticate)
	}
	if app.Middleware {
		r.Use(v.Middleware())
	}
	if app.PinLate {
		r.Use(app.authenticate)
	}
	handler := handlers(versochi.Version, versochi.Link, versochi.AtLeast)
	below := with(v.Group(app.Below), nil, app.Rewriter)
	for _, route := range app.Routes {
		path, of := strings.NewReplacer("{$}", "", "{rest...}", "*").Replace(route.Path), with(below, route.Options, route.Rewriter)
		switch {
		case route.Foreign:
			r.MethodFunc(route.Method, path, handler(route.Handle))
		case route.Versions != nil:
			of.HandleVersions(route.Method, path, choices(route, handler))
		case route.Name != "":
			of.Name(route.Name).MethodFunc(route.Method, path, handler(route.Handle))
		default:
			of.MethodFunc(route.Method, path, handler(route.Handle))
		}
	}
	if app.NotFound {
		r.NotFound(v.NotFound(nil))
		r.MethodNotAllowed(v.NotFound(nil))
	}
	return Service{r, v.Explain, v.Link}
}
