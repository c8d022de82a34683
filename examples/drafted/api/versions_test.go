// Drafted from published documents, to be edited; sha256 75ac714746dfe52b354ba7fbca692ef1dd9b2ab3e723d4245aa3997bfc282f20

package api

import (
	"reflect"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
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
	v := versogin.New(gin.New(), api)
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
