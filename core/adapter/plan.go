package adapter

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/sealed"
	"github.com/goverso/verso/core/route"
)

// plan is the options of a route, checked and prepared for requests.
type plan struct {
	choice.Route
	ambiguous bool             // several routes in different namespaces may be the matched one
	table     *catalogue.Table // nil: neutral, without dates
}

// plan checks the options of a route. It returns nil if there are none. The errors are
// [*verso.Finding]s, joined.
func (v *engine) plan(o *choice.Route) (p *plan, err error) {
	p = &plan{Route: *o}
	switch {
	case o.Mistake != nil:
		return nil, finding.Mistake(*o.Mistake)
	case !o.Neutral && !o.Versioned && !o.Dated:
		return nil, nil
	case o.Neutral && o.Versioned:
		return nil, finding.Mistake(codes.NeutralAndVersioned)
	case o.Neutral && !o.Dated:
	case o.Neutral:
		p.table, err = v.Catalogue.NeutralRoute(o.Config)
	case v.Catalogue == nil:
		return nil, finding.Mistake(codes.RouteNeedsCatalogue)
	case !v.config.DefaultVersion.IsNone() && !slices.Contains(v.Listed, v.config.DefaultVersion.String()):
		return nil, finding.Mistake(codes.DefaultOfRoute, v.config.DefaultVersion)
	default:
		p.table, err = v.Catalogue.Route(o.Config)
	}
	if err != nil {
		findings := finding.OfCatalogue("Routes", err)
		for i := range findings { // the choices of package catalogue
			findings[i].Field = strings.Replace(findings[i].Field, "Routes.choices", "Handlers", 1)
		}
		return nil, finding.Joined(findings)
	}
	if o.Versioned {
		err = errors.Join(v.checkWithin("Since", o.Config.Since, o.Since, 1),
			v.checkWithin("RemovedIn", o.Config.RemovedIn, o.RemovedIn, -1))
	}
	return p, err
}

// checkWithin refuses a bound before those of the groups around a route, or behind them for -1.
func (v *engine) checkWithin(option, bound string, outer []string, direction int) error {
	index, _ := v.Catalogue.Index(bound)
	for _, other := range outer {
		if at, ok := v.Catalogue.Index(other); ok && at*direction > index*direction {
			return finding.Mistake(codes.RouteWidened, option, bound, other)
		}
	}
	return nil
}

// planOf returns the plan of the matched route, or nil.
func planOf(r *route.Route) *plan {
	if r == nil || r.Plan == nil {
		return nil
	}
	return r.Plan.(*plan)
}

// Sealed implements the type of [route.Route.Plan].
func (*plan) Sealed(sealed.Seal) {}

func optionsOf(options []verso.RouteOption) (o choice.Route) {
	for _, option := range options {
		option(&o)
	}
	return o
}

// use notes that a route has the options.
func use(o *choice.Route) {
	for _, used := range o.Used {
		used.Store(true)
	}
}

// nameOf returns the name for a route without a name.
func nameOf(o *choice.Route, r *route.Route) string { return o.Names[namedPath(r)] }

// namedPath returns the path by which [verso.Names] knows a route.
func namedPath(r *route.Route) string { return cmp.Or(r.RegisteredPath, r.Path) }

// hasVersion reports whether a version has a route.
func hasVersion(r *route.Route, index int) bool {
	return isInEveryVersion(r) || index >= 0 && planOf(r).table.Has(index)
}

// isInEveryVersion reports whether no option limits a route to some versions.
func isInEveryVersion(r *route.Route) bool {
	p := planOf(r)
	return p == nil || p.Neutral
}
