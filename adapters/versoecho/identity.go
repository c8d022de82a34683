package versoecho

import (
	"net/http"
	"reflect"
	"unsafe"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/core/adapter"
)

// methodOf returns the method of a request as [adapter.Binding.Lookup] wants it. A middleware
// may have set it to OPTIONS, and Echo does not report the method of the matched route. But
// each route has a handler of its own, so finding the route again identifies it for
// OPTIONS.
func (r *router) methodOf(c echo.Context) string {
	request := c.Request()
	if request.Method != http.MethodOptions {
		return request.Method
	}
	of, ok := r.echo.Routers()[request.Host]
	if !ok {
		of = r.echo.Router()
	}
	found := r.echo.AcquireContext()
	defer r.echo.ReleaseContext(found)
	found.Reset(request, nil)
	of.Find(http.MethodOptions, echo.GetPath(request), found)
	if adapter.Identity(found.Handler()) != adapter.Identity(c.Handler()) {
		return "-"
	}
	return request.Method
}

// isChecked reports whether the route that Echo has matched has a check, by the pattern
// that Echo reports. Nothing else identifies it: the method and the host of a request may
// be those that a middleware has set, and routes of one path have equal patterns. But Echo
// returns the string that a route was registered with, and Routes registers copies.
func (r *router) isChecked(pattern string) bool {
	only, ok := r.paths.Load(identityOf(pattern))
	return ok && only.(bool)
}

// identityOf returns the address of a pattern's text, which is equal for one string only.
func identityOf(pattern string) *byte { return unsafe.StringData(pattern) }

// fieldOf returns an unexported field of a group: Echo has no method for it.
func fieldOf(group *echo.Group, name string) reflect.Value {
	return reflect.ValueOf(group).Elem().FieldByName(name)
}
