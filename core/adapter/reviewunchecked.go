package adapter

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/route"
)

// unchecked adds the routes without a check whose paths have versions, except those that another versioning of the router
// checks.
func (w *review) unchecked() {
	elsewhere := make(map[place]bool)
	for other := range bindingsBeside(w.routes) {
		other.adding.Lock()
		for at := range other.checked {
			elsewhere[at] = true
		}
		other.adding.Unlock()
	}
	places, paths, continued, order := w.places(), w.placedPaths(), w.continued(), w.inOrder()
	w.find(codes.UncheckedVersioned, slices.Concat(w.all, w.beside(places)), func(r *route.Route) bool {
		byHost, _ := w.api.hostVersion(r.Host)
		return w.routes.isUnchecked(r) && !elsewhere[placeOf(r)] && (!byHost.IsNone() || w.api.hasPlaceInPath(r) || w.isAt(places, r) ||
			w.takesFrom(paths, continued, r) || w.takesFirst(order, r))
	})
}

// pathOn is the path of a route on a host, "" for any.
type pathOn struct{ host, path string }

// places returns where routes with versions are.
func (w *review) places() map[pathOn]bool {
	places := make(map[pathOn]bool, len(w.versioned))
	for _, r := range w.versioned {
		segments := w.segmentsOf(&r.Pattern)
		if p := w.api.prefix; p != nil && r.PrefixVersion != "" {
			if _, _, ok := p.Split(&r.Pattern); ok {
				segments[strings.Count(p.Template, "/")] = versionSegment
			}
		}
		path := strings.Join(segments, "/")
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
	if text := segmentAt(segments, index); !strings.Contains(text, "{") {
		return text
	}
	return ""
}

// takesFrom reports whether a route takes requests in a version from another: /v1/* and /:tenant/me from /:version/:id.
func (w *review) takesFrom(paths placedPaths, continued map[string]bool, r *route.Route) bool {
	special := w.segmentsOf(&r.Pattern)
	rest := len(special) - 1
	if rest > 0 && w.takesRest(continued, special) {
		special[rest] = "{*}"
	}
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

// continued returns the shapes that longer paths begin with: a parameter at their end takes no deeper paths. It returns
// nil for a router where none does.
func (w *review) continued() map[string]bool {
	router, ok := w.routes.router.(interface{ LastTakesRest() bool })
	if !ok || !router.LastTakesRest() {
		return nil
	}
	continued := make(map[string]bool)
	for _, r := range w.all {
		shape := r.Pattern.Shape()
		for i := range shape {
			if shape[i] == '/' {
				continued[shape[:i]] = true
			}
		}
	}
	return continued
}

// takesRest reports whether the end of a path takes deeper paths: a parameter or, in a ServeMux, a slash.
func (w *review) takesRest(continued map[string]bool, segments []string) bool {
	last := segments[len(segments)-1]
	below, hasSubtrees := w.routes.router.(interface{ TakesBelow() bool })
	return last == "" && hasSubtrees && below.TakesBelow() ||
		last == "{}" && continued != nil && !continued[strings.Join(segments, "/")]
}

// ordered are the routes of a router that takes the first with a path: their positions, and those with the version in
// the path.
type ordered struct {
	positions map[place]int
	versioned []shaped
}

// inOrder returns them, nil for other routers.
func (w *review) inOrder() *ordered {
	router, ok := w.routes.router.(interface{ TakesFirst() bool })
	if !ok || !router.TakesFirst() {
		return nil
	}
	order := &ordered{positions: make(map[place]int)}
	for _, r := range w.versioned {
		if r.Pattern.Err() == nil && w.api.hasPlaceInPath(r) {
			order.versioned = append(order.versioned, shaped{r, w.segmentsOf(&r.Pattern)})
		}
	}
	w.routes.adding.Lock()
	defer w.routes.adding.Unlock()
	for i, listed := range w.routes.listed() {
		if _, twice := order.positions[placeOf(&listed.Route)]; !twice {
			order.positions[placeOf(&listed.Route)] = i
		}
	}
	return order
}

// takesFirst reports whether a route is in front of another with the version in its path, and has a path of it. A page
// for every path is often what calls the next handler.
func (w *review) takesFirst(order *ordered, r *route.Route) bool {
	if order == nil || r.Pattern.Err() != nil {
		return false
	}
	segments, at := w.segmentsOf(&r.Pattern), order.positions[placeOf(r)]
	if len(segments) == 2 && segments[1] == "{*}" {
		return false
	}
	return slices.ContainsFunc(order.versioned, func(of shaped) bool {
		return of.Host == r.Host && of.Method == r.Method && w.overlap(of.segments, segments) &&
			order.positions[placeOf(of.Route)] > at
	})
}

// segmentAt returns a segment, "" behind the last one.
func segmentAt(segments []string, index int) string {
	if index >= len(segments) {
		return ""
	}
	return segments[index]
}

// overlap reports whether two paths have a path in common in which the version of the first is listed.
func (w *review) overlap(versioned, other []string) bool {
	for i := range max(len(versioned), len(other)) {
		isEnd := i == len(versioned) || i == len(other)
		for _, pair := range [2][2][]string{{versioned, other}, {other, versioned}} {
			switch before, isRest := strings.CutSuffix(segmentAt(pair[0], i), "{*}"); {
			case isRest && isEnd:
				return w.routes.restsMayLack()
			case isRest:
				return strings.HasPrefix(pair[1][i], before) || strings.HasPrefix(pair[1][i], "{")
			}
		}
		if isEnd {
			return false
		}
		a, b := versioned[i], other[i]
		if a != b && !hasText(a, b) && !w.hasVersionIn(a, b) {
			return false
		}
	}
	return true
}

// hasVersionIn reports whether a segment has the text of another one with a listed version in its place.
func (w *review) hasVersionIn(versioned, other string) bool {
	before, behind, isPlace := strings.Cut(versioned, versionSegment)
	switch {
	case !isPlace:
		return hasText(other, versioned)
	case strings.Contains(other, "{}"):
		return slices.ContainsFunc(w.api.Set.Known, func(version string) bool { return hasText(other, before+version+behind) })
	}
	text, begins := strings.CutPrefix(other, before)
	text, ends := strings.CutSuffix(text, behind)
	return begins && ends && slices.Contains(w.api.Set.Known, text)
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
	if p := w.api.prefix; p != nil { // what has all paths of a version
		places = maps.Clone(places)
		places[pathOn{"", strings.Replace(p.Template, prefix.Placeholder, versionSegment, 1) + "/{}"}] = true
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
					w.api.placeRoute(other)
					has[text], others = true, append(others, other)
				}
			}
		}
	}
	return others
}
