package mediatype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

func TestParam(t *testing.T) {
	const absent = "(absent)"
	tests := []struct {
		name, mediaType, param, want string
	}{
		{"plain", "application/json; version=v2", "version", "v2"},
		{"no space", "application/json;version=v2", "version", "v2"},
		{"tabs", "application/json\t;\tversion\t=\tv2\t", "version", "v2"},
		{"other white space belongs to the value", "a/b; version=v2\u00a0", "version", "v2\u00a0"},
		{"space after the value", "a/b; version=v2 ; x=1", "version", "v2"},
		{"bytes next to a space stay", "a/b; version=!v2!", "version", "!v2!"},
		{"a byte below a space stays", "a/b; version=v2\x1f", "version", "v2\x1f"},
		{"no parameters", "application/json", "version", absent},
		{"other parameters", "application/json; charset=utf-8", "version", absent},
		{"name in another case", "application/json; VeRsIoN=v2", "version", "v2"},
		{"name asked in another case", "application/json; version=v2", "VERSION", "v2"},
		{"all letters in another case", "a/b; ABCDEFGHIJKLMNOPQRSTUVWXYZ=v2", "abcdefghijklmnopqrstuvwxyz", "v2"},
		{"marks have no case", "a/b; ^x=v2", "~x", absent},
		{"at sign and grave accent", "a/b; `x=v2", "@x", absent},
		{"brackets and braces", "a/b; {x=v2", "[x", absent},
		{"quotes in place of a name", `a/b;";version=v2"`, "version", absent},
		{"Kelvin sign is not k", "a/b; \u212aey=v2", "key", absent},
		{"a name within another", "a/b; xversion=1; versionx=2", "version", absent},
		{"repeated", "a/b; version=v1; version=v2", "version", "v2"},
		{"quoted", `a/b; version="v2"`, "version", "v2"},
		{"quoted empty", `a/b; version=""`, "version", ""},
		{"quoted separators", `a/b; x="; version=v1"; version="a;b,c=d"`, "version", "a;b,c=d"},
		{"escapes", `a/b; version="a\"b\\c\d"`, "version", `a"b\cd`},
		{"white space within quotes stays", `a/b; version=" v2 "`, "version", " v2 "},
		{"quote never closed", `a/b; version="v2; x=1`, "version", `"v2; x=1`},
		{"quote closed by an escape", `a/b; version="v2\"`, "version", `"v2\"`},
		{"text after the quotes", `a/b; version="v"2`, "version", `"v"2`},
		{"text before the quotes", `a/b; version=v"2"`, "version", `v"2"`},
		{"one quote", `a/b; version="`, "version", `"`},
		{"escape outside quotes", `a/b; version=v\2`, "version", `v\2`},
		{"no equals sign", "a/b; version", "version", ""},
		{"no value", "a/b; version=", "version", ""},
		{"two equals signs", "a/b; version=a=b", "version", "a=b"},
		{"bytes stay", "a/b; version=\xe9\x00", "version", "\xe9\x00"},
		{"type only", "version=v2", "version", absent},
		{"empty", "", "version", absent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := mediatype.Param(test.mediaType, test.param)
			if !ok {
				got += absent
			}
			if got != test.want {
				t.Errorf("Param(%q, %q) = %q, want %q", test.mediaType, test.param, got, test.want)
			}
		})
	}
}

func TestParamAllocs(t *testing.T) {
	for _, mediaType := range []string{"application/json; charset=utf-8; version=v2", `application/json; VERSION="v2"`} {
		if got := testing.AllocsPerRun(100, func() { mediatype.Param(mediaType, "version") }); got != 0 {
			t.Errorf("Param(%q) allocates %v times, want 0", mediaType, got)
		}
	}
}

// Any quoted value is read back, whatever surrounds it; the surrounding text is
// read as regular expressions read it.
func FuzzParam(f *testing.F) {
	f.Add("v2", "charset=utf-8")
	f.Add("", "")
	f.Add(`a"b\c`, `x="; version=no"`)
	f.Add("; version=v3", "version=v1")
	f.Add("\\", `y="\""`)
	f.Add("é\x00\r\n\t ,", "q=0.5;;=;")
	f.Add("\xff", `z="\"; version="`)
	f.Fuzz(func(t *testing.T, given, before string) {
		mediaType := "a/b;" + before + ";version=" + quote(given)
		if unbalanced(before) { // the quote would include what follows
			mediaType = "a/b;version=" + quote(given)
		}
		got, ok := mediatype.Param(mediaType, "Version")
		if !ok || got != given {
			t.Errorf("Param(%q) = %q, %v, want %q", mediaType, got, ok, given)
		}
		slow := make(map[string]string)
		for _, param := range splitOutsideQuotes(before, ';') {
			name, value, _ := strings.Cut(param, "=")
			slow[asciiLower(strings.Trim(name, " \t"))] = slowUnquote(strings.Trim(value, " \t"))
		}
		for name, want := range slow {
			if got, ok := mediatype.Param("a/b;"+before, name); name != "" && (!ok || got != want) {
				t.Errorf("Param(%q, %q) = %q, %v, want %q", "a/b;"+before, name, got, ok, want)
			}
		}
		if _, wanted := slow[asciiLower(given)]; !wanted {
			if got, ok := mediatype.Param("a/b;"+before, given); ok {
				t.Errorf("Param(%q, %q) = %q, want none", "a/b;"+before, given, got)
			}
		}
		if !text.IsToken(given) {
			return
		}
		if got, ok := mediatype.Param("a/b; "+given+"=v1", given); !ok || got != "v1" {
			t.Errorf("a parameter named %q = %q, %v, want v1", given, got, ok)
		}
		if got, _ := mediatype.Param("a/b; version="+given, "version"); got != given {
			t.Errorf("the token %q as a value = %q", given, got)
		}
	})
}

func ExampleParam() {
	version, ok := mediatype.Param(`application/json; charset=utf-8; Version="v2"`, "version")
	fmt.Println(version, ok)
	// Output: v2 true
}

// quote returns text as a quoted string.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// unbalanced reports whether text has an unclosed quote.
func unbalanced(text string) bool {
	parts := splitOutsideQuotes(text+";", ';')
	return parts[len(parts)-1] != ""
}
