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
	printed, err := exec.CommandContext(t.Context(), "go", "build", "./"+dir).CombinedOutput()
	assert.NoError(t, err, "%s", printed)
}

// A frozen contract of an older version is the start in place of its document: the edits are those that Frozen
// proposes.
func TestContract(t *testing.T) {
	dir := folder(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/service")))
	out, status := draft(t, "-contract", "testdata/contracts.json", "-to", "v2", "-router", "http", "-types", dir)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "Not tried")
	assert.Contains(t, out, "Stay: v1: Stay.guest is gone")

	versions, err := os.ReadFile(filepath.Join(dir, "versions.go"))
	require.NoError(t, err)
	for _, want := range []string{
		`migrate.Renamed("guest", "guest_name")`, `migrate.Removed("legacy_code,omitempty", "")`, `migrate.Added("code")`, `migrate.Added("address")`,
		`migrate.Release("v2", changeV2)`, `migrate.Release("v1"))`,
	} {
		assert.Contains(t, string(versions), want)
	}
	checking := `package service

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/migratetest"
)

func TestFrozen(t *testing.T) {
	history := verso.Must(History(verso.MustNew(verso.Header("X-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	migratetest.Frozen(t, history, "contracts.json")
}
`
	contract, err := os.ReadFile("testdata/contracts.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "contracts.json"), contract, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frozen_test.go"), []byte(checking), 0o600))
	printed, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "./"+dir, "-update").CombinedOutput()
	assert.NoError(t, err, "%s", printed)
}
