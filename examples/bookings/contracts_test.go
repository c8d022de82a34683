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
			})
		})
	}
}

func TestChangelog(t *testing.T) {
	service, err := api.New(api.Config{Log: slog.New(slog.DiscardHandler), Clock: time.Now, Origin: "http://example.com"})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, service.History.Changelog(&text))
	assert.Equal(t, `## v3

- A guest has a first and a last name.
  - `+"`Booking`"+`: "guest_name" is now "first_name" and "last_name".
- An invoice says its currency.
  - `+"`Invoice`"+`: "total" was integer.
- Errors are problem details.
  - `+"`Problem`"+`: it was ErrorV1, of type application/json.

## v2

- A guest is a guest_name.
  - `+"`Booking`"+`: "guest" is now named "guest_name".

## v1
`, text.String())
}
