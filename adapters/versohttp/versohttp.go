// Package versohttp installs Verso in net/http: a [Mux], whose routes have a
// version and names, and a middleware for other handlers.
//
//	scheme, err := verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
//	...
//	mux, err := versohttp.NewMux(versohttp.Config{Scheme: scheme})
//	...
//	mux.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintln(w, versohttp.Version(r))
//	})
//	http.ListenAndServe(":8080", mux)
package versohttp

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// contextKey is where the middleware keeps its result in the context of a
// request.
type contextKey struct{}

// Config configures a [Mux] or a middleware.
type Config struct {
	// Scheme determines the version of a request.
	// Required.
	Scheme verso.Scheme

	// Produces lists the media types that the service can answer with, the
	// preferred one first. The Accept scheme negotiates among them; the
	// other schemes do not read it.
	// Optional. Default value empty: every media type is acceptable.
	Produces []string

	// Links says what the URLs begin with that Reverse builds.
	// Optional. Default value: the scheme and the host of the request.
	Links verso.LinkConfig

	// Strict refuses requests that the specification lets through.
	// Optional. Default value: refuses none.
	Strict verso.Strictness

	// Translator translates the messages of refusals.
	// Optional. Default value: nil, the messages are in English.
	Translator verso.Translator

	// HideAllowedVersions leaves the allowed versions out of the body of a
	// refusal.
	// Optional. Default value: false.
	HideAllowedVersions bool

	// ErrorHandler answers a refusal. The problem is the body that the
	// response would have, its texts translated. It must answer: net/http
	// sends an empty 200 for a handler that writes nothing.
	// Optional. Default value: writes the problem as application/problem+json.
	ErrorHandler func(w http.ResponseWriter, r *http.Request, err *verso.Error, problem verso.Problem)
}

// NewMiddleware returns a middleware that determines the version of each
// request and keeps it in the request's context for [Version]. A request for a
// version that is not served is refused with problem details (RFC 9457).
//
// Around a handler of a route it reads the arguments that the router has set
// with [http.Request.SetPathValue], as [http.ServeMux] does. Around a whole
// [*http.ServeMux] it finds the route first, and requests that match none pass
// untouched. Around anything else, such as another middleware around a
// ServeMux, every request counts as matched, and has no path arguments: the
// Accept, host and query schemes do without.
//
// The routes have no names: [Reverse] needs those of a [Mux]. NewMiddleware
// fails as [NewMux] does, and when the scheme is a [*verso.Namespace].
func NewMiddleware(config Config) (func(http.Handler) http.Handler, error) {
	if _, ok := config.Scheme.(*verso.Namespace); ok {
		return nil, errors.New("versohttp: no route has a namespace: register the routes on a Mux, see NewMux")
	}
	m, err := config.middleware(new(route.Registry))
	if err != nil {
		return nil, err
	}
	return func(next http.Handler) http.Handler {
		versioned := m.wrap(next, "")
		if mux, ok := next.(*http.ServeMux); ok {
			return &matcher{mux: mux, versioned: versioned}
		}
		return versioned
	}, nil
}

// middleware is a configuration, checked.
type middleware struct {
	versioning   *verso.Versioning
	errorHandler func(http.ResponseWriter, *http.Request, *verso.Error, verso.Problem)
}

func (config Config) middleware(routes *route.Registry) (*middleware, error) {
	versioning, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme:   config.Scheme,
		Produces: config.Produces,
		Links:    config.Links,
		Strict:   config.Strict,
		Routes:   func(verso.Request) *route.Table { return routes.Table() },

		Translator:          config.Translator,
		HideAllowedVersions: config.HideAllowedVersions,
	})
	if err != nil {
		return nil, fmt.Errorf("versohttp: %w", err)
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = writeProblem
	}
	return &middleware{versioning, config.ErrorHandler}, nil
}

// wrap returns a handler that calls next with the version of the request, whose
// route is in the given namespace.
func (m *middleware) wrap(next http.Handler, namespace string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		determined, err := m.determine(w, r, namespace)
		if err != nil {
			m.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, determined)))
	})
}

// determine presents the request to the versioning.
func (m *middleware) determine(w http.ResponseWriter, r *http.Request, namespace string) (*verso.Determined, error) {
	presented := acquire(r, m.versioning, namespace)
	determined, err := m.versioning.Determine(presented, r, w.Header())
	presented.release()
	return determined, err
}

// refuse hands a refusal to the error handler. Another error is a programming
// error: the client learns nothing of it, and it goes where those of net/http
// go, to the log of the server.
func (m *middleware) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if refusal, ok := errors.AsType[*verso.Error](err); ok {
		m.errorHandler(w, r, refusal, m.versioning.Problem(refusal, r.Header, w.Header()))
		return
	}
	logger := log.Default()
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
		logger = server.ErrorLog
	}
	logger.Printf("versohttp: determining the version: %q", err.Error())
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}

// writeProblem answers a refusal.
func writeProblem(w http.ResponseWriter, r *http.Request, _ *verso.Error, problem verso.Problem) {
	verso.WriteProblem(w, r, problem)
}

// Version returns the version that was determined for the request, none when it
// has none or passed neither a [Mux] nor the middleware. The version is in the
// request that handlers get, not in that of a middleware outside, such as a
// logger: put what reads it around the handlers.
func Version(r *http.Request) verso.Version {
	if determined, ok := kept(r); ok {
		return determined.Version
	}
	return verso.Version{}
}

// kept returns what the middleware kept of the request.
func kept(r *http.Request) (determined *verso.Determined, ok bool) {
	determined, ok = r.Context().Value(contextKey{}).(*verso.Determined)
	return determined, ok
}
