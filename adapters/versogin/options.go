package versogin

import (
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
)

// With returns the same group with options for the routes that are registered
// with what it returns, and for the groups that are made from it:
//
//	v.Neutral().GET("/health", health)
//	v.Name("booking-list").Since("v2").GET("/:version/bookings", listBookings)
//	v.With(verso.SunsetAt(date)).GET("/:version/rooms", listRooms)
//
// What is said last counts. Registering panics on options that contradict each
// other or name an unknown version.
func (r *Routes) With(options ...verso.RouteOption) *Routes {
	group := *r
	group.options = slices.Concat(group.options, options)
	return &group
}

// Neutral returns the same group for version-neutral routes: see [verso.Neutral].
func (r *Routes) Neutral() *Routes { return r.With(verso.Neutral()) }

// Since returns the same group for routes that a version, and those after it,
// have: see [verso.Since].
func (r *Routes) Since(version string) *Routes { return r.With(verso.Since(version)) }

// RemovedIn returns the same group for routes that a version, and those after it,
// do not have any more: see [verso.RemovedIn].
func (r *Routes) RemovedIn(version string) *Routes { return r.With(verso.RemovedIn(version)) }

// Choose registers a route that has a handler for each version, and is in the
// versions that have one:
//
//	v.Choose(http.MethodGet, "/:version/bookings",
//		versogin.From("v1", listV1),
//		versogin.From("v3", listV3),
//		versogin.Removed("v5"))
//
// Each handler counts until the next one, in the order of the API's versions.
func (r *Routes) Choose(method, relativePath string, choices ...verso.Choice[gin.HandlerFunc]) gin.IRoutes {
	handlers, err := verso.NewChoices(r.middleware.api, choices...)
	if err != nil {
		panic(fmt.Errorf("versogin: route %s %s: %w", method, relativePath, err))
	}
	return r.With(handlers.Option()).Handle(method, relativePath, func(c *gin.Context) {
		result, _ := resultOf(c)
		handler, ok := handlers.For(result)
		if !ok {
			_ = c.AbortWithError(500, fmt.Errorf("versogin: route %s has no handler for version %q: install the middleware before it", c.FullPath(), Version(c)))
			return
		}
		handler(c)
	})
}

// From is a handler from a version on: see [Routes.Choose].
func From(version string, handler gin.HandlerFunc) verso.Choice[gin.HandlerFunc] {
	return verso.From(version, handler)
}

// Removed is no handler from a version on: see [Routes.Choose].
func Removed(version string) verso.Choice[gin.HandlerFunc] {
	return verso.Removed[gin.HandlerFunc](version)
}

// Explain returns what is configured, what each kind of request gets, the routes
// that were registered with r, and what may be a mistake: see
// [verso.Versioning.Explain].
func (r *Routes) Explain() *verso.Explanation { return r.middleware.api.Explain() }
