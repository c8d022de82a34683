package verso_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

func ExampleNew() {
	api, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequest(http.MethodGet, "/users", nil)
	r.Header.Set("Api-Version", "v2")
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: v2 <nil>
}

// Old clients name the version in the path, new ones in a header.
func ExampleFirst() {
	api := verso.MustNew(
		verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	inPath := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(inPath, map[string]string{"version": "v1"}, nil)))

	inHeader := httptest.NewRequest(http.MethodGet, "/users", nil)
	inHeader.Header.Set("Api-Version", "v2")
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(inHeader, nil, nil)))

	inNone := httptest.NewRequest(http.MethodGet, "/users", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(inNone, nil, nil)))
	// Output:
	// v1 <nil>
	// v2 <nil>
	//  Missing version in request.
}

func ExampleAgree() {
	api := verso.MustNew(
		verso.Agree(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	r := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	r.Header.Set("Api-Version", "v2")
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, map[string]string{"version": "v1"}, nil)))
	// Output: Contradicting versions in request.
}

func ExampleHeader() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := httptest.NewRequest(http.MethodGet, "/users", nil)
	r.Header.Add("Api-Version", "v1")
	r.Header.Add("Api-Version", "v2")
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: Contradicting versions in request.
}

func ExampleMediaType() {
	api := verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	b := adapter.Bind(api, nil)
	r := httptest.NewRequest(http.MethodGet, "/orders/7", nil)
	r.Header.Set("Accept", "application/vnd.acme.order-v9+json, application/vnd.acme.order-v2+json; q=0.5")
	version, err := b.DetermineVersion(versotest.Request(r, nil, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(verso.Must(b.Result(version)).ContentType("order")) // an adapter keeps the result for the handler
	// Output: application/vnd.acme.order-v2+json <nil>
}

// An adapter says what the routes are; links are then built to them.
func ExampleResult_Link() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: "https://api.example.com"}})), nil)
	verso.Must(b.Add(route.Route{Name: "user", Path: "/{version}/users/{id}", Pattern: route.Braces("/{version}/users/{id}")}))
	verso.Must(b.Add(route.Route{Name: "health", Path: "/health", Pattern: route.Braces("/health")}, verso.Neutral()))
	r := versotest.Request(httptest.NewRequest(http.MethodGet, "/v1/users", nil), map[string]string{"version": "v1"}, nil)
	result := verso.Must(b.Result(verso.V("v1"))) // which the check of an adapter keeps
	fmt.Println(adapter.LinkFor(result, r, verso.Target{Name: "user", Params: verso.Params{"id": 7}}))
	fmt.Println(adapter.LinkFor(result, r, verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	fmt.Println(adapter.LinkFor(result, r, verso.Target{Name: "health"}))
	// Output:
	// https://api.example.com/v1/users/7 <nil>
	// https://api.example.com/v2/users/7 <nil>
	// https://api.example.com/health <nil>
}

func ExampleFinding() {
	_, err := verso.New(verso.PathParam(":version"), verso.Config{AllowedVersions: []string{"v1", "v1"}})
	fmt.Println(err)
	var first *verso.Finding
	fmt.Println(errors.As(err, &first), first.Code)
	// Output:
	// verso: AllowedVersions: allowed version "v1" is listed twice: remove one
	// verso: Source: the path parameter ":version" is not a name: write the name alone, such as "version", for a route like /:version or /{version}
	// true version_twice
}

// A service that is new rejects what the specification lets through.
func ExampleStrict() {
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}))
	for _, target := range []string{"/users?version=v2", "/users?version=v1&version=v2", "/users?version="} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	//  Contradicting versions in request.
	//  Empty version in request.
}

func ExampleAnswer_ServeHTTP() {
	answer := verso.AnswerFor(errors.New("the cause, which no client sees"))
	answer.Vary = []string{"Accept-Language"}
	w := httptest.NewRecorder()
	answer.SetFields(w.Header()) // of a framework's own response
	answer.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"), w.Header()["Vary"])
	fmt.Println(w.Body)
	// Output:
	// 500 application/problem+json [Accept-Language]
	// {"type":"about:blank","title":"Internal Server Error","status":500,"detail":"Internal Server Error","code":"internal_server_error"}
}

// An adapter's HandleVersions registers the route with the option, and lets pick choose in the
// check.
func ExampleHandlers() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}}), nil)
	saying := func(text string) func() { return func() { fmt.Println(text) } }
	handlers := verso.Handlers[func()]{
		"v1": saying("the first list"),
		"v3": saying("the new list"),
		"v4": nil, // removed
	}
	pick, option, err := adapter.Picker(handlers, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	list := verso.Must(b.Add(route.Route{Path: "/list", Pattern: route.Braces("/list")}, option))
	for _, version := range []string{"v2", "v3", "v4"} {
		r := httptest.NewRequest(http.MethodGet, "/list", nil)
		r.Header.Set("Api-Version", version)
		if _, err := b.DetermineVersion(versotest.Request(r, nil, list.Route())); err != nil { // as Seam.HandleVersions does
			fmt.Println(err)
			continue
		}
		pick(verso.Must(b.Result(verso.V(version))))()
	}
	// Output:
	// the first list
	// the new list
	// This API version does not have the resource.
}

// A handler that is the same in most versions asks for the one that changed it.
func ExampleResult_AtLeast() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})), nil)
	for _, version := range []string{"v1", "v2", "v3"} {
		result := verso.Must(b.Result(verso.V(version)))
		fmt.Println(result.Version(), result.AtLeast("v2"))
	}
	// Output:
	// v1 false
	// v2 true
	// v3 true
}

func ExampleAddVary() {
	header := http.Header{"Vary": {"Origin, accept"}}
	verso.AddVary(header, "Accept", "Accept-Language")
	fmt.Println(header.Values("Vary"))
	// Output: [Origin, accept, Accept-Language]
}

// A translation of your own has the titles as well.
func ExampleProblemTitle() {
	messages := verso.EnglishMessages()
	messages[verso.VersionGone] = "Please move to v2."
	messages[verso.ProblemTitle(verso.VersionGone)] = "v1 has ended"
	fmt.Println(verso.ProblemTitle(verso.VersionGone))
	// Output: title_gone
}

func ExampleProblemURI() {
	fmt.Println(verso.ProblemURI(source.MissingVersion))
	// Output: https://github.com/goverso/verso/blob/main/docs/problems.md#missing-version
}

// A package with changes of bodies says that no route has them.
func ExampleVersioning_AddReview() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	api.AddReview(func() []verso.Finding {
		return []verso.Finding{{Code: "changes_unused", Field: "Routes", Message: "no route has the changes of v2"}}
	})
	for _, f := range adapter.Bind(api, nil).Explain().Findings {
		fmt.Println(f.Level, f.Code, f.Message)
	}
	// Output: warning changes_unused no route has the changes of v2
}
