// Package versoecho installs Verso in Echo v4: a middleware that determines the
// API version of each request, and links to routes in a version. A simple
// service needs one line:
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	e := echo.New()
//	e.Use(versoecho.Middleware(api))
//	e.GET("/:version/users", func(c echo.Context) error {
//		return c.String(http.StatusOK, "users in "+versoecho.Version(c).String())
//	})
//
// A service that says more about its routes makes a [Routes], which has the
// middleware as well:
//
//	v := versoecho.New(api)
//	e.Use(v.Middleware())
//	v.Namespace(e, "v1", func() { users(e.Group("/v1")) })
//
// Echo gives the last parameter of a pattern all that follows, slashes included.
// So "/users/:version" also matches "/users/v1/x", which asks for the version
// "v1/x": it is rejected, unless every version is served.
package versoecho

import (
	"errors"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// contextKey is where the middleware keeps its result in the context of Echo. It
// is short, since Echo hashes it in each request.
const contextKey = "verso"

// Config defines the config for the Verso middleware: what is Echo's own. The
// rest is in [verso.Config].
type Config struct {
	// Skipper defines a function to skip middleware.
	// Optional. Default value: skips nothing.
	Skipper middleware.Skipper

	// Neutral lists the patterns of routes that are version-neutral, as they
	// were registered ("/metrics", "/swagger/*"): those that others register.
	// Optional. Default value: none. See also [Routes.Route].
	Neutral []string

	// Client names who sent a request, for [verso.Usage]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned. Of a rejected request it knows what middleware
	// before this one has found out.
	// Optional. Default value: nil, nobody knows.
	Client func(c echo.Context) string

	// ErrorHandler answers a rejected request, or returns an error for
	// Echo#HTTPErrorHandler to answer. When it does neither, the default does.
	// [WriteProblem] answers with application/problem+json.
	// Optional. Default value: returns an *echo.HTTPError whose Message is the
	// [*verso.Problem], which Echo sends as application/json, and whose
	// Internal is err. Requests share problems: they must not be modified.
	ErrorHandler func(c echo.Context, err *verso.Error, answer *verso.Answer) error
}

// Middleware returns a middleware that determines the version of each request
// and keeps it for [Version]. It is that of [New], for services that say nothing
// more about their routes. It panics when api is nil.
func Middleware(api *verso.Versioning) echo.MiddlewareFunc { return New(api).Middleware() }

// MiddlewareWithConfig returns a Verso middleware with config: see [Middleware].
func MiddlewareWithConfig(api *verso.Versioning, config Config) echo.MiddlewareFunc {
	return NewWithConfig(api, config).Middleware()
}

// Routes is what a service says about the routes of an API, together with the
// middleware that knows it. One Routes may serve several Echo instances. It is
// safe for concurrent use, but routes are registered before requests are served,
// as in Echo.
type Routes struct {
	api    *verso.Versioning
	config Config
	client func(c any) string // nil: nobody knows

	latest  atomic.Pointer[snapshot] // of the last instance
	saidPre sync.Once

	mu      sync.Mutex               // guards what follows
	all     map[*echo.Echo]*snapshot // of all instances, usually one
	options map[*echo.Route][]verso.RouteOption
	plans   map[*echo.Route]*verso.Plan
	neutral *verso.Plan // nil without Config.Neutral
}

// New returns the routes of an API. It panics when api is nil.
func New(api *verso.Versioning) *Routes { return NewWithConfig(api, Config{}) }

// NewWithConfig returns the routes of an API with config: see [New].
func NewWithConfig(api *verso.Versioning, config Config) *Routes {
	if api == nil {
		panic("versoecho: the versioning is nil: make it with verso.New or a constructor such as verso.NewURLPath, and check its error")
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = httpError
	}
	v := &Routes{
		config:  config,
		client:  verso.ClientFunc(api, config.Client),
		all:     make(map[*echo.Echo]*snapshot),
		options: make(map[*echo.Route][]verso.RouteOption),
		plans:   make(map[*echo.Route]*verso.Plan),
	}
	v.api = api.WithRoutes(v.table)
	if len(config.Neutral) > 0 {
		v.neutral = verso.Must(v.api.Plan(verso.Neutral()))
	}
	return v
}

// Middleware returns the middleware. Install it with Echo#Use, or on a group or
// a route. Before the router, with Echo#Pre, there is no route yet and it does
// nothing.
//
// Requests that Echo itself answers, with 404, 405 or its own OPTIONS, pass
// untouched, and so do those of RouteNotFound routes whose path no other route
// has. A CORS preflight has no version. The version of all other requests is
// determined, also where Verso does not know the route.
//
// A rejected request goes no further, so what must see or mark rejections too
// comes before: the request logger, the request ID, and CORS, without whose
// header fields a script cannot read a rejection. Recover, gzip and body limits
// may come before or after. Rewrite and MethodOverride belong before the router,
// with Echo#Pre: after it they change the request that the version is read from,
// but not the route.
func (v *Routes) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		// Echo makes this closure anew for each request: it holds two words.
		return func(c echo.Context) error { return v.handle(c, next) }
	}
}

func (v *Routes) handle(c echo.Context, next echo.HandlerFunc) error {
	if v.config.Skipper != nil && v.config.Skipper(c) {
		return next(c)
	}
	matched, ok := v.match(c)
	if !ok {
		return v.unmatched(c, next)
	}
	r := verso.NewHTTPRequest(c.Request(), router, c, matched)
	decision, err := v.api.Determine(r)
	verso.SetFields(c.Response().Header(), &decision)
	if v.api.Observes() {
		defer v.api.Observe(r, &decision, err, c.Path(), v.client)
	}
	if err != nil {
		return v.reject(c, r, err)
	}
	c.Set(contextKey, decision.Result)
	return next(c)
}

// unmatched hands on a request that matched no route, and says so once when that
// is because Echo has not routed it yet.
func (v *Routes) unmatched(c echo.Context, next echo.HandlerFunc) error {
	before := c.Path()
	err := next(c)
	if before == "" && c.Path() != "" {
		v.saidPre.Do(func() {
			slog.Warn("versoecho: the middleware runs before the router and does nothing: install it with Use, not with Pre", "code", "before_router")
		})
	}
	return err
}

// reject hands a rejected request to the error handler. Another error is a
// programming error, which Echo answers with status 500.
func (v *Routes) reject(c echo.Context, r verso.Request, err error) error {
	rejected, ok := errors.AsType[*verso.Error](err)
	if !ok {
		return echo.ErrInternalServerError.WithInternal(err)
	}
	answer := v.api.Answer(r, rejected)
	answer.SetFields(c.Response().Header())
	err = v.config.ErrorHandler(c, rejected, answer)
	if err == nil && !c.Response().Committed {
		return httpError(c, rejected, answer) // or the rejection would become an empty 200
	}
	return err
}

// httpError puts a rejection on Echo's error path.
func httpError(_ echo.Context, err *verso.Error, answer *verso.Answer) error {
	return &echo.HTTPError{Code: err.StatusCode(), Message: &answer.Problem, Internal: err}
}

// WriteProblem is an ErrorHandler for [Config] that answers a rejected request
// with application/problem+json (RFC 9457), without Echo#HTTPErrorHandler.
func WriteProblem(c echo.Context, err *verso.Error, answer *verso.Answer) error {
	if c.Response().Committed {
		return httpError(c, err, answer) // which nobody can answer any more, but middleware sees it
	}
	verso.WriteAnswer(c.Response(), c.Request(), answer)
	return nil
}

// SetVersion keeps a version in a context as the middleware does, for a test that
// calls a handler without the middleware: [Version], [Link] and [ContentType] work
// then. Links lead to the routes of the context's Echo instance. It fails with
// [verso.ErrUnknownVersion] when the API does not serve the version.
func (v *Routes) SetVersion(c echo.Context, version verso.Version) error {
	result, err := v.api.Result(version)
	if err == nil {
		c.Set(contextKey, result)
	}
	return err
}

// Version returns the version of the request, none when it has none or did not
// pass the middleware.
func Version(c echo.Context) verso.Version {
	if result := resultOf(c); result != nil {
		return result.Version
	}
	return verso.Version{}
}

// resultOf returns what the middleware kept of a request, nil for nothing.
func resultOf(c echo.Context) *verso.Result {
	result, _ := c.Get(contextKey).(*verso.Result)
	return result
}

var errNoMiddleware = errors.New("versoecho: the request did not pass the middleware: install it before the handler")

// ContentType returns the vendor media type to answer with in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c echo.Context, resource string) (string, error) {
	result := resultOf(c)
	if result == nil {
		return "", errNoMiddleware
	}
	return result.ContentType(resource)
}

// Link builds the URL of a route in the version of the request, or in that of
// the target. Routes are named by Echo's own Route.Name, in which a colon
// separates the namespace:
//
//	e.GET("/:version/users/:id", showUser).Name = "user"
//	...
//	url, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link]; in a request that did not pass
// the middleware it fails too.
func Link(c echo.Context, target verso.Target) (string, error) {
	result := resultOf(c)
	if result == nil {
		return "", errNoMiddleware
	}
	return result.Link(verso.NewHTTPRequest(c.Request(), router, c, nil), target)
}

// Param returns the named path parameter, percent-decoded once, and "" when
// there is none. Echo's own Context#Param leaves it encoded when the path was
// sent with escapes that Go would not write, such as the "a%2Bb" for "a+b" in a
// URL of [Link].
func Param(c echo.Context, name string) string {
	value, _ := router.PathParam(c, name)
	return value
}

// router says what Echo's router knows of a request.
var router verso.RouterFacts = routerFacts{}

type routerFacts struct{}

// PathParam decodes what Echo cuts from the path: from the path as it was sent,
// if Go keeps that, else from the decoded one.
func (routerFacts) PathParam(request any, name string) (value string, ok bool) {
	c := request.(echo.Context)
	values := c.ParamValues()
	for i, param := range c.ParamNames() {
		if param != name || i >= len(values) {
			continue
		}
		if c.Request().URL.RawPath == "" {
			return values[i], true
		}
		if plain, err := url.PathUnescape(values[i]); err == nil {
			return plain, true
		}
		return values[i], true
	}
	return "", false
}

// Route returns nil: the middleware gives the route that it found to
// [verso.NewHTTPRequest], and Echo knows none.
func (routerFacts) Route(any) *route.Route { return nil }
