package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The table stands between these lines.
const (
	tableBegin = "<!-- threats: begin -->\n"
	tableEnd   = "<!-- threats: end -->"
)

// updatePage writes the table into SECURITY.md, or checks it.
func updatePage(root string, threats []threat, check bool) error {
	table, err := tableOf(root, threats)
	if err != nil {
		return err
	}
	page := filepath.Join(root, "SECURITY.md")
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(old, []byte(tableBegin))
	_, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !found || !closed {
		return fmt.Errorf("SECURITY.md has no lines %q and %q", tableBegin, tableEnd)
	}
	written := slices.Concat(before, []byte(tableBegin), []byte(table), []byte(tableEnd), after)
	switch {
	case bytes.Equal(old, written):
		return nil
	case check:
		return errors.New("the table in SECURITY.md is stale: run make threats-table")
	}
	return os.WriteFile(page, written, 0o644)
}

// tableOf returns the table in Markdown.
func tableOf(root string, threats []threat) (string, error) {
	var table strings.Builder
	table.WriteString("| Who sends what | What could go wrong | What Verso does | Shown by |\n|---|---|---|---|\n")
	for _, t := range threats {
		var shown []string
		for _, p := range t.protections {
			file, err := fileOf(root, &p)
			if err != nil {
				return "", err
			}
			link := fmt.Sprintf("[%s](%s)", p.test, file)
			if !slices.Contains(shown, link) {
				shown = append(shown, link)
			}
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", t.sender, t.danger, t.answer, strings.Join(shown, ", "))
	}
	return table.String(), nil
}

// fileOf returns the file that the test of a protection stands in.
func fileOf(root string, p *protection) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, p.folder, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if bytes.Contains(text, []byte("\nfunc "+p.test+"(")) {
			return p.folder + "/" + filepath.Base(file), nil
		}
	}
	return "", fmt.Errorf("there is no test %s in %s", p.test, p.folder)
}
