package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
)

// TestAddedCases adds a folder with a new case, one that replaces a built-in case, and
// one with a duplicate ID.
func TestAddedCases(t *testing.T) {
	t.Setenv("VERSO_CASES", "")
	builtin, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	const form = `{"id": %, "op": "is_allowed", "scheme": "base", "settings": {}, "version": "v1", "want": {"allowed": true}, "rule": "r"}`
	own := strings.Replace(form, "%", `"own/case"`, 1)
	replacing := strings.Replace(form, "%", `"`+builtin[0].ID+`"`, 1)

	dir := t.TempDir()
	file := filepath.Join(dir, "more.jsonl")
	t.Setenv("VERSO_CASES", dir)
	write := func(lines ...string) {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(own, replacing)
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != len(builtin)+1 {
		t.Errorf("there are %d cases instead of %d and one more", len(cases), len(builtin))
	}
	if last := cases[len(cases)-1]; last.ID != builtin[0].ID || last.Source != file+":2" {
		t.Errorf("the last case is %q at %s", last.ID, last.Source)
	}

	write(own, own)
	if _, err := conformance.Cases(); err == nil || !strings.Contains(err.Error(), `case "own/case" is already at `+file+":1") {
		t.Errorf("a duplicate ID: %v", err)
	}
}
