package trial

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/differ"
	"github.com/goverso/verso/openapi/internal/draft/document"
)

// question asks the program for the documents of some routes, or of all, with other options.
type question struct {
	Routes []int       `json:"routes,omitempty"`
	Parts  map[int]int `json:"parts,omitempty"`
	Bodies map[int]int `json:"bodies,omitempty"`
	Bare   bool        `json:"bare,omitempty"`
	Keep   bool        `json:"keep,omitempty"` // the options stay for the next questions
}

// comparison finds the edits and bodies with which documents differ more from the published ones.
type comparison struct {
	*compare.Draft
	published map[string]*document.Document
	ask       func(question) (map[string]json.RawMessage, error)
	parts     []*compare.Edit
	reached   [][]int          // of each route, the parts that its bodies reach
	work      int              // bytes of documents that may still be compared
	known     map[int][]string // the differences of routes with what is chosen now
	err       error
	changed   map[*compare.Edit]compare.Verdict // what was chosen before
}

// The work is bounded: answers may be as long as so many documents, and each costs as much as some bytes more, since
// the history is built for it.
const (
	tries = 5
	each  = 1 << 16
)

// differences lists the differences of the documents that the program answers a question with.
func (c *comparison) differences(q question) (all []string, ok bool) {
	c.work -= each
	answers, err := c.ask(q)
	if err != nil || len(answers) == 0 {
		c.err = err
		return nil, false
	}
	operations := map[string]bool{}
	for _, r := range q.Routes {
		operations[keyOf(c.Routes[r])] = true
	}
	elsewhere := func(place string) bool {
		key := operation.FindString(place)
		return len(q.Routes) > 0 && (strings.HasPrefix(place, "webhook ") || key != "" && !operations[key])
	}
	for _, version := range slices.Sorted(maps.Keys(answers)) {
		c.work -= len(answers[version])
		made, err := document.Read(version, answers[version])
		if err != nil || c.published[version] == nil {
			continue
		}
		for _, one := range differ.Differences(c.published[version], made, elsewhere) {
			all = append(all, version+": "+one)
		}
	}
	return all, true
}

var (
	operation = regexp.MustCompile(`^[A-Z]+ /\S*`)
	lastName  = regexp.MustCompile(`[^.\s]+?((\[\]|\{\}|\|\d+)*)$`)
)

// keyOf identifies a route as the places of differences do.
func keyOf(r *compare.Route) string { return r.Method + " " + document.PathShape(r.Path) }

// run turns off what introduces differences.
func (c *comparison) run() error {
	now, ok := c.differences(question{})
	before, has := c.differences(question{Bare: true})
	if !ok || !has {
		return c.err
	}
	for _, one := range now {
		if !slices.Contains(before, one) && c.work > 0 && c.err == nil {
			c.explain(one)
		}
	}
	if len(c.changed) == 0 || c.err != nil {
		return c.err
	}
	if left, ok := c.differences(question{}); !ok || len(left) >= len(now) { // routes are not alone
		for e, was := range c.changed {
			e.Verdict = was
		}
	}
	return c.err
}

// explain finds an edit that names the place of a difference, or a body of its operation.
func (c *comparison) explain(difference string) {
	_, place, _ := strings.Cut(difference, ": ")
	place, _, _ = strings.Cut(place, ": ")
	found := lastName.FindStringSubmatch(place)
	if found == nil {
		return
	}
	name := strconv.Quote(strings.TrimSuffix(found[0], found[1]))
	named := strings.TrimSuffix(name, `"`)
	for i, e := range c.parts {
		if e.Chosen < 0 {
			continue
		}
		if text := e.Options[e.Chosen]; !strings.Contains(text, name) && !strings.Contains(text, named+",omitempty\"") {
			continue
		}
		if r := c.routeOf(i, difference); r >= 0 && c.try(r, difference, e, func(q *question, option int) {
			q.Parts = map[int]int{i: option}
		}) {
			return
		}
	}
	for r, route := range c.Routes {
		if route.Plain != "" || route.Refused != "" || operation.FindString(place) != keyOf(route) {
			continue
		}
		for j, body := range route.Bodies {
			if body.Chosen >= 0 && c.try(r, difference, body, func(q *question, option int) {
				q.Bodies = map[int]int{j: option}
			}) {
				return
			}
		}
	}
}

// routeOf returns the route with the fewest parts among those whose document has a part and a difference, or -1.
func (c *comparison) routeOf(part int, difference string) int {
	var routes []int
	for r, route := range c.Routes {
		if slices.Contains(c.reached[r], part) && route.Plain == "" && route.Refused == "" {
			routes = append(routes, r)
		}
	}
	slices.SortStableFunc(routes, func(a, b int) int { return len(c.reached[a]) - len(c.reached[b]) })
	for _, r := range routes[:min(len(routes), 2)] {
		if found, ok := c.ofRoute(r); ok && slices.Contains(found, difference) {
			return r
		}
	}
	return -1
}

// try takes the option with the fewest differences of a route, or turns an edit off, but no body that alone has a
// media type. It reports whether the difference is gone.
func (c *comparison) try(r int, difference string, e *compare.Edit, set func(q *question, option int)) bool {
	was, ok := c.ofRoute(r)
	if !ok || !slices.Contains(was, difference) {
		return false
	}
	best, fewest, gone := e.Chosen, len(was), false
	for _, option := range append(later(e), -1) {
		q := question{Routes: []int{r}}
		set(&q, option)
		if left, ok := c.differences(q); ok && len(left) < fewest && (q.Bodies == nil || !loses(was, left)) {
			best, fewest, gone = option, len(left), !slices.Contains(left, difference)
		}
	}
	if best == e.Chosen {
		return false
	}
	c.changed[e] = e.Verdict
	e.Verdict = compare.Verdict{Chosen: best, Why: "with it the document has more differences: " + difference}
	q := question{Routes: []int{r}, Keep: true}
	set(&q, best)
	_, ok = c.differences(q)
	maps.DeleteFunc(c.known, func(other int, _ []string) bool { return other == r || c.share(q, other) })
	return ok && gone
}

// loses reports whether a part is missing in left alone. Without a body, a whole media type may be: one difference, and
// more than all of those in it.
func loses(was, left []string) bool {
	return slices.ContainsFunc(left, func(one string) bool {
		return strings.HasSuffix(one, ": is missing") && !slices.Contains(was, one)
	})
}

// share reports whether a route reaches a part that a question sets.
func (c *comparison) share(q question, route int) bool {
	return slices.ContainsFunc(c.reached[route], func(i int) bool { _, ok := q.Parts[i]; return ok })
}

// ofRoute returns the differences of the document of a route with what is chosen now.
func (c *comparison) ofRoute(r int) (all []string, ok bool) {
	if all, ok = c.known[r]; !ok {
		if all, ok = c.differences(question{Routes: []int{r}}); ok {
			c.known[r] = all
		}
	}
	return all, ok
}

// later returns the options after the chosen one.
func later(e *compare.Edit) (l []int) {
	for o := e.Chosen + 1; o < len(e.Options); o++ {
		l = append(l, o)
	}
	return l
}
