package mediatype_test

import (
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

func TestNewNegotiatorErrors(t *testing.T) {
	notOne := func(text string) string {
		return "mediatype: " + text + " is not a media type: write type/subtype, and each type by itself"
	}
	hasQ := func(text string) string {
		return "mediatype: " + text + " has the parameter q, which only media ranges of clients have: remove q"
	}
	tests := []struct {
		name     string
		produces []string
		want     string
	}{
		{"empty", []string{""}, notOne(`""`)},
		{"no slash", []string{"json"}, notOne(`"json"`)},
		{"after a valid one", []string{"text/html", "application"}, notOne(`"application"`)},
		{"no subtype", []string{"application/"}, notOne(`"application/"`)},
		{"no type", []string{"/json"}, notOne(`"/json"`)},
		{"space", []string{"a b/c"}, notOne(`"a b/c"`)},
		{"not ASCII", []string{"ä/b"}, notOne(`"ä/b"`)},
		{"list", []string{"application/json, text/html"}, notOne(`"application/json, text/html"`)},
		{"comma after a parameter", []string{"a/b;v=1,"}, notOne(`"a/b;v=1,"`)},
		{"list after a parameter", []string{"a/b;v=1, c/d"}, notOne(`"a/b;v=1, c/d"`)},
		{"q", []string{"text/plain; q=1"}, hasQ(`"text/plain; q=1"`)},
		{"q in upper case", []string{"text/plain;v=1;Q=0.5"}, hasQ(`"text/plain;v=1;Q=0.5"`)},
		{"q without a value", []string{"text/plain;q"}, hasQ(`"text/plain;q"`)},
		{"parameter twice", []string{"a/b;v=1;V=1"}, `mediatype: "a/b;v=1;V=1" has the parameter V twice: remove one`},
		{"equal", []string{"a/b", "a/c", "a/b"}, `mediatype: "a/b" and "a/b" are the same media type: remove one`},
		{"equal except for case", []string{"a/b", "A/B"}, `mediatype: "a/b" and "A/B" are the same media type: remove one`},
		{"equal except for white space", []string{"a/b", " a/b "}, `mediatype: "a/b" and " a/b " are the same media type: remove one`},
		{"equal except for an empty parameter", []string{"a/b", "a/b;"}, `mediatype: "a/b" and "a/b;" are the same media type: remove one`},
		{"equal except for quotes", []string{"a/b;v=1", `a/b; V="1"`}, `mediatype: "a/b;v=1" and "a/b; V=\"1\"" are the same media type: remove one`},
		{"equal except for the order of parameters", []string{"a/b;v=1;w=2", "a/b;w=2;v=1"}, `mediatype: "a/b;v=1;w=2" and "a/b;w=2;v=1" are the same media type: remove one`},
		{"equal wildcards", []string{"a/*", "a/*"}, `mediatype: "a/*" and "a/*" are the same media type: remove one`},

		{"none", nil, ""},
		{"parameters", []string{"application/json; charset=utf-8"}, ""},
		{"comma in quotes", []string{`a/b;v="1,2"`}, ""},
		{"a name that begins with q", []string{"a/b;qs=1"}, ""},
		{"different subtypes", []string{"a/b", "a/c"}, ""},
		{"different types", []string{"a/b", "c/b"}, ""},
		{"different values", []string{"a/b;v=1", "a/b;v=2"}, ""},
		{"values that differ in case", []string{"a/b;v=x", "a/b;v=X"}, ""},
		{"different names", []string{"a/b;v=1", "a/b;w=1"}, ""},
		{"one parameter more", []string{"a/b;v=1", "a/b;v=1;w=1", "a/b"}, ""},
		{"a wildcard next to what it matches", []string{"a/b", "a/*", "*/*"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if _, err := mediatype.NewNegotiator(test.produces...); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("NewNegotiator(%q):\ngot  %s\nwant %s", test.produces, got, test.want)
			}
		})
	}
}
