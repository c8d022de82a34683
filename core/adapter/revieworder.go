package adapter

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// order adds that versions seem to be in a wrong order, to which options of routes and AtLeast apply.
func (w *review) order() {
	known := w.api.Set.Known
	ranged := func(r *route.Route) bool { p := planOf(r); return p != nil && p.Versioned }
	if !w.compares.Load() && !slices.ContainsFunc(w.versioned, ranged) {
		return
	}
	switch {
	case isNewestFirst(known):
		w.add(codes.NewestFirst, quotedList(known))
	case isSortedAsText(known):
		w.add(codes.SortedAsText, quotedList(known))
	}
}

// isNewestFirst reports whether the numbers in the texts of versions decrease.
func isNewestFirst(versions []string) bool {
	descending := func(a, b string) int { return cmp.Or(byNumbers(b, a), -1) } // equal ones are in no order
	return len(versions) > 1 && slices.IsSortedFunc(versions, descending)
}

// isSortedAsText reports whether versions that differ in numbers alone are sorted by their
// text, and not by these numbers.
func isSortedAsText(versions []string) bool {
	return slices.IsSorted(versions) && !slices.IsSortedFunc(versions, byNumbers) &&
		!slices.ContainsFunc(versions, func(version string) bool { return shapeOf(version) != shapeOf(versions[0]) })
}

var digits = regexp.MustCompile(`[0-9]+`)

// shapeOf returns a version with each number replaced by the same text.
func shapeOf(version string) string { return digits.ReplaceAllString(version, "0") }

// byNumbers compares the numbers in the texts of versions.
func byNumbers(a, b string) int {
	return slices.CompareFunc(digits.FindAllString(a, -1), digits.FindAllString(b, -1), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
