package versohttp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// twoVersions are the settings of most tests.
var twoVersions = verso.Settings{AllowedVersions: []string{"v1", "v2"}}

// answerVersion is a handler that answers with the version.
func answerVersion(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, versohttp.Version(r).String())
}

// answerJSON is a handler that answers with the version as JSON, in which none
// is not empty.
func answerJSON(w http.ResponseWriter, r *http.Request) {
	_ = json.NewEncoder(w).Encode(versohttp.Version(r))
}

func newMux(tb testing.TB, config versohttp.Config) *versohttp.Mux {
	tb.Helper()
	mux, err := versohttp.NewMux(config)
	require.NoError(tb, err)
	return mux
}

func newMiddleware(tb testing.TB, config versohttp.Config) func(http.Handler) http.Handler {
	tb.Helper()
	versioned, err := versohttp.NewMiddleware(config)
	require.NoError(tb, err)
	return versioned
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send serves the handler on a loopback port and sends it one request.
func send(t *testing.T, handler http.Handler, method, target string, header http.Header) answer {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	return sendTo(t, server, method, target, header, nil)
}

// sendTo sends a server one request, and follows no redirect.
func sendTo(t *testing.T, server *httptest.Server, method, target string, header http.Header, body io.Reader) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, body)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	client := *server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	received, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(received)}
}

// registrar is what ServeMux and Mux have in common.
type registrar interface {
	http.Handler
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	register := func(mux registrar) http.Handler {
		mux.HandleFunc("GET /{version}/users", answerVersion)
		mux.HandleFunc("/{version}/tree/", answerVersion)
		mux.HandleFunc("GET one.example/{version}/hosted", answerVersion)
		return mux
	}
	scheme := verso.Must(verso.NewURLPath(twoVersions))
	bare := register(http.NewServeMux())
	handlers := map[string]http.Handler{
		"Mux":        register(newMux(t, versohttp.Config{Scheme: scheme})),
		"middleware": newMiddleware(t, versohttp.Config{Scheme: scheme})(register(http.NewServeMux())),
	}
	for _, test := range []struct {
		name, method, target string
		status               int
	}{
		{"not found", http.MethodGet, "/v9", http.StatusNotFound},
		{"not found on this host", http.MethodGet, "/v9/hosted", http.StatusNotFound},
		{"method not allowed", http.MethodPost, "/v9/users", http.StatusMethodNotAllowed},
		{"no automatic OPTIONS", http.MethodOptions, "/v9/users", http.StatusMethodNotAllowed},
		{"unknown method", "BREW", "/v9/users", http.StatusMethodNotAllowed},
		{"redirect to the subtree", http.MethodGet, "/v9/tree?page=2", http.StatusTemporaryRedirect},
		{"redirect to the clean path", http.MethodGet, "/v9//users?page=2", http.StatusTemporaryRedirect},
		{"redirect to a clean path that is not found", http.MethodGet, "/v9/./nowhere", http.StatusTemporaryRedirect},
	} {
		want := send(t, bare, test.method, test.target, nil)
		assert.Equal(t, test.status, want.status, "what ServeMux itself answers")
		want.header.Del("Date")
		for name, handler := range handlers {
			t.Run(test.name+", "+name, func(t *testing.T) {
				got := send(t, handler, test.method, test.target, nil)
				got.header.Del("Date")
				assert.Equal(t, want, got)
			})
		}
	}
	for name, handler := range handlers {
		got := send(t, handler, http.MethodGet, "/v9/users", nil)
		assert.Contains(t, got.body, "invalid_url_path_version", "a matched route is versioned: "+name)
	}
}

func TestMissingIsNotEmpty(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(verso.Settings{DefaultVersion: verso.V("v1")}))})
	mux.HandleFunc("/in/{version...}", answerJSON)
	mux.HandleFunc("/at/{version}/users", answerJSON)
	mux.HandleFunc("/users", answerJSON)
	assert.JSONEq(t, `""`, send(t, mux, http.MethodGet, "/in/", nil).body, "an empty argument is the empty version")
	assert.JSONEq(t, `"a/b"`, send(t, mux, http.MethodGet, "/in/a/b", nil).body)
	assert.JSONEq(t, `"v1"`, send(t, mux, http.MethodGet, "/users", nil).body, "no argument is the default")
}

// TestEmptySegment sends what ServeMux cleans away for all methods but CONNECT.
func TestEmptySegment(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))})
	mux.HandleFunc("/at/{version}/users", answerVersion)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodConnect, "/", nil)
	r.URL.Path = "/at//users"
	w := httptest.NewRecorder()
	require.NotPanics(t, func() { mux.ServeHTTP(w, r) })
	assert.Contains(t, w.Body.String(), "invalid_url_path_version")
	assert.Equal(t, http.StatusTemporaryRedirect, send(t, mux, http.MethodGet, "/at//users", nil).status)
}

func TestPathArgumentsAreDecodedOnce(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(verso.Settings{}))})
	mux.HandleFunc("/{version}/users", answerVersion)
	for sent, want := range map[string]string{
		"/v1%2B+/users": "v1++", "/v%252F/users": "v%2F", "/a%2Fb/users": "a/b", "/%76%31/users": "v1", "/v%20%C3%A9/users": "v é",
	} {
		assert.Equal(t, want, send(t, mux, http.MethodGet, sent, nil).body, sent)
	}
}

func TestVersionWithoutMiddleware(t *testing.T) {
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.True(t, versohttp.Version(r).IsNone())
		_, err := versohttp.Reverse(r, verso.Target{Name: "x"})
		assert.ErrorContains(t, err, "did not pass a Mux or the middleware")
	})
	assert.Equal(t, http.StatusOK, send(t, handler, http.MethodGet, "/", nil).status)
}

func TestMiddlewareAroundAnyHandler(t *testing.T) {
	handler := http.HandlerFunc(answerJSON)
	for _, test := range []struct {
		name   string
		scheme verso.Scheme
		target string
		header http.Header
		status int
		body   string
	}{
		{
			"accept", verso.Must(verso.NewAcceptHeader(twoVersions)), "/any",
			http.Header{"Accept": {"application/json; version=v2"}}, http.StatusOK, `"v2"`,
		},
		{"host", verso.Must(verso.NewHostName(twoVersions, "")), "/any", http.Header{"Host": {"v2.example.com"}}, http.StatusOK, `"v2"`},
		{"query", verso.Must(verso.NewQueryParameter(twoVersions)), "/any?version=v2", nil, http.StatusOK, `"v2"`},
		{"path, which has no arguments", verso.Must(verso.NewURLPath(twoVersions)), "/v2/any", nil, http.StatusNotFound, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			versioned := newMiddleware(t, versohttp.Config{Scheme: test.scheme})
			got := send(t, versioned(handler), http.MethodGet, test.target, test.header)
			assert.Equal(t, test.status, got.status)
			if test.body != "" {
				assert.JSONEq(t, test.body, got.body)
			}
		})
	}
}

func TestMiddlewareAroundRoutes(t *testing.T) {
	versioned := newMiddleware(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))})
	mux := http.NewServeMux()
	mux.Handle("GET /{version}/users", versioned(http.HandlerFunc(answerVersion)))
	mux.HandleFunc("GET /{version}/health", answerJSON)
	assert.Equal(t, "v2", send(t, mux, http.MethodGet, "/v2/users", nil).body)
	assert.Equal(t, http.StatusNotFound, send(t, mux, http.MethodGet, "/v9/users", nil).status)
	assert.JSONEq(t, "null", send(t, mux, http.MethodGet, "/v9/health", nil).body, "a route without the middleware")
}

// TestMiddlewareBehindAnotherRouter sets path arguments as other routers do.
func TestMiddlewareBehindAnotherRouter(t *testing.T) {
	versioned := newMiddleware(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))})(http.HandlerFunc(answerVersion))
	router := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.SetPathValue("version", "v2")
		versioned.ServeHTTP(w, r)
	})
	assert.Equal(t, "v2", send(t, router, http.MethodGet, "/", nil).body)
}

func TestMiddlewareAroundServeMux(t *testing.T) {
	mux := http.NewServeMux()
	versioned := newMiddleware(t, versohttp.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))})(mux)
	mux.HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, versohttp.Version(r), " ", r.Pattern, " ", r.PathValue("id"))
	})
	mux.HandleFunc("CONNECT /{version}/tunnels/", answerVersion)
	for range 2 {
		assert.Equal(t, "v2 GET /{version}/users/{id} 7", send(t, versioned, http.MethodGet, "/v2/users/7", nil).body)
	}
	mux.HandleFunc("GET /{version}/late", answerVersion)
	assert.Equal(t, "v1", send(t, versioned, http.MethodGet, "/v1/late", nil).body)

	r := httptest.NewRequestWithContext(t.Context(), http.MethodConnect, "/", nil)
	r.URL.Path = "/{/tunnels" // redirected, with what is no pattern
	w := httptest.NewRecorder()
	versioned.ServeHTTP(w, r)
	assert.Equal(t, http.StatusNotFound, w.Code)
}

func TestRefusedRequestsDoNotGoOn(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewQueryParameter(twoVersions))})
	mux.HandleFunc("GET /", func(http.ResponseWriter, *http.Request) { t.Error("the handler ran") })
	got := send(t, mux, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
	assert.Contains(t, got.body, "invalid_query_parameter_version")
}

func TestHeadHasNoBody(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewQueryParameter(twoVersions))})
	mux.HandleFunc("GET /", answerVersion)
	w := httptest.NewRecorder() // which keeps what a server would not send
	mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodHead, "/?version=v9", nil))
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	assert.Empty(t, w.Body.String())
	assert.Equal(t, http.StatusOK, send(t, mux, http.MethodHead, "/?version=v1", nil).status, "GET matches HEAD")
}

func TestInvalidConfig(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(twoVersions))
	for _, test := range []struct {
		name   string
		config versohttp.Config
		want   string
	}{
		{"no scheme", versohttp.Config{}, "versohttp: verso: no scheme: make one, for example with verso.NewURLPath"},
		{
			"no media type", versohttp.Config{Scheme: scheme, Produces: []string{"json"}},
			`versohttp: verso: what the service produces: mediatype: "json" is not a media type: write type/subtype`,
		},
		{
			"no origin", versohttp.Config{Scheme: scheme, Links: verso.LinkConfig{Origin: "example.com"}},
			`versohttp: verso: links: origin "example.com": write it like https://api.example.com, without a slash at the end`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := versohttp.NewMux(test.config)
			require.EqualError(t, err, test.want)
			_, err = versohttp.NewMiddleware(test.config)
			require.EqualError(t, err, test.want)
		})
	}
	_, err := versohttp.NewMiddleware(versohttp.Config{Scheme: verso.Must(verso.NewNamespace(twoVersions))})
	require.EqualError(t, err, "versohttp: no route has a namespace: register the routes on a Mux, see NewMux")
}

// withoutDetermine is a custom scheme that is not finished.
type withoutDetermine struct{ *verso.Base }

func TestUnfinishedScheme(t *testing.T) {
	base, err := verso.NewBase("My\nVersioning", verso.Settings{})
	require.NoError(t, err)
	mux := newMux(t, versohttp.Config{Scheme: withoutDetermine{base}})
	mux.HandleFunc("GET /", answerVersion)
	var logged bytes.Buffer
	server := httptest.NewUnstartedServer(mux)
	server.Config.ErrorLog = log.New(&logged, "", 0)
	server.Start()
	got := sendTo(t, server, http.MethodGet, "/", nil, nil)
	server.Close()
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assert.Equal(t, "Internal Server Error\n", got.body)
	assert.Equal(t, `versohttp: determining the version: "My\nVersioning.determine_version() must be implemented."`+"\n", logged.String())
}

func TestErrorHandler(t *testing.T) {
	mux := newMux(t, versohttp.Config{
		Scheme: verso.Must(verso.NewQueryParameter(twoVersions)),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err *verso.Error, problem verso.Problem) {
			assert.ErrorIs(t, err, verso.ErrNotFound)
			http.Error(w, r.Pattern+" in "+err.Version.String()+" is gone: "+problem.Detail, http.StatusGone)
		},
	})
	mux.HandleFunc("GET /users", answerVersion)
	got := send(t, mux, http.MethodGet, "/users?version=v0", nil)
	assert.Equal(t, http.StatusGone, got.status)
	assert.Equal(t, "GET /users in v0 is gone: Invalid version in query parameter.\n", got.body)
}

func TestHideAllowedVersions(t *testing.T) {
	mux := newMux(t, versohttp.Config{Scheme: verso.Must(verso.NewQueryParameter(twoVersions)), HideAllowedVersions: true})
	mux.HandleFunc("GET /", answerVersion)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(send(t, mux, http.MethodGet, "/?version=v9", nil).body), &members))
	assert.Contains(t, members, "detail")
	assert.NotContains(t, members, "allowed_versions")
}

// TestAllocations bounds what a version costs: net/http allocates a context and
// a copy of the request, Verso nothing of its own.
func TestAllocations(t *testing.T) {
	do := func(http.ResponseWriter, *http.Request) {}
	for _, s := range schemes {
		t.Run(s.name, func(t *testing.T) {
			mux := newMux(t, versohttp.Config{Scheme: s.scheme})
			mux.Namespace("v1").HandleFunc("GET /{version}/users", do)
			mux.ServeMux.HandleFunc("GET /{version}/bare", do)
			allocations := func(path string) float64 {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+"?version=v1", nil)
				r.Header.Set("Accept", "application/json; version=v1")
				w := httptest.NewRecorder()
				w.Header().Set("Vary", "Accept")
				return testing.AllocsPerRun(100, func() { mux.ServeHTTP(w, r) })
			}
			assert.Equal(t, allocations("/v1/bare")+2, allocations("/v1/users"))
		})
	}
}
