package adapter_test

import (
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

// An adapter registers a route of EachVersion under each of these paths.
func ExampleBinding_Forms() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		DefaultVersion:  verso.V("v1"),
	})
	b := adapter.Bind(api, nil)
	fmt.Println(b.CheckEachVersion())
	fmt.Println(b.Forms("/api/lists"))
	fmt.Println(b.Forms("/api/search", verso.Since("v2")))
	// Output:
	// <nil>
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
