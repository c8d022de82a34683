package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

const page = "Ask:\n\n```console\n$ curl http://localhost:8080/v1/users/7\n" +
	`{"self":"http://localhost:8080/v1/users/7"}` + "\n$ curl http://localhost:8080/\nnone\n```\n\n" +
	"```console\n$ make demo\nOutput of the demo.\n```\n"

func TestReadQuestions(t *testing.T) {
	got, err := readQuestions(page)
	if err != nil {
		t.Fatal(err)
	}
	want := []question{
		{"http://localhost:8080/v1/users/7", `{"self":"http://localhost:8080/v1/users/7"}` + "\n"},
		{"http://localhost:8080/", "none\n"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	moved := got[0].at("127.0.0.1:9")
	if want := (question{"http://127.0.0.1:9/v1/users/7", `{"self":"http://127.0.0.1:9/v1/users/7"}` + "\n"}); moved != want {
		t.Errorf("at another address it is %q", moved)
	}
}

func TestReadQuestionsFails(t *testing.T) {
	_, err := readQuestions("nothing")
	checkError(t, err, "no command $ curl")
	_, err = readQuestions("```console\n$ curl -i http://localhost:8080/\n```\n")
	checkError(t, err, "not of the form")
}

func TestAsk(t *testing.T) {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%s%s\n", r.Host, r.URL.Path)
	}))
	defer backend.Close()
	s := &server{address: strings.TrimPrefix(backend.URL, "http://")}
	right := question{"http://localhost:8080/a", "localhost:8080/a\n"}
	wrong := question{"http://localhost:8080/a", "localhost:8080/b\n"}
	checkError(t, s.ask(t.Context(), []question{right}), "")
	checkError(t, s.ask(t.Context(), []question{right, wrong}), "instead of what README.md shows")
}

func TestReadQuickstarts(t *testing.T) {
	program := func(adapter string) string {
		return "package main\n\nimport _ \"example.org/adapters/" + adapter + "\"\n\nfunc main() {}\n"
	}
	files := map[string]string{
		"go.work":           "go 1.26.0\n\nuse (\n\t./adapters/a\n\t./adapters/b\n\t./internal\n)\n",
		"adapters/a/go.mod": goMod("example.org/adapters/a"),
		"adapters/a/a.go":   "package a\n",
		"adapters/b/go.mod": goMod("example.org/adapters/b"),
		"adapters/b/b.go":   "package b\n",
		"internal/go.mod":   goMod("example.org/internal"),
		"README.md": "```go\n" + program("a") + "```\n\n```go\n" + program("b") + "```\n\n" +
			"```go\npackage part\n```\n",
		"examples/quickstart/a/main.go":      program("a"),
		"examples/quickstart/other/main.go":  "// Command other.\n" + program("b"),
		"examples/quickstart/hidden/main.go": "package main\n\nimport _ \"example.org/internal/x\"\n",
	}
	dir := writeTree(t, files)
	modules, err := readWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	quickstarts, err := readQuickstarts(dir, modules)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range quickstarts {
		got = append(got, q.String()+": "+q.adapter.folder)
	}
	want := []string{"README.md and examples/quickstart/a: adapters/a", "README.md: adapters/b", "examples/quickstart/other: adapters/b"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
