package verso

import (
	"slices"

	"github.com/goverso/verso/core/route"
)

// onlyVersion returns the version that all requests to a route have because of where
// the route is: under a prefix, in a namespace, on a host, or without a place for a
// version, so that the default applies. The zero Version: they are rejected. fixed is
// false if requests choose the version.
func (b *Binding) onlyVersion(r *route.Route) (version Version, fixed bool) {
	switch {
	case r.Space != "":
		return b.known(r.Space), true
	case b.api.byNamespace && len(r.Namespaces()) > 0:
		reading := Namespace().Read(Request{route: r}, b.served)
		return b.known(reading.Text), true
	}
	if version, fixed = b.hostVersion(r.Host); fixed {
		return version, true
	}
	outcome, lacks := b.lacksPlace(r)
	if !lacks {
		return Version{}, false
	}
	result, err := b.resolve(&Reading{Outcome: outcome}, b.served)
	switch {
	case err != nil:
		return Version{}, true
	case b.api.dated && result.index >= 0: // the default may have moved
		result, _ = b.decideUnversioned(b.api.catalogue.At(b.api.config.Clock()), b.api.catalogue.Table(), result)
	}
	return result.version, true
}

// checkReached returns an error if a route has a handler for a version that its
// requests cannot have.
func (b *Binding) checkReached(r *route.Route, p *plan) error {
	only, fixed := b.onlyVersion(r)
	if !fixed || b.api.combined || b.api.config.WhenDefaultEnds == MoveUnversioned {
		return nil
	}
	versions := b.api.catalogue.Versions()
	reached := -1
	if index := slices.Index(versions, only.String()); index >= 0 {
		reached = p.table.Choice(index)
	}
	for index, version := range versions {
		if choice := p.table.Choice(index); choice >= 0 && choice != reached {
			return mistake("route_one_version", "Routes",
				"no request to the route can have version %q, because of where the route is, so that handler is never called: register it where requests name a version, or each version by itself",
				version)
		}
	}
	return nil
}

// known returns the version of a text, none when it is not served.
func (b *Binding) known(text string) Version {
	if b.served.lookup(text) == nil && !b.served.set.any {
		return Version{}
	}
	return V(text)
}

// hostVersion returns the version that a host of routes names.
func (b *Binding) hostVersion(host string) (version Version, ok bool) {
	if host == "" || b.api.source == nil {
		return Version{}, false
	}
	for _, text := range b.served.Versions() {
		written, err := b.api.source.Write(Target{Version: V(text)}, V(text))
		if err != nil {
			continue
		}
		moved, err := written.Host(host)
		if ok = ok || err == nil && moved != ""; moved == host {
			return V(text), true
		}
	}
	return Version{}, ok
}

// lacksPlace reports whether the only source has no place in a route, and what it
// reads then.
func (b *Binding) lacksPlace(r *route.Route) (outcome Outcome, lacks bool) {
	v := b.api
	if v.source == nil || v.combined || r.Pattern.Err() != nil {
		return Absent, false
	}
	only := &v.parts[1]
	if only.pathParam != "" {
		return Absent, !r.Pattern.HasParam(only.pathParam)
	}
	return Nowhere, v.prefix != nil || only.namespace
}
