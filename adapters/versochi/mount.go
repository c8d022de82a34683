package versochi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter/overhttp"
)

// mark notes for the handlers of a router in which place it is.
//
//go:noinline // so that isMark knows it
func (m *foreign) mark(place *mounting) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		place.next = next
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			in := r.WithContext(context.WithValue(r.Context(), mountingKey{}, place))
			m.enter(w, in, place)
			r.Pattern = in.Pattern // as chi has it, for what is around
		})
	}
}

// mountRouter mounts a router of chi, with checks in front of its handlers. Handlers that it gets before the first
// request have them, too.
func (v *Routes) mountRouter(prefix string, of *chi.Mux) {
	what := "Mount " + prefix
	m := &foreign{v: v.below(prefix), of: of}
	guard := func() {
		if len(m.places) > 0 {
			m.v.guard(what, of, m.places)
		}
	}
	m.serve = sync.OnceFunc(func() { guard(); m.begin() })
	var mounts []func() // when nothing is in their place
	v.mounts(what, prefix, func(in place, pattern, path string) {
		at := new(mounting)
		mounts = append(mounts, func() { in.With(m.mark(at)).Mount(pattern, of) })
		m.places, m.v.in = append(m.places, at), append(m.v.in, place{nil, path})
	})
	for _, mount := range mounts {
		mount()
	}
	v.root.late = append(v.root.late, m.explain)
	guard()
}

// guard puts checks in front of the handlers of a router that is mounted in the places of v.
func (v *Routes) guard(what string, of *chi.Mux, places []*mounting) {
	all := listOf(of)
	for _, at := range all {
		base := strings.TrimSuffix(at.Pattern, "/*")
		inline, _ := unchained(at.Handlers["*"])
		switch sub, isRouter := routerOf(at.SubRoutes); {
		case isGuarded(at): // chi still lists a router that it was mounted over
		case isOwn(at.SubRoutes) || slices.ContainsFunc(inline, isMark):
			v.needPlain(what)
		case isRouter:
			if !isAt(of, all, base) {
				base += "/"
			}
			below := v.below(base)
			for _, p := range v.in {
				below.in = append(below.in, place{nil, p.mount + strings.TrimSuffix(base, "/")})
			}
			below.guard(what, sub, places)
		default:
			if base == "" || !isMount(at.Handlers["*"]) {
				break
			}
			stubs, ok := stubsAt(of, all, base)
			behind, isKnown := stubsAt(of, all, base+"/")
			if !ok || !isKnown {
				v.over.Fail("%s: chi hides where the handler mounted at %s is: register with Routes.Router",
					what, base)
			}
			if len(stubs)+len(behind) > 0 {
				v.guardOne(what, places, &guarded{at.Handlers["*"], of, "", base, []string{"/"}, true}, stubs, behind)
			}
		}
		for _, method := range methodsOf(at) {
			g := &guarded{at.Handlers[method], of, method, at.Pattern, nil, isShared(at.Handlers, method)}
			v.guardOne(what, places, g, []string{method})
		}
	}
}

// isShared reports whether a handler has another method, so that a CORS preflight is a request to it.
func isShared(handlers map[string]http.Handler, method string) bool {
	for other, handler := range handlers {
		if other != method && other != "*" && identityOf(handler) == identityOf(handlers[method]) {
			return true
		}
	}
	return false
}

// guardOne puts a check in front of a handler of a router for each place of v: of methods at its pattern, and at what
// is also there.
func (v *Routes) guardOne(what string, places []*mounting, g *guarded, methods ...[]string) {
	inline, handler := unchained(g.Handler)
	v = v.with(v.over.Group)
	v.sharesHandler = g.sharesHandler
	switch h := handler.(type) {
	case *overhttp.Check:
		v.needPlain(what)
		return
	case *guarded:
		g = h
		v.sharesHandler = v.sharesHandler || h.sharesHandler // also when other routes take the other methods
	default:
		at := [3]any{g.of, g.method, g.pattern}
		if before, isTwice := v.root.guardsAt.LoadOrStore(at, g); isTwice { // in the place of another handler
			g = before.(*guarded)
		}
		g.Handler, handler = handler, g
		if len(inline) > 0 {
			handler = inline.Handler(g)
		}
		for i, behind := range append([]string{""}, g.also...) {
			for _, method := range methods[i] {
				g.of.Method(method, g.pattern+behind, handler)
			}
		}
	}
	isHere := func(c checked) bool { return c.path == v.in[0].mount+v.pathOf(g.method, g.pattern) }
	if slices.ContainsFunc(checksOf(&places[0].checks, g), isHere) {
		v.needAlike(what, g, v.sharesHandler)
		return
	}
	for i, c := range v.checksOf(g.method, g.pattern, http.HandlerFunc(g.pass), g.also...) {
		for _, checks := range []*sync.Map{&places[i].checks, &v.root.guards} {
			checks.Store(g, append(slices.Clip(checksOf(checks, g)), c))
		}
	}
}

// pathOf returns the path of a pattern in its router.
func (v *Routes) pathOf(method, pattern string) string {
	if _, at := v.describe(method, pattern); at.Path == v.mount {
		return ""
	}
	return pattern
}

// checksOf registers a route, and returns its handler for each place of v.
func (v *Routes) checksOf(method, pattern string, handler http.Handler, also ...string) []checked {
	one, all := v.with(v.over.Group), make([]checked, len(v.in))
	one.in = nil
	for i, p := range v.in {
		all[i].path = p.mount + v.pathOf(method, pattern)
		one.in = append(one.in, place{caught{handler: &all[i].handler}, p.mount})
	}
	one.handle(method, pattern, handler, also...)
	return all
}

// caught is a place for one handler, which is in no router.
type caught struct {
	chi.Router
	around  chi.Middlewares
	handler *http.Handler
}

func (c caught) With(middleware ...func(http.Handler) http.Handler) chi.Router {
	c.around = slices.Concat(c.around, middleware)
	return c
}

func (c caught) Method(_, pattern string, handler http.Handler) { c.Handle(pattern, handler) }

func (c caught) Handle(_ string, handler http.Handler) {
	if *c.handler = handler; len(c.around) > 0 {
		*c.handler = c.around.Handler(handler)
	}
}

// isMark reports whether a middleware is in front of a router that Verso has mounted, which has its checks.
func isMark(middleware func(http.Handler) http.Handler) bool {
	return pointer(middleware) == pointer(new(foreign).mark(nil))
}

// needAlike panics if the check of g does not fit what is in its place. isShared: the handler there has other methods
// of the path, too. A check of a handler for OPTIONS alone lets preflights pass undecided, which must not run a handler
// of more methods. A check of a handler of more methods decides them, which a handler for OPTIONS alone may not want.
func (v *Routes) needAlike(what string, g *guarded, isShared bool) {
	if g.method == http.MethodOptions && g.sharesHandler != isShared {
		v.over.Fail("%s: the handler for OPTIONS at %s was for OPTIONS alone and is for more methods, or the other "+
			"way round: register the methods of the path before the mount", what, g.pattern)
	}
}
