package client_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

var quiet = slog.New(slog.DiscardHandler)

// base is a function as base.
type base func(*http.Request) (*http.Response, error)

func (send base) RoundTrip(r *http.Request) (*http.Response, error) { return send(r) }

// answering is a base that responds with the fields: alternating names and values.
func answering(status int, fields ...string) base {
	header := make(http.Header)
	for i := 0; i < len(fields); i += 2 {
		header.Add(fields[i], fields[i+1])
	}
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: header, Body: http.NoBody, Request: r}, nil
	}
}

// notices is a callback that keeps its notices.
type notices struct {
	mu  sync.Mutex
	all []client.Notice
}

func (n *notices) add(notice client.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, notice)
}

func (n *notices) take() []client.Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.all
	n.all = nil
	return all
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// v1 is the configuration of most tests: v1 of api.example.com, in a header.
func v1(base http.RoundTripper, heard *notices) client.Config {
	config := client.Config{
		Base: base, Source: verso.Header("Api-Version"), Version: verso.V("v1"), Hosts: []string{"api.example.com"},
		Logger: quiet, Clock: func() time.Time { return date(2026, 11, 21) },
	}
	if heard != nil {
		config.OnNotice = heard.add
	}
	return config
}

// request returns a request for a URL.
func request(t *testing.T, target string) *http.Request {
	t.Helper()
	return verso.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
}

// get requests a URL and returns the request that was sent.
func get(t *testing.T, transport http.RoundTripper, target string) (sent *http.Request) {
	t.Helper()
	return roundTrip(t, transport, request(t, target))
}

// roundTrip sends a request, and returns it as it was sent.
func roundTrip(t *testing.T, transport http.RoundTripper, r *http.Request) (sent *http.Request) {
	t.Helper()
	response, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.Request
}

// serve serves a handler, and returns the host of the server.
func serve(tb testing.TB, handler http.HandlerFunc) (serverURL, host string) {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		tb.Fatal(err)
	}
	return server.URL, u.Host
}

// logged returns a logger and its output.
func logged() (*slog.Logger, *bytes.Buffer) {
	var text bytes.Buffer
	return slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})), &text
}

// codes returns the codes of all joined mistakes.
func codes(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, one := range several.Unwrap() {
			all = append(all, codes(one))
		}
		return strings.Join(all, " ")
	}
	var mistake *verso.Finding
	if errors.As(err, &mistake) {
		return mistake.Field + "/" + mistake.Code
	}
	return ""
}
