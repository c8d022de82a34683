package api

import "github.com/goverso/verso/examples/bookings/store"

// Invoice is an invoice. There are invoices since v2.
type Invoice struct {
	Booking int64 `json:"booking"`
	Total   Money `json:"total"`
}

// Money is an amount in a currency.
type Money struct {
	Amount   int    `json:"amount"`
	Currency string `json:"currency"` // ISO 4217
}

// euros and amount are how a total was in v2.
func euros(amount int) (Money, error) { return Money{amount, "EUR"}, nil }
func amount(m Money) (int, error)     { return m.Amount, nil }

// pricePerNight is what a night costs, in euros.
const pricePerNight = 100

// NewInvoice returns the invoice of a booking.
func NewInvoice(b store.Booking) Invoice {
	return Invoice{b.ID, Money{b.Nights * pricePerNight, "EUR"}}
}
