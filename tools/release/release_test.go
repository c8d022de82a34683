package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func goMod(path string, lines ...string) string {
	return "module " + path + "\n\ngo 1.26.0\n\n" + strings.Join(lines, "\n") + "\n"
}

// sample returns the files of a repository like this one: a core, two adapters, a
// program with each, and a third-party adapter.
func sample() map[string]string {
	const requireCore = "require example.org/core v0.1.0"
	adapter := func(name string) string {
		return "package " + name + "\n\nimport \"example.org/core\"\n\nconst Text = core.Text\n"
	}
	return map[string]string{
		"LICENSE":       "Free.\n",
		"go.work":       "go 1.26.0\n\nuse (\n\t./adapters/a\n\t./adapters/b\n\t./bench\n\t./core\n\t./examples/generated\n)\n",
		"README.md":     readme("| in a group | [a](examples/quickstart/a.go), [b](examples/quickstart/b.go) | [start](docs/start.md#in-a-group-or-two) |\n"),
		"docs/start.md": "# Start\n\n## In a group, or two\n\n```console\n$ curl -H 'X: y' http://localhost:8080/\nlocalhost:8080 y text\n$ make\nmade\n```\n\n```console\n$ curl localhost\n```\n",
		"bench/go.mod":  goMod("example.org/bench"),
		"bench/a.go":    "package main\n\nfunc main() {}\n",
		"core/go.mod":   goMod("example.org/core"),
		"core/core.go":  "package core\n\nconst Text = \"text\"\n",
		"core/other.md": "",

		"adapters/a/go.mod": goMod("example.org/adapters/a", requireCore, "replace example.org/core => ../../core"),
		"adapters/a/a.go":   adapter("a"),
		"adapters/b/go.mod": goMod("example.org/adapters/b", requireCore),
		"adapters/b/b.go":   adapter("b"),

		"tools/use.sh": useClone("core adapters/a adapters/b"),

		"examples/generated/go.mod": goMod("example.org/examples/generated"),
		"examples/generated/g.go":   "package generated\n\nimport _ \"example.org/secret\"\n",

		"examples/quickstart/first.go": "// Command first is shown.\n" + firstProgram,
		"examples/quickstart/a.go":     program("a"),
		"examples/quickstart/b.go":     program("b"),

		"examples/thirdparty-x/go.mod":    goMod("example.com/x", requireCore),
		"examples/thirdparty-x/go.sum":    "example.org/core v0.1.0 h1:of another commit\n",
		"examples/thirdparty-x/x_test.go": "package x\n\nimport (\n\t\"testing\"\n\n\t\"example.org/core\"\n)\n\nfunc TestX(t *testing.T) {\n\tif core.Text != \"text\" {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
	}
}

// useClone is a command that uses the clone of some modules.
func useClone(modules string) string {
	return "for m in " + modules + "; do go mod edit -replace example.org/$m=${0%/tools/use.sh}/$m; done\n"
}

// readme is a page with a program and its answer, how to begin before and after the
// release, and a table of programs.
func readme(table string) string {
	return "# Sample\n\n[The program](examples/quickstart/first.go):\n\n```go\n" + firstProgram + "```\n\n" +
		"```console\n$ curl -i -H 'X: y' http://localhost:8080/\nHTTP/1.1 200 OK\nContent-Type: text/plain; charset=utf-8\n\nlocalhost:8080 y text\n```\n\n" +
		"## Begin\n\n<!-- until the release -->\n```sh\ngit clone https://example.org\nsh ../verso/tools/use.sh\n```\n" +
		"<!-- from the release on:\n```console\n$ mkdir x && cd x && go mod init x\n$ go get example.org/adapters/a\n$ go run . &\n$ curl http://localhost:8080/\nlocalhost:8080  text\n```\n-->\n\n" + table
}

var firstProgram = program("a")

// program is a server with an adapter.
func program(adapter string) string {
	return "package main\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n\n\t\"example.org/adapters/" + adapter + "\"\n)\n" + `
func main() {
	fmt.Println(http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.Host, r.Header.Get("X"), ` + adapter + `.Text)
	})))
}
`
}

// writeRepository makes a repository with one commit of the sample, with some files
// replaced.
func writeRepository(t *testing.T, others map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files := sample()
	maps.Copy(files, others)
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	return dir
}

// checkError checks that an error has the text, or is nil for "".
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error %v instead of %q", err, want)
	}
}

func TestCheck(t *testing.T) {
	t.Setenv("GOPROXY", "off") // all modules are in the repository
	for _, test := range []struct {
		name   string
		others map[string]string
		want   string
	}{
		{"all is well", nil, ""},
		{
			"an adapter needs what is not released",
			map[string]string{"adapters/b/b.go": "package b\n\nimport _ \"example.org/secret\"\n"},
			"a user of example.org/adapters/b: go get",
		},
		{
			"a package of the core does not compile",
			map[string]string{"core/part/part.go": "package part\n\nvar x int = \"\"\n"},
			"a user of example.org/core: go build",
		},
		{
			"an adapter imports another",
			map[string]string{
				"adapters/a/go.mod": goMod("example.org/adapters/a", "require example.org/core v0.1.0", "require example.org/adapters/b v0.1.0 // indirect"),
				"adapters/a/a.go":   "package a\n\nimport \"example.org/adapters/b\"\n\nconst Text = b.Text\n",
			},
			"a user of example.org/adapters/a: gets example.org/adapters/b",
		},
		{
			"the programs answer otherwise",
			map[string]string{"core/core.go": "package core\n\nconst Text = \"other\"\n"},
			"answers\n\tlocalhost:8080 y other\ninstead of what the page shows\n\tlocalhost:8080 y text",
		},
		{
			"the clone is not used",
			map[string]string{"tools/use.sh": useClone("core adapters/a")},
			"instead of the clone",
		},
		{
			"a field is not sent",
			map[string]string{"README.md": strings.Replace(sample()["README.md"], "text/plain", "text/html", 1)},
			"without what the page shows\n\tContent-Type: text/html",
		},
		{
			"the program is gone",
			map[string]string{"README.md": ""},
			"README.md links to 0 programs",
		},
		{
			"a program has no row",
			map[string]string{"examples/quickstart/c.go": program("a")},
			"README.md does not link to examples/quickstart/c.go",
		},
		{
			"a section is gone",
			map[string]string{"docs/start.md": "# Start\n"},
			"docs/start.md#in-a-group-or-two: there is no such heading",
		},
		{
			"a section has no request",
			map[string]string{"docs/start.md": "# Start\n\n## In a group, or two\n"},
			"docs/start.md shows a program without a command $ curl",
		},
		{
			"the released README gets another module",
			map[string]string{"README.md": strings.Replace(sample()["README.md"], "go get example.org/adapters/a", "go get example.org/adapters/c", 1)},
			"README.md as `release readme` writes it: sh -ec",
		},
		{
			"the released README uses the clone",
			map[string]string{"README.md": strings.Replace(sample()["README.md"], "<!-- until the release -->\n", "", 1)},
			"it still uses a clone",
		},
		{
			"the README shows another program",
			map[string]string{"README.md": strings.Replace(sample()["README.md"], "fmt.Println(http", "fmt.Print(http", 1)},
			"another one than those",
		},
		{
			"the command draft is shown without its documents",
			map[string]string{"README.md": sample()["README.md"] + "\n```text\n$ go tool draft -old v1.yaml -new v2.yaml -out api\n```\n"},
			"the command draft of README.md: open",
		},
		{
			"the command draft is not in a released module",
			map[string]string{
				"README.md":                sample()["README.md"] + "\n```text\n$ go tool draft -old v1.yaml -new v2.yaml -out api\n```\n",
				"examples/drafted/v1.yaml": "", "examples/drafted/v2.yaml": "",
			},
			`go: no such tool "draft"`,
		},
		{
			"somebody else's tests fail",
			map[string]string{"examples/thirdparty-x/x_test.go": "package x\n\nimport (\n\t\"testing\"\n\n\t_ \"example.org/core\"\n)\n\nfunc TestX(t *testing.T) { t.Error(\"wrong\") }\n"},
			"--- FAIL: TestX",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			var out strings.Builder
			checkError(t, check(t.Context(), &out, writeRepository(t, test.others), false), test.want)
			if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, error %v", left, err)
			}
			if t.Failed() {
				t.Log(&out)
			}
		})
	}
}

func TestSetVersion(t *testing.T) {
	dir := writeRepository(t, nil)
	var out strings.Builder
	checkError(t, run(t.Context(), &out, dir, []string{"set", "v0.1.1"}), "")
	if want := "bench/v0.1.1\ncore/v0.1.1\nadapters/a/v0.1.1\nadapters/b/v0.1.1\nexamples/generated/v0.1.1\n"; out.String() != want {
		t.Errorf("it printed %q instead of %q", &out, want)
	}
	checkError(t, run(t.Context(), &out, dir, []string{"set", "1"}), `"1" is not a version`)
	checkError(t, run(t.Context(), &out, dir, []string{"set"}), "usage")
}

func TestTagsFail(t *testing.T) {
	for _, test := range []struct{ name, core, want string }{
		{"two versions", goMod("example.org/core", "require example.org/bench v0.2.0"), "examples/thirdparty-x/go.mod requires example.org/core@v0.1.0"},
		{"a cycle", goMod("example.org/core", "require example.org/adapters/a v0.1.0"), "cycle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := printTags(new(strings.Builder), writeRepository(t, map[string]string{"core/go.mod": test.core}))
			checkError(t, err, test.want)
		})
	}
}

func TestReadQuestions(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"quoted", "```console\n$ curl -H 'Accept: a' -H 'X: b' 'http://localhost:8080/?a=b&c=d'\n```\n", ""},
		{"other option", "```console\n$ curl -v http://localhost:8080/\n```\n", "cannot be checked"},
		{"none", "```console\n$ make test\n```\n", "add one with its answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			questions, err := readQuestions("README.md", test.text)
			checkError(t, err, test.want)
			if test.want == "" && (len(questions) != 1 || questions[0].url != "http://localhost:8080/?a=b&c=d" || questions[0].header.Get("X") != "b") {
				t.Errorf("read %v", questions)
			}
		})
	}
}

// TestTags prints the tags, and sets and pushes them only with -push, and only if all is committed.
func TestTags(t *testing.T) {
	dir, remote := writeRepository(t, nil), t.TempDir()
	git := func(dir string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	t.Setenv("GIT_COMMITTER_NAME", "x")
	t.Setenv("GIT_COMMITTER_EMAIL", "x@example.com")
	git(remote, "init", "--bare", "--quiet")
	git(dir, "remote", "add", "origin", remote)
	const want = "bench/v0.1.0\ncore/v0.1.0\nadapters/a/v0.1.0\nadapters/b/v0.1.0\nexamples/generated/v0.1.0\n"
	for _, step := range []struct {
		mend func() error
		want string
	}{
		{func() error { return nil }, "run `release readme`"},
		{func() error { return writeReadme(dir) }, "tools/use.sh"},
		{func() error { return os.Remove(filepath.Join(dir, "tools", "use.sh")) }, "CHANGELOG.md"},
		{func() error {
			return os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte("# Changes\n\n## v0.1.0\n"), 0o600)
		}, "no heading such as \"## v0.1.0 - 2027-01-31\""},
		{func() error {
			return os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte("# Changes\n\n## v0.1.0 - 2026-12-15\n"), 0o600)
		}, "not committed"},
	} {
		if err := step.mend(); err != nil {
			t.Fatal(err)
		}
		if step.want != "not committed" {
			git(dir, "add", "--all")
			git(dir, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "--message=x")
		}
		checkError(t, run(t.Context(), new(strings.Builder), dir, []string{"tags", "-push"}), step.want)
	}
	git(dir, "add", "--all")
	git(dir, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x")
	for _, test := range []struct {
		args         []string
		want, pushed string
	}{
		{[]string{"tags"}, want, ""},
		{[]string{"tags", "-push"}, want, "adapters/a/v0.1.0\nadapters/b/v0.1.0\nbench/v0.1.0\ncore/v0.1.0\nexamples/generated/v0.1.0\n"},
	} {
		var out strings.Builder
		checkError(t, run(t.Context(), &out, dir, test.args), "")
		if out.String() != test.want {
			t.Errorf("%q prints %q", test.args, &out)
		}
		if got := git(remote, "tag", "--list"); got != test.pushed {
			t.Errorf("%q pushes %q", test.args, got)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	checkError(t, run(t.Context(), new(strings.Builder), dir, []string{"tags", "-push"}), "not committed")
}

// TestWriteReadme leaves what is from the release on.
func TestWriteReadme(t *testing.T) {
	dir := writeRepository(t, nil)
	checkError(t, run(t.Context(), new(strings.Builder), dir, []string{"readme"}), "")
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(sample()["README.md"], "<!-- until the release -->\n```sh\ngit clone https://example.org\nsh ../verso/tools/use.sh\n```\n<!-- from the release on:\n", "", 1)
	if want = strings.Replace(want, "-->\n", "", 1); string(page) != want {
		t.Errorf("it wrote\n%s\ninstead of\n%s", page, want)
	}
}

// TestOwnReadme reads the README of this repository, before the release and from then on.
func TestOwnReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	modules, _, err := readWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]string{"now": string(page), "from the release on": released(string(page))} {
		quickstarts, err := readQuickstarts(root, page, modules)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, shown := shownProgram(page, quickstarts); shown == nil {
			t.Errorf("%s: the README shows another program than those that it links to", name)
		}
	}
	if left := released(string(page)); strings.Contains(left, "use.sh") || strings.Contains(left, "verso/examples run") || strings.Contains(left, "<!--") {
		t.Errorf("the released README still has what is before the release:\n%s", left)
	}
}
