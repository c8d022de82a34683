package main

import (
	"fmt"
	"os"
	"strings"
)

// The tables of a page stand between these lines.
const (
	beginMarker = "<!-- bench: begin -->"
	endMarker   = "<!-- bench: end -->"
)

// writePage replaces the tables of a page.
func writePage(name, report string) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	replaced, err := replaceTables(string(page), report)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, []byte(replaced), 0o644)
}

func replaceTables(page, report string) (string, error) {
	before, rest, found := strings.Cut(page, beginMarker)
	_, after, closed := strings.Cut(rest, endMarker)
	if !found || !closed {
		return "", fmt.Errorf("no place for the tables: add the lines %q and %q", beginMarker, endMarker)
	}
	return before + beginMarker + "\n\n" + strings.TrimSpace(report) + "\n\n" + endMarker + after, nil
}
