package sources

import (
	"cmp"
	"strings"
	"time"
)

// This file orders versions by dates or numbers. In comes a text, from the list or from a client; out comes its place.
// Numbers stay texts, compared by length and then by digit: those of a client have any length, and do not overflow.

// Order is the order in which the texts of clients and the versions are compared. The zero
// Order is a mistake.
type Order struct {
	parse    func(text string) (place, bool)
	isServed func(after place, now time.Time) bool // a text after the newest version
	within   bool                                  // only versions of the same first number are near
	mistake  string                                // "": there is none
	release  *place                                // of NumbersUpTo
}

// place is the place of a text in an order: its numbers, without leading zeros or with as
// many digits each.
type place struct {
	hasV    bool
	numbers [4]string
}

func compare(a, b *place) int {
	for i := range a.numbers {
		x, y := a.numbers[i], b.numbers[i]
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
	}
	return 0
}

// Dates is the order of verso.ByDate.
func Dates() Order {
	return Order{parse: dateOf, isServed: func(after place, now time.Time) bool {
		var buffer [len(time.DateOnly)]byte
		day := now.UTC().AddDate(0, 0, 1).AppendFormat(buffer[:0], time.DateOnly)
		return compare(&after, &place{numbers: [4]string{string(day[:4]), string(day[5:7]), string(day[8:])}}) <= 0
	}}
}

// NumbersWithinMajor is the order of verso.ByNumberWithinMajor.
func NumbersWithinMajor() Order {
	return Order{parse: numbersOf, within: true, isServed: func(place, time.Time) bool { return true }}
}

// NumbersUpTo is the order of verso.ByNumberUpTo.
func NumbersUpTo(release string) Order {
	bound, ok := numbersOf(release)
	o := Order{parse: numbersOf, release: &bound, isServed: func(after place, _ time.Time) bool { return compare(&after, &bound) <= 0 }}
	if !ok {
		o.mistake = `the release of the service is not one to four numbers: give ByNumberUpTo these alone, such as "1.17.3"`
	}
	return o
}

// NumbersUpToNewest is the order of verso.ByNumberUpToNewest.
func NumbersUpToNewest() Order {
	return Order{parse: numbersOf, isServed: func(place, time.Time) bool { return false }}
}

// dateOf reads "2025-01-31", or "2025-01", which is the first day.
func dateOf(text string) (at place, ok bool) {
	layout, day := "2006-01", "01"
	if len(text) == len(time.DateOnly) {
		layout, day = time.DateOnly, text[8:]
	}
	if _, err := time.Parse(layout, text); err != nil {
		return at, false
	}
	return place{numbers: [4]string{text[:4], text[5:7], day}}, true
}

// numbersOf reads one to four numbers with dots between them, with a "v" before them or not.
// A missing number is 0.
func numbersOf(text string) (at place, ok bool) {
	text, at.hasV = strings.CutPrefix(text, "v")
	more := true
	for i := range at.numbers {
		number := "0"
		if more {
			number, text, more = strings.Cut(text, ".")
		}
		if number == "" || number[0] == '0' && number != "0" || strings.Trim(number, "0123456789") != "" {
			return place{}, false
		}
		at.numbers[i] = number
	}
	return at, !more
}
