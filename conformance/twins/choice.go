package twins

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// PerRoute is a flag of programs whose routes get their options, and what runs behind the check, from a [Choice].
const PerRoute = "perroute"

// Choice is what the PerRoute of a program chooses by. The zero Choice is not valid: call Set in front of each statement.
type Choice struct {
	at, of *Statement
	asked  []string // methods
}

// Set notes the statement that is registered next, and the one at the top of the program with its options.
func (c *Choice) Set(at, of *Statement) { *c = Choice{at, of, nil} }

// IsFiles reports whether the framework's own handler serves the statement.
func (c *Choice) IsFiles() bool { return c.at.Op == "static" || c.at.Op == "file" }

// Of returns the statement with the options of a route. It panics if PerRoute is asked for another method
// or path, or twice.
func (c *Choice) Of(method, path string) *Statement {
	want, own := c.at.Path, c.at.Methods
	if c.at.Op == "mount" || c.at.Op == Mistake { // of several routes
		return c.of
	}
	if before, after, ok := strings.Cut(want, " "); ok {
		want, own = after, []string{before}
	}
	slash := max(strings.IndexByte(want, '/'), 0)
	isAny := c.at.Op == "any" || c.at.Op == "all"
	isMethod := len(own) == 0 && !isAny || slices.Contains(own, method) || isAny && method == ""
	isFolder := c.IsFiles() || want == "" || want == strings.ToUpper(want) && want[0] != '/'
	groups, _ := pathTo(c.of, c.at)
	if !isMethod || !isFolder && cleaned(path) != cleaned(want[:slash]+groups+"/"+want[slash:]) {
		panic(fmt.Sprintf("PerRoute is asked for %s %s", method, path))
	}
	if method != "" && slices.Contains(c.asked, method) {
		panic(fmt.Sprintf("PerRoute is asked twice for %s %s", method, path))
	}
	c.asked = append(c.asked, method)
	return c.of
}

// pathTo returns the paths of the groups from one statement to another within it.
func pathTo(from, to *Statement) (path string, ok bool) {
	if from == to {
		return "", true
	}
	for _, s := range from.Body {
		if below, ok := pathTo(s, to); ok && strings.HasPrefix(from.Path, "/") {
			return from.Path + "/" + below, true
		} else if ok { // of a host
			return below, true
		}
	}
	return "", false
}

// cleaned returns a path without the slashes in which frameworks differ.
func cleaned(path string) string {
	return strings.TrimSuffix(slashes.ReplaceAllString("/"+path, "/"), "/")
}

var slashes = regexp.MustCompile(`/+`)

// Optioned returns the routes of an adapter with the options, and the name, of a statement. In Fiber the routes that it
// returns give the name.
func Optioned[R interface {
	Neutral() R
	RemovedIn(version string) R
	Since(version string) R
}](v R, s *Statement) R {
	if named, ok := any(v).(interface{ Name(name string) R }); ok && s.Name != "" {
		v = named.Name(s.Name)
	}
	switch {
	case s.By == ByNeutral:
		return v.Neutral()
	case s.Only == First:
		return v.RemovedIn(Last)
	case s.Only == Last:
		return v.Since(Last)
	}
	return v
}
