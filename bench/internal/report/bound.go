package report

import "fmt"

// Bound is what the project asks of a figure, and the worst of those measured.
type Bound struct {
	What    string
	limit   float64
	atLeast bool // the figure must not be below the limit; else not above

	worst float64
	where string // the worst was measured
}

// AtMost returns a bound on figures that must not be above the limit.
func AtMost(limit float64, what string) *Bound {
	return &Bound{What: what, limit: limit}
}

// AtLeast returns a bound on figures that must not be below the limit.
func AtLeast(limit float64, what string) *Bound {
	return &Bound{What: what, limit: limit, atLeast: true}
}

// Judge adds a figure and returns its cell in a table, in bold when it breaks
// the bound.
func (b *Bound) Judge(figure float64, where string) string {
	if b.where == "" || b.atLeast == (figure < b.worst) && figure != b.worst {
		b.worst, b.where = figure, where
	}
	if !b.admits(figure) {
		return fmt.Sprintf("**%.2f**", figure)
	}
	return fmt.Sprintf("%.2f", figure)
}

// Holds reports whether all figures keep the bound.
func (b *Bound) Holds() bool {
	return b.admits(b.worst)
}

// admits reports whether the figure keeps the bound. Figures count as they are
// printed.
func (b *Bound) admits(figure float64) bool {
	const half = 0.005
	if b.atLeast {
		return figure >= b.limit-half
	}
	return figure < b.limit+half
}

// String returns the limit in words.
func (b *Bound) String() string {
	if b.atLeast {
		return fmt.Sprintf("at least %g", b.limit)
	}
	return fmt.Sprintf("at most %g", b.limit)
}

// Bounds returns the table of all bounds, with the worst figure of each, and
// how many of them do not hold.
func Bounds(bounds []*Bound) (t *Table, missed int) {
	t = NewTable("bound", "asked", "worst", "where", "holds")
	for _, b := range bounds {
		holds := "yes"
		if !b.Holds() {
			holds = "**no**"
			missed++
		}
		t.Add(b.What, b.String(), fmt.Sprintf("%.2f", b.worst), b.where, holds)
	}
	return t, missed
}
