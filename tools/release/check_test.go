package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func readString(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sample is a repository like this one: a core, a suite, two adapters, which
// need nothing else, and an adapter of somebody else.
func sample() map[string]string {
	service := func(adapter string) string {
		return `package main

import (
	"fmt"
	"net/http"
	"os"

	"example.org/core"
	"example.org/adapters/` + adapter + `"
)

func main() {
	` + adapter + `.Install()
	_ = http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.Host, core.Text)
	}))
}
`
	}
	requires := func(names ...string) (lines []string) {
		for _, name := range names {
			lines = append(lines, "require example.org/"+name+" v0.1.0", "replace example.org/"+name+" => "+
				map[string]string{"core": "../../core", "conformance": "../../conformance"}[name])
		}
		return lines
	}
	return map[string]string{
		"LICENSE":   "Free.\n",
		"go.work":   "go 1.26.0\n\nuse (\n\t./adapters/a\n\t./adapters/b\n\t./conformance\n\t./core\n)\n",
		"README.md": "```go\n" + service("a") + "```\n```go\n" + service("b") + "```\n```console\n$ curl http://localhost:8080/\nlocalhost:8080 text\n```\n",

		"core/go.mod":  goMod("example.org/core"),
		"core/core.go": "package core\n\nimport _ \"embed\"\n\n//go:embed text\nvar Text string\n",
		"core/text":    "text",

		"conformance/go.mod": goMod("example.org/conformance", "require example.org/core v0.1.0", "replace example.org/core => ../core"),
		"conformance/run.go": `package conformance

import "testing"

import "example.org/core"

func Run(t *testing.T) { t.Log("conformance: 1 case,", core.Text) }
`,
		"adapters/a/go.mod":    goMod("example.org/adapters/a", requires("core", "conformance")...),
		"adapters/a/a.go":      "package a\n\nimport _ \"example.org/core\"\n\nfunc Install() {}\n",
		"adapters/a/a_test.go": "package a\n\nimport _ \"example.org/conformance\"\n",
		"adapters/b/go.mod":    goMod("example.org/adapters/b", requires("core")...),
		"adapters/b/b.go":      "package b\n\nimport _ \"example.org/core\"\n\nfunc Install() {}\n",

		"examples/quickstart/a/main.go": service("a"),

		"examples/thirdparty-x/go.mod": goMod("example.com/x", "require example.org/conformance v0.1.0", "require example.org/core v0.1.0"),
		"examples/thirdparty-x/x_test.go": `package x

import (
	"testing"

	"example.org/conformance"
	_ "example.org/core"
)

func TestX(t *testing.T) { conformance.Run(t) }
`,
	}
}

// commit makes a repository with one commit of the given files.
func commit(t *testing.T, files map[string]string) *repository {
	t.Helper()
	dir := writeTree(t, files)
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all"},
		{"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return &repository{dir}
}

func TestCheck(t *testing.T) {
	t.Setenv("GOPROXY", "off") // all modules are in the repository
	t.Setenv("TMPDIR", t.TempDir())
	repo := commit(t, sample())
	if err := os.WriteFile(filepath.Join(repo.dir, "core", "core.go"), []byte("not committed"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := check(t.Context(), &out, repo, checkOptions{version: "v0.1.1"}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"requiring v0.1.1, as make release-version will: adapters/b, conformance, adapters/a",
		"quickstart of README.md and examples/quickstart/a\n",
		"examples/thirdparty-x: 1 case, text\n",
		"adapters/a    v0.1.1         2         1          1",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the output:\n%s", want, &out)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func TestCheckFails(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	for _, test := range []struct {
		name  string
		files map[string]string // "" removes a file
		want  string
	}{
		{
			"the core needs something",
			map[string]string{"core/go.mod": goMod("example.org/core", "require example.org/x v0.1.0", "replace example.org/x => ../x"),
				"go.work":  "go 1.26.0\n\nuse (\n\t./core\n\t./x\n)\n",
				"x/go.mod": goMod("example.org/x"), "x/x.go": "package x\n"},
			"core needs the standard library only",
		},
		{
			"an adapter needs something that is not released",
			map[string]string{"adapters/a/go.mod": goMod("example.org/adapters/a", "require example.org/core v0.1.0", "require example.org/secret v0.3.0"),
				"adapters/a/a.go": "package a\n\nimport _ \"example.org/secret\"\n"},
			"a user of example.org/adapters/a: go get",
		},
		{
			"a file is missing in the module",
			map[string]string{"core/core.go": "package core\n\nimport _ \"embed\"\n\n//go:embed none\nvar Text string\n"},
			"pattern none: no matching files",
		},
		{
			"an adapter imports testing",
			map[string]string{"adapters/a/a.go": "package a\n\nimport _ \"testing\"\n\nfunc Install() {}\n"},
			"package example.org/adapters/a imports testing",
		},
		{
			"an adapter imports another",
			map[string]string{
				"adapters/a/go.mod": goMod("example.org/adapters/a", "require example.org/core v0.1.0", "require example.org/adapters/b v0.1.0",
					"replace example.org/core => ../../core", "replace example.org/adapters/b => ../b"),
				"adapters/a/a.go":      "package a\n\nimport _ \"example.org/core\"\n\nimport _ \"example.org/adapters/b\"\n\nfunc Install() {}\n",
				"adapters/a/a_test.go": "",
			},
			"a user of example.org/adapters/a downloads example.org/adapters/b@v0.1.0",
		},
		{
			"a quickstart answers otherwise",
			map[string]string{"core/text": "other"},
			"answers\n\t127.0.0.1:",
		},
		{
			"a quickstart does not serve",
			map[string]string{"adapters/b/b.go": "package b\n\nimport _ \"example.org/core\"\n\nfunc Install() { panic(\"broken\") }\n"},
			"the server exited (exit status 2)",
		},
		{
			"somebody else's tests fail",
			map[string]string{"conformance/run.go": "package conformance\n\nimport \"testing\"\n\nimport _ \"example.org/core\"\n\nfunc Run(t *testing.T) { t.Error(\"wrong\") }\n"},
			"failed: TestX",
		},
		{
			"somebody else has what nobody else has",
			map[string]string{"examples/thirdparty-x/go.mod": goMod("example.com/x", "require example.org/core v0.1.0", "replace example.org/core => ../../core")},
			"examples/thirdparty-x/go.mod has replace lines",
		},
		{
			"no licence",
			map[string]string{"LICENSE": ""},
			"without a licence",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			files := sample()
			maps.Copy(files, test.files)
			maps.DeleteFunc(files, func(_, content string) bool { return content == "" })
			var out strings.Builder
			checkError(t, check(t.Context(), &out, commit(t, files), checkOptions{version: "v0.1.0"}), test.want)
			if t.Failed() {
				t.Log(&out)
			}
		})
	}
}

func TestRunRejects(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "say what to do"},
		{[]string{"publish"}, `unknown verb "publish"`},
		{[]string{"set"}, "takes 1 arguments"},
		{[]string{"check", "now"}, "takes 0 arguments"},
		{[]string{"check", "-published"}, "say with -version"},
		{[]string{"check", "-version", "1"}, "write it like v0.1.0"},
		{[]string{"api"}, "make api-check"},
	} {
		checkError(t, run(t.Context(), new(strings.Builder), test.args), test.want)
	}
}
