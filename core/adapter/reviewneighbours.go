package adapter

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// neighbours adds the routes that take requests of versions before their first from a
// route with a parameter in the place of their text: /users/search since v2 takes
// /v1/users/search from /users/:id. A router chooses before the version is known.
func (w *review) neighbours() {
	if !slices.ContainsFunc(w.versioned, func(r *route.Route) bool { return !isInEveryVersion(r) }) {
		return // the usual case of a service with thousands of routes
	}
	var all []shaped
	for _, r := range w.versioned {
		if r.Pattern.Err() == nil {
			all = append(all, shaped{r, w.segmentsOf(&r.Pattern)})
		}
	}
	var takes []string
	for _, special := range all {
		if isInEveryVersion(special.Route) {
			continue
		}
		loses := func(general shaped) bool {
			return general.Host == special.Host && (general.Method == special.Method || general.Method == "") &&
				takesFrom(general.segments, special.segments) && w.loses(general.Route, special.Route)
		}
		if slices.ContainsFunc(all, loses) {
			takes = append(takes, special.Pattern.String())
		}
	}
	w.addFor(takes, codes.NeighbourShadowed)
}

// shaped is a route with the segments of the shape of its path.
type shaped struct {
	*route.Route
	segments []string
}

// versionSegment replaces the path parameter of the version, which no other text matches.
const versionSegment = "{version}"

// segmentsOf returns the segments of the shape of a pattern.
func (w *review) segmentsOf(p *route.Pattern) []string {
	segments, position := strings.Split(p.Shape(), "/"), 0
	for i, segment := range segments {
		if slices.Contains(w.api.pathParams, p.ParamAt(position)) {
			segments[i] = strings.Replace(segment, "{}", versionSegment, 1)
		}
		position += strings.Count(segment, "{")
	}
	return segments
}

// loses reports whether a version before the first of special has only general, and a request
// in it reaches special. Where special was removed, its path is meant to be gone.
func (w *review) loses(general, special *route.Route) bool {
	for index, version := range w.api.Set.Known {
		switch {
		case hasVersion(special, index):
			return false
		case (special.PrefixVersion == "" || special.PrefixVersion == version) && hasVersion(general, index):
			return true
		}
	}
	return false
}

// takesFrom reports whether a router prefers a pattern to another for a path that both have, by
// their segments: it has fixed text in the first segment where they differ.
func takesFrom(general, special []string) bool {
	first := false // special is preferred
	for i, s := range special {
		if i == len(general) {
			return false
		}
		g := general[i]
		switch prefix, isRest := strings.CutSuffix(g, "{*}"); {
		case isRest:
			return (first || s != g) && strings.HasPrefix(s, prefix)
		case strings.HasSuffix(s, "{*}"):
			return first && strings.HasPrefix(g, strings.TrimSuffix(s, "{*}"))
		case s == g:
		case strings.Contains(g+s, versionSegment):
			return false
		case hasText(g, s):
			first = true
		case !first || !hasText(s, g):
			return false
		}
	}
	return first && len(general) == len(special)
}

// hasText reports whether a segment with a parameter has the text of another in its place.
func hasText(segment, other string) bool {
	before, behind, isOpen := strings.Cut(segment, "{}")
	return isOpen && !strings.Contains(behind, "{}") && strings.HasPrefix(other, before) &&
		strings.HasSuffix(other, behind)
}
