package main

import (
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
