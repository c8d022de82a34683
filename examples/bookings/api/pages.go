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

// Page returns a page of the list as a version has it, with links to itself, and
// to the pages before and behind it. text is its number, "" for the first; link
// builds links in the version of the request. The error is ErrNoPage, or that of
// the store or of a link.
func (s *Service) Page(ctx context.Context, v verso.Version, text string, link func(verso.Target) (string, error)) (map[string]any, error) {
	page, err := strconv.Atoi(cmp.Or(text, "1"))
	if err != nil || page < 1 {
		return nil, ErrNoPage
	}
	bookings, total, err := s.Store.List(ctx, (page-1)*PageSize, PageSize)
	if err != nil {
		return nil, err
	}
	items := []any{}
	for _, b := range bookings {
		self, err := link(BookingTarget(b.ID))
		if err != nil {
			return nil, err
		}
		items = append(items, Encode(v, b, self))
	}
	answer := map[string]any{"items": items}
	for rel, other := range map[string]int{"self": page, "prev": page - 1, "next": page + 1} {
		if other < 1 || rel == "next" && page*PageSize >= total {
			continue
		}
		if answer[rel], err = link(PageTarget(other)); err != nil {
			return nil, err
		}
	}
	return answer, nil
}
