package drafted

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A service with its own types gets the history alone, which compiles and was tried.
func TestTypes(t *testing.T) {
	dir := folder(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/service")))
	out, status := draft(t, "-old", "v1.yaml", "-new", "v2.yaml", "-router", "http", "-types", dir)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "Not tried")
	assert.Contains(t, out, `Stay has no member "note"`)
	assert.Contains(t, out, "GET /guests/{} response: showGuest response: which Go type is it?")
	assert.Contains(t, out, "GET /bookings/{id}: v.Rewrite(history.Route(migrate.Returns[Stay]()")

	versions, err := os.ReadFile(filepath.Join(dir, "versions.go"))
	require.NoError(t, err)
	assert.Contains(t, string(versions), "migrate.For[Stay](")
	assert.Contains(t, string(versions), `migrate.Renamed("guest", "guest_name")`)
	_, err = os.Stat(filepath.Join(dir, "types.go"))
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(dir, "routes.go"))
	require.ErrorIs(t, err, os.ErrNotExist)
	printed, err := exec.CommandContext(t.Context(), "go", "vet", "./"+dir).CombinedOutput()
	assert.NoError(t, err, "%s", printed)
}
