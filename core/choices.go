package verso

import "github.com/goverso/verso/core/catalogue"

// Choice is a handler from a version on, until the next choice: see [NewChoices].
type Choice[H any] struct {
	from    string
	handler H
	removed bool
}

// From returns the choice of a handler from a version on.
func From[H any](version string, handler H) Choice[H] {
	return Choice[H]{from: version, handler: handler}
}

// Removed returns the choice of no handler from a version on.
func Removed[H any](version string) Choice[H] {
	return Choice[H]{from: version, removed: true}
}

// Choices is a handler for each version. It is the version set of its route as
// well: register the route with [Choices.Option].
type Choices[H any] struct {
	handlers []H // by index of the version
	has      []bool
	choices  []catalogue.Choice
}

// NewChoices returns the choice among handlers, each until the next one, whatever
// the order in which they are given. The order of the versions is that of v. The
// errors are [*ConfigError]s, joined: an unknown version, one that two choices
// begin with, a removal before the first handler.
func NewChoices[H any](v *Versioning, choices ...Choice[H]) (*Choices[H], error) {
	c := &Choices[H]{choices: make([]catalogue.Choice, len(choices))}
	for i, choice := range choices {
		c.choices[i] = catalogue.Choice{From: choice.from, Removed: choice.removed}
	}
	plan, err := v.Plan(c.Option())
	if err != nil {
		return nil, err
	}
	c.handlers, c.has = make([]H, len(v.served.Versions())), make([]bool, len(v.served.Versions()))
	for i := range v.catalogue.Versions() {
		if position := plan.table.Choice(i); position >= 0 {
			c.handlers[i], c.has[i] = choices[position].handler, true
		}
	}
	return c, nil
}

// Option returns the option of the route that the choices are for.
func (c *Choices[H]) Option() RouteOption {
	return func(o *routeOptions) {
		o.config.Choices, o.versioned, o.dispatches = c.choices, true, true
	}
}

// For returns the handler for the version of a request. ok is false when the
// version has none.
func (c *Choices[H]) For(result *Result) (handler H, ok bool) {
	if result == nil || result.index < 0 || result.index >= len(c.handlers) {
		return handler, false
	}
	return c.handlers[result.index], c.has[result.index]
}
