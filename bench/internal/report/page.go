package report

import (
	"fmt"
	"os"
	"strings"
)

// WritePage replaces what stands in the file of a page between the lines
// <!-- name: begin --> and <!-- name: end --> by a report. It fails when the
// page has no such lines.
func WritePage(file, name, report string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	replaced, err := replace(string(page), name, report)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(replaced), 0o644)
}

func replace(page, name, report string) (string, error) {
	begin, end := "<!-- "+name+": begin -->", "<!-- "+name+": end -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("no place for the tables: add the lines %q and %q", begin, end)
	}
	return before + begin + "\n\n" + strings.TrimSpace(report) + "\n\n" + end + after, nil
}
