package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// A middleware decides before the framework calls the route, by what the framework
// says it has matched. The check of the route then takes that decision over, unless
// the middleware took the request for one to another route.
func ExampleBinding_BeginEarly() {
	b := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(nil)
	b.CheckOthers()
	bookings := verso.Must(b.Add(route.Route{Method: "GET", Path: "/bookings", Pattern: route.Braces("/bookings")}, verso.Since("v2")))
	b.Changed() // the framework has a route of its own, /status

	for _, path := range []string{"/bookings", "/status"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Api-Version", "v2")

		var middleware, check verso.Call
		at, _ := b.Lookup(r.Host, r.Method, path)
		middleware.Request.SetHTTP(r, r, at)
		early := b.BeginEarly(&middleware, nil)
		fmt.Println(path, early.Version(), at == bookings.Route())
		if at == bookings.Route() {
			check.Request.SetHTTP(r, r, bookings.Route())
			fmt.Println(b.Begin(&check, early) == early)
		}
	}
	// Output:
	// /bookings v2 true
	// true
	// /status v2 false
}

// A check can stand in front of a group of the framework's own, and have options that
// are for all routes of the group.
func ExampleBinding_Scope() {
	b := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(nil)
	admin, err := b.Scope("/admin", "", verso.Since("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, version := range []string{"v1", "v2"} {
		r := httptest.NewRequest(http.MethodGet, "/admin/users", nil)
		r.Header.Set("Api-Version", version)
		var call verso.Call
		call.Request.SetHTTP(r, r, admin.Route(r.Host, r.Method, "/admin/users"))
		result := b.Begin(&call, nil)
		fmt.Println(version, result != nil, call.Err)
	}
	// Output:
	// v1 false This API version does not have the resource.
	// v2 true <nil>
}
