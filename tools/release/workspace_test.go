package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeTree writes files into a new folder.
func writeTree(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func goMod(path string, lines ...string) string {
	return "module " + path + "\n\ngo 1.26.0\n\n" + strings.Join(lines, "\n") + "\n"
}

func TestReadWorkspaceOrdersByDependency(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"go.work":             "go 1.26.0\n\nuse (\n\t./adapters/a\n\t./core\n\t./examples\n\t./suite\n)\n",
		"core/go.mod":         goMod("example.org/core"),
		"core/core.go":        "package core\n",
		"suite/go.mod":        goMod("example.org/suite", "require example.org/core v0.1.0"),
		"adapters/a/go.mod":   goMod("example.org/adapters/a", "require example.org/suite v0.1.0"),
		"examples/go.mod":     goMod("example.org/examples", "require example.org/adapters/a v0.1.0"),
		"examples/a_test.go":  "package examples_test\n",
		"examples/a/main.go":  "package main\n",
		"adapters/a/a.go":     "package a\n",
		"suite/suite_test.go": "package suite\n",
	})
	modules, err := readWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := folders(modules); got != "core, suite, adapters/a, examples" {
		t.Errorf("the order is %s", got)
	}
	if a := find(modules, "example.org/adapters/a"); !a.isAdapter() || !a.isLibrary() || a.tag("v0.1.0") != "adapters/a/v0.1.0" {
		t.Errorf("the adapter is not taken for one: %+v", a)
	}
	if find(modules, "example.org/examples").isLibrary() || find(modules, "example.org/suite").isLibrary() {
		t.Error("a folder without a package is taken for a library")
	}
	if m := moduleOf(modules, "example.org/core/route"); m == nil || m.folder != "core" {
		t.Errorf("the package is said to be in %+v", m)
	}
}

func TestReadWorkspaceFailsOnACircle(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"go.work":  "go 1.26.0\n\nuse (\n\t./a\n\t./b\n)\n",
		"a/go.mod": goMod("example.org/a", "require example.org/b v0.1.0"),
		"b/go.mod": goMod("example.org/b", "require example.org/a v0.1.0"),
	})
	if _, err := readWorkspace(dir); err == nil || !strings.Contains(err.Error(), "a, b") {
		t.Errorf("error %v", err)
	}
}

func TestCheckReplacements(t *testing.T) {
	for _, test := range []struct{ name, replace, want string }{
		{"sibling", "replace example.org/core => ../core", ""},
		{"stranger", "replace example.com/fork => ../fork", "no module of go.work"},
		{"fork", "replace example.com/x => example.com/y v1.0.0", "no module of go.work"},
		{"other folder", "replace example.org/core => ../../core", "instead of its folder core"},
	} {
		t.Run(test.name, func(t *testing.T) {
			modules, err := readWorkspace(writeTree(t, map[string]string{
				"go.work":     "go 1.26.0\n\nuse (\n\t./core\n\t./a\n)\n",
				"core/go.mod": goMod("example.org/core"),
				"a/go.mod":    goMod("example.org/a", "require example.org/core v0.1.0", test.replace),
			}))
			if err != nil {
				t.Fatal(err)
			}
			checkError(t, checkReplacements(modules), test.want)
		})
	}
}

// checkError checks that an error has the text, or that there is none for "".
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error %v instead of %q", err, want)
	}
}

func TestCheckRequirements(t *testing.T) {
	for _, test := range []struct {
		name, first, second string
		strict              bool
		want                string
	}{
		{"at the version", "v0.1.1", "v0.1.1", true, ""},
		{"at the last version", "v0.1.0", "v0.1.0", false, ""},
		{"at the last version, to be tagged", "v0.1.0", "v0.1.0", true, "make release-version VERSION=v0.1.1"},
		{"at two versions", "v0.1.0", "v0.1.1", false, "a/go.mod:6 requires example.org/core@v0.1.0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			modules, err := readWorkspace(twoRequirements(t, test.first, test.second))
			if err != nil {
				t.Fatal(err)
			}
			checkError(t, checkRequirements(modules, "v0.1.1", test.strict), test.want)
		})
	}
}

func twoRequirements(t *testing.T, first, second string) (dir string) {
	t.Helper()
	return writeTree(t, map[string]string{
		"go.work":                         "go 1.26.0\n\nuse (\n\t./core\n\t./a\n\t./b\n)\n",
		"core/go.mod":                     goMod("example.org/core"),
		"a/go.mod":                        goMod("example.org/a", "require (", "\texample.org/core "+first, ")"),
		"b/go.mod":                        goMod("example.org/b", "require example.org/core "+second+" // indirect"),
		"examples/thirdparty-x/go.mod":    goMod("example.com/x", "require example.org/core v0.0.1"),
		"examples/thirdparty-x/README.md": "",
	})
}

func TestSetRequirements(t *testing.T) {
	dir := twoRequirements(t, "v0.1.0", "v0.1.1")
	var out strings.Builder
	if err := setRequirements(&out, dir, "v0.1.1"); err != nil {
		t.Fatal(err)
	}
	if want := "a/go.mod\nexamples/thirdparty-x/go.mod\n"; out.String() != want {
		t.Errorf("it printed %q instead of %q", &out, want)
	}
	for _, folder := range []string{"a", "b", "examples/thirdparty-x"} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(folder), "go.mod"))
		if err != nil || !strings.Contains(string(data), "example.org/core v0.1.1") {
			t.Errorf("%s: %v\n%s", folder, err, data)
		}
	}
}
