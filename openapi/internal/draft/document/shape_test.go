package document_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// at sets all values that are a number of levels below v.
func at(v any, level int, to string) any {
	if level == 0 {
		var made any
		_ = json.Unmarshal([]byte(to), &made)
		return made
	}
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = at(v[k], level-1, to)
		}
	case []any:
		for i := range v {
			v[i] = at(v[i], level-1, to)
		}
	}
	return v
}

// Whatever stands in a document, what is read of it can be loaded.
func TestMalformed(t *testing.T) {
	raw, err := os.ReadFile("testdata/everything.json")
	require.NoError(t, err)
	for level := 1; level < 16; level++ {
		for _, bad := range []string{`"x"`, `7`, `-0.5`, `true`, `null`, `[]`, `[7]`, `[null]`, `{}`, `{"x":7}`, `{"$ref":7}`,
			`{"$ref":"#/components/schemas/A"}`, `{"$ref":"#/components/parameters/P"}`, `{"$ref":"#/components/responses/R"}`,
			`{"$ref":"#/components/nothing/R"}`} {
			t.Run(fmt.Sprint(level, " ", bad), func(t *testing.T) {
				var root map[string]any
				require.NoError(t, json.Unmarshal(raw, &root))
				whole, err := json.Marshal(at(root, level, bad))
				require.NoError(t, err)
				d, err := document.Read("a.json", whole)
				if level < 3 && err != nil {
					return // it has no version or no paths
				}
				require.NoError(t, err)
				_, err = openapi3.NewLoader().LoadFromData([]byte(document.Compact(d.Root)))
				assert.NoError(t, err)
			})
		}
	}
}

// A reference to another file may stand at each place, and in a mapping.
func TestOtherFiles(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"api.yml":  "openapi: 3.0.3\npaths: {/x: {$ref: x.yml}}",
		"x.yml":    "parameters: [{$ref: size.yml}]\nget: {$ref: get.yml}",
		"get.yml":  "{parameters: [{$ref: size.yml}], responses: {200: {$ref: pets.yml#/pets}}}",
		"size.yml": "{name: size, in: query, required: true, schema: {properties: {headers: {items: {$ref: cat.yml}}}}}",
		"pets.yml": "pets: {description: '', content: {application/json: {schema: {oneOf: [{$ref: cat.yml}, {$ref: '#/dog'}]," +
			" discriminator: {propertyName: kind, mapping: {cat: cat.yml, dog: '#/dog', cow: Cow, none: '#/none'}}}}}}\n" +
			"dog: {properties: {kind: {type: string}}}",
		"cat.yml": "{properties: {kind: {type: string}}}",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	d, err := document.Load(filepath.Join(folder, "api.yml"))
	require.NoError(t, err)
	_, err = openapi3.NewLoader().LoadFromData([]byte(document.Compact(d.Root)))
	require.NoError(t, err)
	assert.Equal(t, []string{"api.yml pets.yml#/none: this leads nowhere, and is read as empty"}, d.Notes)
	assert.Contains(t, document.Compact(d.Root), `"mapping":{"cat":"#/components/schemas/cat","cow":"Cow","dog":"#/components/schemas/dog","none":"#/components/schemas/none"}`)
}

func TestPlaces(t *testing.T) {
	const note = "a.json #/paths/~1x/get"
	for _, test := range []struct{ name, get, want, note string }{
		{"a header that is a parameter", `{"responses":{"200":{"description":"","headers":{"Etag":{"$ref":"#/components/parameters/etag"}}}}}`,
			`{"responses":{"200":{"description":"","headers":{"Etag":{"schema":{"type":"string"}}}}}}`, ""},
		{"a part of another operation", `{"responses":{"200":{"$ref":"#/paths/~1y/get/responses/200"}}}`, `{"responses":{"200":{"description":"y"}}}`, ""},
		{"a number as a text", `{"summary":7,"responses":{}}`, `{"summary":"7","responses":{}}`, ""},
		{"a text as true", `{"deprecated":"true","responses":{}}`, `{"deprecated":true,"responses":{}}`, ""},
		{"null", `{"parameters":null,"responses":{}}`, `{"responses":{}}`, ""},
		{"a text as a list", `{"tags":"a","responses":{}}`, `{"responses":{}}`, note + "/tags: this is not a list, and left out"},
		{"examples of a schema", `{"responses":{},"parameters":[{"name":"a","in":"query","schema":{"examples":{"a":{"value":1}}}}]}`,
			`{"responses":{},"parameters":[{"name":"a","in":"query","schema":{}}]}`, note + "/parameters/0/schema/examples: this is not a list, and left out"},
		{"content of a response", `{"responses":{"200":{"description":"","content":{"a/json":{"$ref":"#/components/mediaTypes/M"}}}}}`,
			`{"responses":{"200":{"description":"","content":{"a/json":{"schema":{"type":"string"}}}}}}`, ""},
		{"#/definitions that are not there", `{"responses":{},"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/definitions/a"}}]}`, `{"responses":{},"parameters":[{"name":"a","in":"query","schema":{}}]}`,
			note + "/parameters/0/schema: #/definitions/a leads nowhere"},
		{"nothing", `{"responses":{"200":{"$ref":"#/components/nothing/R"}}}`, `{"responses":{"200":{"description":""}}}`,
			note + "/responses/200: #/components/nothing/R leads nowhere, and is read as empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := document.Read("a.json", []byte(`{"openapi":"3.1.0","paths":{"/x":{"get":`+test.get+`},"/y":{"get":{"responses":{"200":{"description":"y"}}}}},
				"components":{"parameters":{"etag":{"name":"etag","in":"header","schema":{"type":"string"}}},"mediaTypes":{"M":{"schema":{"type":"string"}}}}}`))
			require.NoError(t, err)
			assert.JSONEq(t, test.want, document.Compact(document.Obj(document.Obj(d.Root["paths"])["/x"])["get"]))
			if test.note == "" {
				assert.Empty(t, d.Notes)
			} else {
				assert.Equal(t, []string{test.note}, d.Notes)
			}
		})
	}
}
