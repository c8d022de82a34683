package adapter

import (
	"maps"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
)

// Picker returns the function that picks the handler of a request, for [Seam.HandleVersions], and
// the option that puts the route into the versions that have a handler.
//
// The error joins [*verso.Finding]s: for an unknown version, a nil handler before the first
// handler, no handler at all, and "" where requests without a version are rejected.
func Picker[H any](h verso.Handlers[H],
	b *Binding) (pick func(result *verso.Result) H, option verso.RouteOption, err error) {
	handlers := maps.Clone(h)
	unversioned, hasUnversioned := handlers[""]
	delete(handlers, "")
	if hasUnversioned && (nils.Is(unversioned) || !b.api.config.AllowUnversioned) {
		return nil, nil, finding.Mistake(codes.HandlerUnversioned)
	}
	versions := slices.Sorted(maps.Keys(handlers))
	choices := make([]catalogue.Choice, len(versions))
	for i, version := range versions {
		choices[i] = catalogue.Choice{From: version, Removed: nils.Is(handlers[version])}
	}
	option = func(o *choice.Route) {
		o.Config.Choices, o.Versioned, o.Dispatches, o.Unversioned = choices, true, true, hasUnversioned
	}
	o := optionsOf([]verso.RouteOption{option})
	plan, err := b.api.plan(&o)
	if err != nil {
		return nil, nil, err
	}
	byIndex := make([]H, len(b.api.Catalogue.Versions()))
	for i := range byIndex {
		if position := plan.table.Choice(i); position >= 0 {
			byIndex[i] = handlers[versions[position]]
		}
	}
	return func(result *verso.Result) H {
		if in(result).Index >= 0 {
			return byIndex[in(result).Index]
		}
		return unversioned
	}, option, nil
}
