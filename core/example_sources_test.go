package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

func ExamplePathParam() {
	api := verso.Must(verso.New(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "/v2/users", nil) // of the route /{version}/users
	fmt.Println(api.DetermineVersion(versotest.Request(r, map[string]string{"version": "v2"}, nil)))
	// Output: v2 <nil>
}

func ExampleNamespace() {
	api := verso.Must(verso.New(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	users := &route.Route{Name: "v2:user-list"}
	r := httptest.NewRequest(http.MethodGet, "/second/users", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(r, nil, users)))
	// Output: v2 <nil>
}

func ExampleHostLabel() {
	api := verso.Must(verso.New(verso.HostLabel(`(v[0-9]+)\.api\.example\.com`), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "http://v2.api.example.com/users", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: v2 <nil>
}

func ExampleQueryParam() {
	api := verso.Must(verso.New(verso.QueryParam("api-version"), verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}}))
	r := httptest.NewRequest(http.MethodGet, "/users?api-version=2026-01-01", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: 2026-01-01 <nil>
}

func ExampleAcceptParam() {
	api := verso.Must(verso.New(verso.AcceptParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Produces:        []string{"application/json"},
	}))
	for _, accept := range []string{"application/json; version=v2", "text/html; version=v2"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Accept", accept)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	//  Could not satisfy the request "Accept" header.
}

// The specification's base scheme reads no version.
func ExampleVersioning_Sources() {
	api := verso.Must(verso.New(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), verso.Config{AllowedVersions: []string{"v1"}}))
	for _, name := range api.Sources() {
		fmt.Println(name)
	}
	// Output:
	// path parameter "version"
	// header "Api-Version"
}

func ExampleNewBase() {
	api := verso.Must(verso.NewBase("OwnVersioning", verso.Config{AllowedVersions: []string{"v1"}}))
	_, err := api.DetermineVersion(versotest.Request(httptest.NewRequest(http.MethodGet, "/", nil), nil, nil))
	fmt.Println(api.Source() == nil, err)
	// Output: true OwnVersioning.determine_version() must be implemented.
}
