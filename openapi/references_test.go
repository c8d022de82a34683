package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// rooms returns a document, with text in the place of parts: SCHEMA is the schema of the
// response, and COMPONENTS, ROOT, OPERATION are further members.
func rooms(t *testing.T, replace ...string) *openapi3.T {
	t.Helper()
	const whole = `
openapi: 3.1.0
info: {title: Rooms, version: all}
ROOT
paths:
  /rooms:
    get:
      OPERATION
      responses: {"200": {description: Rooms., headers: {X-Rate: {schema: {type: string}}}, content: {application/json: {schema: SCHEMA}}}}
components:
  schemas:
    Room: {type: object}
    Unused: {type: object}
COMPONENTS
`
	text := strings.NewReplacer(append(replace, "SCHEMA", "{type: object}", "COMPONENTS", "", "ROOT", "", "OPERATION", "description: Rooms.")...).Replace(whole)
	document, err := openapi3.NewLoader().LoadFromData([]byte(text))
	require.NoError(t, err)
	return document
}

func serviceOf(t *testing.T, routes ...registered) *verso.Explanation {
	t.Helper()
	return bind(t, verso.MustNew(verso.Header("Api-Version"), list()), routes...).Explain()
}

// A $ref in data of the author is no reference, whatever it says, and stays as it is.
func TestReferencesInData(t *testing.T) {
	service := serviceOf(t, at("GET", "/rooms"))
	for name, test := range map[string]struct{ in, with string }{
		"extension of the document":   {"ROOT", "x-topics: [{content: {$ref: DATA}}]"},
		"extension of an operation":   {"OPERATION", "x-of: {$ref: DATA}"},
		"extension of components":     {"COMPONENTS", "  x-of: {schemas: {$ref: DATA}}"},
		"example of a schema":         {"SCHEMA", "{type: object, example: {$ref: DATA}}"},
		"examples of a schema":        {"SCHEMA", "{type: object, examples: [{$ref: DATA}]}"},
		"default":                     {"SCHEMA", "{type: object, default: {schema: {$ref: DATA}}}"},
		"enum":                        {"SCHEMA", "{enum: [{$ref: DATA}]}"},
		"const":                       {"SCHEMA", "{const: {$ref: DATA}}"},
		"example of a parameter":      {"OPERATION", "parameters: [{name: a, in: query, schema: {}, example: {$ref: DATA}}]"},
		"examples of a parameter":     {"OPERATION", "parameters: [{name: a, in: query, schema: {}, examples: {raw: {value: {$ref: DATA}}}}]"},
		"below a property":            {"SCHEMA", "{properties: {value: {properties: {example: {default: {$ref: DATA}}}}}}"},
		"parameter of a link":         {"SCHEMA", "{}}}, links: {next: {operationId: a, parameters: {id: {$ref: DATA}}, requestBody: {$ref: DATA}}}, x-a: {b: {"},
		"name of a property":          {"SCHEMA", "{properties: {$ref: {const: DATA}}}"},
		"example below a combination": {"SCHEMA", "{allOf: [{if: {example: {$ref: DATA}}}]}"},
	} {
		for _, ref := range []string{"./docs/rooms.md", "https://example.com/rooms", "#/paths/~1gone", "#", "#/components/schemas/Gone"} {
			t.Run(name+" "+ref, func(t *testing.T) {
				document, err := openapi.ForVersion(rooms(t, test.in, strings.ReplaceAll(test.with, "DATA", "'"+ref+"'")), service, "v2")
				require.NoError(t, err)
				assert.Contains(t, text{document}.String(), ref)
				assert.NotContains(t, text{document}.String(), "Unused")
			})
		}
	}
}

// Data may need a component: Redoc's x-webhooks has operations, and GitHub's examples of
// schemas refer to components.
func TestComponentsNamedInData(t *testing.T) {
	service := serviceOf(t, at("GET", "/rooms"))
	for name, test := range map[string]struct{ in, with string }{
		"example":                    {"SCHEMA", "{type: object, example: {$ref: '#/components/schemas/Room'}}"},
		"extension":                  {"ROOT", "x-webhooks: {booked: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}}}}"},
		"property named example":     {"SCHEMA", "{properties: {example: {$ref: '#/components/schemas/Room'}}}"},
		"property named x-a":         {"SCHEMA", "{properties: {x-a: {$ref: '#/components/schemas/Room'}}}"},
		"property named properties":  {"SCHEMA", "{properties: {properties: {$ref: '#/components/schemas/Room'}}}"},
		"property named links":       {"SCHEMA", "{properties: {links: {properties: {parameters: {items: {$ref: '#/components/schemas/Room'}}}}}}"},
		"definition named value":     {"SCHEMA", "{$defs: {value: {$ref: '#/components/schemas/Room'}}}"},
		"pattern":                    {"SCHEMA", "{patternProperties: {x-a: {items: {$ref: '#/components/schemas/Room'}}}}"},
		"header named X":             {"OPERATION", "callbacks: {default: {'{$request.body#/u}': {post: {parameters: [{name: x-a, in: header, schema: {$ref: '#/components/schemas/Room'}}]}}}}"},
		"default response":           {"SCHEMA", "{}}}}, default: {description: An error., content: {a/b: {schema: {$ref: '#/components/schemas/Room'}"},
		"webhook named default":      {"ROOT", "webhooks: {default: {post: {requestBody: {content: {a/b: {schema: {$ref: '#/components/schemas/Room'}}}}}}}"},
		"body without responses":     {"OPERATION", "callbacks: {a: {'{$request.body#/u}': {post: {operationId: a, requestBody: {content: {a/b: {schema: {$ref: '#/components/schemas/Room'}}}}}}}}"},
		"below another reference":    {"COMPONENTS", "    Alias: {$ref: '#/components/schemas/Room'}\nx-a: {$ref: '#/components/schemas/Alias'}"},
		"dynamic reference":          {"SCHEMA", "{$dynamicRef: '#/components/schemas/Room'}"},
		"dynamic anchor":             {"SCHEMA", "{items: {$dynamicRef: '#room'}}"},
		"anchor":                     {"SCHEMA", "{items: {$dynamicRef: '#name'}}"},
		"a pointer into a component": {"SCHEMA", "{$ref: '#/components/schemas/Room/properties/name'}"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := rooms(t, test.in, test.with, "Room: {type: object}", "Room: {type: object, $dynamicAnchor: room, properties: {name: {type: string, $anchor: name}}}")
			document, err := openapi.ForVersion(whole, service, "v2")
			require.NoError(t, err)
			assert.NotNil(t, document.Components.Schemas["Room"])
			assert.Nil(t, document.Components.Schemas["Unused"])
		})
	}
}

// Components without any kind of their own are their extensions.
func TestExtensionsOfComponents(t *testing.T) {
	document, err := openapi.ForVersion(rooms(t, "  schemas:\n", "  x-of: 1\n  schemas:\n"), serviceOf(t, at("GET", "/rooms", verso.Neutral())), "v2")
	require.NoError(t, err)
	assert.Equal(t, &openapi3.Components{Extensions: map[string]any{"x-of": 1.0}}, document.Components)
}

// References to other parts of the document stay, if they are valid.
func TestReferencesToPaths(t *testing.T) {
	service := serviceOf(t, at("GET", "/rooms"))
	for _, ref := range []string{
		"$ref: '#/paths/~1rooms/get/parameters/0/schema'", "$ref: '#/paths/~1rooms/%67et/parameters/0/schema'", "$dynamicRef: '#node'",
	} {
		document, err := openapi.ForVersion(rooms(t, "SCHEMA", "{type: object, items: {"+ref+"}}",
			"OPERATION", "parameters: [{name: a, in: query, schema: {type: string}}]"), service, "v2")
		require.NoError(t, err, ref)
		assert.Contains(t, text{document}.String(), ref)
	}
}

// A path item of the components becomes a part of the path, and unused ones go with what
// they refer to.
func TestPathItems(t *testing.T) {
	service := serviceOf(t, at("GET", "/bookings/:id"), at("GET", "/rooms"))
	document, err := openapi.ForVersion(rooms(t,
		"  /rooms:", "  /bookings/{id}: {$ref: '#/components/pathItems/Booking'}\n  /rooms:",
		"ROOT", "webhooks: {booked: {$ref: '#/components/pathItems/Booked'}}",
		"COMPONENTS", `
  pathItems:
    Booking:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      get: {operationId: booking, responses: {"200": {description: A., content: {a/b: {schema: {$ref: '#/components/schemas/Room'}}}}}}
      delete: {operationId: cancel, responses: {"204": {description: Gone.}}}
    Booked: {post: {responses: {"204": {description: Heard.}}}}
    Other: {get: {responses: {"200": {description: A., content: {a/b: {schema: {$ref: '#/components/schemas/Unused'}}}}}}}`,
	), service, "v2")
	require.NoError(t, err)
	item := document.Paths.Value("/bookings/{id}")
	assert.Empty(t, item.Ref)
	assert.Equal(t, "booking", item.Get.OperationID)
	assert.Nil(t, item.Delete, "it is no route")
	got := text{document}.String()
	assert.Equal(t, 1, strings.Count(got, "operationId: booking"), "the component is gone")
	assert.Contains(t, got, "    Booked:", "a webhook refers to it")
	assert.NotContains(t, got, "Other")
	assert.NotContains(t, got, "Unused")
	assert.Contains(t, document.Components.Schemas, "Room")
}

// A document that leads nowhere, or too deep, is an error with the place, at once.
func TestHostileDocuments(t *testing.T) {
	nested := func(levels int) string {
		return strings.Repeat("{type: object, properties: {a: ", levels) + "{type: string}" + strings.Repeat("}}", levels)
	}
	chain := func(levels int, last string) string {
		var all strings.Builder
		for i := range levels {
			fmt.Fprintf(&all, "    S%d: {type: object, discriminator: {propertyName: a}, allOf: [{$ref: '#/components/schemas/S%d'}, {$ref: '#/components/schemas/S%d'}]}\n", i, i+1, i+1)
		}
		return all.String() + fmt.Sprintf("    S%d: %s", levels, last)
	}
	const place = "#/paths/~1rooms/get/responses/200/content/application~1json/schema"
	service := serviceOf(t, at("GET", "/rooms"))
	for name, test := range map[string]struct {
		components string // with the schema S0
		want       string // "": a document
	}{
		"a schema in itself":           {"    S0: {properties: {a: {$ref: '#/components/schemas/S0'}}}", ""},
		"two in each other":            {"    S0: {allOf: [{$ref: '#/components/schemas/S1'}]}\n    S1: {allOf: [{$ref: '#/components/schemas/S0'}]}", ""},
		"2^60 ways":                    {chain(60, "{type: string}"), ""}, // which nothing could walk one by one
		"1,000 schemas in a ring":      {chain(1000, "{allOf: [{$ref: '#/components/schemas/S0'}]}"), ""},
		"a reference to itself":        {"    S0: {$ref: '#/components/schemas/S0'}", place + `: "#/components/schemas/S0" leads to references only`},
		"two references to each other": {"    S0: {$ref: '#/components/schemas/S1'}\n    S1: {$ref: '#/components/schemas/S0'}", place + `: "#/components/schemas/S0" leads to references only`},
		"the whole document":           {"    S0: {properties: {a/b: {$ref: '#'}}}", `#/components/schemas/S0/properties/a~1b: "#" refers to the whole document`},
		"no name":                      {"    S0: {properties: {a: {$ref: '#/'}}}", `#/components/schemas/S0/properties/a: "#/" refers to a part of the document that this version does not have`},
		"an empty reference":           {"    S0: {properties: {a: {$ref: ''}}}", `#/components/schemas/S0/properties/a: "" refers to another document`},
		"100 levels":                   {"    S0: " + nested(100), ""},
		"300 levels":                   {"    S0: " + nested(300), "#/components/schemas/S0/properties/a/properties/a/properties/a/properties/...: the document is nested more than 500 levels deep"},
		"900 levels of an extension":   {"    S0: {x-a: " + strings.Repeat("{a: ", 900) + "1" + strings.Repeat("}", 900) + "}", "#/components/schemas/S0/x-a/a/a/a/a/a/a/...: the document is nested"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := rooms(t, "SCHEMA", "{$ref: '#/components/schemas/S0'}", "COMPONENTS", test.components)
			document, err := openapi.ForVersion(whole, service, "v2")
			if test.want == "" {
				require.NoError(t, err)
				assert.Contains(t, document.Components.Schemas, "S0")
				return
			}
			assert.ErrorContains(t, err, test.want)
			assert.Nil(t, document)
		})
	}
}

// What is null in a document does not stop the service.
func TestNulls(t *testing.T) {
	service := serviceOf(t, at("GET", "/rooms"))
	for _, servers := range []string{"servers: [null]", "servers: [{url: '/{a}', variables: {a: null}}]", "servers:", "webhooks: {a: null}", "tags: [null]"} {
		_, err := openapi.ForVersion(rooms(t, "ROOT", servers), service, "v2")
		assert.NoError(t, err, servers)
	}
}
