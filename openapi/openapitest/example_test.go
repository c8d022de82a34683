package openapitest_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi/openapitest"
)

func ExampleCovers() {
	// In a service this is the Explain of its adapter.
	binding := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(noRouter{})
	verso.Must(binding.Add(route.Route{Method: "GET", Path: "/{version}/rooms", Pattern: route.Braces("/{version}/rooms")}))

	testDocument := func(t *testing.T) {
		t.Helper()
		document, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
		require.NoError(t, err)
		openapitest.Covers(t, document, binding.Explain())
	}
	_ = testDocument
}
