// Package write writes a draft into a folder, and overwrites no file that a person has changed.
package write

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/golang"
	"github.com/goverso/verso/openapi/internal/draft/own"
)

// Options are the folder and the package of a draft.
type Options struct {
	Folder, Package string
	Router          *golang.Router
	Untried         string            // why there was no trial, or ""
	Untidy          bool              // the module lacks requirements of the draft
	Own             *own.Package      // the types of the service, which get the history alone, or nil
	Published       map[string]string // the file of each older version
}

// Mark begins the first line of each Go file, before the sum of the rest.
const Mark = "// Drafted from published documents, to be edited; sha256 "

// Write writes the files of a draft, and returns what it has to report. It never overwrites a file
// that differs from what it wrote: the draft is then beside it, as NAME.new.
func Write(d *compare.Draft, o Options) (*Report, error) {
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return nil, err
	}
	w := &writer{Draft: d, Options: o, report: &Report{Folder: o.Folder, Router: o.Router.Name, Untried: o.Untried,
		Untidy: o.Untidy, Notes: d.Notes, Additive: d.Additive}}
	if o.Own != nil {
		return w.report, w.history()
	}
	w.refuseUnused()
	files := map[string]string{
		"types.go":    golang.File(o.Package, "", w.types()),
		"versions.go": golang.File(o.Package, w.doc(), w.versions()),
		"routes.go":   golang.File(o.Package, "", w.routes(), o.Router.Imports()...),
	}
	test, err := w.test()
	if err != nil {
		return nil, err
	}
	files["versions_test.go"] = golang.File(o.Package, "", test, o.Router.Imports()...)
	for _, name := range document.Names(object(files)) {
		if err := w.keep(name, golang.Format(name, files[name])); err != nil {
			return nil, err
		}
	}
	return w.report, w.keepDocument("newest.json")
}

// history writes what is drafted for the types of a service.
func (w *writer) history() error {
	w.report.OwnTypes = true
	w.Questions = slices.Concat(w.Own.Questions, w.Questions)
	code := golang.File(w.Package, "", w.versions()+w.types())
	for _, r := range w.Routes {
		var bodies []string
		for _, e := range r.Bodies {
			if e.Chosen >= 0 {
				bodies = append(bodies, e.Options[e.Chosen])
			}
		}
		if len(bodies) > 0 {
			w.report.Routes = append(w.report.Routes, fmt.Sprintf("%s %s: v%s.Rewrite(history.Route(%s))", r.Method, r.Path,
				golang.Chain(r), strings.Join(bodies, ", ")))
		}
	}
	if err := w.keep("versions.go", golang.Format("versions.go", code)); err != nil {
		return err
	}
	mapping, err := w.Own.Mapping()
	if err != nil || len(mapping) == 0 {
		return err
	}
	return os.WriteFile(filepath.Join(w.Folder, own.MappingFile), mapping, 0o644)
}

func object(m map[string]string) document.Object {
	o := document.Object{}
	for k := range m {
		o[k] = nil
	}
	return o
}

type writer struct {
	*compare.Draft
	Options
	report *Report
}

// refuseUnused refuses the edits of types that neither a route nor a webhook has, since those are refused: a history
// warns of such edits.
func (w *writer) refuseUnused() {
	var has []string
	for i, call := range w.Router.Calls(w.Routes) {
		for _, e := range w.Routes[i].Bodies {
			if r := w.Routes[i]; call != "" && r.Refused == "" && r.Plain == "" && e.Chosen >= 0 {
				has = append(has, e.Options[e.Chosen])
			}
		}
	}
	for _, h := range w.Hooks {
		if h.Why == "" {
			has = append(has, h.Type)
		}
	}
	var unused []*compare.TypeEdits
	for _, release := range w.Releases {
		unused = append(unused, release.Types...)
	}
	for more := true; more; { // an edit may have a type with edits
		used := w.Set.Reached(has)
		before := len(unused)
		unused = slices.DeleteFunc(unused, func(t *compare.TypeEdits) bool {
			is := slices.Contains(used, t.Type)
			for _, e := range t.Edits {
				if is && e.Chosen >= 0 {
					has = append(has, e.Options[e.Chosen])
				}
			}
			return is
		})
		more = len(unused) < before
	}
	for _, t := range unused {
		for _, e := range t.Edits {
			if e.Chosen >= 0 {
				e.Chosen, e.Why = -1, "no route and no webhook has "+t.Type
			}
		}
	}
}

func (w *writer) doc() string {
	versions := w.Versions()
	return fmt.Sprintf("// Package %s has the newest form of the API, and how each of the versions %s differs "+
		"from it.\n", w.Package, strings.Join(versions, ", "))
}

func (w *writer) types() string { return w.Set.Print(w.Set.Names()) }

// versions returns the code of the history.
func (w *writer) versions() string {
	var b strings.Builder
	for _, question := range w.Questions {
		b.WriteString(golang.Comment("TODO: " + question))
		w.report.Questions = append(w.report.Questions, question)
	}
	for _, note := range w.Notes {
		b.WriteString(golang.Comment("TODO: no declaration covers: " + note))
	}
	if len(w.Notes)+len(w.Questions) > 0 {
		b.WriteString("\n")
	}
	for i, release := range w.Releases {
		older := w.Versions()[i+1]
		fmt.Fprintf(&b, "var %s = migrate.Changed(\"TODO: a sentence for the changelog, for clients of %s.\",\n",
			compare.ChangeName(release.Version), older)
		for _, t := range release.Types {
			b.WriteString(w.typeEdits(t))
		}
		b.WriteString(")\n\n")
	}
	b.WriteString("// History returns the history of the API, whose versions api has.\nfunc History(api " +
		"*verso.Versioning) (*migrate.History, error) {\n\treturn migrate.New(api,\n")
	b.WriteString(golang.Declarations(w.Draft))
	for _, release := range w.Releases {
		fmt.Fprintf(&b, "migrate.Release(%q, %s),\n", release.Version, compare.ChangeName(release.Version))
	}
	fmt.Fprintf(&b, "migrate.Release(%q))\n}\n\n%s", w.Oldest, golang.Functions(w.Draft))
	return b.String()
}

func (w *writer) typeEdits(t *compare.TypeEdits) string {
	var b strings.Builder
	written := false
	for _, e := range t.Edits {
		for _, todo := range e.Todos {
			b.WriteString(golang.Comment("TODO: " + todo))
			w.report.ask(t.Type, todo)
		}
		if e.Chosen < 0 {
			b.WriteString(golang.Comment("TODO: refused: "+short(e.Why)) + golang.Comment(e.Options[0]+","))
			w.report.refused(t.Type, last(e.Options[0]), e.Why)
			continue
		}
		if e.Chosen > 0 {
			b.WriteString(golang.Comment("TODO: the first is refused, and the second covers less: "+short(e.Why)) +
				golang.Comment(e.Options[0]+","))
			w.report.ask(t.Type, "refused is "+strings.ReplaceAll(e.Options[0], "\n", " "))
		}
		b.WriteString(e.Options[e.Chosen] + ",\n")
		w.report.Edits++
		written = true
	}
	if !written {
		return b.String()
	}
	w.report.Types++
	return "migrate.For[" + t.Type + "](\n" + b.String() + "),\n"
}

// test returns the code of the test that compares the documents of the older versions with the published ones.
func (w *writer) test() (string, error) {
	versions := w.Versions()
	slices.Reverse(versions)
	var b strings.Builder
	fmt.Fprintf(&b, "// The documents of older versions are the published ones, but for the known "+
		"differences.\nfunc TestPublished(t *testing.T) {\n"+
		"\tapi := verso.MustNew(%s, verso.Config{AllowedVersions: %s})\n\thistory, err := History(api)\n\t"+
		"if err != nil {\n\t\tt.Fatal(err)\n\t}\n"+
		"\tv := %s\n\tRoutes(v, history)\n", w.VersionSource(), golang.Strings(versions), w.Router.New())
	if len(w.Hooks) > 0 {
		b.WriteString("\tWebhooks(history)\n")
	}
	for i, version := range w.Versions()[1:] {
		path, err := relative(w.Folder, w.Published[version])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "openapitest.Published(t, openapitest.Publication{\nNewest: \"newest.json\", Service: "+
			"v.Explain(), Converter: history,\nVersion: %q, Published: %q, Known: %q,\nValues: values%d,\n})\n",
			version, path, "testdata/known-"+strings.ReplaceAll(version, "/", "-")+".txt", i+1)
	}
	b.WriteString("}\n")
	for i, version := range w.Versions()[1:] {
		fmt.Fprintf(&b, "\nvar values%d = []openapitest.Value{\n", i+1)
		for _, p := range w.Probes {
			if p.Version == version {
				fmt.Fprintf(&b, "{Component: %q, Type: reflect.TypeFor[%s](), Request: %v, Response: %v},\n",
					p.Component, p.Type, p.Request, p.Response)
			}
		}
		b.WriteString("}\n")
	}
	return b.String(), nil
}

// relative returns the path of a file from a folder, with slashes.
func relative(folder, file string) (string, error) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	return filepath.ToSlash(path), err
}

// last returns the last of several edits.
func last(option string) string { return option[strings.LastIndex(option, "\n")+1:] }

// routes returns the code of the routes and webhooks.
func (w *writer) routes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Routes registers the operations. TODO: give each its handler.\nfunc Routes(v %s, "+
		"h *migrate.History) {\n", w.Router.Type())
	for i, call := range w.Router.Calls(w.Routes) {
		b.WriteString(w.route(w.Routes[i], call))
	}
	b.WriteString("}\n\n" + w.Router.NotImplemented())
	if len(w.Hooks) > 0 {
		b.WriteString("\n// Webhooks declares what the service sends. TODO: keep the result of Sends that you " +
			"need.\nfunc Webhooks(h *migrate.History) {\n")
		for _, h := range w.Hooks {
			if h.Why != "" {
				b.WriteString(golang.Comment("TODO: refused: "+short(h.Why)) + golang.Comment(golang.Hook(h)))
				w.report.refused("webhook "+h.Name, golang.Hook(h), h.Why)
				continue
			}
			b.WriteString(golang.Hook(h) + "\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// route returns the registration of a route. call is "" if the router has no pattern for it.
func (w *writer) route(r *compare.Route, call string) string {
	place := r.Method + " " + r.Path
	if call == "" {
		call = place
		r.Refused = w.Router.Name + " has no pattern for this path"
	}
	if r.Refused != "" {
		w.report.refused(place, "the route", r.Refused)
		return golang.Comment("TODO: refused: " + call + ": " + short(r.Refused))
	}
	var options, comments, lines []string // lines: of both
	comment := func(text string) {
		comments, lines = append(comments, golang.Comment("TODO: "+text)), append(lines, golang.Comment("TODO: "+text))
	}
	for _, e := range r.Bodies {
		for _, todo := range e.Todos {
			comment(todo)
			w.report.ask(place, todo)
		}
		if e.Chosen < 0 {
			comment("refused: " + e.Options[0] + ": " + short(e.Why))
			w.report.refused(place, e.Options[0], e.Why)
			continue
		}
		options, lines = append(options, e.Options[e.Chosen]), append(lines, e.Options[e.Chosen]+",\n")
	}
	before, after := "v"+golang.Chain(r), "."+call+"\n"
	if r.Plain != "" {
		comment("this route is not rewritten: " + short(r.Plain))
		w.report.refused(place, "Rewrite", r.Plain)
		return strings.Join(comments, "") + before + after
	}
	before, after = before+".Rewrite(h.Route(", "))"+after
	line := before + strings.Join(options, ", ") + after
	if len(comments) == 0 && (len(line) < 120 || len(options) == 1) {
		return line
	}
	return before + "\n" + strings.Join(lines, "") + after
}

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// keep writes a Go file. If a person has changed it, the draft is written beside it.
func (w *writer) keep(name string, text []byte) error {
	path := filepath.Join(w.Folder, name)
	there, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	first, rest, _ := bytes.Cut(there, []byte("\n\n"))
	if err == nil && string(first) != Mark+sum(rest) && !bytes.Equal(rest, text) {
		path += ".new"
		w.report.Kept = append(w.report.Kept, name)
	}
	return os.WriteFile(path, append([]byte(Mark+sum(text)+"\n\n"), text...), 0o644)
}

// sumKey is the member of a drafted document with the sum of the rest.
const sumKey = "x-drafted-sha256"

// keepDocument is keep for the newest document.
func (w *writer) keepDocument(name string) error {
	path := filepath.Join(w.Folder, name)
	there, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		var was document.Object
		changed := json.Unmarshal(there, &was) != nil
		if !changed {
			said := was[sumKey]
			delete(was, sumKey)
			changed = said != sum([]byte(document.Compact(was)))
		}
		if changed {
			path += ".new"
			w.report.Kept = append(w.report.Kept, name)
		}
	}
	delete(w.Whole, sumKey)
	var plain document.Object // with the numbers of encoding/json, as keepDocument reads them
	if err := json.Unmarshal([]byte(document.Compact(w.Whole)), &plain); err != nil {
		return err
	}
	w.Whole[sumKey] = sum([]byte(document.Compact(plain)))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(w.Whole); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
