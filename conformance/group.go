package conformance

import verso "github.com/goverso/verso/core"

// Group is a group of the adapter's routes: see [Groups].
type Group struct {
	Within      *Group // nil: it is within what the adapter's New returns
	Prefix      string // without path parameters, or ""
	Middleware  []Middleware
	EachVersion bool // after Prefix
	Namespace   string
	Options     []verso.RouteOption

	// Since, RemovedIn and Neutral are options by the methods of these names.
	Since, RemovedIn string
	Neutral          bool

	// Rewriter is for the adapter's Rewrite, in front of AfterCheck. nil: bodies stay.
	Rewriter verso.Rewriter

	AfterCheck []Middleware

	// In is true if the framework makes the group, which the adapter's In takes. An adapter
	// that has no In leaves out the group in: see [Without].
	In bool

	// Scope is true if the routes are registered with a group of the framework's own, which
	// has one check for all of them. An adapter that has none leaves out the group scopes.
	Scope bool

	// Unused is true if the results of Group, With, Since, RemovedIn, Neutral, Rewrite and
	// AfterCheck are discarded, for example by an author who does not know that they are
	// copies.
	Unused bool

	unnamed bool // Namespace is called with ""
}

// Grouping has the methods of an adapter's routes that make groups. R is their type, and
// M that of the framework's middleware.
type Grouping[R, M any] interface {
	Group(prefix string, middleware ...M) R
	EachVersion(middleware ...M) R
	Namespace(namespace string) R
	With(options ...verso.RouteOption) R
	Since(version string) R
	RemovedIn(version string) R
	Neutral() R
	AfterCheck(middleware ...M) R
}

// Rewriting has the method of an adapter's routes that rewrites bodies.
type Rewriting[R any] interface {
	Rewrite(rewriter verso.Rewriter) R
}

// Groups returns a function that makes the groups of an application, each once, within
// what the adapter's New returns. adapt makes the framework's middleware, and of a prefix
// and middleware own makes a group of the framework, which it passes to the In of v; nil
// for an adapter that has none.
//
//	in := conformance.Groups(v, adapt, func(v *Routes, prefix string, middleware ...gin.HandlerFunc) *Routes {
//		return v.In(r.Group(prefix, middleware...))
//	})
//	...
//	routes := in(route.Group).With(route.Options...)
func Groups[R Grouping[R, M], M any](routes R, adapt func(Middleware) M,
	own func(v R, prefix string, middleware ...M) R) func(*Group) R {
	made := make(map[*Group]R)
	var in func(g *Group) R
	in = func(g *Group) R {
		if g == nil {
			return routes
		}
		if _, ok := made[g]; !ok {
			around := in(g.Within)
			group := around.Group
			if g.In {
				group = func(prefix string, middleware ...M) R { return own(around, prefix, middleware...) }
			}
			made[g] = grouped(around, group, g, adapt)
		}
		return made[g]
	}
	return in
}

// grouped calls the methods of a group in the order in which users write them, and throws a
// result away where the check is about that.
func grouped[R Grouping[R, M], M any](r R, group func(prefix string, middleware ...M) R, g *Group,
	adapt func(Middleware) M) R {
	unused := r
	switch middleware := Adapt(g.Middleware, adapt); {
	case !g.EachVersion:
		r = group(g.Prefix, middleware...)
	case g.Prefix == "":
		r = r.EachVersion(middleware...)
	default:
		r = group(g.Prefix, middleware...).EachVersion()
	}
	if g.Namespace != "" || g.unnamed {
		r = r.Namespace(g.Namespace)
	}
	if g.Options != nil {
		r = r.With(g.Options...)
	}
	if g.Since != "" {
		r = r.Since(g.Since)
	}
	if g.RemovedIn != "" {
		r = r.RemovedIn(g.RemovedIn)
	}
	if g.Neutral {
		r = r.Neutral()
	}
	if g.Rewriter != nil {
		r = any(r).(Rewriting[R]).Rewrite(g.Rewriter)
	}
	if g.AfterCheck != nil {
		r = r.AfterCheck(Adapt(g.AfterCheck, adapt)...)
	}
	if g.Unused {
		return unused
	}
	return r
}

// Adapt makes the framework's middleware of that of the suite, nil of none.
func Adapt[M any](middleware []Middleware, adapt func(Middleware) M) (adapted []M) {
	for _, run := range middleware {
		adapted = append(adapted, adapt(run))
	}
	return adapted
}

// Mounted are routes of several versions, for the adapter's RegisterVersions.
type Mounted struct {
	Group    *Group // that has Mount, or nil
	Versions map[string]*MountedVersion
}

// MountedVersion is what the function of a version registers with the framework's router:
// middleware for all routes, and the routes. nil: there is no function.
type MountedVersion struct {
	Middleware []Middleware
	Routes     []Route
}

// Versions returns the functions of an adapter's Mount. register makes that of a version.
func Versions[F any](m Mounted, register func(*MountedVersion) F) map[string]F {
	versions := make(map[string]F, len(m.Versions))
	for name, version := range m.Versions {
		if versions[name] = *new(F); version != nil {
			versions[name] = register(version)
		}
	}
	return versions
}

// Middleware is middleware of the suite. If it returns 0, what the mount makes of it calls
// what comes next; otherwise it responds with this status, and calls nothing.
type Middleware func(Step) (status int)
