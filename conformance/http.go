package conformance

import (
	"context"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
)

// HTTP is what the mounts of adapters over net/http share: it has the functions of the adapter.
type HTTP struct {
	Version     func(r *http.Request) verso.Version
	AtLeast     func(r *http.Request, version string) bool
	ContentType func(r *http.Request, resource string) (string, error)
	Link        func(r *http.Request, target verso.Target) (string, error)
	Param       func(r *http.Request, name string) string

	// PassOn serves a request of another path: see [Response.PassOn].
	PassOn func(w http.ResponseWriter, r *http.Request)
}

// Handler returns a handler of net/http that calls a handler of the suite, nil for nil.
func (a HTTP) Handler(handle func(Call) Response) http.HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		response := handle(Call{
			Context:     r.Context(),
			Version:     a.Version(r),
			Param:       func(name string) string { return a.Param(r, name) },
			Link:        func(target verso.Target) (string, error) { return a.Link(r, target) },
			Query:       r.URL.Query().Get,
			Form:        r.PostFormValue,
			AtLeast:     func(version string) bool { return a.AtLeast(r, version) },
			ContentType: func(resource string) (string, error) { return a.ContentType(r, resource) },
		})
		if response.PassOn != "" {
			r = r.Clone(r.Context())
			r.URL.Path = response.PassOn
			a.PassOn(w, r)
			return
		}
		response.Write(w)
	}
}

// Middleware returns what makes middleware of net/http. set is the adapter's SetTestVersion.
func (a HTTP) Middleware(
	set func(*http.Request, verso.Version) (*http.Request, error)) func(Middleware) func(http.Handler) http.Handler {
	return func(run Middleware) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rest, ended := next, func() {}
				status := run(Step{
					Version:  a.Version(r),
					Header:   r.Header.Get,
					AddField: w.Header().Add,
					SetTestVersion: func(version verso.Version) error {
						changed, err := set(r, version)
						if err == nil {
							r = changed
						}
						return err
					},
					SetHeader: r.Header.Set,
					Keep: func(key, value string) {
						ctx := context.WithValue(r.Context(), key, value) //nolint:staticcheck // such keys exist
						r = r.WithContext(ctx)
					},
					SetMethod: func(method string) { r.Method = method },
					Query:     r.FormValue,
					Form:      r.PostFormValue,
					Wrap: func(with func(http.ResponseWriter) (http.ResponseWriter, func())) {
						w, ended = with(w)
					},
					Around: func(with func(http.Handler) http.Handler) { rest = with(rest) },
				})
				defer func() { ended() }()
				if status != 0 {
					w.WriteHeader(status)
					return
				}
				rest.ServeHTTP(w, r)
			})
		}
	}
}

// Config returns the fields of the adapter's configuration for an application, of which each may
// be nil.
func (a HTTP) Config(app App) (exempt func(*http.Request) bool, client func(*http.Request) string,
	errorHandler func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer)) {
	if app.ExemptFromSunset != "" {
		exempt = func(r *http.Request) bool { return r.Header.Get(app.ExemptFromSunset) != "" }
	}
	if app.Client != nil {
		client = func(r *http.Request) string {
			return app.Client(Step{Version: a.Version(r), Header: r.Header.Get,
				Param: func(name string) string { return a.Param(r, name) }})
		}
	}
	if app.ErrorHandler != nil {
		errorHandler = func(w http.ResponseWriter, _ *http.Request, rejected *verso.Error, answer *verso.Answer) {
			app.ErrorHandler(rejected, answer).Write(w)
		}
	}
	return exempt, client, errorHandler
}

// AroundHTTP is the Around of an application.
func (a App) AroundHTTP(next http.Handler) http.Handler {
	if a.Around == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = a.Around(func() error { next.ServeHTTP(w, r); return nil }, WriteTo(w))
	})
}

// OverriddenHTTP returns mounts, with the middleware or without, in which clients may set another
// method.
func OverriddenHTTP(mount func(outermost ...func(http.Handler) http.Handler) Mount) (mounts []Mount) {
	override := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
				r.Method = method
			}
			next.ServeHTTP(w, r)
		})
	}
	for _, mount := range []Mount{mount(), mount(override)} {
		for times := range 2 {
			mounts = append(mounts, func(tb testing.TB, app App) *Server {
				tb.Helper()
				app.Middleware = times
				return mount(tb, app)
			})
		}
	}
	return mounts
}
