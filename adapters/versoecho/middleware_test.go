package versoecho_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// soon is what the timeouts of the tests give the handler of "/late". All others
// have a minute.
const soon = 50 * time.Millisecond

// logger collects what a RequestLogger logs: for each request the version, the
// status and the ID.
type logger chan string

// next returns the line of the next request; requests are logged before their
// response ends.
func (l logger) next() string {
	select {
	case line := <-l:
		return line
	default:
		return "nothing"
	}
}

// newOthers returns Echo's own middleware, and Verso.
func newOthers(v *versoecho.Routes) (others map[string]echo.MiddlewareFunc, logged logger) {
	logged = make(logger, 100)
	return map[string]echo.MiddlewareFunc{
		"Verso":     v.Middleware(),
		"Recover":   middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}),
		"RequestID": middleware.RequestIDWithConfig(middleware.RequestIDConfig{Generator: func() string { return "an ID" }}),
		"RequestLogger": middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
			LogStatus:    true,
			LogRequestID: true,
			HandleError:  true,
			LogValuesFunc: func(c echo.Context, values middleware.RequestLoggerValues) error {
				logged <- fmt.Sprintf("%q %d %q", versoecho.Version(c), values.Status, values.RequestID)
				return nil
			},
		}),
		"CORS":      middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{"https://app.example"}}),
		"Gzip":      middleware.Gzip(),
		"BodyLimit": middleware.BodyLimit("16B"),
		"Rewrite": middleware.Rewrite(map[string]string{
			"/latest/*": "/v2/$1", "/ancient/*": "/v9/$1", "/old/*": "/$1",
		}),
		"MethodOverride": middleware.MethodOverride(),
		"ContextTimeout": limit(middleware.ContextTimeout),
		"Timeout": limit(func(timeout time.Duration) echo.MiddlewareFunc {
			//nolint:staticcheck // deprecated, but services have it
			return middleware.TimeoutWithConfig(middleware.TimeoutConfig{Timeout: timeout})
		}),
	}, logged
}

// limit gives the handler of "/late" another timeout than all others.
func limit(timeout func(time.Duration) echo.MiddlewareFunc) echo.MiddlewareFunc {
	short, long := timeout(soon), timeout(time.Minute)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		late, others := short(next), long(next)
		return func(c echo.Context) error {
			if c.Path() == "/late" {
				return late(c)
			}
			return others(c)
		}
	}
}

// stack returns an Echo that uses the named middleware, the outermost first.
// Those before a "|" run before the router.
func stack(api *verso.Versioning, order string) (e *echo.Echo, v *versoecho.Routes, logged logger) {
	e = echo.New()
	v = versoecho.New(e, api)
	e.Logger.SetOutput(io.Discard)
	others, logged := newOthers(v)
	pre, use, found := strings.Cut(order, "|")
	if !found {
		pre, use = "", order
	}
	for name := range strings.FieldsSeq(pre) {
		e.Pre(others[name])
	}
	for name := range strings.FieldsSeq(use) {
		e.Use(others[name])
	}
	return e, v, logged
}

// serve serves e on a loopback port in HTTP/1.1.
func serve(t *testing.T, e *echo.Echo) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(e)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// sendTo sends a request that accepts a compressed response, which it decodes.
func sendTo(t *testing.T, server *httptest.Server, method, target string, header http.Header, body io.Reader) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, body)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	r.Header.Set("Accept-Encoding", "gzip")
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	received := io.Reader(response.Body)
	if response.Header.Get("Content-Encoding") == "gzip" {
		received, err = gzip.NewReader(response.Body)
		require.NoError(t, err)
	}
	text, err := io.ReadAll(received)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(text)}
}

// fromApp is the header of a request that a page of another origin sends for a
// version.
func fromApp(version string) http.Header {
	return http.Header{"Origin": {"https://app.example"}, "Accept": {"application/json; version=" + version}}
}

// varies returns the names in the lines of the field Vary.
func varies(got answer) []string {
	return strings.Split(strings.Join(got.header.Values("Vary"), ", "), ", ")
}

// answerBody answers with the version and what the client sent.
func answerBody(c echo.Context) error {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, versoecho.Version(c).String()+" "+string(body))
}

func answerPut(c echo.Context) error {
	return c.String(http.StatusOK, "put in "+versoecho.Version(c).String())
}

// answerLate waits for the timeout. Deriving a context orders what Echo's
// Timeout did to the echo.Context in the goroutine of the handler before what
// it does to it elsewhere after the timeout.
func answerLate(c echo.Context) error {
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	<-ctx.Done()
	return context.Cause(ctx)
}

func answerPanic(echo.Context) error {
	panic("handler")
}

// TestMiddlewareOfOthers stacks Verso with Echo's own middleware.
func TestMiddlewareOfOthers(t *testing.T) {
	for _, test := range []struct {
		order     string
		rejection string // its Content-Encoding
		late      string // what is logged of a late handler
	}{
		{
			// RequestLogger answers the rejection, and Gzip does not see it.
			order: "Rewrite MethodOverride | RequestID RequestLogger Recover CORS Gzip BodyLimit ContextTimeout Verso",
			late:  `"v1" 503 "an ID"`,
		},
		{
			// RequestLogger answers the rejection, and Gzip sees it.
			order:     "Rewrite MethodOverride | RequestID Gzip RequestLogger Recover CORS ContextTimeout Verso BodyLimit",
			rejection: "gzip",
			late:      `"v1" 503 "an ID"`,
		},
		{
			// Timeout writes past Echo's Response, so that Echo itself does not
			// know what was sent of a late handler.
			order: "MethodOverride Rewrite | RequestLogger RequestID Recover BodyLimit Gzip CORS Verso Timeout",
			late:  `"v1" 200 ""`,
		},
		{
			// Gzip behind Timeout tidies up after a late handler while the
			// response is written: a data race in Echo, so there is none.
			order: "MethodOverride Rewrite | RequestLogger Timeout Recover RequestID CORS Gzip BodyLimit Verso",
		},
	} {
		t.Run(test.order, func(t *testing.T) {
			e, _, logged := stack(verso.Must(scheme.NewAcceptHeader("version", twoVersions)), test.order)
			e.GET("/users", answerVersion)
			e.POST("/users", answerBody)
			e.PUT("/users", answerPut)
			e.GET("/late", answerLate)
			e.GET("/panic", answerPanic)
			e.GET("/rejected", func(echo.Context) error {
				t.Error("the handler ran")
				return nil
			})
			server := serve(t, e)

			for _, request := range []struct {
				name, method, target, version string
				header                        http.Header
				sent                          io.Reader
				status                        int
				body                          string
				logged                        string // the version
			}{
				{name: "a version", method: http.MethodGet, target: "/users", version: "v2", status: 200, body: "v2", logged: "v2"},
				{name: "rejected", method: http.MethodGet, target: "/rejected", version: "v9", status: 406, body: `"code":"invalid_accept_header_version"`},
				{name: "not found", method: http.MethodGet, target: "/nowhere", version: "v9", status: 404, body: "Not Found"},
				{name: "method not allowed", method: http.MethodDelete, target: "/users", version: "v9", status: 405, body: "Method Not Allowed"},
				{name: "a preflight", method: http.MethodOptions, target: "/users", version: "v9", status: 204},
				{
					name: "a body", method: http.MethodPost, target: "/users", version: "v1",
					sent: strings.NewReader("short"), status: 200, body: "v1 short", logged: "v1",
				},
				{
					name: "a long body", method: http.MethodPost, target: "/users", version: "v1",
					// Without a length in advance the handler reads it.
					sent: struct{ io.Reader }{strings.NewReader(strings.Repeat("long", 10))}, status: 413, body: "Request Entity Too Large", logged: "v1",
				},
				{name: "rewritten", method: http.MethodGet, target: "/old/users", version: "v2", status: 200, body: "v2", logged: "v2"},
				{name: "rewritten and rejected", method: http.MethodGet, target: "/old/rejected", version: "v9", status: 406, body: `"allowed_versions":["v1","v2"]`},
				{
					name: "another method", method: http.MethodPost, target: "/users", version: "v2",
					header: http.Header{"X-Http-Method-Override": {"PUT"}}, status: 200, body: "put in v2", logged: "v2",
				},
				{name: "a panic", method: http.MethodGet, target: "/panic", version: "v1", status: 500, body: "Internal Server Error", logged: "v1"},
				{name: "after the panic", method: http.MethodGet, target: "/users", version: "v1", status: 200, body: "v1", logged: "v1"},
				{name: "late", method: http.MethodGet, target: "/late", version: "v1", status: 503, logged: "v1"},
				{name: "after the late one", method: http.MethodGet, target: "/users", version: "v1", status: 200, body: "v1", logged: "v1"},
			} {
				if request.name == "late" && test.late == "" {
					continue
				}
				t.Run(request.name, func(t *testing.T) {
					header := fromApp(request.version)
					maps.Copy(header, request.header)
					got := sendTo(t, server, request.method, request.target, header, request.sent)
					assert.Equal(t, request.status, got.status)
					assert.Contains(t, got.body, request.body)
					assert.Equal(t, "https://app.example", got.header.Get("Access-Control-Allow-Origin"))
					assert.Equal(t, "an ID", got.header.Get("X-Request-Id"))
					switch request.status {
					case http.StatusOK:
						assert.Equal(t, "gzip", got.header.Get("Content-Encoding"))
						assert.ElementsMatch(t, []string{"Origin", "Accept-Encoding", "Accept"}, varies(got))
					case http.StatusNotAcceptable:
						assert.Equal(t, test.rejection, got.header.Get("Content-Encoding"))
						assert.ElementsMatch(t, []string{"Origin", "Accept-Encoding", "Accept"}, varies(got))
						assert.True(t, json.Valid([]byte(got.body)), got.body)
					}
					want := fmt.Sprintf("%q %d %q", request.logged, request.status, "an ID")
					if request.name == "late" {
						want = test.late
					}
					assert.Equal(t, want, logged.next())
				})
			}
		})
	}
}

// TestBeforeTheRouter changes what route matches, and so the version.
func TestBeforeTheRouter(t *testing.T) {
	t.Run("Rewrite", func(t *testing.T) {
		e, _, _ := stack(verso.Must(scheme.NewURLPath("version", twoVersions)), "Rewrite | Verso")
		e.GET("/:version/users/:id", func(c echo.Context) error {
			return c.String(http.StatusOK, versoecho.Param(c, "id")+" in "+versoecho.Version(c).String())
		})
		for target, want := range map[string]string{
			"/v1/users/7":          "7 in v1",
			"/latest/users/7":      "7 in v2",
			"/latest/users/a%2Fb":  "a/b in v2",
			"/ancient/users/7":     "invalid_url_path_version",
			"/ancient/users/7?q=1": "invalid_url_path_version",
		} {
			assert.Contains(t, send(t, e, http.MethodGet, target, nil).body, want, target)
		}
	})

	t.Run("MethodOverride", func(t *testing.T) {
		e, v, _ := stack(verso.Must(scheme.NewNamespace(twoVersions)), "MethodOverride | Verso")
		v.POST("/users", answerVersion).Name = "v1:create"
		v.PUT("/users", answerVersion).Name = "v2:replace"
		v.DELETE("/users", answerVersion).Name = "v9:delete"
		for method, want := range map[string]string{"": "v1", http.MethodPut: "v2", http.MethodDelete: "invalid_namespace_version"} {
			header := http.Header{"X-Http-Method-Override": {method}}
			assert.Contains(t, send(t, e, http.MethodPost, "/users", header).body, want, method)
		}
	})
}

// TestConnections streams, upgrades and links over each version of HTTP, behind
// middleware that wraps the response.
func TestConnections(t *testing.T) {
	first := make(chan struct{})
	e, _, _ := stack(verso.Must(scheme.NewURLPath("version", twoVersions)),
		"Rewrite MethodOverride | Recover RequestID RequestLogger CORS Gzip BodyLimit ContextTimeout Verso")
	routes := e.Group("/:version")
	routes.GET("/here", answerLink(verso.Target{Name: "here"})).Name = "here"
	routes.GET("/stream", func(c echo.Context) error {
		_, err := io.WriteString(c.Response(), versoecho.Version(c).String())
		c.Response().Flush()
		<-first // the client has the first part
		if err == nil {
			_, err = io.WriteString(c.Response(), " and more")
		}
		return err
	})
	for target, hijack := range map[string]func(*echo.Response) (net.Conn, *bufio.ReadWriter, error){
		"/upgrade/echo": (*echo.Response).Hijack,
		"/upgrade/http": func(w *echo.Response) (net.Conn, *bufio.ReadWriter, error) {
			return http.NewResponseController(w).Hijack()
		},
	} {
		routes.GET(target, func(c echo.Context) error {
			conn, buffered, err := hijack(c.Response())
			if !assert.NoError(t, err) {
				return err
			}
			defer func() { _ = conn.Close() }()
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			line, err := buffered.ReadString('\n')
			assert.NoError(t, err)
			_, _ = fmt.Fprintf(conn, "%s %s", versoecho.Version(c), line)
			return nil
		})
	}

	for _, test := range []struct {
		name   string
		start  func(*httptest.Server)
		client func(*httptest.Server) *http.Client
		major  int
		origin string
	}{
		{
			"HTTP/1.1", (*httptest.Server).Start, (*httptest.Server).Client, 1, "http://",
		},
		{
			"HTTP/2 over TLS",
			func(server *httptest.Server) {
				server.EnableHTTP2 = true
				server.StartTLS()
			},
			(*httptest.Server).Client, 2, "https://",
		},
		{
			"h2c",
			func(server *httptest.Server) {
				server.Config.Protocols = new(http.Protocols)
				server.Config.Protocols.SetUnencryptedHTTP2(true)
				server.Start()
			},
			func(*httptest.Server) *http.Client {
				transport := &http.Transport{Protocols: new(http.Protocols)}
				transport.Protocols.SetUnencryptedHTTP2(true)
				return &http.Client{Transport: transport}
			},
			2, "http://",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(e)
			test.start(server)
			defer server.Close()
			client := test.client(server)
			defer client.CloseIdleConnections()
			get := func(target string) *http.Response { // decodes what is compressed
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+target, nil)
				require.NoError(t, err)
				response, err := client.Do(r)
				require.NoError(t, err)
				assert.Equal(t, test.major, response.ProtoMajor)
				return response
			}

			response := get("/latest/here")
			link, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, test.origin+server.Listener.Addr().String()+"/v2/here", string(link))

			response = get("/v9/here")
			response.Body.Close()
			assert.Equal(t, http.StatusNotFound, response.StatusCode)

			response = get("/v1/stream")
			assert.True(t, response.Uncompressed, "it was compressed")
			part := make([]byte, len("v1"))
			_, err = io.ReadFull(response.Body, part)
			require.NoError(t, err)
			assert.Equal(t, "v1", string(part))
			first <- struct{}{}
			rest, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, " and more", string(rest))

			if test.major == 1 { // HTTP/2 has no connection to take over
				upgrade(t, server.Listener.Addr().String(), "/v2/upgrade/echo")
				upgrade(t, server.Listener.Addr().String(), "/v2/upgrade/http")
			}
		})
	}
}

// upgrade takes over a connection and talks on it.
func upgrade(t *testing.T, address, target string) {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\nUpgrade: echo\r\nAccept-Encoding: gzip\r\n\r\n", target)
	require.NoError(t, err)
	received := bufio.NewReader(conn)
	response, err := http.ReadResponse(received, nil)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusSwitchingProtocols, response.StatusCode)
	_, err = fmt.Fprintln(conn, "hello")
	require.NoError(t, err)
	line, err := received.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "v2 hello\n", line)
}

// TestWrongOrders shows what is lost in which order, beside an order in which it
// is kept.
func TestWrongOrders(t *testing.T) {
	type seen func(got answer, logged string) string
	status := func(got answer, _ string) string { return strconv.Itoa(got.status) }
	body := func(got answer, _ string) string { return got.body }
	vary := func(got answer, _ string) string { return strings.Join(varies(got), ", ") }
	logLine := func(_ answer, logged string) string { return logged }
	field := func(name string) seen {
		return func(got answer, _ string) string { return got.header.Get(name) }
	}
	allowOrigin := field("Access-Control-Allow-Origin")
	overridden := http.Header{"X-Http-Method-Override": {"PUT"}}

	for _, test := range []struct {
		wrong, right            string
		reason                  string
		method, target, version string // GET and "/users" where empty
		header                  http.Header
		see                     seen
		lost, kept              string
	}{
		{
			wrong: "Verso | Recover", right: "Recover | Verso",
			reason:  "with Pre, Verso runs before the router: there is no route, so no version is determined and none rejected",
			version: "v9", see: status, lost: "200", kept: "406",
		},
		{
			wrong: "Rewrite Verso", right: "Rewrite | Verso",
			reason: "with Use, Rewrite runs behind the router: the route stays that of the old path, or none",
			target: "/old/users", version: "v2", see: status, lost: "404", kept: "200",
		},
		{
			wrong: "MethodOverride Verso", right: "MethodOverride | Verso",
			reason: "with Use, MethodOverride runs behind the router: the handler stays that of POST",
			method: http.MethodPost, header: overridden, version: "v2", see: body, lost: "v2", kept: "put in v2",
		},
		{
			wrong: "Verso CORS", right: "CORS Verso",
			reason:  "rejections have no CORS headers: a page of another origin cannot read why",
			version: "v9", see: allowOrigin, lost: "", kept: "https://app.example",
		},
		{
			wrong: "Verso RequestLogger", right: "RequestLogger Verso",
			reason:  "rejections are not logged",
			version: "v9", see: logLine, lost: "nothing", kept: `"" 406 ""`,
		},
		{
			wrong: "Verso RequestID", right: "RequestID Verso",
			reason:  "rejections have no ID",
			version: "v9", see: field("X-Request-Id"), lost: "", kept: "an ID",
		},
		{
			wrong: "Verso Gzip RequestLogger", right: "Gzip RequestLogger Verso",
			reason: "rejections are not compressed; nor are they when RequestLogger, or without it Echo, answers them outside of Gzip. " +
				"Nothing else is lost",
			version: "v9", see: field("Content-Encoding"), lost: "", kept: "gzip",
		},
		{
			wrong: "CORS Timeout Verso", right: "Timeout CORS Verso",
			reason:  "Timeout replaces the header fields that were set outside of it by those of inside: Vary lacks Origin",
			version: "v2", see: vary, lost: "Accept", kept: "Origin, Accept",
		},
		{
			wrong: "Verso Timeout Gzip", right: "Verso Gzip Timeout",
			reason:  "the same with Verso outside: Vary lacks Accept, so that a cache mixes up the versions",
			version: "v2", see: vary, lost: "Accept-Encoding", kept: "Accept, Accept-Encoding",
		},
		{
			wrong: "Recover Timeout Verso", right: "Timeout Recover Verso",
			reason: "Timeout drops the header fields of a handler that panics: the answer has no Vary",
			target: "/panic", version: "v2", see: vary, lost: "", kept: "Accept",
		},
		{
			wrong: "Timeout RequestLogger Verso", right: "RequestLogger Timeout Verso",
			reason: "RequestLogger with HandleError answers an error and returns it; Timeout throws away what was written by a handler " +
				"that returns an error, and Echo takes it for sent: a rejection becomes an empty success",
			version: "v9", see: status, lost: "200", kept: "406",
		},
		{
			wrong: "Recover Timeout Verso", right: "Recover ContextTimeout Verso",
			reason: "behind Timeout, wherever it stands, nothing can be flushed: Echo panics, and what was written is lost",
			target: "/flush", version: "v2", see: body, lost: "", kept: "v2",
		},
		{
			wrong: "Recover Timeout Verso", right: "Recover ContextTimeout Verso",
			reason: "behind Timeout, wherever it stands, no connection can be hijacked: a WebSocket cannot be opened",
			target: "/hijack", version: "v2", see: status, lost: "500", kept: "202",
		},
	} {
		t.Run(test.wrong+" not "+test.right+" for "+cmp.Or(test.target, "/users"), func(t *testing.T) {
			for order, want := range map[string]string{test.wrong: test.lost, test.right: test.kept} {
				e, _, logged := stack(verso.Must(scheme.NewAcceptHeader("version", twoVersions)), order)
				e.GET("/users", answerVersion)
				e.POST("/users", answerVersion)
				e.PUT("/users", answerPut)
				e.GET("/panic", answerPanic)
				e.GET("/flush", func(c echo.Context) error {
					defer c.Response().Flush()
					return answerVersion(c)
				})
				e.GET("/hijack", func(c echo.Context) error {
					conn, _, err := c.Response().Hijack()
					if err != nil {
						return err
					}
					defer func() { _ = conn.Close() }()
					_, err = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
					return err
				})
				header := fromApp(test.version)
				maps.Copy(header, test.header)
				got := sendTo(t, serve(t, e), cmp.Or(test.method, http.MethodGet), cmp.Or(test.target, "/users"), header, nil)
				assert.Equal(t, want, test.see(got, logged.next()), "%s: %s", order, test.reason)
			}
		})
	}

	t.Run("MethodOverride Verso with namespaces", func(t *testing.T) {
		// The version is that of the route whose handler runs.
		for order, want := range map[string]string{"MethodOverride Verso": "v1", "MethodOverride | Verso": "put in v2"} {
			e, v, _ := stack(verso.Must(scheme.NewNamespace(twoVersions)), order)
			v.POST("/users", answerVersion).Name = "v1:create"
			v.PUT("/users", answerPut).Name = "v2:replace"
			assert.Equal(t, want, send(t, e, http.MethodPost, "/users", overridden).body, order)
		}
	})

	t.Run("Verso with routes of others in several namespaces", func(t *testing.T) {
		config := twoVersions
		config.DefaultVersion = verso.V("v1")
		e, _, _ := stack(verso.Must(scheme.NewNamespace(config)), "Verso")
		e.GET("/users", answerVersion).Name = "v1:list"
		e.POST("/users", answerVersion).Name = "v2:create"
		e.GET("/rooms", answerVersion).Name = "v2:rooms"
		e.PUT("/rooms", answerVersion).Name = "v2:room"
		for target, want := range map[string]int{"/users": http.StatusInternalServerError, "/rooms": http.StatusOK} {
			assert.Equal(t, want, send(t, e, http.MethodGet, target, nil).status, target)
		}
		assert.Equal(t, "v2", send(t, e, http.MethodPut, "/rooms", nil).body)
	})

	t.Run("a route of a group before Verso", func(t *testing.T) {
		// Echo gives the route of a group the middleware that the group uses when
		// it is registered; what Echo#Use is given is for all routes.
		e := echo.New()
		mw := check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
		group := e.Group("/group")
		group.GET("/before", answerVersion)
		group.Use(mw)
		group.GET("/behind", answerVersion)
		assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/group/before", fromApp("v9")).status)
		assert.Equal(t, http.StatusNotAcceptable, send(t, e, http.MethodGet, "/group/behind", fromApp("v9")).status)
		e.Use(mw)
		assert.Equal(t, http.StatusNotAcceptable, send(t, e, http.MethodGet, "/group/before", fromApp("v9")).status)
	})

	t.Run("Verso Recover with an error handler that panics", func(t *testing.T) {
		// Nobody recovers from a panic in Verso, which an error handler or a
		// source of one's own can cause: the connection breaks.
		for order, want := range map[string]string{"Verso Recover": "EOF", "Recover Verso": ""} {
			e := echo.New()
			others, _ := newOthers(versoecho.New(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))))
			others["Verso"] = check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)), versoecho.Config{
				ErrorHandler: func(echo.Context, *verso.Error, *verso.Answer) error { panic("error handler") },
			})
			for name := range strings.FieldsSeq(order) {
				e.Use(others[name])
			}
			e.GET("/users", answerVersion)
			server := serve(t, e)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users", nil)
			require.NoError(t, err)
			r.Header = fromApp("v9")
			response, err := server.Client().Do(r)
			if want != "" {
				require.ErrorContains(t, err, want)
				continue
			}
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
		}
	})
}
