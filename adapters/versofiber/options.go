package versofiber

import (
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v3"

	verso "github.com/goverso/verso/core"
)

// With returns the same router with options for the routes that are registered
// with what it returns, and for the groups that are made from it:
//
//	v.Neutral().Get("/health", health)
//	v.Since("v2").Get("/:version/bookings", listBookings).Name("booking-list")
//	v.With(verso.SunsetAt(date)).Get("/:version/rooms", listRooms)
//
// What is said last counts. Registering panics on options that contradict each
// other or name an unknown version.
func (r *Router) With(options ...verso.RouteOption) *Router {
	router := *r
	router.options = slices.Concat(r.options, options)
	return &router
}

// Neutral returns the same router for version-neutral routes: see
// [verso.Neutral].
func (r *Router) Neutral() *Router { return r.With(verso.Neutral()) }

// Since returns the same router for routes that a version, and those after it,
// have: see [verso.Since].
func (r *Router) Since(version string) *Router { return r.With(verso.Since(version)) }

// RemovedIn returns the same router for routes that a version, and those after it,
// do not have any more: see [verso.RemovedIn].
func (r *Router) RemovedIn(version string) *Router { return r.With(verso.RemovedIn(version)) }

// Choose registers a route that has a handler for each version, and is in the
// versions that have one:
//
//	v.Choose("GET", "/:version/bookings",
//		versofiber.From("v1", listV1),
//		versofiber.From("v3", listV3),
//		versofiber.Removed("v5"))
//
// Each handler counts until the next one, in the order of the API's versions.
func (r *Router) Choose(method, path string, choices ...verso.Choice[fiber.Handler]) *Router {
	handlers, err := verso.NewChoices(r.verso.api, choices...)
	if err != nil {
		panic(fmt.Errorf("versofiber: route %s %s: %w", method, path, err))
	}
	return r.With(handlers.Option()).on(method, path, []any{func(c fiber.Ctx) error {
		handler, _ := handlers.For(resultOf(c)) // called in versions only that have one
		return handler(c)
	}})
}

// From is a handler from a version on: see [Router.Choose].
func From(version string, handler fiber.Handler) verso.Choice[fiber.Handler] {
	return verso.From(version, handler)
}

// Removed is no handler from a version on: see [Router.Choose].
func Removed(version string) verso.Choice[fiber.Handler] {
	return verso.Removed[fiber.Handler](version)
}

// Explain returns what is configured, what each kind of request gets, the routes
// of the app, and what may be a mistake: see [verso.Versioning.Explain].
func (r *Router) Explain() *verso.Explanation { return r.verso.api.Explain() }
