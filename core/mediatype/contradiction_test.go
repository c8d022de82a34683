package mediatype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

func TestContradicts(t *testing.T) {
	tests := []struct {
		name, mediaType string
		want            bool
	}{
		{"no parameters", "a/b", false},
		{"nothing", "", false},
		{"the type is not a parameter", "version=v0; version=v1", false},
		{"one value", "a/b; version=v1", false},
		{"two of another parameter", "a/b; x=1; x=2; version=v1", false},
		{"the same", "a/b; version=v1; version=v1", false},
		{"the same in quotes", `a/b; version=v1; Version="v\1"`, false},
		{"empty in three ways", `a/b; version; version=; version=""`, false},
		{"different", "a/b; version=v1; version=v2", true},
		{"different in letter case", "a/b; version=v1; version=V1", true},
		{"different, the last like the first", "a/b; version=v1; version=v2; version=v1", true},
		{"different names in letter case", "a/b; VERSION=v1; version=v2", true},
		{"one empty", "a/b; version=v1; version", true},
		{"after q", "a/b; version=v1; q=0.5; version=v2", true},
		{"within quotes", `a/b; x="; version=v1"; version=v2`, false},
		{"a quote that is never closed", `a/b; version="v1; version=v2`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := mediatype.Contradicts(test.mediaType, "version"); got != test.want {
				t.Errorf("Contradicts(%q) = %v, want %v", test.mediaType, got, test.want)
			}
		})
	}
}

// A different value next to the one that Param reads contradicts it; an equal value
// does not.
func FuzzContradicts(f *testing.F) {
	f.Add("a/b; version=v1; version=v2")
	f.Add(`a/b; Version="v\1"; x`)
	f.Fuzz(func(t *testing.T, mediaType string) {
		value, ok := mediatype.Param(mediaType, "version")
		contradicts := mediatype.Contradicts(mediaType, "version")
		if !ok && contradicts {
			t.Errorf("%q has no version, but contradicts itself", mediaType)
		}
		if !ok || strings.Contains(mediaType, `"`) {
			return
		}
		if again := mediaType + ";version=" + value; mediatype.Contradicts(again, "version") != contradicts {
			t.Errorf("%q contradicts itself: %v, but %q differs", mediaType, contradicts, again)
		}
		if other := mediaType + ";version=" + value + "x"; !mediatype.Contradicts(other, "version") {
			t.Errorf("%q does not contradict itself", other)
		}
	})
}

func ExampleContradicts() {
	fmt.Println(mediatype.Contradicts("application/json; version=v1; version=v2", "version"))
	fmt.Println(mediatype.Contradicts(`application/json; version=v1; Version="v1"`, "version"))
	// Output:
	// true
	// false
}
