package verso_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestConfusables(t *testing.T) {
	tests := []struct {
		name     string
		versions []string
		want     []string // pairs, in the order of the list
	}{
		{"usual", []string{"v1", "v2", "v10", "v11"}, nil},
		{"numbers", []string{"1.0", "1.1", "2.0", "10", "11"}, nil},
		{"dates", []string{"2024-01-01", "2024-10-01", "2025-01-01"}, nil},
		{"words", []string{"alpha", "beta", "stable", "", "v1-beta"}, nil},
		{"accents are seen", []string{"ve", "vé", "vè"}, nil},
		{"other scripts", []string{"版本1", "版本2", "нов", "стар"}, nil},

		{"letter case", []string{"v1", "v2", "V1"}, []string{`"v1" "V1"`}},
		{"letter case beyond ASCII", []string{"ÄB", "äb"}, []string{`"\u00c4B" "\u00e4b"`}},
		{"Greek in two cases", []string{"\u03bd", "\u039d"}, []string{`"\u03bd" "\u039d"`}},
		{"one and l", []string{"v1", "vl"}, []string{`"v1" "vl"`}},
		{"one and I", []string{"v1", "vI"}, []string{`"v1" "vI"`}},
		{"zero and O and o", []string{"1.0", "1.O", "1.o"}, []string{`"1.0" "1.O"`, `"1.0" "1.o"`}},
		{"Cyrillic", []string{"beta", "bet\u0430"}, []string{`"beta" "bet\u0430"`}},
		{"Cyrillic capital", []string{"B1", "\u04121"}, []string{`"B1" "\u04121"`}},
		{"Cyrillic izhitsa", []string{"v1", "\u04751"}, []string{`"v1" "\u04751"`}},
		{"Greek", []string{"v1", "\u03bd1"}, []string{`"v1" "\u03bd1"`}},
		{"Roman numeral", []string{"VI", "\u2164I"}, []string{`"VI" "\u2164I"`}},
		{"full width", []string{"v1.0", "\uff56\uff11\uff0e\uff10"}, []string{`"v1.0" "\uff56\uff11\uff0e\uff10"`}},
		{"full width O for zero", []string{"v0", "v\uff2f"}, []string{`"v0" "v\uff2f"`}},
		{"other hyphens", []string{"2024-01", "2024\u201001", "2024\u221201"}, []string{`"2024-01" "2024\u201001"`, `"2024-01" "2024\u221201"`}},
		{"zero-width space", []string{"v1", "v\u200b1"}, []string{`"v1" "v\u200b1"`}},
		{"soft hyphen", []string{"v1", "v\u00ad1"}, []string{`"v1" "v\u00ad1"`}},
		{"byte order mark", []string{"v1", "\ufeffv1"}, []string{`"v1" "\ufeffv1"`}},
		{"grapheme joiner", []string{"v1", "v\u034f1"}, []string{`"v1" "v\u034f1"`}},
		{"variation selector", []string{"v1", "v1\ufe0e"}, []string{`"v1" "v1\ufe0e"`}},
		{"space within", []string{"v 1", "v\u20031"}, []string{`"v 1" "v\u20031"`}},
		{"no-break space", []string{"a b", "a\u00a0b"}, []string{`"a b" "a\u00a0b"`}},
		{"a space is seen", []string{"ab", "a\u00a0b"}, nil},
		{"empty but for the invisible", []string{"", "\u200b"}, []string{`"" "\u200b"`}},
		{"several at once", []string{"beta-1", "\u0412\u0415\u0422\u0410\u2010\uff4c"}, []string{`"beta-1" "\u0412\u0415\u0422\u0410\u2010\uff4c"`}},
		{"two pairs", []string{"v1", "v2", "V2", "V1"}, []string{`"v2" "V2"`, `"v1" "V1"`}},
		{"three of a kind", []string{"v1", "V1", "vl"}, []string{`"v1" "V1"`, `"v1" "vl"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := warnings(t, list(test.versions...))
			if !slices.Equal(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

func TestConfusableDefault(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("V2")}
	if got, want := warnings(t, config), []string{`"v2" "V2"`}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	config.DefaultVersion = verso.V("v2")
	if got := warnings(t, config); got != nil {
		t.Errorf("found %q for a default in the list", got)
	}
}

// Each letter and digit has lookalikes in other scripts, in both cases.
func TestHomoglyphs(t *testing.T) {
	for plain, others := range map[string]string{
		"0": "OoΟοОо", "1": "IiLlΙιІіӀӏⅠⅰⅬⅼ|", "3": "Зз", "6": "б",
		"a": "AΑαАа", "b": "BΒВ", "c": "CϹϲСсⅭⅽ", "d": "DԁⅮⅾ", "e": "EΕЕе", "h": "HΗНһ", "j": "JЈјͿϳ", "k": "KΚκКк\u212a",
		"m": "MΜМⅯⅿ", "n": "NΝη", "p": "PΡρРр", "q": "Qԛ", "r": "Rг", "s": "SЅѕ", "t": "TΤτТт", "u": "Uυ", "v": "VνѴѵⅤⅴ",
		"w": "WԜԝ", "x": "XΧχХхⅩⅹ", "y": "YΥҮУу", "z": "ZΖ",
		"-": "\u2212\u2010\u2013", ".": "\u2024", "!": "\uff01", "~": "\uff5e",
	} {
		for _, other := range others {
			if got := warnings(t, list(plain, string(other))); len(got) != 1 {
				t.Errorf("%q and %q: found %q", plain, other, got)
			}
		}
	}
	for _, other := range "\uff00\uff5f" { // beside the full-width forms
		if got := warnings(t, list("a", "\u007f", string(other))); len(got) != 0 {
			t.Errorf("%q: found %q", other, got)
		}
	}
}

// Ten thousand versions are compared in one go, and the log stays short.
func TestManyConfusables(t *testing.T) {
	var versions []string
	for i := range 5000 {
		versions = append(versions, fmt.Sprintf("v%d", i), fmt.Sprintf("V%d", i))
	}
	got := warnings(t, list(versions...))
	if ten := warnings(t, list(versions[:20]...)); len(ten) != 10 || ten[9] != `"v9" "V9"` {
		t.Errorf("found %q for ten pairs", ten)
	}
	if len(got) != 11 || got[0] != `"v0" "V0"` || got[10] != "4990 more" {
		t.Errorf("found %q, want 10 pairs and the number of the others", got)
	}
}

// warnings returns the pairs of versions that Explain finds alike.
func warnings(t *testing.T, config verso.Config) (pairs []string) {
	t.Helper()
	api, err := verso.New(verso.QueryParam("version"), config)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range api.Explain().Findings {
		if f.Code == "default_not_listed" {
			continue
		}
		var first, second string
		if n, _ := fmt.Sscanf(f.Message, "versions %q and %q", &first, &second); n == 2 {
			text := strings.TrimPrefix(f.Message, "versions ")
			pairs = append(pairs, strings.Replace(strings.TrimSuffix(text, " look alike and are two: rename one"), " and ", " ", 1))
			continue
		}
		pairs = append(pairs, strings.TrimSuffix(f.Message, " pairs of versions look alike"))
	}
	return pairs
}
