package bench

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/kataras/iris/v12"
	"github.com/kataras/iris/v12/versioning"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
)

// peerVersions are served in the comparison with Iris, whose versions are
// semantic ones.
var peerVersions = []string{"1.0.0", "2.0.0", "3.0.0"}

// peerCases are the schemes that Iris has too, with the requests for 2.0.0.
var peerCases = []*schemeCase{
	{
		name:    "accept_header",
		scheme:  verso.Must(verso.NewAcceptHeader(verso.Settings{AllowedVersions: peerVersions})),
		pattern: "/users/{id}",
		url:     "http://api.example.com/users/42",
		accept:  "application/json; version=2.0.0",
		route:   "user",
	},
	{
		name:    "query_parameter",
		scheme:  verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: peerVersions})),
		pattern: "/users/{id}",
		url:     "http://api.example.com/users/42?fields=name&page=2&version=2.0.0",
		route:   "user",
	},
}

// BenchmarkPeer serves a request for 2.0.0 with Iris and its package
// versioning, and with Verso in each framework. The bare frameworks stand
// beside them, since Iris differs from the others without versions too.
func BenchmarkPeer(b *testing.B) {
	for _, s := range peerCases {
		b.Run(s.name+"/iris/bare", func(b *testing.B) {
			serve(b, bareIris(b), s.request(b))
		})
		b.Run(s.name+"/iris/versioning", func(b *testing.B) {
			serve(b, versionedIris(b, s), s.request(b))
		})
		for _, f := range frameworks {
			b.Run(s.name+"/"+f.name+"/bare", func(b *testing.B) {
				serve(b, f.bare(s), s.request(b))
			})
			b.Run(s.name+"/"+f.name+"/verso", func(b *testing.B) {
				serve(b, f.verso(s), s.request(b))
			})
		}
	}
}

func TestPeer(t *testing.T) {
	for _, s := range peerCases {
		service := versionedIris(t, s)
		w := newDiscard()
		w.serve(service, s.request(t))
		assert.Equal(t, "2.0.0", keptText, s.name)
		assert.Equal(t, []string{"2.0.0"}, w.header["X-Api-Version"], s.name)

		refused := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example.com/users/42?version=9.0.0", nil)
		refused.Header.Set("Accept", "application/json; version=9.0.0")
		w.serve(service, refused)
		assert.Equal(t, http.StatusNotImplemented, w.status, s.name)
	}
}

func bareIris(tb testing.TB) http.Handler {
	tb.Helper()
	app := iris.New()
	app.Logger().SetLevel("disable")
	app.Get("/users/{id}", func(iris.Context) {})
	require.NoError(tb, app.Build())
	return app
}

// versionedIris returns a service that has the route once for each version,
// which is how Iris keeps versions apart. The handlers read the version.
func versionedIris(tb testing.TB, s *schemeCase) http.Handler {
	tb.Helper()
	app := iris.New()
	app.Logger().SetLevel("disable")
	api := app.Party("/")
	if s.name == "query_parameter" {
		api.Use(versioning.FromQuery("version", ""))
	}
	for _, version := range peerVersions {
		group := versioning.NewGroup(api, version)
		group.Get("/users/{id}", func(c iris.Context) { keptText = versioning.GetVersion(c) })
	}
	require.NoError(tb, app.Build())
	return app
}
