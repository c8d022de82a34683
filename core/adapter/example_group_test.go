package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// An adapter registers the routes of a group with all that is said of them.
func ExampleGroup() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	binding := adapter.Bind(api, nil)
	group := adapter.NewGroup[string]("myadapter", binding).Namespace("shop").With(verso.Since("v2")).AfterCheck("limit")
	users := group.EachVersion().Name("users").Tracked()
	forms, err := users.Forms("/api/users")
	users.Must("route GET /api/users", err)
	for _, form := range forms {
		added := users.Add("GET "+form, route.Route{Method: "GET", Path: form, Pattern: route.Braces(form)})
		fmt.Println(form, users.FullName(), added.Route().Name)
	}

	fmt.Println(group.Rewrite(struct{ verso.Rewriter }{}, "rewrite").After())
	picking, pick := adapter.PickFor(group, "GET /api/v2/rooms", verso.Handlers[string]{"v2": "rooms of v2"})
	picking.Add("GET /api/v2/rooms", route.Route{Method: "GET", Path: "/api/v2/rooms", Pattern: route.Braces("/api/v2/rooms")})
	result, err := binding.Result(verso.V("v2"))
	fmt.Println(pick(result), err)
	fmt.Println(group.Scope("RouterGroup /api/v2", "/api/v2").Route("", "GET", "/api/v2/x").Path)

	fails := func(call func()) {
		defer func() { fmt.Println(recover()) }()
		call()
	}
	group.Need("Use", "limit")
	group.NeedFirst("In", false)
	fails(func() { users.NeedFirst("In", true) })
	fails(func() { users.NeedMethod("/users", nil) })
	fails(func() { group.Fail("route %s: the handler is nil: give it one", "GET /x") })
	// Output:
	// /api/v2/users shop:users shop:users
	// [limit rewrite]
	// rooms of v2 <nil>
	// /api/v2/x
	// myadapter: In: the routes would lose the middleware of their group: call it first, and Group on what it returns
	// myadapter: route /users: there is no method: give it one
	// myadapter: route GET /x: the handler is nil: give it one
}

// New of an adapter takes a Config, or none.
func ExampleNewConfig() {
	type Config struct{ Name string }
	newRoutes := func(router any, config ...Config) string {
		return adapter.NewConfig("myadapter", "router", router == nil, config).Name
	}
	fmt.Printf("%q %q\n", newRoutes("router"), newRoutes("router", Config{"bookings"}))
	defer func() { fmt.Println(recover()) }()
	newRoutes(nil)
	// Output:
	// "" "bookings"
	// myadapter: the router or the versioning is nil: check the error of verso.New
}
