package conformance

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// request is the request of a case. Each character of Target, Host and the header values
// represents one byte. Requests of cases may be malformed on purpose, which net/http's client
// would not send.
type request struct {
	Method    string              `json:"method"`
	URLScheme string              `json:"url_scheme"`
	Target    string              `json:"target"`
	Host      *string             `json:"host"`
	Headers   map[string][]string `json:"headers"`
	Fill      struct {
		With  string `json:"with"`
		Times int    `json:"times"`
	} `json:"fill"` // the replacement of "{fill}"

	body string // sent as it is
}

// get returns a request for a target on api.example.com, in a language. Most checks need no
// more than that.
func get(target, language string) request {
	host := "api.example.com"
	return request{Method: http.MethodGet, Target: target, Host: &host,
		Headers: map[string][]string{"Accept-Language": {language}}}
}

// response is the response from the server.
type response struct {
	status int
	header http.Header
	body   []byte
}

// waitTimeout is how long the suite waits for an event on a server. The suite's tests with
// adapters that hang shorten it. It is generous: machines that run tests are slow at times, and
// only an adapter that hangs ever waits so long.
func waitTimeout() time.Duration { return time.Duration(waits.Load()) }

var waits atomic.Int64

// An atomic value may be changed by tests while servers run.
func init() { waits.Store(int64(5 * time.Second)) }

// String returns the response in the form for failures.
func (r *response) String() string {
	return fmt.Sprintf("status %d, header %.1000q, body %.300q", r.status, r.header, r.body)
}

// ask mounts the application, sends it one request, byte for byte as in the case, and stops the
// server. A server of its own is slower than a shared one, but nothing of an earlier request
// can be in it.
func ask(tb testing.TB, mount Mount, app App, r *request) (*response, error) {
	tb.Helper()
	if r.URLScheme == "https" {
		app.TLS, _ = selfSigned()
	}
	server := mount(tb, app)
	got, err := r.send(server.Address)
	return got, errors.Join(err, server.stop())
}

var errHangs = errors.New("the adapter hangs")

// stop closes the server. Close is code of the adapter's author and may wait for a request that
// never ends.
func (s *Server) stop() error {
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			return fmt.Errorf("closing the server: %w", err)
		}
		return nil
	case <-time.After(2 * waitTimeout()):
		return fmt.Errorf("%w: Close does not return within %v", errHangs, 2*waitTimeout())
	}
}

// send sends the request on a new connection. If it is not answered in time, the error wraps
// errHangs. A client that closes is the rule here, so the server has no reason to wait for
// more.
func (r *request) send(address string) (*response, error) {
	got, err := r.exchange(address)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		err = fmt.Errorf("%w: no answer within %v: %w", errHangs, 2*waitTimeout(), err)
	}
	return got, err
}

// dial returns a connection that closing resets: otherwise each connection keeps its
// port for a minute, and the suite runs out of ports.
func dial(address string) (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", address, waitTimeout())
	if err != nil {
		return nil, err
	}
	if err := conn.(*net.TCPConn).SetLinger(0); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// exchange uses TLS where the case asks for https, since links and hosts depend on it.
func (r *request) exchange(address string) (*response, error) {
	conn, err := dial(address)
	if err != nil {
		return nil, err
	}
	if r.URLScheme == "https" {
		_, roots := selfSigned()
		conn = tls.Client(conn, &tls.Config{RootCAs: roots, ServerName: "example.com"})
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(2 * waitTimeout()))
	if _, err := conn.Write(r.bytes()); err != nil {
		return nil, err
	}
	reader := bufio.NewReader(conn)
	received, err := http.ReadResponse(reader, &http.Request{Method: r.Method})
	for err == nil && received.StatusCode == http.StatusEarlyHints {
		received, err = http.ReadResponse(reader, &http.Request{Method: r.Method})
	}
	if err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	defer func() { _ = received.Body.Close() }()
	body, err := io.ReadAll(received.Body)
	if r.Method == http.MethodHead {
		// ReadResponse trusts the server not to send one.
		body, _ = io.ReadAll(reader) // a body that must not exist
	}
	return &response{received.StatusCode, received.Header, body}, err
}

// selfSigned returns the configuration of a TLS server for example.com, and a pool that trusts
// it. Making a certificate takes longer than most checks, so there is one for all.
var selfSigned = sync.OnceValues(func() (*tls.Config, *x509.CertPool) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return &tls.Config{Certificates: server.TLS.Certificates}, roots
})

// silent is the log of servers, which log panics.
var silent = log.New(io.Discard, "", 0)

// bytes returns the bytes of the request on the wire.
func (r *request) bytes() []byte {
	var wire strings.Builder
	wire.WriteString(r.Method + " " + r.Target + " HTTP/1.1\r\n")
	if r.Host != nil {
		wire.WriteString("Host: " + *r.Host + "\r\n")
	}
	// Sorted, so that a failure looks the same in each run.
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		for _, value := range r.Headers[name] {
			wire.WriteString(name + ": " + value + "\r\n")
		}
	}
	fmt.Fprintf(&wire, "Content-Length: %d\r\nConnection: close\r\n\r\n", len(r.body))
	filled := strings.ReplaceAll(wire.String(), "{fill}", strings.Repeat(r.Fill.With, r.Fill.Times))
	return append(latin1Bytes(filled), r.body...)
}

// latin1Bytes returns text encoded as ISO-8859-1. JSON has no bytes, and cases need those above
// 127.
func latin1Bytes(text string) []byte {
	bytes := make([]byte, 0, len(text))
	for _, char := range text {
		bytes = append(bytes, byte(char))
	}
	return bytes
}

// String returns the request line and the header, quoted line by line. Control characters must
// be visible in a failure: they are often its cause.
func (r *request) String() string {
	var text strings.Builder
	for line := range bytes.SplitSeq(r.bytes()[:min(2000, len(r.bytes()))], []byte("\r\n")) {
		fmt.Fprintf(&text, "\t%q\n", line)
	}
	return text.String()
}
