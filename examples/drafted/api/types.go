// Drafted from published documents, to be edited; sha256 be0456f92ee84d17664cbf81b7e3f476edc4ed84a9703ddd9518a47652fcde67

package api

// Address is the schema Address.
type Address struct {
	City    string `json:"city,omitempty"`
	Country string `json:"country,omitempty"`
	Street  string `json:"street,omitempty"`
}

// Bank is the schema Bank.
type Bank struct {
	Iban string `json:"iban"`
	Kind string `json:"kind"`
}

func (Bank) isPayment() {}

// Booking is the schema Booking.
type Booking struct {
	Address   *Address `json:"address,omitempty"`
	GuestName string   `json:"guest_name"`
	ID        int64    `json:"id"`
	Note      *string  `json:"note,omitempty"`
	Payment   Payment  `json:"payment,omitempty"`
	Remarks   []string `json:"remarks,omitempty"`
	State     string   `json:"state"`
}

// Card is the schema Card.
type Card struct {
	Holder string `json:"holder,omitempty"`
	Kind   string `json:"kind"`
	Number string `json:"number"`
}

func (Card) isPayment() {}

// ListBookingsParamsQuery has the parameters of GET /bookings (query).
type ListBookingsParamsQuery struct {
	SortBy string `query:"sort_by"`
	State  string `query:"state"`
}

// Payment is the schema Payment.
type Payment interface{ isPayment() }

// Problem is the schema Problem.
type Problem struct {
	Code   string `json:"code,omitempty"`
	Status int64  `json:"status"`
	Title  string `json:"title"`
}

// Room is the schema Room of v1.
type Room struct {
	Beds string `json:"beds,omitempty"`
	Name string `json:"name"`
}

// ShowGuestResponse is the schema of showGuest response.
type ShowGuestResponse struct {
	Name string `json:"name"`
}

// Voucher is the schema Voucher.
type Voucher struct {
	Code string `json:"code"`
	Kind string `json:"kind"`
}

func (Voucher) isPayment() {}
