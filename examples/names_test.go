package examples_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	codeBlock = regexp.MustCompile("(?s)```(go|sh|console|json|yaml|html|sql|diff)\\n.*?```")
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
	textBlock = regexp.MustCompile("(?s)```(text)?\\n.*?```")
	qualified = regexp.MustCompile(`(?:^|[^\w./"'-])(\w+)\.([A-Z]\w*)`)
)

// TestDocsNameWhatThereIs looks for the names in the text of the documentation, such
// as `verso.Strict()`, in the packages.
func TestDocsNameWhatThereIs(t *testing.T) {
	exported := make(map[string]map[string]bool)
	for name, folder := range packages(t) {
		exported[name] = exportedBy(t, folder)
	}
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	names := 0
	for _, page := range append(pages, "../README.md", "../SECURITY.md", "../adapters/README.md", "bookings/README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		plain := codeBlock.ReplaceAllString(string(text), "")
		for _, span := range append(codeSpan.FindAllString(plain, -1), textBlock.FindAllString(plain, -1)...) {
			for _, name := range qualified.FindAllStringSubmatch(span, -1) {
				if exported[name[1]] != nil {
					names++
					assert.True(t, exported[name[1]][name[2]], "%s names %s.%s, which there is not", page, name[1], name[2])
				}
			}
		}
	}
	assert.NotZero(t, names)
}

// exportedBy returns the names that a package exports.
func exportedBy(t *testing.T, folder string) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	exported := make(map[string]bool)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range file.Decls {
			switch declared := declared.(type) {
			case *ast.FuncDecl:
				if declared.Recv == nil {
					exported[declared.Name.Name] = declared.Name.IsExported()
				}
			case *ast.GenDecl:
				for _, spec := range declared.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						exported[spec.Name.Name] = spec.Name.IsExported()
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							exported[name.Name] = name.IsExported()
						}
					}
				}
			}
		}
	}
	return exported
}
