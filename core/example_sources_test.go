package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

func ExamplePathParam() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := httptest.NewRequest(http.MethodGet, "/v2/users", nil) // of the route /{version}/users
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, map[string]string{"version": "v2"}, nil)))
	// Output: v2 <nil>
}

func ExampleNamespace() {
	api := verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	users := &route.Route{Name: "v2:user-list"}
	r := httptest.NewRequest(http.MethodGet, "/second/users", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, users)))
	// Output: v2 <nil>
}

func ExampleHostLabel() {
	api := verso.MustNew(verso.HostLabel(`(v[0-9]+)\.api\.example\.com`), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := httptest.NewRequest(http.MethodGet, "http://v2.api.example.com/users", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: v2 <nil>
}

func ExampleQueryParam() {
	api := verso.MustNew(verso.QueryParam("api-version"), verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}})
	r := httptest.NewRequest(http.MethodGet, "/users?api-version=2026-01-01", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: 2026-01-01 <nil>
}

func ExampleAcceptParam() {
	api := verso.MustNew(verso.AcceptParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Produces:        []string{"application/json"},
	})
	for _, accept := range []string{"application/json; version=v2", "text/html; version=v2"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Accept", accept)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	//  Could not satisfy the request "Accept" header.
}

// A scheme has a name of its own, which is in the explanation and in observations.
func ExampleVersioning() {
	source := verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	api := verso.Must(verso.NewScheme("PathOrHeader", source, verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	fmt.Println(api.Name(), api.Source() == source)
	for _, name := range api.Sources() {
		fmt.Println(name)
	}
	fmt.Println(api.Versions(), api.IsAllowedVersion(verso.V("v2")), api.IsAllowedVersion(verso.V("v9")))
	fmt.Println(api.Vary())
	// Output:
	// PathOrHeader true
	// path parameter "version"
	// header "Api-Version"
	// [v1 v2] true false
	// [Api-Version]
}
