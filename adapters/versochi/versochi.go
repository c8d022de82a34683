// Package versochi installs Verso in chi: it registers routes that know their API
// version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//	r := chi.NewRouter()
//	v := versochi.New(r, api)
//	v.Get("/{version}/bookings", func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintln(w, versochi.Version(r))
//	})
//	log.Fatal(http.ListenAndServe(":8080", r))
//
// A route that v registers has its own version check, which runs directly before its
// handler, after all middleware of the router, its groups and the route. Requests that
// chi answers by itself, with 404 or 405, and routes that are registered with chi alone
// are not checked, unless [Routes.Middleware] is in front of them.
package versochi

import (
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
)

// Config configures what is chi's own. The zero Config is the default.
type Config struct {
	// Skipper exempts requests from [Routes.Middleware], such as those for the files of a
	// page. Routes with a check ignore it.
	// Optional. Default value: nil, none.
	Skipper func(r *http.Request) bool

	// Client names who sent a request, for [verso.Observation]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned, with the request that the check was given.
	// Optional. Default value: nil, clients are not known.
	Client func(r *http.Request) string

	// ErrorHandler answers a rejected request. The answer is what the response
	// would be: see [verso.Answer.ServeHTTP]. Its Vary and Content-Language fields
	// are set already. When the handler writes nothing, the answer is written
	// as by default. An [http.ResponseController] reaches what w can do besides
	// writing.
	// Optional. Default value: nil, the answer is written as
	// application/problem+json.
	ErrorHandler func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer)

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses only
	// announce it. The check of a route calls it, after all middleware.
	// [Routes.Middleware] does not: routes that other code registers have no such
	// requests. See [verso.Observation], Exempt. Optional. Default value: nil, no
	// request is exempt.
	ExemptFromSunset func(r *http.Request) bool
}

// Handlers is a handler for each version: see [Routes.HandleVersions] and [verso.Handlers].
type Handlers = verso.Handlers[http.HandlerFunc]

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once. The version
// is in the request that handlers get, not in that of a middleware before the check.
func Version(r *http.Request) verso.Version { return overhttp.Result(r).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(r *http.Request, version string) bool { return overhttp.Result(r).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(r *http.Request, resource string) (string, error) {
	return overhttp.Result(r).ContentType(resource)
}

// InContext is a middleware for [Routes.AfterCheck], and for what runs behind
// [Routes.Middleware]: handlers that get only a [context.Context], such as those of
// generated servers, find the version of the request and its links in it, with
// [verso.FromContext].
func InContext(next http.Handler) http.Handler { return overhttp.InContext(next) }

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versochi.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The parameter of chi's "*" is called "*". It returns the errors of [verso.Result.Link].
func Link(r *http.Request, target verso.Target) (string, error) { return overhttp.Link(r, target) }

// URL is [Link] for a response whose handler has no use for the error: it logs the error, once for
// each target, and returns "".
func URL(r *http.Request, target verso.Target) string { return overhttp.URL(r, target) }

// SameOrigin reports whether a request comes from a page of the service's own origin, by its
// Sec-Fetch-Site field. It is for ExemptFromSunset, so that a service's own UI works after the
// end of a version. Browsers send the field over HTTPS and to localhost only, and any other
// client can send it too.
func SameOrigin(r *http.Request) bool { return r.Header.Get("Sec-Fetch-Site") == "same-origin" }

// Param returns a path parameter, percent-decoded once, and "" if the route has no such
// parameter. [chi.URLParam] leaves it encoded if the path has unusual escapes.
func Param(r *http.Request, name string) string {
	value, _ := new(router).PathParam(r, name)
	return value
}
