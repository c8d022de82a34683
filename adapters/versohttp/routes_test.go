package versohttp_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// TestNamespaceOfAWholeHandler puts all that another mux serves into a version.
func TestNamespaceOfAWholeHandler(t *testing.T) {
	inner := http.NewServeMux()
	inner.HandleFunc("GET /users", answerVersion)
	mux := newRoutes(verso.Must(scheme.NewNamespace(twoVersions)))
	mux.Namespace("v1").Handle("/v1/", http.StripPrefix("/v1", inner))
	assert.Equal(t, "v1", send(t, mux, http.MethodGet, "/v1/users", nil).Body)
}

func TestMuxInAMux(t *testing.T) {
	inner := newRoutes(verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	inner.Name("here").HandleFunc("GET /{version}/here", answerLink(verso.Target{Name: "here", Params: verso.Params{"version": "x"}}))
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
	mux.Handle("/{version}/", inner)
	assert.Equal(t, http.StatusNotFound, send(t, mux, http.MethodGet, "/v9/here", nil).Status, "the outer scheme rejects")
	header := http.Header{"Host": {"example.com"}}
	assert.Equal(t, "http://example.com/x/here?version=v1", send(t, mux, http.MethodGet, "/v2/here?version=v1", header).Body,
		"the inner scheme determines and links")
}

func TestGroups(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
	group := mux.Group("/{version}")
	group.HandleFunc("GET /{$}", answerVersion)
	group.HandleFunc("/any", answerVersion)
	group.HandleFunc("one.example/hosted", answerVersion)
	group.Group("/deep").HandleFunc("GET  two.example/hosted", answerVersion)
	for _, test := range []struct{ host, target, want string }{
		{"any.example", "/v2/", "v2"},
		{"any.example", "/v2/any", "v2"},
		{"one.example:8080", "/v2/hosted", "v2"},
		{"two.example", "/v2/deep/hosted", "v2"},
		{"any.example", "/v2/hosted", "404 page not found\n"},
	} {
		assert.Equal(t, test.want, send(t, mux, http.MethodGet, test.target, http.Header{"Host": {test.host}}).Body, test.target)
	}
	own := mux.Group("/{version}/own")
	own.HandleFunc("GET ", answerVersion)
	own.HandleVersions("POST", versohttp.Handlers{"v2": answerVersion})
	mux.Group("/{version}/all").HandleFunc("", answerVersion)
	for request, want := range map[string]conformance.Answer{
		"GET /v1/own": {Status: 200, Body: "v1"}, "POST /v2/own": {Status: 200, Body: "v2"}, "PUT /v1/all": {Status: 200, Body: "v1"},
		"PUT /v1/own": {Status: 405}, "GET /v1/own/x": {Status: 404},
	} {
		method, target, _ := strings.Cut(request, " ")
		got := send(t, mux, method, target, nil)
		assert.True(t, got.Status == want.Status && (want.Body == "" || got.Body == want.Body), "%s: %d %s", request, got.Status, got.Body)
	}
	for _, prefix := range []string{"v1", "/", "/v1/"} {
		assert.Panics(t, func() { mux.Group(prefix) }, prefix)
	}
	assert.Panics(t, func() { mux.Group("", nil).HandleFunc("GET /nil", answerVersion) })
}

// routeSource is a source that reads what is known of the matched route.
type routeSource struct{ source.Source }

func (routeSource) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	matched := r.Route()
	if matched == nil {
		return source.Reading{Outcome: source.Found, Text: "none"}
	}
	return source.Reading{
		Outcome: source.Found,
		Text:    strings.Join([]string{matched.Name, matched.Host, matched.Method, matched.Path, matched.Pattern.Shape()}, ","),
	}
}

// TestMatchedRoute lets a source read the matched route.
func TestMatchedRoute(t *testing.T) {
	api := verso.MustNew(routeSource{verso.Header("Api-Version")}, anyVersion)
	mux := newRoutes(api)
	group := mux.Namespace("api").Group("/v1").Namespace("v1")
	group.Name("user").HandleFunc("GET \t one.example/users/{id}", answerVersion)
	group.HandleFunc("/files/{path...}", answerVersion)
	mux.HandleFunc("POST /{$}", answerVersion)
	mux.HandleFunc("GET /own", answerVersion)
	alone := http.NewServeMux()
	alone.Handle("GET any.example/alone", middleware(api)(http.HandlerFunc(answerVersion)))
	alone.Handle("/", mux)
	for _, test := range []struct{ host, method, target, want string }{
		{"one.example", http.MethodGet, "/v1/users/7", "api:v1:user,one.example,GET,/v1/users/{id},/v1/users/{}"},
		{"any.example", http.MethodPut, "/v1/files/a", "api:v1:,,,/v1/files/{path...},/v1/files/{*}"},
		{"any.example", http.MethodPost, "/", ",,POST,/{$},/"},
		{"any.example", http.MethodHead, "/own", ""},
		{"any.example", http.MethodGet, "/alone", ",any.example,GET,/alone,/alone"},
	} {
		assert.Equal(t, test.want, send(t, alone, test.method, test.target, http.Header{"Host": {test.host}}).Body)
	}
}

func TestRegistrationPanicsAsServeMux(t *testing.T) {
	serveMux := http.NewServeMux()
	mux := versohttp.New(serveMux, verso.Must(scheme.NewURLPath("version", twoVersions)))
	group := mux.Group("/v1")
	group.HandleFunc("GET /users", answerVersion)
	for name, register := range map[string]func(){
		"no pattern":                       func() { mux.HandleFunc("", answerVersion) },
		"a wildcard within a segment":      func() { mux.HandleFunc("/users/{id}.json", answerVersion) },
		"the same pattern":                 func() { mux.HandleFunc("GET /v1/users", answerVersion) },
		"the same pattern as the ServeMux": func() { serveMux.HandleFunc("GET /own", answerVersion); mux.HandleFunc("GET /own", answerVersion) },
		"linked only, without a name":      func() { mux.LinkOnly("/users") },
		"linked only, without a path":      func() { mux.Name("x").LinkOnly("users") },
		"linked only, by a broken pattern": func() { mux.Name("x").LinkOnly("/users/{id}.json") },
	} {
		assert.Panics(t, register, name)
	}
	assert.PanicsWithError(t, `parsing "users": at offset 0: host/path missing /`, func() { group.HandleFunc("users", answerVersion) })
}

// TestPageHidesNotFound: a page for all paths answers requests for the deleted routes of an ended version.
func TestPageHidesNotFound(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	for name, test := range map[string]struct {
		add   func(mux *http.ServeMux, v *versohttp.Routes)
		found bool
	}{
		"a page":         {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("/", page) }, true},
		"of a method":    {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("GET /", page) }, true},
		"of a wildcard":  {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("GET /{page...}", page) }, true},
		"none":           {func(*http.ServeMux, *versohttp.Routes) {}, false},
		"the first page": {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("/{$}", page) }, false},
		"a page beside":  {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("/ui/", page) }, false},
		"below the API":  {func(mux *http.ServeMux, _ *versohttp.Routes) { mux.Handle("/api/", page) }, true},
		"below it, inside NotFound": {func(mux *http.ServeMux, v *versohttp.Routes) {
			mux.Handle("GET /api/{rest...}", v.NotFound()(page))
		}, false},
		"inside NotFound": {func(mux *http.ServeMux, v *versohttp.Routes) { mux.Handle("/", v.NotFound()(page)) }, false},
		"and what is below": {func(mux *http.ServeMux, v *versohttp.Routes) {
			mux.Handle("/", page)
			v.Handle("/api/v1/{rest...}", http.NotFoundHandler())
			v.Handle("/api/v2/{rest...}", http.NotFoundHandler())
		}, false},
		"and what is below, as a subtree": {func(mux *http.ServeMux, v *versohttp.Routes) {
			mux.Handle("/", page)
			v.Handle("/api/v1/", http.NotFoundHandler())
			v.Handle("/api/v2/", http.NotFoundHandler())
		}, false},
	} {
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
			Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone,
				Versions: []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2099-01-01")}, {Version: "v2"}}}),
		}))
		v.HandleFunc("GET /api/v2/tags", page)
		test.add(mux, v)
		i := slices.IndexFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_found_hidden" })
		assert.Equal(t, test.found, i >= 0, name)
	}
}

// TestUncheckedBelowAVersion: a pattern for all paths of a version is told, also if v has no route there.
func TestUncheckedBelowAVersion(t *testing.T) {
	for pattern, found := range map[string]bool{"/v1/": true, "/v1/{rest...}": true, "/v9/": false, "/": false, "/ui/": false} {
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
		v.HandleFunc("GET /v2/users/{id}", answerVersion)
		mux.HandleFunc(pattern, answerVersion)
		assert.Equal(t, found, slices.ContainsFunc(v.Explain().Findings,
			func(f verso.Finding) bool { return f.Code == "unchecked_versioned" }), pattern)
	}
}

// TestUncheckedBeside: Explain asks the ServeMux for routes of other code in the places of those of v.
func TestUncheckedBeside(t *testing.T) {
	listed := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	for name, test := range map[string]struct {
		pattern string
		found   bool
		config  verso.Config
	}{
		"of another method":        {"POST /{version}/users/{id}", true, listed},
		"of every method":          {"/{version}/users/{id}", true, listed},
		"of a version":             {"GET /v1/users/{id}", true, listed},
		"of the coming version":    {"GET /v3/users/{id}", true, listed},
		"of a later version":       {"GET /v5/users/{id}", false, listed}, // Explain does not ask for it
		"of other hosts":           {"GET /{version}/rooms", true, listed},
		"of one host":              {"GET b.example.com/{version}/users/{id}", false, listed},
		"of a file":                {"GET /users/{id}", false, listed},
		"of another method in any": {"POST /{version}/users/{id}", true, verso.Config{AnyVersion: true}},
		"of a page for all paths":  {"/", false, listed},
	} {
		for _, middleware := range []bool{false, true} {
			mux := http.NewServeMux()
			v := versohttp.New(mux, verso.MustNew(verso.PathParam("version"), test.config))
			v.HandleFunc("GET /{version}/users/{id}", answerVersion)
			v.HandleFunc("GET a.example.com/{version}/rooms", answerVersion)
			mux.HandleFunc(test.pattern, answerVersion)
			if middleware {
				v.Middleware()(mux)
			}
			found := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "unchecked_versioned" })
			assert.Equal(t, test.found && !middleware, found, name)
		}
	}
}
