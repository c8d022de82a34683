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

// contextKey is where the middleware keeps its result in the context of Gin.
const contextKey = "github.com/goverso/verso/adapters/versogin"

// Option configures the middleware.
type Option func(*config)

type config struct {
	produces []string
	registry *registry
	links    verso.LinkConfig
}

// WithProduces lists the media types that the service can answer with, the
// preferred one first. The Accept scheme negotiates among them; the other
// schemes do not read it. Default: every media type is acceptable.
func WithProduces(mediaTypes ...string) Option {
	return func(c *config) { c.produces = mediaTypes }
}

// WithRoutes gives the middleware the named routes, for the namespace scheme
// and for [Reverse]. Default: no route has a name or a namespace.
func WithRoutes(routes *Routes) Option {
	return func(c *config) { c.registry = routes.registry }
}

// WithLinks says what the URLs begin with that [Reverse] builds. Default: the
// scheme and the host of the request.
func WithLinks(links verso.LinkConfig) Option {
	return func(c *config) { c.links = links }
}

// New returns a middleware that determines the version of each request with
// the given scheme and keeps it for [Version]. A request for a version that is
// not served is aborted with problem details (RFC 9457) as its body; the
// [*verso.Error] is among c.Errors. Requests that match no route pass
// untouched.
//
// It panics when scheme is nil, or an option is invalid.
func New(scheme verso.Scheme, opts ...Option) gin.HandlerFunc {
	versioning, registry := newVersioning(scheme, opts)
	return func(c *gin.Context) {
		if c.FullPath() == "" {
			return
		}
		determined, err := determine(c, versioning, registry)
		if err != nil {
			refuse(c, err)
			return
		}
		c.Set(contextKey, determined)
	}
}

func newVersioning(scheme verso.Scheme, opts []Option) (*verso.Versioning, *registry) {
	config := config{registry: new(registry)}
	for _, opt := range opts {
		opt(&config)
	}
	versioning, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme:   scheme,
		Produces: config.produces,
		Links:    config.links,
		Routes:   func(verso.Request) *route.Table { return config.registry.table() },
	})
	if err != nil {
		panic(fmt.Errorf("versogin: %w", err))
	}
	return versioning, config.registry
}

// determine presents the request to the versioning.
func determine(c *gin.Context, versioning *verso.Versioning, registry *registry) (*verso.Determined, error) {
	r := requests.Get().(*request)
	*r = request{c, versioning, registry}
	determined, err := versioning.Determine(r, c.Writer.Header())
	*r = request{}
	requests.Put(r)
	return determined, err
}

// refuse puts the error on Gin's error path and aborts. An error that is no
// refusal is a programming error, of which the client learns nothing.
func refuse(c *gin.Context, err error) {
	_ = c.Error(err) // returns its argument, wrapped
	var refusal *verso.Error
	switch {
	case !errors.As(err, &refusal):
		c.AbortWithStatus(http.StatusInternalServerError)
	case c.Request.Method == http.MethodHead:
		c.AbortWithStatus(refusal.StatusCode())
	default:
		c.Header("Content-Type", "application/problem+json")
		c.AbortWithStatusJSON(refusal.StatusCode(), refusal.Problem())
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
