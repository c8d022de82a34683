package main

import (
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// TestShow compares what is printed with testdata/screens.txt.
func TestShow(t *testing.T) {
	gin.SetMode(gin.TestMode)
	var out strings.Builder
	require.NoError(t, show(&out))
	versotest.Golden(t, &out, "testdata/screens.txt")
}
