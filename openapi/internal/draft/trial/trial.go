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
	"github.com/goverso/verso/openapi/internal/draft/document"
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
// module there lacks requirements of the draft. An edit that makes the document of an older version differ more from
// the published one is off, too.
func Run(d *compare.Draft, published map[string]*document.Document, router *golang.Router, dir, ownPath string,
	progress bool) (untidy bool, err error) {
	partsOf := reached(d)
	code := []byte(generated(d, partsOf, router, ownPath))
	whole, err := json.Marshal(d.Whole)
	if err != nil {
		return false, err
	}
	files := map[string][]byte{"main.go": []byte(program), "draft.go": code, "document.json": whole}
	return talked(dir, files, progress, func(in io.Writer, out io.Reader) error {
		questions, answers := json.NewEncoder(in), json.NewDecoder(out)
		parts, err := apply(d, answers)
		if err != nil || len(published) == 0 {
			return err
		}
		c := &comparison{Draft: d, published: published, parts: parts, reached: partsOf,
			work: tries * (len(whole) + 8*each), known: map[int]map[string]answer{}, changed: map[*compare.Edit]compare.Verdict{}}
		c.ask = func(q question) (made map[string]json.RawMessage, err error) {
			if err = questions.Encode(q); err == nil {
				err = answers.Decode(&made)
			}
			return made, err
		}
		return c.run()
	})
}

// talked runs a program for document.json, and talks with it. Its files are in a folder inside dir until it ends.
func talked(dir string, files map[string][]byte, progress bool, talk func(io.Writer, io.Reader) error) (untidy bool,
	err error) {
	folder, err := os.MkdirTemp(dir, "draft-trial-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return false, err
		}
	}
	err = run(folder, progress, talk)
	var refused *RefusedError
	if errors.As(err, &refused) && lacking.MatchString(refused.Output) {
		untidy = true
		err = completed(folder, progress, talk, err)
	}
	return untidy, err
}

// lacking finds the messages of the go command about requirements that a module lacks.
var lacking = regexp.MustCompile(`no required module provides package|missing go\.sum entry|updates to go\.mod needed|` +
	`is replaced but not required`)

// completed is run with a copy of go.mod that gets the requirements. why is what run returns without it.
func completed(folder string, progress bool, talk func(io.Writer, io.Reader) error, why error) error {
	c := exec.Command("go", "env", "GOMOD", "GOWORK")
	c.Dir = folder
	out, err := c.Output()
	if err != nil {
		return err
	}
	files := strings.Split(string(out), "\n")
	if files[1] != "" && files[1] != "off" {
		return why // a workspace takes no other go.mod
	}
	for name, from := range map[string]string{"trial.mod": files[0], "trial.sum": strings.TrimSuffix(files[0], "mod") + "sum"} {
		text, err := os.ReadFile(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	whole, err := filepath.Abs(filepath.Join(folder, "trial.mod"))
	if err != nil {
		return err
	}
	return run(folder, progress, talk, "-mod=mod", "-modfile="+whole)
}

// quick are options of the go command for a program that runs once: its many small functions take longer to be
// optimized than to run.
var quick = []string{"-gcflags=-N -l -dwarf=false", "-ldflags=-s -w"}

// run runs the program in a folder, and talks with it.
func run(folder string, progress bool, talk func(io.Writer, io.Reader) error, options ...string) error {
	var complaint bytes.Buffer
	c := exec.Command("go", slices.Concat([]string{"run"}, quick, options, []string{".", "document.json"})...)
	c.Dir, c.Stderr = folder, &complaint
	// Gin prints each route otherwise. The compiler is soon done, and collects garbage for a fifth of its time.
	c.Env = append([]string{"GOGC=400"}, os.Environ()...) // of a variable that comes twice, the last one counts
	c.Env = append(c.Env, "GIN_MODE=release")
	if progress {
		c.Env = append(c.Env, "DRAFT_PROGRESS=1")
		c.Stderr = terminal{&complaint}
		defer func() { _, _ = io.WriteString(os.Stderr, line) }()
	}
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	talkErr := talk(in, out)
	_ = in.Close() // it ends the program
	_, _ = io.Copy(io.Discard, out)
	err = c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &RefusedError{withoutGo(complaint.String())}
	}
	return errors.Join(err, talkErr)
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

// apply sets the verdicts that the program prints, and returns the parts.
func apply(d *compare.Draft, out *json.Decoder) (parts []*compare.Edit, err error) {
	var made struct {
		Parts  []verdict   `json:"parts"`
		Bodies [][]verdict `json:"bodies"`
		Plain  []string    `json:"plain"`
		Lost   []string    `json:"lost"`
		Hooks  []string    `json:"hooks"`
	}
	if err := out.Decode(&made); err != nil {
		return nil, fmt.Errorf("the trial has no result: %w", err)
	}
	for _, release := range d.Releases {
		for _, of := range release.Types {
			for _, e := range of.Edits {
				made.Parts[len(parts)].onto(e)
				parts = append(parts, e)
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
	return parts, nil
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

// reached returns the parts that the bodies of each route reach.
func reached(d *compare.Draft) (all [][]int) {
	of, n := map[string][]int{}, 0 // by types
	for _, release := range d.Releases {
		for _, t := range release.Types {
			for range t.Edits {
				of[t.Type] = append(of[t.Type], n)
				n++
			}
		}
	}
	for _, r := range d.Routes {
		edits := []int{}
		var types []string
		for _, body := range r.Bodies {
			types = append(types, body.Options[0])
		}
		for _, t := range d.Set.Reached(types) {
			edits = append(edits, of[t]...)
		}
		slices.Sort(edits)
		all = append(all, edits)
	}
	return all
}

// generated returns the data of the program. partsOf is what reached returns.
func generated(d *compare.Draft, partsOf [][]int, router *golang.Router, ownPath string) string {
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
	refsOf := map[string][]string{} // by types
	for i, release := range d.Releases {
		for _, t := range release.Types {
			for _, e := range t.Edits {
				fmt.Fprintf(&b, "{%q, (*%[1]s)(nil), %q, %d, [][]migrate.Edit{", t.Type, e.Member, i)
				for _, option := range e.Options {
					fmt.Fprintf(&b, "{%s}, ", option)
				}
				b.WriteString("}},\n")
			}
			refsOf[t.Type] = append(refsOf[t.Type], components(t.Edits)...)
		}
	}
	fmt.Fprintf(&b, "}\n\nfunc bodies() []migrate.Body {\nreturn []migrate.Body{\n")
	placeOf := map[string]int{} // of a body among them: many routes have the same
	for _, r := range d.Routes {
		for _, body := range r.Bodies {
			if _, ok := placeOf[body.Options[0]]; !ok {
				placeOf[body.Options[0]] = len(placeOf)
				b.WriteString(body.Options[0] + ",\n")
			}
		}
	}
	fmt.Fprintf(&b, "}\n}\n\ntype adapted = %s\n\nfunc newAdapted(api *verso.Versioning) adapted { return %s }\n\n",
		router.Type(), router.New())
	draft := router.Calls([]*compare.Route{{Method: "GET", Path: "/draft"}})[0]
	fmt.Fprintf(&b, "func addDraft(v adapted) { v.%s }\n\n%s\nvar routes = []route{\n", draft, router.NotImplemented())
	calls := router.Calls(d.Routes)
	for i, r := range d.Routes {
		add := "nil"
		if calls[i] != "" {
			add = "func(v adapted) { v." + calls[i] + " }"
		}
		chain := "nil"
		if made := golang.Chain(r); made != "" {
			chain = "func(v adapted) adapted { return v" + made + " }"
		}
		var bodies []int
		var types []string
		for _, body := range r.Bodies {
			bodies = append(bodies, placeOf[body.Options[0]])
			types = append(types, body.Options[0])
		}
		refs := components(r.Bodies)
		for _, t := range d.Set.Reached(types) {
			refs = append(refs, refsOf[t]...)
		}
		slices.Sort(refs)
		fmt.Fprintf(&b, "{%q, %q, %s, %s, %#v, %#v, %s},\n", r.Method, r.Path, chain, add, bodies, partsOf[i],
			golang.Strings(slices.Compact(refs)))
	}
	b.WriteString("}\n\nvar webhooks = []func(h *migrate.History){\n")
	for _, h := range d.Hooks {
		b.WriteString("func(h *migrate.History) { " + golang.Hook(h) + " },\n")
	}
	// The compiler makes a function that compares the structs of each type otherwise. One without fields stays: a query
	// may have none.
	types := strings.ReplaceAll(d.Set.Print(d.Set.Names()), " struct {\n\t", " struct {\n\t_ [0]func()\n\t")
	b.WriteString("}\n\n" + golang.Functions(d) + types)
	for _, name := range d.Given() {
		fmt.Fprintf(&b, "type %s = own.%[1]s\n\n", name)
	}
	return golang.File("main", "", b.String(), append(router.Imports(), golang.OwnImport(ownPath))...)
}
