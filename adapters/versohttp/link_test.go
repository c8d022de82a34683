package versohttp_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		link, err := versohttp.Link(r, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		_, _ = io.WriteString(w, link)
	}
}

func TestLinkOnHosts(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewQueryParameter("version", anyVersion)))
	users, shop := verso.Target{Name: "users"}, verso.Target{Name: "shop"}
	mux.HandleFunc("GET /here", answerLink(users))
	mux.HandleFunc("GET /elsewhere", answerLink(shop))
	mux.Name("users").HandleFunc("GET /users", answerVersion)
	mux.Name("users").HandleFunc("GET one.example/people", answerVersion)
	mux.Name("shop").HandleFunc("GET one.example/shop", answerVersion)
	mux.HandleFunc("GET /star", answerLink(verso.Target{Name: "star"}))
	mux.Name("star").HandleFunc("GET /caf%C3%A9*", answerVersion) // to a ServeMux a star is text
	for _, test := range []struct{ name, host, target, want string }{
		{"of any host", "any.example", "/here", "http://any.example/users"},
		{"the host's own", "one.example", "/here", "http://one.example/people"},
		{"another host's", "any.example", "/elsewhere", "http://one.example/shop"},
		{"a star at the end", "any.example", "/star", "http://any.example/caf%C3%A9%2A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, send(t, mux, http.MethodGet, test.target, http.Header{"Host": {test.host}}).Body)
		})
	}
}

func TestLinkOnly(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
	group := mux.Group("/{version}")
	group.Name("users").LinkOnly("/users")
	group.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
	group.HandleFunc("GET /here", answerLink(verso.Target{Name: "users"}))
	group.HandleFunc("GET /there", answerLink(verso.Target{Name: "avatar", Params: verso.Params{"id": 7}}))
	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users", send(t, mux, http.MethodGet, "/v1/here", header).Body)
	assert.Equal(t, "http://static.example.com/v2/avatars/7", send(t, mux, http.MethodGet, "/v2/there", header).Body)
	got := send(t, mux, http.MethodGet, "/v1/users", nil)
	assert.Equal(t, "404 page not found\n", got.Body, "it is not served")
	each := newRoutes(verso.MustNew(verso.PathPrefix("/api/{version}"), twoVersions)).EachVersion()
	each.Name("users").LinkOnly("/api/users")
	for _, version := range []string{"v1", "v2"} {
		url, err := each.Link(verso.Target{Name: "users", Version: verso.V(version)})
		assert.NoError(t, err)
		assert.Equal(t, "/api/"+version+"/users", url)
	}
}

func TestLinkWithoutNames(t *testing.T) {
	versioned := middleware(verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	got := send(t, versioned(answerLink(verso.Target{Name: "users"})), http.MethodGet, "/?version=v1", nil)
	assert.Contains(t, got.Body, `no route is called "users"`)
}

// TestLinksAskInVain builds links with an OriginFunc that asks for a path
// parameter that the request does not have: that is nobody's mistake.
func TestLinksAskInVain(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	config := twoVersions
	config.Links.OriginFunc = func(r source.Request) string {
		_, ok := r.PathParam("tenant")
		return fmt.Sprintf("https://%t.example.com", ok)
	}
	mux := newRoutes(verso.Must(scheme.NewQueryParameter("version", config)))
	mux.Name("users").HandleFunc("/users/", answerLink(verso.Target{Name: "users"}))
	assert.Equal(t, "https://false.example.com/users/?version=v1", send(t, mux, http.MethodGet, "/users/?version=v1", nil).Body)
	assert.Empty(t, log.String())
}

// Whatever the route and the parameters: a link leads to the route, whose handler
// sees these parameters, or there is no link.
func FuzzLink(f *testing.F) {
	f.Add("/users/{id}", "7", "")
	f.Add("/{version}/users/{id}", "v1", "a b+c%2F")
	f.Add("/files/{path...}", "a/b c/", "")
	f.Add("/a%2Fb/é/{version}/{$}", "!'()*", "\xff\x00?#")
	f.Add("/gr%C3%B6%C3%9Fe/{a}/{rest...}", "1+1", "../x")
	f.Add("/%zz/{a}/", ".", "..")
	f.Add("/{a}/*", "a", "")
	f.Add("/{a}/%41%2F*", "a", "")
	f.Add("//{a}/", "a", "")
	f.Fuzz(func(t *testing.T, pattern, first, second string) {
		plain, err := url.PathUnescape(pattern)
		if err != nil {
			plain = pattern
		}
		if !strings.HasPrefix(pattern, "/") || unclean.MatchString(plain) {
			return // a method, a host, or a route that the mux redirects away from
		}
		mux := newRoutes(verso.Must(scheme.NewURLPath("version", anyVersion)))
		conformance.CheckLink(t, mux, mux.Link, first, second, func(got func(map[string]string, verso.Version)) (names []string) {
			for _, match := range regexp.MustCompile(`\{([^{}]*?)(?:\.\.\.)?\}`).FindAllStringSubmatch(pattern, -1) {
				if match[1] != "$" {
					names = append(names, match[1])
				}
			}
			mux.Name("r").HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) {
				params := make(map[string]string)
				for _, name := range names {
					params[name] = r.PathValue(name)
				}
				got(params, versohttp.Version(r))
			})
			return names
		})
	})
}

// The successor of what a subtree serves is below the subtree of the successor. The query of the client is not in it.
func TestSuccessorLinkBelowASubtree(t *testing.T) {
	lives := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: catalogue.MustDate("2026-01-01"), Successor: "v2"}, {Version: "v2"}}, SuccessorLinks: true})
	config := verso.Config{Catalogue: lives, Clock: versotest.NewClock(time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)).Now, Links: verso.LinkConfig{Relative: true}}
	none := func(http.ResponseWriter, *http.Request) {}
	param, prefix := http.NewServeMux(), http.NewServeMux()
	routes := versohttp.New(param, verso.MustNew(verso.PathParam("version"), config))
	routes.HandleFunc("GET /{version}/static/{$}", none)
	routes.HandleFunc("GET /{version}/static/", none)
	routes.HandleFunc("GET /{version}/of/{user}/", none)
	routes.HandleFunc("GET /{version}/exact/{$}", none)
	versohttp.New(prefix, verso.MustNew(verso.PathPrefix("/{version}"), config)).EachVersion().HandleFunc("GET /static/", none)
	for _, test := range []struct {
		mux  http.Handler
		path string
	}{{param, "/static/"}, {param, "/static/a/b.css"}, {param, "/static/a/"}, {param, "/static/a%2Fb%20c"}, {param, "/exact/"}, {param, "/exact/%2F"}, {param, "/of/a%20b/c"}, {param, "/of/a%21b/c"}, {prefix, "/static/a/b.css"}} {
		w := httptest.NewRecorder()
		test.mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1"+test.path+"?page=2", nil))
		assert.Equal(t, "</v2"+strings.ReplaceAll(test.path, "%21", "!")+`>; rel="successor-version"`, w.Header().Get("Link"), test.path)
	}
}

// unclean paths are never served: the mux redirects to where they lead.
var unclean = regexp.MustCompile(`//|/\.\.?(/|$)`)

// registers reports whether a router takes a route, unless it panics.
func registers(register func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	register()
	return
}
