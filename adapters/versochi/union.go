package versochi

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/route"
)

// union has the subrouters of several versions: those with the same pattern, but for names, become one.
type union struct {
	subs  map[string]*unionRouter  // by routersOf, without the names of parameters
	order []string                 // of subs, those around first
	first map[[2]string]recordedAt // by the method and the path of the first version
}

// unionRouter is where the routes of a subrouter are registered.
type unionRouter struct {
	*Routes
	of    subrouter      // in the first version with it
	trees map[*tree]bool // of the versions with it
}

// recordedAt is where a function has registered a route.
type recordedAt struct {
	in      *tree
	routers string // see routersOf
	isStub  bool   // the path of a mount, with a slash
}

// join adds the subrouters of a version.
func (j *union) join(t *tree) {
	v := j.subs[noRouter].Routes
	if len(moversOf(t.of.Middlewares())) > 0 {
		v.over.Fail("RegisterVersions: middleware of a function changes the path or the method, after the route is " +
			"found: use it in a subrouter, or with the router of New")
	}
	isSame := func(a, b func(http.Handler) http.Handler) bool { return pointer(a) == pointer(b) }
	for _, sub := range t.nested {
		key := unnamed(sub.routers)
		switch known := j.subs[key]; {
		case known == nil:
			j.subs[key] = &unionRouter{of: sub, trees: map[*tree]bool{t: true}}
			j.order = append(j.order, key)
		case !slices.EqualFunc(moversOf(known.of.Middlewares()), moversOf(sub.Middlewares()), isSame):
			v.over.Fail("RegisterVersions: middleware of the subrouter %s changes the path or the method in some "+
				"versions only: use it in each", sub.path)
		default:
			known.trees[t] = true
		}
	}
}

// note takes note of a route.
func (j *union) note(t *tree, at endpoint, note func(route.Route, http.HandlerFunc)) {
	around := t.of.Middlewares()
	inline := at.middleware[len(around):]
	if i := slices.IndexFunc(t.nested, func(s subrouter) bool { return s.routers == at.routers }); i >= 0 {
		sub := t.nested[i]
		around, inline = sub.plain(), at.middleware[len(sub.around):]
		if at.isRoot && strings.HasSuffix(sub.base, "/") {
			at.Path += "/"
		}
	}
	handler := slices.Concat(around, inline).Handler(at.handler).ServeHTTP
	noteAt := func(path string, isStub bool) {
		at.Path, at.Pattern = path, read(path)
		if key := [2]string{at.Method, path}; j.first[key].in == nil {
			j.first[key] = recordedAt{t, at.routers, isStub}
		}
		note(at.Route, handler)
	}
	path := at.Path
	noteAt(path, false)
	if isMount(at.handler) && !strings.HasSuffix(path, "/*") && !strings.HasSuffix(path, "/") {
		noteAt(path+"/", true)
	}
}

// mount mounts the subrouters.
func (j *union) mount() {
	for _, key := range j.order {
		sub := j.subs[key]
		sub.Routes = j.subs[around(key)].Route(cmp.Or(sub.of.base, "/"), func(v *Routes) {
			v.Use(moversOf(sub.of.Middlewares())...)
		})
		for _, p := range sub.in {
			p.NotFound(sub.unmatched(notFoundField))
			p.MethodNotAllowed(sub.unmatched(notAllowedField))
		}
	}
}

// placeOf returns where a route is registered, and its pattern there: in its own subrouter, or at its path in a
// subrouter of other versions. It returns nil if the root of the subrouter is there already.
func (j *union) placeOf(first route.Route) (in *unionRouter, pattern string) {
	at := j.first[[2]string{first.Method, first.Path}]
	key := unnamed(at.routers)
	for _, inner := range j.order { // those around first
		sub, path := j.subs[inner], unnamed(first.Path)
		isOther := around(inner) == key && !sub.trees[at.in]
		if isOther && strings.HasPrefix(path+"/", unnamed(sub.of.path)+"/") {
			key = inner
		}
	}
	sub := j.subs[key]
	for i := range first.Path + "/" {
		if unnamed(first.Path[:i]) == unnamed(sub.of.path) {
			pattern = first.Path[i:]
		}
	}
	if key != unnamed(at.routers) && pattern == "/" && at.isStub {
		return nil, ""
	}
	return sub, cmp.Or(pattern, "/")
}

// around returns where a subrouter is mounted.
func around(routers string) string {
	if last := strings.LastIndexByte(routers, '\n'); last >= 0 {
		return routers[:last]
	}
	return noRouter
}

// unmatched returns the answer of a subrouter, 404 or 405, behind the middleware of the first version. field is where
// chi keeps it.
func (s *unionRouter) unmatched(field string) http.HandlerFunc {
	hasOwn := func(of *chi.Mux) bool { return !reflect.ValueOf(of).Elem().FieldByName(field).IsNil() }
	answer := func(w http.ResponseWriter, r *http.Request) {
		of := s.of.Mux
		if !hasOwn(of) {
			inline, _ := s.root.of.With().(*chi.Mux) // with the answers of the root, which may be in another type
			of = cmp.Or(inline, of)
		}
		if field == notFoundField {
			of.NotFoundHandler()(w, r)
			return
		}
		if allow, _ := allowedBy(contextOf(r)); !hasOwn(of) {
			for _, method := range allow {
				w.Header().Add("Allow", method)
			}
		}
		of.MethodNotAllowedHandler()(w, r)
	}
	if isIdle(s.of.Mux) {
		return answer
	}
	return s.of.plain().HandlerFunc(answer).ServeHTTP
}

// The fields of a router of chi with its answers.
const notFoundField, notAllowedField = "notFoundHandler", "methodNotAllowedHandler"
