package overhttp

import (
	"context"
	"log"
	"net/http"
	"reflect"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Config has the fields that the Config of an adapter declares and documents: it is
// converted to this type. Each is optional.
type Config struct {
	Skipper          func(r *http.Request) bool
	Client           func(r *http.Request) string
	ErrorHandler     func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer)
	ExemptFromSunset func(r *http.Request) bool
}

// Adapter is what all groups of a router share. [New] makes it.
type Adapter struct {
	Config
	Seam *adapter.Seam[*State, http.Handler]

	// Routed returns the error of a request that cannot go on after the decision, for
	// example because the router has not matched it yet. The answer has status 500.
	// Optional. Default value: nil, each can.
	Routed func(r *http.Request) error

	name string
}

// Middleware is a middleware of net/http.
type Middleware = func(http.Handler) http.Handler

// Check is the handler of a route: the check of the version, and what comes after it.
type Check struct {
	*adapter.Registration // of the route

	adapter *Adapter
	pick    Pick
}

// Pick picks the handler of a result.
type Pick = func(result *verso.Result) http.Handler

// ServeHTTP checks a request, and calls the handler of its version.
func (c *Check) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call adapter.Call
	call.Request.SetHTTP(r, r, c.Route())
	_ = c.adapter.Seam.HandleVersions(c.adapter.NewState(w, r), &call, c.pick) // net/http has no errors
}

// CheckMatched checks a request to a route that other code has registered, for Middleware:
// the router has matched the method and the pattern, and returns the path parameters of matched,
// which may be r. A route with a check decides for itself.
func (a *Adapter) CheckMatched(w http.ResponseWriter, r, matched *http.Request, method, pattern string,
	next http.Handler) {
	at, exact := a.Seam.Lookup("", method, pattern)
	if !exact { // the router has matched a route of this method
		at = a.Seam.Matched(route.Route{Method: method, Path: pattern})
	}
	skips := a.Skipper != nil && a.Skipper(r)
	if skips {
		a.Seam.NoteSkipped(at)
	}
	if at == nil || skips {
		next.ServeHTTP(w, r)
		return
	}
	var call adapter.Call
	call.Request.SetHTTP(r, matched, at)
	_ = a.Seam.CheckForeign(a.NewState(w, r), &call, next)
}

// Unmatched answers a request that matches no route, if it names an unknown or ended
// version. Otherwise the router answers, with the methods of [adapter.Call.Allow].
func (a *Adapter) Unmatched(w http.ResponseWriter, r *http.Request) (call *adapter.Call, rejected bool) {
	call = new(adapter.Call)
	call.Request.SetHTTP(r, r, nil)
	rejected, _ = a.Seam.CheckUnmatched(a.NewState(w, r), call, r.URL.EscapedPath())
	return call, rejected
}

// State is the state of a checked request: the context that its handlers get.
type State struct {
	context.Context //nolint:containedctx // it is one

	Request  *http.Request // that the check was given
	InFront  bool          // a check behind it is of the same request, whatever its writer
	adapter  *Adapter
	w        http.ResponseWriter
	result   *verso.Result                // of the check
	observed atomic.Pointer[verso.Result] // of this check, or of one that it is around
	outer    *State                       // of the check that is around this one, nil: none
}

// NewState returns the state of a request to check. Requests that a
// handler derives from its own, for example for a batch, each with its own
// ResponseWriter, are observed separately. A forwarded request is observed instead of
// the original.
func (a *Adapter) NewState(w http.ResponseWriter, r *http.Request) *State {
	k := &State{Context: r.Context(), Request: r, adapter: a, w: w}
	if a.Seam.Observes() {
		outer, ok := r.Context().Value(a).(*State)
		if ok && (outer.InFront || reflect.ValueOf(w).Comparable() && outer.w == w) {
			k.outer = outer
			k.observed.Store(outer.observed.Load())
		}
	}
	return k
}

// contextKey is where a request has a T.
type contextKey[T any] struct{}

// Value returns k to code that asks for the version, and to the checks of its API, whose
// key is the [Adapter], unless SetTestVersion has stored it.
func (k *State) Value(key any) any {
	if key == (contextKey[State]{}) || key == k.adapter && k.w != nil {
		return k
	}
	return k.Context.Value(key)
}

func (k *State) store(result *verso.Result) {
	k.result = result
	for observes := k.adapter.Seam.Observes(); observes && k != nil; k = k.outer {
		k.observed.Store(result)
	}
}

func (k *State) next(next http.Handler) error {
	if k.adapter.Routed != nil {
		if err := k.adapter.Routed(k.Request); err != nil {
			return k.fail(err)
		}
	}
	in := k.Request.WithContext(k)
	next.ServeHTTP(k.w, in)
	if in.Pattern != k.Request.Pattern { // a router inside has changed it
		k.Request.Pattern = in.Pattern // for what is around
	}
	return nil
}

// reject answers a rejected request.
func (k *State) reject(rejected *verso.Error, answer *verso.Answer) error {
	k.adapter.Seam.NoteAnswer(adapter.Respond(k.w, k.Request.WithContext(k), rejected, answer, k.adapter.ErrorHandler))
	return nil
}

// fail answers with status 500, and logs the error where those of net/http go.
func (k *State) fail(err error) error {
	k.adapter.logError(k.Context, "determining the version", err)
	http.Error(k.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return nil
}

// logError writes what failed into the log of the server.
func (a *Adapter) logError(ctx context.Context, doing string, err error) {
	logger := log.Default()
	if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
		logger = server.ErrorLog
	}
	logger.Printf("%s: %s: %q", a.name, doing, err.Error())
}

// SetTestVersion returns a copy of a request with a version as if it had been checked. It
// fails with [verso.ErrUnknownVersion] if the API does not serve the version.
func (a *Adapter) SetTestVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	k := a.NewState(nil, r)
	err := a.Seam.SetTestVersion(k, version)
	return r.WithContext(k), err
}

// Result returns the result of the innermost check, by whichever API. It is nil for an
// unchecked request: the methods of a nil result log that once.
func Result(r *http.Request) *verso.Result {
	if k, ok := r.Context().Value(contextKey[State]{}).(*State); ok {
		if k.w != nil { // else a test has set the version
			k.adapter.Seam.NoteStored(k.Request, r)
		}
		return k.result
	}
	return nil
}

// InContext is the middleware that stores the result where [verso.FromContext] finds it.
func InContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(adapter.NewContext(Result(r), requestOf(r))))
	})
}

// Link builds the URL of a named route in the version of the request, or in the
// target's. It returns the errors of [verso.Result.Link].
func Link(r *http.Request, target verso.Target) (string, error) {
	return adapter.LinkFor(Result(r), requestOf(r), target)
}

// URL is [Link] for responses whose handler has no use for the error: see [adapter.URLFor].
func URL(r *http.Request, target verso.Target) string {
	return adapter.URLFor(Result(r), requestOf(r), target)
}

func requestOf(r *http.Request) (request source.Request) { request.SetHTTP(r, r, nil); return request }
