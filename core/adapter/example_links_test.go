package adapter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// A job or a mail has no request.
func ExampleBinding_Link() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: "https://api.example.com"}})), nil)
	verso.Must(b.Add(route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")}))
	fmt.Println(b.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	// Output: https://api.example.com/v2/users/7 <nil>
}

// Reverse does not try again without the version, as Link does.
func ExampleBinding_Reverse() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})), nil)
	verso.Must(b.Add(route.Route{Name: "health", Pattern: route.Braces("/health")}))
	fmt.Println(b.Reverse(source.Request{}, verso.Version{}, verso.Target{Name: "health"}))
	fmt.Println(b.Reverse(source.Request{}, verso.V("v1"), verso.Target{Name: "health"}))
	// Output:
	// /health <nil>
	//  verso: no reverse match: route "health" takes (), not (version)
}

// An adapter keeps a result for a handler that is called without the middleware.
func ExampleBinding_Result() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})), nil)
	verso.Must(b.Add(route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")}))
	result, err := b.Result(verso.V("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := result.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
	fmt.Println(result.Version(), link, err)

	_, err = b.Result(verso.V("v9"))
	fmt.Println(err)
	// Output:
	// v2 /v2/users/7 <nil>
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}

// The Link and InContext of an adapter pass on the request, whose host begins the link.
func ExampleLinkFor() {
	b := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(b.Add(route.Route{Name: "users", Pattern: route.Braces("/{version}/users")}))
	var r source.Request
	r.SetHTTP(httptest.NewRequest(http.MethodGet, "/v2/users", nil), nil, nil)
	result := verso.Must(b.Result(verso.V("v2"))) // stored by the check
	fmt.Println(adapter.LinkFor(result, r, verso.Target{Name: "users"}))

	inContext, ok := verso.FromContext(adapter.NewContext(result, r))
	fmt.Println(inContext.Version(), ok)
	// Output:
	// http://example.com/v2/users <nil>
	// v2 true
}

// The URL of an adapter passes on the request, too.
func ExampleURLFor() {
	b := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(b.Add(route.Route{Name: "users", Pattern: route.Braces("/{version}/users")}))
	var r source.Request
	r.SetHTTP(httptest.NewRequest(http.MethodGet, "/v2/users", nil), nil, nil)
	result := verso.Must(b.Result(verso.V("v2"))) // stored by the check
	fmt.Println(adapter.URLFor(result, r, verso.Target{Name: "users"}))
	// Output: http://example.com/v2/users
}

// A route has the same template in all versions.
func ExampleBinding_Template() {
	b := adapter.Bind(verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	for _, form := range verso.Must(b.Forms("/api/tasks/{id}")) {
		verso.Must(b.Add(route.Route{Path: form, Pattern: route.Braces(form), RegisteredPath: "/api/tasks/{id}"}))
	}
	fmt.Println(b.Template("/api/v1/tasks/{id}"), b.Template("/api/v2/tasks/{id}"))
	// Output: /api/{version}/tasks/{id} /api/{version}/tasks/{id}
}
