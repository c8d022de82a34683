package openapitest_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi/openapitest"
)

// In a service, v is that of the adapter: versogin.New(r, api).
func ExampleCovers() {
	v := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/:version/rooms", Pattern: route.Colons("/:version/rooms")}))

	testDocument := func(t *testing.T) {
		t.Helper()
		document, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
		require.NoError(t, err)
		openapitest.Covers(t, document, v.Explain())
		openapitest.Valid(t, document, v.Explain())
	}
	_ = testDocument // go test runs it under the name TestDocument
	// Output:
}

// The command draft writes such a test, with the values of the documents.
func ExamplePublished() {
	v := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/:version/rooms", Pattern: route.Colons("/:version/rooms")}))
	var history openapitest.Converter // in a service, that of migrate.New

	testPublished := func(t *testing.T) {
		t.Helper()
		openapitest.Published(t, openapitest.Publication{
			Newest: "newest.json", Service: v.Explain(), Converter: history,
			Version: "v1", Published: "v1.json", Known: "testdata/known-v1.txt",
		})
	}
	_ = testPublished // go test runs it under the name TestPublished
	// Output:
}
