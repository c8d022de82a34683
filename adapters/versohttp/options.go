package versohttp

import (
	"fmt"
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
)

// With returns the same mux with options for the routes that are registered with
// what it returns, and for the groups that are made from it:
//
//	mux.Neutral().HandleFunc("GET /health", health)
//	mux.Name("booking-list").Since("v2").HandleFunc("GET /{version}/bookings", listBookings)
//	mux.With(verso.SunsetAt(date)).HandleFunc("GET /{version}/rooms", listRooms)
//
// What is said last counts. Registering panics on options that contradict each
// other or name an unknown version.
func (m *Mux) With(options ...verso.RouteOption) *Mux {
	group := *m
	group.options = slices.Concat(m.options, options)
	return &group
}

// Neutral returns the same mux for version-neutral routes: see [verso.Neutral].
func (m *Mux) Neutral() *Mux { return m.With(verso.Neutral()) }

// Since returns the same mux for routes that a version, and those after it, have:
// see [verso.Since].
func (m *Mux) Since(version string) *Mux { return m.With(verso.Since(version)) }

// RemovedIn returns the same mux for routes that a version, and those after it, do
// not have any more: see [verso.RemovedIn].
func (m *Mux) RemovedIn(version string) *Mux { return m.With(verso.RemovedIn(version)) }

// Choose registers a route that has a handler for each version, and is in the
// versions that have one:
//
//	mux.Choose("GET /{version}/bookings",
//		versohttp.From("v1", listV1),
//		versohttp.From("v3", listV3),
//		versohttp.Removed("v5"))
//
// Each handler counts until the next one, in the order of the API's versions.
func (m *Mux) Choose(pattern string, choices ...verso.Choice[http.HandlerFunc]) {
	handlers, err := verso.NewChoices(m.versioned.api, choices...)
	if err != nil {
		panic(fmt.Errorf("versohttp: route %s: %w", pattern, err))
	}
	m.With(handlers.Option()).HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		handler, _ := handlers.For(resultOf(r)) // a Mux calls it in versions only that have one
		handler(w, r)
	})
}

// From is a handler from a version on: see [Mux.Choose].
func From(version string, handler http.HandlerFunc) verso.Choice[http.HandlerFunc] {
	return verso.From(version, handler)
}

// Removed is no handler from a version on: see [Mux.Choose].
func Removed(version string) verso.Choice[http.HandlerFunc] {
	return verso.Removed[http.HandlerFunc](version)
}

// Explain returns what is configured, what each kind of request gets, the routes
// of the mux, and what may be a mistake: see [verso.Versioning.Explain].
func (m *Mux) Explain() *verso.Explanation { return m.versioned.api.Explain() }
