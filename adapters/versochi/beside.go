package versochi

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// beside finds what is beside the subrouters of functions, where Verso has their routes in one router: chi prefers it
// to everything in those.
type beside struct {
	over   overhttp.Group
	own    []endpoint // of the functions; those of a subrouter itself have no method
	places []besideAt
	first  func() // looks, in the first request
}

// besideAt is where a subrouter is.
type besideAt struct {
	below, pattern string // in the function, and in the router around it
	listed         func() []chi.Route
	known          map[[2]string]bool // methods and patterns that are not of other code, or were looked at
}

// need panics if a route, or a mount, beside a subrouter hides its routes.
func (b *beside) need(below, pattern string, listed func() []chi.Route) {
	b.places = append(b.places, besideAt{below: below, pattern: pattern, listed: listed})
	b.needReached(b.places[len(b.places)-1])
}

// settle notes that all routes of the functions are there.
func (b *beside) settle() {
	for i, at := range b.places {
		b.places[i].known = make(map[[2]string]bool)
		for _, listed := range at.listed() {
			for method := range listed.Handlers {
				b.places[i].known[[2]string{method, listed.Pattern}] = true
			}
		}
	}
	b.first = sync.OnceFunc(b.look)
}

// look panics if other code has registered what hides routes since.
func (b *beside) look() {
	for _, at := range b.places {
		b.needReached(at)
	}
}

// looked returns a handler that panics in each request, if the first one finds a later route that hides theirs.
func (b *beside) looked(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b.first()
		handler(w, r)
	}
}

func (b *beside) needReached(place besideAt) {
	var inside []endpoint
	for _, own := range b.own {
		path, isBelow := strings.CutPrefix(unnamed(own.Path), unnamed(place.below)+"/")
		if isBelow && own.isIn(place.below) {
			own.below = "/" + path
			inside = append(inside, own)
		}
	}
	for _, at := range place.listed() {
		rest, isBeside := strings.CutPrefix(unnamed(at.Pattern), unnamed(place.pattern)+"/")
		if !isBeside || rest == "*" {
			continue
		}
		patterns, isAll := []string{"/" + rest}, at.SubRoutes != nil || isMount(at.Handlers["*"])
		if base, isBelow := strings.CutSuffix("/"+rest, "/*"); isBelow && isAll {
			patterns = append(patterns, base, base+"/")
		}
		for _, method := range slices.Sorted(maps.Keys(at.Handlers)) {
			if place.known[[2]string{method, at.Pattern}] {
				continue
			}
			for _, own := range inside {
				hidesIt := func(pattern string) bool { return pattern == own.below || hides(pattern, own.below) }
				isMethod := method == own.Method || method == "*" || own.Method == ""
				if isMethod && slices.ContainsFunc(patterns, hidesIt) {
					own.Method = cmp.Or(own.Method, method)
					b.fail(own, at.Pattern)
				}
			}
		}
	}
}

func (b *beside) fail(hidden endpoint, by string) {
	b.over.Fail("RegisterVersions: chi gives requests for %s %s to %s, beside its subrouter: register that in the "+
		"subrouter", hidden.Method, hidden.Path, by)
}

// isIn reports whether a route is in the subrouter at a path, or in one within it.
func (e endpoint) isIn(below string) bool {
	if below == "" {
		return e.routers == "" || e.routers[0] == '\n'
	}
	return strings.HasPrefix(unnamed(e.in)+"/", unnamed(below)+"/")
}

// hidden returns a route of a subrouter, or the path of one within it, that chi never gets to, since a route beside
// the subrouter has its path.
func (t *tree) hidden() (at, hidden endpoint, found bool) {
	for _, at := range t.endpoints {
		for below := range t.subs {
			if len(below) <= len(at.in) || !strings.HasPrefix(at.Path, below+"/") {
				continue
			}
			for _, other := range t.endpoints {
				if other.Method == at.Method && strings.HasPrefix(other.in+"/", below+"/") && hides(at.Path, other.Path) {
					return at, other, true
				}
			}
			for inner := range t.subs {
				if strings.HasPrefix(inner, below+"/") && (hides(at.Path, inner) || hides(at.Path, inner+"/*")) {
					return at, endpoint{Route: route.Route{Method: at.Method, Path: inner}}, true
				}
			}
		}
	}
	for _, other := range t.endpoints {
		if !other.isIn("") {
			continue
		}
		for below := range t.direct { // a subrouter at "/" gets what is left
			if below != "" && (hides(below, other.Path) || hides(below+"/*", other.Path)) {
				return endpoint{Route: route.Route{Path: below + "/*"}}, other, true
			}
		}
		for _, at := range t.endpoints {
			if at.routers == noRouter && at.Method == other.Method && hides(at.Path, other.Path) {
				return at, other, true
			}
		}
	}
	return at, hidden, false
}

// hides reports whether two patterns have a path in common, for which chi prefers the second one within one router.
func hides(pattern, other string) bool {
	prefers := false
	for pattern != "" && other != "" {
		var mine, its string
		mine, pattern, _ = strings.Cut(pattern, "/")
		its, other, _ = strings.Cut(other, "/")
		isPlain := func(segment string) bool { return placed(segment) == "{}" && !strings.Contains(segment, ":") }
		isFixed := func(segment string) bool { return !strings.ContainsAny(segment, "{*") }
		switch {
		case mine == its && its != "*", isPlain(mine) && isPlain(its):
		case its == "*":
			return prefers
		case mine == "*":
			return true
		case !isFixed(mine) && !isPlain(its):
			if isFixed(its) && !takes(mine, its) {
				return false
			}
			prefers = true
		case !prefers || !isPlain(its) && !takes(its, mine):
			return false
		}
	}
	return prefers && pattern == other
}

// takes reports whether a segment with parameters takes a text.
func takes(segment, text string) bool {
	var expression strings.Builder
	rest := 0
	for _, at := range parameters.FindAllStringIndex(segment, -1) {
		_, own, found := strings.Cut(strings.TrimSuffix(segment[at[0]:at[1]], "}"), ":")
		if !found {
			own = ".+"
		}
		expression.WriteString(regexp.QuoteMeta(segment[rest:at[0]]) + "(?:" + own + ")")
		rest = at[1]
	}
	expression.WriteString(strings.ReplaceAll(regexp.QuoteMeta(segment[rest:]), `\*`, ".*"))
	matches, err := regexp.MatchString("^"+expression.String()+"$", text)
	return matches || err != nil
}
