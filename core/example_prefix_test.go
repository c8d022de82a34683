package verso_test

import (
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

// Versions are literal segments; a path without one is for the default version.
func ExamplePathPrefix() {
	from := verso.PathPrefix("/api/{version}")
	api := verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
	for _, pattern := range []string{"/api/v2/lists", "/api/lists"} {
		r := httptest.NewRequest(http.MethodGet, pattern, nil)
		matched := &route.Route{Pattern: route.Braces(pattern)}
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, matched)))
	}

	written, err := from.Write(source.Written{}, verso.V("v2")) // as a client does
	if err != nil {
		panic(err)
	}
	fmt.Println(written.Path("/api/lists"))
	// Output:
	// v2 <nil>
	// v1 <nil>
	// /api/v2/lists <nil>
}

// An adapter registers a route of EachVersion under each of these paths.
func ExampleBinding_Forms() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		DefaultVersion:  verso.V("v1"),
	})
	b := adapter.Bind(api, nil)
	fmt.Println(b.Forms("/api/lists"))
	fmt.Println(b.Forms("/api/search", verso.Since("v2")))
	// Output:
	// [/api/lists /api/v1/lists /api/v2/lists] <nil>
	// [/api/v2/search] <nil>
}

// A framework that tells which route it has matched asks for that one.
func ExampleBinding_Matched() {
	binding := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})), nil)
	users := route.Route{Method: http.MethodGet, Path: "/:version/users", Pattern: route.Colons("/:version/users")}
	verso.Must(binding.Add(users))
	others := users
	others.Method = http.MethodPost
	fmt.Println(binding.Matched(users), binding.Matched(others).Foreign)
	// Output: <nil> true
}
