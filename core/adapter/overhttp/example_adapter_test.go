package overhttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// router serves exact paths. It has neither methods nor path parameters.
type router map[string]http.Handler

func (t router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if handler, ok := t[r.URL.Path]; ok {
		handler.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}

// PathParam and Routes are what a binding asks of the router.
func (router) PathParam(any, string) (value string, ok bool) { return "", false }

func (t router) Routes() (all []adapter.Listed) {
	for path := range t {
		all = append(all, adapter.Listed{Route: route.Route{Path: path, Pattern: route.Braces(path)}})
	}
	return all
}

// routes registers routes of a router that have a version check.
type routes struct {
	over   overhttp.Group
	router router
}

func (v *routes) with(group adapter.Group[overhttp.Middleware]) *routes {
	return &routes{overhttp.Group{Adapter: v.over.Adapter, Group: group}, v.router}
}

// These are the verbs of the adapter.

func (v *routes) Name(name string) *routes     { return v.with(v.over.Name(name)) }
func (v *routes) Since(version string) *routes { return v.with(v.over.With(verso.Since(version))) }
func (v *routes) EachVersion() *routes         { return v.with(v.over.EachVersion().Tracked()) }

func (v *routes) Handle(path string, handler http.HandlerFunc) {
	v.add(path, v.over.Handler(path, handler))
}

func (v *routes) HandleVersions(path string, handlers verso.Handlers[http.HandlerFunc]) {
	group, pick := overhttp.Versions(v.over, path, handlers)
	v.with(group).add(path, pick)
}

func (v *routes) add(path string, pick overhttp.Pick) {
	var at route.Route
	var forms []string
	forms, at.RegisteredPath = v.over.Forms(path, path)
	for _, at.Path = range forms {
		at.Pattern = route.Braces(at.Path)
		v.router[at.Path] = v.over.Add(path, at, pick)
	}
}

func (v *routes) NotFound(next http.Handler) http.Handler {
	v.over.Need("NotFound", next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v.router[r.URL.Path] == nil {
			if _, rejected := v.over.Unmatched(w, r); rejected {
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// An adapter for a router over net/http registers its routes with a [Group].
func Example() {
	api := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Sunset: catalogue.MustDate("2021-01-01")}, {Version: "v2"}, {Version: "v3"},
		},
		AfterSunset: catalogue.Gone,
	})})
	t := make(router)
	v := &routes{overhttp.New("myadapter", api, t, overhttp.Config{}), t}
	each := v.EachVersion()
	each.Name("users").Handle("/users", func(w http.ResponseWriter, r *http.Request) {
		url, err := overhttp.Link(r, verso.Target{Name: "users"})
		_, _ = fmt.Fprintln(w, overhttp.Result(r).Version(), url, err)
	})
	each.Since("v2").HandleVersions("/search", verso.Handlers[http.HandlerFunc]{
		"v2": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "the search of v2") },
		"v3": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "the search of v3") },
	})
	handler := v.NotFound(t)

	for _, path := range []string{"/v2/users", "/v3/search", "/v1/deleted", "/favicon.ico"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		var problem struct{ Detail string }
		if json.Unmarshal(w.Body.Bytes(), &problem) == nil {
			fmt.Println(path, w.Code, problem.Detail)
			continue
		}
		fmt.Print(path, " ", w.Code, " ", w.Body)
	}
	// Output:
	// /v2/users 200 v2 http://example.com/v2/users <nil>
	// /v3/search 200 the search of v3
	// /v1/deleted 410 This API version has ended.
	// /favicon.ico 404 404 page not found
}
