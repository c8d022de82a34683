// Package versohttp installs Verso in net/http: it registers routes of an
// [http.ServeMux] that know their API version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//	mux := http.NewServeMux()
//	v := versohttp.New(mux, api)
//	v.HandleFunc("GET /{version}/bookings", func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintln(w, versohttp.Version(r))
//	})
//	log.Fatal(http.ListenAndServe(":8080", mux))
//
// A route that v registers has its own version check, which runs directly before its
// handler, after the middleware of its groups and around the ServeMux. A pattern for
// GET serves HEAD too, with the same options. Requests that the ServeMux answers by
// itself, with 404, 405 or a redirect, and routes that are registered with the
// ServeMux alone are not checked, unless [Routes.Middleware] is around them.
//
// The path parameters and the pattern of a route are those of the ServeMux that has
// the route. What [http.StripPrefix] removes in front of it, and what the pattern of
// a ServeMux around it matches, belongs to neither, and is in no link: set
// [verso.LinkConfig] for links with such a prefix.
package versohttp

import (
	"context"
	"errors"
	"log"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Config configures what is net/http's own. The zero Config is the default.
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
	// writing. Requests share the answer: it must not be modified.
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

// bound is what all groups of a ServeMux share.
type bound struct {
	Config
	seam *adapter.Seam[*requestState, http.Handler]
	mux  *http.ServeMux

	// For Middleware.
	checks atomic.Bool // routes of other code have a check
	own    sync.Map    // has the first byte of the patterns of v: see isOwn
	others sync.Map    // *route.Route by pattern
}

// New returns the routes of a ServeMux, whose API versions api determines. It panics
// if mux or api is nil.
func New(mux *http.ServeMux, api *verso.Versioning, config ...Config) *Routes {
	if mux == nil || api == nil {
		panic(errors.New("versohttp: the ServeMux or the versioning is nil: check the error of verso.New"))
	}
	if len(config) > 1 {
		panic(errors.New("versohttp: New takes one Config: join those that it is given"))
	}
	b := &bound{Config: slices.Concat(config, []Config{{}})[0], mux: mux}
	seam := adapter.Seam[*requestState, http.Handler]{
		Binding:   adapter.Bind(api, &router{}),
		Load:      (*requestState).load,
		Store:     (*requestState).store,
		Header:    func(k *requestState) http.Header { return k.w.Header() },
		Next:      (*requestState).next,
		NoContent: func(k *requestState) error { k.w.WriteHeader(http.StatusNoContent); return nil },
		Reject:    (*requestState).reject,
		Fail:      (*requestState).fail,
	}
	if b.ExemptFromSunset != nil {
		seam.ExemptFromSunset = func(k *requestState) bool { return b.ExemptFromSunset(k.r) }
	}
	if b.Client != nil {
		seam.Client = func(k *requestState) string { return b.Client(k.r) }
	}
	if b.ErrorHandler == nil {
		seam.ProblemType = verso.ProblemType
	}
	b.seam = adapter.NewSeam(seam)
	return &Routes{bound: b}
}

// requestState is the state of a checked request.
type requestState struct {
	context.Context //nolint:containedctx // it is one

	bound  *bound
	w      http.ResponseWriter
	r      *http.Request // that the check was given
	result *verso.Result // of the check
	seen   *seen         // nil: requests are not observed
}

// seen is what an observed request also has.
type seen struct {
	call  *adapter.Call                // of a middleware
	last  atomic.Pointer[verso.Result] // of this check, or of one that it is around
	outer *seen                        // of the check that is around this one, nil: none
}

// newState returns the state of a request that is to be checked. Requests that a
// handler derives from its own, for example for a batch, each with its own
// ResponseWriter, are observed separately. A forwarded request is observed instead of
// the original.
func (b *bound) newState(w http.ResponseWriter, r *http.Request) *requestState {
	if !b.seam.Observes() {
		return &requestState{Context: r.Context(), bound: b, w: w, r: r}
	}
	both := new(struct { // in one piece of memory
		requestState
		seen
	})
	k := &both.requestState
	*k = requestState{Context: r.Context(), bound: b, w: w, r: r, seen: &both.seen}
	if outer := b.stateOf(r); outer != nil && (outer.seen.call != nil || reflect.ValueOf(w).Comparable() && outer.w == w) {
		k.seen.outer = outer.seen
		k.seen.last.Store(outer.seen.last.Load())
	}
	return k
}

type contextKey struct{}

// Value returns k to code that asks for the version, and to the checks of its API,
// unless SetTestVersion has stored it.
func (k *requestState) Value(key any) any {
	if key == (contextKey{}) || key == k.bound && k.w != nil {
		return k
	}
	return k.Context.Value(key)
}

// stateOf returns the state that the innermost check by b has stored, or nil.
func (b *bound) stateOf(r *http.Request) *requestState {
	k, _ := r.Context().Value(b).(*requestState)
	return k
}

// resultOf returns the result of the innermost check, by whichever API.
func resultOf(r *http.Request) *verso.Result {
	if k, ok := r.Context().Value(contextKey{}).(*requestState); ok {
		if k.w != nil { // else a test has set the version
			k.bound.seam.NoteStored(k.r, r)
		}
		return k.result
	}
	return nil
}

func (k *requestState) load() *verso.Result {
	if k.seen == nil {
		return k.result
	}
	return k.seen.last.Load()
}

func (k *requestState) store(result *verso.Result) {
	k.result = result
	if k.seen == nil {
		return
	}
	k.seen.last.Store(result)
	if k.seen.outer != nil {
		k.seen.outer.last.Store(result)
	}
}

func (k *requestState) next(next http.Handler) error {
	if err := unrouted(k.r); err != nil {
		return k.fail(err)
	}
	passed := k.r.WithContext(k)
	if k.seen != nil && k.seen.call != nil {
		defer k.note(passed)
	}
	next.ServeHTTP(k.w, passed)
	return nil
}

// reject answers a rejected request.
func (k *requestState) reject(rejected *verso.Error, answer *verso.Answer) error {
	k.bound.answer(k.w, k.r.WithContext(k), rejected, answer)
	return nil
}

// answer calls the ErrorHandler, and sends the answer if that has written none.
func (b *bound) answer(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer) {
	if b.ErrorHandler != nil && rejected != nil {
		answer.SetFields(w.Header())
		response := &response{ResponseWriter: w, status: answer.Problem.Status}
		b.ErrorHandler(response, r, rejected, answer)
		if response.begun {
			return
		}
	}
	answer.ServeHTTP(w, r)
}

// logError writes what failed into the log of the server.
func logError(ctx context.Context, doing string, err error) {
	logger := log.Default()
	if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
		logger = server.ErrorLog
	}
	logger.Printf("versohttp: %s: %q", doing, err.Error())
}

// fail logs an error where those of net/http go.
func (k *requestState) fail(err error) error {
	logError(k.Context, "determining the version", err)
	http.Error(k.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return nil
}

// response notes whether an error handler writes: net/http sends an empty 200
// for one that does not.
type response struct {
	http.ResponseWriter
	begun  bool
	status int // of a body without a status: never 200
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *response) WriteHeader(status int) {
	r.begun = r.begun || status >= http.StatusOK // any other status is interim
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(data []byte) (int, error) {
	if !r.begun {
		r.WriteHeader(r.status)
	}
	return r.ResponseWriter.Write(data)
}

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once. The version
// is in the request that handlers get, not in that of a middleware before the check.
func Version(r *http.Request) verso.Version { return resultOf(r).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(r *http.Request, version string) bool { return resultOf(r).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(r *http.Request, resource string) (string, error) {
	return resultOf(r).ContentType(resource)
}

// InContext is a middleware for [Routes.AfterCheck], and for what runs behind
// [Routes.Middleware]: handlers that get only a [context.Context], such as those of
// generated servers, find the version of the request and its links in it, with
// [verso.FromContext].
func InContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request source.Request
		request.SetHTTP(r, r, nil)
		next.ServeHTTP(w, r.WithContext(adapter.NewContext(resultOf(r), request)))
	})
}

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link].
func Link(r *http.Request, target verso.Target) (string, error) {
	var request source.Request
	request.SetHTTP(r, r, nil)
	return adapter.LinkFor(resultOf(r), request, target)
}
