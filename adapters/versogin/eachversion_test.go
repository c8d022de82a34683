package versogin_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func prefixed(t *testing.T, config verso.Config) (*gin.Engine, *versogin.Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	return newRoutes(false, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

func TestEachVersionOfFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	for _, base := range []string{"/api", "/api1"} { // which ends as a version does
		r, v := newRoutes(false, verso.MustNew(verso.PathPrefix(base+"/{version}"), verso.Config{
			AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"),
		}))
		v.EachVersion().Static(base+"/files", dir)
		v.EachVersion().StaticFile(base+"/file", filepath.Join(dir, "a.txt"))
		for _, target := range []string{"/files/a.txt", "/v1/files/a.txt", "/v2/files/a.txt", "/file", "/v2/file"} {
			assert.Equal(t, "text", send(t, r, "GET", base+target, nil).Body, base+target)
		}
	}
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	assert.ErrorContains(t, panicked(func() { v.EachVersion().RouterGroup("/api") }), "use Register behind EachVersion")
}

// TestEachVersionWithoutDefault: the path without a version is no URL, and is neither
// explained nor observed.
func TestEachVersionWithoutDefault(t *testing.T) {
	var observed []string
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, Observe: func(_ context.Context, o verso.Observation) { observed = append(observed, o.Route) },
	}))
	v.EachVersion().Group("/api").GET("/tags/:id", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, r, http.MethodGet, "/api/tags/7", nil).Status)
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/api/v1/tags/7", nil).Status)
	routes := v.Explain().Routes
	assert.Equal(t, "/api/{version}/tags/:id", routes[0].Pattern)
	assert.Equal(t, []string{"/api/v1/tags/:id", "/api/v2/tags/:id"}, routes[0].Forms)
	assert.Equal(t, []string{routes[0].Pattern}, observed)
}

// TestEachVersionEmptyPath: at the root it is /v1, as in a group of Gin.
func TestEachVersionEmptyPath(t *testing.T) {
	r, v := newRoutes(false, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().POST("", answerVersion)
	assert.Equal(t, "OK, in v1", outcome(t, r, http.MethodPost, "/v1", nil))
}

// TestEachVersionSlashOfGroup: the slash of a group stays in the groups within.
func TestEachVersionSlashOfGroup(t *testing.T) {
	r, v := newRoutes(false, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().Group("/").Group("").POST("", answerVersion)
	assert.Equal(t, "/v1/", r.Routes()[0].Path)
}
