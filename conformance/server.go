package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// server serves a handler on a loopback port for many requests. Its client
// keeps connections alive, and finds the server under any host name.
type server struct {
	http       *http.Server
	address    string
	client     *http.Client
	goroutines int // that there were before
}

// patience is how long the suite waits for what must happen on a server. Its own
// tests, of adapters for which it never does, shorten it.
var patience = exchangeTimeout / 2

func serve(handler http.Handler) (*server, error) {
	goroutines := runtime.NumGoroutine()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	s := &server{
		http:       &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}, // it logs panics
		address:    address,
		client:     &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: clients}, Timeout: exchangeTimeout},
		goroutines: goroutines,
	}
	go func() { _ = s.http.Serve(listener) }()
	return s, nil
}

// get sends a request and reads the whole response. It fails when the server
// breaks the connection, and with errHangs when it does not answer.
func (s *server) get(ctx context.Context, url string, header map[string]string) (*response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	received, err := s.client.Do(r)
	if err != nil {
		return nil, hangs(err)
	}
	defer func() { _ = received.Body.Close() }()
	body, err := io.ReadAll(received.Body)
	if err != nil {
		return nil, hangs(err)
	}
	return &response{received.StatusCode, received.Header, body}, nil
}

var errHangs = errors.New("the request hangs")

// hangs marks an error that came because the time is over.
func hangs(err error) error {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fmt.Errorf("%w: %w", errHangs, err)
	}
	return err
}

// close closes the server with all its connections. It fails when goroutines
// stay behind.
func (s *server) close() error {
	s.client.CloseIdleConnections()
	if err := s.http.Close(); err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		left := runtime.NumGoroutine() - s.goroutines
		if left <= 0 {
			return nil
		}
		if time.Now().After(deadline) {
			var stacks strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
			return fmt.Errorf("%d goroutines stay behind the closed server, among these:\n%.6000s", left, stacks.String())
		}
	}
}
