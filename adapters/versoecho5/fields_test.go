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

// TestFields sends requests in v1 on the paths that only Echo has for a response: its
// errors, its middleware, what it answers by itself.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(conformance.Deprecated)
	api := conformance.Retiring(t, clock.Now)
	ofV1, none, gone := conformance.FieldsOfV1, make(http.Header), maps.Clone(conformance.FieldsOfV1)
	for name := range ofV1 {
		none[name] = nil
	}
	gone["Api-Version"], gone["Api-Deprecated-Versions"] = nil, nil
	zipped := func(fields http.Header) http.Header {
		fields = maps.Clone(fields)
		fields["Vary"] = []string{"Accept-Encoding, Api-Version"}
		return fields
	}
	for kind, handleError := range map[string]func(*echo.Context, *verso.Error, *verso.Answer) error{"problem": versoecho5.WriteProblem, "Echo's": nil} {
		e := echo.New()
		e.Logger = slog.New(slog.DiscardHandler)
		v := versoecho5.New(e, api, versoecho5.Config{ErrorHandler: handleError})
		e.Use(middleware.GzipWithConfig(middleware.GzipConfig{Skipper: func(c *echo.Context) bool { return c.Path() != "/gzip" }}),
			middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}), v.Middleware())
		for path, handler := range map[string]echo.HandlerFunc{
			"/gzip":    answerVersion,
			"/refuses": func(*echo.Context) error { return echo.NewHTTPError(http.StatusUnprocessableEntity, "handler") },
			"/fails":   func(*echo.Context) error { return errors.New("handler") },
			"/panics":  func(*echo.Context) error { panic("handler") },
		} {
			e.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
		}
		v.Neutral().GET("/health", answerVersion)

		for _, test := range []struct {
			name, method, path string
			now                time.Time
			status             int
			want               http.Header
		}{
			{"4xx of the handler", "GET", "/refuses", conformance.Deprecated, 422, ofV1},
			{"4xx of the handler to HEAD", "HEAD", "/refuses", conformance.Deprecated, 422, ofV1},
			{"5xx of the handler", "GET", "/fails", conformance.Deprecated, 500, ofV1},
			{"panic", "GET", "/panics", conformance.Deprecated, 500, ofV1},
			{"OPTIONS that Echo answers", "OPTIONS", "/health", conformance.Deprecated, 204, none},
			{"gzip", "GET", "/gzip", conformance.Deprecated, 200, zipped(ofV1)},
			{"gzip, gone", "GET", "/gzip", conformance.Sunset, 410, zipped(gone)},
		} {
			t.Run(kind+"/"+test.name, func(t *testing.T) {
				clock.Set(test.now)
				got := send(t, e, test.method, test.path, http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}})
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}
