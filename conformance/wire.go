package conformance

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// request is the request of a case. Each character of Target, Host and the
// header values stands for one byte.
type request struct {
	Method    string              `json:"method"`
	URLScheme string              `json:"url_scheme"`
	Target    string              `json:"target"`
	Host      *string             `json:"host"`
	Headers   map[string][]string `json:"headers"`
}

// response is what came back over the wire.
type response struct {
	status int
	header http.Header
	body   []byte
}

// exchangeTimeout bounds one request on the loopback interface.
const exchangeTimeout = 10 * time.Second

// exchange serves handler on a loopback port and sends it one request, byte for
// byte as the case says.
func exchange(handler http.Handler, r *request) (*response, error) {
	server := httptest.NewUnstartedServer(handler)
	if r.URLScheme == "https" {
		server.StartTLS()
	} else {
		server.Start()
	}
	defer server.Close()

	conn, err := net.DialTimeout("tcp", server.Listener.Addr().String(), exchangeTimeout)
	if err != nil {
		return nil, err
	}
	if r.URLScheme == "https" {
		conn = tls.Client(conn, &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, ServerName: "example.com"})
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(exchangeTimeout)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(r.bytes()); err != nil {
		return nil, err
	}
	received, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: r.Method})
	if err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	defer func() { _ = received.Body.Close() }()
	body, err := io.ReadAll(received.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	return &response{received.StatusCode, received.Header, body}, nil
}

// bytes returns the request as it goes over the wire.
func (r *request) bytes() []byte {
	var wire bytes.Buffer
	writeBytes := func(parts ...string) {
		for _, part := range parts {
			for _, char := range part {
				wire.WriteByte(byte(char))
			}
		}
	}
	writeBytes(r.Method, " ", r.Target, " HTTP/1.1\r\n")
	if r.Host != nil {
		writeBytes("Host: ", *r.Host, "\r\n")
	}
	names := make([]string, 0, len(r.Headers))
	for name := range r.Headers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range r.Headers[name] {
			writeBytes(name, ": ", value, "\r\n")
		}
	}
	writeBytes("Content-Length: 0\r\nConnection: close\r\n\r\n")
	return wire.Bytes()
}

// String returns the request line and the header, quoted line by line.
func (r *request) String() string {
	var text bytes.Buffer
	for line := range bytes.SplitSeq(bytes.TrimSpace(r.bytes()), []byte("\r\n")) {
		fmt.Fprintf(&text, "\t%q\n", line)
	}
	return text.String()
}
