package versoecho

import (
	"fmt"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
)

// Route says more of a registered route, and returns it:
//
//	v.Route(e.GET("/health", health), verso.Neutral())
//	v.Route(e.GET("/:version/bookings", listBookings), verso.Since("v2")).Name = "booking-list"
//
// Like all methods that say something of routes, it panics on options that
// contradict each other or name an unknown version.
func (v *Routes) Route(registered *echo.Route, options ...verso.RouteOption) *echo.Route {
	v.say(registered, options)
	return registered
}

// With says the same of all routes that register adds to e. What [Routes.Route]
// says of one of them counts before it. Calls nest.
func (v *Routes) With(e *echo.Echo, register func(), options ...verso.RouteOption) {
	for registered := range added(e, register) {
		v.say(registered, options)
	}
}

// Choose registers a route that has a handler for each version, and is in the
// versions that have one. add is a method of Echo or of a group:
//
//	v.Choose(e.GET, "/:version/bookings",
//		versoecho.From("v1", listV1),
//		versoecho.From("v3", listV3),
//		versoecho.Removed("v5"))
//
// Each handler counts until the next one, in the order of the API's versions.
func (v *Routes) Choose(add func(path string, handler echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route,
	path string, choices ...verso.Choice[echo.HandlerFunc],
) *echo.Route {
	handlers, err := verso.NewChoices(v.api, choices...)
	if err != nil {
		panic(fmt.Errorf("versoecho: route %s: %w", path, err))
	}
	return v.Route(add(path, func(c echo.Context) error {
		handler, ok := handlers.For(resultOf(c))
		if !ok {
			return fmt.Errorf("versoecho: route %s has no handler for version %q: install the middleware before it", path, Version(c))
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

// say adds options to those of a route, which count before them.
func (v *Routes) say(registered *echo.Route, options []verso.RouteOption) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := append(slices.Clone(options), v.options[registered]...)
	plan, err := v.api.Plan(all...)
	if err != nil {
		panic(fmt.Errorf("versoecho: route %s %s: %w", registered.Method, registered.Path, err))
	}
	v.options[registered], v.plans[registered] = all, plan
}

// planOf returns what was said of a route, nil for nothing. v.mu is held.
func (v *Routes) planOf(registered *echo.Route) any {
	if plan := v.plans[registered]; plan != nil {
		return plan
	}
	if slices.Contains(v.config.Neutral, registered.Path) {
		return v.neutral
	}
	return nil
}

// nameOf returns the name that a route was given, with its namespace. The one that
// Echo gives a route, which is that of its handler, is left out.
func nameOf(registered *echo.Route) string {
	namespace := registered.Name[:strings.LastIndexByte(registered.Name, ':')+1]
	name := registered.Name[len(namespace):]
	if strings.HasPrefix(name, "main.") || strings.ContainsAny(name, "/(") {
		return namespace
	}
	return registered.Name
}
