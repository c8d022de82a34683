package openapitest

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// Valid fails the test when the document of a version cannot be made ([openapi.ForVersion])
// or is not valid, and lists the mistakes. It does not check examples, nor regular
// expressions, whose dialect may differ from Go's. document, service and versions are those
// of [Covers].
func Valid(tb testing.TB, document *openapi3.T, service *verso.Explanation, versions ...string) {
	tb.Helper()
	if len(versions) == 0 {
		versions = service.Versions
	}
	for _, version := range versions {
		made, err := openapi.ForVersion(document, service, version)
		if made != nil {
			err = made.Validate(tb.Context(), openapi3.EnableMultiError(),
				openapi3.AllowExtraSiblingFields("pathItems"),
				openapi3.DisableExamplesValidation(), openapi3.DisableSchemaPatternValidation())
		}
		if err != nil {
			tb.Errorf("openapitest: the document of version %q: %v", version, err)
		}
	}
}
