package versohttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

// setVersionTests are the schemes, with the route of each and the link in v2.
var setVersionTests = []struct {
	name, namespace, path, link string
	source                      verso.Source
}{
	{"path", "", "/{version}/users/{id}", "http://v1.example.com/v2/users/7", verso.PathParam("version")},
	{"namespace", "v2", "/second/users/{id}", "http://v1.example.com/second/users/7", verso.Namespace()},
	{"host", "", "/users/{id}", "http://v1.example.com/users/7", verso.HostLabel("")},
	{"query", "", "/users/{id}", "http://v1.example.com/users/7?version=v2", verso.QueryParam("version")},
	{"Accept", "", "/users/{id}", "http://v1.example.com/users/7", verso.AcceptParam("version")},
	{"header", "", "/users/{id}", "http://v1.example.com/users/7", verso.Header("Api-Version")},
	{"media type", "", "/users/{id}", "http://v1.example.com/users/7", verso.MediaType("application/vnd.acme.{version}+json")},
	{"header or path", "", "/{version}/users/{id}", "http://v1.example.com/v2/users/7", verso.First(verso.Header("Api-Version"), verso.PathParam("version"))},
}

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(w http.ResponseWriter, r *http.Request) {
		link, err := versohttp.Link(r, user)
		_, _ = fmt.Fprint(w, versohttp.Version(r), " ", link)
		assert.NoError(t, err)
	}
	for _, test := range setVersionTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.Links{Origin: "http://v1.example.com"},
			}))
			mux := versohttp.NewMux(api)
			mux.Name(route.Join(test.namespace, "user")).HandleFunc("GET "+test.path, show)

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), mux.Link, user)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			r, err := mux.SetVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
			require.NoError(t, err)
			show(w, r)
			assert.Equal(t, "v2 "+test.link, w.Body.String(), "without the mux")

			r, err = mux.SetVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v9"))
			require.ErrorIs(t, err, verso.ErrUnknownVersion)
			assert.Nil(t, r)
		})
	}
}
