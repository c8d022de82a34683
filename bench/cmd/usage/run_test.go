package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun measures a small service: each view answers, and has all clients.
func TestRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	o := options{clients: 120, routes: 3, processes: 3, turns: 1}
	require.NoError(t, o.run(t.Context(), &out))
	for _, v := range views {
		assert.Contains(t, out.String(), "\n| "+v.name+" | ")
	}
	assert.Equal(t, 3, strings.Count(out.String(), "360 combinations"))
}

// TestAsk asks for two views of a database that an earlier run has filled.
func TestAsk(t *testing.T) {
	o := options{sqlite: filepath.Join(t.TempDir(), "usage.db"), clients: 20, routes: 2, processes: 2, turns: 1}
	require.NoError(t, o.run(t.Context(), io.Discard))
	var out strings.Builder
	o.ask, o.views = true, "gate,one client"
	require.NoError(t, o.run(t.Context(), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 4)
	assert.Regexp(t, `^\| gate \| 409, \d+ bytes \| .* \| \d+ MB \|$`, lines[2])
	assert.Regexp(t, `^\| one client \| 200, \d+ bytes \| `, lines[3])
	o.views = "gates"
	assert.EqualError(t, o.run(t.Context(), io.Discard), `unknown view "gates"`)
}
