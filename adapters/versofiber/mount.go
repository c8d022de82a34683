package versofiber

import (
	"strings"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router that only
// records routes. Each method and path among them becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does. A version without a function has the
// routes of the one before it; after nil it has none. Middleware that a function adds with
// Use runs for its version only, after the check.
//
//	v.RegisterVersions(map[string]func(fiber.Router){
//		"v1": func(r fiber.Router) { apiv1.RegisterHandlers(r, serverV1) },
//		"v2": func(r fiber.Router) { apiv2.RegisterHandlers(r, serverV2) },
//	})
//
// It panics as HandleVersions does, if a function registers nothing with its router, a route
// twice, or one with Fiber itself, and if versions have different names for the
// parameters of one path, since Fiber cannot change them for a handler.
func (r *Routes) RegisterVersions(versions map[string]func(fiber.Router)) {
	err := adapter.RouteJoiner[fiber.Router, []fiber.Handler]{Record: r.recordAll,
		Add: r.addChains}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
}

// base is the prefix of what takes note of routes: without one, Fiber changes "" to "/".
const base = "/mount"

// recordAll lets Fiber put the groups together, and make handlers of its own of all kinds.
func (r *Routes) recordAll(register func(fiber.Router), note func(route.Route, []fiber.Handler)) {
	b, of := &bound{app: fiber.New(r.app.Config())}, adapter.NewGroup[any]("versofiber", r.seam.Binding)
	of.Each = true // else Fiber installs the middleware of groups by path
	register((&Routes{bound: b, of: of, router: b.app.Group(base)}).Router())
	for _, found := range b.app.GetRoutes(true) {
		path := strings.TrimPrefix(found.Path, base)
		note(route.Route{Method: found.Method, Path: path, Name: found.Name,
			Pattern: patternOf(path, found.Params, b.app.Config())}, found.Handlers)
	}
}

// record takes note of a route. Fiber itself would join it with another one.
func (r *Routes) record(methods []string, path string, handlers []any) fiber.Router {
	for _, method := range methods {
		if _, twice := r.own.LoadOrStore(method+" "+path, true); twice {
			r.of.Fail("RegisterVersions: route %s %s is registered twice: remove one of them", method, path)
		}
	}
	r.router.Add(methods, path, handlers[0], handlers[1:]...)
	return r.Router()
}

// addChains registers a route that has a chain of handlers for each version.
func (r *Routes) addChains(first route.Route, chains map[string][]fiber.Handler) {
	if added := r.handleVersions(first.Method, first.Path, nil, slotsOf(chains)); first.Name != "" {
		added.Name(first.Name)
	}
}

// slotsOf turns a chain of handlers for each version into a list of [Handlers], one for
// each position in the longest chain, since Fiber calls the handlers of a route one after
// another. The last handler of each chain is in the last position. Shorter chains are
// padded with a handler that calls the next one. An empty chain has nil handlers.
func slotsOf(chains map[string][]fiber.Handler) []Handlers {
	longest := 0
	for _, chain := range chains {
		longest = max(longest, len(chain))
	}
	slots := make([]Handlers, longest)
	for i := range slots {
		slots[i] = make(Handlers, len(chains))
		for version, chain := range chains {
			switch at := i - longest + len(chain); {
			case len(chain) == 0:
				slots[i][version] = nil
			case at < 0:
				slots[i][version] = fiber.Ctx.Next
			default:
				slots[i][version] = chain[at]
			}
		}
	}
	return slots
}
