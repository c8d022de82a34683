// Package versogin installs Verso in Gin: it registers routes that know their API
// version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//	r := gin.New()
//	v := versogin.New(r, api)
//	v.GET("/:version/bookings", func(c *gin.Context) {
//		c.String(http.StatusOK, versogin.Version(c).String())
//	})
//
// A route that v registers has its own version check, which runs directly before its
// handler, after all middleware. Routes that are registered with Gin alone are not
// checked, unless [Routes.Middleware] is installed before them.
package versogin

import (
	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Config configures what is Gin's own. The zero Config is the default.
type Config struct {
	// Skipper exempts requests from [Routes.Middleware], such as those for the files of a
	// page. Routes with a check ignore it.
	// Optional. Default value: nil, none.
	Skipper func(c *gin.Context) bool

	// Client names who sent a request, for [verso.Observation]: the subject of a
	// token, the name of an API key. It is called when the handlers or the
	// rejection have returned.
	// Optional. Default value: nil, clients are not known.
	Client func(c *gin.Context) string

	// ErrorHandler answers a rejected request: it writes a response. Or it
	// returns an error, for a middleware in front to answer, which finds it in
	// c.Errors: the response has the status of the rejection until then (write
	// it with c.JSON(-1, …)). If it does neither, the answer is written as by
	// default. See [ReturnError].
	// Optional. Default value: nil, the answer is written as
	// application/problem+json.
	ErrorHandler func(c *gin.Context, err *verso.Error, answer *verso.Answer) error

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses only
	// announce it. The check of a route calls it, after all middleware.
	// [Routes.Middleware] does not: routes that other code registers have no such
	// requests. See [verso.Observation], Exempt. Optional. Default value: nil, no
	// request is exempt.
	ExemptFromSunset func(c *gin.Context) bool
}

// ReturnError is an ErrorHandler that leaves the answer to a middleware that looks at
// c.Errors.
func ReturnError(_ *gin.Context, err *verso.Error, _ *verso.Answer) error { return err }

// Handlers is a handler for each version: see [Routes.HandleVersions] and [verso.Handlers].
type Handlers = verso.Handlers[gin.HandlerFunc]

// resultKey is where a check keeps its result in the context of Gin, which takes texts
// alone as keys before Gin 1.11.
const resultKey = "github.com/goverso/verso/adapters/versogin.result"

func resultOf(c *gin.Context) *verso.Result {
	value, _ := c.Get(resultKey)
	result, _ := value.(*verso.Result)
	return result
}

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once.
func Version(c *gin.Context) verso.Version { return resultOf(c).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(c *gin.Context, version string) bool { return resultOf(c).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c *gin.Context, resource string) (string, error) {
	return resultOf(c).ContentType(resource)
}

// InContext is a middleware for [Routes.AfterCheck], and for what runs behind
// [Routes.Middleware]: handlers that get only a [context.Context], such as those of
// generated servers, find the version of the request and its links in it, with
// [verso.FromContext]. They are in the context of the request, and in Gin's own.
func InContext(c *gin.Context) {
	ctx := adapter.NewContext(resultOf(c), requestOf(c))
	c.Request = c.Request.WithContext(ctx)
	c.Set(adapter.ContextKey, ctx.Value(adapter.ContextKey))
}

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// It returns the errors of [verso.Result.Link].
func Link(c *gin.Context, target verso.Target) (string, error) {
	return adapter.LinkFor(resultOf(c), requestOf(c), target)
}

// URL is [Link] for a response whose handler has no use for the error: it logs the error, once for
// each target, and returns "".
func URL(c *gin.Context, target verso.Target) string {
	return adapter.URLFor(resultOf(c), requestOf(c), target)
}

// requestOf returns the request of a link.
func requestOf(c *gin.Context) (r source.Request) {
	r.SetHTTP(c.Request, c, nil)
	return r
}

// SameOrigin reports whether a request comes from a page of the service's own origin, by its
// Sec-Fetch-Site field. It is for ExemptFromSunset, so that a service's own UI works after the
// end of a version. Browsers send the field over HTTPS and to localhost only, and any other
// client can send it too.
func SameOrigin(c *gin.Context) bool { return c.GetHeader("Sec-Fetch-Site") == "same-origin" }
