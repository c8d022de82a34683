package echotest

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestErrorsAfterAnAnswer: the handler of errors is not called for a response that has begun, since
// it need not look at Response.Committed, and middleware outside reads the size of what is sent.
func TestErrorsAfterAnAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		version string
		handle  HandlerFunc
		calls   int // of which Echo makes one for an error that is returned
		status  int
	}{
		"begun": {"v1", func(c Context) error {
			_ = c.String(http.StatusOK, "begun ")
			return errors.New("late")
		}, 1, 200},
		"not rewritten": {"v1", func(c Context) error { return c.String(http.StatusOK, "cannot") }, 2, 500},
		"rejected":      {"v9", saying("served"), 0, 200},
		"panics": {"v2", func(c Context) error {
			_ = c.String(http.StatusOK, "begun ")
			panic("boom")
		}, 1, 200},
		"panics, and nothing is sent": {"v1", func(c Context) error {
			_ = c.String(http.StatusOK, "begun ")
			panic("boom")
		}, callsOfPanic, 500},
	} {
		t.Run(name, func(t *testing.T) {
			e, calls, sizes := newEcho(), 0, []int64{}
			quiet(e)
			v := New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions), Config{
				ErrorHandler: func(c Context, _ *verso.Error, _ *verso.Answer) error { return c.String(http.StatusOK, "rejected") },
			})
			onError(e, func(error) { calls++ })
			size := func(next HandlerFunc) HandlerFunc {
				return func(c Context) error {
					err := next(c)
					sizes = append(sizes, sizeOf(c))
					return err
				}
			}
			e.Use(size, v.RewriteErrors(), size, recoverWith(RecoverConfig{}))
			v.Rewrite(new(conformance.Shouting)).Register(func(g *Group) { g.GET("/", test.handle) })
			got := send(t, e, http.MethodGet, "/", http.Header{"Api-Version": {test.version}})
			assert.Equal(t, test.status, got.Status, got.Body)
			assert.Equal(t, test.calls, calls)
			require.Len(t, sizes, 2)
			assert.EqualValues(t, len(got.Body), sizes[1], "outside")
			assert.LessOrEqual(t, sizes[0], sizes[1], "inside")
			if name == "panics, and nothing is sent" {
				assert.NotEqualValues(t, len("begun "), sizes[0], "inside")
			}
		})
	}
}

// TestNotFoundOfAHandler: the error of a handler is its own, whatever version the request has.
func TestNotFoundOfAHandler(t *testing.T) {
	e := newEcho()
	v := New(e, strictQuery())
	v.POST("/users", answerVersion)
	v.Neutral().GET("/users", func(Context) error { return ErrNotFound })
	e.HTTPErrorHandler = v.NotFound()
	want(t, e, http.MethodGet, "/users?version=v9", nil, http.StatusNotFound, `{"message":"Not Found"}`)
	want(t, e, http.MethodPut, "/users?version=v9", nil, http.StatusNotFound, "invalid_query_parameter_version")
}

// TestALostVersion: a middleware that loses the version does not give an older client the newest form.
func TestALostVersion(t *testing.T) {
	e := newEcho()
	quiet(e)
	v := New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	lose := func(next HandlerFunc) HandlerFunc {
		return func(c Context) error { return next(e.NewContext(c.Request(), c.Response())) }
	}
	v.AfterCheck(lose).Rewrite(new(conformance.Shouting)).GET("/", saying("the newest form"))
	want(t, e, http.MethodGet, "/", http.Header{"Api-Version": {"v1"}}, http.StatusInternalServerError, "Internal Server Error")
}

// TestCompressionInside: a body compressed inside RewriteErrors cannot be rewritten. The answer
// is not compressed, and goes to no writer of compression after its end: another response has it by then.
func TestCompressionInside(t *testing.T) {
	const long = 30_000
	for name, test := range map[string]struct {
		inside bool // of the route
		handle HandlerFunc
		status int
	}{
		"a body":                  {false, func(c Context) error { return c.String(http.StatusOK, strings.Repeat("s", long)) }, 500},
		"a body, inside Rewrite":  {true, func(c Context) error { return c.String(http.StatusOK, strings.Repeat("s", long)) }, 500},
		"an error":                {false, func(Context) error { return ErrUnauthorized }, 401},
		"a panic in front":        {false, func(Context) error { panic("boom") }, 500},
		"a panic in the middle":   {false, func(c Context) error { _ = c.String(http.StatusOK, strings.Repeat("s", long)); panic("boom") }, 500},
		"an error, inside":        {true, func(Context) error { return ErrUnauthorized }, 401},
		"a panic, inside Rewrite": {true, func(c Context) error { _ = c.String(http.StatusOK, strings.Repeat("s", long)); panic("boom") }, 500},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEcho()
			quiet(e)
			v := New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions))
			e.Use(v.RewriteErrors(), recoverWith(RecoverConfig{}))
			zipped := gzipWith(GzipConfig{})
			if test.inside {
				v.Rewrite(new(conformance.Shouting)).AfterCheck(zipped).GET("/", test.handle)
			} else {
				v.AfterCheck(zipped).Rewrite(new(conformance.Shouting)).GET("/", test.handle)
			}
			v.AfterCheck(zipped).GET("/other", func(c Context) error { return c.String(http.StatusOK, strings.Repeat("b", long)) })
			var all sync.WaitGroup
			for i := range 40 {
				all.Go(func() {
					path, want := "/", test.status
					if i%2 == 1 {
						path, want = "/other", 200
					}
					for range 10 {
						r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
						r.Header = http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}}
						w := httptest.NewRecorder()
						e.ServeHTTP(w, r)
						assert.Equal(t, want, w.Code)
						if path == "/" {
							assert.Empty(t, w.Header().Get("Content-Encoding"))
							assert.Contains(t, strings.ToLower(w.Body.String()), `{"`)
							continue
						}
						z, err := gzip.NewReader(w.Body)
						if assert.NoError(t, err) {
							text, err := io.ReadAll(z)
							assert.NoError(t, err)
							assert.Equal(t, long, strings.Count(string(text), "b"))
							assert.Len(t, text, long)
						}
					}
				})
			}
			all.Wait()
		})
	}
}
