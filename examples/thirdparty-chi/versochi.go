// Package versochi installs Verso in chi: routes with names, which know the API
// version of each request.
//
//	r := chi.NewRouter()
//	routes, err := versochi.New(r, verso.VersioningConfig{Scheme: scheme})
//	...
//	r.Method(http.MethodGet, "/{version}/users/{id}", routes.Named("user", showUser))
//
// The versioning stands at the end of a route, not among the middlewares: those
// that chi's Use installs run before chi knows the route, its name and its
// arguments. So requests that match no route never get there.
package versochi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Routes gives the routes of a router versions and names.
type Routes struct {
	versioning *verso.Versioning
}

// New returns routes for a router, with the given configuration; Routes in it
// is set here. It fails as [verso.NewVersioning] does.
func New(router chi.Routes, config verso.VersioningConfig) (*Routes, error) {
	table := sync.OnceValue(func() *route.Table { return tableOf(router) })
	config.Routes = func(verso.Request) *route.Table { return table() }
	versioning, err := verso.NewVersioning(config)
	if err != nil {
		return nil, err
	}
	return &Routes{versioning}, nil
}

// Named returns a handler to register with Method or Handle of a [chi.Router],
// which take it as it is. It determines the version of the request, for [Version],
// before it calls handler, or refuses the request with problem details. The
// name may begin with a namespace ("v1:user-list"), and may be empty.
func (routes *Routes) Named(name string, handler http.HandlerFunc) http.Handler {
	return &named{routes.versioning, route.Route{Name: name}, handler}
}

// named is the end of a route.
type named struct {
	versioning *verso.Versioning
	route      route.Route
	handler    http.HandlerFunc
}

func (n *named) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	determined, err := n.versioning.Determine(&request{r, n.versioning, n.route.Namespace()}, r, w.Header())
	if err != nil {
		n.refuse(w, r, err)
		return
	}
	n.handler(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, determined)))
}

// refuse answers with problem details. An error that is no refusal is one of
// the program, of which the client learns nothing.
func (n *named) refuse(w http.ResponseWriter, r *http.Request, err error) {
	refusal, ok := errors.AsType[*verso.Error](err)
	if !ok {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	problem := n.versioning.Problem(refusal, r.Header, w.Header())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(refusal.StatusCode())
	_ = json.NewEncoder(w).Encode(problem) // the client may have gone away
}

// contextKey is where the version is kept in the context of a request.
type contextKey struct{}

// Version returns the version of the request, none when it has none or its
// route is not one of [Routes.Named].
func Version(r *http.Request) verso.Version {
	if determined, ok := r.Context().Value(contextKey{}).(*verso.Determined); ok {
		return determined.Version
	}
	return verso.Version{}
}

// Reverse builds the URL of a named route in the version of the request, or of
// the target. What a route's "*" stands for is called "rest". The errors are
// those of [verso.Versioning.Reverse]; in a request to another route than those
// of [Routes.Named] it fails too.
func Reverse(r *http.Request, target verso.Target) (string, error) {
	determined, ok := r.Context().Value(contextKey{}).(*verso.Determined)
	if !ok {
		return "", errors.New("versochi: the route is not a named one: register its handler with Routes.Named")
	}
	return determined.Versioning.Reverse(&request{Request: r}, r, target)
}

// tableOf returns the named routes of a router and of its subrouters. It runs
// once, at the first reversal. All routes are there by then, since adding some
// to a chi router that serves is a race.
func tableOf(router chi.Routes) *route.Table {
	var all []route.Route
	_ = chi.Walk(router, func(_, pattern string, handler http.Handler, _ ...func(http.Handler) http.Handler) error {
		if n, ok := handler.(*named); ok {
			if prefix, wildcard := strings.CutSuffix(pattern, "*"); wildcard {
				pattern = prefix + "{rest...}"
			}
			all = append(all, route.Route{Name: n.route.Name, Pattern: route.Braces(pattern)})
		}
		return nil
	})
	return route.NewTable(all...)
}

// request presents a request that chi has routed as a [verso.Request].
type request struct {
	*http.Request
	versioning *verso.Versioning
	namespace  string
}

var _ verso.Request = (*request)(nil)

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.Header["Accept"])
}

// PathParam decodes what chi cuts from the path: from the path as it was sent,
// if Go keeps that, else from the decoded one.
func (r *request) PathParam(name string) (string, bool) {
	params := chi.RouteContext(r.Context()).URLParams
	for i, key := range slices.Backward(params.Keys) {
		if key != name {
			continue
		}
		if r.URL.RawPath == "" {
			return params.Values[i], true
		}
		plain, err := url.PathUnescape(params.Values[i])
		return plain, err == nil
	}
	return "", false
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.URL.RawQuery, name)
}

func (r *request) Namespace() string      { return r.namespace }
func (r *request) Host() string           { return r.Request.Host }
func (r *request) Version() verso.Version { return Version(r.Request) }

// Param returns the named argument of the path, percent-decoded once, and ""
// when there is none. [chi.URLParam] leaves an argument encoded when the path
// was sent with escapes that Go would not write. Give Reverse what Param
// returns.
func Param(r *http.Request, name string) string {
	value, _ := (&request{Request: r}).PathParam(name)
	return value
}
