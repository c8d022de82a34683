package conformance_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
)

var (
	casesCell = regexp.MustCompile("(?m)^\\|.*\\| ([^|]*`[^|]*) \\|$") // the last one of a row
	casesText = regexp.MustCompile(`\(([^()]*/[^()]*)\)`)
	caseName  = regexp.MustCompile("`([^`]+)`")
)

// TestSpecificationNamesCases looks for the cases that SPECIFICATION.md
// names, by an ID or by the beginning of one.
func TestSpecificationNamesCases(t *testing.T) {
	page, err := os.ReadFile("SPECIFICATION.md")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, list := range append(casesCell.FindAllStringSubmatch(string(page), -1), casesText.FindAllStringSubmatch(string(page), -1)...) {
		for _, name := range caseName.FindAllStringSubmatch(list[1], -1) {
			named++
			if !slices.ContainsFunc(cases, func(c conformance.Case) bool { return c.ID == name[1] || strings.HasPrefix(c.ID, name[1]+"/") }) {
				t.Errorf("SPECIFICATION.md names the case %q, which there is not", name[1])
			}
		}
	}
	if named == 0 {
		t.Error("SPECIFICATION.md names no case")
	}
}
