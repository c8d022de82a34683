package adapter

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// neighbours adds the routes that take requests of versions before their first from a
// route with a parameter in the place of their text: /users/search since v2 takes
// /v1/users/search from /users/:id. A router chooses before the version is known.
func (w *review) neighbours() {
	type shaped struct {
		*route.Route
		segments []string
	}
	routes := slices.Collect(w.versioned())
	if !slices.ContainsFunc(routes, func(r *route.Route) bool { return !isInEveryVersion(r) }) {
		return // the usual case of a service with thousands of routes
	}
	var all []shaped
	for _, r := range routes {
		if r.Pattern.Err() == nil {
			all = append(all, shaped{r, strings.Split(r.Pattern.Shape(), "/")})
		}
	}
	var takes []string
	for _, special := range all {
		if isInEveryVersion(special.Route) {
			continue
		}
		loses := func(general shaped) bool {
			return general.Host == special.Host && (general.Method == special.Method || general.Method == "") &&
				isMoreGeneral(general.segments, special.segments) && w.loses(general.Route, special.Route)
		}
		if slices.ContainsFunc(all, loses) {
			takes = append(takes, special.Pattern.String())
		}
	}
	w.addFor(takes, "neighbour_shadowed",
		"%s takes requests in versions before its first from a route with a parameter in its place, and they get not_in_version: give it the handler of that route for these versions, by HandleVersions, or another path")
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

// isMoreGeneral reports whether a pattern has all paths of another and more, by the
// segments of their shapes.
func isMoreGeneral(general, special []string) bool {
	more := false
	for i, g := range general {
		switch {
		case i == len(special):
			return false
		case strings.HasSuffix(g, "{*}"):
			return !strings.HasSuffix(special[i], "{*}") && strings.HasPrefix(special[i], strings.TrimSuffix(g, "{*}"))
		case g == special[i]:
		case !strings.Contains(g, "{}") || strings.Contains(special[i], "{*}"):
			return false
		default:
			before, behind, _ := strings.Cut(g, "{}")
			if strings.Contains(behind, "{}") || !strings.HasPrefix(special[i], before) ||
				!strings.HasSuffix(special[i], behind) {
				return false
			}
			more = true
		}
	}
	return more && len(general) == len(special)
}
