package versoecho

import (
	"net/http"
	"unsafe"

	"github.com/labstack/echo/v4"
)

// methodOf returns the method of a request as [verso.Binding.Lookup] wants it. A middleware
// may have set it to OPTIONS, and Echo does not tell that of the route that it has matched,
// but each route has a handler of its own, and finding the route again tells that for OPTIONS.
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
	if identity(found.Handler()) != identity(c.Handler()) {
		return "-"
	}
	return request.Method
}

// identity returns what two handlers have in common only if they are one: the function
// together with what it has captured.
func identity(handler echo.HandlerFunc) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&handler))
}
