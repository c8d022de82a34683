package versohttp_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
)

// TestKeepServed has an authentication that says who asks, in front of routes whose
// version has ended, with and without the middleware around the ServeMux. Routes of
// others are not asked about.
func TestKeepServed(t *testing.T) {
	type userKey struct{}
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, r.Header.Get("Authorization"))))
		})
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, conformance.Retiring(t, func() time.Time { return conformance.Sunset }), versohttp.Config{
		KeepServed: func(r *http.Request) bool {
			assert.NotEqual(t, "/others", r.URL.Path)
			return r.Context().Value(userKey{}) == "our UI"
		},
	})
	api := v.Group("/api", authenticate)
	api.HandleFunc("GET /users", answerVersion)
	api.Choose("GET", "/rooms", versohttp.Handlers{"v1": answerVersion, "v2": nil})
	mux.HandleFunc("/others", answerVersion)
	for name, handler := range map[string]http.Handler{"routes": v, "middleware": v.Middleware()(v)} {
		for _, test := range []struct {
			target, user string
			status       int
		}{
			{"/api/users", "our UI", http.StatusOK},
			{"/api/rooms", "our UI", http.StatusOK},
			{"/api/users", "somebody", http.StatusGone},
			{"/api/rooms", "", http.StatusGone},
		} {
			got := send(t, handler, "GET", test.target, http.Header{"Authorization": {test.user}, "Api-Version": {"v1"}})
			assert.Equal(t, test.status, got.status, "%s: %s of %q", name, test.target, test.user)
			assert.Equal(t, conformance.FieldsOfV1["Sunset"], got.header["Sunset"])
			if test.status == http.StatusOK {
				assert.Equal(t, "v1", got.body)
			}
		}
		got := send(t, handler, "GET", "/others", http.Header{"Authorization": {"our UI"}, "Api-Version": {"v1"}})
		assert.Equal(t, name == "middleware", got.status == http.StatusGone, "of others")
	}
}
