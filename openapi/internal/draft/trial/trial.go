// Package trial tries a draft: it builds what is drafted in the module of the service, and finds what
// packages migrate and openapi refuse.
package trial

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/golang"
)

//go:embed main.go.txt
var program string

// A RefusedError is what the trial printed instead of verdicts.
type RefusedError struct{ Output string }

func (e *RefusedError) Error() string { return e.Output }

type verdict struct {
	Option int    `json:"option"`
	Why    string `json:"why"`
}

func (v verdict) onto(e *compare.Edit) {
	e.Chosen, e.Why = v.Option, strings.ReplaceAll(v.Why, "main.", "")
}

// Run tries a draft in a folder inside dir, which it removes, and sets the verdicts. What is refused
// altogether is a [RefusedError]. ownPath is the package of the types that the service has. untidy means that the
// module there lacks requirements of the draft.
func Run(d *compare.Draft, router *golang.Router, dir, ownPath string, progress bool) (untidy bool, err error) {
	code := golang.Format("draft.go", generated(d, router, ownPath))
	document, err := json.Marshal(d.Whole)
	if err != nil {
		return false, err
	}
	out, untidy, err := printed(dir, map[string][]byte{"main.go": []byte(program), "draft.go": code, "document.json": document},
		progress)
	if err != nil {
		return untidy, err
	}
	return untidy, apply(d, out)
}

// printed returns what a program prints for document.json. Its files are in a folder inside dir until it ends.
func printed(dir string, files map[string][]byte, progress bool) (out []byte, untidy bool, err error) {
	folder, err := os.MkdirTemp(dir, "draft-trial-")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return nil, false, err
		}
	}
	out, err = run(folder, progress)
	var refused *RefusedError
	if errors.As(err, &refused) && lacking.MatchString(refused.Output) {
		untidy = true
		out, err = completed(folder, progress, err)
	}
	return out, untidy, err
}

// lacking finds the messages of the go command about requirements that a module lacks.
var lacking = regexp.MustCompile(`no required module provides package|missing go\.sum entry|updates to go\.mod needed|` +
	`is replaced but not required`)

// completed is run with a copy of go.mod that gets the requirements. why is what run returns without it.
func completed(folder string, progress bool, why error) ([]byte, error) {
	c := exec.Command("go", "env", "GOMOD", "GOWORK")
	c.Dir = folder
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	files := strings.Split(string(out), "\n")
	if files[1] != "" && files[1] != "off" {
		return nil, why // a workspace takes no other go.mod
	}
	for name, from := range map[string]string{"trial.mod": files[0], "trial.sum": strings.TrimSuffix(files[0], "mod") + "sum"} {
		text, err := os.ReadFile(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	whole, err := filepath.Abs(filepath.Join(folder, "trial.mod"))
	if err != nil {
		return nil, err
	}
	return run(folder, progress, "-mod=mod", "-modfile="+whole)
}

// run runs the program in a folder, and returns what it prints.
func run(folder string, progress bool, options ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	c := exec.Command("go", slices.Concat([]string{"run"}, options, []string{".", "document.json"})...)
	c.Dir, c.Stdout, c.Stderr = folder, &out, &complaint
	c.Env = append(os.Environ(), "GIN_MODE=release") // Gin prints each route otherwise
	if progress {
		c.Env = append(c.Env, "DRAFT_PROGRESS=1")
		c.Stderr = terminal{&complaint}
		defer func() { _, _ = io.WriteString(os.Stderr, line) }()
	}
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, &RefusedError{withoutGo(complaint.String())}
	}
	return out.Bytes(), err
}

// line begins each line of progress.
const line = "\r\x1b[K"

// terminal shows what is progress, and keeps what is not.
type terminal struct{ complaint io.Writer }

func (t terminal) Write(text []byte) (int, error) {
	if bytes.HasPrefix(text, []byte(line)) {
		return os.Stderr.Write(text)
	}
	return t.complaint.Write(text)
}

// withoutGo drops the lines of the go command.
func withoutGo(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "go: downloading") || strings.HasPrefix(line, "exit status")
	})
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func apply(d *compare.Draft, raw []byte) error {
	var made struct {
		Parts  []verdict   `json:"parts"`
		Bodies [][]verdict `json:"bodies"`
		Plain  []string    `json:"plain"`
		Lost   []string    `json:"lost"`
		Hooks  []string    `json:"hooks"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		return fmt.Errorf("the trial prints %q: %w", raw, err)
	}
	i := 0
	for _, release := range d.Releases {
		for _, of := range release.Types {
			for _, e := range of.Edits {
				made.Parts[i].onto(e)
				i++
			}
		}
	}
	for i, r := range d.Routes {
		r.Plain, r.Refused = made.Plain[i], made.Lost[i]
		for j, body := range r.Bodies {
			made.Bodies[i][j].onto(body)
		}
	}
	for i, h := range d.Hooks {
		h.Why = made.Hooks[i]
	}
	return nil
}

// component finds the components that an expression of Go documents.
var component = regexp.MustCompile(`"#/components/([^/"]+/[^/"]+)`)

// components returns the components that edits document.
func components(edits []*compare.Edit) (l []string) {
	for _, e := range edits {
		for _, m := range component.FindAllStringSubmatch(strings.Join(e.Options, "\n"), -1) {
			l = append(l, m[1])
		}
	}
	return l
}

// generated returns the data of the program.
func generated(d *compare.Draft, router *golang.Router, ownPath string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "var versionSource = %s\n\n", d.VersionSource())
	fmt.Fprintf(&b, "var versions = %s\n\nvar declared = []migrate.Revision{\n%s}\n\n",
		golang.Strings(d.Versions()), golang.Declarations(d))
	var changes []string
	for _, release := range d.Releases {
		name := compare.ChangeName(release.Version)
		fmt.Fprintf(&b, "var %s *migrate.Change\n", name)
		changes = append(changes, "&"+name)
	}
	fmt.Fprintf(&b, "\nvar changes = []**migrate.Change{%s}\n\nvar parts = []part{\n", strings.Join(changes, ", "))
	of, documented := map[string][]int{}, map[string][]string{} // by types
	n := 0
	for i, release := range d.Releases {
		for _, t := range release.Types {
			for _, e := range t.Edits {
				fmt.Fprintf(&b, "{%q, %d, []func() migrate.TypeEdits{", t.Type, i)
				for _, option := range e.Options {
					fmt.Fprintf(&b, "func() migrate.TypeEdits { return migrate.For[%s](%s) }, ", t.Type, option)
				}
				b.WriteString("}},\n")
				of[t.Type] = append(of[t.Type], n)
				n++
			}
			documented[t.Type] = append(documented[t.Type], components(t.Edits)...)
		}
	}
	fmt.Fprintf(&b, "}\n\ntype adapted = %s\n\nfunc newAdapted(api *verso.Versioning) adapted { return %s }\n\n",
		router.Type(), router.New())
	draft := router.Calls([]*compare.Route{{Method: "GET", Path: "/draft"}})[0]
	fmt.Fprintf(&b, "func addDraft(v adapted) { v.%s }\n\n%s\nvar routes = []route{\n", draft, router.NotImplemented())
	calls := router.Calls(d.Routes)
	for i, r := range d.Routes {
		add := "nil"
		if calls[i] != "" {
			add = "func(v adapted) { v." + calls[i] + " }"
		}
		var bodies, types []string
		for _, body := range r.Bodies {
			bodies = append(bodies, "func() migrate.Body { return "+body.Options[0]+" }")
			types = append(types, body.Options[0])
		}
		edits, refs := []int{}, components(r.Bodies)
		for _, t := range d.Set.Reached(types) {
			edits, refs = append(edits, of[t]...), append(refs, documented[t]...)
		}
		slices.Sort(edits)
		slices.Sort(refs)
		fmt.Fprintf(&b, "{%q, %q, func(v adapted) adapted { return v%s }, %s, []func() migrate.Body{%s}, []int{%s}, %s},\n",
			r.Method, r.Path, golang.Chain(r), add, strings.Join(bodies, ", "),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(edits), " ", ", "), "[]"), golang.Strings(slices.Compact(refs)))
	}
	b.WriteString("}\n\nvar webhooks = []func(h *migrate.History){\n")
	for _, h := range d.Hooks {
		b.WriteString("func(h *migrate.History) { " + golang.Hook(h) + " },\n")
	}
	b.WriteString("}\n\n" + golang.Functions(d) + d.Set.Print(d.Set.Names()))
	for _, name := range d.Given() {
		fmt.Fprintf(&b, "type %s = own.%[1]s\n\n", name)
	}
	return golang.File("main", "", b.String(), append(router.Imports(), golang.OwnImport(ownPath))...)
}
