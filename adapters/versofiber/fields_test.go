package versofiber_test

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/gofiber/fiber/v3/middleware/etag"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// TestFieldsOnEachPath sends requests in v1 on the paths that only Fiber has for a
// response: its errors, rejections too, and its middleware.
func TestFieldsOnEachPath(t *testing.T) {
	clock := versotest.NewClock(conformance.Deprecated)
	api := conformance.Retiring(t, clock.Now)
	for contentType, handleError := range map[string]func(fiber.Ctx, *verso.Error, *verso.Answer) error{
		"application/problem+json": nil,
		"text/plain; charset=utf-8": func(_ fiber.Ctx, err *verso.Error, _ *verso.Answer) error { // Fiber's own error handler
			return fiber.NewError(err.StatusCode())
		},
	} {
		app := fiber.New()
		app.Use("/gzip", compress.New())
		app.Use("/etag", etag.New())
		app.Use(recoverer.New())
		v := versofiber.New(app, api, versofiber.Config{ErrorHandler: handleError})
		for path, handler := range map[string]fiber.Handler{
			"/users":   answerVersion,
			"/etag":    answerVersion,
			"/gzip":    func(c fiber.Ctx) error { return c.SendString(strings.Repeat("users ", 100)) },
			"/refuses": func(fiber.Ctx) error { return fiber.NewError(fiber.StatusUnprocessableEntity) },
			"/fails":   func(fiber.Ctx) error { return errors.New("handler") },
			"/panics":  func(fiber.Ctx) error { panic("handler") },
		} {
			v.Add([]string{fiber.MethodGet, fiber.MethodHead}, path, handler)
		}
		server := start(t, app)
		clock.Set(conformance.Deprecated)
		etagOfV1 := server.get(t, "/etag", "Api-Version", "v1").header.Get("ETag")

		ofV1, gone := conformance.FieldsOfV1, maps.Clone(conformance.FieldsOfV1)
		gone["Api-Version"], gone["Content-Type"] = nil, []string{contentType}
		closed, unknown := maps.Clone(gone), maps.Clone(gone)
		closed["Retry-After"], closed["Cache-Control"] = []string{"1800"}, []string{"no-store"}
		unknown["Deprecation"], unknown["Sunset"], unknown["Link"] = nil, nil, nil
		gone["Api-Deprecated-Versions"] = nil
		zipped, goneZipped := maps.Clone(ofV1), maps.Clone(gone)
		zipped["Vary"] = []string{"Api-Version,Accept-Encoding"}
		if handleError == nil { // Fiber's error handler runs after compress
			goneZipped["Vary"] = zipped["Vary"]
		}

		for _, test := range []struct {
			name, method, path, version string
			now                         time.Time
			status                      int
			want                        http.Header
		}{
			{"304 of Fiber", "GET", "/etag", "v1", conformance.Deprecated, 304, ofV1},
			{"4xx of the handler", "GET", "/refuses", "v1", conformance.Deprecated, 422, ofV1},
			{"4xx of the handler to HEAD", "HEAD", "/refuses", "v1", conformance.Deprecated, 422, ofV1},
			{"5xx of the handler", "GET", "/fails", "v1", conformance.Deprecated, 500, ofV1},
			{"panic", "GET", "/panics", "v1", conformance.Deprecated, 500, ofV1},
			{"unknown version", "GET", "/users", "v9", conformance.Deprecated, 400, unknown},
			{"gone", "GET", "/users", "v1", conformance.Sunset, 410, gone},
			{"brownout", "GET", "/users", "v1", conformance.Brownout.Add(30 * time.Minute), 410, closed},
			{"brownout with 503", "GET", "/users", "v1", conformance.Outage.Add(30 * time.Minute), 503, closed},
			{"gzip", "GET", "/gzip", "v1", conformance.Deprecated, 200, zipped},
			{"gzip, gone", "GET", "/gzip", "v1", conformance.Sunset, 410, goneZipped},
		} {
			t.Run(contentType+"/"+test.name, func(t *testing.T) {
				clock.Set(test.now)
				got := server.do(t, test.method, test.path, "Api-Version", test.version, "If-None-Match", etagOfV1, "Accept-Encoding", "gzip")
				assert.Equal(t, test.status, got.status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.header.Values(name), name)
				}
			})
		}
	}
}
