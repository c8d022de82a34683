package echotest

import (
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/conformance"
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

var send, sendTo = conformance.Send, conformance.SendTo

// answerVersion is a handler that answers with the version.
func answerVersion(c Context) error {
	return c.String(http.StatusOK, Version(c).String())
}

// v9 is the header of a request for a version that no test serves.
var v9 = http.Header{"Accept": {"application/json; version=v9"}}

// want sends a request and compares the status, and what its body contains.
func want(t *testing.T, e http.Handler, method, target string, header http.Header, status int, body string) {
	t.Helper()
	got := send(t, e, method, target, header)
	assert.Equal(t, status, got.Status, "%s %s: %s", method, target, got.Body)
	assert.Contains(t, got.Body, body, "%s %s", method, target)
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
