package middleware

import (
	"bufio"
	"cmp"
	stdgzip "compress/gzip"
	"context"
	"encoding/json"
	"errors"
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

	"github.com/gin-contrib/cors"
	"github.com/gin-contrib/gzip"
	"github.com/gin-contrib/requestid"
	"github.com/gin-contrib/timeout"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// twoVersions is the configuration of the tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// logged collects what a Logger writes: for each request the version, the status
// and the ID.
type logged chan string

func (l logged) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// next returns the line of the next request; requests are logged before their
// response ends.
func (l logged) next() string {
	select {
	case line := <-l:
		return line
	default:
		return "nothing"
	}
}

// newOthers returns the middleware of Gin, of gin-contrib, and some as users
// write them.
func newOthers() (others map[string]gin.HandlerFunc, lines logged) {
	lines = make(logged, 100)
	return map[string]gin.HandlerFunc{
		"Keep":     keepVersion,
		"Recovery": gin.RecoveryWithWriter(nil),
		"Logger": gin.LoggerWithConfig(gin.LoggerConfig{Output: lines, Formatter: func(param gin.LogFormatterParams) string {
			version, _ := param.Keys["version"].(verso.Version)
			return fmt.Sprintf("%q %d %q", version, param.StatusCode, param.Request.Header.Get("X-Request-ID"))
		}}),
		"RequestID": requestid.New(requestid.WithGenerator(func() string { return "an ID" })),
		"CORS":      cors.New(cors.Config{AllowOrigins: []string{"https://app.example"}, AllowMethods: []string{"GET", "POST"}}),
		"Gzip":      gzip.Gzip(gzip.DefaultCompression),
		"Timeout":   timeout.New(timeout.WithTimeout(time.Minute)),
		"Deadline":  deadline,
		"BodyLimit": func(c *gin.Context) { c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, 16) },
		"MethodOverride": func(c *gin.Context) {
			c.Request.Method = cmp.Or(c.GetHeader("X-HTTP-Method-Override"), c.Request.Method)
		},
	}, lines
}

// around are middleware that stand around the engine, before its router.
var around = map[string]func(http.Handler) http.Handler{
	"TimeoutHandler": func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Minute, "timed out") },
	"Rewrite": func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for from, to := range map[string]string{"/latest/": "/v2/", "/ancient/": "/v9/", "/old/": "/"} {
				if rest, ok := strings.CutPrefix(r.URL.Path, from); ok {
					r.URL.Path = to + rest
					break
				}
			}
			next.ServeHTTP(w, r)
		})
	},
	"MethodOverride": func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Method = cmp.Or(r.Header.Get("X-HTTP-Method-Override"), r.Method)
			next.ServeHTTP(w, r)
		})
	},
}

// keepVersion keeps the version under a key of the service, for the formatter of
// Logger, which has the keys but no context to give versogin.Version.
func keepVersion(c *gin.Context) {
	c.Set("version", versogin.Version(c))
}

// deadline gives the handler of "/late" a few milliseconds, all others a minute.
func deadline(c *gin.Context) {
	duration := time.Minute
	if c.FullPath() == "/late" {
		duration = 5 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), duration)
	defer cancel()
	c.Request = c.Request.WithContext(ctx)
	c.Next()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !c.Writer.Written() {
		c.String(http.StatusGatewayTimeout, "timed out")
	}
}

// stack returns routes and their engine, with the named middleware, the outermost
// first: in "a | b | c | d", a is around the engine, b is used by it, c by the group,
// and d is behind the check. With the middleware Verso the routes are Gin's own.
func stack(api *verso.Versioning, order string) (routes gin.IRoutes, handler http.Handler, lines logged) {
	gin.SetMode(gin.TestMode)
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	handler = engine
	v := versogin.New(engine, api)
	others, lines := newOthers()
	part := strings.Split(order, "|")
	if strings.Contains(order, "Verso") {
		others["Verso"] = v.Middleware()
	}
	for name := range strings.FieldsSeq(part[0]) {
		handler = around[name](handler)
	}
	for name := range strings.FieldsSeq(part[1]) {
		engine.Use(others[name])
	}
	group := engine.Group("")
	for name := range strings.FieldsSeq(part[2]) {
		group.Use(others[name])
	}
	if others["Verso"] != nil {
		return group, handler, lines
	}
	v = v.In(group)
	for name := range strings.FieldsSeq(part[3]) {
		v = v.AfterCheck(others[name])
	}
	return v, handler, lines
}

// serve serves the handler on a loopback port in HTTP/1.1.
func serve(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send sends a request that accepts a compressed response, which it decodes.
func send(t *testing.T, server *httptest.Server, method, target string, header http.Header, body io.Reader) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, body)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	r.Header.Set("Accept-Encoding", "gzip")
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	received := io.Reader(response.Body)
	if response.Header.Get("Content-Encoding") == "gzip" && response.ContentLength != 0 {
		received, err = stdgzip.NewReader(response.Body)
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

func answerVersion(c *gin.Context) {
	c.String(http.StatusOK, versogin.Version(c).String())
}

func answerPut(c *gin.Context) {
	c.String(http.StatusOK, "put in "+versogin.Version(c).String())
}

// answerBody answers with the version and what the client sent.
func answerBody(c *gin.Context) {
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		c.String(http.StatusRequestEntityTooLarge, "too long")
		return
	}
	c.String(http.StatusOK, versogin.Version(c).String()+" "+string(body))
}

// answerLate waits for the deadline.
func answerLate(c *gin.Context) {
	<-c.Request.Context().Done()
}

func answerPanic(*gin.Context) {
	panic("handler")
}

// TestGinMiddlewareOfOthers stacks Verso with the middleware of Gin and
// gin-contrib. Echo's is tested with its adapter.
func TestGinMiddlewareOfOthers(t *testing.T) {
	for _, order := range []string{
		"Rewrite MethodOverride | Logger RequestID Recovery CORS BodyLimit Deadline | | Keep Gzip",
		"MethodOverride Rewrite | RequestID Logger Recovery CORS | Deadline | BodyLimit Gzip Keep",
		"Rewrite MethodOverride | Logger RequestID Recovery CORS BodyLimit | | Keep Gzip Timeout",
		"Rewrite MethodOverride | Logger RequestID Recovery CORS BodyLimit Deadline Verso Keep Gzip |",
		"MethodOverride Rewrite | RequestID Logger Recovery CORS Verso Keep BodyLimit Gzip Deadline |",
		"TimeoutHandler Rewrite MethodOverride | Logger RequestID Recovery Deadline CORS | Verso Keep Gzip BodyLimit",
		"Rewrite MethodOverride | Logger RequestID Recovery CORS BodyLimit Verso Keep Gzip | Timeout",
	} {
		t.Run(order, func(t *testing.T) {
			routes, handler, lines := stack(verso.MustNew(verso.AcceptParam("version"), twoVersions), order)
			routes.GET("/users", answerVersion)
			routes.POST("/users", answerBody)
			routes.PUT("/users", answerPut)
			routes.GET("/late", answerLate)
			routes.GET("/panic", answerPanic)
			routes.GET("/refused", func(*gin.Context) { t.Error("the handler ran") })
			server := serve(t, handler)

			for _, request := range []struct {
				name, method, target, version string
				header                        http.Header
				sent                          io.Reader
				status                        int
				body                          string
				logged                        string // the version
			}{
				{name: "a version", method: http.MethodGet, target: "/users", version: "v2", status: 200, body: "v2", logged: "v2"},
				{name: "refused", method: http.MethodGet, target: "/refused", version: "v9", status: 406, body: `"code":"invalid_accept_header_version"`},
				{name: "not found", method: http.MethodGet, target: "/nowhere", version: "v9", status: 404, body: "404 page not found"},
				{name: "method not allowed", method: http.MethodDelete, target: "/users", version: "v9", status: 405, body: "405 method not allowed"},
				{name: "a preflight", method: http.MethodOptions, target: "/users", version: "v9", status: 204},
				{
					name: "a body", method: http.MethodPost, target: "/users", version: "v1",
					sent: strings.NewReader("short"), status: 200, body: "v1 short", logged: "v1",
				},
				{
					name: "a long body", method: http.MethodPost, target: "/users", version: "v1",
					sent: strings.NewReader(strings.Repeat("long", 10)), status: 413, body: "too long", logged: "v1",
				},
				{name: "rewritten", method: http.MethodGet, target: "/old/users", version: "v2", status: 200, body: "v2", logged: "v2"},
				{name: "rewritten and refused", method: http.MethodGet, target: "/old/refused", version: "v9", status: 406, body: `"allowed_versions":["v1","v2"]`},
				{
					name: "another method", method: http.MethodPost, target: "/users", version: "v2",
					header: http.Header{"X-Http-Method-Override": {"PUT"}}, status: 200, body: "put in v2", logged: "v2",
				},
				{name: "a panic", method: http.MethodGet, target: "/panic", version: "v1", status: 500, logged: "v1"},
				{name: "after the panic", method: http.MethodGet, target: "/users", version: "v1", status: 200, body: "v1", logged: "v1"},
				{name: "late", method: http.MethodGet, target: "/late", version: "v1", status: 504, body: "timed out", logged: "v1"},
			} {
				if request.name == "late" && !strings.Contains(order, "Deadline") {
					// The late handler of gin-contrib/timeout goes on with a
					// context that Gin uses again: a data race.
					continue
				}
				t.Run(request.name, func(t *testing.T) {
					header := fromApp(request.version)
					maps.Copy(header, request.header)
					got := send(t, server, request.method, request.target, header, request.sent)
					assert.Equal(t, request.status, got.status)
					assert.Contains(t, got.body, request.body)
					assert.Equal(t, "https://app.example", got.header.Get("Access-Control-Allow-Origin"))
					assert.Equal(t, "an ID", got.header.Get("X-Request-Id"))
					switch request.status {
					case http.StatusOK:
						assert.Equal(t, "gzip", got.header.Get("Content-Encoding"))
						assert.Equal(t, "Origin, Accept, Accept-Encoding", strings.Join(got.header.Values("Vary"), ", "))
					case http.StatusNotAcceptable:
						assert.Empty(t, got.header.Get("Content-Encoding"))
						assert.Equal(t, []string{"Origin, Accept"}, got.header.Values("Vary"))
						assert.True(t, json.Valid([]byte(got.body)), got.body)
					}
					assert.Equal(t, fmt.Sprintf("%q %d %q", request.logged, request.status, "an ID"), lines.next())
				})
			}
		})
	}
}

// TestGinLoggerSeesRejections logs the error, which ReturnError leaves to c.Errors.
func TestGinLoggerSeesRejections(t *testing.T) {
	gin.SetMode(gin.TestMode)
	lines := make(logged, 1)
	engine := gin.New()
	engine.Use(gin.LoggerWithConfig(gin.LoggerConfig{Output: lines, Formatter: func(param gin.LogFormatterParams) string {
		return param.ErrorMessage
	}}))
	v := versogin.New(engine, verso.MustNew(verso.AcceptParam("version"), twoVersions), versogin.Config{ErrorHandler: versogin.ReturnError})
	v.GET("/users", answerVersion)
	send(t, serve(t, engine), http.MethodGet, "/users", fromApp("v9"), nil)
	assert.Contains(t, lines.next(), `Invalid version in "Accept" header.`)
}

// TestGinBeforeTheRouter changes what route matches, and so the version.
func TestGinBeforeTheRouter(t *testing.T) {
	t.Run("Rewrite", func(t *testing.T) {
		routes, handler, _ := stack(verso.MustNew(verso.PathParam("version"), twoVersions), "Rewrite | | |")
		routes.GET("/:version/users/:id", func(c *gin.Context) {
			c.String(http.StatusOK, c.Param("id")+" in "+versogin.Version(c).String())
		})
		server := serve(t, handler)
		for target, want := range map[string]string{
			"/v1/users/7":      "7 in v1",
			"/latest/users/7":  "7 in v2",
			"/ancient/users/7": "invalid_url_path_version",
		} {
			assert.Contains(t, send(t, server, http.MethodGet, target, nil, nil).body, want, target)
		}
	})

	t.Run("MethodOverride", func(t *testing.T) {
		server := serve(t, around["MethodOverride"](namespaced()))
		for method, want := range map[string]string{"": "v1", http.MethodPut: "put in v2", http.MethodDelete: "invalid_namespace_version"} {
			header := http.Header{"X-Http-Method-Override": {method}}
			assert.Contains(t, send(t, server, http.MethodPost, "/users", header, nil).body, want, method)
		}
	})

	t.Run("HandleContext", func(t *testing.T) {
		// It goes through the middleware and the check again, with the new route. A
		// first route that is checked must be in the version as well.
		gin.SetMode(gin.TestMode)
		engine := gin.New()
		handleAs := func(path string) gin.HandlerFunc {
			return func(c *gin.Context) {
				c.Request.URL.Path = path
				engine.HandleContext(c)
			}
		}
		others, lines := newOthers()
		engine.Use(others["Logger"])
		engine.GET("/latest", handleAs("/v2/users"))
		engine.GET("/ancient", handleAs("/v9/users"))
		v := versogin.New(engine, verso.MustNew(verso.PathParam("version"), twoVersions)).AfterCheck(others["Keep"])
		v.GET("/checked", handleAs("/v2/users"))
		v.GET("/:version/users", answerVersion)
		server := serve(t, engine)
		assert.Equal(t, "v2", send(t, server, http.MethodGet, "/latest", nil, nil).body)
		assert.Equal(t, `"v2" 200 ""`, lines.next(), "the inner")
		assert.Equal(t, `"v2" 200 ""`, lines.next(), "the outer")
		for target, code := range map[string]string{"/ancient": "invalid_url_path_version", "/checked": "missing_version"} {
			assert.Contains(t, send(t, server, http.MethodGet, target, nil, nil).body, code)
		}
	})
}

// namespaced returns an engine with a route in another namespace for each method
// of "/users", behind the given middleware.
func namespaced(before ...gin.HandlerFunc) *gin.Engine {
	gin.SetMode(gin.TestMode)
	engine := gin.New()
	routes := versogin.New(engine, verso.MustNew(verso.Namespace(), twoVersions))
	engine.Use(before...)
	routes.Namespace("v1").POST("/users", answerVersion)
	routes.Namespace("v2").PUT("/users", answerPut)
	routes.Namespace("v9").DELETE("/users", answerVersion)
	return engine
}

// TestGinConnections streams, upgrades and links over each version of HTTP,
// behind middleware that wraps the response.
func TestGinConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		start  func(*httptest.Server)
		client func(*httptest.Server) *http.Client
		useH2C bool
		major  int
		origin string
	}{
		{name: "HTTP/1.1", start: (*httptest.Server).Start, client: (*httptest.Server).Client, major: 1, origin: "http://"},
		{
			name: "HTTP/2 over TLS",
			start: func(server *httptest.Server) {
				server.EnableHTTP2 = true
				server.StartTLS()
			},
			client: (*httptest.Server).Client, major: 2, origin: "https://",
		},
		{name: "h2c", start: startH2C, client: clientH2C, major: 2, origin: "http://"},
		{name: "Gin's h2c", start: (*httptest.Server).Start, client: clientH2C, useH2C: true, major: 2, origin: "http://"},
	} {
		t.Run(test.name, func(t *testing.T) {
			engine, first := connected(t)
			engine.UseH2C = test.useH2C
			server := httptest.NewUnstartedServer(engine.Handler())
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

			response := get("/v2/here")
			link, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, test.origin+server.Listener.Addr().String()+"/v2/here", string(link))

			response = get("/v9/here")
			response.Body.Close()
			assert.Equal(t, http.StatusNotFound, response.StatusCode)

			for _, target := range []string{"/v1/flush", "/v1/stream"} {
				response = get(target)
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
			}

			if test.major == 1 { // HTTP/2 has no connection to take over
				upgrade(t, server.Listener.Addr().String(), "/v2/upgrade/gin")
				upgrade(t, server.Listener.Addr().String(), "/v2/upgrade/http")
			}
		})
	}
}

func startH2C(server *httptest.Server) {
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
}

func clientH2C(*httptest.Server) *http.Client {
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: transport}
}

// connected returns an engine with handlers that stream and upgrade. What is
// streamed goes on when the client has the first part.
func connected(t *testing.T) (engine *gin.Engine, first chan struct{}) {
	t.Helper()
	gin.SetMode(gin.TestMode)
	first = make(chan struct{})
	engine = gin.New()
	api := verso.MustNew(verso.PathParam("version"), twoVersions)
	routes := versogin.New(engine, api)
	others, _ := newOthers()
	for name := range strings.FieldsSeq("Logger RequestID Recovery CORS BodyLimit Deadline") {
		engine.Use(others[name])
	}
	versioned := routes.Group("/:version").AfterCheck(others["Keep"], others["Gzip"])
	versioned.Name("here").GET("/here", func(c *gin.Context) {
		link, err := versogin.Link(c, verso.Target{Name: "here"})
		assert.NoError(t, err)
		c.String(http.StatusOK, link)
	})
	versioned.GET("/flush", func(c *gin.Context) {
		answerVersion(c)
		c.Writer.Flush()
		<-first
		_, _ = c.Writer.WriteString(" and more")
	})
	versioned.GET("/stream", func(c *gin.Context) {
		parts := []string{versogin.Version(c).String(), " and more"}
		c.Stream(func(w io.Writer) bool {
			if len(parts) == 1 {
				<-first
			}
			_, err := io.WriteString(w, parts[0])
			parts = parts[1:]
			return err == nil && len(parts) > 0
		})
	})
	for target, hijack := range map[string]func(gin.ResponseWriter) (net.Conn, *bufio.ReadWriter, error){
		"/upgrade/gin": gin.ResponseWriter.Hijack,
		"/upgrade/http": func(w gin.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) {
			return http.NewResponseController(w).Hijack()
		},
	} {
		versioned.GET(target, func(c *gin.Context) {
			conn, buffered, err := hijack(c.Writer)
			if !assert.NoError(t, err) {
				return
			}
			defer func() { _ = conn.Close() }()
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			line, err := buffered.ReadString('\n')
			assert.NoError(t, err)
			_, _ = fmt.Fprintf(conn, "%s %s", versogin.Version(c), line)
		})
	}
	return engine, first
}

// upgrade takes over a connection and talks on it.
func upgrade(t *testing.T, address, target string) {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
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

// TestGinWrongOrders shows what is lost in which order, beside an order in which
// it is kept.
func TestGinWrongOrders(t *testing.T) {
	type seen func(got answer, logged string) string
	status := func(got answer, _ string) string { return strconv.Itoa(got.status) }
	body := func(got answer, _ string) string { return got.body }
	vary := func(got answer, _ string) string { return strings.Join(got.header.Values("Vary"), ", ") }
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
			wrong: "| MethodOverride | |", right: "MethodOverride | | |",
			reason: "in the engine, the method is changed behind the router: the handler stays that of POST",
			method: http.MethodPost, header: overridden, version: "v2", see: body, lost: "v2", kept: "put in v2",
		},
		{
			wrong: "| | | CORS", right: "| CORS | |",
			reason:  "rejections have no CORS headers: a page of another origin cannot read why",
			version: "v9", see: allowOrigin, lost: "", kept: "https://app.example",
		},
		{
			wrong: "| | | CORS", right: "| CORS | |",
			reason:  "gin-contrib/cors sets Vary anew: it lacks Accept, so that a cache mixes up the versions",
			version: "v2", see: vary, lost: "Origin", kept: "Origin, Accept",
		},
		{
			wrong: "| Gzip CORS | |", right: "| CORS | | Gzip",
			reason:  "gin-contrib/cors sets Vary anew: it lacks Accept-Encoding",
			version: "v2", see: vary, lost: "Origin, Accept", kept: "Origin, Accept, Accept-Encoding",
		},
		{
			wrong: "| Gzip | |", right: "| | | Gzip",
			reason:  "gin-contrib/gzip removes Vary from errors: rejections have none",
			version: "v9", see: vary, lost: "", kept: "Accept",
		},
		{
			wrong: "| | | Gzip", right: "| | |",
			reason: "gin-contrib/gzip removes Vary from errors: those of handlers have none in any order",
			target: "/missing", version: "v2", see: vary, lost: "", kept: "Accept",
		},
		{
			wrong: "| | | Keep Logger", right: "| Logger | | Keep",
			reason:  "rejections are not logged",
			version: "v9", see: logLine, lost: "nothing", kept: `"" 406 ""`,
		},
		{
			wrong: "| Logger Keep | |", right: "| Logger | | Keep",
			reason:  "what reads the version in front of the check finds none",
			version: "v2", see: logLine, lost: `"" 200 ""`, kept: `"v2" 200 ""`,
		},
		{
			wrong: "| | | RequestID", right: "| RequestID | |",
			reason:  "rejections have no ID",
			version: "v9", see: field("X-Request-Id"), lost: "", kept: "an ID",
		},
		{
			wrong: "| Timeout | |", right: "| | | Timeout",
			reason: "gin-contrib/timeout in use by the engine, not by routes, makes an empty success of what matches no route",
			target: "/nowhere", version: "v2", see: status, lost: "200", kept: "404",
		},
		{
			wrong: "| CORS | Timeout |", right: "| CORS | | Timeout",
			reason:  "gin-contrib/timeout replaces the header fields that were set outside of it by those of inside: Vary lacks Origin",
			version: "v2", see: vary, lost: "Accept", kept: "Origin, Accept",
		},
		{
			wrong: "| Recovery | Timeout |", right: "| Recovery | | Timeout",
			reason: "gin-contrib/timeout drops the header fields of a handler that panics: the answer has no Vary",
			target: "/panic", version: "v2", see: vary, lost: "", kept: "Accept",
		},
		{
			wrong: "| Recovery | | Timeout", right: "| Recovery | | Deadline",
			reason: "behind gin-contrib/timeout, wherever it stands, flushing sends no body: that waits for the end of the handler",
			target: "/flush", version: "v2", see: body, lost: "", kept: "v2",
		},
		{
			wrong: "TimeoutHandler | Recovery | |", right: "| Recovery Deadline | |",
			reason: "in a TimeoutHandler nothing can be streamed: Gin panics",
			target: "/stream", version: "v2", see: status, lost: "500", kept: "200",
		},
		{
			wrong: "TimeoutHandler | Recovery | |", right: "| Recovery Deadline | |",
			reason: "in a TimeoutHandler no connection can be hijacked: Gin panics and takes the response for begun, an empty success",
			target: "/hijack", version: "v2", see: status, lost: "200", kept: "202",
		},
	} {
		t.Run(test.wrong+" not "+test.right+" for "+cmp.Or(test.target, "/users"), func(t *testing.T) {
			for order, want := range map[string]string{test.wrong: test.lost, test.right: test.kept} {
				routes, handler, lines := stack(verso.MustNew(verso.AcceptParam("version"), twoVersions), order)
				routes.GET("/users", answerVersion)
				routes.POST("/users", answerVersion)
				routes.PUT("/users", answerPut)
				routes.Any("/any", answerVersion)
				routes.GET("/panic", answerPanic)
				routes.GET("/missing", func(c *gin.Context) { c.String(http.StatusNotFound, "no such user") })
				routes.GET("/flush", func(c *gin.Context) {
					answerVersion(c)
					c.Writer.Flush()
					panic("after the first part")
				})
				routes.GET("/stream", func(c *gin.Context) {
					c.Stream(func(w io.Writer) bool {
						_, _ = io.WriteString(w, versogin.Version(c).String())
						return false
					})
				})
				routes.GET("/hijack", func(c *gin.Context) {
					conn, _, err := c.Writer.Hijack()
					if !assert.NoError(t, err) {
						return
					}
					defer func() { _ = conn.Close() }()
					_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				})
				header := fromApp(test.version)
				maps.Copy(header, test.header)
				got := send(t, serve(t, handler), cmp.Or(test.method, http.MethodGet), cmp.Or(test.target, "/users"), header, nil)
				assert.Equal(t, want, test.see(got, lines.next()), "%s: %s", order, test.reason)
			}
		})
	}

	t.Run("MethodOverride with namespaces", func(t *testing.T) {
		// Behind the router, the handler and the version stay those of POST.
		others, _ := newOthers()
		behind, before := namespaced(others["MethodOverride"]), around["MethodOverride"](namespaced())
		assert.Equal(t, "v1", send(t, serve(t, behind), http.MethodPost, "/users", overridden, nil).body)
		assert.Equal(t, "put in v2", send(t, serve(t, before), http.MethodPost, "/users", overridden, nil).body)
	})

	t.Run("Gzip behind Timeout", func(t *testing.T) {
		// gin-contrib/gzip announces the length of what gin-contrib/timeout has not
		// written yet.
		routes, handler, _ := stack(verso.MustNew(verso.AcceptParam("version"), twoVersions), "| | | Timeout Gzip")
		routes.GET("/users", answerVersion)
		server := serve(t, handler)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users", nil)
		require.NoError(t, err)
		r.Header = fromApp("v2")
		response, err := server.Client().Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		_, err = io.ReadAll(response.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	})

	t.Run("Rewrite around Gin's h2c", func(t *testing.T) {
		// With UseH2C the middleware around the engine see a connection that is
		// taken over, and none of its requests.
		for useH2C, want := range map[bool]int{true: http.StatusNotFound, false: http.StatusOK} {
			engine := gin.New()
			engine.UseH2C = useH2C
			versogin.New(engine, verso.MustNew(verso.PathParam("version"), twoVersions)).GET("/:version/users/all", answerVersion)
			server := httptest.NewUnstartedServer(around["Rewrite"](engine.Handler()))
			if useH2C {
				server.Start()
			} else {
				startH2C(server)
			}
			client := clientH2C(server)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/old/v2/users/all", nil)
			require.NoError(t, err)
			response, err := client.Do(r)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, want, response.StatusCode, "UseH2C: %t", useH2C)
			client.CloseIdleConnections()
			server.Close()
		}
	})

	t.Run("Recovery behind the check", func(t *testing.T) {
		// Nobody recovers from a panic in Verso, which an error handler or a source
		// of one's own can cause: the connection breaks.
		panics := versogin.Config{ErrorHandler: func(*gin.Context, *verso.Error, *verso.Answer) error { panic("error handler") }}
		recovery := gin.RecoveryWithWriter(nil)
		get := func(front, behind []gin.HandlerFunc) (*http.Response, error) {
			engine := gin.New()
			engine.Use(front...)
			v := versogin.New(engine, verso.MustNew(verso.AcceptParam("version"), twoVersions), panics)
			v.AfterCheck(behind...).GET("/users", answerVersion)
			server := serve(t, engine)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users", nil)
			require.NoError(t, err)
			r.Header = fromApp("v9")
			return server.Client().Do(r)
		}
		_, err := get(nil, []gin.HandlerFunc{recovery}) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, io.EOF)
		response, err := get([]gin.HandlerFunc{recovery}, nil)
		require.NoError(t, err)
		response.Body.Close()
		assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
	})
}
