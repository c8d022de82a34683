package versogin_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// TestFields sends requests in v1 on the paths that only Gin has for a response:
// Recovery, and errors that a middleware answers centrally, rejections too.
func TestFields(t *testing.T) {
	clock := versotest.NewClock(conformance.Deprecated)
	api := conformance.Retiring(t, clock.Now)
	e := gin.New()
	v := versogin.New(e, api, versogin.WithErrorHandler(func(_ *gin.Context, err *verso.Error, _ *verso.Answer) error { return err }))
	e.Use(func(c *gin.Context) {
		c.Next()
		if len(c.Errors) > 0 && !c.Writer.Written() {
			c.JSON(-1, gin.H{})
		}
	}, gin.RecoveryWithWriter(io.Discard), v.Middleware())
	for path, handler := range map[string]gin.HandlerFunc{
		"/users":   answerVersion,
		"/refuses": func(c *gin.Context) { c.AbortWithStatus(http.StatusUnprocessableEntity) },
		"/fails": func(c *gin.Context) {
			c.Status(http.StatusInternalServerError)
			_ = c.Error(errors.New("handler"))
		},
		"/panics": func(*gin.Context) { panic("handler") },
	} {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
	}

	ofV1, gone := conformance.FieldsOfV1, maps.Clone(conformance.FieldsOfV1)
	gone["Api-Version"], gone["Content-Type"] = nil, []string{"application/json; charset=utf-8"}
	closed, unknown := maps.Clone(gone), maps.Clone(gone)
	closed["Retry-After"], closed["Cache-Control"] = []string{"1800"}, []string{"no-store"}
	unknown["Deprecation"], unknown["Sunset"], unknown["Link"] = nil, nil, nil
	gone["Api-Deprecated-Versions"] = nil

	for _, test := range []struct {
		name, method, path, version string
		now                         time.Time
		status                      int
		want                        http.Header
	}{
		{"4xx of the handler", "GET", "/refuses", "v1", conformance.Deprecated, 422, ofV1},
		{"4xx of the handler to HEAD", "HEAD", "/refuses", "v1", conformance.Deprecated, 422, ofV1},
		{"5xx of the handler", "GET", "/fails", "v1", conformance.Deprecated, 500, ofV1},
		{"panic", "GET", "/panics", "v1", conformance.Deprecated, 500, ofV1},
		{"unknown version", "GET", "/users", "v9", conformance.Deprecated, 400, unknown},
		{"unknown version, HEAD", "HEAD", "/users", "v9", conformance.Deprecated, 400, unknown},
		{"gone", "GET", "/users", "v1", conformance.Sunset, 410, gone},
		{"brownout", "GET", "/users", "v1", conformance.Brownout.Add(30 * time.Minute), 410, closed},
		{"brownout with 503", "GET", "/users", "v1", conformance.Outage.Add(30 * time.Minute), 503, closed},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock.Set(test.now)
			got := send(t, e, test.method, test.path, http.Header{"Api-Version": {test.version}})
			assert.Equal(t, test.status, got.status)
			for name, lines := range test.want {
				assert.Equal(t, lines, got.header.Values(name), name)
			}
		})
	}
}
