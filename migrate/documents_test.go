package migrate_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// loweredPath returns the path "/x" of a document in v1, whose GET and POST have a route.
func loweredPath(t *testing.T, path string, route *migrate.Route) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(`{"openapi":"3.1.0","paths":{"/x":` + path + `},"components":{"schemas":{"Thing":` + thingSchema + `}}}`)))
	d.UseNumber()
	var document map[string]any
	require.NoError(t, d.Decode(&document))
	_, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route, "/paths/~1x/post": route})
	require.NoError(t, err)
	text, err := json.Marshal(document["paths"].(map[string]any)["/x"])
	require.NoError(t, err)
	return string(text)
}

// What clients of the version cannot get is not in its document, and the rest is as it was written.
func TestDocumentsOfResponses(t *testing.T) {
	route := func(more ...migrate.Body) *migrate.Route {
		return changed(t, migrate.For[Thing](migrate.Renamed("old", "a"))).Route(append(more, migrate.Returns[Thing]())...)
	}
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"example":{"a":"x","id":1,"n":1.0},"schema":{"type":"object"}},"application/xml":{"schema":{"type":"object"}}},"description":""}}}}`
	const asJSON = `"example":{"id":1,"n":1.0,"old":"x"}`
	got := loweredPath(t, path, route())
	assert.Contains(t, got, asJSON)
	beside := loweredPath(t, strings.Replace(path, `{"type":"object"}}`, `{"$ref":"#/components/schemas/Thing","default":{"a":"x"}}}`, 1), route())
	assert.Contains(t, beside, `"schema":{"$ref":"#/components/schemas/Thing","default":{"old":"x"}}`)
	assert.NotContains(t, got, "application/xml")
	assert.Contains(t, loweredPath(t, path, route(migrate.Passes("application/xml"))), "application/xml")
}

// Parameters of the path belong to all its operations: each has them once, also one without a route.
func TestDocumentsOfParametersOfThePath(t *testing.T) {
	route := changed(t, migrate.For[ranged](migrate.Renamed("max", "limit"))).Route(migrate.Query[ranged]())
	const limit, older, own, rest = `{"in":"query","name":"limit","schema":{"type":"integer"}}`, `{"in":"query","name":"max","schema":{"type":"integer"}}`, `{"in":"header","name":"X-Own"}`, `"responses":{"200":{"description":""}}`
	got := loweredPath(t, `{"parameters":[`+limit+`,`+own+`],"get":{`+rest+`},"post":{`+rest+`},"delete":{`+rest+`}}`, route)
	changes := `"x-changes":[{"edit":"\"max\" is now named \"limit\"","text":"x","version":"v2"}]`
	lowered := `{"parameters":[` + own + `,` + older + `],` + rest + `,` + changes + `}`
	assert.JSONEq(t, `{"get":`+lowered+`,"post":`+lowered+`,"delete":{"parameters":[`+limit+`,`+own+`],`+rest+`}}`, got)
}

// An object that was a map has no members in older documents, which breaks clients that move.
func TestDocumentsOfAMap(t *testing.T) {
	h := changed(t, migrate.For[Thing](migrate.Documented("", `{"properties":null,"required":[],"additionalProperties":{"type":"string"}}`)))
	route := h.Route(migrate.Returns[Thing]())
	assert.True(t, h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/x", Rewriter: route}}}).Versions[0].Changes[0].Breaking)
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}},"description":""}}}}`
	assert.Contains(t, loweredPath(t, path, route), `"schema":{"additionalProperties":{"type":"string"},"type":"object","x-changes":`)
}

// An object that is no component is described where it is, beside what older clients read.
func TestDocumentsOfAnObjectInPlace(t *testing.T) {
	route := changed(t, migrate.For[Thing](migrate.Removed("seat", struct {
		Row int `json:"row"`
	}{3}))).Route(migrate.Returns[Thing]())
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{"a":{"type":"string"}}}}},"description":""}}}}`
	assert.Contains(t, loweredPath(t, path, route), `"seat":{"examples":[{"row":3}],"properties":{"row":{"type":"integer"}},"required":["row"],"type":"object"}`)
}

// All that cannot be lowered is in the error, each place once.
func TestDocumentsNameAllErrors(t *testing.T) {
	route := changed(t, migrate.For[Thing](migrate.Renamed("old", "a"))).Route(migrate.Returns[Thing]())
	const several = `{"responses":{"200":{"content":{"application/json":{"schema":{"oneOf":[{"type":"object"},{"type":"object"}]}}},"description":""}}}`
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":`+several+`,"post":`+several+`}}}`), &document))
	_, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route, "/paths/~1x/post": route})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "/paths/~1x/get/responses/200/content/application~1json/schema/oneOf")
	assert.Equal(t, 1, strings.Count(err.Error(), "/paths/~1x/post/responses/200/content/application~1json/schema/oneOf"))
}

// A callback to a member that stays is the same, and one to a member that the version lacks is not there.
func TestDocumentsOfCallbacks(t *testing.T) {
	const path = `{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}}},"callbacks":{"stays":{"{$request.body#/id}":{}},"goes":{"{$request.body#/a}":{}}},"responses":{"200":{"description":""}}}}`
	got := loweredPath(t, path, changed(t, migrate.For[Thing](migrate.Added("a"))).Route(migrate.Accepts[Thing]()))
	assert.Contains(t, got, `"callbacks":{"stays":{"{$request.body#/id}":{}}}`)
	described := changed(t, migrate.For[Thing](migrate.Documented("a", `{"maxLength":3}`)))
	assert.Contains(t, loweredPath(t, path, described.Route(migrate.Accepts[Thing]())), `"goes":{"{$request.body#/a}":{}}`)
}

// Keywords of a member are those of the part of an allOf that has them, and each part requires its own.
func TestDocumentsOfPartsThatDescribeOneMember(t *testing.T) {
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"allOf":[{"type":"object","properties":{"a":{"type":"string","maxLength":9}}},{"type":"object","properties":{"a":{"enum":["x"]},"id":{"type":"integer"}}}]}}},"description":""}}}}`
	route := changed(t, migrate.For[Thing](migrate.Documented("a", `{"maxLength":5}`), migrate.Documented("", `{"required":["id"]}`))).Route(migrate.Returns[Thing]())
	got := loweredPath(t, path, route)
	assert.Contains(t, got, `{"properties":{"a":{"maxLength":5,"type":"string"}},"type":"object"`)
	assert.Contains(t, got, `"required":["id"]`)
}

// An object in parts stays in parts: texts change where they are listed, not where the member is only required, and
// keywords of the object are those of the part that has them, or of the last.
func TestDocumentsOfPartsThatStay(t *testing.T) {
	for _, test := range []struct {
		name string
		edit migrate.Edit
		want string
	}{
		{"texts of a member that is only required outside", migrate.Values("a", nil, migrate.NewValue("y", "x")), `{"allOf":[{"properties":{"a":{"enum":["x"],"type":"string"}},"type":"object"},{"properties":{"id":{"type":"integer"}},"title":"Of id"}],"required":["a"]}`},
		{"keywords of the part that has them", migrate.Documented("", `{"title":"Was"}`), `{"allOf":[{"properties":{"a":{"enum":["x","y"],"type":"string"}},"type":"object"},{"properties":{"id":{"type":"integer"}},"title":"Was"}],"required":["a"]}`},
		{"keywords that no part has", migrate.Documented("", `{"description":"Was"}`), `{"allOf":[{"properties":{"a":{"enum":["x","y"],"type":"string"}},"type":"object"},{"properties":{"id":{"type":"integer"}},"title":"Of id"}],"description":"Was","required":["a"]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			const schema = `{"allOf":[{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]}}},{"title":"Of id","properties":{"id":{"type":"integer"}}}],"required":["a"]}`
			got := loweredPath(t, `{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":`+schema+`}}}}}}`, changed(t, migrate.For[Thing](test.edit)).Route(migrate.Returns[Thing]()))
			var all struct {
				Get struct {
					Responses map[string]struct {
						Content map[string]struct{ Schema map[string]any }
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(got), &all))
			made := all.Get.Responses["200"].Content["application/json"].Schema
			delete(made, "x-changes")
			for _, part := range made["allOf"].([]any) {
				delete(part.(map[string]any), "x-changes")
			}
			text, err := json.Marshal(made)
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(text))
		})
	}
}

// A component that two types have in their allOf is one component, if no edit is about it.
func TestDocumentsOfASharedPart(t *testing.T) {
	type left struct {
		A string `json:"a"`
		X string `json:"x"`
	}
	type right struct {
		A string `json:"a"`
		Y string `json:"y"`
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[left](migrate.Renamed("old", "x")), migrate.For[right](migrate.Renamed("old", "y")))), migrate.Release("v1")))
	of := func(name string) string {
		return `{"responses":{"200":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Part"},{"type":"object","properties":{"` + name + `":{"type":"string"}}}]}}},"description":""}}}`
	}
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":`+of("x")+`,"post":`+of("y")+`}},"components":{"schemas":{"Part":{"type":"object","properties":{"a":{"type":"string"}}}}}}`), &document))
	get, post := h.Route(migrate.Returns[left]()), h.Route(migrate.Returns[right]())
	_, err := get.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": get, "/paths/~1x/post": post})
	require.NoError(t, err)
	text, err := json.Marshal(document)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(text), `{"$ref":"#/components/schemas/Part"}`), string(text))
	assert.Contains(t, string(text), `"components":{"schemas":{"Part":{`)
}

// An allOf in an allOf, or with members of its own, stays one, and a member that comes back is where its component has it.
func TestDocumentsOfPartsInParts(t *testing.T) {
	type compact struct {
		ID  string `json:"id"`
		New string `json:"new,omitempty"`
	}
	type full struct {
		ID   string `json:"id"`
		New  string `json:"new,omitempty"`
		Note string `json:"note,omitempty"`
		Own  string `json:"own,omitempty"`
	}
	edits := []migrate.Edit{migrate.Added("new"), migrate.Removed("old,omitempty", "")}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[compact](), edits...), migrate.ForType(reflect.TypeFor[full](), append(edits, migrate.Renamed("mine", "own"))...))), migrate.Release("v1")))
	body := func(name string) string {
		return `{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/` + name + `"}}},"description":""}}}`
	}
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":`+body("Compact")+`,"post":`+body("Full")+`}},"components":{"schemas":{
		"Compact":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"new":{"type":"string"}}},
		"Base":{"allOf":[{"$ref":"#/components/schemas/Compact"},{"type":"object","properties":{"note":{"type":"string"}}}]},
		"Full":{"allOf":[{"$ref":"#/components/schemas/Base"}],"properties":{"own":{"type":"string"}}}}}}`), &document))
	get, post := h.Route(migrate.Returns[compact]()), h.Route(migrate.Returns[full]())
	_, err := get.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": get, "/paths/~1x/post": post})
	require.NoError(t, err)
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	for _, each := range schemas {
		delete(each.(map[string]any), "x-changes")
	}
	text, err := json.Marshal(schemas)
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"Compact":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"old":{"type":"string"}}},
		"Base":{"allOf":[{"$ref":"#/components/schemas/Compact"},{"type":"object","properties":{"note":{"type":"string"}}}]},
		"Full":{"allOf":[{"$ref":"#/components/schemas/Base"}],"properties":{"mine":{"type":"string"}}}}`, string(text))
}

// A part of an allOf that may be null keeps its component, like the other parts.
func TestDocumentsOfPartsWithNull(t *testing.T) {
	type whole struct {
		A   string `json:"a"`
		New string `json:"new,omitempty"`
		B   string `json:"b"`
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[whole](migrate.Added("new"), migrate.Renamed("was", "b")))), migrate.Release("v1")))
	for _, keyword := range []string{"oneOf", "anyOf"} {
		t.Run(keyword, func(t *testing.T) {
			var document map[string]any
			require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Whole"}}},"description":""}}}}},"components":{"schemas":{
				"Whole":{"allOf":[{"`+keyword+`":[{"type":"null"},{"$ref":"#/components/schemas/Part"}]},{"type":"object","properties":{"b":{"type":"string"}}}]},
				"Part":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"new":{"type":"string"}}}}}}`), &document))
			get := h.Route(migrate.Returns[whole]())
			_, err := get.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": get})
			require.NoError(t, err)
			schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
			delete(schemas["Part"].(map[string]any), "x-changes")
			delete(schemas["Whole"].(map[string]any)["allOf"].([]any)[1].(map[string]any), "x-changes")
			text, err := json.Marshal(schemas)
			require.NoError(t, err)
			assert.JSONEq(t, `{
				"Whole":{"allOf":[{"`+keyword+`":[{"type":"null"},{"$ref":"#/components/schemas/Part"}]},{"type":"object","properties":{"was":{"type":"string"}}}]},
				"Part":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}}`, string(text))
		})
	}
}

// In a document of OpenAPI 3.1, null is written as the document writes it.
func TestDocumentedNull(t *testing.T) {
	for _, test := range []struct{ name, keywords, now, want string }{
		{"a text may be null", `{"nullable":true}`, `{"type":"string"}`, `{"type":["string","null"]}`},
		{"a text, with a bound", `{"nullable":true,"maxLength":3}`, `{"type":"string"}`, `{"type":["string","null"],"maxLength":3}`},
		{"a text is never null", `{"nullable":null}`, `{"type":["string","null"]}`, `{"type":"string"}`},
		{"a reference may be null", `{"nullable":true}`, `{"$ref":"#/components/schemas/Thing"}`, `{"oneOf":[{"$ref":"#/components/schemas/Thing"},{"type":"null"}]}`},
		{"a reference is never null", `{"nullable":null}`, `{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Thing"}]}`, `{"$ref":"#/components/schemas/Thing"}`},
		{"null already", `{"nullable":true}`, `{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Thing"}]}`, `{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Thing"}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			type of struct {
				A json.RawMessage `json:"a"`
			}
			route := changed(t, migrate.For[of](migrate.Documented("a", test.keywords))).Route(migrate.Returns[of](), migrate.Open[of]("a"))
			got := loweredPath(t, `{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"object","properties":{"a":`+test.now+`,
				"other":{"oneOf":[{"type":"string"},{"type":"null"}]}}}}}}}}}`, route)
			assert.Contains(t, got, `"properties":{"a":`)
			var all struct {
				Get struct {
					Responses map[string]struct {
						Content map[string]struct {
							Schema struct{ Properties map[string]json.RawMessage }
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(got), &all))
			assert.JSONEq(t, test.want, string(all.Get.Responses["200"].Content["application/json"].Schema.Properties["a"]))
		})
	}
}

// A member that several parts describe has its edits in each of them.
func TestDocumentsOfAMemberInSeveralParts(t *testing.T) {
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"allOf":[{"type":"object","properties":{"a":{"type":"string","maxLength":9}}},{"type":"object","properties":{"a":{"minLength":1},"id":{"type":"integer"}}}]}}},"description":""}}}}`
	route := changed(t, migrate.For[Thing](migrate.Renamed("old", "a"))).Route(migrate.Returns[Thing]())
	got := loweredPath(t, path, route)
	assert.Contains(t, got, `{"properties":{"old":{"maxLength":9,"type":"string"}},"type":"object"`)
	assert.Contains(t, got, `{"properties":{"id":{"type":"integer"},"old":{"minLength":1}},"type":"object"`)
}

// A part that lists no values, and takes those of the older version, stays as it is.
func TestDocumentsOfValuesInOnePart(t *testing.T) {
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"allOf":[{"type":"object","properties":{"a":{"type":"string","maxLength":3}}},{"type":"object","properties":{"a":{"type":"string","enum":["now"]}}}]}}},"description":""}}}}`
	for old, first := range map[string]string{"was": `{"maxLength":3,"type":"string"}`, "longer": `{"type":"string"}`} {
		route := changed(t, migrate.For[Thing](migrate.Values("a", map[string]string{old: "now"}))).Route(migrate.Returns[Thing]())
		got := loweredPath(t, path, route)
		assert.Contains(t, got, `{"properties":{"a":`+first+`},"type":"object"`, old)
		assert.Contains(t, got, `{"properties":{"a":{"enum":["`+old+`"],"type":"string"}},"type":"object"`, old)
	}
}

// A part of an allOf may allow more types than the rest: the common type is left.
func TestDocumentsOfTypesInSeveralParts(t *testing.T) {
	const path = `{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{"a":%},"required":["a"]}}},"description":""}}}}`
	route := changed(t, migrate.For[Thing](migrate.Values("a", map[string]string{"was": "now"}))).Route(migrate.Returns[Thing]())
	for _, now := range []string{
		`{"allOf":[{"type":["string","null"],"enum":["now"]}],"type":"string"}`,
		`{"allOf":[{"type":"string","enum":["now"]},{"type":["integer","string"]}]}`,
	} {
		assert.Contains(t, loweredPath(t, strings.Replace(path, "%", now, 1), route), `{"a":{"enum":["was"],"type":"string"}}`, now)
	}
}

// A component may describe two types: that of its name stays under it, and the other is a component under its own name.
func TestDocumentsOfTwoTypesOfAComponent(t *testing.T) {
	type thingInLists Thing
	h := changed(t, migrate.For[thingInLists](migrate.Renamed("old", "a")))
	one, list := h.Route(migrate.Returns[Thing]()), h.Route(migrate.Returns[[]thingInLists]())
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{
		"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/thing"}}}},"description":""}}},
		"put":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/thing"}}},"description":""}}}}},
		"components":{"schemas":{"thing":{"type":"object","properties":{"a":{"type":"string"}}}}}}`), &d))
	_, err := one.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": list, "/paths/~1x/put": one})
	require.NoError(t, err)
	text, err := json.Marshal(d["components"].(map[string]any)["schemas"])
	require.NoError(t, err)
	assert.Contains(t, string(text), `"thing":{"properties":{"a":{"type":"string"}},"type":"object"}`)
	assert.Contains(t, string(text), `"thingInLists":{"properties":{"old":{"type":"string"}},"type":"object"`)
}

// A discriminator without a mapping means the components whose allOf leads to its own: the others are of the older
// version, and keep their names.
func TestDocumentsBesideADiscriminator(t *testing.T) {
	route := changed(t, migrate.For[Thing](migrate.Renamed("old", "a"))).Route(migrate.Returns[Thing]())
	for base, names := range map[string][]string{"Plain": {"Base", "Thing"}, "Base": {"Base", "Thing", "Thing_v1"}} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{
			"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}},"description":""}}},
			"put":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Base"}}},"description":""}}}}},
			"components":{"schemas":{"Base":{"type":"object","properties":{"kind":{"type":"string"}},"discriminator":{"propertyName":"kind"}},
			"Plain":{"type":"object","properties":{"id":{"type":"integer"}}},
			"Thing":{"allOf":[{"$ref":"#/components/schemas/`+base+`"},{"type":"object","properties":{"a":{"type":"string"}}}]}}}}`), &d))
		_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route, "/paths/~1x/put": nil})
		require.NoError(t, err)
		schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
		for _, name := range names {
			assert.Contains(t, schemas, name, base)
		}
		thing, _ := json.Marshal(schemas[names[len(names)-1]])
		assert.Contains(t, string(thing), `"old":{"type":"string"}`, base)
	}
}

// loweredSchemas returns the components of a document in v1 as JSON. Its operations of "/x" return the component thing, and
// have a route each, or none.
func loweredSchemas(t *testing.T, thing string, h *migrate.History, routes map[string]migrate.Body) string {
	t.Helper()
	operations, all := map[string]any{}, map[string]verso.Rewriter{}
	for method, body := range routes {
		operations[method] = json.RawMessage(`{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/thing"}}},"description":""}}}`)
		if all["/paths/~1x/"+method] = nil; body != nil {
			all["/paths/~1x/"+method] = h.Route(body)
		}
	}
	item, err := json.Marshal(operations)
	require.NoError(t, err)
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":`+string(item)+`},"components":{"schemas":{"thing":`+thing+`}}}`), &d))
	_, err = h.Route().LowerDocument("v1", d, all)
	require.NoError(t, err)
	text, err := json.Marshal(d["components"].(map[string]any)["schemas"])
	require.NoError(t, err)
	return string(text)
}

// Types of one name that a component describes beside its own are one component if they are the same.
func TestDocumentsOfTypesOfOneName(t *testing.T) {
	bodies, renamed := map[string]migrate.Body{"get": migrate.Returns[Thing]()}, migrate.Renamed("old", "a")
	edits := []migrate.TypeEdits{migrate.For[Thing](migrate.Renamed("was", "a"))}
	{
		type Other Thing
		bodies["put"], edits = migrate.Returns[Other](), append(edits, migrate.For[Other](renamed))
	}
	{
		type Other Thing
		bodies["post"], edits = migrate.Returns[Other](), append(edits, migrate.For[Other](renamed))
	}
	{
		type Second Thing
		bodies["patch"], edits = migrate.Returns[Second](), append(edits, migrate.For[Second](renamed))
	}
	got := loweredSchemas(t, thingSchema, changed(t, edits...), bodies)
	var names map[string]any
	require.NoError(t, json.Unmarshal([]byte(got), &names))
	assert.ElementsMatch(t, []string{"thing", "Other", "Second"}, slices.Collect(maps.Keys(names)), got)
}

// Changes are told also where they leave the schema as it is.
func TestDocumentsOfChangesOfValuesAlone(t *testing.T) {
	same := func(text string) (string, error) { return text, nil }
	h := changed(t, migrate.For[Thing](migrate.Mapped("a", same, same)))
	const newest, older = `{"properties":{"a":{"type":"string"}},"type":"object"}`, `{"properties":{"a":{"type":"string"}},"type":"object","x-changes":[`
	for name, test := range map[string]struct {
		other migrate.Body
		want  []string
	}{
		"all operations lower it": {migrate.Returns[Thing](), []string{`{"thing":` + older}},
		"one operation does not":  {nil, []string{`{"thing":` + newest + `,"thing_v1":` + older}},
	} {
		got := loweredSchemas(t, newest, h, map[string]migrate.Body{"get": migrate.Returns[Thing](), "put": test.other})
		for _, want := range test.want {
			assert.Contains(t, got, want, name)
		}
	}
}
