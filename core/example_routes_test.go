package verso_test

import (
	"fmt"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

// The options say in which versions a route is, and until when.
func ExampleRouteOption() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})), nil)
	for path, options := range map[string][]verso.RouteOption{
		"/health":          {verso.Neutral()},
		"/{version}/rooms": {verso.Since("v2"), verso.RemovedIn("v3")},
		"/{version}/report": {
			verso.DeprecatedAt(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)),
			verso.SunsetAt(time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)),
			verso.Related(catalogue.Link{Rel: "deprecation", Href: "https://example.com/no-more-reports"}),
		},
	} {
		verso.Must(b.Add(route.Route{Method: "GET", Path: path, Pattern: route.Braces(path)}, options...))
	}
	for _, r := range b.Explain().Routes {
		fmt.Println(r, "v1:", r.InVersion("v1"))
	}
	// Unordered output:
	// GET     /health                                                       neutral v1: true
	// GET     /{version}/rooms                                              since v2, removed in v3 v1: false
	// GET     /{version}/report                                             deprecated 2027-01-01, sunset 2027-06-30 v1: true
}

func ExampleEnglishMessages() {
	fmt.Println(verso.EnglishMessages()[verso.VersionGone])
	// Output: This API version has ended.
}

func ExampleExplanation_IsCurrent() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := adapter.Bind(api, nil) // an adapter has one
	e := v.Explain()
	fmt.Println(e.IsCurrent())

	verso.Must(v.Add(route.Route{Method: "GET", Path: "/rooms", Pattern: route.Colons("/rooms")}))
	fmt.Println(e.IsCurrent(), v.Explain().IsCurrent())
	// Output:
	// true
	// false true
}

// Generated code registers routes without names.
func ExampleNames() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	names := verso.Names(map[string]string{"/users/:id": "user"})
	verso.Must(b.Add(route.Route{Method: "GET", Path: "/users/:id", Pattern: route.Colons("/users/:id")}, names))
	fmt.Println(b.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}}))
	// Output: /users/7 <nil>
}
