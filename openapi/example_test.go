package openapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi"
)

// In a service, v is that of the adapter: versogin.New(r, api).
func ExampleForVersion() {
	v := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/:version/rooms", Pattern: route.Colons("/:version/rooms")}))
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/:version/report", Pattern: route.Colons("/:version/report")}, verso.RemovedIn("v2")))

	whole := verso.Must(openapi3.NewLoader().LoadFromData([]byte(`
openapi: 3.0.3
info: {title: Bookings, version: all}
paths:
  /rooms: {get: {responses: {"200": {description: The rooms.}}}}
  /report: {get: {responses: {"200": {description: The old report.}}}}
`)))
	for _, version := range []string{"v1", "v2"} {
		document := verso.Must(openapi.ForVersion(whole, v.Explain(), version))
		fmt.Println(document.Info.Version, document.Paths.Keys())
	}
	// Output:
	// v1 [/v1/report /v1/rooms]
	// v2 [/v2/rooms]
}

// In a service, v is that of the adapter: versogin.New(r, api).
func ExampleHandler() {
	v := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/rooms", Pattern: route.Colons("/rooms")}))
	whole := verso.Must(openapi3.NewLoader().LoadFromData([]byte(
		`{"openapi": "3.1.0", "info": {"title": "Bookings", "version": "all"}, "paths": {"/rooms": {"get": {"tags": ["rooms"]}}}}`)))

	documents := verso.Must(openapi.NewHandler(v.Explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		return openapi.ForVersion(whole, service, version)
	}))
	mux := http.NewServeMux()
	mux.Handle("GET /openapi/", documents) // /openapi/v2.json
	mux.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, r *http.Request) {
		documents.ServeVersion(w, r, r.Header.Get("Api-Version"))
	})

	for _, path := range []string{"/openapi/v2.json", "/openapi/v2.yaml", "/openapi/v3"} {
		response := httptest.NewRecorder()
		mux.ServeHTTP(response, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Println(response.Code, response.Header().Get("Content-Type"))
	}
	// Output:
	// 200 application/json
	// 200 application/yaml
	// 404 text/plain; charset=utf-8
}
