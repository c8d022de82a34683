package versoecho_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

func prefixed(t *testing.T, config verso.Config) (*echo.Echo, *versoecho.Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := echo.New()
	return e, versoecho.New(e, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
}

// TestEachVersionSince: Echo gives the last parameter of a path the rest of it, but not
// beside a longer route. One that only v2 has takes nothing from the clients of v1.
func TestEachVersionSince(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	each := v.EachVersion()
	each.GET("/api/files/:name", answerVersion)
	each.Since("v2").GET("/api/files/:name/stats", answerVersion)
	for _, target := range []string{"/api/files/a/b", "/api/files/a/stats", "/api/files/a/", "/api/v1/files/a/stats"} {
		assert.Equal(t, "v1", send(t, e, "GET", target, nil).body, target)
	}
	assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/files/a/stats", nil).body)
}

func TestEachVersionMistakes(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	const advice = "make it with EachVersion().Group"
	require.ErrorContains(t, panicked(func() { v.Group("/api/admin").EachVersion().GET("/x", answerVersion) }), advice)
	require.ErrorContains(t, panicked(func() { v.In(e.Group("/api/users")).EachVersion().GET("/x", answerVersion) }), advice)
	e, v = prefixed(t, verso.Config{})
	v.In(e.Group("/api")).EachVersion().GET("/in", answerVersion)
	assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/in", nil).body)
	v.EachVersion().GET("/api/lists", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, e, "GET", "/api/lists", nil).status)
	assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/lists", nil).body)
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}
