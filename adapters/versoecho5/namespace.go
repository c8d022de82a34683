package versoecho5

import (
	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/core/route"
)

// RouteAdder is what routes are added to: an [*echo.Echo], an [*echo.Group], or
// one of them in a [Namespace].
type RouteAdder interface {
	AddRoute(route echo.Route) (echo.RouteInfo, error)
}

var (
	_ RouteAdder = (*echo.Echo)(nil)
	_ RouteAdder = (*echo.Group)(nil)
)

// Namespace returns a RouteAdder that adds routes in a namespace, which it puts
// before their names: a route named "user-list" becomes "v1:user-list". It
// nests: in a namespace "api", a namespace "v1" makes "api:v1:user-list".
// Routes named by their own full name need no such call.
//
//	func users(routes versoecho5.RouteAdder) error {
//		_, err := routes.AddRoute(echo.Route{Method: http.MethodGet, Path: "/users", Name: "user-list", Handler: listUsers})
//		return err
//	}
//
//	users(versoecho5.Namespace(e.Group("/v1"), "v1"))
//	users(versoecho5.Namespace(e.Group("/v2"), "v2"))
//
// It panics when namespace is empty.
func Namespace(routes RouteAdder, namespace string) RouteAdder {
	if namespace == "" {
		panic("versoecho5: Namespace needs a name, such as \"v1\"")
	}
	return namespaced{routes, namespace}
}

// namespaced adds routes in a namespace.
type namespaced struct {
	routes    RouteAdder
	namespace string
}

func (n namespaced) AddRoute(added echo.Route) (echo.RouteInfo, error) {
	added.Name = route.Join(n.namespace, added.Name)
	return n.routes.AddRoute(added)
}
