// Package versochi installs Verso in chi: it registers routes that know their API
// version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
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
	// Client names who sent a request, for [verso.Observation]. Optional.
	Client func(r *http.Request) string

	// KeepServed names the requests that no sunset and no brownout rejects: those of
	// your own UI. Optional.
	KeepServed func(r *http.Request) bool
}

// shared is what all groups of a router share.
type shared struct {
	seam *verso.Seam[*kept, http.Handler]
}

// New returns the routes of a router, whose API versions api determines. It panics
// when router or api is nil.
func New(router chi.Router, api *verso.Versioning, config ...Config) *Routes {
	if router == nil || api == nil {
		panic("versochi: there is no router or no versioning: check the error of its constructor")
	}
	c := slices.Concat(config, []Config{{}})[0]
	seam := verso.Seam[*kept, http.Handler]{
		Binding:    verso.Bind(api, bound{router}),
		Load:       (*kept).load,
		Keep:       (*kept).keep,
		Header:     func(k *kept) http.Header { return k.w.Header() },
		Next:       (*kept).next,
		NoContent:  func(k *kept) error { k.w.WriteHeader(http.StatusNoContent); return nil },
		Reject:     (*kept).reject,
		Fail:       (*kept).fail,
		KeepServed: func(k *kept) bool { return c.KeepServed != nil && c.KeepServed(k.r) },

		ProblemType: verso.ProblemType,
	}
	if c.Client != nil {
		seam.Client = func(k *kept) string { return c.Client(k.r) }
	}
	return &Routes{shared: &shared{verso.NewSeam(seam)}, router: router}
}

// check is the end of a route.
type check struct {
	*shared
	registration *verso.Registration
	pick         func(*verso.Result) http.Handler // of a version
}

func (c *check) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call verso.Call
	call.Request.SetHTTP(r, r, c.registration.Route())
	_ = c.seam.Choose(newKept(w, r), &call, c.pick) // net/http has no errors
}

// kept is the context of a checked request.
type kept struct {
	context.Context //nolint:containedctx // it is one

	w      http.ResponseWriter
	r      *http.Request // that the check was given
	result *verso.Result // of the check
	outer  *kept         // of the check that is around this one
	last   atomic.Pointer[verso.Result]
}

func newKept(w http.ResponseWriter, r *http.Request) *kept {
	return &kept{Context: r.Context(), w: w, r: r, outer: keptOf(r)}
}

// load returns what was kept last: by this check, by one behind it, or in front of it.
func (k *kept) load() *verso.Result {
	if last := k.last.Load(); last != nil || k.outer == nil {
		return last
	}
	return k.outer.load()
}

// keep tells the checks in front as well: the innermost one tells what became of a
// request.
func (k *kept) keep(result *verso.Result) {
	k.result = result
	for ; k != nil; k = k.outer {
		k.last.Store(result)
	}
}

func (k *kept) next(next http.Handler) error {
	next.ServeHTTP(k.w, k.r.WithContext(k))
	return nil
}

func (k *kept) reject(_ *verso.Error, answer *verso.Answer) error {
	verso.WriteAnswer(k.w, k.r, answer)
	return nil
}

// fail logs a programming error, of which the client learns nothing.
func (k *kept) fail(err error) error {
	log.Printf("versochi: determining the version: %q", err.Error())
	http.Error(k.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return nil
}

type contextKey struct{}

func (k *kept) Value(key any) any {
	if key == (contextKey{}) {
		return k
	}
	return k.Context.Value(key)
}

func keptOf(r *http.Request) *kept {
	k, _ := r.Context().Value(contextKey{}).(*kept)
	return k
}

// resultOf returns nil for a request that was not checked.
func resultOf(r *http.Request) *verso.Result {
	if k := keptOf(r); k != nil {
		return k.result
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

// InContext is a middleware for [Routes.AfterCheck]: [verso.FromContext] finds the result
// of the request in its context.
func InContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request verso.Request
		request.SetHTTP(r, r, nil)
		next.ServeHTTP(w, r.WithContext(verso.NewContext(resultOf(r), request)))
	})
}

// Link builds the URL of a named route in the version of the request, or in that of
// the target: see [verso.Result.Link]. The path parameter of chi's "*" is called "*".
func Link(r *http.Request, target verso.Target) (string, error) {
	var request verso.Request
	request.SetHTTP(r, r, nil)
	return resultOf(r).LinkFor(request, target)
}

// Param returns a path parameter, percent-decoded once, and "" when there is none.
// [chi.URLParam] may leave it encoded.
func Param(r *http.Request, name string) string {
	value, _ := bound{}.PathParam(r, name)
	return value
}
