package verso

import (
	"sync"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// Call is a request on which a [Binding] has decided. An adapter has one on the
// stack of the function that handles the request:
//
//	var call verso.Call
//	call.Request.SetHTTP(r, c, registration.Route())
//	result := binding.Begin(&call, prior)
//	call.SetFields(w.Header())
//	defer call.End(kept, client) // if binding.Observes()
//	if result == nil {
//		rejected, answer, ok := call.Rejected()
//		…
//	}
type Call struct {
	// Request is the request. An adapter sets it before Begin.
	Request Request

	// Err says why there is no result: an [*Error] for a rejected request,
	// otherwise a programming error.
	Err error

	// Kept says that no sunset and no brownout rejects the request or moves it
	// to another version. Its response has the same headers as others. An
	// adapter sets it before Begin, to what its KeepServed returns.
	Kept bool

	// Route is the matched route for [Usage], if an adapter learns it only
	// after the handler has returned. nil: that of the request.
	Route *route.Route

	binding *Binding
	result  *Result // nil: the request is rejected
	passed  bool    // an earlier call has decided
	exempt  bool    // there is nothing to decide
	anyHost bool    // the host of the request does not matter

	// The fields of the response.
	vary   *vary
	fields []Field          // of the version or the route
	lists  *catalogue.Lists // of versions, nil without a catalogue
	served *Field           // the version that is served, nil: none
	expose *Field           // names the others, nil: none
	extra  []Field          // made for the request

	// For Observe.
	second int64           // in which the catalogue was asked, 0: it was not
	asked  int32           // index of the version that the request is for, from 1; 0: that of result
	state  catalogue.State // of that version, zero: it is supported
	named  bool            // the request names a version
}

// Begin decides on c.Request, whose route is registered with b. prior is the result
// that the framework's store has, nil for none: if a middleware of b has made it, and it
// is right for this route, Begin returns it.
//
// The adapter keeps the result in the framework's store, unless it is prior. It is nil
// if the request is rejected: see [Call.Rejected]. Begin allocates nothing for a
// version in the configuration.
func (b *Binding) Begin(c *Call, prior *Result) *Result {
	at := c.Request.route
	if prior == nil {
		b.decide(c)
		return c.result
	}
	if !c.Kept && b.passed(prior, at) {
		c.passed, c.result = true, prior
		return prior
	}
	b.decide(c)
	switch {
	case c.result == nil:
	case c.result == prior && planOf(at) == nil && !prior.version.IsNone() && !c.Kept:
		c.passed = true // the same as before
	default: // a result of its own, which tells that it replaces the other
		own := *c.result
		own.assumed = at
		c.result = &own
	}
	return c.result
}

// Remembers reports whether Begin uses prior: if a middleware checks routes too, or
// there is a [Config.Observe]. Otherwise an adapter need not read its store.
func (b *Binding) Remembers() bool { return b.ChecksOthers() || b.Observes() }

// BeginEarly decides on c.Request in a middleware, before the framework calls the
// route, which is the one that [Binding.Lookup] returned. See [Binding.Begin].
func (b *Binding) BeginEarly(c *Call, prior *Result) *Result {
	if prior != nil && prior.binding == b {
		c.passed, c.result = true, prior
		return prior
	}
	b.decide(c)
	if at := c.Request.route; c.result != nil && (prior != nil || !b.isPlain(at)) {
		c.result = b.assuming(at, c.result)
	}
	return c.result
}

// assuming returns the result of a middleware that assumed a route, the same each
// time.
func (b *Binding) assuming(at *route.Route, shared *Result) *Result {
	if shared.own {
		shared.assumed = at
		return shared
	}
	results, ok := b.assumed.Load(at)
	if !ok {
		results, _ = b.assumed.LoadOrStore(at, new(sync.Map))
	}
	result, ok := results.(*sync.Map).Load(shared)
	if !ok {
		own := *shared
		own.assumed = at
		result, _ = results.(*sync.Map).LoadOrStore(shared, &own)
	}
	return result.(*Result)
}

// passed reports whether an earlier decision holds for the route: it was made for this
// route, or it found a version and the route does not matter.
func (b *Binding) passed(prior *Result, at *route.Route) bool {
	switch {
	case prior.binding != b || at == nil:
		return false
	case prior.assumed != nil:
		return prior.assumed == at
	}
	return at.Plan == nil && !b.api.byRoute && !prior.version.IsNone()
}

// End calls [Config.Observe] when the handler or the rejection has returned or
// panicked. kept is the result in the store at that time: if another call has decided
// since, that one calls Observe. client is that of [ClientFunc].
func (c *Call) End(kept *Result, client func(request any) string) {
	if c.binding == nil || c.passed || c.exempt || kept != c.result {
		return
	}
	c.binding.observe(c, client)
}

// Rejected returns the rejection and its answer. ok is false for a programming error:
// the response then has status 500 and does not say why.
func (c *Call) Rejected() (rejected *Error, answer *Answer, ok bool) {
	rejected, ok = c.Err.(*Error) //nolint:errorlint // an error of a source may wrap one, and is none
	if !ok {
		return nil, nil, false
	}
	return rejected, c.binding.answer(&c.Request, rejected), true
}
