// Package versohttp installs Verso in net/http: it registers routes of an
// [http.ServeMux] that know their API version, and builds links that stay in it.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
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
// [verso.Links] for links with such a prefix.
package versohttp

import (
	"context"
	"errors"
	"log"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Config configures what is net/http's own. The zero Config is the default.
type Config struct {
	// Client names who sent a request, for [verso.Usage]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned, with the request that the check was given.
	// Optional. Default value: nil, clients are not known.
	Client func(r *http.Request) string

	// ErrorHandler answers a rejected request. The answer is what the response
	// would be: see [verso.WriteAnswer]. Its Vary and Content-Language fields
	// are set already. When the handler writes nothing, the answer is written
	// as by default. An [http.ResponseController] reaches what w can do besides
	// writing. Requests share the answer: it must not be modified.
	// Optional. Default value: nil, the answer is written as
	// application/problem+json.
	ErrorHandler func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer)

	// KeepServed names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses
	// only announce it. The check of a route calls it, after all middleware, so
	// [Routes.Middleware] around the ServeMux of v leaves the routes of v to
	// their own check then; it does not call it for routes that other code
	// registers. See [verso.Usage], Kept.
	// Optional. Default value: nil, no request is kept.
	KeepServed func(r *http.Request) bool
}

// Handlers is a handler for each version: see [Routes.Choose] and [verso.Handlers].
type Handlers = verso.Handlers[http.HandlerFunc]

// bound is what all groups of a ServeMux share.
type bound struct {
	Config
	api     *verso.Versioning
	binding *verso.Binding
	mux     *http.ServeMux
	client  func(r any) string

	// For Middleware.
	own    sync.Map // *verso.Registration by pattern
	others sync.Map // *route.Route by pattern
}

// New returns the routes of a ServeMux, whose API versions api determines. It panics
// if mux or api is nil.
func New(mux *http.ServeMux, api *verso.Versioning, config ...Config) *Routes {
	if mux == nil || api == nil {
		panic(errors.New("versohttp: there is no ServeMux or no versioning: check the error of its constructor"))
	}
	b := &bound{Config: slices.Concat(config, []Config{{}})[0], api: api, mux: mux}
	b.client = verso.ClientFunc(api, b.Client)
	b.binding = api.Bind(&router{})
	return &Routes{bound: b}
}

// kept is the context of a checked request.
type kept struct {
	context.Context //nolint:containedctx // it is one

	result *verso.Result
	bound  *bound
	early  bool        // by a middleware
	again  atomic.Bool // a check behind the middleware has decided again
}

type contextKey struct{}

func (k *kept) Value(key any) any {
	if _, ok := key.(contextKey); ok {
		return k
	}
	return k.Context.Value(key)
}

func keptOf(r *http.Request) *kept {
	k, _ := r.Context().Value(contextKey{}).(*kept)
	return k
}

func resultOf(r *http.Request) *verso.Result {
	if k := keptOf(r); k != nil {
		return k.result
	}
	return nil
}

// serve decides on a request, and calls next unless it is rejected. A request that
// reaches several routes, since a handler passes it or one made of it to the ServeMux
// again, is decided on by each. params is nil in the check of a route.
func (b *bound) serve(w http.ResponseWriter, r *http.Request, at *route.Route, params verso.Router, k *kept, next http.Handler) {
	if b.binding.ChecksOthers() {
		if prior := keptOf(r); prior != nil && prior.bound == b && prior.early {
			prior.again.Store(true)
		}
	}
	var call verso.Call
	call.Request.SetHTTP(r, r, at)
	call.Request.SetRouter(params)
	call.Kept = !k.early && b.KeepServed != nil && b.KeepServed(r)
	k.Context, k.bound, k.result = r.Context(), b, b.binding.Begin(&call, nil)
	if err := unrouted(r); err != nil {
		call.Err, k.result = err, nil
	}
	b.proceed(w, r, &call, k, next)
}

// proceed writes the fields of the response, and calls next unless the request is
// rejected.
func (b *bound) proceed(w http.ResponseWriter, r *http.Request, call *verso.Call, k *kept, next http.Handler) {
	if call.HasFields() {
		call.SetFields(w.Header())
	}
	passed := r
	if b.binding.Observes() {
		defer func() { b.end(call, k, r, passed) }()
	}
	if k.result == nil {
		b.reject(w, r, call)
		return
	}
	passed = r.WithContext(k)
	next.ServeHTTP(w, passed)
}

// end tells what became of a request. passed is what the handler was given: another
// ServeMux behind a middleware has written its pattern into it, for a CONNECT that it
// redirects the client's own text.
func (b *bound) end(call *verso.Call, k *kept, r, passed *http.Request) {
	if k.again.Load() {
		return
	}
	if k.early && passed.Pattern != r.Pattern && passed.Method != http.MethodConnect {
		call.Route = b.ofOthers(passed.Pattern)
	}
	call.End(k.result, b.client)
}

// reject answers a rejected request. Another error is a programming error: the
// client learns nothing of it, and it goes where those of net/http go, to the log
// of the server.
func (b *bound) reject(w http.ResponseWriter, r *http.Request, call *verso.Call) {
	rejected, answer, ok := call.Rejected()
	if !ok {
		logger := log.Default()
		if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
			logger = server.ErrorLog
		}
		logger.Printf("versohttp: determining the version: %q", call.Err.Error())
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	if b.ErrorHandler != nil {
		answer.SetFields(w.Header())
		response := &response{ResponseWriter: w}
		b.ErrorHandler(response, r, rejected, answer)
		if response.begun {
			return
		}
	}
	verso.WriteAnswer(w, r, answer)
}

// response notes whether an error handler writes: net/http sends an empty 200
// for one that does not.
type response struct {
	http.ResponseWriter
	begun bool
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *response) WriteHeader(status int) {
	r.begun = r.begun || status >= http.StatusOK // others are interim
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(data []byte) (int, error) {
	r.begun = true
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

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link].
func Link(r *http.Request, target verso.Target) (string, error) {
	var request verso.Request
	request.SetHTTP(r, r, nil)
	return resultOf(r).Link(request, target)
}
