package verso

import (
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// Router is what a [Binding] asks of the router of a framework. The methods do not
// fail and are safe for concurrent use.
type Router interface {
	// PathParam returns the path parameter of the given name, percent-decoded
	// once. Names are case-sensitive. request is the framework's own request,
	// which was given to [NewHTTPRequest] or [NewRequest]. ok is false when the
	// route has no such parameter; an empty text is a value. The rest of a path
	// begins behind its slash.
	PathParam(request any, name string) (value string, ok bool)

	// Routes returns the routes that the router can list, those of the
	// framework's own included, with the names that they have in the framework.
	// Host, Method and Path are those of [Binding.Add]. A route that is elsewhere
	// now, since its application was mounted in another one, has its
	// [*Registration] as Plan.
	Routes() []route.Route
}

// noRouter is for a versioning that no adapter has bound.
type noRouter struct{}

func (noRouter) PathParam(any, string) (string, bool) { return "", false }
func (noRouter) Routes() []route.Route                { return nil }

// Binding is a [Versioning] bound to one router: it knows the routes, decides on
// requests, and builds links. It is for adapters. It is safe for concurrent use as
// far as its router is.
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

	begun atomic.Bool // the warnings were logged
	said  sync.Map    // codes of what is logged once
}

// Bind returns the versioning of one router, for adapters. nil is a router without
// path parameters that lists no routes: for tests, whose requests have a router of
// their own ([Request.In]).
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
