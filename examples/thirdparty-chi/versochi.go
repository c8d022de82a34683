// Package versochi installs Verso in chi: it registers routes that know their API
// version, and builds links that stay in it.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	r := chi.NewRouter()
//	v := versochi.New(r, api)
//	v.Name("user").MethodFunc("GET", "/{version}/users/{id}", showUser)
//
// A route that v registers carries the check of the version itself, directly before
// its own handler, behind all middleware. Routes that are registered with chi alone
// are not touched, unless [Routes.Middleware] is in front of them.
package versochi

import (
	"context"
	"log"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
)

// Config configures what is chi's own. The zero Config is the default.
type Config struct {
	// Client names who sent a request, for [verso.Usage]. Optional.
	Client func(r *http.Request) string

	// KeepServed names the requests that no sunset and no brownout rejects: those of
	// your own UI. Optional.
	KeepServed func(r *http.Request) bool
}

// shared is what all groups of a router share.
type shared struct {
	binding    *verso.Binding
	client     func(request any) string
	keepServed func(r *http.Request) bool
}

// New returns the routes of a router, whose API versions api determines. It panics
// when router or api is nil.
func New(router chi.Router, api *verso.Versioning, config ...Config) *Routes {
	if router == nil || api == nil {
		panic("versochi: there is no router or no versioning: check the error of its constructor")
	}
	c := slices.Concat(config, []Config{{}})[0]
	return &Routes{shared: &shared{api.Bind(bound{router}), verso.ClientFunc(api, c.Client), c.KeepServed}, router: router}
}

// check is the end of a route.
type check struct {
	*shared
	registration *verso.Registration
	handler      http.Handler
}

func (c *check) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call verso.Call
	call.Request.SetHTTP(r, r, c.registration.Route())
	call.Kept = c.keepServed != nil && c.keepServed(r)
	prior := resultOf(r)
	result := c.binding.Begin(&call, prior)
	c.proceed(&call, prior, result, w, r, c.handler)
}

// proceed keeps the result, writes the fields of the response, and calls next unless
// the request is rejected.
func (s *shared) proceed(call *verso.Call, prior, result *verso.Result, w http.ResponseWriter, r *http.Request, next http.Handler) {
	k, ok := r.Context().Value(contextKey{}).(*kept)
	if !ok {
		k = &kept{Context: r.Context()}
		r = r.WithContext(k)
	}
	if result != prior {
		k.result.Store(result)
	}
	call.SetFields(w.Header())
	if s.binding.Observes() {
		defer func() { call.End(k.result.Load(), s.client) }() // also when next panics
	}
	if result != nil {
		next.ServeHTTP(w, r)
	} else if _, answer, ok := call.Rejected(); ok {
		verso.WriteAnswer(w, r, answer)
	} else { // a programming error, of which the client learns nothing
		log.Printf("versochi: determining the version: %q", call.Err.Error())
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
}

// kept is the context of a checked request. A middleware and the check of the route
// share it: what the route decides must reach the middleware in front of it.
type kept struct {
	context.Context //nolint:containedctx // it is one

	result atomic.Pointer[verso.Result]
}

type contextKey struct{}

func (k *kept) Value(key any) any {
	if key == (contextKey{}) {
		return k
	}
	return k.Context.Value(key)
}

// resultOf returns nil for a request that was not checked.
func resultOf(r *http.Request) *verso.Result {
	if k, ok := r.Context().Value(contextKey{}).(*kept); ok {
		return k.result.Load()
	}
	return nil
}

// Version returns the version of the request, none when it has none or was not checked.
func Version(r *http.Request) verso.Version { return resultOf(r).Version() }

// AtLeast reports whether the version of the request is the given one or a later one:
// see [verso.Result.AtLeast].
func AtLeast(r *http.Request, version string) bool { return resultOf(r).AtLeast(version) }

// ContentType returns the vendor media type to answer with: see
// [verso.Result.ContentType].
func ContentType(r *http.Request, resource string) (string, error) {
	return resultOf(r).ContentType(resource)
}

// Link builds the URL of a named route in the version of the request, or in that of
// the target: see [verso.Result.Link]. The path parameter of chi's "*" is called "*".
func Link(r *http.Request, target verso.Target) (string, error) {
	var request verso.Request
	request.SetHTTP(r, r, nil)
	return resultOf(r).Link(request, target)
}

// Param returns a path parameter, percent-decoded once, and "" when there is none.
// [chi.URLParam] may leave it encoded.
func Param(r *http.Request, name string) string {
	value, _ := bound{}.PathParam(r, name)
	return value
}
