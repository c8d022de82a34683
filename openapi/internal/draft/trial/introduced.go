package trial

import (
	"encoding/json"
	"fmt"
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
	Keep   bool        `json:"keep,omitempty"` // the options stay for the next questions: it has no answer
}

// comparison finds the edits with which documents differ more from the published ones.
type comparison struct {
	*compare.Draft
	published map[string]*document.Document
	ask       func(question) (map[string]json.RawMessage, error)
	parts     []*compare.Edit
	reached   [][]int                       // of each route, the parts that its bodies reach
	work      int                           // bytes of documents that may still be compared
	known     map[int]map[string]answer     // of routes with the choice so far, by the question
	whole     map[string]*document.Document // of all routes, before a choice changed
	err       error
	changed   map[*compare.Edit]compare.Verdict // what was chosen before
}

// answer are the differences of documents, if these could be made.
type answer struct {
	differences []string
	ok          bool
	isOfAll     bool // taken from the document of all routes, which may have a few more
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
	made := map[string]*document.Document{}
	for version, text := range answers {
		c.work -= len(text)
		if one, err := document.Read(version, text); err == nil {
			made[version] = one
		}
	}
	if c.whole == nil {
		c.whole = made
	}
	return c.compared(made, q.Routes), true
}

// compared lists the differences of documents in the operations of some routes, or of all.
func (c *comparison) compared(made map[string]*document.Document, routes []int) (all []string) {
	operations := map[string]bool{}
	for _, r := range routes {
		operations[keyOf(c.Routes[r])] = true
	}
	elsewhere := func(place string) bool {
		return len(routes) > 0 && (strings.HasPrefix(place, "webhook ") || isOutside(operations, place))
	}
	for _, version := range slices.Sorted(maps.Keys(made)) {
		if c.published[version] == nil {
			continue
		}
		for _, one := range differ.Differences(c.published[version], made[version], elsewhere) {
			all = append(all, version+": "+one)
		}
	}
	return all
}

var (
	operation = regexp.MustCompile(`^[A-Z]+ /\S*`)
	lastName  = regexp.MustCompile(`[^.\s]+?((\[\]|\{\}|\|\d+)*)$`)
)

// isOutside reports whether the place of a difference is in an operation other than some.
func isOutside(operations map[string]bool, place string) bool {
	key := operation.FindString(place)
	return key != "" && !operations[key]
}

// keyOf identifies a route as the places of differences do.
func keyOf(r *compare.Route) string { return r.Method + " " + document.PathShape(r.Path) }

// run turns off what introduces differences.
func (c *comparison) run() error {
	now, ok := c.differences(question{})
	if !ok {
		return c.err
	}
	before := c.before()
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

// before lists the differences of the newest document from those of the older versions, in the operations that these
// have.
func (c *comparison) before() (all []string) {
	versions := c.Versions()
	for _, version := range versions[1:] {
		published := c.published[version]
		operations := map[string]bool{}
		for _, o := range published.Routes() {
			operations[o.Route()] = true
		}
		elsewhere := func(place string) bool { return isOutside(operations, place) }
		for _, one := range differ.Differences(published, c.published[versions[0]], elsewhere) {
			all = append(all, version+": "+one)
		}
	}
	return all
}

// explain finds an edit that names the place of a difference.
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
		if r := c.routeOf(i, difference); r >= 0 && c.try(r, i, difference) {
			return
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
		if found, ok := c.ofRoute(question{Routes: []int{r}}); ok && slices.Contains(found, difference) {
			return r
		}
	}
	return -1
}

// try takes the option of a part with the fewest differences of a route, or turns it off. It reports whether the
// difference is gone.
func (c *comparison) try(r, part int, difference string) bool {
	e, bare := c.parts[part], question{Routes: []int{r}}
	was, _ := c.ofRoute(bare)
	best, fewest, gone := e.Chosen, len(was), false
	for option := -1; option < len(e.Options); option++ {
		if option >= 0 && option <= e.Chosen {
			continue
		}
		left, ok := c.ofRoute(with(bare, part, option))
		stays := slices.Contains(left, difference)
		if ok && stays && option < 0 {
			return false // it is not of this edit
		}
		if ok && (len(left) < fewest || best < 0 && len(left) == fewest) {
			best, fewest, gone = option, len(left), !stays
		}
	}
	if best == e.Chosen {
		return false
	}
	if asked := fmt.Sprint(bare); c.known[r][asked].isOfAll { // it did for the edits that explain nothing, most of all
		left, ok := c.differences(bare)
		c.known[r][asked] = answer{differences: left, ok: ok}
		return slices.Contains(left, difference) && c.try(r, part, difference)
	}
	c.changed[e] = e.Verdict
	e.Verdict = compare.Verdict{Chosen: best, Why: "with it the document has more differences: " + difference}
	q := with(bare, part, best)
	left, ok := c.ofRoute(q)
	maps.DeleteFunc(c.known, func(other int, _ map[string]answer) bool { return slices.Contains(c.reached[other], part) })
	c.known[r] = map[string]answer{fmt.Sprint(bare): {differences: left, ok: ok}}
	q.Keep = true
	_, c.err = c.ask(q)
	return c.err == nil && gone
}

// with returns a question with an option of a part.
func with(q question, part, option int) question {
	q.Parts = map[int]int{part: option}
	return q
}

// ofRoute returns the differences of the document of a route with what is chosen now, but for what a question sets.
// Many differences of a route are tried with the same edits.
func (c *comparison) ofRoute(q question) (all []string, ok bool) {
	r, key := q.Routes[0], fmt.Sprint(q)
	made, isKnown := c.known[r][key]
	if !isKnown {
		if q.Parts == nil && len(c.changed) == 0 { // the first answer has it
			c.work -= 3 * each // about what the program would take for it
			made = answer{c.compared(c.whole, q.Routes), true, true}
		} else {
			made.differences, made.ok = c.differences(q)
		}
		if c.known[r] == nil {
			c.known[r] = map[string]answer{}
		}
		c.known[r][key] = made
	}
	return made.differences, made.ok
}
