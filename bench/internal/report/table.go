package report

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Table is a table of a Markdown page whose columns stand under one another in
// a terminal too. The first column is text, the others are figures.
type Table struct {
	text  strings.Builder
	lines *tabwriter.Writer
}

// NewTable returns a table that has no rows yet.
func NewTable(headings ...string) *Table {
	t := new(Table)
	t.lines = tabwriter.NewWriter(&t.text, 0, 0, 1, ' ', 0)
	t.Add(headings...)
	_, _ = fmt.Fprintln(t.lines, "|---\t"+strings.Repeat("|---:\t", len(headings)-1)+"|")
	return t
}

// Add adds a row, which has as many cells as there are headings.
func (t *Table) Add(cells ...string) {
	_, _ = fmt.Fprintln(t.lines, "| "+strings.Join(cells, "\t| ")+"\t|") // into memory
}

// String returns the table and an empty line.
func (t *Table) String() string {
	_ = t.lines.Flush()
	return t.text.String() + "\n"
}

// Duration returns nanoseconds as a cell.
func Duration(nanoseconds float64) string {
	switch {
	case nanoseconds >= 1e6:
		return fmt.Sprintf("%.2f ms", nanoseconds/1e6)
	case nanoseconds >= 1e4:
		return fmt.Sprintf("%.1f µs", nanoseconds/1e3)
	default:
		return fmt.Sprintf("%.0f ns", nanoseconds)
	}
}
