package versoecho5_test

import (
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// The days of v1 in the API of the suite, and the fields of its responses.
var (
	deprecated, brownout, outage, sunset = conformance.Deprecated, conformance.Brownout, conformance.Outage, conformance.Sunset

	ofV1 = conformance.FieldsOfV1
)

// but returns fields with some of them changed; nil means that there is none.
func but(fields, changed http.Header) http.Header {
	fields = maps.Clone(fields)
	maps.Copy(fields, changed)
	return fields
}

// TestFields sends requests on each path that a response can take through Echo,
// with both of its ways to answer a rejected one.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(deprecated)
	api := conformance.Retiring(t, clock.Now)
	for contentType, handleError := range map[string]func(*echo.Context, *verso.Error, *verso.Answer) error{
		"application/problem+json": versoecho5.WriteProblem,
		"application/json":         nil, // Echo's own error handler
	} {
		e := echo.New()
		e.Logger = slog.New(slog.DiscardHandler)
		v := versoecho5.New(e, api, versoecho5.Config{ErrorHandler: handleError})
		e.Use(middleware.GzipWithConfig(middleware.GzipConfig{Skipper: func(c *echo.Context) bool { return c.Path() != "/gzip" }}))
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				if c.Path() == "/outer" {
					c.Response().Header().Set("Link", "</outer>")
					c.Response().Header().Set("Vary", "Origin, api-version")
					c.Response().Header().Set("Sunset", "outer")
				}
				return next(c)
			}
		}, middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}), v.Middleware())
		for path, handler := range map[string]echo.HandlerFunc{
			"/users": func(c *echo.Context) error {
				if c.Request().Header.Get("If-None-Match") == `"1"` {
					return c.NoContent(http.StatusNotModified)
				}
				return c.String(http.StatusOK, "users")
			},
			"/gzip":  answerVersion,
			"/outer": answerVersion,
			"/adds": func(c *echo.Context) error {
				c.Response().Header().Add("Link", "</handler>")
				return c.NoContent(http.StatusNoContent)
			},
			"/refuses": func(*echo.Context) error { return echo.NewHTTPError(http.StatusUnprocessableEntity, "handler") },
			"/fails":   func(*echo.Context) error { return errors.New("handler") },
			"/panics":  func(*echo.Context) error { panic("handler") },
		} {
			e.Match([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, path, handler)
		}
		v.Neutral().GET("/health", answerVersion)

		none := http.Header{}
		for name := range ofV1 {
			none[name] = nil
		}
		rejected := but(ofV1, http.Header{"Api-Version": nil, "Content-Type": {contentType}})
		gone := but(rejected, http.Header{"Api-Deprecated-Versions": nil})
		dateless := but(ofV1, http.Header{"Deprecation": nil, "Sunset": nil, "Link": nil, "Api-Version": nil})
		unknown := but(dateless, http.Header{"Content-Type": {contentType}})
		closed := but(rejected, http.Header{"Retry-After": {"1800"}, "Cache-Control": {"no-store"}})
		preflight := http.Header{"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"}}
		outer := but(ofV1, http.Header{"Vary": {"Origin, api-version"}, "Sunset": {"outer"}, "Link": {"</outer>", ofV1.Get("Link")}})
		zipped := http.Header{"Vary": {"Accept-Encoding, Api-Version"}}
		zips := http.Header{"Accept-Encoding": {"gzip"}}

		for _, test := range []struct {
			name, method, path, version string
			header                      http.Header
			now                         time.Time
			status                      int
			want                        http.Header
		}{
			{name: "served", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "served before the deprecation", path: "/users", version: "v1", now: deprecated.Add(-time.Second), status: 200,
				want: but(ofV1, http.Header{"Api-Supported-Versions": {"v1, v2"}, "Api-Deprecated-Versions": nil})},
			{name: "another version", path: "/users", version: "v2", status: 200,
				want: but(dateless, http.Header{"Api-Version": {"v2"}})},
			{name: "HEAD", method: "HEAD", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "304", path: "/users", version: "v1", header: http.Header{"If-None-Match": {`"1"`}}, status: 304, want: ofV1},
			{name: "4xx of the handler", path: "/refuses", version: "v1", status: 422, want: ofV1},
			{name: "4xx of the handler to HEAD", method: "HEAD", path: "/refuses", version: "v1", status: 422, want: ofV1},
			{name: "5xx of the handler", path: "/fails", version: "v1", status: 500, want: ofV1},
			{name: "panic", path: "/panics", version: "v1", status: 500, want: ofV1},
			{name: "unknown version", path: "/users", version: "v9", status: 400, want: unknown},
			{name: "no version", path: "/users", status: 400, want: unknown},
			{name: "unknown version, HEAD", method: "HEAD", path: "/users", version: "v9", status: 400, want: dateless},
			{name: "gone", path: "/users", version: "v1", now: sunset, status: 410, want: gone},
			{name: "gone, in a request that would be answered with 304", path: "/users", version: "v1", now: sunset,
				header: http.Header{"If-None-Match": {`"1"`}}, status: 410, want: gone},
			{name: "brownout", path: "/users", version: "v1", now: brownout.Add(30 * time.Minute), status: 410, want: closed},
			{name: "brownout with 503", path: "/users", version: "v1", now: outage.Add(30 * time.Minute), status: 503, want: closed},
			{name: "neutral", path: "/health", version: "v1", status: 200, want: none},
			{name: "neutral when v1 is gone", path: "/health", version: "v1", now: sunset, status: 200, want: none},
			{name: "no route", path: "/none", version: "v1", status: 404, want: none},
			{name: "no such method", method: "DELETE", path: "/users", version: "v1", status: 405, want: none},
			{name: "preflight", method: "OPTIONS", path: "/users", header: preflight, status: 200, want: none},
			{name: "preflight when v1 is gone", method: "OPTIONS", path: "/users", version: "v1", now: sunset, header: preflight, status: 200, want: none},
			{name: "OPTIONS", method: "OPTIONS", path: "/users", version: "v1", status: 200, want: ofV1},
			{name: "OPTIONS that Echo answers", method: "OPTIONS", path: "/health", version: "v1", status: 204, want: none},
			{name: "outer fields", path: "/outer", version: "v1", status: 200, want: outer},
			{name: "outer fields, gone", path: "/outer", version: "v1", now: sunset, status: 410,
				want: but(outer, http.Header{"Api-Version": nil, "Api-Deprecated-Versions": nil})},
			{name: "handler adds a link", path: "/adds", version: "v1", status: 204, want: but(ofV1, http.Header{"Link": {ofV1.Get("Link"), "</handler>"}})},
			{name: "gzip", path: "/gzip", version: "v1", header: zips, status: 200, want: but(but(ofV1, zipped), http.Header{"Content-Encoding": {"gzip"}})},
			{name: "gzip, gone", path: "/gzip", version: "v1", now: sunset, header: zips, status: 410, want: but(gone, zipped)},
		} {
			t.Run(contentType+"/"+test.name, func(t *testing.T) {
				clock.Set(deprecated)
				if !test.now.IsZero() {
					clock.Set(test.now)
				}
				header := but(http.Header{"Api-Version": {test.version}}, test.header)
				if test.version == "" {
					header = test.header
				}
				got := send(t, e, test.method, test.path, header)
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}
