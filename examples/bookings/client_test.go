package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/client"
)

// bookingV1 is what a client of v1 reads.
type bookingV1 struct {
	ID     int64  `json:"id"`
	Guest  string `json:"guest"`
	Room   string `json:"room"`
	Nights int    `json:"nights"`
	Self   string `json:"self,omitempty"`
}

// TestClient calls the service in v1, which is deprecated: the client logs it
// once. When v1 has ended, it logs that, and the call is an error.
func TestClient(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "")
			var log bytes.Buffer
			c, err := client.New[bookingV1](s.URL, s.token, verso.V("v1"), slog.New(slog.NewTextHandler(&log, nil)))
			require.NoError(t, err)
			for _, guest := range []string{"Ada Lovelace", "Alan Turing", "Grace Hopper"} {
				created, err := c.Create(t.Context(), bookingV1{Guest: guest, Room: "1", Nights: 1})
				require.NoError(t, err)
				assert.Equal(t, guest, created.Guest)
			}
			var guests []string
			for b, err := range c.All(t.Context()) {
				require.NoError(t, err)
				guests = append(guests, b.Guest)
			}
			assert.Equal(t, []string{"Ada Lovelace", "Alan Turing", "Grace Hopper"}, guests, "of two pages")
			assert.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
			assert.Contains(t, log.String(), "2027-01-31")

			s.clock.Set(ended)
			for _, err := range c.All(t.Context()) {
				require.ErrorContains(t, err, "410 Gone")
			}
			assert.Equal(t, 1, strings.Count(log.String(), "level=ERROR"), log.String())
		})
	}
}

// TestClientKeepsItsToken follows a link to another host nowhere: the token is not
// for it.
func TestClientKeepsItsToken(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"items":[],"next":"http://evil.example/bookings"}`))
	}))
	defer s.Close()
	c, err := client.New[api.Booking](s.URL, "token", verso.V("v3"), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	for _, err := range c.All(t.Context()) {
		require.ErrorContains(t, err, "another host")
	}
}
