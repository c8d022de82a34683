package adapter

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
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
	// for GET serves HEAD too. Then the Allow field of a rejection names HEAD as well.
}

// Listed is a route in the list of a [Router].
type Listed struct {
	route.Route

	// Registration is the registration of the route, if the framework lists the route
	// at another path than it was registered at, because its application is mounted
	// in another one.
	// Optional. Default value: nil, Host, Method and Path identify the route.
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

// Call is a request and the decision on it. An adapter has one on the stack of the
// function that handles the request, so that nothing is allocated, and sets its Request
// there: see [Seam.Check].
type Call struct {
	// Request is the request, which the adapter sets by [source.Request.SetHTTP] or
	// [source.Request.Set].
	Request source.Request

	// Route is the matched route for [verso.Observation], if an adapter learns it only
	// after the handler has returned.
	// Optional. Default value: nil, the route of the request.
	Route *route.Route

	exemptFromSunset bool          // no sunset and no brownout applies
	result           *verso.Result // nil: the request is rejected
	err              error         // why there is no result: an [*verso.Error], or a programming error
	fields           Fields
	rejection        *source.Rejection // what err rejects with, or nil
	lists            *catalogue.Lists  // of versions when it was rejected; nil: those in Config
	exempt           bool              // there is nothing to decide
	unanswered       bool              // a CORS preflight, whose handler is not called
	outcome          source.ReadingOutcome
	lacks            []string // methods that the path of an unmatched request has in other versions only

	// For Observe.
	second int64           // in which the catalogue was asked, 0: it was not
	asked  int             // index of the version that the request is for, from 1; 0: that of result
	state  catalogue.State // of that version, zero: it is supported
}

// Fail turns the decision into a programming error, for example one in the adapter. It is
// called between [Seam.Decide] and [Seam.Proceed]: the request is answered by Seam.Fail
// instead of its handler.
func (c *Call) Fail(err error) { c.err, c.result = err, nil }

// Allow returns the Allow field with which a framework answers an unmatched request, without
// the methods that its version does not have (RFC 9110, section 10.2.1): see
// [Seam.CheckUnmatched]. An empty field is one without methods.
func (c *Call) Allow(field string) string {
	if len(c.lacks) == 0 {
		return field
	}
	var methods []string
	for method := range strings.SplitSeq(field, ",") {
		if method = strings.TrimSpace(method); method != "" && !slices.Contains(c.lacks, method) {
			methods = append(methods, method)
		}
	}
	return strings.Join(methods, ", ")
}

// Registration is a route with a check before its handler: [Binding.Add] returns it. An
// adapter keeps it beside the handler, and gives its Route to the request. The zero
// Registration is not valid.
type Registration struct {
	given  route.Route
	placed atomic.Pointer[route.Route] // as requests see it; nil: not made yet
	place  func()                      // sets placed, at the first request
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

// Scope holds the options shared by all routes of a framework group whose check is
// middleware of the group, for example where generated code registers the routes:
// [Binding.Scope] returns it. Its routes are not registered with the [Binding]. The check
// gives the request what Route returns. The zero Scope is not valid.
type Scope struct {
	routes  *routes
	prefix  string
	name    string // "v1:" in a namespace
	options choice.Route
	plan    *plan
	byPlace sync.Map // routes by method and pattern
}

// FieldMode determines how a [catalogue.Field] of a decision is added to the fields that
// a response has already: see [Fields.Each].
type FieldMode uint8

// The modes.
const (
	SetField  FieldMode = iota // replaces a field of that name
	AddField                   // adds the lines that are not there yet
	KeepField                  // unless there is a field of that name
	JoinField                  // joins the list of that name, in one line, as [verso.AddVary] does
)
