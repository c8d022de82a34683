package adapter

import (
	"cmp"
	"strings"

	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/route"
)

// group is what the routes under a prefix have in common: see [Scope].
type group struct {
	prefix  string
	name    string // "v1:" in a namespace
	options choice.Route
	plan    *plan
}

// describe gives a route the name and the options of the group.
func (g *group) describe(r *route.Route) {
	r.Name = g.name + cmp.Or(r.Name, nameOf(&g.options, r))
	if g.plan != nil {
		r.Plan = g.plan
	}
}

// has reports whether a route not registered with the binding is in the group.
func (g *group) has(r *route.Route) bool {
	rest, ok := strings.CutPrefix(r.Path, strings.TrimSuffix(g.prefix, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
