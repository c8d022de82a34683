package adapter

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// unchecked adds the routes without a check whose paths have versions.
func (w *review) unchecked() {
	places, paths := w.places(), w.placedPaths()
	w.find(codes.UncheckedVersioned, slices.Concat(w.all, w.beside(places)), func(r *route.Route) bool {
		byHost, _ := w.api.hostVersion(r.Host)
		return w.routes.isUnchecked(r) && (!byHost.IsNone() || w.api.hasPlaceInPath(r) || w.isAt(places, r) ||
			w.takesFrom(paths, r))
	})
}

// pathOn is the path of a route on a host, "" for any.
type pathOn struct{ host, path string }

// places returns where routes with versions are.
func (w *review) places() map[pathOn]bool {
	places := make(map[pathOn]bool, len(w.versioned))
	for _, r := range w.versioned {
		path := strings.Join(w.segmentsOf(&r.Pattern), "/")
		places[pathOn{r.Host, path}], places[pathOn{"", path}] = true, true
	}
	return places
}

// number is what distinguishes "v3" from "v2".
var number = regexp.MustCompile("[0-9]+")

// isLikeVersion reports whether a text is a listed version, or differs from a listed version in its number.
func (w *review) isLikeVersion(text string) bool {
	form := number.ReplaceAllString(text, "0")
	return slices.ContainsFunc(w.api.Set.Known, func(version string) bool {
		return text == version || form != text && form == number.ReplaceAllString(version, "0")
	})
}

// isAt reports whether a route is in such a place, or has the text of a version there: /v1/users
// takes requests from /:version/users.
func (w *review) isAt(places map[pathOn]bool, r *route.Route) bool {
	segments := w.segmentsOf(&r.Pattern)
	if places[pathOn{r.Host, strings.Join(segments, "/")}] {
		return true
	}
	for i, s := range segments {
		if s == "{}" || w.isLikeVersion(s) {
			segments[i] = versionSegment
			if places[pathOn{r.Host, strings.Join(segments, "/")}] {
				return true
			}
			segments[i] = s
		}
	}
	return false
}

// versionPlace is the segment with the version in a path, and the text around it.
type versionPlace struct {
	index          int
	before, behind string
}

// placedPaths are routes with the version in a path parameter, which is as any other in their segments, by the place of
// the version and the text of the segment behind it: see [textAt].
type placedPaths map[versionPlace]map[string][]shaped

func (w *review) placedPaths() placedPaths {
	paths := placedPaths{}
	for _, r := range w.versioned {
		segments := w.segmentsOf(&r.Pattern)
		index := slices.IndexFunc(segments, func(s string) bool { return strings.Contains(s, versionSegment) })
		if r.Pattern.Err() != nil || index < 0 {
			continue
		}
		at := versionPlace{index: index}
		at.before, at.behind, _ = strings.Cut(segments[index], versionSegment)
		segments[index] = at.before + "{}" + at.behind
		if paths[at] == nil {
			paths[at] = map[string][]shaped{}
		}
		text := textAt(segments, index+1)
		paths[at][text] = append(paths[at][text], shaped{r, segments})
	}
	return paths
}

// textAt returns a segment without a parameter, or "".
func textAt(segments []string, index int) string {
	if index >= len(segments) || strings.Contains(segments[index], "{") {
		return ""
	}
	return segments[index]
}

// takesFrom reports whether a route takes requests in a version from another: /v1/* and /:tenant/me from /:version/:id.
func (w *review) takesFrom(paths placedPaths, r *route.Route) bool {
	special := w.segmentsOf(&r.Pattern)
	rest := len(special) - 1
	mayLack := special[rest] == "{*}" && w.routes.restsMayLack()
	for at, byText := range paths {
		if at.index > rest {
			continue
		}
		version, _ := strings.CutPrefix(special[at.index], at.before)
		version, _ = strings.CutSuffix(version, at.behind)
		index, isAny := slices.Index(w.api.Set.Known, version), special[at.index] == at.before+"{}"+at.behind
		if index < 0 && !isAny {
			continue
		}
		takes := func(of shaped) bool {
			return (r.Host == "" || r.Host == of.Host) && (r.Method == of.Method || r.Method == "" || of.Method == "") &&
				(isAny || hasVersion(of.Route, index)) &&
				(takesFrom(of.segments, special) || mayLack && takesFrom(of.segments, special[:rest]))
		}
		candidates := [][]shaped{byText[""]}
		if text := textAt(special, at.index+1); text != "" {
			candidates = append(candidates, byText[text])
		} else if at.index < rest {
			candidates = slices.Collect(maps.Values(byText))
		}
		if slices.ContainsFunc(candidates, func(all []shaped) bool { return slices.ContainsFunc(all, takes) }) {
			return true
		}
	}
	return false
}

// following returns the version likely to follow another: "v3" after "v2".
func following(version string) string {
	name := strings.TrimRight(version, "0123456789")
	n, err := strconv.Atoi(version[len(name):])
	if err != nil {
		return version
	}
	return name + strconv.Itoa(n+1)
}

// beside returns the routes of other code in these places, if the router does not list them.
func (w *review) beside(places map[pathOn]bool) (others []*route.Route) {
	router, ok := w.routes.router.(interface {
		RoutesAt(host, path string) []*route.Route
	})
	if !ok {
		return nil
	}
	has, filled := make(map[string]bool), strings.NewReplacer("{*}", "verso", "{}", "verso")
	inOrder := func(a, b pathOn) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.host, b.host)) }
	for _, place := range slices.SortedFunc(maps.Keys(places), inOrder) {
		pattern, versions := filled.Replace(place.path), w.api.Set.Known
		if len(versions) == 0 || !strings.Contains(place.path, versionSegment) {
			versions = []string{"verso"} // any text
		} else {
			versions = append(slices.Clip(versions), following(versions[len(versions)-1]))
		}
		for _, version := range versions {
			path := strings.ReplaceAll(pattern, versionSegment, version)
			for _, other := range router.RoutesAt(place.host, path) {
				if text := other.Pattern.String(); !has[text] {
					has[text], others = true, append(others, other)
				}
			}
		}
	}
	return others
}
