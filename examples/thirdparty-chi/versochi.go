// Package versochi installs Verso in chi: routes with names, which know the API
// version of each request.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	r := chi.NewRouter()
//	v := versochi.New(r, api)
//	r.Method(http.MethodGet, "/{version}/users/{id}", v.Named("user", showUser))
//
// The version is determined at the end of a route, not in a middleware: what
// chi's Use installs runs before chi knows the route and its path parameters. So
// requests that match no route pass untouched.
package versochi

import (
	"context"
	"errors"
	"log"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Routes gives the routes of a router versions and names.
type Routes struct {
	api   *verso.Versioning
	known func() (*route.Table, map[*named]*route.Route)
}

// New returns the routes of a router and its subrouters. It panics when router or
// api is nil.
func New(router chi.Routes, api *verso.Versioning) *Routes {
	if router == nil || api == nil {
		panic("versochi: the router or the versioning is nil: make them with chi.NewRouter and, for example, verso.NewURLPath")
	}
	// Made at the first request: chi adds no routes while it serves.
	known := sync.OnceValues(func() (*route.Table, map[*named]*route.Route) { return routesOf(router) })
	return &Routes{api.WithRoutes(func(verso.Request) *route.Table {
		table, _ := known()
		return table
	}), known}
}

// Named returns a handler to register, as it is, with Method or Handle of a
// [chi.Router]. It determines the version of the request, for [Version], before it
// calls handler, or rejects the request with problem details. The name may begin
// with a namespace ("v1:user-list"), or be empty. It panics when handler is nil,
// or the options contradict each other.
func (v *Routes) Named(name string, handler http.HandlerFunc, options ...verso.RouteOption) http.Handler {
	if handler == nil {
		panic("versochi: the handler of route " + name + " is nil: give it one")
	}
	n := &named{v: v, name: name, handler: handler}
	if len(options) > 0 {
		n.plan = verso.Must(v.api.Plan(options...))
	}
	return n
}

// Choose is Named with a handler for each version, until the next choice.
func (v *Routes) Choose(name string, choices []verso.Choice[http.HandlerFunc], options ...verso.RouteOption) http.Handler {
	handlers := verso.Must(verso.NewChoices(v.api, choices...))
	return v.Named(name, func(w http.ResponseWriter, r *http.Request) {
		result, _ := r.Context().Value(contextKey{}).(*verso.Result)
		if handler, ok := handlers.For(result); ok { // requests in other versions do not come here
			handler(w, r)
		}
	}, append(options, handlers.Option())...)
}

// Link builds the URL of a route outside of a request: see [verso.Versioning.Link].
func (v *Routes) Link(target verso.Target) (string, error) { return v.api.Link(target) }

// routesOf returns the named routes of a router and of its subrouters.
func routesOf(router chi.Routes) (*route.Table, map[*named]*route.Route) {
	var all []route.Route
	var ends []*named
	_ = chi.Walk(router, func(method, pattern string, handler http.Handler, _ ...func(http.Handler) http.Handler) error {
		if n, ok := handler.(*named); ok {
			all = append(all, route.Route{Name: n.name, Method: method, Path: pattern, Pattern: route.Braces(pattern), Plan: n.plan})
			ends = append(ends, n)
		}
		return nil
	})
	table, known := route.NewTable(all...), make(map[*named]*route.Route)
	i := 0
	for r := range table.Routes() { // in the order of all
		known[ends[i]] = r
		i++
	}
	return table, known
}

// named is the end of a route.
type named struct {
	v       *Routes
	name    string
	plan    any // *verso.Plan, nil without options
	handler http.HandlerFunc
}

type contextKey struct{}

func (n *named) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, known := n.v.known()
	request := verso.NewHTTPRequest(r, router{}, r, known[n])
	decision, err := n.v.api.Determine(request)
	defer n.v.api.Observe(request, &decision, err, known[n].Path, nil)
	verso.SetFields(w.Header(), &decision)
	if rejected, ok := errors.AsType[*verso.Error](err); ok {
		verso.WriteAnswer(w, r, n.v.api.Answer(request, rejected))
		return
	}
	if err != nil { // a programming error, of which the client learns nothing
		log.Printf("versochi: determining the version: %q", err.Error())
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	n.handler(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, decision.Result)))
}

// Version returns the version of the request. It is none when the request has
// none, or its route is not one of [Routes.Named].
func Version(r *http.Request) verso.Version {
	if result, ok := r.Context().Value(contextKey{}).(*verso.Result); ok {
		return result.Version
	}
	return verso.Version{}
}

// Link builds the URL of a named route in the version of the request, or in that
// of the target. The path parameter of chi's "*" is called "*".
func Link(r *http.Request, target verso.Target) (string, error) {
	if result, ok := r.Context().Value(contextKey{}).(*verso.Result); ok {
		return result.Link(verso.NewHTTPRequest(r, router{}, r, nil), target)
	}
	return "", errors.New("versochi: the route is not a named one: register its handler with Routes.Named")
}

// Param returns a path parameter, percent-decoded once, and "" when there is none.
// [chi.URLParam] may leave it encoded.
func Param(r *http.Request, name string) string {
	value, _ := router{}.PathParam(r, name)
	return value
}

// router is what chi knows of a request.
type router struct{}

func (router) Route(any) *route.Route { return nil } // ServeHTTP gives it to NewHTTPRequest

// PathParam decodes what chi cuts from the path: as it was sent, if Go keeps that.
func (router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	params := chi.RouteContext(r.Context()).URLParams
	for i, key := range slices.Backward(params.Keys) { // the innermost of a name counts
		if key != name {
			continue
		}
		if plain, err := url.PathUnescape(params.Values[i]); err == nil && r.URL.RawPath != "" {
			return plain, true
		}
		return params.Values[i], true
	}
	return "", false
}
