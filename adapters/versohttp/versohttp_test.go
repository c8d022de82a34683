package versohttp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// Findings about the configurations of the tests are of no interest.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

var (
	twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}} // of most tests
	anyVersion  = verso.Config{AnyVersion: true}
	defaultV1   = verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
)

// newRoutes returns the routes of a ServeMux of their own.
func newRoutes(api *verso.Versioning, config ...versohttp.Config) *versohttp.Routes {
	return versohttp.New(http.NewServeMux(), api, config...)
}

// middleware returns the middleware of the ServeMux that it is put around, or of
// another one around any other handler.
func middleware(api *verso.Versioning, config ...versohttp.Config) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		mux, ok := next.(*http.ServeMux)
		if !ok {
			mux = http.NewServeMux()
		}
		return versohttp.New(mux, api, config...).Middleware()(next)
	}
}

var send, sendTo = conformance.Send, conformance.SendTo

// answerVersion is a handler that answers with the version.
func answerVersion(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, versohttp.Version(r).String())
}

// answerJSON is a handler that answers with the version as JSON, in which none
// is not empty.
func answerJSON(w http.ResponseWriter, r *http.Request) {
	_ = json.NewEncoder(w).Encode(versohttp.Version(r))
}

// registrar is what a ServeMux and Routes have in common.
type registrar interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	register := func(mux registrar) http.Handler {
		mux.HandleFunc("GET /{version}/users", answerVersion)
		mux.HandleFunc("/{version}/tree/", answerVersion)
		mux.HandleFunc("GET one.example/{version}/hosted", answerVersion)
		return mux
	}
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	bare := register(http.NewServeMux())
	handlers := map[string]http.Handler{
		"Mux":        register(newRoutes(api)),
		"middleware": middleware(api)(register(http.NewServeMux())),
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
		assert.Equal(t, test.status, want.Status, "what ServeMux itself answers")
		want.Header.Del("Date")
		for name, handler := range handlers {
			t.Run(test.name+", "+name, func(t *testing.T) {
				got := send(t, handler, test.method, test.target, nil)
				got.Header.Del("Date")
				assert.Equal(t, want, got)
			})
		}
	}
	for name, handler := range handlers {
		got := send(t, handler, http.MethodGet, "/v9/users", nil)
		assert.Contains(t, got.Body, "invalid_url_path_version", "a matched route is versioned: "+name)
	}
}

// TestMiddlewareBehindAnotherRouter sets path values as other routers do.
func TestMiddlewareBehindAnotherRouter(t *testing.T) {
	versioned := middleware(verso.Must(scheme.NewURLPath("version", twoVersions)))(http.HandlerFunc(answerVersion))
	router := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.SetPathValue("version", "v2")
		versioned.ServeHTTP(w, r)
	})
	assert.Equal(t, "v2", send(t, router, http.MethodGet, "/", nil).Body)
}

func TestMiddlewareAroundServeMux(t *testing.T) {
	mux := http.NewServeMux()
	versioned := middleware(verso.Must(scheme.NewURLPath("version", twoVersions)))(mux)
	mux.HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, versohttp.Version(r), " ", r.Pattern, " ", r.PathValue("id"))
	})
	mux.HandleFunc("CONNECT /{version}/tunnels/", answerVersion)
	for range 2 {
		assert.Equal(t, "v2 GET /{version}/users/{id} 7", send(t, versioned, http.MethodGet, "/v2/users/7", nil).Body)
	}
	mux.HandleFunc("GET /{version}/late", answerVersion)
	assert.Equal(t, "v1", send(t, versioned, http.MethodGet, "/v1/late", nil).Body)

	r := httptest.NewRequestWithContext(t.Context(), http.MethodConnect, "/", nil)
	r.URL.Path = "/{/tunnels" // redirected, with what is no pattern
	w := httptest.NewRecorder()
	versioned.ServeHTTP(w, r)
	assert.Equal(t, http.StatusTemporaryRedirect, w.Code)
}

func TestMistakesPanic(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	named := verso.Must(scheme.NewNamespace(twoVersions))
	among := verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Namespace()), twoVersions)
	const (
		missing    = "versohttp: the ServeMux or the versioning is nil: check the error of verso.New"
		noNext     = "versohttp: Middleware: the handler is nil: give it one"
		noHandler  = "versohttp: route GET /users: the handler is nil: give it one"
		nilWrapper = "versohttp: route GET /users: a middleware is nil: give it one"
		nilWrapped = "versohttp: route GET /users: a middleware returns a nil handler: let it return one"
		namespaces = "versohttp: Middleware: the version is read from the namespaces of routes, which only routes of v have: " +
			"put it directly around the ServeMux of v"
	)
	nothing := func(http.Handler) http.Handler { return nil }
	for _, test := range []struct {
		name    string
		mistake func()
		want    string
	}{
		{"no versioning", func() { newRoutes(nil) }, missing},
		{"no ServeMux", func() { versohttp.New(nil, api) }, missing},
		{"no handler", func() { middleware(api)(nil) }, noNext},
		{"no handler function", func() { middleware(api)(http.HandlerFunc(nil)) }, noNext},
		{"no ServeMux in the middleware", func() { newRoutes(api).Middleware()((*http.ServeMux)(nil)) }, noNext},
		{"no handler behind NotFound", func() { newRoutes(api).NotFound()(nil) }, "versohttp: NotFound: the handler is nil: give it one"},
		{"no handler of a route", func() { newRoutes(api).Group("/v1").Handle("GET /users", nil) }, "versohttp: route GET /v1/users: the handler is nil: give it one"},
		{"no handler function of a route", func() { newRoutes(api).HandleFunc("GET /users", nil) }, noHandler},
		{"no middleware", func() { newRoutes(api).Group("", nil).HandleFunc("GET /users", answerVersion) }, nilWrapper},
		{"no middleware after", func() { newRoutes(api).AfterCheck(nil).HandleFunc("GET /users", answerVersion) }, nilWrapper},
		{"no handler from a middleware", func() { newRoutes(api).Group("", nothing).HandleFunc("GET /users", answerVersion) }, nilWrapped},
		{"no handler from a middleware after", func() { newRoutes(api).AfterCheck(nothing).HandleFunc("GET /users", answerVersion) }, nilWrapped},
		{
			"no middleware of HandleVersions", func() {
				newRoutes(api).HandleVersions("GET /{version}/x", versohttp.Handlers{"v1": answerVersion}, nil)
			},
			"versohttp: route GET /{version}/x: a middleware is nil: give it one",
		},
		{
			"a method without a space", func() { newRoutes(api).HandleFunc("POST/{version}/x", answerVersion) },
			`versohttp: route POST/{version}/x: "POST" would be a host: write POST /{version}/x`,
		},
		{
			"Middleware around NotFound", func() {
				v := newRoutes(api)
				v.Middleware()(v.NotFound()(v))
			},
			"versohttp: Middleware: it is around NotFound, so that it does not know the routes: write v.NotFound()(v.Middleware()(mux))",
		},
		{
			"a method in lower case", func() { newRoutes(api).HandleFunc("get /{version}/x", answerVersion) },
			"versohttp: route get /{version}/x: HTTP methods are in upper case: write GET /{version}/x",
		},
		{
			"a method of HandleVersions in lower case", func() {
				newRoutes(api).HandleVersions("Get /{version}/x", versohttp.Handlers{"v1": answerVersion})
			},
			"versohttp: route Get /{version}/x: HTTP methods are in upper case: write GET /{version}/x",
		},
		{"an empty namespace", func() { newRoutes(api).Namespace("") }, `versohttp: Namespace needs a name, such as "v1"`},
		{"namespaces in the middleware", func() { middleware(named)(http.NotFoundHandler()) }, namespaces},
		{"namespaces in the middleware, among others", func() { middleware(among)(http.NotFoundHandler()) }, namespaces},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.PanicsWithError(t, test.want, test.mistake)
		})
	}
}

// logged returns what a server logs while it is sent a request.
func logged(t *testing.T, handler http.Handler, target string, header http.Header) (got conformance.Answer, log string) {
	t.Helper()
	var lines bytes.Buffer
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = newLog(&lines)
	server.Start()
	got = sendTo(t, server, http.MethodGet, target, header, nil)
	server.Close()
	return got, lines.String()
}

func newLog(w io.Writer) *log.Logger { return log.New(w, "", 0) }

func TestBaseScheme(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewBase("My\nVersioning", anyVersion)))
	mux.HandleFunc("GET /", answerVersion)
	got, log := logged(t, mux, "/", nil)
	assert.Equal(t, http.StatusInternalServerError, got.Status)
	assert.Equal(t, "Internal Server Error\n", got.Body)
	assert.Equal(t, `versohttp: determining the version: "My\nVersioning.determine_version() must be implemented."`+"\n", log)
}

func TestErrorHandler(t *testing.T) {
	type errorHandler = func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer)
	sending := func(status int) errorHandler {
		return func(w http.ResponseWriter, _ *http.Request, _ *verso.Error, _ *verso.Answer) { w.WriteHeader(status) }
	}
	const problem, code = "application/problem+json", `"code":"invalid_query_parameter_version"`
	api := verso.Must(scheme.NewQueryParameter("version", twoVersions))
	for _, test := range []struct {
		name    string
		handler errorHandler
		status  int
		media   string
		body    string
	}{
		{
			"answers",
			func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer) {
				assert.ErrorIs(t, err, verso.ErrNotFound)
				http.Error(w, r.Pattern+" in "+err.Requested+" is gone: "+answer.Problem.Detail, http.StatusGone)
			},
			http.StatusGone, "text/plain; charset=utf-8", "GET /users in v0 is gone: Invalid version in query parameter.\n",
		},
		{"answers without a body", sending(http.StatusTeapot), http.StatusTeapot, "", ""},
		{
			"answers without a status",
			func(w http.ResponseWriter, _ *http.Request, _ *verso.Error, _ *verso.Answer) {
				_, _ = io.WriteString(w, "fine")
			},
			http.StatusNotFound, "text/plain; charset=utf-8", "fine",
		},
		{
			"answers by default",
			func(w http.ResponseWriter, r *http.Request, _ *verso.Error, answer *verso.Answer) {
				assert.NoError(t, http.NewResponseController(w).EnableFullDuplex(), "the controller reaches the server's own response")
				answer.ServeHTTP(w, r)
			},
			http.StatusNotFound, problem, code,
		},
		{"does not answer", func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) {}, http.StatusNotFound, problem, code},
		{"sends early hints only", sending(http.StatusEarlyHints), http.StatusNotFound, problem, code},
	} {
		t.Run(test.name, func(t *testing.T) {
			mux := newRoutes(api, versohttp.Config{ErrorHandler: test.handler})
			mux.HandleFunc("GET /users", answerVersion)
			serveMux := http.NewServeMux()
			serveMux.HandleFunc("GET /users", answerVersion)
			for name, handler := range map[string]http.Handler{
				"Mux": mux, "middleware": middleware(api, versohttp.Config{ErrorHandler: test.handler})(serveMux),
			} {
				got, log := logged(t, handler, "/users?version=v0", nil)
				assert.Equal(t, test.status, got.Status, name)
				assert.Equal(t, test.media, got.Header.Get("Content-Type"), name)
				assert.Contains(t, got.Body, test.body, name)
				assert.Empty(t, log, name)
				assert.Equal(t, "v2", send(t, handler, http.MethodGet, "/users?version=v2", nil).Body, name)
			}
		})
	}
}
