package adapter

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/goverso/verso/core/route"
)

// Router is the router of a framework. Its methods do not fail, and are safe for
// concurrent use, since requests come while routes are added.
type Router interface {
	// PathParam returns the path parameter of the given name, percent-decoded
	// once. Names are case-sensitive. request is the framework's own request,
	// as given to [source.Request.SetHTTP] or [source.Request.Set]. ok is false if the route
	// has no such parameter; an empty string is a value. A parameter for the
	// rest of a path begins after the slash.
	PathParam(request any, name string) (value string, ok bool)

	// Routes returns the routes that the router can list, including those that
	// other code registered with the framework, with their names in the framework.
	// Host, Method and Path are those of [Binding.Add]. A router that cannot list
	// its routes returns nil: then Explain and middleware know only the routes
	// that are registered with the Binding.
	//
	// Verso calls it again after [Binding.NoteRoute], and for a pattern that it
	// does not know.
	Routes() []Listed

	// A Router may also have a method ServesHead() bool, which reports whether a route
	// for GET serves HEAD too. Then the Allow field of a rejection names HEAD as well. A method
	// RestsMayLack() bool reports whether a route for /files/* has the path /files, too. One that
	// cannot list its routes may have a method OtherRoutes(request any) []*route.Route, which
	// returns those of other code that have the path of the request, and RoutesAt(host, path string)
	// []*route.Route, which returns those that have a path. OwnNotFound() []*route.Route returns
	// routes with the paths for which a handler of other code answers requests without a
	// route, in place of the NotFound of the adapter, and TakenNotFound() []*route.Route those whose handler
	// may leave them to it. Lost() []*route.Route returns the routes that came
	// too late for the router of a function. TakesBelow() bool reports whether a path with a
	// slash at its end has all paths below it, LastTakesRest() bool whether a parameter at the end of a path does unless a
	// route continues it, and TakesFirst() bool whether of several routes with a path the first of the list gets
	// its requests. ListsRegistrations() bool reports whether Routes returns
	// each route with its Registration: one that is missing then is in an unmounted router.
	// Engine() any returns what the adapter's New got, by which a second New for it is found.
	// IsInstalled(identity any) bool reports whether a middleware runs for all routes, or may do so, although
	// Routes shows it in front of no route: see [Binding.NoteMiddleware].
}

// Listed is a route in the list of a [Router].
type Listed struct {
	route.Route

	// Registration is the registration of the route, if the framework lists the route
	// at another path than it was registered at, because its application is mounted
	// in another one.
	// Optional. Default value: nil, Host, Method and Path identify the route, unless it is Foreign: the
	// framework has two routes there, and this one comes first.
	Registration *Registration

	// Handler identifies the handler of a route, by a comparable value: a route for
	// OPTIONS whose handler has other methods of the path as well is not only for
	// preflights.
	// Optional. Default value: nil, it is not known.
	Handler any

	// Middleware identifies the middleware in front of the handler, by comparable values:
	// see [Binding.NoteMiddleware].
	// Optional. Default value: nil, it is not known.
	Middleware []any
}

// Identity returns a value that is equal only for the same value of a function type: the function
// together with what it has captured.
func Identity[F any](function F) any { return *(*unsafe.Pointer)(unsafe.Pointer(&function)) }

// Identities returns the [Identity] of each function.
func Identities[F any](functions []F) []any {
	all := make([]any, len(functions))
	for i, function := range functions {
		all[i] = Identity(function)
	}
	return all
}

// HasLead reports whether a list begins with another one, such as the [Identities] of middleware with those of a group.
func HasLead[E comparable](list, lead []E) bool {
	return len(lead) <= len(list) && slices.Equal(list[:len(lead)], lead)
}

// Registration is a route with a check before its handler: [Binding.Add] returns it. An
// adapter keeps it beside the handler, and gives its Route to the request. The zero
// Registration is not valid.
type Registration struct {
	given  route.Route
	placed atomic.Pointer[route.Route] // as requests see it; nil: not made yet
	place  func()                      // sets placed, at the first request
	of     any                         // identifies the routes of its Binding
}

// Route returns the route as its requests see it: with the name that the framework gave
// it after the registration, and with the path at which its application is mounted. It
// is cheap after the first request, so an adapter calls it for each one.
func (r *Registration) Route() *route.Route {
	if placed := r.placed.Load(); placed != nil {
		return placed
	}
	return r.placeFirst()
}

// placeFirst is apart, so that Route is inlined.
func (r *Registration) placeFirst() *route.Route {
	r.place()
	return r.placed.Load()
}

// noRouter is the router of a [Binding] without one.
type noRouter struct{}

func (noRouter) PathParam(any, string) (string, bool) { return "", false }

func (noRouter) Routes() []Listed { return nil }
