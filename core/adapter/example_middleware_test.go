package adapter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// A middleware decides on the routes of other code, by what the framework says it has
// matched. A route of the adapter's own decides for itself.
func ExampleBinding_Lookup() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	b.NoteMiddleware(nil)
	verso.Must(b.Add(route.Route{Method: "GET", Path: "/bookings", Pattern: route.Braces("/bookings")}, verso.Since("v2")))
	b.NoteRoute() // the framework has a route of its own, /status

	for _, path := range []string{"/bookings", "/status"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Api-Version", "v9")
		at, _ := b.Lookup(r.Host, r.Method, path)
		if at == nil {
			fmt.Println(path, "has its own check")
			continue
		}
		var request source.Request
		request.SetHTTP(r, r, at)
		_, err := b.DetermineVersion(request)
		fmt.Println(path, err)
	}
	// Output:
	// /bookings has its own check
	// /status Invalid version in header.
}

// A check can stand in front of a group of the framework's own, and have options that
// are for all routes of the group.
func ExampleBinding_Scope() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	admin, err := b.Scope("/admin", "", verso.Since("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, version := range []string{"v1", "v2"} {
		r := httptest.NewRequest(http.MethodGet, "/admin/users", nil)
		r.Header.Set("Api-Version", version)
		var request source.Request
		request.SetHTTP(r, r, admin.Route(r.Host, r.Method, "/admin/users"))
		_, err := b.DetermineVersion(request)
		fmt.Println(version, err)
	}
	// Output:
	// v1 This API version does not have the resource.
	// v2 <nil>
}

// Two closures of one function differ.
func ExampleIdentity() {
	answer := func(text string) func() string { return func() string { return text } }
	one, other := answer("one"), answer("other")
	fmt.Println(adapter.Identity(one) == adapter.Identity(one), adapter.Identity(one) == adapter.Identity(other))
	fmt.Println(adapter.Identities([]func() string{other, one})[1] == adapter.Identity(one))
	// Output:
	// true false
	// true
}

// A group that takes the place of another one has its middleware first.
func ExampleHasLead() {
	logged, authenticated, compressed := func() {}, func() {}, func() {}
	own := adapter.Identities([]func(){logged, authenticated})

	fmt.Println(adapter.HasLead(adapter.Identities([]func(){logged, authenticated, compressed}), own))
	fmt.Println(adapter.HasLead(adapter.Identities([]func(){logged, compressed}), own))
	// Output:
	// true
	// false
}
