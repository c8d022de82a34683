package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newRepository writes a repository with one module, which doubles numbers and
// refuses negative ones.
func newRepository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.work":  "go 1.26.0\n\nuse ./m\n",
		"m/go.mod": "module example.com/m\n\ngo 1.26.0\n",
		"m/m.go":   "package m\n\nfunc Double(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n + n\n}\n",
		"m/m_test.go": "package m\n\nimport \"testing\"\n\n" +
			"func TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n\n" +
			"func TestBroken(t *testing.T) {\n\tt.Error(\"broken\")\n}\n",
		"SECURITY.md": "before\n" + tableBegin + "old\n" + tableEnd + "\nafter\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTry(t *testing.T) {
	root := newRepository(t)
	for _, test := range []struct {
		name       string
		protection protection
		want       string // part of the error, "" for none
	}{
		{"noticed", protection{"m/m.go", "n + n", "n", "m", "TestDouble"}, ""},
		{"not noticed", protection{"m/m.go", "n < 0", "false", "m", "TestDouble"}, "PASSES WITHOUT IT"},
		{"code that is not there", protection{"m/m.go", "n > 9", "false", "m", "TestDouble"}, "stands there 0 times"},
		{"code that is there twice", protection{"m/m.go", "return", "", "m", "TestDouble"}, "stands there 2 times"},
		{"what does not compile", protection{"m/m.go", "n + n", "n + s", "m", "TestDouble"}, "cannot be tried"},
		{"no such test", protection{"m/m.go", "n + n", "n", "m", "TestTriple"}, "there is no such test"},
		{"test that fails anyway", protection{"m/m.go", "n + n", "n", "m", "TestBroken"}, "fails also with it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := try(t.Context(), root, &test.protection)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestTryAll(t *testing.T) {
	root := newRepository(t)
	row := threat{danger: "halves", protections: []protection{
		{"m/m.go", "n + n", "n", "m", "TestDouble"},
		{"m/m.go", "n < 0", "false", "m", "TestDouble"},
	}}
	var out strings.Builder
	if err := tryAll(t.Context(), &out, root, []threat{row}); err == nil {
		t.Error("no error although a test passes without its protection")
	}
	if want := "2 protections taken out, one by one: 1 tests failed, 1 did not\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed %q, want %q at the end", &out, want)
	}
}

func TestUpdatePage(t *testing.T) {
	root := newRepository(t)
	rows := []threat{{"a", "b", "c", []protection{{"m/m.go", "", "", "m", "TestDouble"}, {"m/m.go", "", "", "m", "TestDouble"}}}}
	if err := updatePage(root, rows, true); err == nil {
		t.Error("a stale table is taken for the new one")
	}
	if err := updatePage(root, rows, false); err != nil {
		t.Fatal(err)
	}
	if err := updatePage(root, rows, true); err != nil {
		t.Error(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "| a | b | c | [TestDouble](m/m_test.go) |\n" + tableEnd + "\nafter\n"; !strings.HasSuffix(string(page), want) {
		t.Errorf("the page is %q", page)
	}
	rows[0].protections[0].test = "TestTriple"
	if err := updatePage(root, rows, false); err == nil {
		t.Error("a test that does not exist stands in the table")
	}
}
