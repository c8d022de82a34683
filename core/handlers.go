package verso

import (
	"github.com/goverso/verso/core/internal/nils"
	"maps"
	"slices"

	"github.com/goverso/verso/core/catalogue"
)

// Handlers maps versions to handlers. A handler serves its version and the later ones,
// up to the next key, in the order of the API's versions. A nil handler means that
// these versions do not have the route. The key "" is the handler of requests without
// a version, where they are allowed.
//
//	verso.Handlers[http.Handler]{"v1": listV1, "v3": listV3, "v5": nil}
type Handlers[H any] map[string]H

// Picker returns the function that picks the handler of a request, for [Seam.HandleVersions], and
// the option that puts the route into the versions that have a handler.
//
// The error joins [*Finding]s: for an unknown version, a nil handler before the first
// handler, no handler at all, and "" where requests without a version are rejected.
func (h Handlers[H]) Picker(b *Binding) (pick func(result *Result) H, option RouteOption, err error) {
	handlers := maps.Clone(h)
	unversioned, hasUnversioned := handlers[""]
	delete(handlers, "")
	if hasUnversioned && (nils.Is(unversioned) || !b.api.config.AllowUnversioned) {
		return nil, nil, mistake("handler_unversioned", "Routes",
			`the handler "" is for requests without a version, which are rejected: set AllowUnversioned, or remove the handler`)
	}
	versions := slices.Sorted(maps.Keys(handlers))
	choices := make([]catalogue.Choice, len(versions))
	for i, version := range versions {
		choices[i] = catalogue.Choice{From: version, Removed: nils.Is(handlers[version])}
	}
	option = func(o *routeOptions) {
		o.config.Choices, o.versioned, o.dispatches, o.unversioned = choices, true, true, hasUnversioned
	}
	o := optionsOf([]RouteOption{option})
	plan, err := b.api.plan(&o)
	if err != nil {
		return nil, nil, err
	}
	byIndex := make([]H, len(b.api.catalogue.Versions()))
	for i := range byIndex {
		if position := plan.table.Choice(i); position >= 0 {
			byIndex[i] = handlers[versions[position]]
		}
	}
	return func(result *Result) H {
		if result.index >= 0 {
			return byIndex[result.index]
		}
		return unversioned
	}, option, nil
}
