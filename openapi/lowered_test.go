package openapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// titled is a history of its own: it gives the schemas with a title their older title. A
// schema stays the same one if it has none.
type titled struct {
	verso.Rewriter
	from, to string
	lowered  *[]string
}

func (titled) Review(*verso.Versioning) []verso.Finding { return nil }

func (r *titled) LowerDocument(version string, document map[string]any,
	routes map[string]verso.Rewriter) (map[string]verso.Rewriter, error) {
	components := document["components"].(map[string]any)
	schemas := components["schemas"].(map[string]any)
	for name, each := range schemas {
		if schema := each.(map[string]any); schema["title"] == r.from {
			schemas[name] = map[string]any{"type": "object", "title": r.to}
		}
	}
	rest := map[string]verso.Rewriter{}
	for pointer, route := range routes {
		if rest[pointer] = route; route == verso.Rewriter(r) {
			rest[pointer] = nil
			*r.lowered = append(*r.lowered, version+" "+pointer)
		}
	}
	return rest, nil
}

// everything is a document with each kind of part, whose parts refer to each other, and extensions everywhere.
const everything = `
openapi: 3.1.0
info: {title: Rooms, version: all, x-info: 1}
servers: [{url: https://example.com, x-server: 1}]
security: [{key: []}]
tags: [{name: rooms, x-tag: 1}]
x-root: {list: [1.0, {a: b}]}
x-webhooks: {made: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}}}}
webhooks:
  moved: {$ref: '#/components/pathItems/Moved'}
  booked: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}, responses: {"204": {description: Heard.}}}}
paths:
  x-paths: {groups: [a]}
  /rooms:
    x-item: {a: 1}
    parameters: [{$ref: '#/components/parameters/Page'}]
    get:
      x-operation: {a: 1}
      responses:
        x-responses: {a: 1}
        "200": {$ref: '#/components/responses/Rooms'}
    post:
      requestBody: {$ref: '#/components/requestBodies/Room'}
      responses: {"201": {description: Made., links: {self: {$ref: '#/components/links/Self'}}, headers: {X-Rate: {$ref: '#/components/headers/Rate'}}}}
      callbacks: {made: {$ref: '#/components/callbacks/Made'}, moved: {$ref: '#/components/callbacks/Moved'}, own: {x-callback: 1, '{$request.body#/u}': {post: {responses: {"204": {description: Heard.}}}}}}
  /halls:
    get: {responses: {"200": {description: Halls., content: {application/json: {schema: {$ref: '#/components/schemas/Hall'}}}}}}
  /into: {get: {responses: {"200": {description: A., content: {application/json: {schema: {$ref: '#/paths/~1halls/get/responses/200/content/application~1json/schema'}}}}}}}
  /booked: {$ref: '#/components/pathItems/Booked'}
components:
  x-components: {a: {$ref: nowhere}}
  schemas:
    Room: {type: object, title: TITLE, properties: {id: {type: string}}}
    Rooms: {type: array, items: {$ref: '#/components/schemas/Room'}}
    Hall: {type: object, title: HALL, properties: {seats: {type: integer}}}
    Event: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {room: Booked, hall: '#/components/schemas/Hall'}}}
    Booked: {allOf: [{$ref: '#/components/schemas/Event'}, {properties: {room: {$ref: '#/components/schemas/Room'}}}]}
    Free: {allOf: [{$ref: '#/components/schemas/Event'}]}
  responses: {Rooms: {description: Rooms., content: {application/json: {schema: {$ref: '#/components/schemas/Rooms'}, examples: {one: {$ref: '#/components/examples/One'}}}}}}
  requestBodies: {Room: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}}
  parameters: {Page: {name: page, in: query, schema: {type: integer}}}
  examples: {One: {value: [{id: a, $ref: data}]}}
  headers: {Rate: {schema: {type: integer}}}
  links: {Self: {operationId: rooms, x-link: 1}}
  callbacks:
    Moved: {x-callback: 1, '{$request.body#/old}': {post: {responses: {"204": {description: Heard.}}}}}
    Made: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Free'}}}}, responses: {"204": {description: Heard.}}}}}
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  pathItems:
    Moved: {post: {responses: {"204": {description: Heard.}}}}
    Booked: {get: {operationId: booked, responses: {"200": {description: A., content: {application/json: {schema: {$ref: '#/components/schemas/Booked'}}}}}}}
`

// Two histories lower their own routes, one after the other. What they leave as it is, is as in
// a document that nothing lowers: parts of all kinds, references to them, and extensions.
func TestLoweredByTwoHistories(t *testing.T) {
	load := func(title, hall string) *openapi3.T {
		document, err := openapi3.NewLoader().LoadFromData([]byte(strings.NewReplacer("TITLE", title, "HALL", hall).Replace(everything)))
		require.NoError(t, err)
		return document
	}
	var lowered []string
	rooms, halls := &titled{from: "room", to: "old room", lowered: &lowered}, &titled{from: "hall", to: "old hall", lowered: &lowered}
	whole := load("room", "hall")
	service := serviceOf(t, at("GET", "/rooms", verso.SunsetAt(day(2027, time.June))), at("POST", "/rooms"), at("GET", "/halls"), at("GET", "/into"), at("GET", "/booked"))
	plain := service.Routes
	service.Routes = slices.Clone(plain)
	for i, r := range plain {
		switch r.Path {
		case "/rooms":
			service.Routes[i].Rewriter = rooms
		case "/halls", "/into":
			service.Routes[i].Rewriter = halls
		}
	}
	made, err := openapi.ForVersion(whole, service, "v1")
	require.NoError(t, err)
	pointers := []string{"v1 /paths/~1rooms/get", "v1 /paths/~1rooms/post", "v1 /paths/~1halls/get", "v1 /paths/~1into/get"}
	for i, r := range service.Routes { // of webhooks, which have no route
		if r.Rewriter != nil {
			pointers = append(pointers, fmt.Sprint("v1 /", i))
		}
	}
	assert.ElementsMatch(t, pointers, lowered)

	older := load("room", "hall")
	for name, title := range map[string]string{"Room": "old room", "Hall": "old hall"} {
		*older.Components.Schemas[name].Value = openapi3.Schema{Type: &openapi3.Types{"object"}, Title: title}
	}
	service.Routes = plain
	before := text{older}.String()
	want, err := openapi.ForVersion(older, service, "v1")
	require.NoError(t, err)
	assert.Equal(t, text{want}.String(), text{made}.String())
	for _, part := range []string{"x-info", "x-server", "x-tag", "x-root", "x-webhooks", "x-paths", "x-item", "x-operation", "x-responses", "x-callback", "x-components", "x-link"} {
		assert.Contains(t, text{made}.String(), part)
	}
	assert.Same(t, made.Components.Schemas["Room"].Value, made.Components.Schemas["Rooms"].Value.Items.Value)
	into := made.Paths.Value("/into").Get.Responses.Status(200).Value.Content["application/json"].Schema
	assert.Equal(t, "old hall", into.Value.Title)
	assert.Equal(t, before, text{older}.String(), "the given document is left as it is")
	made.Components.Callbacks["Moved"].Value.Value("{$request.body#/old}").Post.Summary = "changed"
	made.Webhooks["moved"].Post.Summary = "changed"
	assert.Equal(t, text{load("room", "hall")}.String(), text{whole}.String(), "the given document is left as it is")
}
