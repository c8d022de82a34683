package scheme_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

func ExampleNewAcceptHeader() {
	api := verso.Must(scheme.NewAcceptHeader("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	for _, accept := range []string{"application/json; version=v2", "application/json", "application/json; version=v9"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Accept", accept)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in "Accept" header.
}

func ExampleNewURLPath() {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	for _, version := range []string{"v2", "v9"} {
		r := httptest.NewRequest(http.MethodGet, "/"+version+"/users", nil) // of the route /{version}/users
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, map[string]string{"version": version}, nil)))
	}
	// Output:
	// v2 <nil>
	//  Invalid version in URL path.
}

func ExampleNewNamespace() {
	api := verso.Must(scheme.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	for _, name := range []string{"api:v2:user-list", "api:user-list"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, &route.Route{Name: name})))
	}
	// Output:
	// v2 <nil>
	//  Invalid version in URL path. Does not match any version namespace.
}

func ExampleNewHostName() {
	api := verso.Must(scheme.NewHostName(`([a-z0-9]+)\.api\.example\.com`, verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		DefaultVersion:  verso.V("v1"),
	}))
	for _, host := range []string{"v2.api.example.com:8080", "example.com", "v9.api.example.com"} {
		r := httptest.NewRequest(http.MethodGet, "http://"+host+"/users", nil)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in hostname.
}

func ExampleNewQueryParameter() {
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	for _, target := range []string{"/users?version=v2", "/users?page=3", "/users?version="} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in query parameter.
}

func ExampleNewBase() {
	api := verso.Must(scheme.NewBase("OwnVersioning", verso.Config{AllowedVersions: []string{"v1"}}))
	_, err := adapter.Bind(api, nil).DetermineVersion(versotest.Request(httptest.NewRequest(http.MethodGet, "/", nil), nil, nil))
	fmt.Println(err)
	// Output: OwnVersioning.determine_version() must be implemented.
}
