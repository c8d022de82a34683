package adapter

import (
	"fmt"
	"slices"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// prefixes adds the mistakes in the routes under a path prefix.
func (w *review) prefixes() {
	p := w.api.prefix
	if p == nil {
		return
	}
	under, resources := make(map[string]bool), make(map[string]bool) // of served versions
	for _, r := range w.versioned {
		if r.PrefixVersion != "" && w.api.Set.Lookup(r.PrefixVersion) != nil {
			under[r.PrefixVersion], resources[r.Resource] = true, true
		}
	}
	hasOther := w.api.combined || !w.api.config.DefaultVersion.IsNone()
	with := make(map[string][]string) // patterns by the code of their finding
	for _, r := range w.versioned {
		if code, pattern := prefixMistake(p, r, under, resources, hasOther); code != "" {
			with[code] = append(with[code], pattern)
		}
	}
	unplaced := w.withoutPlace(source.NoPlace)
	w.addFor(with["prefix_unknown_version"], codes.PrefixUnknownVersion)
	w.addFor(with["prefix_unlisted"], codes.PrefixUnlisted, unplaced)
	w.addFor(with["prefix_parameter"], codes.PrefixParameter, unplaced)
	if w.api.config.DefaultVersion.IsNone() || slices.ContainsFunc(w.routes.order,
		func(r *Registration) bool { return r.given.RegisteredPath != "" }) {
		w.addFor(with["prefix_missing"], codes.PrefixMissing, unplaced)
	}
	w.addFor(with["prefix_outside"], codes.PrefixOutside, unplaced)
	for _, version := range w.api.Set.Known {
		if len(w.versioned) > 0 && !under[version] && !w.api.isDefault(version) && !w.isOver(version) {
			w.add(codes.PrefixEmpty, p.Fixed+"/"+p.Before+version+p.Behind, version)
		}
	}
}

// isOver reports whether a version has ended and nothing answers in its place, so that its routes
// may be gone: it stays in the catalogue, for 410.
func (w *review) isOver(version string) bool {
	if !w.api.Dated {
		return false
	}
	index, ok := w.api.Catalogue.Index(version)
	return ok && w.api.Catalogue.At(w.api.config.Clock()).State(index) == catalogue.Ended &&
		!w.api.Catalogue.FallsForward(index)
}

// prefixMistake returns the code of the mistake in a route beside those that are under the
// prefixes of served versions, and how its finding names the route. It returns "" for a
// route without one. hasOther is set if requests without a prefix may have a version.
func prefixMistake(p *prefix.Prefix, r *route.Route, under, resources map[string]bool, hasOther bool) (code, pattern string) {
	text, segment, ok := p.Split(&r.Pattern)
	pattern = r.Pattern.String()
	switch {
	case r.PrefixVersion != "" && under[r.PrefixVersion]:
		return "", ""
	case r.PrefixVersion != "":
		return "prefix_unknown_version", pattern
	case ok && !resources[r.Resource] && resources[p.Resource(&r.Pattern,
		segment)]: // one that is under a version itself is a nested noun
		return "prefix_unlisted", fmt.Sprintf("%s (%s)", pattern, text)
	case r.Resource == "":
		return "prefix_outside", pattern
	case len(under) > 0 && p.HasParam(&r.Pattern):
		return "prefix_parameter", pattern
	case len(under) > 0 && (!hasOther || !resources[r.Resource]):
		return "prefix_missing", pattern
	}
	return "", ""
}
