package api

import (
	"fmt"
	"net/url"
	"strconv"

	verso "github.com/goverso/verso/core"
)

// pageSize is small, so that little data has several pages.
const pageSize = 2

// Page is a part of a list as clients see it.
type Page[T any] struct {
	Version verso.Version `json:"version"`
	Items   []T           `json:"items"`
	Prev    string        `json:"prev,omitempty"`
	Next    string        `json:"next,omitempty"`
	Links
}

// paginate returns a page of a list that the target leads to. Each record of it
// is shown as an item.
func paginate[R, T any](l *linker, target verso.Target, number string, records []R, show func(R) T) (Page[T], error) {
	n, err := pageNumber(number)
	start := (n - 1) * pageSize
	if err != nil || start > 0 && start >= len(records) {
		return Page[T]{}, fmt.Errorf("page %q: %w", number, ErrNotFound)
	}
	end := min(start+pageSize, len(records))

	page := Page[T]{
		Version: l.call.Version,
		Items:   make([]T, 0, pageSize),
		Links:   l.links(onPage(target, n)),
	}
	for _, record := range records[start:end] {
		page.Items = append(page.Items, show(record))
	}
	if n > 1 {
		page.Prev = l.link(onPage(target, n-1))
	}
	if end < len(records) {
		page.Next = l.link(onPage(target, n+1))
	}
	return page, l.err
}

// maxPages bounds what a client may ask for.
const maxPages = 1_000_000

func pageNumber(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, err
	}
	if n < 1 || n > maxPages {
		return 0, strconv.ErrRange
	}
	return n, nil
}

// onPage returns the target with the number of a page, which the first needs not.
func onPage(target verso.Target, n int) verso.Target {
	if n > 1 {
		target.Query = url.Values{"page": {strconv.Itoa(n)}}
	}
	return target
}
