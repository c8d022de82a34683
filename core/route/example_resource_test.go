package route_test

import (
	"fmt"

	"github.com/goverso/verso/core/route"
)

// SameResource returns the routes of the same resource in several versions.
func ExampleRoute_SameResource() {
	table := route.NewTable(
		route.Route{Method: "GET", Path: "/v1/users", Pattern: route.Colons("/v1/users"), Resource: "/users"},
		route.Route{Method: "GET", Path: "/v2/users", Pattern: route.Colons("/v2/users"), Resource: "/users"},
	)
	for r := range table.Routes() {
		for _, twin := range r.SameResource() {
			fmt.Println(r.Path, twin.Path)
		}
	}
	// Output:
	// /v1/users /v1/users
	// /v1/users /v2/users
	// /v2/users /v1/users
	// /v2/users /v2/users
}
