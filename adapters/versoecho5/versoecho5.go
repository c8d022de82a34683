// Package versoecho5 installs Verso in Echo v5: a middleware that determines the
// API version of each request, and links to routes in a version. A simple
// service needs one line:
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	e := echo.New()
//	e.Use(versoecho5.Middleware(api))
//	e.GET("/:version/users", func(c *echo.Context) error {
//		return c.String(http.StatusOK, "users in "+versoecho5.Version(c).String())
//	})
//
// A service that says more about its routes makes a [Routes], which has the
// middleware as well:
//
//	v := versoecho5.New(api)
//	e.Use(v.Middleware())
//	users(v.Namespace(e.Group("/v1"), "v1"))
//
// Echo gives the last parameter of a pattern all that follows, slashes included.
// So "/users/:version" also matches "/users/v1/x", which asks for the version
// "v1/x": it is rejected, unless every version is served.
package versoecho5

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	verso "github.com/goverso/verso/core"
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
	Client func(c *echo.Context) string

	// ErrorHandler answers a rejected request, or returns an error for
	// Echo#HTTPErrorHandler to answer. When it does neither, the default does.
	// [WriteProblem] answers with application/problem+json.
	// Optional. Default value: returns an [*HTTPError], which Echo sends as
	// application/json.
	ErrorHandler func(c *echo.Context, err *verso.Error, answer *verso.Answer) error
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
// safe for concurrent use.
type Routes struct {
	api    *verso.Versioning
	config Config
	client func(c any) string // nil: nobody knows

	latest  atomic.Pointer[snapshot] // of the last instance
	saidPre sync.Once

	mu      sync.Mutex               // guards what follows
	all     map[*echo.Echo]*snapshot // of all instances, usually one
	options map[routeKey][]verso.RouteOption
	plans   map[routeKey]*verso.Plan
	neutral *verso.Plan // nil without Config.Neutral
}

// New returns the routes of an API. It panics when api is nil.
func New(api *verso.Versioning) *Routes { return NewWithConfig(api, Config{}) }

// NewWithConfig returns the routes of an API with config: see [New].
func NewWithConfig(api *verso.Versioning, config Config) *Routes {
	if api == nil {
		panic("versoecho5: the versioning is nil: make it with verso.New or a constructor such as verso.NewURLPath, and check its error")
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = httpError
	}
	v := &Routes{
		config:  config,
		client:  verso.ClientFunc(api, config.Client),
		all:     make(map[*echo.Echo]*snapshot),
		options: make(map[routeKey][]verso.RouteOption),
		plans:   make(map[routeKey]*verso.Plan),
	}
	v.api = api.WithRoutes(v.table)
	if len(config.Neutral) > 0 {
		v.neutral = verso.Must(v.api.Plan(verso.Neutral()))
	}
	return v
}

// Middleware returns the middleware. Install it with Echo#Use, or on a group or
// a route. Before the router, with Echo#Pre, there is no route yet and it does
// nothing. The hosts of echo.NewVirtualHostHandler are Echo instances of their
// own: install it in each.
//
// Requests that Echo itself answers, with 404, 405 or its own OPTIONS, pass
// untouched, and so do those of RouteNotFound routes. A CORS preflight has no
// version. The version of all other requests is determined, also where Verso
// does not know the route.
//
// A rejected request goes no further, so what must see or mark rejections too
// comes before: the request logger, the request ID, and CORS, without whose
// header fields a script cannot read a rejection. Recover, gzip, body limits and
// timeouts may come before or after. Rewrite and MethodOverride belong before
// the router, with Echo#Pre: after it they change the request that the version
// is read from, but not the route.
func (v *Routes) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error { return v.handle(c, next) }
	}
}

func (v *Routes) handle(c *echo.Context, next echo.HandlerFunc) error {
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
func (v *Routes) unmatched(c *echo.Context, next echo.HandlerFunc) error {
	before := c.Path()
	err := next(c)
	if before == "" && c.Path() != "" {
		v.saidPre.Do(func() {
			slog.Warn("versoecho5: the middleware runs before the router and does nothing: install it with Use, not with Pre", "code", "before_router")
		})
	}
	return err
}

// reject hands a rejected request to the error handler. Another error is a
// programming error, which Echo answers with status 500.
func (v *Routes) reject(c *echo.Context, r verso.Request, err error) error {
	rejected, ok := errors.AsType[*verso.Error](err)
	if !ok {
		return echo.ErrInternalServerError.Wrap(err)
	}
	answer := v.api.Answer(r, rejected)
	answer.SetFields(c.Response().Header())
	err = v.config.ErrorHandler(c, rejected, answer)
	if err == nil && !committed(c) {
		return httpError(c, rejected, answer) // or the rejection would become an empty 200
	}
	return err
}

// committed reports whether the response has begun, as far as that can be told.
func committed(c *echo.Context) bool {
	response, err := echo.UnwrapResponse(c.Response())
	return err != nil || response.Committed
}

// HTTPError is a rejected request on Echo's error path: an error with a status
// and a body. Echo's own [*echo.HTTPError] has no place for a body other than
// {"message": ...}.
type HTTPError struct {
	Err    *verso.Error
	Answer *verso.Answer
}

var _ echo.HTTPStatusCoder = (*HTTPError)(nil)

// Error returns the English message of the rejection.
func (e *HTTPError) Error() string { return e.Err.Error() }

// Unwrap returns the rejection.
func (e *HTTPError) Unwrap() error { return e.Err }

// StatusCode returns the HTTP status of the rejection.
func (e *HTTPError) StatusCode() int { return e.Err.StatusCode() }

// MarshalJSON returns the body, problem details (RFC 9457).
func (e *HTTPError) MarshalJSON() ([]byte, error) { return e.Answer.MarshalJSON() }

// httpError puts a rejection on Echo's error path.
func httpError(_ *echo.Context, err *verso.Error, answer *verso.Answer) error {
	return &HTTPError{err, answer}
}

// WriteProblem is an ErrorHandler for [Config] that answers a rejected request
// with application/problem+json (RFC 9457), without Echo#HTTPErrorHandler.
func WriteProblem(c *echo.Context, err *verso.Error, answer *verso.Answer) error {
	if committed(c) {
		return httpError(c, err, answer) // which nobody can answer any more, but middleware sees it
	}
	verso.WriteAnswer(c.Response(), c.Request(), answer)
	return nil
}

// SetVersion keeps a version in a context as the middleware does, for a test that
// calls a handler without the middleware: [Version], [Link] and [ContentType] work
// then. Links lead to the routes of the context's Echo instance. It fails with
// [verso.ErrUnknownVersion] when the API does not serve the version.
func (v *Routes) SetVersion(c *echo.Context, version verso.Version) error {
	result, err := v.api.Result(version)
	if err == nil {
		c.Set(contextKey, result)
	}
	return err
}

// Version returns the version of the request, none when it has none or did not
// pass the middleware.
func Version(c *echo.Context) verso.Version {
	if result := resultOf(c); result != nil {
		return result.Version
	}
	return verso.Version{}
}

// resultOf returns what the middleware kept of a request, nil for nothing.
func resultOf(c *echo.Context) *verso.Result {
	result, _ := c.Get(contextKey).(*verso.Result)
	return result
}

var errNoMiddleware = errors.New("versoecho5: the request did not pass the middleware: install it before the handler")

// ContentType returns the vendor media type to answer with in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c *echo.Context, resource string) (string, error) {
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
//	e.AddRoute(echo.Route{Method: http.MethodGet, Path: "/:version/users/:id", Name: "user", Handler: showUser})
//	...
//	url, err := versoecho5.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link]; in a request that did not pass
// the middleware it fails too.
//
// Looking up a name takes the same time for any number of routes, but for other
// routers than Echo's own [*echo.DefaultRouter]: the routes of an
// [echo.NewConcurrentRouter] can change at any time, so they are compared each
// time.
func Link(c *echo.Context, target verso.Target) (string, error) {
	result := resultOf(c)
	if result == nil {
		return "", errNoMiddleware
	}
	return result.Link(verso.NewHTTPRequest(c.Request(), router, c, nil), target)
}

// router says what Echo's router knows of a request.
var router verso.RouterFacts = routerFacts{}

type routerFacts struct{}
