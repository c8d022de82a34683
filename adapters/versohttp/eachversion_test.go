package versohttp_test

import (
	"io"
	"net/http"
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

// needs lets requests through that have a header field.
func needs(name string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get(name) == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// TestEachVersion registers routes once, in groups that have middleware.
func TestEachVersion(t *testing.T) {
	v := prefixed(verso.Config{DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}})
	each := v.EachVersion(needs("A"))
	each.Name("lists").HandleFunc("GET /api/lists", answerVersion)
	admin := each.Group("/api/admin", needs("B"))
	admin.Name("list").HandleFunc("GET /lists/{id}", answerVersion)
	admin.Group("/deep", needs("C")).HandleFunc("/x", answerVersion)
	v.Group("/api/own", needs("D")).EachVersion().Choose("GET", "/y", versohttp.Handlers{"v1": answerVersion}, needs("E"))
	each.HandleFunc("GET one.example/api/hosted", answerVersion)
	each.HandleFunc("/api/{$}", answerVersion)
	each.HandleFunc("/api/files/", answerVersion)

	for _, test := range []struct{ method, behind, needs string }{
		{"GET", "/lists", "A"},
		{"GET", "/admin/lists/7", "AB"},
		{"POST", "/admin/deep/x", "ABC"},
		{"GET", "/own/y", "DE"},
		{"GET", "/hosted", "A"},
		{"GET", "/", "A"},
		{"GET", "/files/a/b", "A"},
	} {
		for prefix, version := range map[string]string{"/api": "v1", "/api/v1": "v1", "/api/v2": "v2"} {
			header := http.Header{"Host": {"one.example"}}
			for _, name := range test.needs {
				assert.Equal(t, http.StatusUnauthorized, send(t, v, test.method, prefix+test.behind, header).status, "%s without %c", prefix+test.behind, name)
				header.Set(string(name), "x")
			}
			assert.Equal(t, version, send(t, v, test.method, prefix+test.behind, header).body, prefix+test.behind)
		}
		assert.Equal(t, http.StatusNotFound, send(t, v, test.method, "/api/v9"+test.behind, nil).status)
	}
	assert.Len(t, v.Explain().Routes, 7, "a route in each version is one route")
	for version, want := range map[string]string{"v1": "/api/admin/lists/7", "v2": "/api/v2/admin/lists/7"} {
		link, err := v.Link(verso.Target{Name: "list", Params: verso.Params{"id": 7}, Version: verso.V(version)})
		require.NoError(t, err)
		assert.Equal(t, want, link)
	}
}

func TestEachVersionWithoutDefault(t *testing.T) {
	v := prefixed(verso.Config{})
	v.EachVersion().HandleFunc("GET /api/lists", answerVersion)
	assert.Equal(t, "404 page not found\n", send(t, v, "GET", "/api/lists", nil).body)
	assert.Equal(t, "v2", send(t, v, "GET", "/api/v2/lists", nil).body)
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

// TestNotFound deletes the routes of versions.
func TestNotFound(t *testing.T) {
	v := newRoutes(verso.Must(verso.New(verso.First(verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")), twoVersions)))
	v.HandleFunc("GET /api/v2/x", answerVersion)
	v.HandleFunc("/api/v2/mine", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "mine")
	})
	unknown, known := http.Header{"Api-Version": {"v9"}}, http.Header{"Api-Version": {"v2"}}
	for name, handler := range map[string]http.Handler{"alone": v.NotFound()(v), "with middleware": v.NotFound()(v.Middleware()(v))} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, send(t, handler, "GET", "/deleted", unknown).body, "invalid_header_version")
			assert.Contains(t, send(t, handler, "POST", "/api/v2/x", unknown).body+send(t, handler, "GET", "/api/v9/x", unknown).body, "invalid_header_version")
			for _, header := range []http.Header{known, nil} {
				assert.Equal(t, "404 page not found\n", send(t, handler, "GET", "/deleted", header).body)
				got := send(t, handler, "POST", "/api/v2/x", header)
				assert.Equal(t, http.StatusMethodNotAllowed, got.status)
				assert.Equal(t, "GET, HEAD", got.header.Get("Allow"))
			}
			assert.Equal(t, "v2", send(t, handler, "GET", "/api/v2/x", nil).body)
			assert.Equal(t, "mine", send(t, handler, "GET", "/api/v2/mine", nil).body)
		})
	}
	assert.ErrorContains(t, panicked(func() { v.NotFound()(nil) }), "the handler is nil")
}
