package echotest

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestMain runs the tests with Echo v4 and, with the tag echo5, with Echo v5. Findings about
// the configurations of the tests are of no interest.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// twoVersions is the configuration of most tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// check returns the middleware of new routes of e.
func check(e *Echo, api *verso.Versioning, config ...Config) MiddlewareFunc {
	return New(e, api, config...).Middleware()
}

// answerVersion is a handler that answers with the version.
func answerVersion(c Context) error {
	return c.String(http.StatusOK, Version(c).String())
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send serves e on a loopback port and sends it one request.
func send(t *testing.T, e http.Handler, method, target string, header http.Header) answer {
	t.Helper()
	server := httptest.NewServer(e)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, nil)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

// v9 is the header of a request for a version that no test serves.
var v9 = http.Header{"Accept": {"application/json; version=v9"}}

// want sends a request and compares the status, and what its body contains.
func want(t *testing.T, e http.Handler, method, target string, header http.Header, status int, body string) {
	t.Helper()
	got := send(t, e, method, target, header)
	assert.Equal(t, status, got.status, "%s %s: %s", method, target, got.body)
	assert.Contains(t, got.body, body, "%s %s", method, target)
}

func saying(text string) HandlerFunc {
	return func(c Context) error { return c.String(http.StatusOK, text+" "+Version(c).String()) }
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// strict rejects what has no version.
var strict = verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}

func strictPath() *verso.Versioning { return verso.Must(scheme.NewURLPath("version", strict)) }

func strictQuery() *verso.Versioning { return verso.Must(scheme.NewQueryParameter("version", strict)) }

func strictSpace() *verso.Versioning { return verso.Must(scheme.NewNamespace(strict)) }

// installs are the ways to check routes of v: alone, and behind the middleware.
var installs = map[string]func(api *verso.Versioning, before ...MiddlewareFunc) (*Echo, *Routes){
	"routes alone": func(api *verso.Versioning, before ...MiddlewareFunc) (*Echo, *Routes) {
		e := newEcho()
		e.Use(before...)
		return e, New(e, api)
	},
	"behind the middleware": func(api *verso.Versioning, before ...MiddlewareFunc) (*Echo, *Routes) {
		e := newEcho()
		v := New(e, api)
		e.Use(append(before, v.Middleware())...)
		return e, v
	},
}

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) HandlerFunc {
	return func(c Context) error {
		link, err := Link(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}
