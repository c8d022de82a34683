package verso

import (
	"reflect"
	"slices"

	"github.com/goverso/verso/core/route"
)

// Mount joins what several versions register on the same paths, for the Mount of an
// adapter. R is what generated code registers routes with in the framework, H what
// answers a request there.
type Mount[R, H any] struct {
	// Record calls register with a router that only takes note of routes, and then
	// note with each of them.
	Record func(register func(R), note func(r route.Route, handler H))

	// Rename returns a handler that finds the path parameters with the names from
	// under the names to.
	// Optional. Default value: nil, the names must be the same in all versions.
	Rename func(handler H, from, to []string) H

	// Add registers a route, as the first version that has it describes it, with
	// what Choose takes: the zero H says that a version does not have it any more.
	Add func(first route.Route, handlers map[string]H)
}

// Join calls the functions of the versions, in their order, and adds the routes: for
// each host, method and path, whatever the names of its parameters, a handler for each
// version. The map is like [Handlers]: a function applies until the next one, nil says
// that the version has none of the routes, and "" is for requests without a version.
// What a version registers for any method is its handler also for a method that another
// version registers.
//
// The errors are [*Finding]s: those of [Handlers.Bind], mount_empty for a function that
// registers nothing with what it is given, mount_escapes for a route that it registers
// with the framework itself, mount_nil for one without a handler, mount_twice for two
// of one path, and mount_names where names differ and the framework cannot change them.
func (m Mount[R, H]) Join(b *Binding, versions map[string]func(R)) error {
	if _, _, err := Handlers[func(R)](versions).Bind(b); err != nil {
		return err
	}
	type registered struct {
		route   route.Route
		handler H
	}
	all := make(map[string]map[place]registered)
	var order []place
	first, others := make(map[place]route.Route), b.others(nil)
	listed := slices.DeleteFunc(slices.Concat(b.api.catalogue.Versions(), []string{""}), func(version string) bool {
		_, ok := versions[version]
		return !ok
	})
	for _, version := range listed {
		own := make(map[place]registered)
		var err error
		note := func(r route.Route, handler H) {
			at := place{r.Host, r.Method, r.Pattern.Shape()}
			if _, twice := own[at]; twice {
				err = mistake("mount_twice", "Routes", "version %q registers %s %s twice: remove one of them", version, r.Method, r.Path)
			}
			if lacksHandler(reflect.ValueOf(handler)) {
				err = mistake("mount_nil", "Routes", "version %q registers %s %s without a handler: give it one", version, r.Method, r.Path)
			}
			if _, known := first[at]; !known {
				first[at], order = r, append(order, at)
			}
			own[at] = registered{r, handler}
		}
		if register := versions[version]; register != nil {
			m.Record(register, note)
			for escaped := range b.others(others) {
				err = mistake("mount_escapes", "Routes", "version %q registers %s %s with the framework itself, so that it is not checked: register it with what Mount gives the function, or outside of Mount", version, escaped.method, escaped.path)
			}
			if err == nil && len(own) == 0 {
				err = mistake("mount_empty", "Routes", "version %q registers no route with what Mount gives its function: register its routes with that, or give it a nil function", version)
			}
		}
		if err != nil {
			return err
		}
		all[version] = own
	}
	joined := make([]map[string]H, len(order))
	for i, at := range order {
		joined[i] = make(map[string]H)
		for _, version := range listed {
			found, ok := all[version][at]
			if !ok {
				found, ok = all[version][place{at.host, "", at.path}]
			}
			from, to := first[at].Pattern.Params(), found.route.Pattern.Params()
			switch {
			case !ok && (version == "" || len(joined[i]) == 0): // it is not there yet
			case !ok || slices.Equal(from, to):
				joined[i][version] = found.handler
			case m.Rename == nil:
				return mistake("mount_names", "Routes", "%s and %s are one path, and the framework cannot give each version its own names: give the parameters the same names", first[at].Path, found.route.Path)
			default:
				joined[i][version] = m.Rename(found.handler, from, to)
			}
		}
	}
	for i, at := range order {
		m.Add(first[at], joined[i])
	}
	return nil
}

// lacksHandler reports whether a handler is nil, or a list has a nil one or none.
func lacksHandler(handler reflect.Value) bool {
	if handler.Kind() != reflect.Slice {
		return !handler.IsValid() || isNil(handler.Interface())
	}
	for i := range handler.Len() {
		if lacksHandler(handler.Index(i)) {
			return true
		}
	}
	return handler.Len() == 0
}

// others returns where others have registered routes with the framework, without those
// that are known.
func (b *Binding) others(known map[place]bool) map[place]bool {
	b.adding.Lock()
	defer b.adding.Unlock()
	others := make(map[place]bool)
	for _, r := range b.router.Routes() {
		if own, _ := r.Plan.(*Registration); own == nil && b.own[placeOf(&r)] == nil && !known[placeOf(&r)] {
			others[placeOf(&r)] = true
		}
	}
	return others
}

// Slots returns, for each place in the longest of the chains, the handlers of the
// versions there, for a framework that calls the handlers of a route one after another.
// The last handler of each chain is in the last place; pass, which only goes on, fills
// up the places before a shorter one. An empty chain has nil handlers.
func Slots[H any](chains map[string][]H, pass H) []Handlers[H] {
	longest := 0
	for _, chain := range chains {
		longest = max(longest, len(chain))
	}
	slots := make([]Handlers[H], longest)
	for i := range slots {
		slots[i] = make(Handlers[H], len(chains))
		for version, chain := range chains {
			switch at := i - longest + len(chain); {
			case len(chain) == 0:
				slots[i][version] = *new(H)
			case at < 0:
				slots[i][version] = pass
			default:
				slots[i][version] = chain[at]
			}
		}
	}
	return slots
}
