package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/core/internal/text"
)

func TestIsToken(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"letters", "version", true},
		{"digits", "42", true},
		{"all marks", "!#$%&'*+-.^_`|~", true},
		{"empty", "", false},
		{"space", "api version", false},
		{"quote", `"version"`, false},
		{"equals sign", "a=b", false},
		{"semicolon", "a;b", false},
		{"slash", "a/b", false},
		{"at sign", "a@b", false},
		{"bracket", "a[b", false},
		{"brace", "a{b", false},
		{"control", "a\x00", false},
		{"delete", "a\x7f", false},
		{"not ASCII", "é", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := text.IsToken(test.text); got != test.want {
				t.Errorf("IsToken(%q) = %v, want %v", test.text, got, test.want)
			}
		})
	}
}

// Each byte has the kind of its range in ASCII.
func TestBytes(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	for i := range 256 {
		c := byte(i)
		letter, digit := strings.IndexByte(letters, c) >= 0, strings.IndexByte("0123456789", c) >= 0
		if text.IsLetter(c) != letter || text.IsDigit(c) != digit || text.IsAlphanumeric(c) != (letter || digit) {
			t.Errorf("byte %q: letter %v, digit %v, either %v", c, text.IsLetter(c), text.IsDigit(c), text.IsAlphanumeric(c))
		}
		want := c
		if c < 0x80 {
			want = strings.ToLower(string(rune(c)))[0]
		}
		if got := text.Lower(c); got != want {
			t.Errorf("Lower(%q) = %q, want %q", c, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	for s, want := range map[string]bool{"": false, "1": true, "123": true, "12a": false, "a12": false} {
		if text.All(s, text.IsDigit) != want {
			t.Errorf("All(%q) = %v", s, !want)
		}
	}
}

func TestTrim(t *testing.T) {
	for s, want := range map[string]string{
		"": "", " ": "", "\t \t": "", "a": "a", " a": "a", "a\t": "a", "\t a b \t": "a b", "\na\r": "\na\r", "\u00a0a": "\u00a0a",
	} {
		if got := text.Trim(s); got != want {
			t.Errorf("Trim(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestLatin1(t *testing.T) {
	for value, want := range map[string]string{"": "", "v1": "v1", "\xe9": "é", "v\x80\xff": "v\u0080ÿ", "\xc3\xa9": "Ã©"} {
		if got := text.Latin1(value); got != want {
			t.Errorf("Latin1(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestEqualFold(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"Link", "link", true},
		{"AZ", "az", true},
		{"Link", "Lin", false},
		{"Link", "Lint", false},
		{"@", "`", false},
		{"[", "{", false},
		{"\u212a", "k", false},
		{"É", "é", false},
	}
	for _, test := range tests {
		if got := text.EqualFold(test.a, test.b); got != test.want || text.EqualFold(test.b, test.a) != got {
			t.Errorf("EqualFold(%q, %q) = %v", test.a, test.b, got)
		}
		lower := string(text.AppendLower(nil, test.a)) == string(text.AppendLower([]byte{}, test.b))
		if lower != test.want {
			t.Errorf("%q and %q in lower case are equal: %v", test.a, test.b, lower)
		}
	}
}

func TestUnquote(t *testing.T) {
	for s, want := range map[string]string{
		`"\"a"`: `"a`,
		`v1`:    `v1`, `"v1"`: `v1`, `""`: ``, `"a\"b\\c\d"`: `a"b\cd`, `"v1`: `"v1`, `"`: `"`, `"v\"`: `"v\"`, `"v"1`: `"v"1`, `v"1"`: `v"1"`, `"a"b"`: `"a"b"`,
	} {
		if got := text.Unquote(s); got != want {
			t.Errorf("Unquote(%s) = %s, want %s", s, got, want)
		}
	}
}

func TestCutUnquoted(t *testing.T) {
	for s, want := range map[string][2]string{
		"":           {},
		"a":          {"a", ""},
		"a,b,c":      {"a", "b,c"},
		",a":         {"", "a"},
		`"a,b",c`:    {`"a,b"`, "c"},
		`"a\",b",c`:  {`"a\",b"`, "c"},
		`"a,b`:       {`"a,b`, ""},
		`a\,b`:       {`a\`, "b"},
		`a","b,c"d"`: {`a","b`, `c"d"`},
	} {
		if before, after := text.CutUnquoted(s, ','); before != want[0] || after != want[1] {
			t.Errorf("CutUnquoted(%s) = %s, %s, want %s", s, before, after, want)
		}
	}
}

// A list of quoted strings is read back unchanged.
func FuzzQuote(f *testing.F) {
	f.Add("v1", "v2")
	f.Add(`a"b\c`, ", ")
	f.Fuzz(func(t *testing.T, a, b string) {
		first, rest := text.CutUnquoted(text.Quote(a)+","+text.Quote(b), ',')
		second, behind := text.CutUnquoted(rest, ',')
		if got := []string{text.Unquote(first), text.Unquote(second), behind}; !slices.Equal(got, []string{a, b, ""}) {
			t.Errorf("%q and %q are read as %q", a, b, got)
		}
	})
}

func TestHasUpper(t *testing.T) {
	for s, want := range map[string]bool{"": false, "v1": false, "@[`{": false, "É": false, "A": true, "vZ": true, "Version": true} {
		if got := text.HasUpper(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"sunset", "sunset", 0}, {"sunset", "sunst", 1}, {"sunset", "sunsets", 1}, {"sunset", "subset", 1},
		{"sunset", "unsets", 2}, {"deprecated", "deprecation", 3}, {"ab", "ba", 2}, {"abc", "xyz", 3}} {
		if ab, ba := text.Distance(test.a, test.b), text.Distance(test.b, test.a); ab != test.want || ba != test.want {
			t.Errorf("Distance(%q, %q) = %d and %d, want %d", test.a, test.b, ab, ba, test.want)
		}
	}
}
