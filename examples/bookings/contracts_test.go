package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/migrate/migratetest"
)

// The contracts of v1 and v2 never change: their types, their routes, and what a booking is
// in them.
func TestContracts(t *testing.T) {
	for name, mount := range frameworks {
		t.Run(name, func(t *testing.T) {
			service, err := api.New(api.Config{Log: slog.New(slog.DiscardHandler), Clock: time.Now, Origin: "http://example.com"})
			require.NoError(t, err)
			_, explanation := mount(service)
			migratetest.Frozen(t, service.History, "testdata/contracts.json", explanation)
			migratetest.Examples(t, service.History, "testdata/examples.json", map[string]any{
				"booking": api.Booking{ID: 7, FirstName: "Ada", LastName: "Lovelace", Room: "blue", Nights: 2},
				"invoice": api.Invoice{Booking: 7, Total: api.Money{Amount: 180, Currency: "EUR"}},
				"problem": api.Problem(404, "no booking has this ID"),
			})
		})
	}
}

func TestChangelog(t *testing.T) {
	service, err := api.New(api.Config{Log: slog.New(slog.DiscardHandler), Clock: time.Now, Origin: "http://example.com"})
	require.NoError(t, err)
	var text strings.Builder
	_, explanation := frameworks["Gin"](service)
	require.NoError(t, service.History.Changelog(explanation).Markdown(&text))
	assert.Equal(t, strings.ReplaceAll(`## v3

- A guest has a first and a last name. **Breaking.**
  - 'Booking': "guest_name" is now "first_name" and "last_name".
  - In 'GET /bookings', 'POST /bookings', 'GET /bookings/{id}', 'PUT /bookings/{id}'.
- An invoice says its currency. **Breaking.**
  - 'Invoice': "total" was integer.
  - In 'GET /bookings/{id}/invoice'.
- Errors are problem details. **Breaking.**
  - 'Problem': it was ErrorV1, of type application/json.
  - In 'GET /bookings', 'POST /bookings', 'GET /bookings/{id}', 'PUT /bookings/{id}', 'DELETE /bookings/{id}', 'GET /bookings/{id}/invoice', 'GET /openapi.json'.
- POST /bookings/{id}/confirm is removed. **Breaking.**

## v2

- A guest is a guest_name. **Breaking.**
  - 'Booking': "guest" is now named "guest_name".
  - In 'GET /bookings', 'POST /bookings', 'GET /bookings/{id}', 'PUT /bookings/{id}', 'POST /bookings/{id}/confirm'.
- GET /bookings/{id}/invoice is new.

## v1

Deprecated since 30 June 2026. Sunset on 31 January 2027. Move to v3.
`, "'", "`"), text.String())
}
