// Package service has the types of a service whose documents were published.
package service

// Place is where a guest lives.
type Place struct {
	City    string `json:"city,omitempty"`
	Country string `json:"country,omitempty"`
	Street  string `json:"street,omitempty"`
}

// Stay is a booking.
type Stay struct {
	ID      int      `json:"id"`
	Guest   string   `json:"guest_name"`
	Address *Place   `json:"address,omitempty"`
	State   string   `json:"state"`
	Remarks []string `json:"remarks,omitempty"`
}

// Failure is an error.
type Failure struct {
	Code   string `json:"code,omitempty"`
	Status int    `json:"status"`
	Title  string `json:"title"`
}
