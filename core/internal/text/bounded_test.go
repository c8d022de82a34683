package text

import (
	"strings"
	"testing"
)

// What is logged is printable ASCII, bounded, and tells short texts apart.
func FuzzBounded(f *testing.F) {
	f.Add("v1", "v1\n")
	f.Add("\xff", "ÿ")
	f.Add(strings.Repeat("\n", 100), `\`)
	f.Fuzz(func(t *testing.T, text, other string) {
		got := Bounded(text)
		if len(got) > 10*MaxLoggedBytes+3 || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is logged as %q", text, got)
		}
		if len(text) <= MaxLoggedBytes && len(other) <= MaxLoggedBytes && text != other && Bounded(other) == got {
			t.Errorf("%q and %q are both logged as %q", text, other, got)
		}
	})
}
