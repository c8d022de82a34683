package versoecho5

import "reflect"

// ServesHead reports whether a route for GET serves HEAD, as [echo.RouterConfig] has it, which a router does not
// report.
func (r *router) ServesHead() bool {
	of := reflect.ValueOf(r.echo.Router())
	if within := reflect.Indirect(of); within.Kind() == reflect.Struct {
		if inner := within.FieldByName("router"); inner.Kind() == reflect.Interface { // of a concurrent one
			of = inner.Elem()
		}
	}
	if of = reflect.Indirect(of); of.Kind() != reflect.Struct {
		return false
	}
	serves := of.FieldByName("autoHandleHEAD")
	return serves.Kind() == reflect.Bool && serves.Bool()
}
