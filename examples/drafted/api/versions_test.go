// Drafted from published documents, to be edited; sha256 ff6f77cbb2d3d8290d7648ad21acf868f35dcbb76e92d5ec42b94395108e4939

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
		Version: "v1", Published: "../v1.yaml", Known: "testdata/known-v1.txt",
		Values: values1,
	})
}

var values1 = []openapitest.Value{
	{Component: "Bank", Type: reflect.TypeFor[Bank](), Request: true, Response: true},
	{Component: "Booking", Type: reflect.TypeFor[Booking](), Request: true, Response: true},
	{Component: "Card", Type: reflect.TypeFor[Card](), Request: true, Response: true},
	{Component: "Problem", Type: reflect.TypeFor[Problem](), Request: false, Response: true},
}
