package versochi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// mux is [Routes] as a [chi.Router].
type mux struct {
	*own // registers
	chis // does what remains
}

type own = Routes

// Router returns v as a [chi.Router], for code written or generated for chi. Each route
// has its check directly before its handler. Its subrouters are chi's, with their own middleware and
// answers for 404 and 405:
//
//	v.EachVersion().Router().Route("/api", func(r chi.Router) { // at /api/v1 and /api/v2
//		r.Use(authenticate)
//		r.Get("/users", list)
//		versochi.On(r).Since("v2").Get("/search", search)
//		r.Mount("/admin", newAdminRouter())
//	})
//	apiv2.HandlerFromMux(serverV2, v.Since("v2").Group("/v2").Router())
//
// NotFound and MethodNotAllowed of a group are for the router around it (see
// [chi.Router.Group]), and in Route for its subrouter. For options of single routes, see [On] and
// [Routes.PerRoute].
func (v *Routes) Router() chi.Router {
	if v.prefix != "" {
		v = v.inline()
	}
	return mux{v, chis{v.in[0].Router}}
}

// On returns the routes of a router that [Routes.Router] has returned, or its Route, With or Group, for
// options of a route. It panics if Verso has not made the router.
func On(router chi.Router) *Routes {
	m, ok := router.(mux)
	if !ok {
		panic("versochi: On: the router is chi's alone: give it what Routes.Router returns")
	}
	return m.own
}

// Routes is [chi.Routes.Routes]. A group has the routes below its prefix, at what is registered with it.
func (m mux) Routes() (below []chi.Route) {
	forms, err := m.over.Group.Forms(m.mount + m.prefix)
	if m.prefix == "" || err != nil {
		return m.chis.Routes()
	}
	for _, at := range m.chis.Routes() {
		isBelow := func(form string) bool {
			return strings.HasPrefix(at.Pattern, strings.TrimPrefix(form, m.in[0].mount)+"/")
		}
		if isBelow(forms[0]) && !slices.ContainsFunc(forms[1:], isBelow) {
			at.Pattern = strings.TrimPrefix(at.Pattern, strings.TrimPrefix(forms[0], m.in[0].mount))
			below = append(below, at)
		}
	}
	return below
}

// With is [chi.Router.With].
func (m mux) With(middleware ...func(http.Handler) http.Handler) chi.Router {
	v := m.inline(middleware...)
	return mux{v, chis{v.in[0].Router}}
}

// Group is [chi.Router.Group].
func (m mux) Group(register func(r chi.Router)) chi.Router {
	v := m.inline()
	v.within = closures() + 1
	r := v.Router()
	if register != nil {
		register(r)
	}
	return r
}

// Route is [chi.Router.Route].
func (m mux) Route(pattern string, register func(r chi.Router)) chi.Router {
	return m.own.Route(pattern, func(v *Routes) { register(v.Router()) }).Router()
}

// NotFound is [chi.Router.NotFound]. Where [Routes.NotFound] is in use, it comes first.
func (m mux) NotFound(handler http.HandlerFunc) {
	for _, p := range m.in {
		p.NotFound(m.behindNotFound(handler))
	}
}

// MethodNotAllowed is [chi.Router.MethodNotAllowed]. Where [Routes.NotFound] is in use, it comes first.
func (m mux) MethodNotAllowed(handler http.HandlerFunc) {
	for _, p := range m.in {
		p.MethodNotAllowed(m.behindNotFound(handler))
	}
}

// behindNotFound returns an answer of a subrouter, which takes the place of what the routers around it have: deleted
// routes would be 404 there.
func (m mux) behindNotFound(handler http.HandlerFunc) http.HandlerFunc {
	if handler == nil {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if m.root.rejects.Load() {
			if _, rejected := m.over.Unmatched(w, r); rejected {
				return
			}
		}
		handler(w, r)
	}
}
