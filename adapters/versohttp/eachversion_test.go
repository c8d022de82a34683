package versohttp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func prefixed(config verso.Config) *versohttp.Routes {
	config.AllowedVersions = []string{"v1", "v2"}
	return newRoutes(verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
}

func TestEachVersionMistakes(t *testing.T) {
	v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	for pattern, code := range map[string]string{
		"GET /health": "prefix_outside", "/api/{kind}/x": "prefix_parameter", "GET /api/{rest...}": "prefix_parameter", "/api/": "prefix_parameter",
	} {
		err := panicked(func() { v.EachVersion().HandleFunc(pattern, answerVersion) })
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake, pattern)
		assert.Equal(t, code, mistake.Code, pattern)
		assert.ErrorContains(t, err, "route "+pattern)
	}
	each := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions))).EachVersion()
	assert.ErrorContains(t, panicked(func() { each.HandleFunc("/api/x", answerVersion) }), "PathPrefix")
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestEncodedPrefixes reach no handler in a version that is not that of the path.
func TestEncodedPrefixes(t *testing.T) {
	v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	v.EachVersion().HandleFunc("GET /api/lists", answerVersion)
	v.Since("v2").HandleFunc("GET /api/v2/new", answerVersion)
	for target, want := range map[string]string{
		"/api/%76%32/lists": "v2", "/api//v2/lists": "", "/api/v2/../v1/lists": "", "/api/v2%2Flists": "", "/api/v1/new": "", "/api/v2/./lists": "",
	} {
		got := send(t, v, "GET", target, nil)
		if want != "" {
			assert.Equal(t, want, got.body, target)
		} else {
			assert.GreaterOrEqual(t, got.status, 300, target)
		}
	}
}
