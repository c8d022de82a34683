package verso

import (
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// Router is the router of a framework. Its methods do not fail and are safe for
// concurrent use.
type Router interface {
	// PathParam returns the path parameter of the given name, percent-decoded
	// once. Names are case-sensitive. request is the framework's own request,
	// as given to [Request.SetHTTP] or [Request.Set]. ok is false if the route
	// has no such parameter; an empty string is a value. A parameter for the
	// rest of a path begins after the slash.
	PathParam(request any, name string) (value string, ok bool)

	// Routes returns the routes that the router can list, including those that
	// were registered with the framework, with their names in the framework.
	// Host, Method and Path are those of [Binding.Add]. A route whose path has
	// changed, since its application was mounted in another one, has its
	// [*Registration] as Plan.
	Routes() []route.Route
}

// noRouter is the router of a versioning that no adapter has bound.
type noRouter struct{}

func (noRouter) PathParam(any, string) (string, bool) { return "", false }
func (noRouter) Routes() []route.Route                { return nil }

// Binding is a [Versioning] bound to one router: it knows the routes, decides on
// requests, and builds links. It is for adapters, and safe for concurrent use.
type Binding struct {
	api    *Versioning
	router Router

	served *Served                  // over all time
	stages []atomic.Pointer[Served] // by stage of the catalogue; made when first asked for
	none   []Result                 // of requests without a version, by part
	absent *Result                  // of requests for the default version, by no part

	adding     sync.Mutex // guards the next four
	own        map[place]*Registration
	order      []*Registration
	scopes     []*Scope
	named      map[string][]*route.Route // by name, one for each path
	routes     atomic.Pointer[routes]    // as they were at some change
	changes    atomic.Int64              // of the routes
	serving    atomic.Bool               // a request has come
	everything atomic.Bool               // a middleware checks the routes that others register

	lookedAgain    sync.Map // patterns for which the routes were listed again
	lookedAgainFor atomic.Int32
	assumed        sync.Map // by route and shared result: see assuming

	begun  atomic.Bool // the warnings were logged
	linked atomic.Bool // so was that about links
	said   sync.Map    // codes of what is logged once
}

// Bind returns the binding to a router, for adapters. A nil router has no path
// parameters and no routes: it is for tests, whose requests have a router of their own
// ([Request.SetRouter]).
func (v *Versioning) Bind(router Router) *Binding {
	if router == nil {
		router = noRouter{}
	}
	b := &Binding{api: v, router: router, own: make(map[place]*Registration), named: make(map[string][]*route.Route)}
	b.served = v.set.connectedTo(b).servedAt(nil, v.config.Strict.RefuseContradictions)
	if v.catalogue != nil {
		b.stages = make([]atomic.Pointer[Served], v.catalogue.Stages())
	}
	b.none = b.resultsOf(Version{}, -1)
	b.absent = &b.none[0]
	if d := v.config.DefaultVersion; !d.IsNone() {
		b.absent = &b.served.lookup(d.String()).results[0]
	}
	return b
}

// resultsOf returns the results of a version, by the part that decided.
func (b *Binding) resultsOf(version Version, index int) []Result {
	if b.api.catalogue == nil || index >= len(b.api.catalogue.Versions()) {
		index = -1
	}
	results := make([]Result, len(b.api.parts))
	for part := range results {
		results[part] = Result{version: version, binding: b, part: part, index: index}
	}
	return results
}

// at returns what is served at a moment.
func (b *Binding) at(moment catalogue.Moment) *Served {
	stage := &b.stages[moment.Stage()]
	served := stage.Load()
	if served == nil {
		served = b.served.set.servedAt(&moment, b.api.config.Strict.RefuseContradictions)
		stage.Store(served)
	}
	return served
}
