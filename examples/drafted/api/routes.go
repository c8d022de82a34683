// Drafted from published documents, to be edited; sha256 064f88a4e9a5fbddfbf93b7bb5604a9eca3a09e9a0eaacb7988969ed209f2481

package api

import (
	"net/http"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/migrate"
)

// Routes registers the operations. TODO: give each its handler.
func Routes(v *versochi.Routes, h *migrate.History) {
	v.Rewrite(h.Route(migrate.Returns[[]Booking](), migrate.Fails[Problem]("application/problem+json"), migrate.Query[ListBookingsParamsQuery]())).MethodFunc("GET", "/bookings", notImplemented)
	// TODO: older clients get 200 for 201, which came as it went
	v.Rewrite(h.Route(migrate.Accepts[Booking](), migrate.Returns[Booking](), migrate.Fails[Problem]("application/problem+json"), changeV2.Status(200, 201))).MethodFunc("POST", "/bookings", notImplemented)
	v.Rewrite(h.Route(migrate.Returns[Booking](), migrate.Fails[Problem]("application/problem+json"))).MethodFunc("GET", "/bookings/{id}", notImplemented)
	v.Since("v2").Rewrite(h.Route(migrate.Returns[ShowGuestResponse](), migrate.Fails[Problem]("application/problem+json"))).MethodFunc("GET", "/guests/{id}", notImplemented)
	v.RemovedIn("v2").Rewrite(h.Route(migrate.Returns[[]RoomOfV1](), migrate.Fails[Problem]("application/problem+json"))).MethodFunc("GET", "/rooms", notImplemented)
}

// notImplemented answers in place of the handlers.
func notImplemented(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "not implemented", http.StatusNotImplemented)
}
