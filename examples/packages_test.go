package examples_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packages returns the folders of the packages that services can import, by the names of
// the packages. It finds them: a new one is tested without being listed.
func packages(t *testing.T) map[string]string {
	t.Helper()
	folders := map[string]string{"metrics": "metrics"}
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "internal" || name == "testdata" || strings.HasPrefix(name, ".") && name != ".."),
			slices.Contains([]string{"../bench", "../examples", "../tools"}, filepath.ToSlash(path)):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil || file.Name.Name == "main" {
			return err
		}
		folder, isKnown := folders[file.Name.Name]
		require.True(t, !isKnown || folder == filepath.Dir(path), "%s and %s are both package %s", folder, filepath.Dir(path), file.Name.Name)
		folders[file.Name.Name] = filepath.Dir(path)
		return nil
	}))
	require.Contains(t, folders, "verso")
	return folders
}
