package versoecho5_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func prefixed(t *testing.T, config verso.Config) (*echo.Echo, *versoecho5.Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := echo.New()
	return e, versoecho5.New(e, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

// needs lets requests through that have a header field.
func needs(name string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			if c.Request().Header.Get(name) == "" {
				return echo.ErrUnauthorized
			}
			return next(c)
		}
	}
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	err := panicked(func() { v.In(echo.New().Group("/api")).EachVersion().GET("/x", answerVersion) })
	require.ErrorContains(t, err, "is in a group of another Echo instance")
}

// TestEachVersionInGroups registers routes in groups of any prefix.
func TestEachVersionInGroups(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.Group("/api/admin", needs("A")).EachVersion().GET("/x", answerVersion)
	v.In(e.Group("/api/users", needs("A"))).EachVersion().GET("/x", answerVersion)
	v.EachVersion(needs("A")).Group("/api").Static("/files/", dir)
	for target, want := range map[string]string{
		"/api/admin/x": "v1", "/api/v2/admin/x": "v2", "/api/users/x": "v1", "/api/v2/users/x": "v2",
		"/api/files/a.txt": "text", "/api/v1/files/a.txt": "text",
	} {
		assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", target, nil).Status, target)
		assert.Equal(t, want, send(t, e, "GET", target, http.Header{"A": {"x"}}).Body, target)
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}
