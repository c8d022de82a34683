package rewrite

import (
	"testing"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// FuzzLongText cuts the inside of a string where a character ends: both parts are valid if the
// whole is, so that a string can be copied in pieces.
func FuzzLongText(f *testing.F) {
	for _, text := range []string{`plain`, `\u00e9\\\"`, `\ud83d\ude00`, `é€😀`, `\ud83d`, "\xff", `\\u00`} {
		f.Add(text, uint8(len(text)/2))
	}
	f.Fuzz(func(t *testing.T, text string, at uint8) {
		isWhole := func(text string) bool { return jsontext.IsValid([]byte(`"` + text + `"`)) }
		begun := text[:min(int(at), len(text))]
		n := characters([]byte(begun))
		switch {
		case !isWhole(text):
		case characters([]byte(text)) != len(text):
			t.Errorf("%q ends early", text)
		case len(begun)-n > 11, !isWhole(text[:n]), !isWhole(text[n:]):
			t.Errorf("%q is cut at %d", text, n)
		}
	})
}
