package versohttp_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
)

// timeout is what the TimeoutHandler of the tests gives a handler.
const timeout = 2 * time.Second

// others are the middleware of net/http, and two as users write them.
var others = map[string]func(http.Handler) http.Handler{
	"CrossOriginProtection": http.NewCrossOriginProtection().Handler,
	"MaxBytesHandler":       func(next http.Handler) http.Handler { return http.MaxBytesHandler(next, 16) },
	"TimeoutHandler":        func(next http.Handler) http.Handler { return http.TimeoutHandler(next, timeout, "timed out") },
	"StripPrefix":           func(next http.Handler) http.Handler { return http.StripPrefix("/api", next) },
	"recoverer":             recoverer,
	"compress":              compress,
}

// chain puts middleware around a handler, the outermost first.
func chain(handler http.Handler, names ...string) http.Handler {
	for _, name := range slices.Backward(names) {
		handler = others[name](handler)
	}
	return handler
}

// recoverer answers a panic with status 500.
func recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if recover() != nil {
				http.Error(w, "recovered", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// compress compresses responses.
func compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		compressed := &compressedResponse{ResponseWriter: w}
		defer compressed.close()
		next.ServeHTTP(compressed, r)
	})
}

type compressedResponse struct {
	http.ResponseWriter
	to *gzip.Writer // nil before the header is written
}

func (c *compressedResponse) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *compressedResponse) WriteHeader(status int) {
	if c.to == nil && status >= http.StatusOK {
		c.to = gzip.NewWriter(c.ResponseWriter)
		c.Header().Del("Content-Length")
		c.Header().Set("Content-Encoding", "gzip")
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *compressedResponse) Write(data []byte) (int, error) {
	if c.to == nil {
		c.WriteHeader(http.StatusOK)
	}
	return c.to.Write(data)
}

func (c *compressedResponse) FlushError() error {
	if c.to != nil {
		if err := c.to.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

func (c *compressedResponse) close() {
	if c.to != nil {
		_ = c.to.Close()
	}
}

// answerBody answers with the version and what the client sent.
func answerBody(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		return
	}
	_, _ = fmt.Fprintf(w, "%s %s", versohttp.Version(r), body)
}

// answerSlowly answers when nobody waits any more.
func answerSlowly(_ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
}

func answerPanic(http.ResponseWriter, *http.Request) {
	panic("handler")
}

// TestMiddlewareOfOthers puts all middleware around the Mux, and around the
// handlers that are registered on it.
func TestMiddlewareOfOthers(t *testing.T) {
	newAcceptMux := func() *versohttp.Routes {
		config := twoVersions
		config.Links.Origin = "https://example.com/api"
		return newRoutes(verso.Must(scheme.NewAcceptHeader("version", config)))
	}
	handlers := map[string]http.HandlerFunc{
		"GET /users":    answerVersion,
		"POST /users":   answerBody,
		"GET /slow":     answerSlowly,
		"GET /panic":    answerPanic,
		"GET /{$}":      answerLink(verso.Target{Name: "GET /users"}),
		"GET /rejected": func(http.ResponseWriter, *http.Request) { t.Error("the handler ran") },
	}
	outside, inside := newAcceptMux(), newAcceptMux()
	for pattern, handler := range handlers {
		outside.Name(pattern).Handle(pattern, handler)
		inside.Name(pattern).Handle(pattern,
			chain(handler, "CrossOriginProtection", "recoverer", "compress", "TimeoutHandler", "MaxBytesHandler"))
	}
	for order, handler := range map[string]http.Handler{
		"outside": chain(outside, "StripPrefix", "CrossOriginProtection", "recoverer", "TimeoutHandler", "compress", "MaxBytesHandler"),
		"inside":  chain(inside, "StripPrefix"),
	} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			defer server.Close()
			for _, test := range []struct {
				name, method, target, version, sent string
				header                              http.Header
				status                              int
				body                                string
			}{
				{name: "a version", method: http.MethodGet, target: "/api/users", version: "v2", status: 200, body: "v2"},
				{name: "a link", method: http.MethodGet, target: "/api/", version: "v2", status: 200, body: "https://example.com/api/users"},
				{name: "rejected", method: http.MethodGet, target: "/api/rejected", version: "v9", status: 406, body: `"code":"invalid_accept_header_version"`},
				{name: "not found", method: http.MethodGet, target: "/api/nowhere", version: "v9", status: 404, body: "404 page not found"},
				{name: "a body", method: http.MethodPost, target: "/api/users", version: "v1", sent: "short", status: 200, body: "v1 short"},
				{
					name: "a long body", method: http.MethodPost, target: "/api/users", version: "v1",
					sent: strings.Repeat("long", 10), status: 413, body: "too long",
				},
				{
					name: "cross-origin", method: http.MethodPost, target: "/api/users", version: "v1",
					header: http.Header{"Sec-Fetch-Site": {"cross-site"}}, status: 403, body: "cross-origin",
				},
				{name: "a panic", method: http.MethodGet, target: "/api/panic", version: "v1", status: 500, body: "recovered"},
				{name: "too slow", method: http.MethodGet, target: "/api/slow", version: "v1", status: 503, body: "timed out"},
			} {
				t.Run(test.name, func(t *testing.T) {
					header := http.Header{"Accept": {"application/json; version=" + test.version}}
					maps.Copy(header, test.header)
					got := sendTo(t, server, test.method, test.target, header, strings.NewReader(test.sent))
					assert.Equal(t, test.status, got.Status)
					assert.Contains(t, got.Body, test.body)
					if test.status == http.StatusOK {
						assert.ElementsMatch(t, []string{"Accept", "Accept-Encoding"}, strings.Split(strings.Join(got.Header.Values("Vary"), ", "), ", "))
					}
				})
			}
		})
	}
}

// TestConnections streams, upgrades and links over each version of HTTP, behind
// middleware that wraps the response.
func TestConnections(t *testing.T) {
	first := make(chan struct{})
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
	routes := mux.Group("/{version}")
	routes.Name("here").HandleFunc("GET /here", answerLink(verso.Target{Name: "here"}))
	routes.HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
		answerVersion(w, r)
		assert.NoError(t, http.NewResponseController(w).Flush())
		<-first // the client has the first part
		_, _ = io.WriteString(w, " and more")
	})
	routes.HandleFunc("GET /upgrade", func(w http.ResponseWriter, r *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, err := buffered.ReadString('\n')
		assert.NoError(t, err)
		_, _ = fmt.Fprintf(conn, "%s %s", versohttp.Version(r), line)
	})
	handler := chain(mux, "CrossOriginProtection", "recoverer", "compress", "MaxBytesHandler")

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
			server := httptest.NewUnstartedServer(handler)
			test.start(server)
			defer server.Close()
			client := test.client(server)
			defer client.CloseIdleConnections()
			get := func(target string) *http.Response {
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

			response = get("/v1/stream")
			part := make([]byte, len("v1"))
			_, err = io.ReadFull(response.Body, part)
			require.NoError(t, err)
			assert.Equal(t, "v1", string(part))
			first <- struct{}{}
			rest, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, " and more", string(rest))

			if test.major == 1 {
				upgrade(t, server.Listener.Addr().String())
			}
		})
	}
}

// upgrade takes over a connection and talks on it.
func upgrade(t *testing.T, address string) {
	t.Helper()
	dialer := net.Dialer{Timeout: timeout}
	conn, err := dialer.DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(5*timeout)))
	_, err = fmt.Fprintf(conn, "GET /v2/upgrade HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\nUpgrade: echo\r\nAccept-Encoding: gzip\r\n\r\n")
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

// TestWrongOrders shows what goes wrong in which order.
func TestWrongOrders(t *testing.T) {
	accept := verso.Must(scheme.NewAcceptHeader("version", twoVersions))
	defaultPath := verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true, DefaultVersion: verso.V("v1")}))
	header := http.Header{"Accept": {"application/json; version=v2"}}

	t.Run("a TimeoutHandler replaces the Vary of what is outside", func(t *testing.T) {
		mux := newRoutes(accept)
		mux.HandleFunc("GET /users", answerVersion)
		mux.Handle("GET /inside", chain(http.HandlerFunc(answerVersion), "TimeoutHandler", "compress"))
		vary := func(handler http.Handler, target string) []string {
			return send(t, handler, http.MethodGet, target, header).Header.Values("Vary")
		}
		assert.Equal(t, []string{"Accept-Encoding"}, vary(mux, "/inside"), "Verso's is lost")
		assert.Equal(t, []string{"Accept"}, vary(chain(mux, "compress", "TimeoutHandler"), "/users"), "that of compress is lost")
		assert.Equal(t, []string{"Accept-Encoding, Accept"}, vary(chain(mux, "TimeoutHandler", "compress"), "/users"))
	})

	t.Run("a TimeoutHandler cannot stream", func(t *testing.T) {
		mux := newRoutes(accept)
		mux.HandleFunc("GET /stream", func(w http.ResponseWriter, _ *http.Request) {
			assert.ErrorIs(t, http.NewResponseController(w).Flush(), http.ErrNotSupported)
		})
		assert.Equal(t, http.StatusOK, send(t, chain(mux, "TimeoutHandler"), http.MethodGet, "/stream", header).Status)
	})

	t.Run("a middleware between the middleware and a ServeMux hides the route", func(t *testing.T) {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /{version}/users", answerVersion)
		versioned := middleware(defaultPath)
		got, log := logged(t, versioned(recoverer(mux)), "/v2/users", nil)
		assert.Equal(t, http.StatusInternalServerError, got.Status)
		assert.Contains(t, log, "put the middleware around the ServeMux of v")
		assert.Equal(t, "v2", send(t, recoverer(versioned(mux)), http.MethodGet, "/v2/users", nil).Body)
	})

	t.Run("StripPrefix outside shortens the links", func(t *testing.T) {
		mux := newRoutes(accept)
		mux.Name("here").HandleFunc("GET /here", answerLink(verso.Target{Name: "here"}))
		header := http.Header{"Host": {"example.com"}, "Accept": header["Accept"]}
		assert.Equal(t, "http://example.com/here", send(t, chain(mux, "StripPrefix"), http.MethodGet, "/api/here", header).Body)
	})

	t.Run("StripPrefix outside, and its prefix as the origin", func(t *testing.T) {
		mux := newRoutes(verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{
			DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Origin: "/api"},
			Catalogue: catalogue.MustParse([]byte(`{"versions": [{"version": "v1", "deprecated": "2026-01-01", "successor": "v2"}, {"version": "v2"}], "successor_links": true}`)),
		}))
		mux.EachVersion().HandleFunc("GET /users", answerVersion)
		got := send(t, chain(mux, "StripPrefix"), http.MethodGet, "/api/users", nil)
		assert.Equal(t, `</api/v2/users>; rel="successor-version"`, got.Header.Get("Link"))
		assert.Equal(t, "v2", send(t, chain(mux, "StripPrefix"), http.MethodGet, "/api/v2/users", nil).Body, "the link leads there")
	})

	t.Run("a middleware outside sees the pattern but no version", func(t *testing.T) {
		mux, serveMux := newRoutes(defaultPath), http.NewServeMux()
		mux.HandleFunc("GET /{version}/users", answerVersion)
		serveMux.HandleFunc("GET /{version}/users", answerVersion)
		for name, handler := range map[string]http.Handler{"Mux": mux, "middleware": middleware(defaultPath)(serveMux)} {
			logged := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				handler.ServeHTTP(w, r)
				assert.Equal(t, "GET /{version}/users", r.Pattern, name)
				assert.True(t, versohttp.Version(r).IsNone(), name)
			})
			assert.Equal(t, "v2", send(t, logged, http.MethodGet, "/v2/users", nil).Body)
		}
	})
}

// Where another handler is between the middleware and the ServeMux, the middleware knows no
// routes: that handler may change the path or the method after the check.
func TestMiddlewareAroundAnotherHandler(t *testing.T) {
	lower := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = strings.ToLower(r.URL.Path)
			next.ServeHTTP(w, r)
		})
	}
	override := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Method = http.MethodGet
			next.ServeHTTP(w, r)
		})
	}
	between := map[string]func(http.Handler) http.Handler{
		"a limit":    func(next http.Handler) http.Handler { return http.MaxBytesHandler(next, 100) },
		"a prefix":   func(next http.Handler) http.Handler { return http.StripPrefix("/api", next) },
		"lower case": lower, "a method": override,
	}
	for _, test := range []struct {
		name, between, method, target, version string
		status                                 int
	}{
		{"a version", "a limit", http.MethodGet, "/late", "v2", 200},
		{"the route is not in the version", "a limit", http.MethodGet, "/late", "v1", 404},
		{"no version", "a limit", http.MethodGet, "/late", "", 400},
		{"foreign", "a limit", http.MethodGet, "/foreign", "v1", 200},
		{"foreign, unknown version", "a limit", http.MethodGet, "/foreign", "v9", 400},
		{"foreign, no version", "a limit", http.MethodGet, "/foreign", "", 400},
		{"no route", "a limit", http.MethodGet, "/nowhere/else", "v9", 400},
		{"neutral", "a limit", http.MethodGet, "/page", "v1", 200},
		{"neutral, unknown version", "a limit", http.MethodGet, "/page", "v9", 400},
		{"foreign behind a prefix", "a prefix", http.MethodGet, "/api/foreign", "v1", 200},
		{"foreign behind a prefix, unknown version", "a prefix", http.MethodGet, "/api/foreign", "v9", 400},
		{"foreign behind a prefix, no version", "a prefix", http.MethodGet, "/api/foreign", "", 400},
		{"foreign in lower case, unknown version", "lower case", http.MethodGet, "/FOREIGN", "v9", 400},
		{"foreign in another method, unknown version", "a method", http.MethodPost, "/foreign", "v9", 400},
	} {
		t.Run(test.name, func(t *testing.T) {
			var logs bytes.Buffer
			mux := http.NewServeMux()
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}, Logger: slog.New(slog.NewTextHandler(&logs, nil))}
			v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), config))
			v.Neutral().HandleFunc("/", answerVersion)
			v.Since("v2").HandleFunc("GET /late", answerVersion)
			mux.HandleFunc("GET /foreign", answerVersion)
			header := http.Header{}
			if test.version != "" {
				header.Set("Api-Version", test.version)
			}
			got := send(t, v.Middleware()(between[test.between](mux)), test.method, test.target, header)
			assert.Equal(t, test.status, got.Status)
			if strings.HasPrefix(test.target, "/page") {
				assert.Contains(t, logs.String(), "middleware_apart")
			}
		})
	}
}

// TestDecidesBehindAnotherRoute: a route decides on a request that another route passes on, also behind the middleware.
func TestDecidesBehindAnotherRoute(t *testing.T) {
	mux := newRoutes(verso.MustNew(verso.Header("Api-Version"), twoVersions))
	mux.HandleFunc("GET /checked", func(w http.ResponseWriter, r *http.Request) {
		on := r.Clone(r.Context())
		on.Header.Del("Api-Version")
		on.URL.Path = "/neutral"
		mux.ServeHTTP(w, on)
	})
	mux.Neutral().Group("", mux.Middleware()).HandleFunc("GET /neutral", answerVersion)
	got, _ := logged(t, mux, "/checked", http.Header{"Api-Version": {"v1"}})
	assert.Equal(t, http.StatusOK, got.Status, got.Body)
}

// TestSkipperInFrontOfOthers: what Skipper exempts is not checked in front of another handler, either.
func TestSkipperInFrontOfOthers(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	v := versohttp.New(http.NewServeMux(), api, versohttp.Config{Skipper: func(r *http.Request) bool { return r.URL.Path == "/skipped" }})
	handler := v.Middleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for path, want := range map[string]int{"/skipped": http.StatusNoContent, "/checked": http.StatusBadRequest} {
		assert.Equal(t, want, send(t, handler, http.MethodGet, path, nil).Status, path)
	}
}

// TestSharedOptionsBehindMiddleware: a handler that a ServeMux has for OPTIONS and for another method of the path is
// not for preflights alone.
func TestSharedOptionsBehindMiddleware(t *testing.T) {
	mux, h, asValue := http.NewServeMux(), http.HandlerFunc(answerBody), http.NewServeMux()
	check := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), twoVersions)).Middleware()
	for pattern, handler := range map[string]http.Handler{
		"GET /func/{id}": h, "OPTIONS /func/{id}": h, "GET /func/own": http.HandlerFunc(answerPanic),
		"POST /value": asValue, "OPTIONS /value": asValue, "/any": h, "OPTIONS /any": h,
		"GET /each": check(h), "OPTIONS /each": check(h),
		"OPTIONS /alone": h, "GET /beside": asValue, "OPTIONS /beside": h, "OPTIONS /late": h,
	} {
		mux.Handle(pattern, handler)
	}
	ask := func(handler http.Handler, path string) int {
		r := httptest.NewRequest(http.MethodOptions, path, nil)
		r.Header = preflight.Clone()
		r.Header.Set("Api-Version", "v9")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	for path, want := range map[string]int{"/func/7": 400, "/value": 400, "/any": 400, "/each": 400,
		"/alone": 200, "/beside": 200, "/late": 200} {
		assert.Equal(t, want, ask(check(mux), path), path)
	}
	mux.Handle("PUT /late", h)
	assert.Equal(t, 400, ask(check(mux), "/late"))
	assert.Equal(t, 400, ask(mux, "/each"))
}

// TestMiddlewareBehindStripPrefix: requests that lost their version before the check are logged once, and others that
// have none are not.
func TestMiddlewareBehindStripPrefix(t *testing.T) {
	both := []string{"1", "2"}
	for name, test := range map[string]struct {
		config         verso.Config
		prefix, target string
		logged         int
	}{
		"no default":       {verso.Config{AllowedVersions: both}, "/v9", "/v9/users", 1},
		"a default":        {verso.Config{AllowedVersions: both, DefaultVersion: verso.V("1")}, "/v2", "/v2/users?a=b", 1},
		"no version":       {verso.Config{AllowedVersions: both}, "", "/users", 0},
		"another prefix":   {verso.Config{AllowedVersions: both}, "/api", "/api/users", 0},
		"two versions":     {verso.Config{AllowedVersions: both}, "/v1", "/v1/v2/users", 0},
		"an absolute form": {verso.Config{AllowedVersions: both}, "", "http://example.com/users", 0},
	} {
		var log bytes.Buffer
		test.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.PathPrefix("/v{version}"), test.config))
		mux.HandleFunc("GET /users", answerVersion)
		mux.HandleFunc("GET /v2/users", answerVersion)
		stripped := http.StripPrefix(test.prefix, v.Middleware()(mux))
		for range 2 {
			w := httptest.NewRecorder()
			stripped.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.target, nil))
			assert.Equal(t, http.StatusOK, w.Code, name)
		}
		assert.Equal(t, test.logged, strings.Count(log.String(), "code=no_place_for_version"), name)
	}
}
