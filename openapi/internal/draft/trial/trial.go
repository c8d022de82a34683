// Package trial tries a draft: it builds what is drafted in the module of the service, and finds what
// packages migrate and openapi refuse.
package trial

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
// altogether is a [RefusedError].
func Run(d *compare.Draft, dir string, progress bool) (err error) {
	folder, err := os.MkdirTemp(dir, "draft-trial-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	code := golang.Format("draft.go", generated(d))
	document, err := json.Marshal(d.Whole)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"main.go": []byte(program), "draft.go": code, "document.json": document} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	var out, complaint bytes.Buffer
	c := exec.Command("go", "run", ".", "document.json")
	c.Dir, c.Stdout, c.Stderr = folder, &out, &complaint
	if progress {
		c.Env = append(os.Environ(), "DRAFT_PROGRESS=1")
		c.Stderr = os.Stderr
	}
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return &RefusedError{withoutGo(complaint.String())}
		}
		return err
	}
	return apply(d, out.Bytes())
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
		r.Plain = made.Plain[i]
		for j, body := range r.Bodies {
			made.Bodies[i][j].onto(body)
		}
	}
	for i, h := range d.Hooks {
		h.Why = made.Hooks[i]
	}
	return nil
}

// generated returns the data of the program.
func generated(d *compare.Draft) string {
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
	of := map[string][]int{}
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
		}
	}
	b.WriteString("}\n\nvar routes = []route{\n")
	for _, r := range d.Routes {
		var bodies, types []string
		for _, body := range r.Bodies {
			bodies = append(bodies, "func() migrate.Body { return "+body.Options[0]+" }")
			types = append(types, body.Options[0])
		}
		var edits []int
		for _, t := range d.Set.Reached(types) {
			edits = append(edits, of[t]...)
		}
		slices.Sort(edits)
		fmt.Fprintf(&b, "{%q, %q, func(v *versochi.Routes) *versochi.Routes { return v%s }, []func() "+
			"migrate.Body{%s}, []int{%s}},\n",
			r.Method, r.Path, golang.Chain(r), strings.Join(bodies, ", "),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(edits), " ", ", "), "[]"))
	}
	b.WriteString("}\n\nvar webhooks = []func(h *migrate.History){\n")
	for _, h := range d.Hooks {
		b.WriteString("func(h *migrate.History) { " + golang.Hook(h) + " },\n")
	}
	b.WriteString("}\n\n" + golang.Functions(d) + d.Set.Print(d.Set.Names()))
	return golang.File("main", "", b.String())
}
