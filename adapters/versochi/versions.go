package versochi

import (
	"net/http"
	"slices"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router of its own.
// Each method and path among their routes becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware of a function's router runs after the check.
//
//	v.RegisterVersions(map[string]func(chi.Router){
//		"v1": func(r chi.Router) { apiv1.HandlerFromMux(serverV1, r) },
//		"v2": func(r chi.Router) { apiv2.HandlerFromMux(serverV2, r) },
//	})
//
// A subrouter of a function becomes a subrouter of the router around, with the routes of all versions, where chi finds
// them as in the function. Requests without a route there run the middleware of the subrouter of the first version, and
// get its 404 and 405. Middleware of chi which changes the path or the method, such as StripSlashes, runs before the
// check: it panics if a subrouter has it in some versions only, or if a function uses it in no subrouter. Such
// middleware of yours has no effect on which route is found.
//
// It panics as HandleVersions does, if a function registers nothing with its router or a route twice, and if a path
// has two parameters of one name. As in chi, it panics if a router is mounted at the path of a subrouter.
func (v *Routes) RegisterVersions(versions map[string]func(chi.Router)) {
	j := union{subs: map[string]*unionRouter{noRouter: {Routes: v}}, first: make(map[[2]string]recordedAt)}
	mount := sync.OnceFunc(j.mount) // before the routes, which take the place of it
	v.over.Must("RegisterVersions", adapter.RouteJoiner[chi.Router, http.HandlerFunc]{
		Record: func(register func(chi.Router), note func(route.Route, http.HandlerFunc)) {
			router := chi.NewRouter()
			register(router)
			t := newTree(router)
			v.root.recorded = append(v.root.recorded, func() []*route.Route { return t.lost(router) })
			j.join(t)
			for _, at := range t.endpoints {
				v.over.Need("route "+at.Method+" "+at.Path, at.handler)
				j.note(t, at, note)
			}
		},
		Rename: rename,
		Add: func(first route.Route, handlers map[string]http.HandlerFunc) {
			mount()
			in, pattern := j.placeOf(first)
			if in == nil {
				return
			}
			if from, to := params(in.of.path+pattern), first.Pattern.Params(); !slices.Equal(from, to) {
				for version, handler := range handlers {
					if handler != nil {
						handlers[version] = rename(handler, from, to)
					}
				}
			}
			in.HandleVersions(first.Method, pattern, handlers)
		},
	}.Join(v.over.Seam.Binding, versions))
}

// lost returns the routes that a router has got since.
func (t *tree) lost(router *chi.Mux) (lost []*route.Route) {
	for _, at := range newTree(router).endpoints {
		isSame := func(known endpoint) bool { return known.Method == at.Method && known.Path == at.Path }
		if !slices.ContainsFunc(t.endpoints, isSame) {
			lost = append(lost, &at.Route)
		}
	}
	return lost
}

func params(path string) []string { pattern := read(path); return pattern.Params() }

// rename gives path parameters their names in a version.
func rename(handler http.HandlerFunc, from, to []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		values := make([]string, len(from))
		for i, name := range from {
			values[i] = chi.URLParam(r, name)
		}
		for i, name := range to {
			contextOf(r).URLParams.Add(name, values[i])
			r.SetPathValue(name, values[i])
		}
		handler(w, r)
	}
}
