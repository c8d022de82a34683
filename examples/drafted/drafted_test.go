// Package drafted has two published documents, and in the folder api what the command draft makes of
// them, untouched.
package drafted

import (
	"bytes"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// command is the path of the command, which is built once for all tests.
var command string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "draft-")
	if err != nil {
		log.Fatal(err)
	}
	command = filepath.Join(dir, "draft")
	if out, err := exec.Command("go", "build", "-o", command, "github.com/goverso/verso/openapi/cmd/draft").CombinedOutput(); err != nil {
		log.Fatalf("%v\n%s", err, out)
	}
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	os.Exit(status)
}

// draft runs the command, and returns what it prints and its exit status.
func draft(t *testing.T, arguments ...string) (out string, status int) {
	t.Helper()
	c := exec.Command(command, arguments...)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		return b.String(), exit.ExitCode()
	}
	return b.String(), 0
}

// folder returns a new folder inside the module, since the command tries what it writes.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(".", "draft-test-")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// The folder api is what the command drafts now.
func TestDraftIsCommitted(t *testing.T) {
	dir := folder(t)
	out, status := draft(t, "-old", "v1.yaml", "-new", "v2.yaml", "-router", "gin", "-pkg", "api", "-out", dir)
	require.Zero(t, status, out)
	committed, err := filepath.Glob("api/*.*")
	require.NoError(t, err)
	require.NotEmpty(t, committed)
	for _, path := range committed {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "run: go run github.com/goverso/verso/openapi/cmd/draft -old v1.yaml -new v2.yaml -router gin -out api")
	}
	assert.Contains(t, out, `Booking: "guest" is "guest_name" now`)
	assert.NotContains(t, out, "Not tried")
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	summary, _, _ := strings.Cut(out, "\n")
	assert.True(t, strings.Contains(string(readme), "\n"+summary+"\n"), "README.md does not show %q", summary)
}

// A construct that nothing can lower is named, and all else is drafted.
func TestDraftLosesNoDocument(t *testing.T) {
	dir := folder(t)
	out, status := draft(t, "-old", "testdata/odd-v1.yaml", "-new", "testdata/odd-v2.yaml", "-router", "chi", "-pkg", "odd", "-out", dir)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "Not tried")
	versions, err := os.ReadFile(filepath.Join(dir, "versions.go"))
	require.NoError(t, err)
	assert.Contains(t, string(versions), `migrate.Renamed("name", "full_name")`, "one odd operation does not switch off an edit everywhere")
	routes, err := os.ReadFile(filepath.Join(dir, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), "TODO: refused")
}
