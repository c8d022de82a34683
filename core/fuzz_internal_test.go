package verso

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The elements of a list are those that a regular expression finds.
func FuzzNextElement(f *testing.F) {
	for _, list := range []string{"", "v1", " v1 ,\tv2,", ",,", "a b, c", "\v,\n", `"a,b"`} {
		f.Add(list)
	}
	separator := regexp.MustCompile(`[ \t]*,[ \t]*`)
	f.Fuzz(func(t *testing.T, list string) {
		want := slices.DeleteFunc(separator.Split(strings.Trim(list, " \t"), -1), func(element string) bool { return strings.Trim(element, " \t") == "" })
		var got []string
		for rest := list; rest != ""; {
			var element string
			if element, rest = nextElement(rest); element != "" {
				got = append(got, element)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("list %q has the elements %q, want %q", list, got, want)
		}
	})
}

// What is logged is printable ASCII, bounded, and tells short texts apart.
func FuzzBounded(f *testing.F) {
	f.Add("v1", "v1\n")
	f.Add("\xff", "ÿ")
	f.Add(strings.Repeat("\n", 100), `\`)
	f.Fuzz(func(t *testing.T, text, other string) {
		got := bounded(text)
		if len(got) > 10*maxLoggedBytes+3 || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is logged as %q", text, got)
		}
		if len(text) <= maxLoggedBytes && len(other) <= maxLoggedBytes && text != other && bounded(other) == got {
			t.Errorf("%q and %q are both logged as %q", text, other, got)
		}
	})
}
