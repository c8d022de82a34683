package documents

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

type large struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// largeDocument returns a document of about 1 MB: 200 operations, whose schemas have 30 properties and refer to others.
func largeDocument(tb testing.TB) (*openapi3.T, int) {
	tb.Helper()
	var text strings.Builder
	text.WriteString(`{"openapi":"3.0.3","info":{"title":"Large","version":"1"},"servers":[{"url":"https://example.com/{version}","variables":{"version":{"default":"v1"}}}],"paths":{`)
	for i := range 200 {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `"/things%d":{"post":{"operationId":"o%d","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing%d"}}}},"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing%d"}}}}}}}`, i, i, i, i)
	}
	text.WriteString(`},"components":{"schemas":{`)
	for i := range 200 {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `"Thing%d":{"type":"object","required":["id","name"],"properties":{"id":{"type":"string"},"name":{"type":"string"}`, i)
		for j := range 30 {
			fmt.Fprintf(&text, `,"p%d":{"type":"string","maxLength":%d,"description":"A property of a thing, which has a description of the usual length, as documents have."}`, j, j+1)
		}
		fmt.Fprintf(&text, `,"next":{"$ref":"#/components/schemas/Thing%d"}}}`, (i+1)%200)
	}
	text.WriteString("}}}")
	document, err := openapi3.NewLoader().LoadFromData([]byte(text.String()))
	require.NoError(tb, err)
	return document, text.Len()
}

// largeService has some versions, each of which renamed a member of one type.
func largeService(tb testing.TB, count int) *verso.Explanation {
	tb.Helper()
	var versions []string
	var revisions []migrate.Revision
	for i := range count {
		versions = append(versions, fmt.Sprint("v", i+1))
	}
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: versions})
	name := "name"
	for i := count - 1; i > 0; i-- {
		old := fmt.Sprint("name", i)
		revisions = append(revisions, migrate.Release(versions[i], migrate.Changed("A name.", migrate.For[large](migrate.Renamed(old, name)))))
		name = old
	}
	h := verso.Must(migrate.New(api, append(revisions, migrate.Release("v1"))...))
	v := versohttp.New(http.NewServeMux(), api).Group("/{version}")
	for i := range 200 {
		bodies := []migrate.Body{}
		if i == 0 {
			bodies = append(bodies, migrate.Accepts[large](), migrate.Returns[large]())
		}
		v.Rewrite(h.Route(bodies...)).HandleFunc(fmt.Sprint("POST /things", i), func(http.ResponseWriter, *http.Request) {})
	}
	return v.Explain()
}

// BenchmarkDocumentsOfThirtyVersions makes the documents that a service with 30 versions makes when it starts.
func BenchmarkDocumentsOfThirtyVersions(b *testing.B) {
	document, size := largeDocument(b)
	service := largeService(b, 30)
	b.SetBytes(int64(30 * size))
	for b.Loop() {
		_, err := openapi.NewHandler(func() *verso.Explanation { return service }, func(service *verso.Explanation, version string) (*openapi3.T, error) {
			return openapi.ForVersion(document, service, version)
		})
		require.NoError(b, err)
	}
}

// What versions have in common is not loaded again: the references of a made document still lead to its own
// components, which a caller may change without changing the newest document or another version.
func TestPartsThatVersionsShare(t *testing.T) {
	document, _ := largeDocument(t)
	whole, err := document.MarshalJSON()
	require.NoError(t, err)
	service := largeService(t, 3)
	var first []byte
	for range 2 {
		made, err := openapi.ForVersion(document, service, "v1")
		require.NoError(t, err)
		text, err := made.MarshalJSON()
		require.NoError(t, err)
		if first == nil {
			first = text
		}
		assert.Equal(t, string(first), string(text))
		loaded, err := openapi3.NewLoader().LoadFromData(text)
		require.NoError(t, err)
		again, err := loaded.MarshalJSON()
		require.NoError(t, err)
		assert.JSONEq(t, string(text), string(again))
		component := func(ref string) *openapi3.Schema {
			return made.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")].Value
		}
		for name, schema := range made.Components.Schemas {
			if next := schema.Value.Properties["next"]; next != nil {
				assert.Same(t, component(next.Ref), next.Value)
			}
			if given := document.Components.Schemas[name]; given != nil {
				assert.NotSame(t, given.Value, schema.Value)
			}
			schema.Value.Title = "changed"
		}
		for _, item := range made.Paths.Map() {
			schema := item.Post.RequestBody.Value.Content["application/json"].Schema
			assert.Same(t, component(schema.Ref), schema.Value)
			item.Post.OperationID = "changed"
		}
		assert.Contains(t, made.Components.Schemas["Thing0_v1"].Value.Properties, "name1", "the newest has more uses")
	}
	after, err := document.MarshalJSON()
	require.NoError(t, err)
	assert.JSONEq(t, string(whole), string(after))
}
