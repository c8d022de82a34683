// Package versogin installs Verso in Gin: a middleware that determines the API
// version of each request, and routes with names.
//
//	scheme, err := verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
//	...
//	r := gin.New()
//	r.Use(versogin.New(scheme))
//	r.GET("/:version/users", func(c *gin.Context) {
//		c.String(http.StatusOK, versogin.Version(c).String())
//	})
package versogin

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// contextKey is where the middleware keeps its result in the context of Gin. It
// is short, since the framework hashes it in each request: 5 ns against 44 bytes.
const contextKey = "verso.determined"

// Option configures the middleware.
type Option func(*config)

type config struct {
	versioning   verso.VersioningConfig
	registry     *route.Registry
	errorHandler func(*gin.Context, *verso.Error, verso.Problem)
}

// WithProduces lists the media types that the service can answer with, the
// preferred one first. The Accept scheme negotiates among them; the other
// schemes do not read it. Default: every media type is acceptable.
func WithProduces(mediaTypes ...string) Option {
	return func(c *config) { c.versioning.Produces = mediaTypes }
}

// WithRoutes gives the middleware the named routes, for the namespace scheme
// and for [Reverse]. Default: no route has a name or a namespace.
func WithRoutes(routes *Routes) Option {
	return func(c *config) { c.registry = routes.registry }
}

// WithLinks says what the URLs begin with that [Reverse] builds. Default: the
// scheme and the host of the request.
func WithLinks(links verso.LinkConfig) Option {
	return func(c *config) { c.versioning.Links = links }
}

// WithStrictness refuses requests that the specification lets through. Default:
// it refuses none.
func WithStrictness(strictness verso.Strictness) Option {
	return func(c *config) { c.versioning.Strict = strictness }
}

// WithTranslator translates the messages of refusals. Default: they are in
// English.
func WithTranslator(translator verso.Translator) Option {
	return func(c *config) { c.versioning.Translator = translator }
}

// WithoutAllowedVersions leaves the allowed versions out of the body of a
// refusal. Default: they are in it.
func WithoutAllowedVersions() Option {
	return func(c *config) { c.versioning.HideAllowedVersions = true }
}

// WithErrorHandler answers refusals. The context is aborted and has the error
// among its Errors; the problem is the body that the response would have, its
// texts translated. A handler that writes nothing leaves the answer to a
// middleware before this one, which finds the error in c.Errors; where there is
// none, the response has the status of the refusal and no body. Default, also
// for nil: writes the problem as JSON.
func WithErrorHandler(handler func(c *gin.Context, err *verso.Error, problem verso.Problem)) Option {
	return func(c *config) {
		if handler != nil {
			c.errorHandler = handler
		}
	}
}

// New returns a middleware that determines the version of each request with
// the given scheme and keeps it for [Version]. A request for a version that is
// not served is aborted with problem details (RFC 9457) as its body; the
// [*verso.Error] is among c.Errors. Requests that match no route pass
// untouched.
//
// It panics when scheme is nil or an option is invalid, and when the scheme is a
// [*verso.Namespace] without [WithRoutes], which no route could have one for.
func New(scheme verso.Scheme, opts ...Option) gin.HandlerFunc {
	config, versioning := configure(scheme, opts)
	return func(c *gin.Context) {
		if c.FullPath() == "" {
			return
		}
		determined, err := determine(c, versioning)
		if err != nil {
			refuse(c, err, versioning, config.errorHandler)
			return
		}
		c.Set(contextKey, determined)
	}
}

func configure(scheme verso.Scheme, opts []Option) (*config, *verso.Versioning) {
	config := &config{errorHandler: writeProblem}
	for _, opt := range opts {
		opt(config)
	}
	if config.registry == nil {
		if _, ok := scheme.(*verso.Namespace); ok {
			panic(errors.New("versogin: no route has a namespace: give New the option WithRoutes"))
		}
		config.registry = new(route.Registry)
	}
	config.versioning.Scheme = scheme
	config.versioning.Routes = func(verso.Request) *route.Table { return config.registry.Table() }
	versioning, err := verso.NewVersioning(config.versioning)
	if err != nil {
		panic(fmt.Errorf("versogin: %w", err))
	}
	return config, versioning
}

// determine presents the request to the versioning.
func determine(c *gin.Context, versioning *verso.Versioning) (*verso.Determined, error) {
	r := acquire(c, versioning)
	determined, err := versioning.Determine(r, c.Request, c.Writer.Header())
	r.release()
	return determined, err
}

// refuse aborts, puts the error on Gin's error path and hands a refusal to the
// error handler. Another error is a programming error, of which the client
// learns nothing.
func refuse(c *gin.Context, err error, versioning *verso.Versioning, handle func(*gin.Context, *verso.Error, verso.Problem)) {
	c.Abort()
	_ = c.Error(err) // returns its argument, wrapped
	refusal, ok := errors.AsType[*verso.Error](err)
	if !ok {
		c.Status(http.StatusInternalServerError)
		return
	}
	problem := versioning.Problem(refusal, c.Request.Header, c.Writer.Header())
	if !c.Writer.Written() {
		c.Status(refusal.StatusCode()) // Gin sends it when nobody writes
	}
	handle(c, refusal, problem)
}

// writeProblem answers a refusal, unless a middleware has begun to answer.
func writeProblem(c *gin.Context, _ *verso.Error, problem verso.Problem) {
	if !c.Writer.Written() {
		verso.WriteProblem(c.Writer, c.Request, problem)
	}
}

// Version returns the version that the middleware determined for the request,
// none when it has none or did not pass the middleware.
func Version(c *gin.Context) verso.Version {
	if determined, ok := kept(c); ok {
		return determined.Version
	}
	return verso.Version{}
}

// kept returns what the middleware kept of the request.
func kept(c *gin.Context) (determined *verso.Determined, ok bool) {
	value, _ := c.Get(contextKey)
	determined, ok = value.(*verso.Determined)
	return determined, ok
}
