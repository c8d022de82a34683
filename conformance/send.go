package conformance

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Answer is a response as a client gets it.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Send serves a handler on a loopback port, and sends it a request as [SendTo] does.
func Send(tb testing.TB, handler http.Handler, method, target string, header http.Header) Answer {
	tb.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	return SendTo(tb, server, method, target, header, nil)
}

// SendTo sends a request to a server, for an adapter's own tests, from any goroutine. It follows no
// redirect. A field Host is the host of the request. If there is no response, the test fails.
func SendTo(tb testing.TB, server *httptest.Server, method, target string, header http.Header, body io.Reader) Answer {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), method, server.URL+target, body)
	if err != nil {
		tb.Error(err)
		return Answer{}
	}
	maps.Copy(r.Header, header)
	r.Host = header.Get("Host")
	client := *server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	if err != nil {
		tb.Error(err)
		return Answer{}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		tb.Error(err)
	}
	return Answer{response.StatusCode, response.Header, string(text)}
}
