package api

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/store"
)

// InvoiceV2 is an invoice in v2, which has the first ones.
type InvoiceV2 struct {
	Booking int64 `json:"booking"`
	Total   int   `json:"total"` // in euros
}

// InvoiceV3 is an invoice in v3, which says the currency.
type InvoiceV3 struct {
	Booking int64 `json:"booking"`
	Total   Money `json:"total"`
}

// Money is an amount in a currency.
type Money struct {
	Amount   int    `json:"amount"`
	Currency string `json:"currency"` // ISO 4217
}

// pricePerNight is what a night costs, in euros.
const pricePerNight = 100

// NewInvoiceV2 returns the invoice of a booking, an InvoiceV2.
func NewInvoiceV2(b store.Booking) any { return InvoiceV2{b.ID, b.Nights * pricePerNight} }

// NewInvoiceV3 returns the invoice of a booking, an InvoiceV3.
func NewInvoiceV3(b store.Booking) any {
	return InvoiceV3{b.ID, Money{b.Nights * pricePerNight, "EUR"}}
}

// invoices has the type of the versions that have invoices.
var invoices = map[verso.Version]any{verso.V("v2"): InvoiceV2{}, verso.V("v3"): InvoiceV3{}}
