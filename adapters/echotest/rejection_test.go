package echotest

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	// Without the middleware, the answers are Echo's own.
	prepare := func(e *Echo, install bool) *Echo {
		mw := check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
		if install {
			e.Use(mw)
		}
		e.GET("/users", answerVersion)
		e.GET("/users/:id", answerVersion)
		e.PUT("/users/:other", answerVersion)
		e.RouteNotFound("/own/*", func(c Context) error { return c.String(http.StatusTeapot, "own") })
		group := e.Group("/group")
		group.Use(requestID()) // registers RouteNotFound routes
		if install {
			group.Use(mw)
		}
		group.GET("/users", answerVersion)
		return e
	}
	for _, test := range []struct {
		name, method, target string
		status               int
	}{
		{"not found", http.MethodGet, "/nowhere", http.StatusNotFound},
		{"method not allowed", http.MethodPost, "/users", http.StatusMethodNotAllowed},
		{"method not allowed, with parameters", http.MethodPost, "/users/7", http.StatusMethodNotAllowed},
		{"HEAD is not GET", http.MethodHead, "/users/7", http.StatusMethodNotAllowed},
		{"automatic OPTIONS", http.MethodOptions, "/users", http.StatusNoContent},
		{"not found under a group with middleware", http.MethodGet, "/group/nowhere", http.StatusNotFound},
		{"the group itself", http.MethodGet, "/group", http.StatusNotFound},
		{"wrong method under a group with middleware", http.MethodPost, "/group/users", http.StatusNotFound},
		{"a RouteNotFound route", http.MethodGet, "/own/x", http.StatusTeapot},
		{"unknown method", "BREW", "/users", http.StatusMethodNotAllowed},
		{"a method that Echo uses itself", RouteNotFound, "/own/x", http.StatusTeapot},
	} {
		for name, router := range routers {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				want := send(t, prepare(router(), false), test.method, test.target, v9)
				got := send(t, prepare(router(), true), test.method, test.target, v9)
				assert.Equal(t, test.status, want.Status, "what Echo itself answers")
				assert.Equal(t, want.Status, got.Status)
				assert.Equal(t, want.Body, got.Body)
				for _, header := range []http.Header{want.Header, got.Header} { // differ from request to request
					header.Del("Date")
					header.Del(HeaderXRequestID)
				}
				assert.Equal(t, want.Header, got.Header)
			})
		}
	}
	assert.Equal(t, http.StatusNotAcceptable, send(t, prepare(newEcho(), true), http.MethodGet, "/group/users", v9).Status,
		"a matched route of the group is versioned")
}

// A response that middleware has begun is left alone, whatever version the request names.
func TestNotFoundAfterABegunResponse(t *testing.T) {
	e, observed := newEcho(), 0
	config := twoVersions
	config.Observe = func(context.Context, verso.Observation) { observed++ }
	v := New(e, verso.Must(scheme.NewAcceptHeader("version", config)), Config{
		ErrorHandler: func(c Context, _ *verso.Error, _ *verso.Answer) error { return c.String(http.StatusTeapot, "rejected") },
	})
	e.HTTPErrorHandler = v.NotFound()
	e.Use(func(HandlerFunc) HandlerFunc {
		return func(c Context) error {
			_ = c.String(http.StatusOK, "begun")
			return ErrNotFound
		}
	})
	got := send(t, e, http.MethodGet, "/nowhere", v9)
	assert.Equal(t, "begun", got.Body)
	assert.Equal(t, http.StatusOK, got.Status)
	assert.Zero(t, observed)
}

// An error handler that calls NotFound does not call itself for ever.
func TestErrorHandlerCallsNotFound(t *testing.T) {
	e := newEcho()
	v := New(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
	callNotFound(e, v)
	v.GET("/users", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/nowhere", nil).Status)
	assert.Equal(t, http.StatusNotAcceptable, send(t, e, http.MethodGet, "/nowhere", v9).Status)
	assert.Equal(t, http.StatusNotAcceptable, send(t, e, http.MethodGet, "/users", v9).Status)
}

func TestProgrammingErrorIsNotShown(t *testing.T) {
	secret := errors.New("secret")
	for name, test := range map[string]struct {
		api  *verso.Versioning
		want error
	}{
		"no source":         {verso.Must(scheme.NewBase("MyVersioning", verso.Config{})), verso.ErrNotImplemented},
		"source that fails": {verso.MustNew(failing{verso.QueryParam("version"), secret}, verso.Config{}), secret},
		"error with a status": {
			verso.MustNew(failing{verso.QueryParam("version"), NewHTTPError(http.StatusTeapot, "secret")}, verso.Config{}), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEcho()
			var seen error
			onError(e, func(err error) { seen = err })
			e.Use(check(e, test.api))
			e.GET("/", answerVersion)
			got := send(t, e, http.MethodGet, "/", nil)
			assert.Equal(t, http.StatusInternalServerError, got.Status)
			assert.JSONEq(t, `{"message": "Internal Server Error"}`, got.Body)
			if test.want != nil {
				assert.ErrorIs(t, seen, test.want)
			}
			var he *HTTPError
			require.ErrorAs(t, seen, &he)
			assert.Equal(t, http.StatusInternalServerError, he.Code, "what an error handler of one's own finds first")
		})
	}
}

// failing is a source that cannot read.
type failing struct {
	source.Source
	err error
}

func (s failing) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{Outcome: source.Failed, Err: s.err}
}

func TestErrorHandlerThatAnswersNothing(t *testing.T) {
	e := newEcho()
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), Config{
		ErrorHandler: func(Context, *verso.Error, *verso.Answer) error { return nil },
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusNotFound, got.Status)
	assert.Contains(t, got.Body, "invalid_query_parameter_version")
}

func TestBegunResponseIsNotWrittenAgain(t *testing.T) {
	for name, handler := range map[string]func(Context, *verso.Error, *verso.Answer) error{
		"default": nil, "WriteProblem": WriteProblem,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEcho()
			e.Use(func(next HandlerFunc) HandlerFunc {
				return func(c Context) error {
					_ = c.String(http.StatusAccepted, "begun")
					err := next(c)
					var rejected *verso.Error
					assert.True(t, errors.As(err, &rejected))
					return err
				}
			})
			e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), Config{ErrorHandler: handler}))
			e.GET("/", answerVersion)
			got := send(t, e, http.MethodGet, "/?version=v9", nil)
			assert.Equal(t, http.StatusAccepted, got.Status)
			assert.Equal(t, "begun", got.Body)
		})
	}
}

// TestFaultsOfTheUser lets what the configuration of the middleware has fail, with and
// without Recover before it.
func TestFaultsOfTheUser(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", twoVersions))
	for _, test := range []struct {
		name   string
		config Config
		target string
	}{
		{name: "skipper panics", target: "/users?version=v1&fault", config: Config{
			Skipper: func(c Context) bool {
				if c.QueryParams().Has("fault") {
					panic("skipper")
				}
				return false
			},
		}},
		{name: "error handler panics", target: "/users?version=v9", config: Config{
			ErrorHandler: func(Context, *verso.Error, *verso.Answer) error { panic("error handler") },
		}},
		{name: "error handler errs", target: "/users?version=v9", config: Config{
			ErrorHandler: func(Context, *verso.Error, *verso.Answer) error { return errors.New("secret") },
		}},
	} {
		for name, recovers := range map[string]bool{"with Recover": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := newEcho()
				quiet(e)
				if recovers {
					e.Use(recoverWith(RecoverConfig{DisablePrintStack: true}))
				}
				e.Use(check(e, api, test.config))
				add(t, e, "GET", "/users", answerLink(verso.Target{Name: "users"}), "users")
				server := serve(t, e)
				for range 3 {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.target, nil)
					require.NoError(t, err)
					response, err := server.Client().Do(r)
					if err == nil {
						response.Body.Close()
						assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
					} else {
						assert.False(t, recovers, "the connection breaks: %v", err)
					}
					assert.Equal(t, server.URL+"/users?version=v2", sendTo(t, server, http.MethodGet, "/users?version=v2", nil, nil).Body)
				}
			})
		}
	}
}

// serve serves e on a loopback port in HTTP/1.1.
func serve(t *testing.T, e *Echo) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(e)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}
