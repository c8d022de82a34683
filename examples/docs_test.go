package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocsShowTestedCode looks for each block of Go in the documentation in the
// sources, which are compiled and run.
func TestDocsShowTestedCode(t *testing.T) {
	var sources []string
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		sources = append(sources, string(source))
		return err
	}))
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	blocks := 0
	for _, page := range append(pages, "../README.md", "../adapters/README.md", "bookings/README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, block := range goBlock.FindAllStringSubmatch(string(text), -1) {
			blocks++
			assert.True(t, containsCode(sources, block[1]), "%s shows code that no source holds:\n%s", page, block[1])
		}
	}
	assert.NotZero(t, blocks)
}

// TestReadmeShowsTheTour looks for the answers of the booking in the tour, whose commands a test runs.
func TestReadmeShowsTheTour(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	tour, err := os.ReadFile("bookings/README.md")
	require.NoError(t, err)
	answers := regexp.MustCompile(`(?m)^\{"id".*$`).FindAllString(string(readme), -1)
	assert.Len(t, answers, 2)
	for _, answer := range answers {
		assert.Contains(t, string(tour), "\n"+answer+"\n")
	}
}

func containsCode(sources []string, code string) bool {
	code = strings.TrimSpace(code)
	for _, source := range sources {
		if strings.Contains(source, code) {
			return true
		}
	}
	return false
}

// TestGoDocShowsTestedCode looks for the program of the documentation of package verso
// in the sources.
func TestGoDocShowsTestedCode(t *testing.T) {
	comment, err := os.ReadFile("../core/doc.go")
	require.NoError(t, err)
	var code []string
	for line := range strings.Lines(string(comment)) {
		if line, ok := strings.CutPrefix(line, "//\t"); ok {
			code = append(code, line)
		}
	}
	require.NotEmpty(t, code)
	program, err := os.ReadFile("godoc/main.go")
	require.NoError(t, err)
	assert.Contains(t, string(program), strings.Join(code, ""))
}
