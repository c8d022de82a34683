package openapi_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi"
)

// What swaggo writes is Swagger 2.0, with the paths of v1. Convert it, and write {version}
// in the paths that several versions have: an operation that v2 annotates for itself
// (@Router /api/v2/rooms [get]) replaces that of v1. In a service, v is that of the adapter,
// and EachVersion registers the routes.
func ExampleForVersion_swaggo() {
	v := adapter.Bind(verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	for _, method := range []string{"GET", "DELETE"} {
		for _, path := range verso.Must(v.Forms("/api/rooms")) {
			verso.Must(v.Add(route.Route{Method: method, Path: path, Pattern: route.Colons(path), RegisteredPath: "/api/rooms"}))
		}
	}

	var swagger openapi2.T
	if err := json.Unmarshal([]byte(`{"swagger": "2.0", "info": {"title": "Bookings", "version": "1"}, "paths": {
		"/api/v1/rooms": {
			"get": {"summary": "Rooms by name", "responses": {"200": {"description": "OK"}}},
			"delete": {"summary": "Delete the rooms", "responses": {"204": {"description": "Deleted"}}}
		},
		"/api/v2/rooms": {"get": {"summary": "Rooms by page", "responses": {"200": {"description": "OK"}}}}
	}}`), &swagger); err != nil {
		panic(err)
	}
	whole := verso.Must(openapi2conv.ToV3(&swagger))
	for path, item := range whole.Paths.Map() {
		if rest, ok := strings.CutPrefix(path, "/api/v1/"); ok {
			whole.Paths.Delete(path)
			whole.Paths.Set("/api/{version}/"+rest, item)
		}
	}

	for _, version := range []string{"v1", "v2"} {
		document := verso.Must(openapi.ForVersion(whole, v.Explain(), version))
		for path, item := range document.Paths.Map() {
			fmt.Printf("%s: %s; %s\n", path, item.Get.Summary, item.Delete.Summary)
		}
	}
	// Output:
	// /api/v1/rooms: Rooms by name; Delete the rooms
	// /api/v2/rooms: Rooms by page; Delete the rooms
}
