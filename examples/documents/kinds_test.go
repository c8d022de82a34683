package documents_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	labelled struct {
		Label string `form:"label"`
	}
	link struct { // as Chain
		Label string `json:"label"`
		Next  *link  `json:"next"`
	}
	chip struct {
		Label string `json:"label"`
	}
	tagless struct {
		Kind string `json:"kind"`
	}
	shelf struct {
		By map[string]Tagged `json:"by"`
	}
	sized struct {
		Label string `json:"label"`
		Size  int    `json:"size"`
	}
	wrapped struct {
		Tag *Tagged `json:"tag"`
	}
)

// taggedThere is a Tagged with edits of its own.
type taggedThere Tagged

// mayLack has members that older versions always have.
type mayLack struct {
	Label *string `json:"label,omitempty"`
	Tag   *Tagged `json:"tag,omitempty"`
}

// TestKindsInDocuments: each place in which a document can have an edited type has the form of v1.
func TestKindsInDocuments(t *testing.T) {
	change := migrate.Behaves("Answers have other header fields.")
	h := verso.Must(migrate.New(twoVersions(), migrate.Release("v2", change, migrate.Changed("changed",
		migrate.For[Tagged](migrate.Renamed("text", "label")), migrate.For[labelled](migrate.Renamed("name", "label")), migrate.For[chip](migrate.Renamed("chip", "label")))), migrate.Release("v1")))
	removed := historyOf(t, twoVersions(), migrate.For[tagless](migrate.Removed("tag,omitempty", (*Tagged)(nil))))
	reshaped := historyOf(t, twoVersions(), migrate.For[Named](migrate.Reshaped(nil, func(Named) (OldNamed, error) { return OldNamed{}, nil }, "")))
	adds := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Added("label")))
	onlyJSON := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Renamed("text", "label")))
	both := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Renamed("text", "label")), migrate.For[labelled](migrate.Renamed("text", "label")))
	drops := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Removed("size,omitempty", 0), migrate.Values("label", nil, migrate.NewValue("NEW", "old"))))
	again := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Removed("label,omitempty", ""), migrate.Added("label")))
	filters := historyOf(t, twoVersions(), migrate.For[Filter](migrate.Values("tags", map[string]string{"rot": "red"})))
	placed := verso.Must(migrate.New(twoVersions(), migrate.At[wrapped, taggedThere]("tag"),
		migrate.Release("v2", migrate.Changed("changed", migrate.For[taggedThere](migrate.Renamed("text", "label")))), migrate.Release("v1")))
	get := func(operation string) string { return `"/x":{"get":{` + operation + `}}` }
	edited := func(edits ...migrate.Edit) map[string]verso.Rewriter {
		return map[string]verso.Rewriter{"GET /x": historyOf(t, twoVersions(), migrate.ForType(reflect.TypeFor[Tagged](), edits...)).Route(migrate.Returns[Tagged]())}
	}
	chains := historyOf(t, twoVersions(), migrate.For[Chain](migrate.Renamed("text", "label")), migrate.For[link](migrate.Renamed("text", "label")))
	maybe := func(constant any) *migrate.History {
		return historyOf(t, twoVersions(), migrate.For[mayLack](migrate.Omitted("label", constant)))
	}
	same := func(text string) (string, error) { return text, nil }
	label := func(schema string) string {
		return get(jsonOf(`{"type":"object","properties":{"label":` + schema + `}}`))
	}
	x := func(h *migrate.History, bodies ...migrate.Body) map[string]verso.Rewriter {
		return map[string]verso.Rewriter{"GET /x": h.Route(bodies...)}
	}
	answer := func(status, mediaType, more string) string {
		return get(`"operationId":"o","responses":{"` + status + `":{"description":"","content":{"` + mediaType + `":{"schema":` + tagRef + more + `}}}}`)
	}
	asJSON := get(`"requestBody":{"content":{"multipart/form-data":{"schema":` + tagRef + `},"application/json":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}`)
	const comesBack, kind = `"tag":{"$ref":"#/components/schemas/Tag"}`, `"schema":{"properties":{"kind":{"type":"string"},"tag":`
	// beside is a route whose schema leads to the component of the type that comes back.
	beside := func(schema string, body migrate.Body) (string, map[string]verso.Rewriter) {
		return get(jsonOf(`{"type":"object","properties":{"kind":{"type":"string"}}}`)) + `,"/y":{"get":{` + jsonOf(schema) + `}}`,
			map[string]verso.Rewriter{"GET /x": removed.Route(migrate.Returns[tagless]()), "GET /y": removed.Route(body)}
	}
	const toMember = `"operationId":"o","responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"object","properties":{"label":{"type":"string"},"size":{"type":"integer"}}}}},"links":{"n":{"operationId":"o","parameters":{"q":"$response.body#/POINTER"}}}}}`
	inMap, ofMap := beside(`{"type":"object","properties":{"by":{"type":"object","additionalProperties":`+tagRef+`}}}`, migrate.Returns[shelf]())
	nullable, ofNullable := beside(`{"type":"object","properties":{"tag":{"nullable":true,"allOf":[`+tagRef+`]}}}`, migrate.Returns[wrapped]())
	two, ofTwo := beside(`{"type":"object","properties":{"tag":`+tagRef+`}}`, migrate.Returns[wrapped]())
	two += `,"/z":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/Same"}`) + `}}`
	ofTwo["GET /z"] = removed.Route(migrate.Returns[Tagged]())
	t.Run("members beside a reference", func(t *testing.T) {
		both := jsonOf(`{"$ref":"#/components/schemas/Tag","type":"object","required":["label"],"properties":{"size":{"type":"integer"}}}`)
		text, err := v1(t, "3.1.0", get(both), tag, x(renamed(t), migrate.Returns[Tagged]()))
		require.NoError(t, err)
		assert.Contains(t, text, `"required":["text"]`)
		assert.NotContains(t, text, `"label"`)
	})
	t.Run("members beside an inner reference", func(t *testing.T) {
		both := jsonOf(`{"$ref":"#/components/schemas/A","type":"object","properties":{"size":{"type":"integer"}}}`)
		inner := `"schemas":{"A":{"$ref":"#/components/schemas/Tag","required":["label"]},"Tag":{"type":"object","properties":{"label":{"type":"string"}}}}`
		text, err := v1(t, "3.1.0", get(both), inner, x(renamed(t), migrate.Returns[Tagged]()))
		require.NoError(t, err)
		assert.Contains(t, text, `"required":["text"]`)
	})
	t.Run("names of a map", func(t *testing.T) {
		names := jsonOf(`{"type":"object","additionalProperties":` + tagRef + `,"propertyNames":{"maxLength":9}}`)
		text, err := v1(t, "3.1.0", get(names), tag, x(renamed(t), migrate.Returns[map[string]Tagged]()))
		require.NoError(t, err)
		assert.Contains(t, text, `"propertyNames":{"maxLength":9}`)
		assert.Contains(t, text, `"Tag":{"properties":{"text":`)
	})
	t.Run("forms that list values, of two types each", func(t *testing.T) {
		forms := label(`{"oneOf":[{"type":["string","null"],"enum":["a"]},{"type":["string","null"],"enum":["b"]}]}`)
		_, err := v1(t, "3.1.0", forms, "", edited(migrate.Values("label", map[string]string{"old": "a"})))
		assert.ErrorContains(t, err, "a property with several forms (oneOf) cannot be followed")
	})
	t.Run("a constant that can be null", func(t *testing.T) { // OpenAPI 3.0 has no const
		text, err := v1(t, "3.1.0", label(`{"type":["string","null"],"const":"NEW"}`), "", edited(migrate.Values("label", map[string]string{"old": "NEW"})))
		require.NoError(t, err)
		assert.Contains(t, text, `"enum":["old",null]`)
	})
	for _, test := range []struct {
		name, paths, components string
		routes                  map[string]verso.Rewriter
		want                    []string // in the document; "-": not; "!": in the error
	}{
		{"a form and JSON", get(`"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"label":{"type":"string"}}}},"application/json":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}`), tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Form[labelled](), migrate.Accepts[Tagged]())},
			[]string{`"multipart/form-data":{"schema":{"properties":{"name":`, `"Tag":{"properties":{"text":`}},
		{"a form that is as JSON, with a new member", asJSON, tag, x(adds, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`-"label"`, `"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Tag"}}`}},
		{"a form that is as JSON, and has a file", strings.Replace(asJSON, tagRef, `{"allOf":[`+tagRef+`,{"type":"object","properties":{"file":{"type":"string"}}}]}`, 1), tag,
			x(adds, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`-"label"`, `-Tag_`, `{"allOf":[{"$ref":"#/components/schemas/Tag"},{"properties":{"file":{`}},
		{"a form that is as JSON, with another name", asJSON, tag, x(onlyJSON, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`"Tag":{"properties":{"text":`, `"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Tag_newest"}}`}},
		{"a form that is as JSON, with the same other name", asJSON, tag, x(both, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`"Tag":{"properties":{"text":`, `-Tag_`, `"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Tag"}}`}},
		{"a form that is as JSON, whose edits drop or refuse", asJSON, tag, x(drops, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`"size":{`, `-Tag_`, `"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Tag"}}`}},
		{"a form that is as JSON, whose dropped name is of another member", asJSON, tag, x(again, migrate.Form[labelled](), migrate.Accepts[Tagged]()), []string{`"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Tag_newest"}}`}},
		{"parameters of the media type of an error", answer("422", "application/problem+json; charset=utf-8", ""), tag, x(h, migrate.Fails[Tagged](verso.ProblemType)), []string{`"text"`, `-"label"`}},
		{"parameters of what passes", get(response("text/csv; header=present", `{"type":"string"}`)), "", x(h, migrate.Returns[Tagged](), migrate.Passes("text/csv")), []string{`"text/csv; header=present"`}},
		{"a status of 300", answer("300", "application/json", ""), tag, x(h, migrate.Returns[Tagged]()), []string{`"text"`, `-"label"`}},
		{"a status of 400", answer("4XX", "application/json", ""), tag, x(h, migrate.Returns[Tagged]()), []string{`"label"`, `-"text"`}},
		{"an example elsewhere", answer("200", "application/json", `,"examples":{"there":{"externalValue":"https://example.com/newest.json"},"here":{"value":{"label":"x"}}}`), tag, x(h, migrate.Returns[Tagged]()), []string{`"here":{"value":{"text":"x"}}`, `-newest.json`}},
		{"a link to a header field", get(`"operationId":"o","responses":{"200":{"description":"","links":{"n":{"operationId":"o","parameters":{"q":"$response.header.X-Total"}}}}}`), "", x(h, change.ResponseHeader("X-Count", "X-Total")), []string{`!$response.header`}},
		{"a media type", get(`"responses":{"200":{"description":"","content":{"text/new; charset=utf-8":{"schema":{"type":"string"}}}},"400":{"description":"","content":{"text/new":{"schema":{"type":"string"}}}}}`), "",
			x(h, migrate.Passes("text/new"), change.MediaType("text/old", "text/new")), []string{`"text/old; charset=utf-8":`, `-"text/new; charset`, `"400":{"content":{"text/new":`}},
		{"a media type that is there", get(`"responses":{"200":{"description":"","content":{"text/new":{"schema":{"type":"string"}},"text/old":{"schema":{"type":"integer"}}}}}`), "",
			x(h, migrate.Passes("text/new"), migrate.Passes("text/old"), change.MediaType("text/old", "text/new")), []string{`!/paths/~1x/get/responses/200: in v1 its media type is text/old, which is there already`}},
		{"content of a parameter", get(`"parameters":[{"name":"tags","in":"query","content":{"application/json":{"schema":{"type":"string"}}}},{"name":"order_by","in":"query","schema":{"type":"string"}}],"responses":{"204":{"description":""}}`), "",
			x(filters, migrate.Query[Filter]()), []string{`!/paths/~1x/get/parameters: the parameter "tags" has content, which cannot be followed`}},
		{"an extension of paths", `"x-any":{"schema":` + tagRef + `},` + answer("200", "application/json", ""), tag, x(h, migrate.Returns[Tagged]()), []string{`"Tag":{"properties":{"text":`, `"Tag_newest":{"properties":{"label":`}},
		{"three forms of a component", answer("200", "application/json", "") + `,"/y":{"get":{` + jsonOf(tagRef) + `}},"/z":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": h.Route(migrate.Returns[chip]()), "GET /z": nil},
			[]string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"`, `"Tag_v1_2":{"properties":{"`, `"properties":{"text":`, `"properties":{"chip":`}},
		{"two types of a component in itself", `"/x":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/R"}`) + `}},"/y":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/R"}`) + `}}`,
			`"schemas":{"R":{"type":"object","properties":{"label":{"type":"string"},"next":{"$ref":"#/components/schemas/R"}}}}`,
			map[string]verso.Rewriter{"GET /x": chains.Route(migrate.Returns[Chain]()), "GET /y": chains.Route(migrate.Returns[link]())},
			[]string{`"R":{"properties":{"next":{"$ref":"#/components/schemas/R"},"text":`, `-R_`}},
		{"a count of members", get(jsonOf(`{"minProperties":1,"maxProperties":1,"type":"object","properties":{"label":{"type":"string"}}}`)), "", edited(migrate.Removed("old", "")), []string{`"old"`, `-minProperties`, `-maxProperties`}},
		{"a count of members with other values", get(jsonOf(`{"minProperties":1,"type":"object","properties":{"label":{"type":"string"}}}`)), "", edited(migrate.Values("label", map[string]string{"old": "NEW"})), []string{`"minProperties":1`}},
		{"what a function returns", label(`{"type":"string","pattern":"^A","format":"a","minLength":1,"x-enum-varnames":["A"],"description":"a"}`), "", edited(migrate.Mapped("label", same, same)), []string{`"label":{"description":"a","type":"string"}`}},
		{"names of values", label(`{"type":"string","enum":["NEW"],"pattern":"N","x-enum-varnames":["N"]}`), "", edited(migrate.Values("label", map[string]string{"old": "NEW"})), []string{`"label":{"enum":["old"],"type":"string"}`}},
		{"several forms of a value", label(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), "", edited(migrate.Mapped("label", same, same)), []string{`!a property with several forms (oneOf) cannot be followed`}},
		{"values in several forms", label(`{"oneOf":[{"type":"string","enum":["NEW","a"]},{"enum":[""]},{"enum":[null]}]}`), "", edited(migrate.Values("label", map[string]string{"old": "NEW"})), []string{`"label":{"enum":["old","a","",null],"nullable":true,"type":"string"}`}},
		{"null in a part of an object", get(jsonOf(`{"allOf":[{"oneOf":[{"enum":[null]},` + tagRef + `]},{"type":"object","properties":{"size":{"type":"integer"}}}]}`)), tag, edited(migrate.Renamed("text", "label")),
			[]string{`"allOf":[{"oneOf":[{"enum":[null]},{"$ref":"#/components/schemas/Tag"}]},{"properties":{"size":{"type":"integer"}},"type":"object"}]`, `"Tag":{"properties":{"text":`, `-"label"`}},
		{"several forms that are described", label(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), "", edited(migrate.Documented("label", `{"title":"a"}`)),
			[]string{`"label":{"oneOf":[{"type":"string"},{"type":"integer"}],"title":"a"}`}},
		{"several forms that are read", label(`{"oneOf":[{"type":"string"},{"type":"integer"}],"nullable":true}`), "", edited(migrate.RemovedFrom("old", "label", func(json.RawMessage) (string, error) { return "", nil })),
			[]string{`"old":{"nullable":true,"type":"string"}`, `"label":{"nullable":true,"oneOf":`}},
		{"forms of an object", get(jsonOf(`{"oneOf":[` + tagRef + `,{"type":"object","properties":{"size":{"type":"integer"}}}]}`)), tag, edited(migrate.Renamed("text", "label")),
			[]string{`"oneOf":[{"$ref":"#/components/schemas/Tag"},{"properties":{"size":{"type":"integer"}},"type":"object"}]`, `"Tag":{"properties":{"text":`, `-"label"`}},
		{"a member of several forms", get(jsonOf(`{"anyOf":[{"type":"object","properties":{"label":{"type":"string"},"a":{"type":"string"}}},{"allOf":[` + tagRef + `]},{"nullable":true}]}`)), tag, edited(migrate.Renamed("text", "label")),
			[]string{`{"properties":{"a":{"type":"string"},"text":{"type":"string"}},"type":"object"`, `"Tag":{"properties":{"text":`, `-"label"`}},
		{"a link to what stays", get(strings.ReplaceAll(toMember, "POINTER", "size")), "", x(historyOf(t, twoVersions(), migrate.For[sized](migrate.Renamed("text", "label"))), migrate.Returns[sized]()), []string{`"q":"$response.body#/size"`, `"text":`}},
		{"a link to what changes", get(strings.ReplaceAll(toMember, "POINTER", "label")), "", x(historyOf(t, twoVersions(), migrate.For[sized](migrate.Renamed("text", "label"))), migrate.Returns[sized]()), []string{`!/responses/200/links: in v1 this refers to $response.body of another form`}},
		{"a member beside several forms", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string"}},"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"required":["b"]}]}`)), tag, edited(migrate.Renamed("text", "label"), migrate.Removed("old,omitempty", "")),
			[]string{`"oneOf":[{"properties":{"a":{"type":"string"}},"type":"object"},{"required":["b"]}],"properties":{"old":{"type":"string"},"text":`, `-"label"`}},
		{"a member beside several forms, which a form requires", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string"}},"anyOf":[{"required":["label"]},{"required":["b"]}]}`)), tag, edited(migrate.Renamed("text", "label")),
			[]string{`!/schema/anyOf: the schema of Tagged has another form in v1, and several forms cannot be followed`}},
		{"a member of no form", get(jsonOf(`{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`)), "", edited(migrate.Renamed("text", "label")),
			[]string{`!no form has a property "label", which Tagged has: the document is not the newest one`}},
		{"a gone member of one of several forms", get(jsonOf(`{"oneOf":[` + tagRef + `,{"type":"object","properties":{"size":{"type":"integer"}}}]}`)), tag, edited(migrate.Removed("old", "")),
			[]string{`!/schema/oneOf: the schema of Tagged has another form in v1, and several forms cannot be followed`}},
		{"a constant that an enum lacks", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string","enum":["a"],"nullable":true}}}`)), "", x(maybe(""), migrate.Returns[mayLack]()), []string{`"label":{"enum":["a","",null],"nullable":true,"type":"string"}`, `"required":["label"]`}},
		{"an empty constant", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string","format":"email","minLength":1,"description":"a"}}}`)), "", x(maybe(""), migrate.Returns[mayLack]()), []string{`"label":{"description":"a","type":"string"}`}},
		{"a constant that an enum has", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string","enum":["a"],"minLength":1}}}`)), "", x(maybe("a"), migrate.Returns[mayLack]()), []string{`"label":{"enum":["a"],"minLength":1,"type":"string"}`}},
		{"a constant of null", get(jsonOf(`{"type":"object","properties":{"label":{"type":"string"}}}`)), "", x(maybe(nil), migrate.Returns[mayLack]()), []string{`"label":{"nullable":true,"type":"string"}`}},
		{"a constant of null, of a component", get(jsonOf(`{"type":"object","properties":{"tag":` + tagRef + `}}`)), tag, x(historyOf(t, twoVersions(), migrate.For[mayLack](migrate.Omitted("tag", nil))), migrate.Returns[mayLack]()), []string{`"tag":{"allOf":[` + tagRef + `],"nullable":true}`}},
		{"another keyword in parts", get(jsonOf(`{"required":["label"],"allOf":[{"additionalProperties":false,"properties":{"label":{"type":"string"}}},{"additionalProperties":true}]}`)), "", edited(migrate.Renamed("text", "label")), []string{`!a part of allOf has another "additionalProperties"`}},
		{"described by nothing", label(`{"type":"string"}`), "", edited(migrate.Documented("label", `{"$ref":"#/components/schemas/Gone"}`)), []string{`!"#/components/schemas/Gone" does not lead to a schema`}},
		{"a type in itself comes back", label(`{"type":"string"}`), "", edited(migrate.Removed("tree,omitempty", (*Chain)(nil))),
			[]string{`"tree":{"properties":{"label":{"type":"string"},"next":{"nullable":true,"type":"object"}},"required":["label","next"],"type":"object"}`}},
		{"texts beside Reshaped", get(jsonOf(`{"description":"one","deprecated":true,"type":"object","properties":{"name":{"type":"string"}}}`)), "", x(reshaped, migrate.Returns[Named]()), []string{`"description":"one"`, `"deprecated":true`}},
		{"Reshaped in allOf", get(jsonOf(`{"allOf":[{"type":"object","properties":{"name":{"type":"string"}}},{"type":"object","properties":{"more":{"type":"string"}}}]}`)), "", x(reshaped, migrate.Returns[Named]()), []string{`"schema":{"properties":{"a":{},"n":`, `-allOf`}},
		{"another component at a place", get(jsonOf(`{"type":"object","properties":{"tag":`+tagRef+`}}`)) + `,"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": placed.Route(migrate.Returns[wrapped]()), "GET /y": placed.Route(migrate.Returns[Tagged]())},
			[]string{`"tag":{"$ref":"#/components/schemas/taggedThere"}`, `"taggedThere":{"properties":{"text":`, `"Tag":{"properties":{"label":`}},
		{"a component in a map", inMap, tag, ofMap, []string{comesBack}},
		{"a component that can be null", nullable, tag, ofNullable, []string{comesBack}},
		{"two components of a type", two, `"schemas":{"Tag":` + tagSchema + `,"Same":` + tagSchema + `}`, ofTwo, []string{kind + `{"properties":{"label":`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := v1(t, "3.0.3", test.paths, test.components, test.routes)
			text = strings.ReplaceAll(text, `now named \"label\"`, "")
			for _, want := range test.want {
				if refused, ok := strings.CutPrefix(want, "!"); ok {
					assert.ErrorContains(t, err, refused)
					return
				}
				require.NoError(t, err)
				if absent, ok := strings.CutPrefix(want, "-"); ok {
					assert.NotContains(t, text, absent)
				} else {
					assert.Contains(t, text, want)
				}
			}
		})
	}
}
