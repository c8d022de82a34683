package echotest

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// request sends a GET over a real connection and returns the status and the header.
func request(t *testing.T, handler http.Handler, path string, header ...string) (int, http.Header) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, response.Header
}

func TestLinkFindsEchosNames(t *testing.T) {
	e := newEcho()
	e.Use(New(e, verso.Must(scheme.NewURLPath("version", twoVersions))).Middleware())
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Params: verso.Params{"*": "a/b c.txt"}}))
	e.GET("/:version/ambiguous", answerLink(verso.Target{Name: "twice"}))
	e.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	add(t, e, "GET", "/:version/users/:id", answerVersion, "user")
	add(t, e, "PUT", "/:version/users/:id", answerVersion, "user")
	add(t, e, "GET", "/:version/files/*", answerVersion, "files")
	add(t, e, "GET", "/:version/one", answerVersion, "twice")
	add(t, e, "GET", "/:version/two", answerVersion, "twice")

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, e, http.MethodGet, "/v1/here", header).Body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, e, http.MethodGet, "/v2/files", header).Body)
	ambiguous := send(t, e, http.MethodGet, "/v1/ambiguous", header).Body
	assert.Contains(t, ambiguous, "/:version/one")
	assert.Contains(t, ambiguous, "/:version/two")
	assert.Contains(t, send(t, e, http.MethodGet, "/v1/late", header).Body, `no route is called "late"`)
	add(t, e, "GET", "/:version/added", answerVersion, "late")
	assert.Equal(t, "http://api.example.com/v1/added", send(t, e, http.MethodGet, "/v1/late", header).Body)
}

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
	for kind, handleError := range map[string]func(Context, *verso.Error, *verso.Answer) error{"problem": WriteProblem, "Echo's": nil} {
		e := newEcho()
		quiet(e)
		v := New(e, api, Config{ErrorHandler: handleError})
		e.Use(gzipWith(GzipConfig{Skipper: func(c Context) bool { return c.Path() != "/gzip" }}),
			recoverWith(RecoverConfig{DisablePrintStack: true}), v.Middleware())
		for path, handler := range map[string]HandlerFunc{
			"/gzip":    answerVersion,
			"/refuses": func(Context) error { return NewHTTPError(http.StatusUnprocessableEntity, "handler") },
			"/fails":   func(Context) error { return errors.New("handler") },
			"/panics":  func(Context) error { panic("handler") },
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
				assert.Equal(t, test.status, got.Status)
				for name, lines := range test.want {
					assert.Equal(t, lines, got.Header.Values(name), name)
				}
			})
		}
	}
}

// TestRouteNotFound: such a route of other code may answer before NotFound, and Echo's own for groups does not.
func TestRouteNotFound(t *testing.T) {
	e := newEcho()
	v := New(e, conformance.Retiring(t, func() time.Time { return conformance.Sunset }))
	e.Group("/own", func(next HandlerFunc) HandlerFunc { return next })
	v.GET("/users", answerVersion)
	e.HTTPErrorHandler = v.NotFound()
	hidden := func() (found []string) {
		for _, f := range v.Explain().Findings {
			if f.Code == "not_found_hidden" {
				found = append(found, f.Message)
			}
		}
		return found
	}
	assert.Equal(t, http.StatusGone, send(t, e, http.MethodGet, "/deleted", http.Header{"Api-Version": {"v1"}}).Status)
	assert.Empty(t, hidden())
	passes := false
	e.RouteNotFound("/*", func(c Context) error {
		if passes {
			return ErrNotFound
		}
		return c.NoContent(http.StatusNotFound)
	})
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/deleted", http.Header{"Api-Version": {"v1"}}).Status)
	assert.Len(t, hidden(), 1)
	assert.Contains(t, hidden()[0], `"/*"`)
	assert.Contains(t, hidden()[0], "only if its handler returns the framework's own 404")
	passes = true
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/deleted", http.Header{"Api-Version": {"v2"}}).Status)
	assert.Len(t, hidden(), 1, "such a request shows nothing")
	assert.Equal(t, http.StatusGone, send(t, e, http.MethodGet, "/deleted", http.Header{"Api-Version": {"v1"}}).Status)
	assert.Empty(t, hidden())
}

// TestRouteNotFoundAtARoute: Echo's 404 passes untouched also where a route of another method has its path.
func TestRouteNotFoundAtARoute(t *testing.T) {
	through := func(next HandlerFunc) HandlerFunc { return next }
	for name, group := range map[string]func(e *Echo, v *Routes) *Group{
		"Middleware": func(e *Echo, v *Routes) *Group { e.Use(v.Middleware()); return e.Group("/files", through) },
		"EchoGroup":  func(_ *Echo, v *Routes) *Group { return v.EchoGroup("/files", through) },
	} {
		e := newEcho()
		group(e, New(e, conformance.Retiring(t, time.Now))).GET("/*", answerVersion)
		assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodPost, "/files/a", nil).Status, name)
		assert.Equal(t, http.StatusBadRequest, send(t, e, http.MethodGet, "/files/a", nil).Status, name)
	}
}

// TestFilesBesideAPrefix: files beside a path prefix are served without a version, and not rejected
// like a request without a header.
func TestFilesBesideAPrefix(t *testing.T) {
	for name, test := range map[string]struct {
		api   *verso.Versioning
		found bool
	}{
		"a prefix": {verso.MustNew(verso.PathPrefix("/api/{version}"), twoVersions), false},
		"a header": {verso.MustNew(verso.Header("Api-Version"), twoVersions), true},
	} {
		e := newEcho()
		v := New(e, test.api)
		e.Use(v.Middleware())
		e.GET("/*", saying("file"))
		e.GET("/api/v1/users", saying("users"))
		e.GET("/api/v2/users", saying("users"))
		found := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "files_checked" })
		assert.Equal(t, test.found, found, name)
		got := send(t, e, http.MethodGet, "/hello.txt", nil)
		assert.Equal(t, test.found, got.Status != http.StatusOK, name)
	}
}

// TestRouteNotFoundOfVersions: one in the group of a version takes the requests for its deleted routes.
func TestRouteNotFoundOfVersions(t *testing.T) {
	for name, test := range map[string]struct {
		from        source.Source
		group, path string
		found       bool
	}{
		"a parameter":       {verso.PathParam("version"), "/:version", "/:version/users", true},
		"a prefix":          {verso.PathPrefix("/{version}"), "/v1", "/v1/users", true},
		"what is no prefix": {verso.PathPrefix("/{version}"), "/ui", "/v1/users", false},
	} {
		e := newEcho()
		v := New(e, verso.MustNew(test.from, verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone,
			Versions: []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2026-01-01")}, {Version: "v2"}}})}))
		v.GET(test.path, answerVersion)
		e.HTTPErrorHandler = v.NotFound()
		e.Group(test.group).RouteNotFound("/*", answerVersion)
		found := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_found_hidden" })
		assert.Equal(t, test.found, found, name)
	}
}

// Middleware that no route is behind is found: it answers requests by itself, in any version, or lacks its routes.
func TestUseWithoutRoutes(t *testing.T) {
	pass := func(next HandlerFunc) HandlerFunc { return next }
	for name, test := range map[string]struct {
		register func(v *Routes)
		isFound  bool
	}{
		"no routes":       {func(v *Routes) { v.Group("/{version}").Use(pass) }, true},
		"routes before":   {func(v *Routes) { g := v.Group("/api"); g.GET("/users", answerVersion); g.Use(pass) }, true},
		"of each version": {func(v *Routes) { v.EachVersion().Group("/api").Use(pass) }, true},
		"routes after":    {func(v *Routes) { g := v.EachVersion(); g.Use(pass); g.Group("/api").GET("/users", answerVersion) }, false},
		"the root":        {func(v *Routes) { v.Use(pass) }, false},
	} {
		v := New(newEcho(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
		test.register(v)
		found := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "option_unused" })
		assert.Equal(t, test.isFound, found, name)
	}
}
