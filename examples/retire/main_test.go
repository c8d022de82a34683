package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/days.txt")

// TestPlay compares what is printed with testdata/days.txt, which
// docs/lifecycle.md shows.
func TestPlay(t *testing.T) {
	var out strings.Builder
	require.NoError(t, play(&out))
	if *update {
		require.NoError(t, os.WriteFile("testdata/days.txt", []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/days.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
