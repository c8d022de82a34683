package versohttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(w http.ResponseWriter, r *http.Request) {
		link, err := versohttp.Link(r, user)
		_, _ = fmt.Fprint(w, versohttp.Version(r), " ", link)
		assert.NoError(t, err)
	}
	for _, test := range conformance.InV2 {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.Source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.LinkConfig{Origin: "http://v1.example.com"},
			}))
			mux := newRoutes(api)
			mux.Name(test.Route.FullName()).HandleFunc("GET "+test.Route.Pattern, show)

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), mux.Link, user)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			r, err := mux.SetVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
			require.NoError(t, err)
			show(w, r)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "without the mux")

			r, err = mux.SetVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v9"))
			require.ErrorIs(t, err, verso.ErrUnknownVersion)
			assert.Nil(t, r)
		})
	}
}
