package openapitest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/openapi/openapitest"
)

// A test writes the documents, and make documents-diff compares one with a published one.
func ExampleWriteVersions() {
	v := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/rooms", Pattern: route.Colons("/rooms")}))
	verso.Must(v.Add(route.Route{Method: "GET", Path: "/halls", Pattern: route.Colons("/halls")}, verso.Since("v2")))
	newest := verso.Must(openapi3.NewLoader().LoadFromData([]byte(`{"openapi":"3.0.3","info":{"title":"Rooms","version":"2"},"paths":{"/rooms":{"get":{"responses":{}}},"/halls":{"get":{"responses":{}}}}}`)))

	folder := verso.Must(os.MkdirTemp("", "documents"))
	defer func() { _ = os.RemoveAll(folder) }()
	openapitest.WriteVersions(new(testing.T), newest, v.Explain(), folder)
	for _, version := range []string{"v1", "v2"} {
		made := verso.Must(openapi3.NewLoader().LoadFromFile(filepath.Join(folder, version+".json")))
		fmt.Println(version, made.Paths.Keys())
	}
	// Output:
	// v1 [/rooms]
	// v2 [/halls /rooms]
}

func TestWriteVersionsFails(t *testing.T) {
	service := explain(t, verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}, routes{"GET /users": nil})
	for _, test := range []struct{ operations, folder, want string }{
		{"GET /users", "versions_test.go", "mkdir versions_test.go: "},
		{"GET /rooms", t.TempDir(), "no operation of the document"},
	} {
		r := &recorder{TB: t}
		openapitest.WriteVersions(r, document(t, test.operations), service, test.folder)
		assert.Contains(t, r.failed, test.want)
	}
	folder := filepath.Join(t.TempDir(), "made", "here")
	service.Versions = []string{"a/b"}
	service.Routes[0].Versions = service.Versions
	openapitest.WriteVersions(t, document(t, "GET /users"), service, folder)
	require.FileExists(t, filepath.Join(folder, "a-b.json"))
}
