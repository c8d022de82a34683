package versohttp_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// defaultPath reads the version from the path, and has a default.
var defaultPath = verso.Must(scheme.NewURLPath("version", defaultV1))

// connect sends a server a CONNECT as `curl -X CONNECT --request-target` does.
func connect(t *testing.T, handler http.Handler, target string) conformance.Answer {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = newLog(io.Discard) // of handlers that panic
	server.Start()
	defer server.Close()
	dialer := net.Dialer{Timeout: timeout}
	conn, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n", target)
	require.NoError(t, err)
	// Read as the answer to a GET: that to a CONNECT would be a tunnel.
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err, target)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return conformance.Answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}

// TestConnect sends CONNECT, whose path net/http neither cleans nor, where a
// segment is empty, matches rightly.
func TestConnect(t *testing.T) {
	register := func(mux registrar) http.Handler {
		mux.HandleFunc("/{version}/users", answerVersion)
		mux.HandleFunc("/at/{tenant}/{version}/users/{id}", answerVersion)
		mux.HandleFunc("/in/all/{version...}", answerVersion)
		mux.HandleFunc("/tree/{version}/sub/", answerVersion)
		mux.HandleFunc("/plain", answerVersion)
		mux.Handle("/moved/to/{version}/", http.RedirectHandler("/elsewhere", http.StatusSeeOther))
		return mux
	}
	const rejected = `"code":"invalid_url_path_version"`
	for name, handler := range map[string]http.Handler{
		"Mux":        register(newRoutes(defaultPath)),
		"middleware": middleware(defaultPath)(register(http.NewServeMux())),
	} {
		for _, test := range []struct {
			target string
			status int
			body   string
		}{
			{"/v2/users", 200, "v2"},
			{"/%762/users", 200, "v2"},
			{"/v9/users", 404, rejected},
			{"/v2%2Fx/users", 404, rejected},
			{"//users", 404, rejected}, // the version is empty, not missing

			{"/at/acme/v2/users/7", 200, "v2"},
			{"/at//v2/users/7", 200, "v2"}, // PathValue("version") is "7"
			{"/at/acme/v9/users/7", 404, rejected},
			{"/at//v9/users/v2", 404, rejected}, // PathValue("version") is "v2"
			{"/at///users/v2", 404, rejected},   // PathValue("version") panics
			{"/at/acme//users/v2", 404, rejected},

			{"/in/all/v2", 200, "v2"},
			{"/in/all//v2", 404, rejected},
			{"/in/all/", 404, rejected},

			{"/tree/v2/sub/x/../y", 200, "v2"},
			{"/tree/v9/sub/x/../y", 404, rejected},
			{"/tree/v9/sub/../sub", 404, rejected},
			{"/tree/v9/./sub/", 404, "404 page not found"},
			{"/plain", 200, "v1"}, // as it says: there is no parameter

			// What the ServeMux answers by itself.
			{"/tree/v9/sub", 307, ""},
			{"/v9/nowhere", 404, "404 page not found"},

			// What it does not.
			{"/moved/to/v2/x", 303, ""},
			{"/moved/to/v9/x", 404, rejected},
		} {
			t.Run(name+" "+test.target, func(t *testing.T) {
				got := connect(t, handler, test.target)
				assert.Equal(t, test.status, got.Status)
				assert.Contains(t, got.Body, test.body)
			})
		}
	}
}

// TestConnectOfAnyPath compares the path parameters of CONNECT and
// of GET, where both have the same.
func TestConnectOfAnyPath(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", anyVersion)))
	mux.HandleFunc("/{a}/{version}/{rest...}", answerVersion)
	for _, segment := range []string{"v1", "a%2Fb", "%25", "%2525", "%C3%A9", "+", "v1;x=y", "{version}", "..."} {
		plain, err := url.PathUnescape(segment)
		require.NoError(t, err)
		target := "/x/" + segment + "/y/z"
		assert.Equal(t, plain, send(t, mux, http.MethodGet, target, nil).Body, target)
		assert.Equal(t, plain, connect(t, mux, target).Body, target)
		assert.Equal(t, plain, connect(t, mux, "//"+segment+"/y//z").Body, target)
	}
}

// TestUncleanRoot sends paths of slashes alone, which the ServeMux redirects.
func TestUncleanRoot(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", answerVersion)
	versioned := middleware(verso.Must(scheme.NewQueryParameter("version", twoVersions)))(mux)
	for _, target := range []string{"//", "///", "/./", "/.."} {
		got := send(t, versioned, http.MethodGet, target+"?version=v9", nil)
		assert.Equal(t, http.StatusTemporaryRedirect, got.Status, target)
	}
	assert.Equal(t, http.StatusNotFound, send(t, versioned, http.MethodGet, "/?version=v9", nil).Status)
}

// TestTextThatLooksLikeAWildcard has a brace in a segment that is plain text.
func TestTextThatLooksLikeAWildcard(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/version}/{id}/", answerVersion)
	assert.Equal(t, "v1", send(t, middleware(defaultPath)(mux), http.MethodGet, "/version}/v9/", nil).Body)
}

// unrouted says what a middleware logs that waits for a route in vain.
const unrouted = `versohttp: determining the version: "the version may be in the path parameter \"version\", but the request has no path values: put the middleware around the ServeMux ` +
	`of v or its handlers; a router without them, such as gorilla/mux, needs an adapter"` + "\n"

// TestMiddlewareThatKnowsNoRoute puts something between the middleware and the
// ServeMux: the version is never the default then.
func TestMiddlewareThatKnowsNoRoute(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/users", answerVersion)
	logger := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	}
	first := verso.MustNew(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), defaultV1)
	late := verso.MustNew(verso.First(verso.Header("Api-Version"), verso.PathParam("version")), defaultV1)
	for _, test := range []struct {
		name    string
		api     *verso.Versioning
		handler http.Handler
		header  http.Header
		body    string // "" for a request that fails
	}{
		{"a logger", defaultPath, logger(mux), nil, ""},
		{"a TimeoutHandler", defaultPath, chain(mux, "TimeoutHandler"), nil, ""},
		{"StripPrefix", defaultPath, http.StripPrefix("/api", mux), nil, ""},
		{"no default", verso.Must(scheme.NewURLPath("version", twoVersions)), logger(mux), nil, ""},
		{"several sources, the path first", first, logger(mux), http.Header{"Api-Version": {"v2"}}, ""},
		{"several sources, the path asked for", late, logger(mux), nil, ""},
		{"several sources, the path not asked for", late, logger(mux), http.Header{"Api-Version": {"v2"}}, "v2"},
		{"the ServeMux itself", defaultPath, mux, nil, "v2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, log := logged(t, middleware(test.api)(test.handler), "/v2/users", test.header)
			if test.body != "" {
				assert.Equal(t, test.body, got.Body)
				assert.Empty(t, log)
				return
			}
			assert.Equal(t, http.StatusInternalServerError, got.Status)
			assert.Equal(t, "Internal Server Error\n", got.Body, "the client learns nothing")
			assert.Equal(t, unrouted, log)
		})
	}
}

// TestRequestThatIsRoutedLater serves a request again that had no route at first,
// as a handler with a fallback does.
func TestRequestThatIsRoutedLater(t *testing.T) {
	mux := http.NewServeMux()
	versioned := middleware(defaultPath)
	mux.Handle("GET /{version}/users", versioned(http.HandlerFunc(answerVersion)))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := httptest.NewRecorder()
		versioned(http.HandlerFunc(answerVersion)).ServeHTTP(first, r)
		assert.Equal(t, http.StatusInternalServerError, first.Code)
		mux.ServeHTTP(w, r)
	})
	got, _ := logged(t, handler, "/v2/users", nil)
	assert.Equal(t, "v2", got.Body)
}

// TestInnerMux puts a ServeMux into another: the inner pattern takes the path
// values of the outer one away.
func TestInnerMux(t *testing.T) {
	newInner := func(pattern string) *http.ServeMux {
		mux := http.NewServeMux()
		mux.HandleFunc(pattern, answerVersion)
		return mux
	}
	inside, around, routes := http.NewServeMux(), http.NewServeMux(), newRoutes(defaultPath)
	inside.Handle("/{version}/", middleware(defaultPath)(newInner("GET /{tenant}/users")))
	around.Handle("/{version}/", newInner("GET /{version}/users"))
	routes.Handle("/{version}/", newInner("GET /{tenant}/users"))
	for name, handler := range map[string]http.Handler{
		"the middleware around the inner ServeMux": inside,
		"the middleware around the outer ServeMux": middleware(defaultPath)(around),
		"routes": routes,
	} {
		assert.Equal(t, "v2", send(t, handler, http.MethodGet, "/v2/users", nil).Body, name)
		assert.Equal(t, http.StatusNotFound, send(t, handler, http.MethodGet, "/v9/users", nil).Status, name)
	}
	assert.Equal(t, "404 page not found\n", send(t, inside, http.MethodGet, "/v9/nowhere", nil).Body)
}

// TestMissingParameterIsSaid puts the middleware where the pattern does not have
// the parameter: the version is the default, and the log says so once.
func TestMissingParameterIsSaid(t *testing.T) {
	inner := http.NewServeMux()
	inner.HandleFunc("GET /{version}/users", answerVersion)
	serveMux := func(pattern string, handler http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle(pattern, handler)
		return mux
	}
	versioned := middleware(defaultPath)
	first := verso.MustNew(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), defaultV1)
	several, mux := middleware(first), newRoutes(first)
	mux.Handle("/v2/", inner)
	notIn := func(pattern string) string {
		return fmt.Sprintf(`the path parameter \"version\" is not in \"%s\"`, pattern)
	}
	for _, test := range []struct {
		name    string
		handler http.Handler
		said    string // in the log, "" for nothing
	}{
		{"around a handler that routes on", serveMux("/", versioned(recoverer(inner))), notIn("/")},
		{"around a ServeMux with another in it", versioned(serveMux("/v2/", inner)), notIn("/v2/")},
		{"around a route of an inner ServeMux", serveMux("/{version}/", serveMux("GET /v2/users", versioned(http.HandlerFunc(answerVersion)))), notIn("GET /v2/users")},
		{"under another name", versioned(serveMux("GET /{ver}/users", http.HandlerFunc(answerVersion))), notIn("GET /{ver}/users")},
		{"in other case", versioned(serveMux("GET /{Version}/users", http.HandlerFunc(answerVersion))), notIn("GET /{Version}/users")},
		{"one of several sources", several(serveMux("GET /v2/users", http.HandlerFunc(answerVersion))), ""},
		{"one of several sources, where a handler routes on", serveMux("/", several(recoverer(inner))), notIn("/")},
		{"one of several sources, on a Mux", mux, `the path parameter \"version\" does not occur in any route`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			before := slog.Default()
			defer slog.SetDefault(before)
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
			for range 3 {
				assert.Equal(t, "v1", send(t, test.handler, http.MethodGet, "/v2/users", nil).Body)
			}
			if test.said == "" {
				assert.NotContains(t, log.String(), "the path parameter")
				return
			}
			assert.Equal(t, 1, strings.Count(log.String(), test.said), log.String())
		})
	}
}

// TestServeMuxOfGo121 lets net/http route as Go 1.21 did, by a setting that it
// reads when the program starts: no request has a pattern then.
func TestServeMuxOfGo121(t *testing.T) {
	const setting = "httpmuxgo121=1"
	if os.Getenv("GODEBUG") != setting {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServeMuxOfGo121$")
		again.Env = append(os.Environ(), "GODEBUG="+setting)
		out, err := again.CombinedOutput()
		assert.NoError(t, err, string(out))
		return
	}
	mux := newRoutes(defaultPath)
	mux.HandleFunc("/v2/users", answerVersion)
	got, log := logged(t, mux, "/v2/users", nil)
	assert.Equal(t, http.StatusInternalServerError, got.Status)
	assert.Equal(t, unrouted, log)
}

// Whatever the pattern and the path: the middleware around a ServeMux finds the
// parameters that the ServeMux finds, and answers what it answers by itself.
func FuzzMatcher(f *testing.F) {
	f.Add("/{version}/users", "/v2/users", false)
	f.Add("GET /{version}/tree/", "/v2/tree", false)
	f.Add("/{a}/{version...}", "/a/b%2Fc/d", false)
	f.Add("/{$}", "//", false)
	f.Add("/{version}/{$}", "/x/../v1/", true)
	f.Add("/%7Bversion%7D/{version}", "/{version}/%2525", false)
	f.Add("example.com/{version}/a", "/v1/a/", false)
	f.Fuzz(func(t *testing.T, pattern, target string, isConnect bool) {
		if !strings.HasPrefix(target, "/") || strings.ContainsAny(target, " \r\n\t") {
			return
		}
		if strings.Contains(pattern, "//") {
			return // ServeMux takes an empty segment of a pattern for a wildcard, and numbers the values after it wrongly
		}
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return
		}
		method := http.MethodGet
		if isConnect {
			if method = http.MethodConnect; strings.Contains(u.Path, "//") {
				return // ServeMux finds others: see TestConnect
			}
		}
		var want, got string
		isWildcard := strings.Contains(pattern, "{version}") || strings.Contains(pattern, "{version...}")
		mux := http.NewServeMux()
		if !registers(func() {
			mux.HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) {
				want, got = r.PathValue("version"), versohttp.Version(r).String()
			})
		}) {
			return
		}
		answer := func(handler http.Handler) *httptest.ResponseRecorder {
			r := &http.Request{Method: method, URL: u, Host: "example.com", RequestURI: target, Header: http.Header{}, ProtoMajor: 1, ProtoMinor: 1}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r.WithContext(t.Context()))
			return w
		}
		bare := answer(mux)
		want, got = "", ""
		versioned := answer(middleware(verso.Must(scheme.NewURLPath("version", anyVersion)))(mux))
		assert.Equal(t, bare.Code, versioned.Code)
		assert.Equal(t, bare.Header(), versioned.Header())
		assert.Equal(t, want, got)
		if !isWildcard {
			assert.Empty(t, got)
		}
	})
}
