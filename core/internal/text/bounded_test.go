package text

import (
	"strconv"
	"strings"
	"testing"
)

// What is logged is printable ASCII, bounded, and has all of a short text.
func FuzzBounded(f *testing.F) {
	for _, text := range []string{"v1", "v1\n", "\xff", "ÿ", `\`, strings.Repeat("\n", 100), strings.Repeat("v", MaxLoggedBytes)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Bounded(text)
		if len(got) > 10*MaxLoggedBytes+3 || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is logged as %q", text, got)
		}
		if plain, err := strconv.Unquote(`"` + got + `"`); len(text) <= MaxLoggedBytes && (plain != text || err != nil) {
			t.Errorf("%q is logged as %q, which is %q, %v", text, got, plain, err)
		}
	})
}
