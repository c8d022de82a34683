package codes_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goverso/verso/core/internal/codes"
)

// page is made from the table. VERSO_UPDATE=1 writes it.
const page = "../../../docs/findings.md"

// named is a row with its name in Go, and the comment of its block.
type named struct {
	codes.Row
	name, block string
}

// whens are the names of the constants of When in Go, and how the page puts them.
var whens = map[string]struct {
	codes.When
	told string
}{
	"Refused":    {codes.Refused, "`New` fails"},
	"Catalogued": {codes.Catalogued, "what reads or makes the catalogue or the file fails"},
	"Registered": {codes.Registered, "the registration of the route panics"},
	"Failed":     {codes.Failed, "the log has it, as an error, when a request reveals it"},
	"Explained":  {codes.Explained, "`Explain` has it, and the log at the first request"},
	"Logged":     {codes.Logged, "the log has it when a request reveals it"},
}

// table reads the rows from the source, which alone has their order and names.
func table(t *testing.T) (rows []named) {
	t.Helper()
	for _, file := range []string{"config.go", "sources.go", "routes.go", "review.go", "requests.go", "catalogue.go"} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range tree.Decls {
			block, ok := declaration.(*ast.GenDecl)
			if !ok || block.Tok != token.VAR {
				t.Fatalf("%s declares something else than rows", file)
			}
			for _, spec := range block.Specs {
				value := spec.(*ast.ValueSpec)
				fields := value.Values[0].(*ast.CompositeLit).Elts
				row := named{name: value.Names[0].Name, block: strings.TrimSpace(block.Doc.Text())}
				row.Code, row.About = text(t, fields[0]), text(t, fields[1])
				row.Says, row.Change = text(t, fields[3]), text(t, fields[4])
				when, known := whens[fields[2].(*ast.Ident).Name]
				if !known {
					t.Fatalf("%s: the page has no words for its When", row.name)
				}
				row.When = when.When
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// ofModule reads the findings that another module makes, which cannot import the table.
func ofModule(t *testing.T, module string) (rows []named) {
	t.Helper()
	set := token.NewFileSet()
	files, err := filepath.Glob("../../../" + module + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", module, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			row := named{block: "Of module " + module}
			switch node := node.(type) {
			case *ast.CallExpr: // mistake(code, field, format, …)
				if f, ok := node.Fun.(*ast.Ident); !ok || f.Name != "mistake" || len(node.Args) < 3 {
					return true
				}
				if _, ok := node.Args[0].(*ast.BasicLit); !ok {
					return true
				}
				row.Code, row.About, row.Says = text(t, node.Args[0]), text(t, node.Args[1]), text(t, node.Args[2])
			case *ast.CompositeLit: // Finding{Level: …, Code: …}
				for _, e := range node.Elts {
					pair, ok := e.(*ast.KeyValueExpr)
					if !ok {
						return true
					}
					key, given := pair.Key, pair.Value
					if call, ok := given.(*ast.CallExpr); ok && len(call.Args) > 0 { // fmt.Sprintf(format, …)
						given = call.Args[0]
					}
					switch value := given.(type) {
					case *ast.BasicLit:
						of := map[string]*string{"Code": &row.Code, "Field": &row.About, "Message": &row.Says}
						if name, ok := key.(*ast.Ident); ok && of[name.Name] != nil {
							*of[name.Name] = text(t, value)
						}
					case *ast.SelectorExpr:
						if value.Sel.Name == "LevelWarning" {
							row.When = codes.Explained
						}
					}
				}
			}
			if row.Code != "" && row.Says != "" {
				if i := strings.LastIndex(row.Says, ": "); i >= 0 {
					row.Says, row.Change = row.Says[:i], row.Says[i+2:]
				}
				rows = append(rows, row)
			}
			return true
		})
	}
	return rows
}

func text(t *testing.T, e ast.Expr) string {
	t.Helper()
	if sum, ok := e.(*ast.BinaryExpr); ok {
		return text(t, sum.X) + text(t, sum.Y)
	}
	s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var verb = regexp.MustCompile(`%(\[\d+\])?[a-zA-Z]`)

func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Findings

What Verso says about a configuration, a catalogue, a file or a route, by code. The texts in code, such as "version %q", have the values of your service.
A warning may be intended: list its code in ` + "`Acknowledged`" + `, or "code pattern" for one route. This page is made from the table in
` + "`core/internal/codes`" + `.
`)
	rows := slices.Concat(table(t), ofModule(t, "client"), ofModule(t, "migrate"))
	block, written := "", make(map[string]bool)
	for _, r := range rows {
		if written[r.Code] {
			continue
		}
		written[r.Code] = true
		if r.block != block {
			block = r.block
			fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(block, "."))
		}
		fmt.Fprintf(&b, "\n### %s\n\n", r.Code)
		for _, of := range rows {
			if of.Code == r.Code {
				b.WriteString(entry(of))
			}
		}
	}
	if os.Getenv("VERSO_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/findings.md is not what the table says (%v): VERSO_UPDATE=1 go test writes it", err)
	}
}

// entry returns a row as an item of the page.
func entry(r named) string {
	level, told := "Error", ""
	if r.When.IsWarning() {
		level = "Warning"
	}
	for _, when := range whens {
		if when.When == r.When {
			told = when.told
		}
	}
	says := ""
	if r.Says != "" {
		says = "\n  Says: " + quoted(r.Says)
	}
	change := ""
	if r.Change != "" {
		change = "\n  Change: " + quoted(r.Change)
	}
	return fmt.Sprintf("- %s about %s: %s.%s%s\n", level, r.About, told, says, change)
}

// quoted returns the text in backquotes, none of which it has.
func quoted(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

func TestRows(t *testing.T) {
	form, names := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), make(map[string]bool)
	for _, r := range table(t) {
		if !form.MatchString(r.Code) || r.About == "" || names[r.name] || r.Says+r.Change == "" {
			t.Errorf("%s is no row, or there are two: %+v", r.name, r.Row)
		}
		names[r.name] = true
		for _, text := range []string{r.Says, r.Change} {
			if strings.HasSuffix(text, ".") || strings.HasPrefix(text, " ") || strings.Contains(text, "%!") {
				t.Errorf("%s: %q: messages have no full stop and no space around", r.name, text)
			}
		}
	}
}

// TestUses finds rows that nothing says, and arguments that a row does not have, as go vet does
// for formats that are constants.
func TestUses(t *testing.T) {
	rows := make(map[string]named)
	for _, r := range table(t) {
		rows[r.name] = r
	}
	used := make(map[string]bool)
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			if name := rowOf(node); name != "" {
				used[name] = true
			}
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return rowOf(e) != "" })
			if own, known := besides[called(call)]; at >= 0 && known && !call.Ellipsis.IsValid() {
				r := rows[rowOf(call.Args[at])]
				if has, wants := len(call.Args)-at-1+own, values(r.Row); has != wants {
					t.Errorf("%s: %s has %d values, not %d", set.Position(call.Pos()), r.name, wants, has)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range rows {
		if !used[name] {
			t.Errorf("nothing says %s", name)
		}
	}
}

// besides are the functions that take a row and its values: how many values they add to those that
// follow the row.
var besides = map[string]int{"Of": 0, "At": 0, "Mistake": 0, "MistakeAt": 0, "mistake": 0, "say": 0, "Text": 0,
	"add": 0, "addFor": 1, "find": 1 - 2}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "add" { // of a catalogue's warnings: the version is a value, and the time is none
			return ""
		}
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func rowOf(node ast.Node) string {
	if s, ok := node.(*ast.SelectorExpr); ok {
		if of, ok := s.X.(*ast.Ident); ok && of.Name == "codes" && s.Sel.Name != "Row" {
			return s.Sel.Name
		}
	}
	return ""
}

// values returns how many values a row has: indexed ones may be in any order.
func values(r codes.Row) int {
	n, most := 0, 0
	for _, v := range verb.FindAllStringSubmatch(r.Says+r.Change, -1) {
		if v[1] != "" {
			n, _ = strconv.Atoi(strings.Trim(v[1], "[]"))
		} else {
			n++
		}
		most = max(most, n)
	}
	return most
}
