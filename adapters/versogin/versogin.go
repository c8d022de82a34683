// Package versogin installs Verso in Gin: a middleware that determines the API
// version of each request, and links that stay in it.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	r := gin.New()
//	r.Use(versogin.Middleware(api))
//	r.GET("/:version/bookings", func(c *gin.Context) {
//		c.String(http.StatusOK, versogin.Version(c).String())
//	})
//
// Gin has no names for routes. A service that links to its routes, or that puts
// them into namespaces, registers them with a [Routes], which has the middleware
// as well:
//
//	v := versogin.New(r, api)
//	r.Use(v.Middleware())
//	v.Name("booking-list").GET("/:version/bookings", listBookings)
//
// In Gin a route or a group has the middleware that was installed before it was
// made: install Verso first.
package versogin

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Option configures the middleware in what is Gin's own.
type Option func(*middleware)

// WithErrorHandler sets what answers a rejected request. The handler writes a
// response. Or it returns an error, for a middleware before this one to answer,
// which finds it in c.Errors: the response has the status of the rejection until
// then. When it does neither, the answer is written as by default.
// Default, also for nil: writes the answer, as application/problem+json.
func WithErrorHandler(handler func(c *gin.Context, err *verso.Error, answer *verso.Answer) error) Option {
	return func(m *middleware) { m.handleError = handler }
}

// WithNeutral makes routes version-neutral, given their patterns as Gin reports
// them ("/metrics", "/swagger/*any"): those that others register. See also
// [Routes.Neutral].
// Default: none.
func WithNeutral(patterns ...string) Option {
	return func(m *middleware) {
		m.neutral = append(m.neutral, patterns...)
		m.neutralRoute = &route.Route{Plan: verso.Must(m.api.Plan(verso.Neutral()))}
	}
}

// WithClient sets what names who sent a request, for [verso.Usage]: the subject of
// a token, the name of an API key. It is called when the handlers or the rejection
// have returned. Of a rejected request it knows what middleware before this one
// has found out.
// Default: nobody knows.
func WithClient(client func(c *gin.Context) string) Option {
	return func(m *middleware) { m.client = verso.ClientFunc(m.api, client) }
}

// Middleware returns a middleware that determines the version of each request
// and keeps it for [Version]. It aborts a rejected request, answers it with
// problem details (RFC 9457), and puts the [*verso.Error] into c.Errors. Requests
// that match no route pass untouched. Install it on the engine, a group or a
// route.
//
// It panics when api is nil, and when api reads the namespaces of routes, which
// only [New] knows.
func Middleware(api *verso.Versioning, opts ...Option) gin.HandlerFunc {
	m := newMiddleware(api, opts)
	if slices.Contains(api.Sources(), verso.Namespace().Describe().Name) {
		panic(errors.New("versogin: no route has a namespace: make the middleware with versogin.New, and register the routes with it"))
	}
	return m.handle
}

// middleware determines versions. It is the [verso.RouterFacts] of Gin.
type middleware struct {
	api          *verso.Versioning
	routes       route.Registry
	warnOnce     sync.Once
	warns        bool     // of a route without the path parameter, once
	noted        string   // the last route that was registered
	neutral      []string // patterns of neutral routes that others register
	neutralRoute *route.Route
	client       func(c any) string                                    // nil: nobody knows
	handleError  func(*gin.Context, *verso.Error, *verso.Answer) error // nil: the default
}

func newMiddleware(api *verso.Versioning, opts []Option) *middleware {
	if api == nil {
		panic(errors.New("versogin: no versioning: make one, for example with verso.NewURLPath"))
	}
	m := new(middleware)
	m.api = api.WithRoutes(func(verso.Request) *route.Table { return m.routes.Table() })
	m.warns = len(api.Sources()) == 1
	for _, opt := range opts {
		opt(m)
	}
	return m
}

func (m *middleware) handle(c *gin.Context) {
	if c.FullPath() == "" {
		return // Gin answers by itself, with 404 or 405
	}
	r := verso.NewHTTPRequest(c.Request, m, c, nil)
	if m.neutral != nil && slices.Contains(m.neutral, c.FullPath()) {
		r = verso.NewHTTPRequest(c.Request, m, c, m.neutralRoute)
	}
	decision, err := m.api.Determine(r)
	verso.SetFields(c.Writer.Header(), &decision)
	if m.api.Observes() {
		defer m.api.Observe(r, &decision, err, c.FullPath(), m.client)
	}
	if err != nil {
		c.Abort()
		_ = c.Error(m.reject(c, r, err)) // returns its argument, wrapped
		return
	}
	c.Set(contextKey{}, decision.Result)
	if m.api.Observes() {
		c.Next() // before what is deferred
	}
}

// reject answers a request, and returns the error for c.Errors. One that is no
// rejection is a programming error, of which the client learns nothing.
func (m *middleware) reject(c *gin.Context, r verso.Request, err error) error {
	rejected, ok := errors.AsType[*verso.Error](err)
	if !ok {
		c.Status(http.StatusInternalServerError)
		return err
	}
	answer := m.api.Answer(r, rejected)
	c.Status(rejected.Status) // without effect once a middleware has begun to answer
	if m.handleError != nil {
		answer.SetFields(c.Writer.Header())
		if err := m.handleError(c, rejected, answer); err != nil {
			return err
		}
	}
	if !c.Writer.Written() && c.Writer.Status() == rejected.Status {
		verso.WriteAnswer(c.Writer, c.Request, answer)
		c.Writer.WriteHeaderNow() // also for HEAD, or a central error handler would answer again
	}
	return rejected
}

// contextKey is where the middleware keeps its result in the context of Gin.
type contextKey struct{}

// SetVersion keeps a version in a context as the middleware does, for a test that
// calls a handler without the middleware: [Version], [Link] and [ContentType] work
// then. Links lead to the routes of r. It fails with [verso.ErrUnknownVersion] when
// the API does not serve the version.
func (r *Routes) SetVersion(c *gin.Context, version verso.Version) error {
	result, err := r.middleware.api.Result(version)
	if err == nil {
		c.Set(contextKey{}, result)
	}
	return err
}

func resultOf(c *gin.Context) (result *verso.Result, ok bool) {
	value, _ := c.Get(contextKey{})
	result, ok = value.(*verso.Result)
	return result, ok
}

var errNoMiddleware = errors.New("versogin: the request did not pass the middleware: install it before the routes")

// ContentType returns the vendor media type to answer with in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c *gin.Context, resource string) (string, error) {
	result, ok := resultOf(c)
	if !ok {
		return "", errNoMiddleware
	}
	return result.ContentType(resource)
}

// Version returns the version of the request. It is none when the request has
// none, or did not pass the middleware.
func Version(c *gin.Context) verso.Version {
	if result, ok := resultOf(c); ok {
		return result.Version
	}
	return verso.Version{}
}

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link]. It also fails when the request did
// not pass the middleware.
func Link(c *gin.Context, target verso.Target) (string, error) {
	result, ok := resultOf(c)
	if !ok {
		return "", errNoMiddleware
	}
	return result.Link(verso.NewHTTPRequest(c.Request, &unrouted, c, nil), target)
}

// unrouted is for where the routes are not at hand.
var unrouted middleware
