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

// The days of v1 in the API of the suite, and the fields of its responses.
var (
	deprecated, brownout, outage, sunset = conformance.Deprecated, conformance.Brownout, conformance.Outage, conformance.Sunset

	ofV1 = conformance.FieldsOfV1
)

// but returns fields with some of them changed; nil means that there is none.
func but(fields, changed http.Header) http.Header {
	fields = maps.Clone(fields)
	maps.Copy(fields, changed)
	return fields
}

// TestFields sends requests on each path that a response can take through
// net/http, which has no gzip of its own: compress is that of the tests.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(deprecated)
	api := conformance.Retiring(t, clock.Now)
	register := func(mux, neutral registrar) {
		for path, handler := range map[string]http.HandlerFunc{
			"/users": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"1"`)
				http.ServeContent(w, r, "users.txt", time.Time{}, strings.NewReader("users"))
			},
			"/gzip":  answerVersion,
			"/outer": answerVersion,
			"/adds": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Add("Link", "</handler>")
				w.WriteHeader(http.StatusNoContent)
			},
			"/refuses": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "handler", http.StatusUnprocessableEntity) },
			"/fails":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "handler", http.StatusInternalServerError) },
			"/panics":  answerPanic,
		} {
			mux.HandleFunc("GET "+path, handler)
			mux.HandleFunc("OPTIONS "+path, handler)
		}
		neutral.HandleFunc("GET /health", answerVersion)
	}
	serveMux := http.NewServeMux()
	routes, around := newRoutes(api), versohttp.New(serveMux, api)
	register(routes, routes.Neutral())
	register(serveMux, around.Neutral())
	for kind, inner := range map[string]http.Handler{
		"routes":     routes,
		"middleware": around.Middleware()(serveMux),
	} {
		inner = recoverer(inner)
		zipping := compress(inner)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/gzip":
				zipping.ServeHTTP(w, r)
				return
			case "/outer":
				w.Header().Set("Link", "</outer>")
				w.Header().Set("Vary", "Origin, api-version")
				w.Header().Set("Sunset", "outer")
			}
			inner.ServeHTTP(w, r)
		})

		none := http.Header{}
		for name := range ofV1 {
			none[name] = nil
		}
		rejected := but(ofV1, http.Header{"Api-Version": nil, "Content-Type": {"application/problem+json"}})
		gone := but(rejected, http.Header{"Api-Deprecated-Versions": nil})
		dateless := but(ofV1, http.Header{"Deprecation": nil, "Sunset": nil, "Link": nil, "Api-Version": nil})
		unknown := but(dateless, http.Header{"Content-Type": {"application/problem+json"}})
		closed := but(rejected, http.Header{"Retry-After": {"1800"}, "Cache-Control": {"no-store"}})
		preflight := http.Header{"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"}}
		outer := but(ofV1, http.Header{"Vary": {"Origin, api-version"}, "Sunset": {"outer"}, "Link": {"</outer>", ofV1.Get("Link")}})
		zipped := http.Header{"Vary": {"Accept-Encoding, Api-Version"}}
		zips := http.Header{"Accept-Encoding": {"gzip"}}

		for _, test := range []struct {
			name, method, path, version string
			header                      http.Header
			now                         time.Time
			status                      int
			want                        http.Header
		}{
			{name: "served", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "served before the deprecation", path: "/users", version: "v1", now: deprecated.Add(-time.Second), status: 200,
				want: but(ofV1, http.Header{"Api-Supported-Versions": {"v1, v2"}, "Api-Deprecated-Versions": nil})},
			{name: "another version", path: "/users", version: "v2", status: 200,
				want: but(dateless, http.Header{"Api-Version": {"v2"}})},
			{name: "HEAD", method: "HEAD", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "304", path: "/users", version: "v1", header: http.Header{"If-None-Match": {`"1"`}}, status: 304, want: ofV1},
			{name: "416 of http.ServeContent", path: "/users", version: "v1", header: http.Header{"Range": {"bytes=9-"}}, status: 416, want: ofV1},
			{name: "4xx of the handler", path: "/refuses", version: "v1", status: 422, want: ofV1},
			{name: "4xx of the handler to HEAD", method: "HEAD", path: "/refuses", version: "v1", status: 422, want: ofV1},
			{name: "5xx of the handler", path: "/fails", version: "v1", status: 500, want: ofV1},
			{name: "panic", path: "/panics", version: "v1", status: 500, want: ofV1},
			{name: "unknown version", path: "/users", version: "v9", status: 400, want: unknown},
			{name: "no version", path: "/users", status: 400, want: unknown},
			{name: "unknown version, HEAD", method: "HEAD", path: "/users", version: "v9", status: 400, want: dateless},
			{name: "gone", path: "/users", version: "v1", now: sunset, status: 410, want: gone},
			{name: "gone, in a request that would be answered with 304", path: "/users", version: "v1", now: sunset,
				header: http.Header{"If-None-Match": {`"1"`}}, status: 410, want: gone},
			{name: "brownout", path: "/users", version: "v1", now: brownout.Add(30 * time.Minute), status: 410, want: closed},
			{name: "brownout with 503", path: "/users", version: "v1", now: outage.Add(30 * time.Minute), status: 503, want: closed},
			{name: "neutral", path: "/health", version: "v1", status: 200, want: none},
			{name: "neutral when v1 is gone", path: "/health", version: "v1", now: sunset, status: 200, want: none},
			{name: "no route", path: "/none", version: "v1", status: 404, want: none},
			{name: "no such method", method: "DELETE", path: "/users", version: "v1", status: 405, want: none},
			{name: "preflight", method: "OPTIONS", path: "/users", header: preflight, status: 200, want: none},
			{name: "preflight when v1 is gone", method: "OPTIONS", path: "/users", version: "v1", now: sunset, header: preflight, status: 200, want: none},
			{name: "OPTIONS", method: "OPTIONS", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "OPTIONS without a route", method: "OPTIONS", path: "/health", version: "v1", status: 405, want: none},
			{name: "outer fields", path: "/outer", version: "v1", status: 200, want: outer},
			{name: "outer fields, gone", path: "/outer", version: "v1", now: sunset, status: 410,
				want: but(outer, http.Header{"Api-Version": nil, "Api-Deprecated-Versions": nil})},
			{name: "handler adds a link", path: "/adds", version: "v1", status: 204, want: but(ofV1, http.Header{"Link": {ofV1.Get("Link"), "</handler>"}})},
			{name: "gzip", path: "/gzip", version: "v1", header: zips, status: 200, want: but(but(ofV1, zipped), http.Header{"Content-Encoding": {"gzip"}})},
			{name: "gzip, gone", path: "/gzip", version: "v1", now: sunset, header: zips, status: 410, want: but(gone, zipped)},
		} {
			t.Run(kind+"/"+test.name, func(t *testing.T) {
				clock.Set(deprecated)
				if !test.now.IsZero() {
					clock.Set(test.now)
				}
				header := but(http.Header{"Api-Version": {test.version}}, test.header)
				if test.version == "" {
					header = test.header
				}
				got := send(t, handler, test.method, test.path, header)
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}
