package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// What is generated stands in a page between these lines.
const (
	tableBegin = "<!-- table: generated -->\n"
	tableEnd   = "<!-- /table -->"
)

// updatePage puts a text between the marks of a page of the repository at root.
// With check it changes nothing, and fails when the page has another text: the
// error says to run the command.
func updatePage(root, page, text, command string, check bool) error {
	file := filepath.Join(root, page)
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(old, []byte(tableBegin))
	_, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !found || !closed {
		return fmt.Errorf("%s: no lines %q and %q for what is generated", page, tableBegin, tableEnd)
	}
	written := slices.Concat(before, []byte(tableBegin), []byte(text), []byte(tableEnd), after)
	if bytes.Equal(old, written) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is stale: run %s", page, command)
	}
	return os.WriteFile(file, written, 0o644)
}
