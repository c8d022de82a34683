package adapter

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file keeps the routes of a router. In come registrations, which know their options, and the list of the router,
// which knows names, mounts and the routes of other code. Out comes a routeList of both, for decisions, links and
// Explain. Frameworks let a service register and name routes at any time, so a list is made when it is asked for. From
// the first request on it stays until a route changes, and is read without a lock.

// registeredPlace returns the place that the forms of a route have in common.
func registeredPlace(r *route.Route) place {
	return place{r.Host, r.Method, cmp.Or(r.RegisteredPath, r.Path)}
}

// routes are the routes of a router: those that are registered with a [Binding], and
// those that the router lists besides.
type routes struct {
	api    *engine
	router Router

	adding         sync.Mutex // guards the next eight
	checked        map[place]*Registration
	order          []*Registration
	scopes         []*Scope
	tracked        []*tracked
	middleware     []*middleware
	named          map[string][]*route.Route // by name, one for each path
	names          []map[string]string       // of [verso.Names], by path
	namedPaths     map[string]bool           // that Names was asked for
	latest         atomic.Pointer[routeList]
	changes        atomic.Int64 // of the routes
	serving        atomic.Bool  // a request has come
	rewritesErrors atomic.Bool  // RewriteErrors of the adapter was called

	relisted      sync.Map     // patterns for which the routes were listed again, perhaps behind a method
	relistedCount atomic.Int64 // no count of requests wraps it
}

// areApart reports whether no version has two routes: then one name may mean both.
func (rs *routes) areApart(a, b *route.Route) bool {
	for index := range rs.api.Set.Known {
		if hasVersion(a, index) && hasVersion(b, index) {
			return false
		}
	}
	return !isInEveryVersion(a) && !isInEveryVersion(b)
}

// addName checks that links can distinguish the routes of a name.
func (rs *routes) addName(r *route.Route) error {
	same := rs.named[r.Name]
	if !r.HasName() || slices.ContainsFunc(same, r.IsSamePath) {
		return nil
	}
	same = append(same, r)
	if err := route.Ambiguous(same, rs.areApart); err != nil {
		return finding.Mistake(codes.RouteName, err)
	}
	rs.named[r.Name] = same
	return nil
}

// serve places all routes: from the first request on, none gets another name.
func (rs *routes) serve() {
	rs.serving.Store(true)
	rs.current()
}

// current returns the current routes. Routes may be named until the first request, so
// nothing is cached before it.
func (rs *routes) current() *routeList {
	if latest := rs.latest.Load(); latest != nil && latest.changes == rs.changes.Load() {
		return latest
	}
	rs.adding.Lock()
	defer rs.adding.Unlock()
	changes := rs.changes.Load() // a change from now on makes another list
	if latest := rs.latest.Load(); latest != nil && latest.changes == changes {
		return latest
	}
	serving := rs.serving.Load()
	all := rs.all()
	current := &routeList{changes: changes, table: route.NewTable(all...)}
	if serving {
		i := 0
		for r := range current.table.Routes() {
			if i < len(rs.order) {
				rs.order[i].placed.Store(r)
			}
			i++
		}
		rs.latest.Store(current)
	}
	return current
}

// all returns the routes with a check, in the order of registration and with the names
// that the framework has for them, and then the other routes of the framework.
func (rs *routes) all() (all []route.Route) {
	names, moved := make(map[place]string), make(map[*Registration]*Listed)
	var foreign []route.Route
	list := rs.listed()
	isShared := sharedHandlers(list)
	checksAll := slices.ContainsFunc(rs.middleware, func(m *middleware) bool {
		return !m.isIn(list) && !m.isLast(list) && m.isForAll(rs.router)
	})
	for i := range list {
		listed := &list[i]
		registration := listed.Registration
		if registration == nil && !listed.Foreign {
			registration = rs.checked[placeOf(&listed.Route)]
		}
		switch {
		case registration == nil:
			r := listed.Route
			r.Foreign, r.SharesHandler, r.Plan = true, r.SharesHandler || isShared(listed), nil
			r.Checked = checksAll || slices.ContainsFunc(rs.middleware, func(m *middleware) bool { return m.runsFor(listed, list) })
			for _, s := range rs.scopes {
				if s.note(listed); s.has(&r) {
					s.describe(&r)
				}
			}
			foreign = append(foreign, r)
			continue
		case listed.Registration != nil:
			moved[registration] = listed
		}
		if listed.Name != "" { // the framework has the name of one form of a route only
			names[registeredPlace(&registration.given)] = listed.Name
		}
	}
	all = make([]route.Route, 0, len(rs.order)+len(foreign))
	for _, registration := range rs.order {
		r := registration.given
		if at := moved[registration]; at != nil {
			r.Path, r.Pattern = at.Path, at.Pattern
		}
		if !r.HasName() {
			r.Name += strings.TrimPrefix(names[registeredPlace(&registration.given)], r.Name)
		}
		all = append(all, r)
	}
	all = append(all, foreign...)
	for i := range all {
		rs.api.placeRoute(&all[i])
	}
	return all
}

// listed returns the routes of the framework. What another binding has registered with it is foreign.
func (rs *routes) listed() []Listed {
	list := rs.router.Routes()
	for i := range list {
		if r := list[i].Registration; r != nil && r.of != rs {
			list[i].Registration = nil
		}
	}
	return list
}

// sharedHandlers returns a function that reports whether the handler of a route in a list
// has other methods of the path as well.
func sharedHandlers(list []Listed) (isShared func(l *Listed) bool) {
	type use struct{ host, path, handler any }
	shared := sync.OnceValue(func() map[use]bool {
		shared, first := make(map[use]bool), make(map[use]string)
		for i := range list {
			of := use{list[i].Host, list[i].Path, list[i].Handler}
			if method, isKnown := first[of]; !isKnown {
				first[of] = list[i].Method
			} else if method != list[i].Method {
				shared[of] = true
			}
		}
		return shared
	})
	return func(l *Listed) bool { return l.Handler != nil && shared()[use{l.Host, l.Path, l.Handler}] }
}

// foreign returns where the framework has routes that were not registered with Verso,
// except in the places that are listed before.
func (rs *routes) foreign(known map[place]bool) map[place]bool {
	rs.adding.Lock()
	defer rs.adding.Unlock()
	foreign := make(map[place]bool)
	for _, r := range rs.listed() {
		if r.Registration == nil && rs.checked[placeOf(&r.Route)] == nil && !known[placeOf(&r.Route)] {
			foreign[placeOf(&r.Route)] = true
		}
	}
	return foreign
}

// last returns the latest registration, or nil.
func (rs *routes) last() *Registration {
	rs.adding.Lock()
	defer rs.adding.Unlock()
	if len(rs.order) == 0 {
		return nil
	}
	return rs.order[len(rs.order)-1]
}

// isUnchecked reports whether requests to a route have no version.
func (rs *routes) isUnchecked(r *route.Route) bool {
	return r.Foreign && !r.Checked && !rs.inScope(r)
}

// inScope reports whether a route may be one of a scope.
func (rs *routes) inScope(r *route.Route) bool {
	return r.Foreign && slices.ContainsFunc(rs.scopes, func(s *Scope) bool { return s.has(r) })
}

// isVersioned reports whether requests to a route have a version: it is checked and not
// neutral.
func (rs *routes) isVersioned(r *route.Route) bool {
	p := planOf(r)
	return !rs.isUnchecked(r) && (p == nil || !p.Neutral)
}

// routeList is the routes of a router at some time.
type routeList struct {
	changes int64 // of [routes] that it includes
	table   *route.Table
	once    sync.Once
	byPath  map[string]*pathRoutes // made when a middleware asks

	placing sync.Once
	tree    node // see paths
}

// ofPath returns the routes of a pattern, or nil.
func (rs *routes) ofPath(l *routeList, pattern string) *pathRoutes {
	l.once.Do(func() {
		l.byPath = make(map[string]*pathRoutes)
		for r := range l.table.Routes() {
			p := l.byPath[r.Path]
			if p == nil {
				p = &pathRoutes{routes: make(map[place]*route.Route)}
				l.byPath[r.Path] = p
			}
			p.add(r, rs.inScope(r), rs.api.byNamespace)
		}
	})
	return l.byPath[pattern]
}

// maxRelisted bounds the patterns for which the routes are listed again: a middleware
// may set any path as the pattern of a request.
const maxRelisted = 1000

// find returns the routes of a pattern. If it is not known, the route was added since,
// or the router does not list it.
func (rs *routes) find(pattern string) *pathRoutes {
	rs.serving.Store(true)
	if known := rs.ofPath(rs.current(), pattern); known != nil {
		return known
	}
	if rs.relist(pattern) {
		if known := rs.ofPath(rs.current(), pattern); known != nil {
			return known
		}
	}
	unlisted := route.Route{Path: pattern, Foreign: true}
	return &pathRoutes{foreign: unlisted.Prepare()}
}

// relist has the routes listed again for what is not known, once.
func (rs *routes) relist(unknown string) bool {
	if _, again := rs.relisted.Load(unknown); again || rs.relistedCount.Add(1) > maxRelisted {
		return false
	}
	rs.relisted.Store(unknown, true)
	rs.changes.Add(1)
	return true
}

// rewriterOf returns the rewriter of a route, or nil.
func rewriterOf(r *route.Route) verso.Rewriter {
	rewriter, _ := r.Rewriter.(verso.Rewriter)
	return rewriter
}

// paths returns the paths of the routes as a tree. They are made when a request matches
// no route. A route without versions for every path, as a single-page application has it,
// is left out.
func (rs *routes) paths() *node {
	l := rs.current()
	l.placing.Do(func() {
		for r := range l.table.Routes() {
			if lead, whole := r.Pattern.Lead(); rs.isVersioned(r) || whole || lead != "/" ||
				!strings.HasPrefix(r.Pattern.Shape(), "/{*}") {
				l.tree.add(r, rs.restsMayLack())
			}
		}
	})
	return &l.tree
}

// restsMayLack reports whether a route for /files/* has the path /files, too.
func (rs *routes) restsMayLack() bool {
	router, ok := rs.router.(interface{ RestsMayLack() bool })
	return ok && router.RestsMayLack()
}

// having calls found with the routes that have the path of a request: see [node.find]. Those of
// other code are among them, also where the router does not list them.
func (rs *routes) having(r *source.Request, path string, found func(routes []*route.Route) (more bool)) {
	tree := rs.paths()
	if router, ok := rs.router.(interface {
		OtherRoutes(request any) []*route.Route
	}); ok {
		if others := router.OtherRoutes(r.Unwrap()); len(others) > 0 {
			both := new(node)
			tree.find(path, func(own []*route.Route) (more bool) { others = append(others, own...); return true })
			for _, other := range others {
				both.add(other, rs.restsMayLack())
			}
			tree = both
		}
	}
	tree.find(path, found)
}

// noteNames notes the Names of options.
func (rs *routes) noteNames(o *choice.Route) {
	isSame := func(other map[string]string) bool {
		return reflect.ValueOf(other).Pointer() == reflect.ValueOf(o.Names).Pointer()
	}
	if o.Names != nil && !slices.ContainsFunc(rs.names, isSame) {
		rs.names = append(rs.names, o.Names)
	}
}

// track lets Explain report what no route uses.
func (rs *routes) track(t *tracked) {
	rs.adding.Lock()
	defer rs.adding.Unlock()
	rs.tracked = append(rs.tracked, t)
}
