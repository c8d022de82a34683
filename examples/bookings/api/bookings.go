package api

import (
	"encoding/json"
	"io"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/store"
)

// BookingV1 is a booking in v1.
type BookingV1 struct {
	ID     int64  `json:"id"`
	Guest  string `json:"guest"`
	Room   string `json:"room"`
	Nights int    `json:"nights"`
	Self   string `json:"self,omitempty"`
}

// BookingV2 is a booking in v2, which renames a field.
type BookingV2 struct {
	ID        int64  `json:"id"`
	GuestName string `json:"guest_name"`
	Room      string `json:"room"`
	Nights    int    `json:"nights"`
	Self      string `json:"self,omitempty"`
}

// BookingV3 is a booking in v3, which splits it in two.
type BookingV3 struct {
	ID        int64  `json:"id"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Room      string `json:"room"`
	Nights    int    `json:"nights"`
	Self      string `json:"self,omitempty"`
}

// representation is a booking as a version has it.
type representation interface {
	set(b store.Booking, self string)
	booking() store.Booking
}

var representations = map[verso.Version]func() representation{
	verso.V("v1"): func() representation { return new(BookingV1) },
	verso.V("v2"): func() representation { return new(BookingV2) },
	verso.V("v3"): func() representation { return new(BookingV3) },
}

func (r *BookingV1) set(b store.Booking, self string) {
	*r = BookingV1{b.ID, fullName(b), b.Room, b.Nights, self}
}

func (r *BookingV1) booking() store.Booking { return named(r.Guest, r.Room, r.Nights) }

func (r *BookingV2) set(b store.Booking, self string) {
	*r = BookingV2{b.ID, fullName(b), b.Room, b.Nights, self}
}

func (r *BookingV2) booking() store.Booking { return named(r.GuestName, r.Room, r.Nights) }

func (r *BookingV3) set(b store.Booking, self string) {
	*r = BookingV3{b.ID, b.FirstName, b.LastName, b.Room, b.Nights, self}
}

func (r *BookingV3) booking() store.Booking {
	return store.Booking{FirstName: r.FirstName, LastName: r.LastName, Room: r.Room, Nights: r.Nights}
}

func fullName(b store.Booking) string { return strings.TrimSpace(b.FirstName + " " + b.LastName) }

func named(name, room string, nights int) store.Booking {
	first, last, _ := strings.Cut(name, " ")
	return store.Booking{FirstName: first, LastName: last, Room: room, Nights: nights}
}

// Encode returns a booking as a version has it, with the link to itself.
func Encode(v verso.Version, b store.Booking, self string) any {
	r := representations[v]()
	r.set(b, self)
	return r
}

// Decode reads a booking as a version has it. The error is ErrMalformed.
func Decode(v verso.Version, body io.Reader) (store.Booking, error) {
	r := representations[v]()
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(r); err != nil {
		return store.Booking{}, ErrMalformed
	}
	return r.booking(), nil
}
