package versofiber

import (
	"regexp"
	"slices"
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
// Use or Group runs as in Fiber for all later routes whose paths it is in front of, for its version
// only, after the check, and again where a handler calls Next. Other requests to these paths run the middleware of
// the first version, and so does HEAD of a route for GET, before its own.
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
	var covers []*cover
	record := func(register func(fiber.Router), note func(route.Route, []fiber.Handler)) {
		known := len(covers)
		for _, found := range r.recordAll(register, note) {
			isKnown := func(other *cover) bool { return unnamed(other.path) == unnamed(found.path) }
			if !slices.ContainsFunc(covers[:known], isKnown) {
				covers = append(covers, found)
			}
		}
	}
	err := adapter.RouteJoiner[fiber.Router, []fiber.Handler]{Record: record,
		Add: r.addChains}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
	for _, found := range covers {
		r.install(found)
	}
}

// unnamed returns a path without the names of its parameters, which versions have their own of.
func unnamed(path string) string {
	return names.ReplaceAllStringFunc(path, func(text string) string {
		if text[0] == '\\' {
			return text
		}
		return ":"
	})
}

// names finds the names of parameters, and what is escaped.
var names = regexp.MustCompile(`\\.|:\w+`)

// install puts middleware in front of what is registered later.
func (r *Routes) install(of *cover) {
	forms := []string{of.path}
	if r.of.Each {
		group, _ := r.router.(*fiber.Group)
		forms, _ = r.of.Forms(join(group.Prefix, join(r.prefix, of.path))) // nil outside the prefix
		for i, form := range forms {
			forms[i] = strings.TrimPrefix(form, strings.TrimRight(group.Prefix, "/"))
		}
	}
	all := []any{func(c fiber.Ctx) error { c.Locals(of, true); return c.Next() }}
	for _, handler := range of.chain {
		all = append(all, handler)
	}
	for _, form := range forms {
		r.router.Use(append([]any{form}, all...)...)
	}
}

// base is the prefix of what takes note of routes: without one, Fiber changes "" to "/".
const base = "/mount"

// recordAll lets Fiber put the groups together, and make handlers of its own of all kinds. It returns the middleware
// that it would have installed by path.
func (r *Routes) recordAll(register func(fiber.Router), note func(route.Route, []fiber.Handler)) []*cover {
	b, of := &bound{app: fiber.New(r.app.Config())}, adapter.NewGroup[any]("versofiber", r.seam.Binding)
	of.Each = true // else Fiber installs the middleware of groups by path
	register((&Routes{bound: b, of: of, router: b.app.Group(base)}).Router())
	b.noted = true
	routes := b.app.GetRoutes(true)
	for _, c := range b.covers {
		converted := fiber.New(b.app.Config())
		converted.Get("/", c.handlers[0], c.handlers[1:]...)
		c.chain = converted.GetRoutes(true)[0].Handlers
	}
	for _, found := range routes {
		path, chain := strings.TrimPrefix(found.Path, base), []fiber.Handler(nil)
		if behind, ok := b.own.Load(found.Method + " " + path); ok {
			for _, c := range b.covers[:behind.(int)] {
				chain = append(chain, c.before(path, b.app.Config())...)
			}
		}
		note(route.Route{Method: found.Method, Path: path, Name: found.Name,
			Pattern: patternOf(path, found.Params, b.app.Config())}, append(chain, found.Handlers...))
	}
	return b.covers
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
