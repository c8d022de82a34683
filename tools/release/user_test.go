package main

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
)

func TestDownloaded(t *testing.T) {
	u := &user{cache: writeTree(t, map[string]string{
		"example.org/a@v1.0.0/a.go":                           "",
		"example.org/!big/b@v1.0.0-!r!c1/x@y/b.go":            "",
		"cache/download/example.org/c/@v/v1.0.0.zip":          "",
		"cache/download/example.org/d@v1.0.0/not-a-module.go": "",
	})}
	got, err := u.downloaded()
	if err != nil {
		t.Fatal(err)
	}
	module.Sort(got)
	want := []module.Version{{Path: "example.org/Big/b", Version: "v1.0.0-RC1"}, {Path: "example.org/a", Version: "v1.0.0"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if got, err := (&user{cache: t.TempDir() + "/none"}).downloaded(); err != nil || len(got) > 0 {
		t.Errorf("without a cache: %v, error %v", got, err)
	}
}

func TestCheckDownloads(t *testing.T) {
	a := &workspaceModule{path: "example.org/adapters/a"}
	b := &workspaceModule{path: "example.org/adapters/b"}
	downloaded := []module.Version{{Path: "example.com/framework/v2", Version: "v2.0.0"}}
	strangers := []string{b.path, "example.com/framework/v2"}
	checkError(t, checkDownloads(a, b, []string{a.path}, strangers, downloaded), "downloads example.com/framework/v2@v2.0.0")
	checkError(t, checkDownloads(a, b, []string{a.path, "example.com/framework/v2"}, strangers, downloaded), "")
	checkError(t, checkDownloads(b, b, strangers, strangers, downloaded), "")
	checkError(t, checkDownloads(a, b, []string{a.path}, []string{b.path, "example.com/framework"}, downloaded), "")
}

func TestForgetSums(t *testing.T) {
	modules := []*workspaceModule{{path: "example.org/core"}}
	dir := writeTree(t, map[string]string{
		"m/go.sum": "example.org/core v0.1.0 h1:x=\nexample.org/core v0.1.0/go.mod h1:y=\nexample.org/core-other v1.0.0 h1:z=\n",
	})
	copied := t.TempDir()
	if err := copyModule(copied, dir); err != nil {
		t.Fatal(err)
	}
	if err := forgetSums(copied+"/m/go.sum", modules); err != nil {
		t.Fatal(err)
	}
	if got := readString(t, copied+"/m/go.sum"); got != "example.org/core-other v1.0.0 h1:z=\n" {
		t.Errorf("left: %q", got)
	}
	checkError(t, forgetSums(copied+"/none", modules), "")
}

func TestFailedTests(t *testing.T) {
	got := failedTests("--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n--- PASS: TestC (0.00s)\n" + strings.Repeat("--- FAIL: TestD (0s)\n", 20))
	if len(got) != 10 || got[0] != "TestA" || got[1] != "TestA/b" || got[2] != "TestD" {
		t.Errorf("got %q", got)
	}
}

func TestExportedFunctions(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"a.go": `package a

type T struct{}
type G[X any] struct{}
type hidden struct{}

func F() {}
func Generic[X any]() {}
func private() {}
func (T) Value() {}
func (*T) Pointer() {}
func (T) private() {}
func (G[X]) OfGeneric() {}
func (hidden) OfHidden() {}
`,
		"a_test.go": "package a\n\nfunc InTest() {}\n",
	})
	got, err := exportedFunctions(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"(*p.T).Pointer", "(*p.T).Value", "p.F"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestPrintTable(t *testing.T) {
	var out strings.Builder
	err := printTable(&out, []report{{
		&workspaceModule{folder: "adapters/a"},
		&needs{listed: 22, modules: []string{"x", "y"}, packages: 7},
		sizes{5_001_234, 7_000_000},
	}}, "v0.1.0", sizes{1_000_000, 6_999_001})
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{"adapters/a", "v0.1.0", "22", "2", "7", "4,001,234", "999"}
	if got := strings.Fields(rows[len(rows)-1]); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
