package versoecho5

import (
	"unsafe"

	"github.com/labstack/echo/v5"
)

// identity returns a pointer that is equal only for the same function value: the
// function together with what it has captured.
func identity[F echo.HandlerFunc | echo.MiddlewareFunc](f F) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&f))
}

// seen is what identifies the handler of a route and its middleware.
type seen struct {
	handler    any
	middleware []any
}

func seenIn(r *echo.Route) *seen {
	s := &seen{handler: identity(r.Handler)}
	for _, m := range r.Middlewares {
		s.middleware = append(s.middleware, identity(m))
	}
	return s
}
