package api

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	verso "github.com/goverso/verso/core"
)

// PageSize is how many bookings are on a page of the list.
const PageSize = 2

// BookingTarget is the target of a link to a booking.
func BookingTarget(id int64) verso.Target {
	return verso.Target{Name: "booking", Params: verso.Params{"id": id}}
}

// PageTarget is the target of a link to a page of the list.
func PageTarget(page int) verso.Target {
	target := verso.Target{Name: "booking-list"}
	if page > 1 {
		target.Query = url.Values{"page": {strconv.Itoa(page)}}
	}
	return target
}

// Page is a page of the list.
type Page struct {
	Items []Booking `json:"items"`
	Next  string    `json:"next,omitempty"`
	Prev  string    `json:"prev,omitempty"`
	Self  string    `json:"self"`
}

// Page returns a page of the list, with links to itself, and to the pages before and
// behind it. text is its number, "" for the first; link builds links in the version of
// the request. The error is ErrNoPage, or that of the store or of a link.
func (s *Service) Page(ctx context.Context, text string, link func(verso.Target) (string, error)) (Page, error) {
	number, err := strconv.Atoi(cmp.Or(text, "1"))
	if err != nil || number < 1 {
		return Page{}, ErrNoPage
	}
	bookings, total, err := s.Store.List(ctx, (number-1)*PageSize, PageSize)
	if err != nil {
		return Page{}, err
	}
	page := Page{Items: []Booking{}}
	for _, b := range bookings {
		self, err := link(BookingTarget(b.ID))
		if err != nil {
			return Page{}, err
		}
		page.Items = append(page.Items, Encode(b, self))
	}
	for other, url := range map[int]*string{number: &page.Self, number - 1: &page.Prev, number + 1: &page.Next} {
		if other < 1 || other > number && number*PageSize >= total {
			continue
		}
		if *url, err = link(PageTarget(other)); err != nil {
			return Page{}, err
		}
	}
	return page, nil
}
