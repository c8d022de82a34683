//go:build !echo5

package echotest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// timeout is Echo's Timeout, which gives the handler of "/late" less time than all others.
func timeout(next echo.HandlerFunc) echo.HandlerFunc {
	after := func(limit time.Duration) echo.HandlerFunc {
		//nolint:staticcheck // deprecated, but services have it
		return middleware.TimeoutWithConfig(middleware.TimeoutConfig{Timeout: limit})(next)
	}
	late, others := after(50*time.Millisecond), after(time.Minute)
	return func(c echo.Context) error {
		if c.Path() == "/late" {
			return late(c)
		}
		return others(c)
	}
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

// TestTimeout stacks Verso with Echo's Timeout, which writes past Echo's Response. In some
// orders Timeout loses the fields or the status of a response.
func TestTimeout(t *testing.T) {
	const notAsked = "not asked" // behind Timeout, RequestLogger answers for a late handler while Timeout does: a race in Echo
	for _, test := range []struct {
		order                    string
		rejected                 int
		vary, varyLate, varyFail string // of a served version, of a late handler, of one that panics
	}{
		{"CORS Recover Gzip Verso Timeout", 406, "Origin, Accept-Encoding, Accept", "Origin, Accept-Encoding, Accept", "Origin, Accept-Encoding, Accept"},
		{"Timeout Recover CORS Verso", 406, "Origin, Accept", "", "Origin, Accept"},
		{"CORS Timeout Recover Verso", 406, "Accept", "Origin", "Accept"},
		{"RequestLogger Timeout Recover Verso", 406, "Accept", "", "Accept"},
		{"Timeout RequestLogger Recover Verso", 200, "Accept", notAsked, "Accept"}, // it throws away what RequestLogger has answered
	} {
		t.Run(test.order, func(t *testing.T) {
			e := echo.New()
			e.Logger.SetOutput(io.Discard)
			others := map[string]echo.MiddlewareFunc{
				"Verso":   check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))),
				"Recover": middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}),
				"RequestLogger": middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
					HandleError: true, LogValuesFunc: func(echo.Context, middleware.RequestLoggerValues) error { return nil },
				}),
				"CORS": middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{"https://app.example"}}), "Gzip": middleware.Gzip(), "Timeout": timeout,
			}
			for name := range strings.FieldsSeq(test.order) {
				e.Use(others[name])
			}
			e.GET("/users", answerVersion)
			e.GET("/late", answerLate)
			e.GET("/panic", func(echo.Context) error { panic("handler") })
			for _, request := range []struct {
				target, version string
				status          int
				body, vary      string
			}{
				{"/users", "v2", 200, "v2", test.vary},
				{"/users", "v9", test.rejected, "", ""},
				{"/late", "v1", 503, "", test.varyLate},
				{"/panic", "v1", 500, "", test.varyFail},
			} {
				if request.vary == notAsked {
					continue
				}
				header := http.Header{"Origin": {"https://app.example"}, "Accept": {"application/json; version=" + request.version}}
				got := send(t, e, http.MethodGet, request.target, header)
				assert.Equal(t, request.status, got.Status, "%v", request)
				assert.Contains(t, got.Body, request.body, "%v", request)
				if request.version != "v9" {
					assert.Equal(t, request.vary, strings.Join(got.Header.Values("Vary"), ", "), "%v", request)
				}
			}
		})
	}
}

// TestTimeoutAroundRewriting: Echo's Timeout discards what was written where it gets an error.
func TestTimeoutAroundRewriting(t *testing.T) {
	e := echo.New()
	e.Logger.SetOutput(io.Discard)
	v := New(e, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e.Use(timeout)
	e.Use(v.RewriteErrors())
	v = v.Rewrite(new(conformance.Shouting))
	v.GET("/missing", func(echo.Context) error { return echo.NewHTTPError(http.StatusNotFound, "none") })
	v.GET("/cannot", func(c echo.Context) error { return c.String(http.StatusOK, "cannot") })
	for target, want := range map[string]struct {
		status int
		body   string
	}{"/missing": {http.StatusNotFound, "NONE"}, "/cannot": {http.StatusInternalServerError, "SERVER"}} {
		got := send(t, e, http.MethodGet, target, http.Header{"Api-Version": {"v1"}})
		assert.Equal(t, want.status, got.Status, target)
		assert.Contains(t, got.Body, want.body, target)
	}
}
