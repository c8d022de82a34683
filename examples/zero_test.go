package examples_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/migrate"
)

// TestZeroValuesAreDocumented reads the comments of the types whose fields are all unexported: a
// user can write a zero value of each, and must learn whether it is one.
func TestZeroValuesAreDocumented(t *testing.T) {
	types := 0
	for _, folder := range packages(t) {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		set := token.NewFileSet()
		var parsed []*ast.File
		for _, path := range files {
			if !strings.HasSuffix(path, "_test.go") {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				file, err := parser.ParseFile(set, path, text, parser.ParseComments)
				require.NoError(t, err)
				parsed = append(parsed, file)
			}
		}
		documented, err := doc.NewFromFiles(set, parsed, folder)
		require.NoError(t, err)
		for _, typ := range documented.Types {
			made, ok := typ.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
			if ok && made.Incomplete && len(made.Fields.List) == 0 { // fields that are not exported are left out
				types++
				assert.Contains(t, strings.ReplaceAll(typ.Doc, "\n", " "), "zero "+typ.Name, "%s: say what the zero %s is", folder, typ.Name)
			}
		}
	}
	assert.NotZero(t, types)
}

// TestZeroValues uses zero values where a user would. Each says what to do.
func TestZeroValues(t *testing.T) {
	type order struct {
		State string `json:"state"`
	}
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := func(changes ...*migrate.Change) error {
		_, err := migrate.New(api, migrate.Release("v2", changes...), migrate.Release("v1"))
		return err
	}
	for _, test := range []struct {
		name string
		use  func() error
		want string
	}{
		{"Versioning of an adapter", func() error {
			versohttp.New(http.NewServeMux(), &verso.Versioning{})
			return nil
		}, "make it with verso.New"},
		{"Versioning of a binding", func() error {
			adapter.Bind(&verso.Versioning{}, nil)
			return nil
		}, "make it with verso.New"},
		{"Versioning of a history", func() error {
			_, err := migrate.New(&verso.Versioning{}, migrate.Release("v1"))
			return err
		}, "make it with verso.New"},
		{"Catalogue", func() error {
			_, err := verso.New(verso.PathParam("version"), verso.Config{Catalogue: &catalogue.Catalogue{}})
			return err
		}, "make it with catalogue.New"},
		{"Transport", func() error {
			_, err := (&http.Client{Transport: &client.Transport{}}).Get("http://127.0.0.1:1/") //nolint:bodyclose,noctx // there is no response
			return err
		}, "make it with client.New"},
		{"Change", func() error { return history(&migrate.Change{}) }, "write what clients see"},
		{"TypeEdits", func() error { return history(migrate.Changed("x.", migrate.TypeEdits{})) }, "give the edits to the struct"},
		{"Edit", func() error { return history(migrate.Changed("x.", migrate.For[order](migrate.Edit{}))) }, "the edit is empty"},
		{"Revision", func() error {
			_, err := migrate.New(api, migrate.Revision{}, migrate.Release("v1"))
			return err
		}, "write a Release for each"},
		{"Webhook", func() error { return migrate.Webhook[order]{}.In(verso.V("v1")) }, "call Sends"},
	} {
		t.Run(test.name, func(t *testing.T) {
			said := func() (err error) {
				defer func() {
					if panicked := recover(); panicked != nil {
						err, _ = panicked.(error)
					}
				}()
				return test.use()
			}()
			var broken runtime.Error
			require.Error(t, said)
			require.NotErrorAs(t, said, &broken)
			assert.ErrorContains(t, said, test.want)
		})
	}
}
