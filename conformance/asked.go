package conformance

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// asking returns the mount with the options of the run, which notes what each application asks
// of it. A mount ignores a field that it does not know without a complaint, and the check then
// fails for a reason that its author cannot see. The notes lead from the failure to the field.
func (r *run) asking(mount Mount, asked *fields) Mount {
	return func(tb testing.TB, app App) *Server {
		tb.Helper()
		// Some applications are about a service without Middleware.
		if !app.alone {
			app.Middleware = max(app.Middleware, r.middleware)
		}
		app.Routes = slices.Clone(app.Routes)
		for i := range app.Routes {
			route := &app.Routes[i]
			route.Foreign = route.Foreign || r.foreign != nil && r.foreign(route)
			// The routes are copied before, since checks share them.
			asked.guard(route)
		}
		asked.note(app)
		return mount(tb, app)
	}
}

// isBare reports whether a route has nothing that a framework could not do itself. It compares
// with the zero value, so that a field added later makes a route count as more than bare.
func (r *Route) isBare() bool {
	said := *r
	said.Method, said.Namespace, said.Name, said.Pattern, said.Handle = "", "", "", "", nil
	return len(said.Options) == 0 && reflect.ValueOf(said).IsZero()
}

// fields are the fields of an [App], and of what it consists of, that are set. Both sets are
// needed: the last one explains a failure, all of them show at the end which parts of the suite
// were never tried.
type fields struct {
	last, all map[string]bool
	unset     sync.Map // functions that the mount has not set, by name
}

// guard has the handlers of a route fail when the mount has not set a function of a [Call].
// Otherwise the call of a nil function would panic in a handler, which frameworks recover and
// turn into a bare 500.
func (f *fields) guard(r *Route) {
	of := func(handle func(Call) Response) func(Call) Response {
		// A removal stays a removal.
		if handle == nil {
			return nil
		}
		return func(call Call) Response {
			if f.hasUnset(call) {
				return Response{Err: errors.New("a field of the Call is not set")}
			}
			return handle(call)
		}
	}
	r.Handle, r.Handlers = of(r.Handle), maps.Clone(r.Handlers)
	for version, handle := range r.Handlers {
		r.Handlers[version] = of(handle)
	}
}

// hasUnset notes the functions of a struct that are nil. Reflection finds functions that are
// added to Call later, too.
func (f *fields) hasUnset(of any) (unset bool) {
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		if value := v.Field(i); value.Kind() == reflect.Func && value.IsNil() {
			f.unset.Store(v.Type().Name()+"."+v.Type().Field(i).Name, true)
			unset = true
		}
	}
	return unset
}

// implied are the fields that each application has, or that need nothing of a mount. Naming
// them in each failure would hide the fields that matter.
var implied = []string{"App.API", "App.Routes", "Route.Method", "Route.Pattern", "Route.Handle", "Group.Within"}

// note notes the fields of an application.
func (f *fields) note(app App) {
	f.last = make(map[string]bool)
	walk(reflect.ValueOf(app), func(name string, set bool) {
		if set {
			f.last[name] = true
		}
	})
	if f.all == nil {
		f.all = make(map[string]bool)
	}
	maps.Copy(f.all, f.last)
}

// never returns the fields that no application had. An application with one value of each kind
// shows walk all fields that exist.
func (f *fields) never() (names []string) {
	each := App{Routes: make([]Route, 1), Mounts: []Mounted{{new(Group), map[string]*MountedVersion{"": {}}}}}
	walk(reflect.ValueOf(each), func(name string, _ bool) {
		if !f.all[name] {
			names = append(names, name)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// name adds to an error the fields of the last application, which its mount may have
// overlooked. It clears the functions, which belong to one check only.
func (f *fields) name(err error) error {
	f.unset.Range(func(name, _ any) bool {
		err = errors.Join(err, fmt.Errorf("the mount does not set %s", name))
		return true
	})
	f.unset.Clear()
	if err == nil || len(f.last) == 0 {
		return err
	}
	return fmt.Errorf("%w\nthe mount was asked for: %s", err, strings.Join(slices.Sorted(maps.Keys(f.last)), ", "))
}

// walk calls visit for the exported fields of the values of this package within a value. Values
// of other packages, such as a TLS configuration, are the mount's to pass on as they are.
func walk(value reflect.Value, visit func(name string, set bool)) {
	switch value.Kind() {
	case reflect.Slice:
		for i := range value.Len() {
			walk(value.Index(i), visit)
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			walk(value.MapIndex(key), visit)
		}
	case reflect.Pointer:
		walk(value.Elem(), visit)
	case reflect.Struct:
		of := value.Type()
		if of.PkgPath() != reflect.TypeFor[App]().PkgPath() {
			return
		}
		for i := range of.NumField() {
			if field := of.Field(i); field.IsExported() {
				if name := of.Name() + "." + field.Name; !slices.Contains(implied, name) {
					visit(name, !value.Field(i).IsZero())
				}
				walk(value.Field(i), visit)
			}
		}
	}
}
