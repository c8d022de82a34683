package echotest

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
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// protocols are the major versions of the protocols in which the tests serve.
var protocols = map[string]int{"HTTP/1.1": 1, "HTTP/2 over TLS": 2, "h2c": 2}

// TestMiddlewareOfOthers stacks Verso with Echo's own middleware and sends
// requests to a server in each protocol.
func TestMiddlewareOfOthers(t *testing.T) {
	for _, order := range [][]string{
		{"request ID", "logger", "recover", "CORS", "body limit", "gzip", "timeout", "Verso"},
		{"request ID", "logger", "recover", "CORS", "Verso", "body limit", "gzip", "timeout"},
		{"request ID", "gzip", "logger", "recover", "CORS", "timeout", "Verso", "body limit"},
		{"recover", "gzip", "timeout", "logger", "request ID", "CORS", "Verso", "body limit"},
		{"CORS", "Verso", "gzip", "timeout", "body limit", "recover", "logger", "request ID"},
	} {
		for protocol, major := range protocols {
			t.Run(strings.Join(order, ", ")+"/"+protocol, func(t *testing.T) {
				s := newStack(t, order)
				client, url := serveIn(t, s.echo, protocol)
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
	echo  *Echo
	order []string
	read  chan struct{} // the client has read the first part of a stream
	lines chan string   // of the logger: requests are logged before their response ends
}

// newStack returns an Echo that uses middleware, the outermost first.
func newStack(t *testing.T, order []string) *stack {
	t.Helper()
	s := &stack{echo: newEcho(), order: order, read: make(chan struct{}), lines: make(chan string, 100)}
	e := s.echo
	quiet(e)
	all := map[string]MiddlewareFunc{
		"Verso":      check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))),
		"request ID": requestID(),
		"logger": requestLoggerWith(RequestLoggerConfig{
			LogStatus:   true,
			HandleError: true,
			LogValuesFunc: func(c Context, values RequestLoggerValues) error {
				s.lines <- fmt.Sprintf("%q %d", Version(c), values.Status)
				return nil
			},
		}),
		"recover":    recoverWith(RecoverConfig{DisablePrintStack: true}),
		"CORS":       cors(CORSConfig{AllowOrigins: []string{"https://app.example"}}),
		"body limit": bodyLimit100(),
		"gzip":       gzipWith(GzipConfig{}),
		"timeout":    contextTimeout(time.Minute),
	}
	e.Pre(rewrite(map[string]string{"/old/*": "/$1"}), methodOverride())
	for _, name := range order {
		e.Use(all[name])
	}
	add(t, e, http.MethodGet, "/users/:id", func(c Context) error {
		_, limited := c.Request().Context().Deadline()
		assert.True(t, limited)
		return c.String(http.StatusOK, Param(c, "id")+" in "+Version(c).String())
	}, "user")
	e.PUT("/users/:id", func(c Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, string(body)+" in "+Version(c).String())
	})
	e.GET("/here", answerLink(verso.Target{Name: "user", Params: verso.Params{"id": 7}}))
	e.GET("/panic", func(Context) error { panic("for the test") })
	e.GET("/stream", func(c Context) error {
		response := http.NewResponseController(c.Response())
		_, err := fmt.Fprintln(c.Response(), Version(c))
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
	e.GET("/socket", func(c Context) error {
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
		_, err = fmt.Fprintf(conn, "%s in %s\n", strings.TrimSpace(line), Version(c))
		return err
	})
	return s
}

// serveIn serves the handler in a protocol, and returns a client that speaks it.
func serveIn(t *testing.T, handler http.Handler, protocol string) (*http.Client, string) {
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
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
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

// decoded is an answer, and whether it came compressed.
type decoded struct {
	conformance.Answer
	uncompressed bool
}

// do sends a request as open does, and reads the response.
func do(t *testing.T, client *http.Client, method, url, version string, body io.Reader, header ...string) decoded {
	t.Helper()
	response := open(t, client, method, url, version, body, header...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return decoded{conformance.Answer{Status: response.StatusCode, Header: response.Header, Body: string(text)}, response.Uncompressed}
}

// before reports whether one middleware comes before another.
func (s *stack) before(one, other string) bool {
	order := strings.Join(s.order, ", ")
	return strings.Index(order, one) < strings.Index(order, other)
}

// logged returns what the logger has logged of the next request.
func (s *stack) logged() string {
	select {
	case line := <-s.lines:
		return line
	default:
		return "nothing"
	}
}

// varies returns the names in the lines of the field Vary.
func varies(got decoded) []string {
	return strings.Split(strings.Join(got.Header.Values("Vary"), ", "), ", ")
}

func (s *stack) checkVersion(t *testing.T, client *http.Client, url string) {
	t.Helper()
	for _, path := range []string{"/users/7", "/old/users/7", "/old/users/%37"} {
		response := do(t, client, http.MethodGet, url+path, "v2", nil)
		assert.Equal(t, http.StatusOK, response.Status, path)
		assert.Equal(t, "7 in v2", response.Body, path)
		assert.ElementsMatch(t, []string{"Accept", "Accept-Encoding", "Origin"}, varies(response))
		assert.Equal(t, "https://app.example", response.Header.Get("Access-Control-Allow-Origin"))
		assert.NotEmpty(t, response.Header.Get("X-Request-Id"))
		assert.Equal(t, `"v2" 200`, s.logged())
	}
	overridden := do(t, client, http.MethodPost, url+"/users/7", "v1", strings.NewReader("Ada"), "X-HTTP-Method-Override", "PUT")
	assert.Equal(t, "Ada in v1", overridden.Body)
	assert.Equal(t, `"v1" 200`, s.logged())
	link := do(t, client, http.MethodGet, url+"/here", "v2", nil)
	assert.Equal(t, url+"/users/7", link.Body)
	assert.Equal(t, `"v2" 200`, s.logged())
}

func (s *stack) checkRejection(t *testing.T, client *http.Client, url string) {
	t.Helper()
	response := do(t, client, http.MethodGet, url+"/old/users/7", "v9", nil)
	assert.Equal(t, http.StatusNotAcceptable, response.Status)
	var problem verso.Problem
	require.NoError(t, json.Unmarshal([]byte(response.Body), &problem))
	assert.Equal(t, []string{"v1", "v2"}, problem.AllowedVersions)
	assert.Contains(t, varies(response), "Accept")
	assert.Equal(t, "https://app.example", response.Header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, s.before("request ID", "Verso"), response.Header.Get("X-Request-Id") != "")
	want := "nothing"
	if s.before("logger", "Verso") {
		want = `"" 406`
	}
	assert.Equal(t, want, s.logged())
	assert.Equal(t, s.before("gzip", "logger") && s.before("logger", "Verso"), response.uncompressed, "the logger answers the rejection")
}

// checkOthers checks that the others still do their work.
func (s *stack) checkOthers(t *testing.T, client *http.Client, url string) {
	t.Helper()
	preflight := do(t, client, http.MethodOptions, url+"/users/7", "v9", nil, "Access-Control-Request-Method", "GET")
	assert.Equal(t, http.StatusNoContent, preflight.Status)
	assert.Contains(t, preflight.Header.Get("Access-Control-Allow-Methods"), "GET")

	large := do(t, client, http.MethodPut, url+"/users/7", "v1", strings.NewReader(strings.Repeat("x", 101)))
	assert.Equal(t, http.StatusRequestEntityTooLarge, large.Status)
	unknownLength := struct{ io.Reader }{strings.NewReader(strings.Repeat("x", 101))}
	large = do(t, client, http.MethodPut, url+"/users/7", "v1", unknownLength)
	assert.Equal(t, http.StatusRequestEntityTooLarge, large.Status)

	assert.Equal(t, http.StatusInternalServerError, do(t, client, http.MethodGet, url+"/panic", "v1", nil).Status)
	assert.Equal(t, http.StatusNotFound, do(t, client, http.MethodGet, url+"/old/nowhere", "v9", nil).Status)
	assert.Equal(t, http.StatusMethodNotAllowed, do(t, client, http.MethodDelete, url+"/users/7", "v9", nil).Status)
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
	assert.Equal(t, http.StatusNotAcceptable, rejected.Status)
}

// TestWrongOrders shows what a wrong order does.
func TestWrongOrders(t *testing.T) {
	api := verso.Must(scheme.NewAcceptHeader("version", twoVersions))
	t.Run("CORS behind Verso", func(t *testing.T) {
		e := newEcho()
		e.Use(check(e, api), cors(CORSConfig{AllowOrigins: []string{"https://app.example"}}))
		e.Any("/any", answerVersion)
		client, url := serveIn(t, e, "HTTP/1.1")
		rejected := do(t, client, http.MethodGet, url+"/any", "v9", nil)
		assert.Equal(t, http.StatusNotAcceptable, rejected.Status)
		assert.Empty(t, rejected.Header.Get("Access-Control-Allow-Origin"), "the script may not read why")
	})
	t.Run("Verso before the router", func(t *testing.T) {
		e := newEcho()
		e.Pre(check(e, api))
		e.GET("/users", answerVersion)
		want(t, e, http.MethodGet, "/users", v9, http.StatusOK, "")
	})
	t.Run("a route of a group before Verso", func(t *testing.T) {
		e := newEcho()
		mw := check(e, api)
		group := e.Group("/group")
		group.GET("/before", answerVersion)
		group.Use(mw) // is for the routes that follow
		group.GET("/behind", answerVersion)
		want(t, e, http.MethodGet, "/group/before", v9, http.StatusOK, "")
		want(t, e, http.MethodGet, "/group/behind", v9, http.StatusNotAcceptable, "")
		e.Use(mw) // is for all routes
		want(t, e, http.MethodGet, "/group/before", v9, http.StatusNotAcceptable, "")
	})
}

// TestPreflightsOfReplacedRoutes: Echo lets a route replace a foreign one. A handler that had other methods of its path is
// none for OPTIONS alone without them.
func TestPreflightsOfReplacedRoutes(t *testing.T) {
	for name, test := range map[string]struct {
		before, register func(e *Echo)
		status           int
	}{
		"by another": {nil, func(e *Echo) {
			e.Match([]string{http.MethodGet, http.MethodOptions}, "/x", answerVersion)
			e.GET("/x", saying("another"))
		}, http.StatusBadRequest},
		"alone": {nil, func(e *Echo) { e.OPTIONS("/x", saying("preflights")); e.GET("/x", saying("another")) }, http.StatusOK},
		"alone, renewed": {nil, func(e *Echo) {
			e.GET("/x", saying("one"))
			e.GET("/x", saying("two"))
			e.OPTIONS("/x", saying("preflights"))
		}, http.StatusOK},
		"alone, before New": {func(e *Echo) {
			e.OPTIONS("/x", saying("preflights"))
			e.GET("/x", answerVersion)
		}, func(e *Echo) { e.GET("/x", saying("another")) }, besideBeforeNew},
		"alone in its path, before New": {func(e *Echo) { e.OPTIONS("/x", answerVersion) }, nil, http.StatusOK},
		"before New": {func(e *Echo) { e.Match([]string{http.MethodGet, http.MethodOptions}, "/x", answerVersion) }, nil,
			http.StatusBadRequest},
		"in part before New": {func(e *Echo) { e.OPTIONS("/x", answerVersion) }, func(e *Echo) { e.GET("/x", answerVersion) },
			http.StatusBadRequest},
	} {
		e := newEcho()
		if test.before != nil {
			test.before(e)
		}
		e.Use(New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions)).Middleware())
		if test.register != nil {
			test.register(e)
		}
		header := preflightAs("")
		header.Set("Api-Version", "v9")
		assert.Equal(t, test.status, send(t, e, http.MethodOptions, "/x", header).Status, name)
	}
}

// TestBeforeTheRouter changes what route matches, and so the version.
func TestBeforeTheRouter(t *testing.T) {
	e := newEcho()
	e.Pre(rewrite(map[string]string{"/latest/*": "/v2/$1", "/ancient/*": "/v9/$1"}))
	e.Use(check(e, verso.Must(scheme.NewURLPath("version", twoVersions))))
	e.GET("/:version/users/:id", func(c Context) error {
		return c.String(http.StatusOK, Param(c, "id")+" in "+Version(c).String())
	})
	for target, want := range map[string]string{
		"/v1/users/7":          "7 in v1",
		"/latest/users/7":      "7 in v2",
		"/latest/users/a%2Fb":  "a/b in v2",
		"/ancient/users/7":     "invalid_url_path_version",
		"/ancient/users/7?q=1": "invalid_url_path_version",
	} {
		assert.Contains(t, send(t, e, http.MethodGet, target, nil).Body, want, target)
	}

	e = newEcho()
	v := New(e, verso.Must(scheme.NewNamespace(twoVersions)))
	e.Pre(methodOverride())
	e.Use(v.Middleware())
	add(t, v, http.MethodPost, "/users", answerVersion, "v1:create")
	add(t, v, http.MethodPut, "/users", answerVersion, "v2:replace")
	add(t, v, http.MethodDelete, "/users", answerVersion, "v9:delete")
	for method, want := range map[string]string{"": "v1", http.MethodPut: "v2", http.MethodDelete: "invalid_namespace_version"} {
		assert.Contains(t, send(t, e, http.MethodPost, "/users", overriding(method)).Body, want, method)
	}
}
