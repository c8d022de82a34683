package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// The RegisterVersions of an adapter gives each version a router that takes note of routes. Here it
// is a function, and a route has a list of handlers, as in Gin.
func ExampleRouteJoiner_Join() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	type handle = func(method, path string, handlers ...string)
	mount := adapter.RouteJoiner[handle, []string]{
		Record: func(register func(handle), note func(route.Route, []string)) {
			register(func(method, path string, handlers ...string) {
				note(route.Route{Method: method, Path: path, Pattern: route.Colons(path)}, handlers)
			})
		},
		Rename: func(handlers []string, from, to []string) []string {
			return append([]string{fmt.Sprintf("%v as %v", from, to)}, handlers...)
		},
		Add: func(first route.Route, handlers map[string][]string) {
			fmt.Println(first.Method, first.Path)
			fmt.Println("  v1:", handlers["v1"])
			fmt.Println("  v2:", handlers["v2"])
		},
	}
	err := mount.Join(adapter.Bind(api, nil), map[string]func(handle){
		"v1": func(handle handle) { handle("GET", "/users/:id", "validate", "show") },
		"v2": func(handle handle) { handle("GET", "/users/:name", "show both") },
	})
	fmt.Println(err)
	// Output:
	// GET /users/:id
	//   v1: [validate show]
	//   v2: [[id] as [name] show both]
	// <nil>
}
