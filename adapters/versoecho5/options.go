package versoecho5

import (
	"fmt"
	"slices"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
)

// Route says more of a registered route, and returns it:
//
//	v.Route(e.GET("/health", health), verso.Neutral())
//	v.Route(e.GET("/:version/bookings", listBookings), verso.Since("v2"))
//
// Like all methods that say something of routes, it panics on options that
// contradict each other or name an unknown version.
func (v *Routes) Route(registered echo.RouteInfo, options ...verso.RouteOption) echo.RouteInfo {
	v.mu.Lock()
	defer v.mu.Unlock()
	key := keyOf(registered)
	all := append(slices.Clone(options), v.options[key]...)
	plan, err := v.api.Plan(all...)
	if err != nil {
		panic(fmt.Errorf("versoecho5: route %s %s: %w", key.method, key.path, err))
	}
	v.options[key], v.plans[key] = all, plan
	if s := v.latest.Swap(nil); s != nil { // made before this was said
		delete(v.all, s.echo)
	}
	return registered
}

// With returns a RouteAdder that says the same of all routes that it adds. What
// [Routes.Route] says of one of them counts before it. It nests, also with
// [Routes.Namespace].
func (v *Routes) With(routes RouteAdder, options ...verso.RouteOption) RouteAdder {
	return optioned{v, routes, options}
}

type optioned struct {
	v       *Routes
	routes  RouteAdder
	options []verso.RouteOption
}

func (o optioned) AddRoute(added echo.Route) (echo.RouteInfo, error) {
	info, err := o.routes.AddRoute(added)
	if err == nil {
		o.v.Route(info, o.options...)
	}
	return info, err
}

// Choose registers a route that has a handler for each version, and is in the
// versions that have one. add is a method of Echo or of a group:
//
//	v.Choose(e.GET, "/:version/bookings",
//		versoecho5.From("v1", listV1),
//		versoecho5.From("v3", listV3),
//		versoecho5.Removed("v5"))
//
// Each handler counts until the next one, in the order of the API's versions.
func (v *Routes) Choose(add func(path string, handler echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo,
	path string, choices ...verso.Choice[echo.HandlerFunc],
) echo.RouteInfo {
	handlers, err := verso.NewChoices(v.api, choices...)
	if err != nil {
		panic(fmt.Errorf("versoecho5: route %s: %w", path, err))
	}
	return v.Route(add(path, func(c *echo.Context) error {
		handler, ok := handlers.For(resultOf(c))
		if !ok {
			return fmt.Errorf("versoecho5: route %s has no handler for version %q: install the middleware before it", path, Version(c))
		}
		return handler(c)
	}), handlers.Option())
}

// From is a handler from a version on: see [Routes.Choose].
func From(version string, handler echo.HandlerFunc) verso.Choice[echo.HandlerFunc] {
	return verso.From(version, handler)
}

// Removed is no handler from a version on: see [Routes.Choose].
func Removed(version string) verso.Choice[echo.HandlerFunc] {
	return verso.Removed[echo.HandlerFunc](version)
}

// routeKey is what Echo knows a route by.
type routeKey struct{ method, path string }

func keyOf(info echo.RouteInfo) routeKey {
	r := routeOf(info)
	return routeKey{r.Method, r.Path}
}

// planOf returns what was said of a route, nil for nothing. v.mu is held.
func (v *Routes) planOf(info echo.RouteInfo) any {
	key := keyOf(info)
	if plan := v.plans[key]; plan != nil {
		return plan
	}
	if slices.Contains(v.config.Neutral, key.path) {
		return v.neutral
	}
	return nil
}
