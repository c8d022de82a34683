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
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Config configures what is chi's own. The zero Config is the default.
type Config struct {
	// Client names who sent a request, for [verso.Observation]. Optional.
	Client func(r *http.Request) string

	// ExemptFromSunset names the requests that no sunset and no brownout rejects: those of
	// your own UI. Optional.
	ExemptFromSunset func(r *http.Request) bool
}

// shared is what all groups of a router share.
type shared struct {
	seam *adapter.Seam[*requestState, http.Handler]
}

// New returns the routes of a router, whose API versions api determines. It panics
// when router or api is nil.
func New(router chi.Router, api *verso.Versioning, config ...Config) *Routes {
	if router == nil || api == nil {
		panic("versochi: the router or the versioning is nil: check the error of verso.New")
	}
	c := slices.Concat(config, []Config{{}})[0]
	seam := adapter.Seam[*requestState, http.Handler]{
		Binding:          adapter.Bind(api, bound{router}),
		Load:             (*requestState).load,
		Store:            (*requestState).keep,
		Header:           func(k *requestState) http.Header { return k.w.Header() },
		Next:             (*requestState).next,
		NoContent:        func(k *requestState) error { k.w.WriteHeader(http.StatusNoContent); return nil },
		Reject:           (*requestState).reject,
		Fail:             (*requestState).fail,
		ExemptFromSunset: func(k *requestState) bool { return c.ExemptFromSunset != nil && c.ExemptFromSunset(k.r) },

		ProblemType: verso.ProblemType,
	}
	if c.Client != nil {
		seam.Client = func(k *requestState) string { return c.Client(k.r) }
	}
	return &Routes{shared: &shared{adapter.NewSeam(seam)}, router: router}
}

// check is the end of a route.
type check struct {
	*shared
	registration *adapter.Registration
	pick         func(*verso.Result) http.Handler // of a version
}

func (c *check) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call adapter.Call
	call.Request.SetHTTP(r, r, c.registration.Route())
	_ = c.seam.HandleVersions(c.newState(w, r), &call, c.pick) // net/http has no errors
}

// requestState is the context of a checked request.
type requestState struct {
	context.Context //nolint:containedctx // it is one

	shared *shared
	w      http.ResponseWriter
	r      *http.Request // that the check was given
	result *verso.Result // of the check
	outer  *requestState // of the check that is around this one
	last   atomic.Pointer[verso.Result]
}

func (s *shared) newState(w http.ResponseWriter, r *http.Request) *requestState {
	return &requestState{Context: r.Context(), shared: s, w: w, r: r, outer: stateOf(r)}
}

// load returns what was requestState last: by this check, by one behind it, or in front of it.
func (k *requestState) load() *verso.Result {
	if last := k.last.Load(); last != nil || k.outer == nil {
		return last
	}
	return k.outer.load()
}

// keep tells the checks in front as well: the innermost one tells what became of a
// request.
func (k *requestState) keep(result *verso.Result) {
	k.result = result
	for ; k != nil; k = k.outer {
		k.last.Store(result)
	}
}

func (k *requestState) next(next http.Handler) error {
	next.ServeHTTP(k.w, k.r.WithContext(k))
	return nil
}

func (k *requestState) reject(_ *verso.Error, answer *verso.Answer) error {
	answer.ServeHTTP(k.w, k.r)
	return nil
}

// fail logs a programming error, of which the client learns nothing.
func (k *requestState) fail(err error) error {
	log.Printf("versochi: determining the version: %q", err.Error())
	http.Error(k.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return nil
}

type contextKey struct{}

func (k *requestState) Value(key any) any {
	if key == (contextKey{}) {
		return k
	}
	return k.Context.Value(key)
}

func stateOf(r *http.Request) *requestState {
	k, _ := r.Context().Value(contextKey{}).(*requestState)
	return k
}

// resultOf returns nil for a request that was not checked.
func resultOf(r *http.Request) *verso.Result {
	if k := stateOf(r); k != nil {
		k.shared.seam.NoteStored(k.r, r)
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
		var request source.Request
		request.SetHTTP(r, r, nil)
		next.ServeHTTP(w, r.WithContext(adapter.NewContext(resultOf(r), request)))
	})
}

// Link builds the URL of a named route in the version of the request, or in that of
// the target: see [verso.Result.Link]. The path parameter of chi's "*" is called "*".
func Link(r *http.Request, target verso.Target) (string, error) {
	var request source.Request
	request.SetHTTP(r, r, nil)
	return adapter.LinkFor(resultOf(r), request, target)
}

// Param returns a path parameter, percent-decoded once, and "" when there is none.
// [chi.URLParam] may leave it encoded.
func Param(r *http.Request, name string) string {
	value, _ := bound{}.PathParam(r, name)
	return value
}
