package verso

import (
	"strconv"
	"strings"
	"unicode"
)

// maxConfusables bounds how many pairs are named one by one.
const maxConfusables = 10

// confusables returns a warning for each version that a reader can take for one
// before it, since they differ only in the case of letters, in characters that
// look the same, or in invisible ones. They remain distinct versions; but
// whoever copies one from a page by hand may get the other.
func confusables(versions []string) (findings []Finding) {
	found := 0
	shapes, folded := make(map[string]string, len(versions)), make(map[string]string, len(versions))
	for _, version := range versions {
		first, alike := firstWith(shapes, skeleton(version), version)
		if other, ok := firstWith(folded, strings.ToLower(version), version); ok && !alike {
			first, alike = other, true
		}
		if !alike || first == version {
			continue
		}
		if found++; found <= maxConfusables {
			findings = append(findings, warn("versions_confusable", "AllowedVersions",
				"versions %s and %s look alike and are two: rename one", strconv.QuoteToASCII(first), strconv.QuoteToASCII(version)))
		}
	}
	if found > maxConfusables {
		findings = append(findings, warn("versions_confusable", "AllowedVersions", "%d more pairs of versions look alike", found-maxConfusables))
	}
	return findings
}

// firstWith returns the version that has the key already, or else gives the key
// to the given one.
func firstWith(owners map[string]string, key, version string) (owner string, taken bool) {
	if owner, taken = owners[key]; !taken {
		owners[key] = version
	}
	return owner, taken
}

// skeleton returns text that is the same for versions that look alike.
func skeleton(version string) string {
	var text strings.Builder
	for _, r := range version {
		if 0xFF01 <= r && r <= 0xFF5E { // full-width forms of ASCII
			r -= 0xFF01 - '!'
		}
		plain, known := homoglyphs[r]
		switch {
		case known:
			text.WriteRune(plain)
		case unicode.Is(unicode.Pd, r):
			text.WriteByte('-')
		case unicode.IsSpace(r):
			text.WriteByte(' ')
		case !unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			text.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.TrimSpace(text.String())
}

// homoglyphs maps a character to the one of all that look the same. They are the letters and digits among the confusables of Unicode
// (UTS #39, section 4), as far as somebody may type them by mistake: ASCII,
// Greek, Cyrillic and the Roman numerals.
var homoglyphs = func() map[rune]rune {
	alike := map[rune]string{
		'0': "Oo\u039F\u03BF\u041E\u043E",
		'1': "IiLl|\u0399\u03B9\u0406\u0456\u04C0\u04CF\u2160\u2170\u216C\u217C",
		'3': "\u0417\u0437",
		'6': "\u0431",
		'a': "\u0391\u03B1\u0410\u0430",
		'b': "\u0392\u0412",
		'c': "\u03F9\u03F2\u0421\u0441\u216D\u217D",
		'd': "\u0501\u216E\u217E",
		'e': "\u0395\u0415\u0435",
		'h': "\u0397\u041D\u04BB",
		'j': "\u0408\u0458\u037F\u03F3",
		'k': "\u039A\u03BA\u041A\u043A\u212A",
		'm': "\u039C\u041C\u216F\u217F",
		'n': "\u039D\u03B7",
		'p': "\u03A1\u03C1\u0420\u0440",
		'q': "\u051B",
		'r': "\u0433",
		's': "\u0405\u0455",
		't': "\u03A4\u03C4\u0422\u0442",
		'u': "\u03C5",
		'v': "\u03BD\u0474\u0475\u2164\u2174",
		'w': "\u051C\u051D",
		'x': "\u03A7\u03C7\u0425\u0445\u2169\u2179",
		'y': "\u03A5\u04AE\u0423\u0443",
		'z': "\u0396",
		'-': "\u2212",
		'.': "\u2024",
	}
	table := make(map[rune]rune)
	for plain, others := range alike {
		for _, other := range others {
			table[other] = plain
		}
	}
	return table
}()
