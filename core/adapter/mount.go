package adapter

import (
	"reflect"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/route"
)

// RouteJoiner joins the routes that several versions register on the same paths, for the
// RegisterVersions of an adapter. R is the router of the framework that generated code takes, H a
// handler of the framework, or a list of handlers.
type RouteJoiner[R, H any] struct {
	// Record calls register with a router that only records routes, and then
	// note for each of them.
	Record func(register func(R), note func(r route.Route, handler H))

	// Rename returns a handler for which the path parameters named from have
	// the names to.
	// Optional. Default value: nil, the names must be the same in all versions.
	Rename func(handler H, from, to []string) H

	// Add registers a route, as described by the first version that has it,
	// with the handlers of its versions. The zero H means that a version does
	// not have the route.
	Add func(first route.Route, handlers map[string]H)
}

// Join calls the functions of the versions in their order, and adds a route with a
// handler for each version for each host, method and path, whatever the names of its path
// parameters. As in [verso.Handlers], a function applies until the next version in the map, nil
// means that the version does not have the routes, and "" is for requests without a
// version. A handler registered for any method in one version also serves the methods
// that other versions register.
//
// The errors are [*verso.Finding]s: those of [Picker], mount_empty for a function
// that registers nothing with its router, mount_escapes for a route that it registers
// with the framework itself or with the routes around, mount_nil for a route without a handler, mount_twice for
// two routes of one path, and mount_names if names differ and the framework cannot
// change them.
func (m RouteJoiner[R, H]) Join(b *Binding, versions map[string]func(R)) error {
	if _, _, err := Picker(verso.Handlers[func(R)](versions), b); err != nil {
		return err
	}
	j := &joining[R, H]{RouteJoiner: m, binding: b, before: b.routes.foreign(nil),
		recorded: make(map[string]map[place]recordedRoute[H]), first: make(map[place]route.Route)}
	for _, version := range slices.Concat(b.api.Catalogue.Versions(), []string{""}) {
		register, ok := versions[version]
		if !ok {
			continue
		}
		j.versions = append(j.versions, version)
		if err := j.record(version, register); err != nil {
			return err
		}
	}
	joined := make([]map[string]H, len(j.order))
	for i, at := range j.order {
		var err error
		if joined[i], err = j.handlers(at); err != nil {
			return err
		}
	}
	for i, at := range j.order {
		m.Add(j.first[at], joined[i])
	}
	return nil
}

// joining is one call of [RouteJoiner.Join].
type joining[R, H any] struct {
	RouteJoiner[R, H]
	binding  *Binding
	before   map[place]bool // the routes of other code
	versions []string       // that have a function, in their order
	recorded map[string]map[place]recordedRoute[H]
	first    map[place]route.Route // as the first version registers it
	order    []place
}

type recordedRoute[H any] struct {
	route   route.Route
	handler H
}

// record records the routes that a version registers.
func (j *joining[R, H]) record(version string, register func(R)) (err error) {
	own := make(map[place]recordedRoute[H])
	j.recorded[version] = own
	if register == nil {
		return nil
	}
	escapes := j.binding.Recorded(func() {
		j.Record(register, func(r route.Route, handler H) {
			at := place{r.Host, r.Method, r.Pattern.Shape()}
			if _, twice := own[at]; twice {
				err = finding.Mistake(codes.MountTwice, version, r.Method, r.Path)
			}
			if lacksHandler(reflect.ValueOf(handler)) {
				err = finding.Mistake(codes.MountNil, version, r.Method, r.Path)
			}
			if _, ok := j.first[at]; !ok {
				j.first[at], j.order = r, append(j.order, at)
			}
			own[at] = recordedRoute[H]{r, handler}
		})
	})
	for escaped := range j.binding.routes.foreign(j.before) {
		err = finding.Mistake(codes.MountEscapes, version, escaped.method, escaped.path)
	}
	switch {
	case escapes != nil:
		return escapes
	case err == nil && len(own) == 0:
		return finding.Mistake(codes.MountEmpty, version)
	}
	return err
}

// Recorded calls a function that registers routes with its argument. The error, a [*verso.Finding], is mount_escapes
// for a route that it registers with b instead.
func (b *Binding) Recorded(register func()) error {
	before := b.routes.last()
	register()
	if last := b.routes.last(); last != before {
		return finding.Mistake(codes.MountEscapesInto, last.given.Method, last.given.Path)
	}
	return nil
}

// handlers returns the handlers of a route by version.
func (j *joining[R, H]) handlers(at place) (map[string]H, error) {
	handlers, first := make(map[string]H), j.first[at]
	for _, version := range j.versions {
		found, ok := j.recorded[version][at]
		if !ok {
			found, ok = j.recorded[version][place{at.host, "", at.path}]
		}
		from, to := first.Pattern.Params(), found.route.Pattern.Params()
		switch {
		case !ok && (version == "" || len(handlers) == 0): // it is not there yet
		case !ok || slices.Equal(from, to):
			handlers[version] = found.handler
		case j.Rename == nil:
			return nil, finding.Mistake(codes.MountNames, first.Path, found.route.Path)
		default:
			handlers[version] = j.Rename(found.handler, from, to)
		}
	}
	return handlers, nil
}

// lacksHandler reports whether a handler is nil, or a list that is empty or contains nil.
func lacksHandler(handler reflect.Value) bool {
	if handler.Kind() != reflect.Slice {
		return !handler.IsValid() || nils.Is(handler.Interface())
	}
	for i := range handler.Len() {
		if lacksHandler(handler.Index(i)) {
			return true
		}
	}
	return handler.Len() == 0
}
