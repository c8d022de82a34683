package unmatched

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/goverso/verso/examples/internal/frameworks"
)

// TestTable asks each row of the table in each framework.
func TestTable(t *testing.T) {
	file, err := os.Open("table.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err, lines.Text())
		}
		s := services[r.Service]
		for framework := range frameworks.All {
			if slices.Contains(s.without, framework) {
				continue
			}
			with, without := ask(t, framework, s, r, true), ask(t, framework, s, r, false)
			if want := cmp.Or(r.Except[framework], r.Want); with != want {
				t.Errorf("%s in %s: %s, want %s", r.ID, framework, with, want)
			}
			if want := cmp.Or(r.Excepted[framework], r.Without, r.Except[framework], r.Want); without != want {
				t.Errorf("%s in %s without NotFound: %s, want %s", r.ID, framework, without, want)
			}
		}
	}
}
