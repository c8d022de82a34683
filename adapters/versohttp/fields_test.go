package versohttp_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	"github.com/goverso/verso/core/versotest"
)

// TestFields sends requests in v1 on the paths that only net/http has for a response:
// http.ServeContent, and middleware around, which recovers and compresses.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(conformance.Deprecated)
	api := conformance.Retiring(t, clock.Now)
	register := func(mux registrar) {
		mux.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			http.ServeContent(w, r, "users.txt", time.Time{}, strings.NewReader("users"))
		})
		mux.HandleFunc("GET /gzip", answerVersion)
		mux.HandleFunc("GET /panics", answerPanic)
	}
	serveMux := http.NewServeMux()
	routes, around := newRoutes(api), versohttp.New(serveMux, api)
	register(routes)
	register(serveMux)
	ofV1, gone := conformance.FieldsOfV1, maps.Clone(conformance.FieldsOfV1)
	gone["Api-Version"], gone["Api-Deprecated-Versions"] = nil, nil
	zipped := func(fields http.Header) http.Header {
		fields = maps.Clone(fields)
		fields["Vary"] = []string{"Accept-Encoding, Api-Version"}
		return fields
	}
	for kind, inner := range map[string]http.Handler{
		"routes":     routes,
		"middleware": around.Middleware()(serveMux),
	} {
		inner = recoverer(inner)
		zipping := compress(inner)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/gzip" {
				zipping.ServeHTTP(w, r)
			} else {
				inner.ServeHTTP(w, r)
			}
		})
		for _, test := range []struct {
			name, method, path string
			header             http.Header
			now                time.Time
			status             int
			want               http.Header
		}{
			{"HEAD to a route of GET", "HEAD", "/users", nil, conformance.Deprecated, 200, ofV1},
			{"304", "GET", "/users", http.Header{"If-None-Match": {`"1"`}}, conformance.Deprecated, 304, ofV1},
			{"304 when v1 is gone", "GET", "/users", http.Header{"If-None-Match": {`"1"`}}, conformance.Sunset, 410, gone},
			{"416", "GET", "/users", http.Header{"Range": {"bytes=9-"}}, conformance.Deprecated, 416, ofV1},
			{"panic", "GET", "/panics", nil, conformance.Deprecated, 500, ofV1},
			{"gzip", "GET", "/gzip", http.Header{"Accept-Encoding": {"gzip"}}, conformance.Deprecated, 200, zipped(ofV1)},
			{"gzip, gone", "GET", "/gzip", http.Header{"Accept-Encoding": {"gzip"}}, conformance.Sunset, 410, zipped(gone)},
		} {
			t.Run(kind+"/"+test.name, func(t *testing.T) {
				clock.Set(test.now)
				header := http.Header{"Api-Version": {"v1"}}
				maps.Copy(header, test.header)
				got := send(t, handler, test.method, test.path, header)
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}
