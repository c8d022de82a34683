package versogin_test

import (
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
	return newRoutes(false, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
}

// TestEachVersion registers routes once, in groups that have middleware.
func TestEachVersion(t *testing.T) {
	r, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}})
	require := func(name string) gin.HandlerFunc {
		return func(c *gin.Context) {
			if c.GetHeader(name) == "" {
				c.AbortWithStatus(http.StatusUnauthorized)
			}
		}
	}
	each := v.EachVersion(require("A"))
	each.Name("lists").GET("/api/lists", answerLink(verso.Target{Name: "list", Params: verso.Params{"id": 7}}))
	admin := each.Group("/api/admin", require("B"))
	admin.Name("list").GET("/lists/:id", answerVersion)
	admin.Group("/deep", require("C")).POST("/x", answerVersion)
	v.In(r.Group("/api/in", require("D"))).EachVersion().GET("/x", answerVersion)

	header := http.Header{}
	for _, test := range []struct{ method, behind, needs string }{
		{"GET", "/lists", "A"}, {"GET", "/admin/lists/7", "AB"}, {"POST", "/admin/deep/x", "ABC"}, {"GET", "/in/x", "D"},
	} {
		for prefix, version := range map[string]string{"/api": "v1", "/api/v1": "v1", "/api/v2": "v2"} {
			clear(header)
			for _, name := range test.needs {
				assert.Equal(t, http.StatusUnauthorized, send(t, r, test.method, prefix+test.behind, header).status, "%s without %c", prefix+test.behind, name)
				header.Set(string(name), "x")
			}
			want := "OK, in " + version
			if test.behind == "/lists" {
				want = "OK, in " + prefix + "/admin/lists/7"
			}
			assert.Equal(t, want, outcome(t, r, test.method, prefix+test.behind, header), prefix+test.behind)
		}
		assert.Equal(t, http.StatusNotFound, send(t, r, test.method, "/api/v9"+test.behind, header).status)
	}
	assert.Len(t, v.Explain().Routes, 4, "a route in each version is one route")
	link, err := v.Link(verso.Target{Name: "list", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	assert.NoError(t, err)
	assert.Equal(t, "/api/v2/admin/lists/7", link)
}

func TestEachVersionWithoutDefault(t *testing.T) {
	r, v := prefixed(t, verso.Config{})
	v.EachVersion().GET("/api/lists", answerVersion)
	assert.Equal(t, "404 page not found", send(t, r, "GET", "/api/lists", nil).body)
	assert.Equal(t, "OK, in v2", outcome(t, r, "GET", "/api/v2/lists", nil))
}

func TestEachVersionOfFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	r, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.EachVersion().Static("/api/files", dir)
	v.EachVersion().StaticFile("/api/file", filepath.Join(dir, "a.txt"))
	for _, target := range []string{"/api/files/a.txt", "/api/v1/files/a.txt", "/api/v2/files/a.txt", "/api/file", "/api/v2/file"} {
		assert.Equal(t, "text", send(t, r, "GET", target, nil).body, target)
	}
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	for path, code := range map[string]string{"/health": "prefix_outside", "/api/:kind/x": "prefix_parameter", "/api/*rest": "prefix_parameter"} {
		var mistake *verso.Finding
		require.ErrorAs(t, panicked(func() { v.EachVersion().GET(path, answerVersion) }), &mistake, path)
		assert.Equal(t, code, mistake.Code, path)
	}
	assert.ErrorContains(t, panicked(func() { v.EachVersion().RouterGroup("/api") }), "use Group behind EachVersion")
}

// TestEncodedPrefixes reach no handler in a version that is not that of the path.
func TestEncodedPrefixes(t *testing.T) {
	for _, decoding := range decodings() {
		r := decoding.newEngine()
		v := versogin.New(r, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})))
		v.EachVersion().GET("/api/lists", answerVersion)
		v.Since("v2").GET("/api/v2/new", answerVersion)
		for target, versions := range map[string][]string{
			"/api/%76%32/lists": {"", "v2"}, "/api//v2/lists": {"", "v2"}, "/api/v2/../v1/lists": {"", "v1"}, "/api/v2%2Flists": {"", "v2"},
			"/api/v1/new": {""}, "/api/v2/./lists": {"", "v2"},
		} {
			got := send(t, r, "GET", target, nil)
			if got.status == http.StatusOK {
				assert.Contains(t, versions, got.body, "%s %s", decoding, target)
			} else {
				assert.GreaterOrEqual(t, got.status, 300, "%s %s", decoding, target)
			}
		}
	}
}

// TestNotFound deletes the routes of versions.
func TestNotFound(t *testing.T) {
	r, v := newRoutes(false, strict(verso.First(verso.PathPrefix("/api/{version}"), verso.Header("Api-Version"))))
	r.NoRoute(v.NotFound(), func(c *gin.Context) { c.String(http.StatusNotFound, "own") })
	v.GET("/api/v2/x", answerVersion)
	assert.Equal(t, "Bad Request, invalid_header_version", outcome(t, r, "GET", "/deleted", http.Header{"Api-Version": {"v9"}}))
	assert.Equal(t, "Not Found, in own", outcome(t, r, "GET", "/deleted", http.Header{"Api-Version": {"v2"}}))
	assert.Equal(t, "Not Found, in own", outcome(t, r, "GET", "/deleted", nil))
	assert.Equal(t, "OK, in v2", outcome(t, r, "GET", "/api/v2/x", nil))
}
