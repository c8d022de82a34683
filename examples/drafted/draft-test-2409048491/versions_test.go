// Drafted from published documents, to be edited; sha256 73765e35cce8a14efb2f0e5daac0cee2f7aee8e8bded3afe5acbf2b694f78b78

package api

import (
	"reflect"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi/openapitest"
)

// The documents of older versions are the published ones, but for the known differences.
func TestPublished(t *testing.T) {
	api := verso.MustNew(verso.Header("X-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history, err := History(api)
	if err != nil {
		t.Fatal(err)
	}
	v := versochi.New(chi.NewRouter(), api)
	Routes(v, history)
	openapitest.Published(t, openapitest.Publication{
		Newest: "newest.json", Service: v.Explain(), Converter: history,
		Version: "v1", Published: "../../../../../tmp/TestTrialan_edit_that_documents_a_component,_beside_one_that_is1220651798/001/v1.json", Known: "testdata/known-v1.txt",
		Values: values1,
	})
}

var values1 = []openapitest.Value{
	{Component: "Admin", Type: reflect.TypeFor[Admin](), Request: false, Response: true},
	{Component: "Guest", Type: reflect.TypeFor[Guest](), Request: false, Response: true},
	{Component: "User", Type: reflect.TypeFor[User](), Request: false, Response: true},
}
