package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file writes a document whose GET /x returns a schema.
func file(t *testing.T, version, schema string) string {
	t.Helper()
	return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{
		"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"","content":{"application/json":{"schema":`+schema+`}}}}}},
		"/y":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}}}}}},
		"components":{"schemas":{
			"Pet":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"name":{"type":"string"}}},
			"Code":{"type":"string","pattern":"^c"},
			"Tree":{"type":"object","definitions":{"node":{"type":"object","properties":{"content":{"type":"string"},"next":{"$ref":"#/components/schemas/Tree/definitions/node"}}}}},
			"MaybePet":{"type":["object","null"],"required":["id"],"properties":{"id":{"type":"string"},"name":{"type":"string"}}},
			"PetV1":{"type":"object","properties":{"id":{"type":"integer"},"size":{"type":"string"}}}}}}`)
}

func text(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "api.json")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// drafted returns the history that is drafted of two documents, without a trial.
func drafted(t *testing.T, older, newest, folder string) string {
	t.Helper()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", older, "-new", newest, "-from", "v1", "-to", "v2", "-pkg", "api", "-out", folder}, &out, &out), out.String())
	code, err := os.ReadFile(filepath.Join(folder, "versions.go"))
	require.NoError(t, err)
	return string(code)
}

func TestDraft(t *testing.T) {
	const bare = `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}}}`
	member := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	list := func(schema string) string { return `{"type":"array","items":` + schema + `}` }
	object := func(values string) string { return `{"type":"object","additionalProperties":` + values + `}` }
	page := func(schema string) string {
		return `{"allOf":[{"type":"object","properties":{"items":` + list(`{"type":"object"}`) + `}},
			{"type":"object","properties":{"items":` + list(schema) + `}}]}`
	}
	forms := func(one, other string) string {
		return `{"oneOf":[{"type":"object","properties":{"id":{"type":"string"}` + strings.TrimSuffix(","+one, ",") + `}},
			{"type":"object","properties":{"b":{"type":"string"}` + strings.TrimSuffix(","+other, ",") + `}}]}`
	}
	variant := func(kind string) string {
		return `{"type":"object","properties":{"kind":{"type":"string","enum":["` + kind + `"]}}}`
	}
	either := func(kinds ...string) string {
		var forms []string
		for _, kind := range kinds {
			forms = append(forms, variant(kind))
		}
		return `{"oneOf":[` + strings.Join(forms, ",") + `]}`
	}
	for _, test := range []struct{ name, older, newest, want string }{
		{"an envelope goes", `{"type":"object","properties":{"payload":` + bare + `}}`, bare, `migrate.Flattened[ShowXResponsePayloadOfV1]("payload", map[string]string{"id": "id", "name": "name"})`},
		{"an envelope that was optional goes", `{"type":"object","properties":{"payload":` + bare + `}}`, `{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"name":{"type":"string"}}}`, "migrate.Documented(\"\", `{\"required\":[]}`)"},
		{"an envelope comes", bare, `{"type":"object","properties":{"payload":` + bare + `}}`, `migrate.Nested("payload", map[string]string{"id": "id", "name": "name"})`},
		{"another component", `{"$ref":"#/components/schemas/PetV1"}`, `{"$ref":"#/components/schemas/Pet"}`, `migrate.For[PetOfPetV1]`},
		{"a rename", member(`{"type":"string"}`), `{"type":"object","properties":{"a_text":{"type":"string"}}}`, `migrate.Renamed("a", "a_text")`},
		{"a short word is not a part of one", `{"type":"object","properties":{"id":{"type":"string"},"at":{"type":"integer"}}}`, `{"type":"object","properties":{"provider":{"type":"string"},"at":{"type":"integer"}}}`, `// TODO: "id" is gone, and provider came: is its data there?`},
		{"a short word is a rename", `{"type":"object","properties":{"Id":{"type":"string"}}}`, `{"type":"object","properties":{"userId":{"type":"string"}}}`, `migrate.Renamed("Id", "userId")`},
		{"two candidates are no rename", member(`{"type":"string"}`), `{"type":"object","properties":{"a_text":{"type":"string"},"a_name":{"type":"string"}}}`, `// TODO: "a" is gone, and a_name, a_text came: is its data there?`},
		{"two rivals are no rename", `{"type":"object","properties":{"a":{"type":"string"},"name":{"type":"string"}}}`, `{"type":"object","properties":{"a_name":{"type":"string"}}}`, `// TODO: "name" is gone, and a_name came: is its data there?`},
		{"a plural of another word, too", `{"type":"object","properties":{"capabilities":` + list(`{"type":"string"}`) + `}}`, `{"type":"object","properties":{"capability":` + object(`{"type":"string"}`) + `}}`, `// TODO: "capabilities" is gone, and capability came: is its data there?`},
		{"a plural of another form is a candidate", `{"type":"object","properties":{"domain":{"type":"string"}}}`, `{"type":"object","properties":{"domains":` + list(`{"type":"string"}`) + `}}`, `// TODO: "domain" is gone, and domains came: is its data there?`},
		{"one inside is a candidate", `{"type":"object","properties":{"total":{"type":"integer"}}}`, `{"type":"object","properties":{"sum":{"type":"object","properties":{"amount":{"type":"integer"}}}}}`, `"total" is gone, and sum.amount came`},
		{"one in a new list is a candidate", `{"type":"object","properties":{"total":{"type":"integer"}}}`, `{"type":"object","properties":{"sums":{"type":"array","items":{"type":"object","properties":{"amount":{"type":"integer"}}}}}}`, `"total" is gone, and sums[].amount came`},
		{"what was in a list is a candidate", `{"type":"object","properties":{"ranges":{"type":"array","items":{"type":"object","properties":{"flat":{"type":"string"}}}}}}`, `{"type":"object","properties":{"flat":{"type":"string"}}}`, `"ranges" is gone, and flat came`},
		{"one in another form is a candidate", `{"type":"object","properties":{"reason":{"type":"string"},"reason_text":{"type":"string"}}}`, `{"type":"object","properties":{"reason":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}}}}}}`, `"reason_text" is gone, and reason[].text came`},
		{"one in a variant far inside is a candidate", `{"type":"object","properties":{"ips":{"type":"array","items":{"type":"string"}}}}`, member(`{"oneOf":[{"type":"object","properties":{"value":{"type":"object","properties":{"ips":{"type":"array","items":{"type":"string"}}}}}},{"type":"string"}]}`), `"ips" is gone, and a.value.ips came`},
		{"what others went into is a candidate", `{"type":"object","properties":{"id":{"type":"string"},"x_text":{"type":"object","properties":{"b":{"type":"string"}}}}}`, `{"type":"object","properties":{"y_text":{"type":"object","properties":{"id":{"type":"string"}}}}}`, `"x_text" is gone, and y_text came`},
		{"all values are others", member(`{"type":"string","enum":["x","y"]}`), member(`{"type":"string","enum":["1","2"]}`), `all values of "a": gone are "x", "y"; new are "1", "2"`},
		{"a value is gone, and one came", member(`{"type":"string","enum":["x","y"]}`), member(`{"type":"string","enum":["x","z"]}`), `migrate.Values("a", nil, migrate.NewValue("z", "x"), migrate.OldValue("y", "x"))`},
		{"values of a list", member(`{"type":"array","items":{"type":"string","enum":["on"]}}`), member(`{"type":"array","items":{"type":"string","enum":["ON"]}}`), `migrate.Values("a", map[string]string{"on": "ON"})`},
		{"values of a bounded text", member(`{"type":"string","maxLength":1,"enum":["x"]}`), member(`{"type":"string","maxLength":1,"enum":["x","y"]}`), "migrate.Documented(\"a\", `{\"maxLength\":1}`),\n\t\tmigrate.Values(\"a\", nil, migrate.NewValue(\"y\", \"x\"))"},
		{"forms of a union without a text", member(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), member(`{"oneOf":[{"type":"string"},{"type":"boolean"}]}`), "migrate.Documented(\"a\", `{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}`)"},
		{"null is new", `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, `{"type":"object","required":["a"],"properties":{"a":{"type":"string","nullable":true}}}`, `migrate.NotNull("a", "")`},
		{"null is new where older clients know absence", member(`{"type":"string"}`), member(`{"type":"string","nullable":true}`), `migrate.NotNull("a", migrate.Absent)`},
		{"null is new in a member", member(member(`{"type":"string"}`)), member(member(`{"type":"string","nullable":true}`)), `migrate.NotNull("a", migrate.Absent)`},
		{"an object is any value", member(`{"type":"object"}`), member(`{}`), "migrate.Documented(\"a\", `{\"type\":\"object\"}`)"},
		{"a map became an object", `{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Pet"}}`, member(`{"$ref":"#/components/schemas/Pet"}`), "migrate.Documented(\"\", `{\"additionalProperties\":{\"$ref\":\"#/components/schemas/Pet\"},\"properties\":null,\"required\":[]}`)"},
		{"a map of others became an object", `{"type":"object","additionalProperties":{"$ref":"#/components/schemas/PetV1"}}`, member(`{"$ref":"#/components/schemas/Pet"}`), "showX response is object now, and was map"},
		{"names of a map", member(`{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"enum":["x"]}}`), member(`{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"enum":["x","y"]}}`), "migrate.Documented(\"a\", `{\"propertyNames\":{\"enum\":[\"x\"]}}`)"},
		{"names of a map that are a component now", member(`{"type":"object","propertyNames":{"enum":["x"]}}`), member(`{"type":"object","propertyNames":{"$ref":"#/components/schemas/Code"}}`), "migrate.Documented(\"a\", `{\"propertyNames\":{\"$ref\":null,\"enum\":[\"x\"]}}`)"},
		{"a bound of members", `{"type":"object","minProperties":1,"properties":{"a":{"type":"string"}}}`, `{"type":"object","minProperties":1,"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "migrate.Documented(\"\", `{\"minProperties\":1}`)"},
		{"values of a map", member(`{"type":"object","additionalProperties":{"maxLength":9}}`), member(`{"type":"object","additionalProperties":true}`), "migrate.Documented(\"a\", `{\"additionalProperties\":{\"maxLength\":9}}`)"},
		{"values of a map of another type", member(`{"type":"object","additionalProperties":{"type":"string"}}`), member(`{"type":"object","additionalProperties":{"type":"integer"}}`), `// TODO: the values of "a" were string and are integer: the JSON stays as it is`},
		{"values of a map that were less bounded", member(`{"type":"object","additionalProperties":{"type":"string"}}`), member(`{"type":"object","additionalProperties":{"type":"string","enum":["x"],"description":"d"}}`), "migrate.Documented(\"a\", `{\"additionalProperties\":{\"enum\":null,\"type\":\"string\"}}`)"},
		{"values of a map of lists", member(`{"type":"object","additionalProperties":` + list(`{"type":"string"}`) + `}`), member(`{"type":"object","additionalProperties":` + list(`{"type":"integer","format":"int64"}`) + `}`), "migrate.Documented(\"a\", `{\"additionalProperties\":{\"items\":{\"format\":null,\"type\":\"string\"},\"type\":\"array\"}}`)"},
		{"values of a map of maps", member(object(object(`{"type":"string"}`))), member(object(object(`{"type":"integer"}`))), `// TODO: the values of "a" were string and are integer`},
		{"values of a list of maps", member(list(object(`{"type":"string"}`))), member(list(object(`{"type":"integer"}`))), `// TODO: the values of "a" were string and are integer`},
		{"values of a map alone", object(`{"type":"string"}`), object(`{"type":"integer"}`), "showX response is integer now, and was string"},
		{"elements of a list alone", list(`{"type":"string"}`), list(`{"type":"integer"}`), "showX response is integer now, and was string"},
		{"a bound, and a member that may be absent", `{"type":"object","minProperties":1,"required":["a"],"properties":{"a":{"type":"string"}}}`, `{"type":"object","minProperties":1,"properties":{"a":{"type":"string"}}}`, "migrate.Documented(\"\", `{\"minProperties\":1}"},
		{"a map of a bound", `{"type":"object","minProperties":1,"additionalProperties":{"type":"string"}}`, `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`, "migrate.Documented(\"\", `{\"additionalProperties\":{\"type\":\"string\"},\"minProperties\":1,\"properties\":null,\"required\":[],\"type\":\"object\"}`)"},
		{"an object has a member that no tag has", `{"type":"object"}`, `{"type":"object","properties":{"a,b":{"type":"string"}}}`, `migrate.Release("v2", changeV2)`},
		{"values in place", member(`{"type":"string","enum":["x"]}`), member(`{"oneOf":[{"type":"string","enum":["x"]}]}`), "migrate.Documented(\"a\", `{\"type\":\"string\"}`)"},
		{"absence of an object", `{"type":"object","required":["a"],"properties":{"a":` + bare + `}}`, member(bare), "an empty one then\n\t\tmigrate.Omitted(\"a\", ShowXResponseA{}),"},
		{"null is new, and absence", `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, member(`{"type":"string","nullable":true}`), "migrate.Omitted(\"a\", \"\"),\n\t\t// TODO: \"a\" may be null now: older clients read \"\" for null. If not, give another constant\n\t\tmigrate.NotNull("},
		{"null of a component is gone", member(`{"$ref":"#/components/schemas/MaybePet"}`), member(`{"$ref":"#/components/schemas/Pet"}`), "migrate.Documented(\"a\", `{\"$ref\":\"#/components/schemas/MaybePet\"}`)"},
		{"null is gone", member(`{"type":["string","null"]}`), member(`{"type":"string"}`), "migrate.Documented(\"a\", `{\"nullable\":true}`)"},
		{"null of a reference is gone", member(`{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Pet"}]}`), member(`{"$ref":"#/components/schemas/Pet"}`), "migrate.Documented(\"a\", `{\"nullable\":true}`)"},
		{"elements may be null", member(`{"type":"array","maxItems":3,"items":{"type":["string","null"],"format":"date"}}`), member(`{"type":"array","items":{"oneOf":[{"type":"null"},{"type":"string"}]}}`), "migrate.Documented(\"a\", `{\"items\":{\"format\":\"date\",\"type\":[\"string\",\"null\"]},\"maxItems\":3,\"type\":\"array\"}`)"},
		{"a type", member(`{"type":"integer"}`), member(`{"type":"string"}`), `migrate.Mapped("a", showXResponseAUp, showXResponseADown)`},
		{"bounds", member(`{"type":"string","maxLength":5}`), member(`{"type":"string"}`), "migrate.Documented(\"a\", `{\"maxLength\":5}`)"},
		{"a member that is called description", `{"type":"object","properties":{"id":{"type":"string"},"description":{"type":"string"}}}`, `{"type":"object","properties":{"id":{"type":"string"}}}`, `migrate.Removed("description,omitempty", "")`},
		{"null without a type", member(`{"anyOf":[{"$ref":"#/components/schemas/PetV1"},{"nullable":true}]}`), member(`{"anyOf":[{"$ref":"#/components/schemas/Pet"},{"nullable":true}]}`), `migrate.For[PetOfPetV1]`},
		{"forms that list the values", member(`{"type":"integer","oneOf":[{"const":1},{"const":2}]}`), member(`{"type":"integer","oneOf":[{"const":1},{"const":2},{"const":3}]}`), "migrate.Documented(\"a\", `{\"allOf\":null,\"enum\":null,\"oneOf\":[{\"const\":1},{\"const\":2}],\"type\":\"integer\"}`)"},
		{"values with a description each", member(`{"oneOf":[{"type":"string","enum":["x"]},{"type":"string","enum":["y"]}]}`), member(`{"type":"string","enum":["x","z"]}`), `migrate.Values("a", nil, migrate.NewValue("z", "x"), migrate.OldValue("y", "x"))`},
		{"a scalar component is gone", member(`{"allOf":[{"$ref":"#/components/schemas/Code"}],"nullable":true}`), bare, "migrate.Documented(\"a\", `{\"allOf\":[{\"$ref\":\"#/components/schemas/Code\"}],\"nullable\":true,\"type\":null}`)"},
		{"a required object is gone", `{"type":"object","required":["a"],"properties":{"a":` + bare + `}}`, bare, "migrate.Documented(\"\", `{\"required\":[\"a\"]}`)"},
		{"a required member is of another type", `{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}}`, member(bare), "migrate.Documented(\"\", `{\"required\":[\"a\"]}`)"},
		{"a keyword beside an allOf", member(`{"$ref":"#/components/schemas/Code"}`), member(`{"allOf":[{"$ref":"#/components/schemas/Code"}],"default":"c"}`), "migrate.Documented(\"a\", `{\"default\":null}`)"},
		{"a component under its name", member(`{"$ref":"#/components/schemas/PetV1"}`), member(`{"$ref":"#/components/schemas/Pet"}`), "migrate.Documented(\"a\", `{\"$ref\":\"#/components/schemas/PetV1\"}`)"},
		{"variants without names", member(list(`{"oneOf":[` + variant("x") + "," + variant("y") + `]}`)), member(list(`{"oneOf":[` + variant("x") + "," + variant("z") + "," + variant("y") + `]}`)), `migrate.NewVariant("z", migrate.Absent)`},
		{"a new variant of a member", member(`{"oneOf":[` + variant("x") + "," + variant("y") + `]}`), member(`{"oneOf":[` + variant("x") + "," + variant("z") + "," + variant("y") + `]}`), "older clients read null for it, also in lists. Name what they read instead\n\t\tmigrate.NewVariant(\"z\", nil)"},
		{"a new variant of values of maps in a list", member(list(`{"type":"object","additionalProperties":` + either("x", "y") + `}`)), member(list(`{"type":"object","additionalProperties":` + either("x", "y", "z") + `}`)), `migrate.NewVariant("z", nil)`},
		{"a new variant of values of maps in a map", member(`{"type":"object","additionalProperties":{"type":"object","additionalProperties":` + either("x", "y") + `}}`), member(`{"type":"object","additionalProperties":{"type":"object","additionalProperties":` + either("x", "y", "z") + `}}`), `migrate.NewVariant("z", nil)`},
		{"a new variant of lists in a map", member(`{"type":"object","additionalProperties":` + list(either("x", "y")) + `}`), member(`{"type":"object","additionalProperties":` + list(either("x", "y", "z")) + `}`), `migrate.NewVariant("z", migrate.Absent)`},
		{"a new variant with a comma", member(either("x", "y")), member(either("x", "y", "a, z")), `the variant "a, z" is new: older clients read null`},
		{"elements that a part of an allOf names", page(`{"$ref":"#/components/schemas/PetV1"}`), page(`{"$ref":"#/components/schemas/Pet"}`), "migrate.For[PetOfPetV1]"},
		{"a schema inside a component leads to itself", member(`{"$ref":"#/components/schemas/Tree/definitions/node"}`), member(`{"type":"string"}`), `migrate.Mapped("a"`},
		{"an object of which nothing stays", member(`{"type":"string"}`), `{"type":"object","properties":{"c":{"type":"array","items":{"type":"integer"}}}}`, `"a" is gone, and c came: is its data there?`},
		{"a new variant of a body", `{"oneOf":[` + variant("x") + "," + variant("y") + `]}`, `{"oneOf":[` + variant("x") + "," + variant("z") + "," + variant("y") + `]}`, `migrate.NewVariant("z", nil)`},
		{"objects that no text tells apart", forms(`"name":{"type":"string"}`, ""), forms(`"name":{"type":"string"},"size":{"type":"string"}`, ""), "migrate.For[ShowXResponse](\n\t\tmigrate.Added(\"size\"),"},
		{"a component in one of several forms", forms(`"pet":{"$ref":"#/components/schemas/PetV1"}`, ""), forms(`"pet":{"$ref":"#/components/schemas/Pet"}`, ""), `migrate.For[PetOfPetV1]`},
		{"a member that differs between forms", forms(`"a":{"type":"string"}`, `"a":{"type":"string","maxLength":3}`), forms(`"a":{"type":"string"}`, `"a":{"type":"string","maxLength":5}`), "// TODO: no declaration covers: ShowXResponse.a is described in two ways by several forms, and changed: no edit reaches it"},
		{"a member beside several forms", `{"allOf":[` + forms("", "") + `,` + member(`{"type":"string"}`) + `]}`, `{"allOf":[` + forms("", "") + `,{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"string"}}}]}`, "migrate.For[ShowXResponse](\n\t\tmigrate.Added(\"c\"),"},
		{"a member beside forms that only require", `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `migrate.Added("c")`},
		{"a member beside forms that only require is gone", `{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `migrate.Removed("c,omitempty", "")`},
		{"a member beside several forms and in one", `{"allOf":[` + forms(`"a":{"type":"string"}`, "") + `,` + member(`{"type":"string","maxLength":5}`) + `]}`, `{"allOf":[` + forms(`"a":{"type":"string"}`, "") + `,` + member(`{"type":"string","maxLength":9}`) + `]}`, "ShowXResponse.a is described in two ways by several forms, and changed: no edit reaches it"},
		{"a constant is new", member(`{"type":"string"}`), member(`{"type":"string","const":"x"}`), "migrate.Documented(\"a\", `{\"const\":null,\"enum\":null}`)"},
		{"another constant", member(`{"type":"string","const":"x"}`), member(`{"type":"string","const":"y"}`), "migrate.Documented(\"a\", `{\"const\":null,\"enum\":[\"x\"]}`)"},
		{"elements with another constant", member(list(`{"type":"string","const":"x"}`)), member(list(`{"type":"string","const":"y"}`)), "migrate.Documented(\"a\", `{\"items\":{\"const\":null,\"enum\":[\"x\"]}}`)"},
		{"a member of a form is gone", forms(`"a":{"type":"string"}`, ""), forms(`"c":{"type":"string"}`, ""), `// TODO: no declaration covers: ShowXResponse.a is gone, which only some of several forms had: no edit brings it back`},
		{"an object that is several forms now", member(bare), member(forms("", "")), `showXResponseAUp`},
		{"a text that may be a list now", member(`{"type":"string"}`), member(`{"oneOf":[{"type":"string"},` + list(`{"type":"string"}`) + `]}`), `// TODO: "a" has more forms now: the JSON stays as it is. If older clients do not read all of them, use Mapped
		migrate.Documented("a", ` + "`" + `{"oneOf":null,"type":"string"}` + "`" + `),`},
		{"a list of texts that may have been numbers", member(list(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`)), member(list(`{"type":"string"}`)), `// TODO: "a" had more forms: the JSON stays as it is. If the service does not read all of them, use Mapped
		migrate.Documented("a", ` + "`" + `{"items":{"anyOf":[{"type":"string"},{"type":"integer"}]},"type":"array"}` + "`" + `),`},
		{"a list of a component that another one has in it", member(list(`{"$ref":"#/components/schemas/PetV1"}`)), member(list(`{"$ref":"#/components/schemas/Pet"}`)), `migrate.Documented("a", ` + "`" + `{"items":{"$ref":"#/components/schemas/PetV1"}}` + "`" + `),`},
		{"a gone member that an object beside it has", `{"type":"object","properties":{"id":{"type":"string"},"pet":{"$ref":"#/components/schemas/Pet"}}}`, `{"type":"object","properties":{"pet":{"$ref":"#/components/schemas/Pet"}}}`, `"id" is gone, and pet.id stays: is its data there?`},
		{"a malformed schema", bare, `{"type":"object","properties":{"id":"text","name":{"type":"string"}}}`, `migrate.Mapped("id"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Contains(t, drafted(t, file(t, "1", test.older), file(t, "2", test.newest), t.TempDir()), test.want)
		})
	}
}

// Values of a map that may be any are written in three ways, which no edit tells apart.
func TestMapsOfAnyValues(t *testing.T) {
	of := func(more string) string { return `{"type":"object","properties":{"a":{"type":"object"` + more + `}}}` }
	ways := []string{"", `,"additionalProperties":true`, `,"additionalProperties":{}`}
	for _, older := range ways {
		for _, newest := range ways {
			code := drafted(t, file(t, "1", of(older)), file(t, "2", of(newest)), t.TempDir())
			assert.NotContains(t, code, "additionalProperties", "%s %s", older, newest)
		}
	}
}

// A parameter is text in all versions: a document describes its older type.
func TestParametersOfAnotherType(t *testing.T) {
	of := func(version, schema string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"listX",
			"parameters":[{"name":"limit","in":"query","schema":`+schema+`}],"responses":{"200":{"description":""}}}}}}`)
	}
	code := drafted(t, of("1", `{"type":"number","maximum":9}`), of("2", `{"type":"integer"}`), t.TempDir())
	assert.Contains(t, code, "migrate.Documented(\"limit\", `{\"maximum\":9,\"type\":\"number\"}`)")
	assert.Contains(t, code, `// TODO: the parameter "limit" was number and is integer: the text stays`)
	code = drafted(t, of("1", `{"properties":{"a":{"type":"string"},"c":{"type":"string"}}}`), of("2", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`), t.TempDir())
	assert.Contains(t, code, "migrate.Documented(\"limit\", `{\"properties\":{\"a\":{\"type\":\"string\"},\"c\":{\"type\":\"string\"}},\"type\":\"object\"}`)")
	assert.Contains(t, code, `// TODO: the parameter "limit" had "c": the text stays`)
}

// A component below a form that stays would keep its newest form, which older clients do not know.
func TestFormsOfChangedComponents(t *testing.T) {
	of := func(version, form, inner string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"type":"object","properties":{"a":`+form+`}}}}}}}}},"components":{"schemas":{
			"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C"}}},"C":{"type":"object","properties":{"`+inner+`":{"type":"string"}}}}}}`)
	}
	const list = `{"type":"array","items":{"$ref":"#/components/schemas/B"}}`
	newest := of("2", `{"oneOf":[{"type":"string"},`+list+`]}`, "y")
	assert.Contains(t, drafted(t, of("1", list, "y"), newest, t.TempDir()), `"a" has more forms now`)
	assert.NotContains(t, drafted(t, of("1", list, "x"), newest, t.TempDir()), `"a" has more forms now`)
}

// A component that is still a variant, with another text, is the same variant.
func TestAVariantWithAnotherText(t *testing.T) {
	of := func(version, kind string) string {
		pet := func(kind string) string {
			return `{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","enum":["` + kind + `"]}}}`
		}
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"listX","responses":{"200":{"description":"","content":{"application/json":{"schema":
			{"type":"array","items":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}}}}}}}}},
			"components":{"schemas":{"Cat":`+pet("cat")+`,"Dog":`+pet(kind)+`}}}`)
	}
	code := drafted(t, of("1", "dog"), of("2", "hound"), t.TempDir())
	assert.Contains(t, code, "// TODO: the variant \"dog\" is \"hound\" now, since both are of the component Dog.")
	assert.Contains(t, code, "Bodies of it alone keep the new text: give them another Go type")
	assert.Contains(t, code, `migrate.RenamedVariant("dog", "hound"),`)
	assert.NotContains(t, code, "migrate.For[Dog]")
}

func TestParametersOfTheOlderVersionAlone(t *testing.T) {
	of := func(version, parameters string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"listX","parameters":[`+parameters+`],"responses":{"200":{"description":""}}}}}}`)
	}
	folder := t.TempDir()
	code := drafted(t, of("1", `{"name":"limit","in":"query","schema":{"type":"integer"}}`), of("2", ""), folder)
	assert.Contains(t, code, "migrate.For[ListXParamsQuery](\n\t\t// TODO: \"limit\" is dropped from requests of older clients\n\t\tmigrate.Removed(\"limit,omitempty\", int64(0)),")
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), "migrate.Query[ListXParamsQuery]()")
}

func TestParametersWithObjects(t *testing.T) {
	const same = `"a":{"type":"string"}`
	of := func(version, required, members string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"saveParamsForm",
			"parameters":[{"name":"filter","in":"query","required":`+required+`,"schema":{"type":"object",`+members+`}}],"responses":{"200":{"description":""}}}}}}`)
	}
	for _, test := range []struct{ name, older, newest, isRequired, want string }{
		{"required now", `"properties":{` + same + `}`, `"properties":{` + same + `}`, "true", `migrate.Default("filter", "")`},
		{"a member of another type", `"properties":{"a":{"type":"integer"}}`, `"properties":{` + same + `}`, "false",
			`// TODO: the parameter "filter" had other members: the text stays`},
		{"a member that is required now", `"properties":{` + same + `}`, `"required":["a"],"properties":{` + same + `}`, "false",
			`// TODO: the parameter "filter" had other members: the text stays`},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Contains(t, drafted(t, of("1", "false", test.older), of("2", test.isRequired, test.newest), t.TempDir()), test.want)
		})
	}
}

// A required parameter that is gone is required in the older document, and a member of a body is, too.
func TestRequiredOfRequests(t *testing.T) {
	of := func(version, parameter, member string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"post":{"operationId":"makeX",
			"parameters":[{"in":"query","required":true,"name":"`+parameter+`}],
			"requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["`+member+`"],"properties":{"`+member+`":{"type":"string"}}}}}},
			"responses":{"529":{"description":""}}}}}}`)
	}
	folder := t.TempDir()
	code := drafted(t, of("1", `slot","schema":{"type":"string"}`, "weight"), of("2", `place","schema":{"type":"boolean"}`, "colour"), folder)
	assert.Contains(t, code, "migrate.Documented(\"\", `{\"required\":[\"weight\"]}`)")
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, code, `// TODO: "slot" is dropped from requests of older clients`)
	assert.Contains(t, string(routes), "changeV2.DocumentedParameter(\"query\", \"slot\", `{\"required\":true}`)")
}

// A member may be required now. The older document names its default, or older clients
// mean a zero value without it.
func TestMembersThatRequestsRequireNow(t *testing.T) {
	of := func(version, required string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"post":{"requestBody":{"content":{"application/json":{"schema":{
			"type":"object","required":[`+required+`],"properties":{"a":{"type":"string"},"b":{"type":"string","default":"x"},"c":{"type":"integer","default":7}}}}}},"responses":{"204":{"description":""}}}}}}`)
	}
	code := drafted(t, of("1", ""), of("2", `"a","b","c"`), t.TempDir())
	for _, want := range []string{
		"migrate.Documented(\"a\", `{\"default\":null}`),\n\t\tmigrate.Default(\"a\", \"\"),", `"b" is required now, and older clients may leave it out: that means "x"`, `migrate.Default("b", "x"),`, `migrate.Default("c", int64(7)),`,
	} {
		assert.Contains(t, code, want)
	}
}

// inOneLine returns code without its comments, and each call in one line.
func inOneLine(code []byte) string {
	code = regexp.MustCompile(`(?m)^\s*//.*\n`).ReplaceAll(code, nil)
	return regexp.MustCompile(`\(\n\t+|,\n\t+(\))?`).ReplaceAllStringFunc(string(code), func(text string) string {
		switch {
		case text[0] == '(':
			return "("
		case strings.HasSuffix(text, ")"):
			return ")"
		}
		return ", "
	})
}

// A body may be a map of objects.
func TestMapsAsBodies(t *testing.T) {
	of := func(version, member string) string {
		const x = `"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/X"}}}}`
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"patch":{"requestBody":{`+x+`},"responses":{"200":{"description":"",`+x+`}}}}},
			"components":{"schemas":{"X":{"type":"object","properties":{"`+member+`":{"type":"string"}}}}}}`)
	}
	folder := t.TempDir()
	drafted(t, of("1", "name"), of("2", "full_name"), folder)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, inOneLine(routes), "migrate.Accepts[map[string]X](), migrate.Returns[map[string]X]()")
}

// A part of an allOf that only has texts is no part of a type.
func TestPartsWithTexts(t *testing.T) {
	of := func(version, more, member string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"","content":{"application/json":{"schema":{
			"type":"object","properties":{"pet":{"allOf":[{"$ref":"#/components/schemas/Pet"}`+more+`]}}}}}}}}}},"components":{"schemas":{"Pet":{"type":"object","properties":{"`+member+`":{"type":"string"}}}}}}`)
	}
	folder := t.TempDir()
	code := drafted(t, of("1", "", "name"), of("2", `,{"description":"the best"},{}`, "full_name"), folder)
	assert.Contains(t, code, "migrate.For[Pet](")
	assert.Equal(t, 1, strings.Count(code, "migrate.For["))
	document, err := os.ReadFile(filepath.Join(folder, "newest.json"))
	require.NoError(t, err)
	assert.Contains(t, string(document), "the best")
}

// Members of a base that only its discriminator's components have are asked about.
func TestMembersOfExtensions(t *testing.T) {
	of := func(version, base, extensions string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Field"}}}}}}}},
			"components":{"schemas":{"Field":{"type":"object","properties":{"type":{"type":"string"}`+base+`}}`+extensions+`}}}`)
	}
	const extension = `{"allOf":[{"$ref":"#/components/schemas/Field"},{"type":"object","properties":{"value":{"type":"string"}}}]}`
	code := drafted(t, of("1", `,"value":{"type":"string"}`, ""), of("2", `},"discriminator":{"propertyName":"type","mapping":{"t":"Text","text":"#/components/schemas/Text","box":"Box"}`, `,"Text":`+extension+`,"Box":{"type":"object"}`), t.TempDir())
	assert.Contains(t, code, `// TODO: "value" is gone, and Text.value came: is its data there?`)
}

// A form beside JSON stays as it is where no edit changes what the JSON of older clients means.
func TestFormsBesideJSON(t *testing.T) {
	for _, test := range []struct{ name, old, now, want string }{
		{"a new member", `"a":{"type":"object","properties":{"b":{"type":"string"}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string"},"d":{"type":"string"}}},"c":{"type":"string"}`, "migrate.Form[MakeXParamsForm]()"},
		{"a new text, too", `"a":{"type":"object","properties":{"b":{"type":"string"}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string"},"d":{"type":"string"}}},"c":{"type":"string"},"e":{"type":"string"}`, "migrate.Form[MakeXParamsForm]()"},
		{"another name", `"a":{"type":"object","properties":{"name":{"type":"string"}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"full_name":{"type":"string"}}},"c":{"type":"string"}`, "415 for forms, which no declaration lifts as JSON: Renamed of "},
		{"objects alone", `"a":{"type":"object","properties":{"b":{"type":"string"}}}`,
			`"a":{"type":"object","properties":{"b":{"type":"string"},"d":{"type":"string"}}}`, "migrate.Form[MakeXParamsForm]()"},
		{"a member that is gone from an object", `"a":{"type":"object","properties":{"b":{"type":"string"},"d":{"type":"string"}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string"}}},"c":{"type":"string"}`, "migrate.Form[MakeXParamsForm]()"},
		{"a new value", `"a":{"type":"object","properties":{"b":{"type":"string","enum":["x"]}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string","enum":["x","y"]}}},"c":{"type":"string"}`, "migrate.Form[MakeXParamsForm]()"},
		{"a value that is gone", `"a":{"type":"object","properties":{"b":{"type":"string","enum":["x","y"]}}},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string","enum":["x"]}}},"c":{"type":"string"}`, "415 for forms, which no declaration lifts as JSON: Values of "},
		{"another type, which has an edit", `"a":{"type":"integer"},"b":{"$ref":"#/components/schemas/Y"},"c":{"type":"string"}`,
			`"a":{"$ref":"#/components/schemas/Y"},"b":{"$ref":"#/components/schemas/Y"},"c":{"type":"string"}`, "migrate.Form[MakeXParamsForm]()"},
		{"another type, which has none", `"a":{"type":"integer"},"c":{"type":"string"}`,
			`"a":{"type":"object","properties":{"b":{"type":"string"}}},"c":{"type":"string"}`, "415 for forms, which no declaration lifts as JSON: Mapped of "},
	} {
		t.Run(test.name, func(t *testing.T) {
			of := func(version, members string) string {
				const x = `{"$ref":"#/components/schemas/X"}`
				const ref, files = `{"schema":` + x + `}`, `{"schema":{"allOf":[` + x + `,{"type":"object","properties":{"file":{"type":"string"}}}]}}`
				return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"post":{"operationId":"makeX",
					"requestBody":{"content":{"application/json":`+ref+`,"application/x-www-form-urlencoded":`+ref+`,"multipart/form-data":`+files+`}},
					"responses":{"204":{"description":""}}}}},"components":{"schemas":{"X":{"type":"object","properties":{`+members+`}},
					"Y":{"type":"object","properties":{"b":{"type":"string"}`+strings.Repeat(`,"d":{"type":"string"}`, int(version[0]-'1'))+`}}}}}`)
			}
			folder := t.TempDir()
			code := drafted(t, of("1", test.old), of("2", test.now), folder)
			routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
			require.NoError(t, err)
			assert.Contains(t, code+string(routes), test.want)
			assert.NotContains(t, code, "For[MakeXParamsForm]", "JSON describes the form")
		})
	}
}

// A form has the edits of the JSON beside it that change requests, and no descriptions of its own: JSON describes it.
func TestFormsLikeJSON(t *testing.T) {
	of := func(version, members string) string {
		const x = `{"schema":{"$ref":"#/components/schemas/X"}}`
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"post":{"operationId":"makeX",
			"requestBody":{"content":{"application/json":`+x+`,"multipart/form-data":`+x+`}},"responses":{"204":{"description":""}}}}},
			"components":{"schemas":{"X":{"type":"object","properties":{`+members+`}}}}}`)
	}
	const object = `"b":{"type":"object","properties":{"c":{"type":"string"}`
	code := drafted(t, of("1", object+`}},"name":{"type":"string"},"size":{"type":"integer","maximum":9}`), of("2", object+`,"d":{"type":"string"}}},"full_name":{"type":"string"},"size":{"type":"integer"}`), t.TempDir())
	_, form, _ := strings.Cut(code, "For[MakeXParamsForm](")
	form, _, _ = strings.Cut(form, "\n\t),")
	assert.Contains(t, form, `migrate.Renamed("name", "full_name")`)
	assert.NotContains(t, form, "Documented")
	assert.Equal(t, 1, strings.Count(code, "migrate.Documented(\"size\""))
}

// Forms of lists stay as they are, too, and older descriptions of forms and of lists in queries come back.
func TestFormsOfListsAndObjects(t *testing.T) {
	of := func(version, a, b, required, ids string) string {
		const x = `{"schema":{"type":"array","items":{"$ref":"#/components/schemas/X"}}}`
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{
			"/list":{"put":{"operationId":"putX","requestBody":{"content":{"application/json":`+x+`,"multipart/form-data":`+x+`}},"responses":{"204":{"description":""}}}},
			"/form":{"post":{"operationId":"postForm","requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","required":[`+required+`],"properties":{"kind":{"type":"string"},"extra":`+b+`}}}}},"responses":{"204":{"description":""}}}},
			"/search":{"get":{"operationId":"search","parameters":[{"name":"a","in":"query","schema":{"type":"string"}}`+ids+`],"responses":{"204":{"description":""}}}}},
			"components":{"schemas":{"X":{"type":"object","properties":{"id":{"type":"string"}`+a+`}}}}}`)
	}
	folder := t.TempDir()
	code := drafted(t, of("1", "", `{"type":"object","additionalProperties":{}},"gone":{}`, `"gone"`, `,{"name":"ids","in":"query","schema":{"type":"array","items":{"type":"integer"}}}`), of("2", `,"tags":{"type":"array","items":{"type":"string"}}`, `{}`, `"kind"`, ""), folder)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), "migrate.Form[PutXParamsForm]()")
	assert.Contains(t, code, "migrate.Documented(\"extra\", `{\"additionalProperties\":{},\"type\":\"object\"}`)")
	assert.Contains(t, code, "migrate.Documented(\"kind\", `{\"default\":null}`)")
	assert.NotContains(t, code, "migrate.Documented(\"\"", "a route refuses it of a form")
	assert.Contains(t, code, "migrate.Documented(\"gone\", `{\"nullable\":null,\"type\":null}`)")
	assert.Contains(t, code, "migrate.Documented(\"ids\", `{\"items\":{\"type\":\"integer\"},\"nullable\":null,\"type\":\"array\"}`)")
}

// A response that is gone comes back with its header fields, and one that moved keeps them.
func TestHeadersOfGoneStatuses(t *testing.T) {
	of := func(version, responses string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"responses":{`+responses+`}}}}}`)
	}
	const fields = `"headers":{"X-Page":{"schema":{"type":"integer"}}}`
	folder := t.TempDir()
	drafted(t, of("1", `"200":{"description":"",`+fields+`},"500":{"description":"",`+fields+`}`), of("2", `"201":{"description":"",`+fields+`}`), folder)
	code, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `changeV2.Status(200, 201)`)
	field, status := strings.Index(string(code), `changeV2.RemovedResponseHeader("X-Page", 0, 500)`), strings.Index(string(code), `changeV2.RemovedStatus(500)`)
	assert.Positive(t, field)
	assert.Greater(t, status, field, "the last declared is taken back first")
}

// Each response below 400 has its body, and a media type that no edit reaches passes.
func TestBodiesOfResponses(t *testing.T) {
	of := func(version, user string) string {
		body := func(name string, more ...string) string {
			var media []string
			for _, mediaType := range append(more, "application/json") {
				media = append(media, `"`+mediaType+`":{"schema":{"$ref":"#/components/schemas/`+name+`"}}`)
			}
			return `{"description":"","content":{` + strings.Join(media, ",") + `}}`
		}
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{
			"/jobs":{"post":{"requestBody":`+body("User", "application/sealed")+`,"responses":{"200":`+body("User", "application/sealed")+`,"202":`+body("Job")+`,"400":`+body("Job")+`,"409":`+body("User")+`}}},
			"/sealed":{"get":{"responses":{"200":`+body("Job", "application/sealed")+`}}}},
			"components":{"schemas":{"Job":{"type":"object","properties":{"id":{"type":"string"}}},"User":{"type":"object","properties":{"`+user+`":{"type":"string"}}}}}}`)
	}
	folder := t.TempDir()
	drafted(t, of("1", "name"), of("2", "full_name"), folder)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, inOneLine(routes), `h.Route(migrate.Accepts[User](), migrate.AnyType(), migrate.Returns[User](), migrate.Lines("application/sealed"), migrate.Returns[Job](202), migrate.Fails[User]("application/json", 409), migrate.Fails[Job]("application/json"))`)
	assert.Contains(t, inOneLine(routes), `h.Route(migrate.Returns[Job](), migrate.Passes("application/sealed"))`)
	assert.Contains(t, string(routes), "// TODO: application/sealed is described as JSON: write JSON of this type")
	assert.Contains(t, string(routes), "// TODO: application/sealed is described as JSON: decode it")
}

// JSON of another media type has the older one for older clients: in requests, and by statuses in responses.
func TestMediaTypes(t *testing.T) {
	of := func(version, request, failed, both string) string {
		body := func(mediaTypes ...string) string {
			var media []string
			for _, mediaType := range mediaTypes {
				media = append(media, `"`+mediaType+`":{"schema":{"type":"object","properties":{"id":{"type":"string"}}}}`)
			}
			return `"content":{` + strings.Join(media, ",") + `}`
		}
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"post":{"requestBody":{`+body(strings.Fields(request)...)+`},"responses":{
			"200":{"description":"",`+body("application/json", both)+`},"400":{"description":"",`+body(failed)+`},"404":{"description":"",`+body(failed)+`}}}}}}`)
	}
	folder := t.TempDir()
	drafted(t, of("1", "application/json", "application/json", "application/vnd.a+json"), of("2", "application/vnd.x+json image/*", "application/problem+json", "text/csv"), folder)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), `changeV2.RequestMediaType("application/json", "application/vnd.x+json")`)
	assert.Contains(t, string(routes), `changeV2.MediaType("application/json", "application/problem+json", 400, 404)`)
	assert.Contains(t, string(routes), `changeV2.MediaType("", "text/csv", 200)`)
	assert.Equal(t, 2, strings.Count(string(routes), "changeV2.MediaType"), "nothing came where a media type is gone")
	assert.NotContains(t, string(routes), "image")
}

// A default response and a range are statuses, too.
func TestNewDefaults(t *testing.T) {
	of := func(responses string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/x":{"get":{"responses":{"204":{"description":""}`+responses+`}}}}}`)
	}
	folder := t.TempDir()
	code := drafted(t, of(""), of(`,"default":{"description":""},"5XX":{"description":""},"1XX":{"description":""},"4xx":{"description":""},"x-a":{}`), folder)
	for _, status := range []string{"1XX", "4xx", "x-a"} {
		assert.Contains(t, code, `the response "`+status+`" is new, and older clients get it`)
	}
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), `h.Route(changeV2.AddedStatus(5), changeV2.AddedStatus(0))`)
}

// A body that came is in newer documents alone. Older clients are asked about if requests need it.
func TestNewBodies(t *testing.T) {
	of := func(request, response string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/x":{"post":{`+request+`"responses":{"404":{"description":""`+response+`}}}}}}`)
	}
	const content = `"content":{"application/problem+json":{"schema":{"type":"object","properties":{"id":{"type":"string"}}}}}`
	folder := t.TempDir()
	drafted(t, of("", ""), of(`"requestBody":{"required":true,`+content+`},`, ","+content), folder)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), `changeV2.MediaType("", "application/problem+json", 404)`)
	assert.Contains(t, string(routes), `changeV2.RequestMediaType("", "application/problem+json")`)
	assert.Contains(t, string(routes), `// TODO: requests have a body now: what do older clients mean without it?`)
}

// Values that stay are described in place where their component has forms now.
func TestListedValuesInForms(t *testing.T) {
	of := func(version, mode string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"type":"object","properties":{"mode":{"$ref":"#/components/schemas/Mode"}}}}}}}}}},
			"components":{"schemas":{"Mode":`+mode+`}}}`)
	}
	values := func(l string) string { return `{"type":"string","enum":[` + l + `]}` }
	forms := `{"oneOf":[` + values(`"a"`) + `,` + values(`"b"`) + `]}`
	assert.Contains(t, drafted(t, of("1", values(`"a","b"`)), of("2", forms), t.TempDir()), "migrate.Documented(\"mode\", `{\"type\":\"string\"}`)")
	assert.NotContains(t, drafted(t, of("1", forms), of("2", forms), t.TempDir()), "migrate.Documented(\"mode\"")
}

// The description of a gone member does not refer to a component whose form changed.
func TestGoneFormsOfComponents(t *testing.T) {
	of := func(version, member, values string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"type":"object","properties":{"mode":{"$ref":"#/components/schemas/Mode"}`+member+`}}}}}}}}},
			"components":{"schemas":{"Mode":{"type":"string","enum":[`+values+`]},"Unit":{"type":"string"}}}}`)
	}
	versions := drafted(t, of("1", `,"parts":{"type":"array","items":{"type":"object","properties":{"mode":{"$ref":"#/components/schemas/Mode"},"unit":{"$ref":"#/components/schemas/Unit"}}}}`, `"a"`), of("2", "", `"A"`), t.TempDir())
	assert.Contains(t, versions, `"mode":{"enum":["a"],"type":"string"},"unit":{"$ref":"#/components/schemas/Unit"}`)
}

// Integers distinguish variants, too: also where an allOf names them all, as values with titles, and where another
// member with values does not.
func TestUnionsByInteger(t *testing.T) {
	of := func(version, member string) string {
		variant := func(number, member string) string {
			return `{"type":"object","required":["type"],"properties":{"grade":{"type":"string","enum":["a"]},"` + member + `":{"type":"string"},
				"type":{"type":"integer","enum":[` + number + `],"allOf":[{"$ref":"#/components/schemas/Types"}]}}}`
		}
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}}}}}}}},
			"components":{"schemas":{"Types":{"oneOf":[{"const":1,"title":"CAT"},{"const":2,"title":"DOG"}]},"Cat":`+variant("1", member)+`,"Dog":`+variant("2", "bark")+`}}}`)
	}
	versions := drafted(t, of("1", "name"), of("2", "full_name"), t.TempDir())
	assert.Contains(t, versions, `migrate.OneOf[ShowXResponse]("type",`)
	assert.Contains(t, versions, `migrate.Variant[Cat]("1")`)
	assert.Contains(t, versions, `migrate.Renamed("name", "full_name")`)
}

// Several older documents make a history of several releases.
func TestSeveralOlderDocuments(t *testing.T) {
	member := func(version, name string) string {
		return file(t, version, `{"type":"object","properties":{"`+name+`":{"type":"string"}}}`)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", member("v2", "full_name"), "-old", member("v1", "name"), "-new", member("v3", "full_name_text"), "-out", folder, "-pkg", "api"}, &out, &out), out.String())
	code, err := os.ReadFile(filepath.Join(folder, "versions.go"))
	require.NoError(t, err)
	for _, want := range []string{`migrate.Renamed("full_name", "full_name_text")`, `migrate.Renamed("name", "full_name")`, `migrate.Release("v3", changeV3),
		migrate.Release("v2", changeV2),
		migrate.Release("v1"))`} {
		assert.Contains(t, string(code), want)
	}
}

// Objects in place have the type of their newest form in each pair, also where a member has another name.
func TestSeveralOlderObjectsInPlace(t *testing.T) {
	of := func(version, name, members, listed string) string {
		object := func(members string) string {
			return `{"type":"object","properties":{"a":{"type":"string"}` + members + `}}`
		}
		return file(t, version, `{"type":"object","properties":{"`+name+`":`+object(members)+`,"list":{"type":"array","items":`+object(listed)+`}}}`)
	}
	const b, c = `,"b":{"type":"string"}`, `,"c":{"type":"string"}`
	folder := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", of("v2", "inner", b, b), "-old", of("v1", "inner", "", ""), "-new", of("v3", "inner_part", b, b+c), "-out", folder, "-pkg", "api"}, &out, &out), out.String())
	code, err := os.ReadFile(filepath.Join(folder, "versions.go"))
	require.NoError(t, err)
	_, older, _ := strings.Cut(string(code), "var changeV2")
	assert.Contains(t, older, "migrate.For[ShowXResponseInnerPart](\n\t\tmigrate.Added(\"b\"),")
	assert.Contains(t, older, "migrate.For[ShowXResponseList](\n\t\tmigrate.Added(\"b\"),")
	assert.NotContains(t, string(code), "OfV2")
}

// Paths that differ in a segment with the version are the same.
func TestVersionInPaths(t *testing.T) {
	of := func(segment, name string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/api/`+segment+`/users":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"object","properties":{"`+name+`":{"type":"string"}}}}}}}}}}}`)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", of("v3", "name"), "-new", of("2026-03", "full_name"), "-out", folder, "-pkg", "api"}, &out, &out), out.String())
	code, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `v.Rewrite(h.Route(migrate.Returns[GetAPIVersionUsersResponse]())).HandleFunc("GET /api/{version}/users", notImplemented)`)
	code, err = os.ReadFile(filepath.Join(folder, "versions.go"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `migrate.Renamed("name", "full_name")`)
	assert.Contains(t, string(code), `migrate.Release("v3"))`)
}

// What a publisher got wrong is named by file and place, and the rest goes on.
func TestMalformed(t *testing.T) {
	var out bytes.Buffer
	older := file(t, "1", `{"type":"object","properties":{"id":"text"}}`)
	newest := file(t, "2", `{"$ref":"#/components/schemas/Lost"}`)
	require.Zero(t, run([]string{"-untried", "-old", older, "-new", newest, "-out", t.TempDir()}, &out, &out), out.String())
	assert.Contains(t, out.String(), "api.json #/paths/~1x/get/responses/200/content/application~1json/schema/properties/id: this is not a schema")
	assert.Contains(t, out.String(), "api.json #/paths/~1x/get/responses/200/content/application~1json/schema: #/components/schemas/Lost leads nowhere")
}

// A content, and a media type in one, may be references.
func TestReferencesInContents(t *testing.T) {
	of := func(version, member string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{
			"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"","content":{"$ref":"#/components/mediaTypes/All"}}}}},
			"/y":{"get":{"operationId":"showY","responses":{"200":{"description":"","content":{"application/json":{"$ref":"#/components/mediaTypes/All/application~1json"}}}}}}},
			"components":{"mediaTypes":{"All":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
				"schemas":{"Pet":{"type":"object","properties":{"`+member+`":{"type":"string"}}}}}}`)
	}
	folder := t.TempDir()
	assert.Contains(t, drafted(t, of("1", "name"), of("2", "full_name"), folder), `migrate.Renamed("name", "full_name")`)
	routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(routes), "migrate.Returns[Pet]()"))
	document, err := os.ReadFile(filepath.Join(folder, "newest.json"))
	require.NoError(t, err)
	assert.NotContains(t, string(document), "mediaTypes", "a document of OpenAPI 3.1 has none")
}

// A patch has operations, or a part of an object, so its schema is none of a body that edits know.
func TestPatches(t *testing.T) {
	of := func(member string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/x":{"patch":{"responses":{"204":{"description":""}},"requestBody":{"content":{"application/json-patch+json":{"schema":{"type":"array","items":{"type":"object","properties":{"`+member+`":{"type":"string"}}}}}}}}}}}`)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", of("op"), "-new", of("op_text"), "-from", "v1", "-to", "v2", "-pkg", "api", "-out", folder}, &out, &out), out.String())
	assert.Contains(t, out.String(), "PATCH /x: the handler gets application/json-patch+json as older clients send it")
	code, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.NotContains(t, string(code), "Accepts")
}

// Of paths that are one route to a router, the first is drafted.
func TestOneRoute(t *testing.T) {
	of := func(size string) string {
		get := func(name string) string {
			return `"/pets/{` + name + `}":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"object","properties":{"` + size + `":{"type":"string"}}}}}}}}}`
		}
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{`+get("id")+","+get("name")+`}}`)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", of("size"), "-new", of("size_text"), "-from", "v1", "-to", "v2", "-pkg", "api", "-out", folder}, &out, &out), out.String())
	assert.Contains(t, out.String(), `api.json #/paths/~1pets~1{name}: to a router, GET is the same as that of "/pets/{id}", which alone is compared`)
	code, err := os.ReadFile(filepath.Join(folder, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `"GET /pets/{id}"`)
	assert.NotContains(t, string(code), "{name}")
}

// An operation that is gone stays in the newest document, under the names of its path.
func TestGoneOperationOfOtherNames(t *testing.T) {
	of := func(name, methods string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/pets/{`+name+`}":{"parameters":[
			{"name":"`+name+`","in":"path","required":true,"schema":{"type":"string"}}],`+methods+`}}}`)
	}
	const get, remove = `"get":{"responses":{"204":{"description":""}}}`, `"delete":{"parameters":[{"name":"force","in":"query","schema":{"type":"boolean"}}],"responses":{"204":{"description":""}}}`
	folder := t.TempDir()
	drafted(t, of("id", get+","+remove), of("petId", get), folder)
	code, err := os.ReadFile(filepath.Join(folder, "newest.json"))
	require.NoError(t, err)
	var whole struct {
		Paths map[string]struct {
			Delete struct{ Parameters []struct{ Name string } }
		}
	}
	require.NoError(t, json.Unmarshal(code, &whole))
	assert.Equal(t, []struct{ Name string }{{"petId"}, {"force"}}, whole.Paths["/pets/{petId}"].Delete.Parameters)
}

// An operation that is gone has the components that it had, if those of that name changed, or what is in them did.
func TestGoneOperationOfOlderComponents(t *testing.T) {
	of := func(paths, components string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/pets":{`+paths+`"get":{"responses":{"204":{"description":""}}}}},
			"components":{`+components+`}}`)
	}
	none := `"responses":{"204":{"description":""}}`
	response := func(more string) string { return `"responses":{"Gone":{"description":""` + more + `}}` }
	header := func(kind string) string {
		return response(`,"headers":{"X-Id":{"$ref":"#/components/headers/ID"}}`) + `,"headers":{"ID":{"schema":{"type":"` + kind + `"}}}`
	}
	call := func(more string) string {
		return `"callbacks":{"Call":{"{$url}":{"post":{` + none + `,"callbacks":{"again":{"$ref":"#/components/callbacks/Call"}}` + more + `}}}}`
	}
	parameters := func(names ...string) string {
		for i, name := range names {
			names[i] = `{"name":"` + name + `","in":"header","schema":{"type":"string"}}`
		}
		return `"parameters":[` + strings.Join(names, ",") + `]`
	}
	refers := `"delete":{"responses":{"404":{"$ref":"#/components/responses/Gone"}}},`
	for _, test := range []struct{ name, older, olderHas, newest, newestHas, want string }{
		{"a response", refers, response(""), "", response(`,"headers":{"X-Id":{"schema":{"type":"string"}}}`), `"delete":{"responses":{"404":{"description":""}}}`},
		{"a header of it", refers, header("string"), "", header("integer"), `"404":{"description":"","headers":{"X-Id":{"schema":{"type":"string"}}}}`},
		{"a header of one that is gone", refers, header("string"), "", `"headers":{"ID":{"schema":{"type":"integer"}}}`, `"404":{"description":"","headers":{"X-Id":{"schema":{"type":"string"}}}}`},
		{"one that leads to itself", `"delete":{` + none + `,"callbacks":{"c":{"$ref":"#/components/callbacks/Call"}}},`, call(""), "", call("," + parameters("x")),
			`"callbacks":{"c":{"{$url}":{"post":{"callbacks":{"again":{"$ref":"#/components/callbacks/Call"}},"responses":`},
		{"parameters of the path", parameters("trace", "old") + `,"delete":{` + none + `},`, "", parameters("trace", "new") + ",", "",
			`"delete":{"parameters":[{"in":"header","name":"old","schema":{"type":"string"}},{"in":"header","name":"trace","schema":{"type":"string"}}],`},
		{"new parameters of the path", `"delete":{` + none + `},`, "", parameters("new") + ",", "", `"get":{` + parameters("new")[:len(`"parameters":[`)] + `{"in":"header","name":"new",`},
		{"parameters of the path that others lack", parameters("old") + `,"delete":{` + none + `},`, "", "", "", `"delete":{"parameters":[{"in":"header","name":"old",`},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			drafted(t, of(test.older, test.olderHas), of(test.newest, test.newestHas), folder)
			code, err := os.ReadFile(filepath.Join(folder, "newest.json"))
			require.NoError(t, err)
			assert.Contains(t, strings.Join(strings.Fields(string(code)), ""), test.want)
		})
	}
}

// The values of a map that became an object have their older form in its place.
func TestMapOfAChangedComponent(t *testing.T) {
	of := func(name, schema string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/x":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":`+schema+`}}}}}}},
			"components":{"schemas":{"Pet":{"type":"object","properties":{"`+name+`":{"type":"string"}}}}}}`)
	}
	const pet = `{"$ref":"#/components/schemas/Pet"}`
	code := drafted(t, of("name", `{"type":"object","additionalProperties":`+pet+`}`), of("full_name", `{"type":"object","properties":{"a":`+pet+`}}`), t.TempDir())
	assert.Contains(t, code, "migrate.Documented(\"\", `{\"additionalProperties\":{\"properties\":{\"name\":{\"type\":\"string\"}},\"type\":\"object\"},")
}

// Two runs write the same bytes, and a file that a person changed stays.
func TestRunAgain(t *testing.T) {
	older, newest, folder := file(t, "1", `{"$ref":"#/components/schemas/Pet"}`), file(t, "2", `{"type":"object","properties":{"id":{"type":"string"}}}`), t.TempDir()
	first := drafted(t, older, newest, folder)
	assert.Equal(t, first, drafted(t, older, newest, folder))
	made, err := filepath.Glob(filepath.Join(folder, "*.new"))
	require.NoError(t, err)
	assert.Empty(t, made, "an unchanged file is written again")

	for _, name := range []string{"versions.go", "newest.json"} {
		path := filepath.Join(folder, name)
		was, err := os.ReadFile(path)
		require.NoError(t, err)
		mine := strings.Replace(string(was), "v1", "v1 and mine", 1)
		if name == "newest.json" {
			mine = strings.Replace(string(was), `"t"`, `"mine"`, 1)
		}
		require.NotEqual(t, string(was), mine)
		require.NoError(t, os.WriteFile(path, []byte(mine), 0o600))
		drafted(t, older, newest, folder)
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, mine, string(now), name)
		beside, err := os.ReadFile(path + ".new")
		require.NoError(t, err)
		assert.Equal(t, string(was), string(beside), name)
	}
}

func TestExitStatus(t *testing.T) {
	good := file(t, "1", `{}`)
	for _, test := range []struct {
		name, want string
		args       []string
		status     int
	}{
		{"no documents", "-old and -new are required", nil, 2},
		{"an argument", `"extra" is one`, []string{"-old", good, "-new", good, "extra"}, 2},
		{"an unknown flag", "not defined", []string{"-x"}, 2},
		{"names for some", "give -from for each -old", []string{"-old", good, "-old", good, "-from", "v1", "-new", good}, 2},
		{"help", "published `document`", []string{"-help"}, 0},
		{"no file", "no such file", []string{"-old", good, "-new", "missing.json"}, 1},
		{"one version twice", `two documents are of version "1"`, []string{"-old", good, "-new", good}, 1},
		{"not YAML", "yaml", []string{"-old", text(t, "a: [b"), "-new", good}, 1},
		{"another document", "it has no openapi: 3.x", []string{"-old", text(t, `{"a":1}`), "-new", good}, 1},
		{"a list", "it has no openapi: 3.x", []string{"-old", text(t, `[1]`), "-new", good}, 1},
		{"no operations", "has no paths and no webhooks", []string{"-old", text(t, `{"openapi":"3.1.0"}`), "-new", good}, 1},
		{"Swagger 2 that cannot be converted", "convert it to OpenAPI 3 with another tool", []string{"-old", text(t, `{"swagger":"2.0","paths":{"/x":3}}`), "-new", good}, 1},
		{"Swagger 2", "Drafted", []string{"-old", text(t, `{"swagger":"2.0","info":{"title":"t","version":"0"},"paths":{"/x":{"get":{"responses":{"200":{"description":"","schema":{"type":"string"}}}}}}}`), "-new", good, "-untried", "-out", t.TempDir()}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			assert.Equal(t, test.status, run(test.args, &out, &out))
			assert.Contains(t, strings.ReplaceAll(out.String(), "-old document", "published `document`"), test.want)
		})
	}
}

// The report has the right forms of nouns, and prints commands that run.
func TestReport(t *testing.T) {
	older := file(t, "1", `{"type":"object","properties":{"a":{"type":"string"}}}`)
	newest := file(t, "2", `{"type":"object","properties":{"a_text":{"type":"string"}}}`)
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", older, "-new", newest, "-out", t.TempDir()}, &out, &out), out.String())
	assert.Contains(t, out.String(), "Drafted 1 edit of 1 type: 1 question, 0 refused, 0 that no declaration covers.\nThe routes are for http:")
	assert.Contains(t, out.String(), "Next:\n  go mod tidy\nand draft again")
}

// A component, and the choice between it and null, are one Go type, with its edits once.
func TestNullableComponents(t *testing.T) {
	of := func(version, member string) string {
		return text(t, `{"openapi":"3.1.0","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"type":"object","properties":{
				"pet":{"$ref":"#/components/schemas/Pet"},
				"friend":{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Pet"}]},
				"others":{"type":"array","items":{"anyOf":[{"$ref":"#/components/schemas/Pet"},{"type":"null"}]}}}}}}}}}}},
			"components":{"schemas":{"Pet":{"type":"object","required":["`+member+`"],"properties":{"`+member+`":{"type":"string"}}}}}}`)
	}
	folder := t.TempDir()
	versions := drafted(t, of("1", "name"), of("2", "full_name"), folder)
	assert.Equal(t, 1, strings.Count(versions, `migrate.Renamed("name", "full_name")`))
	types, err := os.ReadFile(filepath.Join(folder, "types.go"))
	require.NoError(t, err)
	assert.Regexp(t, `Friend +\*Pet +`, string(types))
	assert.Regexp(t, `Others +\[\]\*?Pet +`, string(types))
	assert.NotContains(t, string(types), "ShowXResponseFriend")
}

// Objects are deprecated at a place, or wherever they are.
func TestDeprecatedObjects(t *testing.T) {
	of := func(version, place, component string) string {
		return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"operationId":"showX","responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"type":"object","properties":{"pet":{"allOf":[{"$ref":"#/components/schemas/Pet"}]`+place+`}}}}}}}}}},
			"components":{"schemas":{"Pet":{"type":"object","properties":{"name":{"type":"string"}}`+component+`}}}}`)
	}
	const deprecated = `,"deprecated":true`
	plain, place, component := of("1", "", ""), of("2", deprecated, ""), of("3", "", deprecated)
	for _, test := range []struct{ name, older, newest, want string }{
		{"a place", plain, place, "migrate.Documented(\"pet\", `{\"deprecated\":null}`)"},
		{"no place now", place, plain, "migrate.Documented(\"pet\", `{\"deprecated\":true}`)"},
		{"a component", plain, component, "migrate.For[Pet](\n\t\tmigrate.Documented(\"\", `{\"deprecated\":null}`),\n\t)"},
		{"no component now", component, plain, "migrate.For[Pet](\n\t\tmigrate.Documented(\"\", `{\"deprecated\":true}`),\n\t)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code := drafted(t, test.older, test.newest, t.TempDir())
			assert.Contains(t, code, test.want)
			assert.Equal(t, 1, strings.Count(code, "deprecated"), code)
		})
	}
}

// Errors have types by their statuses: that of the default or of most statuses is for the rest, and none is where a
// document names a body that no edit reaches.
func TestErrorsByStatus(t *testing.T) {
	schema := func(name string) string {
		if name == "any" {
			return `{"type":"object"}`
		}
		return `{"$ref":"#/components/schemas/` + name + `"}`
	}
	for _, test := range []struct {
		name, responses string // words: a status and its component
		want            []string
		note            string
	}{
		{"one", "400 A 404 A", []string{`migrate.Fails[A]("application/json")`}, ""},
		{"the one of most statuses", "400 A 404 B 409 B 500 C", []string{`migrate.Fails[A]("application/json", 400)`, `migrate.Fails[C]("application/json", 500)`, `migrate.Fails[B]("application/json")`}, ""},
		{"a default", "400 A 404 A default B", []string{`migrate.Fails[A]("application/json", 400, 404)`, `migrate.Fails[B]("application/json")`}, ""},
		{"a range", "404 A 4XX B", []string{`migrate.Fails[A]("application/json", 404)`, `migrate.Fails[B]("application/json")`}, ""},
		{"two ranges", "4XX A 5XX B", []string{`migrate.Fails[A]("application/json")`}, "GET /x: the errors 5XX have another body than the rest"},
		{"a body that no edit reaches", "404 A 500 any", []string{`migrate.Fails[A]("application/json", 404)`}, ""},
		{"a body that no edit reaches, under a default", "404 any default A", []string{`migrate.Fails[A]("application/json")`}, "GET /x: the errors 404 have a body that no edit reaches, and are lowered as A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			words, responses := strings.Fields(test.responses), []string{`"200":{"description":""}`}
			for i := 0; i < len(words); i += 2 {
				responses = append(responses, `"`+words[i]+`":{"description":"","content":{"application/json":{"schema":`+schema(words[i+1])+`}}}`)
			}
			of := func(version, member string) string {
				return text(t, `{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},"paths":{"/x":{"get":{"responses":{`+strings.Join(responses, ",")+`}}}},"components":{"schemas":{
					"A":{"type":"object","properties":{"`+member+`":{"type":"string"}}},"B":{"type":"object","properties":{"b":{"type":"string"}}},"C":{"type":"object","properties":{"c":{"type":"string"}}}}}}`)
			}
			folder := t.TempDir()
			versions := drafted(t, of("1", "name"), of("2", "full_name"), folder)
			routes, err := os.ReadFile(filepath.Join(folder, "routes.go"))
			require.NoError(t, err)
			assert.Contains(t, inOneLine(routes), "h.Route("+strings.Join(test.want, ", ")+")")
			assert.Contains(t, versions, test.note)
			assert.Equal(t, test.note == "", !strings.Contains(versions, "GET /x: the errors"))
		})
	}
}
