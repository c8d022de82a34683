package openapi_test

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi"
)

const whole = `
openapi: 3.0.3
info: {title: Bookings, version: all}
paths:
  /rooms:
    get: {responses: {"200": {description: The rooms.}}}
    post: {responses: {"201": {description: The new room.}}}
  /report:
    get: {responses: {"200": {description: The old report.}}}
`

// explain does what the Explain of an adapter does.
func explain() *verso.Explanation {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	binding := api.Bind(noRouter{})
	add := func(method, path string, options ...verso.RouteOption) {
		verso.Must(binding.Add(route.Route{Method: method, Path: path, Pattern: route.Braces(path)}, options...))
	}
	add("GET", "/{version}/rooms")
	add("POST", "/{version}/rooms", verso.Since("v2"))
	add("GET", "/{version}/report", verso.RemovedIn("v2"))
	return binding.Explain()
}

func ExampleForVersion() {
	document, err := openapi3.NewLoader().LoadFromData([]byte(whole))
	if err != nil {
		panic(err)
	}
	for _, version := range []string{"v1", "v2"} {
		made, err := openapi.ForVersion(document, explain(), version)
		if err != nil {
			panic(err)
		}
		for _, path := range made.Paths.Keys() {
			for method := range made.Paths.Value(path).Operations() {
				fmt.Println(method, path)
			}
		}
	}
	// Unordered output:
	// GET /v1/report
	// GET /v1/rooms
	// GET /v2/rooms
	// POST /v2/rooms
}

func ExampleNewHandler() {
	document, err := openapi3.NewLoader().LoadFromData([]byte(whole))
	if err != nil {
		panic(err)
	}
	documents := openapi.NewHandler(explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		return openapi.ForVersion(document, service, version)
	})
	mux := http.NewServeMux()
	mux.Handle("GET /openapi/", documents) // /openapi/v2.json
	mux.HandleFunc("GET /api/{version}/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		documents.ServeVersion(w, r, r.PathValue("version"))
	})
}
