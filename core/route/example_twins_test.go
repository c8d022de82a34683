package route_test

import (
	"fmt"

	"github.com/goverso/verso/core/route"
)

// Twins are the routes of the same resource in several versions.
func ExampleRoute_Twins() {
	table := route.NewTable(
		route.Route{Method: "GET", Path: "/v1/users", Pattern: route.Colons("/v1/users"), Twin: "/users"},
		route.Route{Method: "GET", Path: "/v2/users", Pattern: route.Colons("/v2/users"), Twin: "/users"},
	)
	for r := range table.Routes() {
		for _, twin := range r.Twins() {
			fmt.Println(r.Path, twin.Path)
		}
	}
	// Output:
	// /v1/users /v1/users
	// /v1/users /v2/users
	// /v2/users /v1/users
	// /v2/users /v2/users
}
