package examples_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// called are the methods that no user calls, and what does.
var called = map[string]string{
	"Error":         "fmt",
	"GoString":      "fmt",
	"Is":            "errors",
	"Len":           "mediatype.Template",
	"LogValue":      "log/slog",
	"MarshalJSON":   "encoding/json",
	"MarshalText":   "encoding/json",
	"Negotiator":    "sources that negotiate",
	"Rank":          "mediatype.Template",
	"RoundTrip":     "net/http",
	"ServeHTTP":     "net/http",
	"SetPrefix":     "verso.PathPrefix",
	"String":        "fmt",
	"UnmarshalJSON": "encoding/json",
	"UnmarshalText": "encoding/json",
	"Unwrap":        "errors",
	"Value":         "context",
}

// shownElsewhere are the packages whose verbs are not shown by examples beside them, and
// where they are.
var shownElsewhere = map[string]string{
	"conformance": "the tests of the adapters",
	"metrics":     "the program examples/metrics",
	"migrate":     "docs/migrate.md, and programs of several types below examples/rewrite",
	"migratetest": "the tests of examples/rewrite",
	"twins":       "the twins of the adapters and of examples/thirdparty-gorilla",
	"usagesql":    "docs/usage.md: it needs a database",
}

// TestEveryVerbHasAnExample looks for a call of each exported function and method
// in the examples of its package. An example is what a reader copies: it has an
// output and is a program by itself, without what the tests beside it declare.
func TestEveryVerbHasAnExample(t *testing.T) {
	for name, folder := range packages(t) {
		if shownElsewhere[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			verbs, examples := parse(t, folder)
			require.NotEmpty(t, verbs)
			shown := make(map[string]bool)
			for _, example := range examples {
				assert.True(t, example.Output != "" || example.EmptyOutput, "Example%s has no output", example.Name)
				assert.True(t, standsAlone(example), "Example%s uses what another test declares", example.Name)
				ast.Inspect(example.Code, func(n ast.Node) bool {
					if selector, ok := n.(*ast.SelectorExpr); ok {
						shown[selector.Sel.Name] = true
					}
					return true
				})
			}
			for _, verb := range verbs {
				assert.True(t, shown[verb] || called[verb] != "", "no example calls %s", verb)
			}
		})
	}
}

// TestEveryEditIsShown: each edit of package migrate is called in an example, and is in the page.
func TestEveryEditIsShown(t *testing.T) {
	page, err := os.ReadFile("../docs/migrate.md")
	require.NoError(t, err)
	sources, err := filepath.Glob("../migrate/*.go")
	require.NoError(t, err)
	_, examples := parse(t, "../migrate")
	edit, found := regexp.MustCompile(`(?m)^func ([A-Z]\w*)[\[(].* Edit \{$`), 0
	for _, file := range sources {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, declared := range edit.FindAllSubmatch(source, -1) {
			found++
			name := string(declared[1])
			assert.True(t, strings.Contains(string(page), "`"+name), "the page has no %s", name)
			assert.True(t, slices.ContainsFunc(examples, func(example *doc.Example) (calls bool) {
				ast.Inspect(example.Code, func(n ast.Node) bool {
					selector, ok := n.(*ast.SelectorExpr)
					calls = calls || ok && selector.Sel.Name == name
					return !calls
				})
				return calls
			}), "no example calls %s", name)
		}
	}
	assert.Greater(t, found, 15)
}

// parse returns the names of the exported functions and methods of a package, and
// its examples.
func parse(t *testing.T, folder string) (verbs []string, examples []*doc.Example) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var tests []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		require.NoError(t, err)
		if strings.HasSuffix(path, "_test.go") {
			tests = append(tests, file)
			continue
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Name.IsExported() && (f.Recv == nil || isExported(f.Recv.List[0].Type)) {
				verbs = append(verbs, f.Name.Name)
			}
		}
	}
	slices.Sort(verbs)
	return slices.Compact(verbs), doc.Examples(tests...)
}

// isExported reports whether the type of a receiver is exported.
func isExported(receiver ast.Expr) bool {
	switch receiver := receiver.(type) {
	case *ast.StarExpr:
		return isExported(receiver.X)
	case *ast.IndexExpr:
		return isExported(receiver.X)
	case *ast.IndexListExpr:
		return isExported(receiver.X)
	case *ast.Ident:
		return receiver.IsExported()
	}
	return false
}

// standsAlone reports whether the program of an example is its own body, or a
// whole file that has no other test.
func standsAlone(example *doc.Example) bool {
	if _, ok := example.Code.(*ast.File); ok {
		return true
	}
	return example.Play != nil && !slices.ContainsFunc(example.Play.Decls, func(declared ast.Decl) bool {
		switch declared := declared.(type) {
		case *ast.GenDecl:
			return declared.Tok != token.IMPORT
		case *ast.FuncDecl:
			return declared.Name.Name != "main"
		}
		return false
	})
}
