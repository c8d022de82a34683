package api

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/goverso/verso/examples/bookings/store"
)

// Booking is a booking.
type Booking struct {
	ID        int64  `json:"id"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Room      string `json:"room"`
	Nights    int    `json:"nights"`
	Self      string `json:"self,omitempty"`
}

// split and join are how a guest's name was in v2.
func split(name string) (first, last string, err error) {
	first, last, _ = strings.Cut(name, " ")
	return first, last, nil
}

func join(first, last string) (string, error) { return strings.TrimSpace(first + " " + last), nil }

// Encode returns a booking, with the link to itself.
func Encode(b store.Booking, self string) Booking {
	return Booking{b.ID, b.FirstName, b.LastName, b.Room, b.Nights, self}
}

// Decode reads a booking. The error is ErrMalformed, or that of a body that is not of
// its version.
func Decode(body io.Reader) (store.Booking, error) {
	var b Booking
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return store.Booking{}, ErrMalformed
	}
	return store.Booking{FirstName: b.FirstName, LastName: b.LastName, Room: b.Room, Nights: b.Nights}, nil
}
