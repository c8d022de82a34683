package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// TestPlay compares what is printed with testdata/days.txt, which
// docs/lifecycle.md shows.
func TestPlay(t *testing.T) {
	var out strings.Builder
	require.NoError(t, play(&out))
	versotest.Golden(t, &out, "testdata/days.txt")
}
