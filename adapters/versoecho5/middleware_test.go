package versoecho5_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestMiddlewareOfOthers stacks Verso with Echo's own middleware and sends
// requests to a server in each protocol.
func TestMiddlewareOfOthers(t *testing.T) {
	for _, order := range [][]string{
		{"request ID", "logger", "recover", "CORS", "body limit", "gzip", "timeout", "Verso"},
		{"request ID", "logger", "recover", "CORS", "Verso", "body limit", "gzip", "timeout"},
		{"recover", "gzip", "timeout", "logger", "request ID", "CORS", "Verso", "body limit"},
		{"CORS", "Verso", "gzip", "timeout", "body limit", "recover", "logger", "request ID"},
	} {
		for protocol, major := range map[string]int{"HTTP/1.1": 1, "HTTP/2 over TLS": 2, "h2c": 2} {
			t.Run(strings.Join(order, ", ")+"/"+protocol, func(t *testing.T) {
				s := newStack(t, order)
				client, url := serve(t, s.echo, protocol)
				s.checkVersion(t, client, url)
				s.checkRejection(t, client, url)
				s.checkOthers(t, client, url)
				s.checkStream(t, client, url, major)
				if major == 1 { // HTTP/2 has no connection to hijack
					s.checkHijack(t, client, url)
				}
			})
		}
	}
}

// stack is Verso among Echo's own middleware.
type stack struct {
	echo  *echo.Echo
	order []string
	read  chan struct{} // the client has read the first part of a stream

	mu       sync.Mutex
	statuses []int // what the logger saw
}

func newStack(t *testing.T, order []string) *stack {
	t.Helper()
	s := &stack{echo: echo.New(), order: order, read: make(chan struct{})}
	all := map[string]echo.MiddlewareFunc{
		"Verso":      check(s.echo, verso.Must(scheme.NewAcceptHeader("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))),
		"request ID": middleware.RequestID(),
		"logger": middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
			LogStatus:   true,
			HandleError: true,
			LogValuesFunc: func(_ *echo.Context, values middleware.RequestLoggerValues) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.statuses = append(s.statuses, values.Status)
				return nil
			},
		}),
		"recover":    middleware.Recover(),
		"CORS":       middleware.CORS("https://app.example"),
		"body limit": middleware.BodyLimit(100),
		"gzip":       middleware.Gzip(),
		"timeout":    middleware.ContextTimeout(time.Minute),
	}
	e := s.echo
	e.Pre(middleware.Rewrite(map[string]string{"/old/*": "/$1"}), middleware.MethodOverride())
	for _, name := range order {
		e.Use(all[name])
	}
	e.GET("/users/:id", func(c *echo.Context) error {
		_, limited := c.Request().Context().Deadline()
		assert.True(t, limited)
		return c.String(http.StatusOK, versoecho5.Param(c, "id")+" in "+versoecho5.Version(c).String())
	})
	e.PUT("/users/:id", func(c *echo.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, string(body)+" in "+versoecho5.Version(c).String())
	})
	e.GET("/panic", func(*echo.Context) error { panic("for the test") })
	e.GET("/stream", func(c *echo.Context) error {
		response := http.NewResponseController(c.Response())
		_, err := fmt.Fprintln(c.Response(), versoecho5.Version(c))
		if err = errors.Join(err, response.Flush()); err != nil {
			return err
		}
		select {
		case <-s.read:
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		}
		_, err = fmt.Fprintln(c.Response(), "end")
		return err
	})
	e.GET("/socket", func(c *echo.Context) error {
		conn, buffered, err := http.NewResponseController(c.Response()).Hijack()
		if err != nil {
			return err
		}
		defer conn.Close()
		_, err = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		if err != nil {
			return err
		}
		line, err := buffered.ReadString('\n')
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(conn, "%s in %s\n", strings.TrimSpace(line), versoecho5.Version(c))
		return err
	})
	return s
}

// serve serves the handler in a protocol, and returns a client that speaks it.
func serve(t *testing.T, handler http.Handler, protocol string) (*http.Client, string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	t.Cleanup(server.Close)
	switch protocol {
	case "HTTP/1.1":
		server.Start()
		return server.Client(), server.URL
	case "HTTP/2 over TLS":
		server.EnableHTTP2 = true
		server.StartTLS()
		return server.Client(), server.URL
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server.Config.Protocols = protocols
	server.Start()
	transport := &http.Transport{Protocols: protocols}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}, server.URL
}

// open sends a request from a page of the allowed origin.
func open(t *testing.T, client *http.Client, method, url, version string, body io.Reader, header ...string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	require.NoError(t, err)
	r.Header.Set("Accept", "application/json; version="+version)
	r.Header.Set("Origin", "https://app.example")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := client.Do(r)
	require.NoError(t, err)
	return response
}

// do sends a request as open does, and reads the response.
func do(t *testing.T, client *http.Client, method, url, version string, body io.Reader, header ...string) answer {
	t.Helper()
	response := open(t, client, method, url, version, body, header...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(text)}
}

// before reports whether one middleware comes before another.
func (s *stack) before(one, other string) bool {
	order := strings.Join(s.order, ", ")
	return strings.Index(order, one) < strings.Index(order, other)
}

func (s *stack) logged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.statuses) == 0 {
		return 0
	}
	return s.statuses[len(s.statuses)-1]
}

// varies returns the names in the lines of the field Vary.
func varies(got answer) []string {
	return strings.Split(strings.Join(got.header.Values("Vary"), ", "), ", ")
}

func (s *stack) checkVersion(t *testing.T, client *http.Client, url string) {
	t.Helper()
	for _, path := range []string{"/users/7", "/old/users/7", "/old/users/%37"} {
		response := do(t, client, http.MethodGet, url+path, "v2", nil)
		assert.Equal(t, http.StatusOK, response.status, path)
		assert.Equal(t, "7 in v2", response.body, path)
		assert.ElementsMatch(t, []string{"Accept", "Accept-Encoding", "Origin"}, varies(response))
		assert.Equal(t, "https://app.example", response.header.Get("Access-Control-Allow-Origin"))
		assert.NotEmpty(t, response.header.Get("X-Request-Id"))
		assert.Equal(t, http.StatusOK, s.logged())
	}
	overridden := do(t, client, http.MethodPost, url+"/users/7", "v1", strings.NewReader("Ada"), "X-HTTP-Method-Override", "PUT")
	assert.Equal(t, "Ada in v1", overridden.body)
}

func (s *stack) checkRejection(t *testing.T, client *http.Client, url string) {
	t.Helper()
	response := do(t, client, http.MethodGet, url+"/old/users/7", "v9", nil)
	assert.Equal(t, http.StatusNotAcceptable, response.status)
	var problem verso.Problem
	require.NoError(t, json.Unmarshal([]byte(response.body), &problem))
	assert.Equal(t, []string{"v1", "v2"}, problem.AllowedVersions)
	assert.Contains(t, varies(response), "Accept")
	assert.Equal(t, "https://app.example", response.header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, s.before("request ID", "Verso"), response.header.Get("X-Request-Id") != "")
	if s.before("logger", "Verso") {
		assert.Equal(t, http.StatusNotAcceptable, s.logged())
	} else {
		assert.NotEqual(t, http.StatusNotAcceptable, s.logged())
	}
}

// checkOthers checks that the others still do their work.
func (s *stack) checkOthers(t *testing.T, client *http.Client, url string) {
	t.Helper()
	preflight := do(t, client, http.MethodOptions, url+"/users/7", "v9", nil, "Access-Control-Request-Method", "GET")
	assert.Equal(t, http.StatusNoContent, preflight.status)
	assert.Contains(t, preflight.header.Get("Access-Control-Allow-Methods"), "GET")

	large := do(t, client, http.MethodPut, url+"/users/7", "v1", strings.NewReader(strings.Repeat("x", 101)))
	assert.Equal(t, http.StatusRequestEntityTooLarge, large.status)
	unknownLength := struct{ io.Reader }{strings.NewReader(strings.Repeat("x", 101))}
	large = do(t, client, http.MethodPut, url+"/users/7", "v1", unknownLength)
	assert.Equal(t, http.StatusRequestEntityTooLarge, large.status)

	assert.Equal(t, http.StatusInternalServerError, do(t, client, http.MethodGet, url+"/panic", "v1", nil).status)
	assert.Equal(t, http.StatusNotFound, do(t, client, http.MethodGet, url+"/old/nowhere", "v9", nil).status)
	assert.Equal(t, http.StatusMethodNotAllowed, do(t, client, http.MethodDelete, url+"/users/7", "v9", nil).status)
}

// checkStream reads a stream whose second part is sent when the first was read.
func (s *stack) checkStream(t *testing.T, client *http.Client, url string, major int) {
	t.Helper()
	for _, encoding := range []string{"", "identity"} { // "": what the client itself asks for, which is gzip
		var header []string
		if encoding != "" {
			header = []string{"Accept-Encoding", encoding}
		}
		response := open(t, client, http.MethodGet, url+"/stream", "v2", nil, header...)
		defer response.Body.Close()
		assert.Equal(t, major, response.ProtoMajor)
		assert.Equal(t, encoding == "", response.Uncompressed, "it came compressed")
		lines := bufio.NewReader(response.Body)
		first, err := lines.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "v2\n", first)
		s.read <- struct{}{}
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		assert.Equal(t, "end\n", string(rest))
	}
}

// checkHijack upgrades a connection as a WebSocket does and talks over it.
func (s *stack) checkHijack(t *testing.T, client *http.Client, url string) {
	t.Helper()
	upgrade := []string{"Connection", "Upgrade", "Upgrade", "websocket", "Accept-Encoding", "gzip"}
	response := open(t, client, http.MethodGet, url+"/socket", "v2", nil, upgrade...)
	defer response.Body.Close()
	require.Equal(t, http.StatusSwitchingProtocols, response.StatusCode)
	conn, ok := response.Body.(io.ReadWriter)
	require.True(t, ok)
	_, err := fmt.Fprintln(conn, "hello")
	require.NoError(t, err)
	got, err := io.ReadAll(conn)
	require.NoError(t, err)
	assert.Equal(t, "hello in v2\n", string(got))

	rejected := do(t, client, http.MethodGet, url+"/socket", "v9", nil, upgrade...)
	assert.Equal(t, http.StatusNotAcceptable, rejected.status)
}

// TestCORSAfterVersoIsWrong shows what a wrong order does.
func TestCORSAfterVersoIsWrong(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))), middleware.CORS("https://app.example"))
	e.Any("/any", answerVersion)
	client, url := serve(t, e, "HTTP/1.1")

	rejected := do(t, client, http.MethodGet, url+"/any", "v9", nil)
	assert.Equal(t, http.StatusNotAcceptable, rejected.status)
	assert.Empty(t, rejected.header.Get("Access-Control-Allow-Origin"), "the script may not read why")
}
