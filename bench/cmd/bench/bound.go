package main

import "fmt"

// bound is what the project asks of a figure, and the worst of those measured.
type bound struct {
	what    string
	limit   float64
	atLeast bool // the figure must not be below the limit; else not above

	worst float64
	where string // the worst was measured
}

func atMost(limit float64, what string) *bound {
	return &bound{what: what, limit: limit}
}

func atLeast(limit float64, what string) *bound {
	return &bound{what: what, limit: limit, atLeast: true}
}

// judge adds a figure and returns its cell in a table, in bold when it breaks
// the bound.
func (b *bound) judge(figure float64, where string) string {
	if b.where == "" || b.atLeast == (figure < b.worst) && figure != b.worst {
		b.worst, b.where = figure, where
	}
	if !b.admits(figure) {
		return fmt.Sprintf("**%.2f**", figure)
	}
	return fmt.Sprintf("%.2f", figure)
}

// admits reports whether the figure keeps the bound. Figures count as they are
// printed.
func (b *bound) admits(figure float64) bool {
	const half = 0.005
	if b.atLeast {
		return figure >= b.limit-half
	}
	return figure < b.limit+half
}

func (b *bound) String() string {
	if b.atLeast {
		return fmt.Sprintf("at least %g", b.limit)
	}
	return fmt.Sprintf("at most %g", b.limit)
}
