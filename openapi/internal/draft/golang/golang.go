// Package golang prints the parts of a draft as Go.
package golang

import (
	"cmp"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

const module = "github.com/goverso/verso/"

// packages are what printed code imports, by the names of the packages.
var packages = []Import{
	{"json", "encoding/json", ""},
	{"log", "log", ""},
	{"os", "os", ""},
	{"migratetest", module + "migrate/migratetest", ""},
	{"http", "net/http", ""},
	{"reflect", "reflect", ""},
	{"strconv", "strconv", ""},
	{"testing", "testing", ""},
	{"time", "time", ""},
	{"verso", module + "core", "verso "},
	{"migrate", module + "migrate", ""},
	{"openapitest", module + "openapi/openapitest", ""},
}

// An Import is a package that printed code may use.
type Import struct{ name, path, alias string }

// Imports are what code for the router may use.
func (r *Router) Imports() []Import {
	own := []Import{{r.Adapter, module + "adapters/" + r.Adapter, ""}}
	if r.Framework != "" {
		own = append(own, Import{strings.SplitN(r.engine, ".", 2)[0], r.Framework, ""})
	}
	return own
}

// OwnImport is the package of the service's types, for the trial.
func OwnImport(path string) Import { return Import{"own", path, "own "} }

// File returns a file of a package, with the imports that its code uses: of the usual packages, and of
// more.
func File(name, doc, code string, more ...Import) string {
	used := map[string]bool{}
	if parsed, _ := parser.ParseFile(token.NewFileSet(), "", "package "+name+"\n"+code, 0); parsed != nil {
		for _, unresolved := range parsed.Unresolved {
			used[unresolved.Name] = true
		}
	}
	var groups [3]strings.Builder // the standard library, other modules, and Verso's
	all := slices.Concat(packages, more)
	slices.SortFunc(all, func(a, b Import) int { return cmp.Compare(a.path, b.path) })
	for _, p := range all {
		if !used[p.name] {
			continue
		}
		group := 0
		if strings.HasPrefix(p.path, module) {
			group = 2
		} else if strings.Contains(p.path, ".") {
			group = 1
		}
		fmt.Fprintf(&groups[group], "\t%s%q\n", p.alias, p.path)
	}
	var lists []string
	for i := range groups {
		if groups[i].Len() > 0 {
			lists = append(lists, groups[i].String())
		}
	}
	imports := ""
	if len(lists) > 0 {
		imports = "import (\n" + strings.Join(lists, "\n") + ")\n\n"
	}
	return doc + "package " + name + "\n\n" + imports + code
}

// Format returns gofmt-ed code.
func Format(name, code string) []byte {
	made, err := format.Source([]byte(code))
	if err != nil {
		return []byte(fmt.Sprintf("%s\n// %s: %v\n", code, name, err)) // the compiler finds it again
	}
	return made
}

// Comment returns lines of a comment.
func Comment(text string) string {
	return "// " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n// ") + "\n"
}

// Strings returns a list of texts.
func Strings(list []string) string {
	return fmt.Sprintf("%#v", list)
}

// Declarations returns the unions and raw types, as arguments of New.
func Declarations(d *compare.Draft) string {
	var b strings.Builder
	for _, name := range d.Set.Names() {
		switch t := d.Set.Get(name); t.Kind {
		case gotype.Union:
			fmt.Fprintf(&b, "migrate.OneOf[%s](%q", name, t.By)
			for _, v := range t.Variants {
				fmt.Fprintf(&b, ",\nmigrate.Variant[%s](%s)", v.Type,
					strings.Trim(strings.TrimPrefix(fmt.Sprintf("%#v", v.Texts), "[]string"), "{}"))
			}
			b.WriteString("),\n")
		case gotype.Raw:
			fmt.Fprintf(&b, "migrate.Opaque[%s](),\n", name)
		}
	}
	for _, at := range d.Placed() {
		fmt.Fprintf(&b, "migrate.At[%s, %s](%s),\n", at[0], at[1],
			strings.Trim(strings.TrimPrefix(Strings(at[2:]), "[]string"), "{}"))
	}
	return b.String()
}

// Chain returns the options of a route.
func Chain(r *compare.Route) string {
	chain := ""
	if r.Since != "" {
		chain += fmt.Sprintf(".Since(%q)", r.Since)
	}
	if r.RemovedIn != "" {
		chain += fmt.Sprintf(".RemovedIn(%q)", r.RemovedIn)
	}
	return chain
}

// Hook returns the declaration of a webhook.
func Hook(h *compare.Hook) string {
	option := ""
	if h.Since != "" {
		option = fmt.Sprintf(", verso.Since(%q)", h.Since)
	}
	return fmt.Sprintf("migrate.Sends[%s](h, %q%s)", h.Type, h.Name, option)
}

// Functions returns those that a person completes.
func Functions(d *compare.Draft) string {
	var b strings.Builder
	for _, f := range d.Funcs {
		fmt.Fprintf(&b, "%sfunc %s(%s) (%s, err error) {\n%s\n}\n\n", Comment("TODO: "+f.Todo), f.Name, f.Old,
			f.New, f.Body)
	}
	return b.String()
}
