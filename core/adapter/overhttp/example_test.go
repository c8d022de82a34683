package overhttp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// Middleware of AfterCheck knows the version.
func ExampleGroup_AfterCheck() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{})
	over.Group = over.Namespace("public").AfterCheck(overhttp.InContext, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Println("in", overhttp.Result(r).Version())
			next.ServeHTTP(w, r)
		})
	})
	show := func(ctx context.Context) {
		result, _ := verso.FromContext(ctx)
		fmt.Println("handled in", result.Version())
	}
	check := over.Add("/", route.Route{Path: "/", Pattern: route.Braces("/")}, over.Handler("/", http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) { show(r.Context()) },
	)))

	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Api-Version", "v2")
	check.ServeHTTP(httptest.NewRecorder(), request)
	// Output:
	// in v2
	// handled in v2
}

// A router that tells which route it has matched lets a middleware check those of other code.
func ExampleAdapter_CheckMatched() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{
		Skipper: func(r *http.Request) bool { return r.URL.Path == "/page.css" },
	})
	over.Seam.NoteMiddleware(nil)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintln(w, overhttp.Result(r).Version()) })

	for _, path := range []string{"/status", "/page.css"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Api-Version", "v9")
		over.CheckMatched(w, request, request, http.MethodGet, path, next)
		fmt.Println(path, w.Code)
	}
	// Output:
	// /status 400
	// /page.css 200
}

// A check that does more than [overhttp.Adapter.CheckMatched] begins with the state of a request.
func ExampleAdapter_NewState() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{})
	request, err := over.SetTestVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
	fmt.Println(overhttp.Result(request).Version(), err)
	state := over.NewState(httptest.NewRecorder(), request)
	fmt.Println(state.Request == request)
	// Output:
	// v2 <nil>
	// true
}

// A mistake is found when routes are registered.
func ExampleGroup_Fail() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{})
	group := func(prefix string, err error) {
		defer func() { fmt.Println(recover()) }()
		over.Must("Group", err)
		over.Fail("Group %q: write the prefix like \"/v1\"", prefix)
	}
	group("", errors.New("the router is closed"))
	group("v1", nil)
	// Output:
	// myadapter: Group: the router is closed
	// myadapter: Group "v1": write the prefix like "/v1"
}

// An adapter gives its users a function for the links of responses.
func ExampleURL() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{})
	at := route.Route{Path: "/users", Pattern: route.Braces("/users")}
	over.Group = over.Name("users")
	users := over.Add("/users", at, over.Handler("/users", http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) {
			fmt.Println(overhttp.URL(r, verso.Target{Name: "users"}))
		},
	)))
	request := httptest.NewRequest(http.MethodGet, "/users", nil)
	request.Header.Set("Api-Version", "v2")
	users.ServeHTTP(httptest.NewRecorder(), request)
	// Output: /users
}

// Two routes share a handler.
func ExampleIdentity() {
	saying := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) })
	}
	a, b := saying("a"), saying("b")
	fmt.Println(overhttp.Identity(a) == overhttp.Identity(a), overhttp.Identity(a) == overhttp.Identity(b))
	// Output: true false
}
