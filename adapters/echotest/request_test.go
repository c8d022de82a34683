package echotest

import (
	"bytes"
	"log/slog"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// Echo's last parameter takes slashes.
func TestVersionInTheLastSegment(t *testing.T) {
	for _, test := range []struct {
		config verso.Config
		target string
		status int
		body   string
	}{
		{twoVersions, "/users/v2", http.StatusOK, "v2"},
		{twoVersions, "/users/v2/x/y", http.StatusNotFound, ""},
		{verso.Config{AnyVersion: true}, "/users/v2/x/y", http.StatusOK, "v2/x/y"},
	} {
		e := newEcho()
		e.Use(New(e, verso.Must(scheme.NewURLPath("version", test.config))).Middleware())
		e.GET("/users/:version", answerVersion)
		got := send(t, e, http.MethodGet, test.target, nil)
		assert.Equal(t, test.status, got.Status, test.target)
		if test.body != "" {
			assert.Equal(t, test.body, got.Body)
		}
	}
}

// TestMiddlewareOfAnotherInstance fails closed.
func TestMiddlewareOfAnotherInstance(t *testing.T) {
	e, other := newEcho(), newEcho()
	other.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	var seen error
	onError(other, func(err error) { seen = err })
	add(t, other, "GET", "/users", answerVersion, "v1:users")
	assert.Equal(t, http.StatusInternalServerError, send(t, other, http.MethodGet, "/users", nil).Status)
	assert.ErrorContains(t, seen, "make one with New for this one")
}

// TestRetriedRequest has middleware that tries a rejected request again, in another version: it is decided anew.
func TestRetriedRequest(t *testing.T) {
	e := newEcho()
	e.Use(func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			if next(c) == nil {
				return nil
			}
			c.Request().Header.Set("Api-Version", "v1")
			return next(c)
		}
	}, check(e, verso.MustNew(verso.Header("Api-Version"), twoVersions)))
	e.GET("/users", answerVersion)
	want(t, e, http.MethodGet, "/users", http.Header{"Api-Version": {"v9"}}, http.StatusOK, "v1")
}

func TestCORSPreflight(t *testing.T) {
	cors := cors(CORSConfig{AllowOrigins: []string{"https://app.example"}})
	for name, vary := range map[string][]string{"CORS first": {"Origin, Accept"}, "Verso first": {"Accept", "Origin"}} {
		t.Run(name, func(t *testing.T) {
			e := newEcho()
			order := []MiddlewareFunc{cors, check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))}
			if name == "Verso first" {
				slices.Reverse(order)
			}
			e.Use(order...)
			e.GET("/", answerVersion)
			e.Any("/any", answerVersion) // a route for OPTIONS too
			for _, target := range []string{"/", "/any"} {
				preflight := send(t, e, http.MethodOptions, target, http.Header{
					"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"}, "Accept": {"*/*"},
				})
				assert.Equal(t, http.StatusNoContent, preflight.Status)
				assert.Equal(t, "https://app.example", preflight.Header.Get("Access-Control-Allow-Origin"))
			}

			got := send(t, e, http.MethodGet, "/", http.Header{
				"Origin": {"https://app.example"}, "Accept": {"application/json; version=v1"},
			})
			assert.Equal(t, "v1", got.Body)
			assert.Equal(t, vary, got.Header.Values("Vary"))
		})
	}
}

// TestUse adds middleware to the instance after its routes, and to a group before.
func TestUse(t *testing.T) {
	e := newEcho()
	v := New(e, strictQuery())
	group := v.Group("/g")
	group.Use(needs("A"))
	group.GET("/x", answerVersion)
	v.Use(needs("B"))
	for header, status := range map[string]int{"A": http.StatusUnauthorized, "B": http.StatusUnauthorized, "": http.StatusOK} {
		fields := http.Header{"A": {"x"}, "B": {"x"}}
		fields.Del(header)
		want(t, e, http.MethodGet, "/g/x?version=v2", fields, status, "")
	}
}

// TestRoutesIgnoreTheSkipper: what carries a check is checked.
func TestRoutesIgnoreTheSkipper(t *testing.T) {
	e := newEcho()
	v := New(e, strictQuery(), Config{Skipper: func(Context) bool { return true }})
	e.Use(v.Middleware())
	e.GET("/skipped", answerVersion)
	v.GET("/checked", answerVersion)
	v.HandleVersions(http.MethodGet, "/chosen", Handlers{"v1": saying("first")})
	want(t, e, http.MethodGet, "/skipped?version=v9", nil, http.StatusOK, "")
	want(t, e, http.MethodGet, "/checked?version=v9", nil, http.StatusNotFound, "")
	want(t, e, http.MethodGet, "/chosen?version=v2", nil, http.StatusOK, "first v2")
}

func TestPreIsSaidOnce(t *testing.T) {
	var log bytes.Buffer
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(previous)

	e := newEcho()
	e.Pre(check(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}}))))
	e.GET("/:version/users", saying("users"))
	for range 2 {
		status, _ := request(t, e, "/v9/users")
		assert.Equal(t, http.StatusOK, status)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("before_router")))
}

// TestMethodChangedAfter405: Echo has answered by the method that was sent.
func TestMethodChangedAfter405(t *testing.T) {
	e := newEcho()
	v := New(e, inHeader)
	e.Use(func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			c.Request().Method = http.MethodGet
			return next(c)
		}
	}, v.Middleware())
	e.GET("/x", answerVersion)
	assert.Equal(t, http.StatusMethodNotAllowed, send(t, e, http.MethodPost, "/x", asking("v9")).Status)
	assert.Equal(t, http.StatusBadRequest, send(t, e, http.MethodGet, "/x", asking("v9")).Status)
}

// TestMethodChangedToOptions: what Echo has matched is no preflight, whatever the request is made to be.
func TestMethodChangedToOptions(t *testing.T) {
	e := newEcho()
	group := New(e, inHeader).EchoGroup("/p", func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			c.Request().Method = http.MethodOptions
			return next(c)
		}
	})
	group.GET("/x", answerVersion)
	group.OPTIONS("/x", answerVersion)
	header := asking("v9")
	header.Set("Origin", "https://app.example")
	header.Set("Access-Control-Request-Method", "GET")
	assert.Equal(t, http.StatusBadRequest, send(t, e, http.MethodGet, "/p/x", header).Status)
}

// TestSharedHandlerInRegister: a preflight to a handler of several methods is checked as with Match.
func TestSharedHandlerInRegister(t *testing.T) {
	methods := []string{http.MethodGet, http.MethodOptions}
	statuses := make(map[string]int)
	for name, register := range map[string]func(v *Routes){
		"Match":    func(v *Routes) { v.Match(methods, "/x", answerVersion) },
		"Register": func(v *Routes) { v.Register(func(g *Group) { g.Match(methods, "/x", answerVersion) }) },
		"alone":    func(v *Routes) { v.Register(func(g *Group) { g.OPTIONS("/x", answerVersion) }) },
	} {
		e := newEcho()
		register(New(e, inHeader))
		header := asking("v9")
		header.Set("Origin", "https://app.example")
		header.Set("Access-Control-Request-Method", "GET")
		statuses[name] = send(t, e, http.MethodOptions, "/x", header).Status
	}
	assert.Equal(t, statuses["Match"], statuses["Register"])
	assert.NotEqual(t, statuses["alone"], statuses["Register"])
}
