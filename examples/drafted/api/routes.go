// Drafted from published documents, to be edited; sha256 46fb3065ea4e96acd88ac07f9e4037dec870322f3cba9d7f7496e7035c5281ea

package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/migrate"
)

// Routes registers the operations. TODO: give each its handler.
func Routes(v *versogin.Routes, h *migrate.History) {
	v.Rewrite(h.Route(
		migrate.Returns[[]Booking](),
		migrate.Fails[Problem]("application/problem+json"),
		migrate.Query[ListBookingsParamsQuery](),
	)).GET("/bookings", notImplemented)
	v.Rewrite(h.Route(
		migrate.Accepts[Booking](),
		migrate.Returns[Booking](),
		migrate.Fails[Problem]("application/problem+json"),
		// TODO: older clients get 200 for 201, which came as it went
		changeV2.Status(200, 201),
	)).POST("/bookings", notImplemented)
	v.Rewrite(h.Route(
		migrate.Returns[Booking](),
		migrate.Fails[Problem]("application/problem+json"),
	)).GET("/bookings/:id", notImplemented)
	v.Since("v2").Rewrite(h.Route(
		migrate.Returns[ShowGuestResponse](),
		migrate.Fails[Problem]("application/problem+json"),
	)).GET("/guests/:id", notImplemented)
	v.RemovedIn("v2").Rewrite(h.Route(
		migrate.Returns[[]Room](),
		migrate.Fails[Problem]("application/problem+json"),
	)).GET("/rooms", notImplemented)
}

// notImplemented answers in place of the handlers.
func notImplemented(c *gin.Context) {
	c.String(http.StatusNotImplemented, "not implemented")
}
