package versoecho_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func prefixed(t *testing.T, config verso.Config) (*echo.Echo, *versoecho.Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := echo.New()
	return e, versoecho.New(e, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

func TestEachVersionMistakes(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	const advice = "make it with EachVersion().Group"
	require.ErrorContains(t, panicked(func() { v.Group("/api/admin").EachVersion().GET("/x", answerVersion) }), advice)
	require.ErrorContains(t, panicked(func() { v.In(e.Group("/api/users")).EachVersion().GET("/x", answerVersion) }), advice)
	e, v = prefixed(t, verso.Config{})
	v.In(e.Group("/api")).EachVersion().GET("/in", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/api/v2/in", nil).Body)
	v.EachVersion().GET("/api/lists", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/api/lists", nil).Status)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/api/v2/lists", nil).Body)
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestNeighboursOfANewRoute: a route that only v2 has takes no requests from the routes of
// v1, also if a header may name v2 at a path without a prefix.
func TestNeighboursOfANewRoute(t *testing.T) {
	prefix := verso.PathPrefix("/api/{version}")
	for name, from := range map[string]source.Source{"prefix": prefix, "prefix or header": verso.First(prefix, verso.Header("Api-Version"))} {
		e := echo.New()
		v := versoecho.New(e, verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
		g := v.EachVersion().Group("/api")
		g.GET("/files/:name", answerVersion)
		g.Since("v2").GET("/files/:name/stats", answerVersion)
		for target, want := range map[string]string{"/api/files/a": "v1", "/api/v1/files/a/b": "v1", "/api/v1/files/a/": "v1", "/api/v2/files/a/stats": "v2"} {
			assert.Equal(t, want, send(t, e, http.MethodGet, target, nil).Body, "%s: %s", name, target)
		}
	}
}
