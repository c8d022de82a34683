package conformance

import (
	"net/http"
	"net/http/httptest"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Benchmark measures requests through the mounted adapter, the same for all
// adapters: in each scheme one for a version that is served, one without a
// version, and one for a version that is refused. It fails when an answer is
// not the right one.
//
//	func BenchmarkAdapter(b *testing.B) {
//		conformance.Benchmark(b, mount)
//	}
//
// The benchmark "floor" serves requests in a scheme that reads nothing: what
// the framework, the adapter and the mount cost in any scheme.
func Benchmark(b *testing.B, mount Mount) {
	b.Helper()
	for _, c := range benchmarkCases() {
		b.Run(c.name, func(b *testing.B) {
			var seen verso.Version
			calls := 0
			c.route.Method, c.route.Name = http.MethodGet, "user"
			c.route.Handle = func(w http.ResponseWriter, _ *http.Request, call Call) {
				calls++
				seen = call.Version
				w.WriteHeader(http.StatusOK)
			}
			handler := mount(b, App{Scheme: c.scheme, Routes: []Route{c.route}})
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, c.url, nil)
			if c.accept != "" {
				r.Header.Set("Accept", c.accept)
			}
			w := &discard{header: make(http.Header)}

			handler.ServeHTTP(w, r)
			wantCalls := 0
			if c.status == http.StatusOK {
				wantCalls = 1
			}
			if w.status != c.status || calls != wantCalls || seen != c.want {
				b.Fatalf("GET %s with Accept %q: status %d, %d calls of the handler, version %#v; want status %d, version %#v",
					c.url, c.accept, w.status, calls, seen, c.status, c.want)
			}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				handler.ServeHTTP(w, r)
			}
		})
	}
}

// benchmarkCase is a request, and how it must be answered.
type benchmarkCase struct {
	name   string // of the subbenchmark
	scheme verso.Scheme
	route  Route
	url    string
	accept string // the Accept header, "" for none
	status int
	want   verso.Version // that the handler sees
}

func benchmarkCases() []benchmarkCase {
	settings := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2", "v3"}}
	var (
		accept    = verso.Must(verso.NewAcceptHeader(settings))
		path      = verso.Must(verso.NewURLPath(settings))
		namespace = verso.Must(verso.NewNamespace(settings))
		host      = verso.Must(verso.NewHostName(settings, ""))
		query     = verso.Must(verso.NewQueryParameter(settings))
	)
	var (
		plain     = Route{Pattern: "/users/{id}"}
		versioned = Route{Pattern: "/{version}/users/{id}"}
	)
	in := func(namespace string) Route {
		return Route{Namespace: namespace, Pattern: "/" + namespace + "/users/{id}"}
	}
	const ok, notFound, notAcceptable = http.StatusOK, http.StatusNotFound, http.StatusNotAcceptable
	v1, v2, none := verso.V("v1"), verso.V("v2"), verso.Version{}
	return []benchmarkCase{
		{"floor", constantScheme{path.Base}, plain, "http://api.example.com/users/42", "", ok, none},

		{"accept_header/served", accept, plain, "http://api.example.com/users/42", "application/json; version=v2", ok, v2},
		{"accept_header/default", accept, plain, "http://api.example.com/users/42", "application/json", ok, v1},
		{"accept_header/refused", accept, plain, "http://api.example.com/users/42", "application/json; version=v9", notAcceptable, none},

		{"url_path/served", path, versioned, "http://api.example.com/v2/users/42", "", ok, v2},
		{"url_path/default", path, plain, "http://api.example.com/users/42", "", ok, v1},
		{"url_path/refused", path, versioned, "http://api.example.com/v9/users/42", "", notFound, none},

		{"namespace/served", namespace, in("v2"), "http://api.example.com/v2/users/42", "", ok, v2},
		{"namespace/default", namespace, plain, "http://api.example.com/users/42", "", ok, v1},
		{"namespace/refused", namespace, in("v9"), "http://api.example.com/v9/users/42", "", notFound, none},

		{"hostname/served", host, plain, "http://v2.example.com/users/42", "", ok, v2},
		{"hostname/default", host, plain, "http://localhost/users/42", "", ok, v1},
		{"hostname/refused", host, plain, "http://v9.example.com/users/42", "", notFound, none},

		{"query_parameter/served", query, plain, "http://api.example.com/users/42?fields=name&page=2&version=v2", "", ok, v2},
		{"query_parameter/default", query, plain, "http://api.example.com/users/42?fields=name&page=2", "", ok, v1},
		{"query_parameter/refused", query, plain, "http://api.example.com/users/42?fields=name&page=2&version=v9", "", notFound, none},
	}
}

// constantScheme reads nothing: no request has a version.
type constantScheme struct{ *verso.Base }

func (constantScheme) DetermineVersion(verso.Request) (verso.Version, error) {
	return verso.Version{}, nil
}

// discard is a response of which only the header and the status are kept, so
// that a benchmark measures the adapter and not a recorder.
type discard struct {
	header http.Header
	status int // 0 before the header is written
}

func (w *discard) Header() http.Header { return w.header }

func (w *discard) Write(body []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return len(body), nil
}

func (w *discard) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}
