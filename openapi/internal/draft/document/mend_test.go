package document_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

func TestReferencesIntoSchemas(t *testing.T) {
	for _, test := range []struct{ name, schemas, want, note string }{
		{"a text", `{"A":{"properties":{"b":{"$ref":"#/components/schemas/B/properties/x"}}},"B":{"properties":{"x":{"type":"string"}}}}`,
			`{"A":{"properties":{"b":{"type":"string"}}},"B":{"properties":{"x":{"type":"string"}}}}`, ""},
		{"annotations beside it", `{"A":{"properties":{"b":{"$ref":"#/components/schemas/B/properties/x","default":"own","deprecated":true,"title":"Own"}}},"B":{"properties":{"x":{"type":"string","default":"its"}}}}`,
			`{"A":{"properties":{"b":{"type":"string","default":"own","deprecated":true,"title":"Own"}}},"B":{"properties":{"x":{"type":"string","default":"its"}}}}`, ""},
		{"annotations beside one to an object", `{"A":{"properties":{"b":{"$ref":"#/components/schemas/B/properties/x","deprecated":true}}},"B":{"properties":{"x":{"type":"object"}}}}`,
			`{"A":{"properties":{"b":{"$ref":"#/components/schemas/B_x","deprecated":true}}},"B":{"properties":{"x":{"type":"object"}}},"B_x":{"type":"object"}}`, ""},
		{"true", `{"A":{"properties":{"b":{"$ref":"#/components/schemas/B/properties/x"}}},"B":{"properties":{"x":true}}}`,
			`{"A":{"properties":{"b":{"$ref":"#/components/schemas/B_x"}}},"B":{"properties":{"x":{}}},"B_x":{}}`, ""},
		{"itself", `{"A":{"properties":{"b":{"$ref":"#/components/schemas/A/properties/b","type":"string"}}}}`, `{"A":{"properties":{"b":{}}}}`,
			"a.json #/components/schemas/A/properties/b: #/components/schemas/A/properties/b leads to itself, and is read as empty"},
		{"a response", `{"A":{"properties":{"b":{"$ref":"#/components/responses/R"}}}}`, `{"A":{"properties":{"b":{}}}}`,
			"a.json #/components/schemas/A/properties/b: #/components/responses/R is not a schema, and read as an empty one"},
		{"the schema of a response", `{"A":{"properties":{"b":{"$ref":"#/components/responses/R/content/text~1plain/schema"}}}}`, `{"A":{"properties":{"b":{"type":"string"}}}}`, ""},
		{"a part of an extension", `{"A":{"properties":{"b":{"$ref":"#/components/x-more/B"}}}}`, `{"A":{"properties":{"b":{"$ref":"#/components/x-more/B"}}}}`, ""},
		{"a list of itself", `{"A":{"type":"array","items":{"$ref":"#/components/schemas/A"}}}`, `{"A":{"type":"array","items":{}}}`,
			"a.json #/components/schemas/A: items leads to itself, and is read as empty"},
		{"a map of lists of it", `{"A":{"type":"object","additionalProperties":{"type":"array","items":{"$ref":"#/components/schemas/B"}}},"B":{"type":"array","items":{"$ref":"#/components/schemas/A"}}}`,
			`{"A":{"type":"object","additionalProperties":{"type":"array","items":{"$ref":"#/components/schemas/B"}}},"B":{"type":"array","items":{}}}`,
			"a.json #/components/schemas/A: items leads to itself, and is read as empty"},
		{"a list of objects that have it", `{"A":{"type":"array","items":{"properties":{"a":{"$ref":"#/components/schemas/A"}}}}}`, `{"A":{"type":"array","items":{"properties":{"a":{"$ref":"#/components/schemas/A"}}}}}`, ""},
		{"an allOf of itself", `{"A":{"properties":{"b":{"type":"string","allOf":[{"$ref":"#/components/schemas/A/properties/b"}]}}}}`,
			`{"A":{"properties":{"b":{"type":"string","allOf":[{"type":"string","allOf":[{}]}]}}}}`,
			"a.json #/components/schemas/A/properties/b/allOf/0/allOf/0: #/components/schemas/A/properties/b leads to itself, and is read as empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := document.Read("a.json", []byte(`{"openapi":"3.1.0","paths":{"/x":{}},"components":{"schemas":`+test.schemas+`,"x-more":{"B":{"type":"string"}},
				"responses":{"R":{"description":"","content":{"text/plain":{"schema":{"type":"string"}}}}}}}`))
			require.NoError(t, err)
			assert.JSONEq(t, test.want, document.Compact(d.Schemas()))
			if test.note == "" {
				assert.Empty(t, d.Notes)
			} else {
				assert.Equal(t, []string{test.note}, d.Notes)
			}
		})
	}
}

// No value of a map without more members fits a part that has values.
func TestClosedParts(t *testing.T) {
	for _, test := range []struct{ name, schema string }{
		{"outside", `{"type":"object","additionalProperties":false,"allOf":[{"type":"object","additionalProperties":{"type":"string"}},{"properties":{"a":{"type":"string"}}}]}`},
		{"in a part", `{"type":"object","additionalProperties":{"type":"string"},"allOf":[{"type":"object","additionalProperties":false},{"properties":{"a":{"type":"string"}}}]}`},
		{"in the first of two parts", `{"allOf":[{"type":"object","additionalProperties":false},{"type":"object","additionalProperties":{"type":"string"}}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := document.Read("a.json", []byte(`{"openapi":"3.1.0","paths":{"/x":{}},"components":{"schemas":{"A":`+test.schema+`}}}`))
			require.NoError(t, err)
			assert.Equal(t, any(false), d.View(document.Ref("A")).Schema["additionalProperties"])
		})
	}
}

// Generators write the schema of a body where the body is.
func TestSchemasAsBodies(t *testing.T) {
	const schema, content = `{"$ref":"#/components/schemas/A"}`, `"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}`
	d, err := document.Read("a.json", []byte(`{"openapi":"3.0.0","paths":{"/x":{"post":{"requestBody":`+schema+`,"responses":{"400":`+schema+`}}}},
		"components":{"responses":{"R":`+schema+`},"schemas":{"A":{"properties":{"responses":{"properties":{"400":`+schema+`}}}}}}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"post":{"requestBody":{`+content+`},"responses":{"400":{"description":"",`+content+`}}}}`, document.Compact(document.Obj(d.Root["paths"])["/x"]))
	assert.JSONEq(t, `{"R":{"description":"",`+content+`}}`, document.Compact(document.Obj(d.Root["components"])["responses"]))
	assert.JSONEq(t, `{"A":{"properties":{"responses":{"properties":{"400":`+schema+`}}}}}`, document.Compact(d.Schemas()))
	assert.Len(t, d.Notes, 3)
}
