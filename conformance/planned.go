package conformance

import (
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// planned has the versions of a route in a case. Its members have the names of the options, in
// JSON's style.
type planned struct {
	Neutral    bool             `json:"neutral"`
	Since      string           `json:"since"`
	RemovedIn  string           `json:"removed_in"`
	Deprecated time.Time        `json:"deprecated"`
	Sunset     time.Time        `json:"sunset"`
	Links      []catalogue.Link `json:"links"`
	Choices    []struct {
		From    string  `json:"from"`
		Handler *string `json:"handler"` // its name, nil for a removal
	} `json:"choices"`
}

// options returns the options of the route. An option without a value is left out: to set one
// to nothing is a mistake of its own.
func (p *planned) options() (options []verso.RouteOption) {
	add := func(given bool, option verso.RouteOption) {
		if given {
			options = append(options, option)
		}
	}
	add(p.Neutral, verso.Neutral())
	add(p.Since != "", verso.Since(p.Since))
	add(p.RemovedIn != "", verso.RemovedIn(p.RemovedIn))
	add(!p.Deprecated.IsZero(), verso.DeprecatedAt(p.Deprecated))
	add(!p.Sunset.IsZero(), verso.SunsetAt(p.Sunset))
	add(len(p.Links) > 0, verso.Related(p.Links...))
	return options
}

// handlers returns the handlers of the route, each of which reports its name, or nil if the
// route has one handler. nil and an empty map differ: the second is a route that chooses
// between no handlers, and is refused.
func (p *planned) handlers(handle func(name string) func(Call) Response) map[string]func(Call) Response {
	if p.Choices == nil {
		return nil
	}
	handlers := make(map[string]func(Call) Response, len(p.Choices))
	for _, choice := range p.Choices {
		if handlers[choice.From] = nil; choice.Handler != nil {
			handlers[choice.From] = handle(*choice.Handler)
		}
	}
	return handlers
}
