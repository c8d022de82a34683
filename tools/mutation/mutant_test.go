package main

import (
	"slices"
	"strings"
	"testing"
)

func TestMutantsOf(t *testing.T) {
	const before, behind = "package p\n\nimport \"strings\"\n\nfunc f(a, b int, s []string, ok bool) int {\n", "\nreturn a\n}\n"
	tests := []struct {
		name, code string
		want       []string // what is there → what takes its place
	}{
		{"comparison", "ok = a < b", []string{"ok = a < b → ", "< → <=", "< → >="}},
		{"equality", "ok = a == b", []string{"ok = a == b → ", "== → !="}},
		{"and, not", "_ = ok && !ok", []string{"_ = ok && !ok → ", "&& → ||", "! → "}},
		{"arithmetic", "a -= b - -a", []string{"a -= b - -a → ", "-= → +=", "- → +", "- → +"}},
		{"integer", "_ := 7", []string{"7 → (7 + 1)", "7 → (7 - 1)"}},
		{"character", "_ := 'a'", []string{"'a' → ('a' + 1)", "'a' → ('a' - 1)"}},
		{"text", `_ := "a" + ""`, []string{`"a" → ""`, `"" → "mutant"`, "+ → -"}},
		{"truth", "_ := true", []string{"true → false"}},
		{"increment", "a++", []string{"a++ → ", "++ → --"}},
		{"condition", "if ok {}", []string{"ok → (ok) && false", "ok → (ok) || true"}},
		{"call", "panic(ok)", []string{"panic(ok) → "}},
		{"case", "switch { case ok: }", []string{"case ok: → "}},
		{"jump", "for { break }", []string{"break → "}},
		{"tag of a field", "var _ struct { int `tag` }", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := &source{name: "p.go", text: []byte(before + test.code + behind)}
			found, err := mutantsOf(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, m := range found {
				got = append(got, string(file.text[m.start:m.end])+" → "+m.replacement)
				changed, ok := strings.CutPrefix(string(m.changed()), before)
				if changed, ok2 := strings.CutSuffix(changed, behind); !ok || !ok2 || changed == test.code {
					t.Errorf("the changed file is %q", m.changed())
				}
				if want := "p.go:6: "; !strings.HasPrefix(found[i].String(), want) {
					t.Errorf("%q does not begin with %q", found[i], want)
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("mutants %q, want %q", got, test.want)
			}
		})
	}
}
