package sources

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
