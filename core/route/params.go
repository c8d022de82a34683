package route

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Params holds the path parameters to build a path with, by position or by name but
// not both, and the namespace of the route. A value is a string, an integer, an
// [encoding.TextMarshaler] or a [fmt.Stringer]. The zero Params has no parameters.
type Params struct {
	Namespace     string         // of the route, in addition to its name; or ""
	PrefixVersion string         // of the route: see [Route]
	Positional    []any          // in the order of the pattern
	Named         map[string]any // by the names in the pattern
	Default       Default

	// Has reports whether a route is meant, if several of the name have the parameters: that of
	// the version. Optional. Default value: nil, the name is then ambiguous.
	Has func(r *Route) bool
}

// Default is one more named parameter, which applies unless Named has its name: the
// version, if it is part of the path. The zero Default adds no parameter.
type Default struct{ Name, Value string }

func (d *Default) isFor(name string) bool { return d.Name == name && name != "" }

// count returns the number of parameters.
func (p *Params) count() int {
	count := len(p.Positional) + len(p.Named)
	if _, given := p.Named[p.Default.Name]; p.Default.Name != "" && !given {
		count++
	}
	return count
}

// has reports whether there is a parameter with the given name.
func (p *Params) has(name string) bool {
	_, ok := p.Named[name]
	return ok || p.Default.isFor(name)
}

var noParams Params

// errPattern returns the error for a route whose pattern is not understood.
func (r *Route) errPattern() error { return fmt.Errorf("route %q: %w", r.Name, r.Pattern.Err()) }

// mismatch returns the error that names the parameters of the routes of a name, and the
// given ones.
func mismatch(routes []*Route, params *Params) error {
	takes := make([]string, len(routes))
	for i, r := range routes {
		takes[i] = "(" + strings.Join(r.Pattern.names, ", ") + ")"
	}
	given := fmt.Sprintf("%d by position", len(params.Positional))
	if len(params.Positional) == 0 {
		names := slices.Collect(maps.Keys(params.Named))
		if name := params.Default.Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		slices.Sort(names)
		given = "(" + strings.Join(names, ", ") + ")"
	}
	return fmt.Errorf("%w: route %q takes %s, not %s", ErrNoMatch, routes[0].Name, strings.Join(takes, " or "), given)
}
