package conformance

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Benchmark measures requests through the mounted adapter, the same for all
// adapters: in each scheme one for a served version, one without a version, and one
// for an unsupported version. It fails when an answer is wrong.
//
//	func BenchmarkAdapter(b *testing.B) {
//		conformance.Benchmark(b, mount)
//	}
//
// It calls the handler of a [Server] over net/http directly. It sends requests to any
// other server over a connection, whose cost is then in the results. The benchmark
// "floor" uses a source that reads nothing: it measures the cost of the framework, the
// adapter and the mount in any scheme.
func Benchmark(b *testing.B, mount Mount) {
	b.Helper()
	quiet(b)
	cases, err := Cases()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range cases {
		name := strings.TrimPrefix(c.ID, "concurrent/")
		switch {
		case name == "query_parameter/served":
			b.Run("floor", func(b *testing.B) {
				c.benchmark(b, mount, "nothing", wantVersion{c.service.Settings.DefaultVersion, true})
			})
			fallthrough
		case name != c.ID && (strings.HasSuffix(name, "/served") || strings.HasSuffix(name, "/default") || strings.HasSuffix(name, "/rejected")):
			var r requestCase
			if err := c.Decode(&r); err != nil {
				b.Fatal(err)
			}
			b.Run(name, func(b *testing.B) { c.benchmark(b, mount, c.Scheme, r.Want.Version) })
		}
	}
}

// benchmark measures the request of the case in a scheme. A handler must see the
// version, or the request must be rejected.
func (c *Case) benchmark(b *testing.B, mount Mount, scheme string, want wantVersion) {
	b.Helper()
	var r requestCase
	api, err := c.service.versioning(scheme)
	if err := c.Decode(&r); err != nil {
		b.Fatal(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	var seen []verso.Version
	own := r.route(c.Op, r.handler)
	own.Handle = func(call Call) Response {
		seen = append(seen[:0], call.Version)
		return Response{}
	}
	server := mount(b, App{API: api, Routes: []Route{own}})
	defer func() { _ = server.Close() }()
	send := server.sender(b, bytes.ReplaceAll(r.Request.bytes(), []byte("Connection: close\r\n"), nil))
	status := send()
	if isServed := status == http.StatusOK && len(seen) == 1 && seen[0] == want.Version; isServed != want.given || !want.given && status != r.Want.Status {
		b.Fatalf("status %d, the handler saw %#v; want %+v\nrequest:\n%s", status, seen, r.Want, &r.Request)
	}
	b.ReportAllocs()
	for b.Loop() {
		send()
	}
}

// sender returns a function that sends a request and returns the status.
func (s *Server) sender(b *testing.B, wire []byte) func() int {
	b.Helper()
	if s.Handler != nil {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(wire)))
		if err != nil {
			b.Fatal(err)
		}
		w := &discard{header: make(http.Header)}
		return func() int {
			clear(w.header)
			w.status = 0
			s.Handler.ServeHTTP(w, r)
			return w.status
		}
	}
	conn, err := net.Dial("tcp", s.Address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	reader := bufio.NewReader(conn)
	return func() int {
		_, _ = conn.Write(wire)
		received, err := http.ReadResponse(reader, nil) //nolint:bodyclose // the next line reads the whole body
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, received.Body)
		return received.StatusCode
	}
}

// discard is a response that keeps only the header and the status, so that a
// benchmark measures the adapter and not a recorder.
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
