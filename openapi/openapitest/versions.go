package openapitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// WriteVersions writes the document of each version ([openapi.ForVersion]) into a folder, as
// v1.json, which it makes if it is missing, so that another tool can compare it with a published one. It fails the test
// if a document cannot be made or written. document and service are as for [Covers]. A version
// whose name has a slash has a file with a dash.
func WriteVersions(tb testing.TB, document *openapi3.T, service *verso.Explanation, folder string) {
	tb.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Errorf("openapitest: %v", err)
		return
	}
	for _, version := range service.Versions {
		made, err := openapi.ForVersion(document, service, version)
		var text []byte
		if err == nil {
			text, err = made.MarshalJSON()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, strings.ReplaceAll(version, "/", "-")+".json"), text, 0o644)
		}
		if err != nil {
			tb.Errorf("openapitest: the document of version %q: %v", version, err)
		}
	}
}
