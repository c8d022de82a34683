package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is a table of a Markdown page whose columns stand under one another in
// a terminal too. The first column is text, the others are figures.
type Table struct {
	rows [][]string // the first one holds the headings
}

// NewTable returns a table that has no rows yet.
func NewTable(headings ...string) *Table {
	return &Table{rows: [][]string{headings}}
}

// Add adds a row, which has as many cells as there are headings.
func (t *Table) Add(cells ...string) {
	t.rows = append(t.rows, cells)
}

// Write writes the table and an empty line.
func (t *Table) Write(w *strings.Builder) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 2)
		}
	}
	for i, row := range t.rows {
		for column, cell := range row {
			space := strings.Repeat(" ", widths[column]-utf8.RuneCountInString(cell))
			if column == 0 {
				cell += space
			} else {
				cell = space + cell
			}
			fmt.Fprintf(w, "| %s ", cell)
		}
		fmt.Fprintln(w, "|")
		if i == 0 {
			for column, width := range widths {
				if column == 0 {
					fmt.Fprintf(w, "|%s", strings.Repeat("-", width+2))
				} else {
					fmt.Fprintf(w, "|%s:", strings.Repeat("-", width+1))
				}
			}
			fmt.Fprintln(w, "|")
		}
	}
	fmt.Fprintln(w)
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
