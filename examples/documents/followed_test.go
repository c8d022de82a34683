package documents_test

import (
	"encoding/json"
	"fmt"
	"mime/multipart"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

type (
	Tagged struct {
		Label string `json:"label"`
	}
	TaggedPage struct {
		Data []Tagged `json:"data"`
	}
	Named struct {
		Name string `json:"name"`
	}
	Outer struct {
		In *Inner `json:"in"`
		L  string `json:"l"`
	}
	Inner struct {
		Z string `json:"z"`
		P *Outer `json:"p,omitempty"`
	}
	Kind struct {
		Kind string  `json:"kind"`
		Tag  *Tagged `json:"tag"`
	}
	Chain struct {
		Label string `json:"label"`
		Next  *Chain `json:"next"`
	}
	Holder struct {
		Tag any `json:"tag"`
	}
	OldNamed struct {
		N *int `json:"n,string"`
		A any  `json:"a"`
	}
	Owner struct {
		One *Named `json:"one"`
	}
	UploadForm struct {
		File  *multipart.FileHeader `form:"file"`
		Tags  []string              `form:"tags"`
		Sizes []int                 `form:"sizes"`
	}
	Filter struct {
		Order string   `query:"order_by"`
		Tags  []string `query:"tags"`
	}
	Paged struct {
		Limit int    `query:"limit"`
		Order string `query:"order_by"`
	}
	Account struct {
		Tenant string `header:"X-Tenant"`
	}
)

const (
	tagSchema = `{"type":"object","required":["label"],"properties":{"label":{"type":"string"}}}`
	tagRef    = `{"$ref":"#/components/schemas/Tag"}`
	tag       = `"schemas":{"Tag":` + tagSchema + `}`
)

func twoVersions() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
}

func historyOf(t *testing.T, api *verso.Versioning, types ...migrate.TypeEdits) *migrate.History {
	t.Helper()
	h, err := migrate.New(api, migrate.Release("v2", migrate.Changed("changed", types...)), migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

// renamed is a history: the label of a tag was a text.
func renamed(t *testing.T) *migrate.History {
	t.Helper()
	return historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Renamed("text", "label")))
}

func response(mediaType, schema string) string {
	return `"responses":{"200":{"description":"","content":{"` + mediaType + `":{"schema":` + schema + `}}}}`
}

func jsonOf(schema string) string { return response("application/json", schema) }

// v1 returns the paths and the components of v1.
func v1(t *testing.T, openapiVersion, paths, components string, routes map[string]verso.Rewriter) (string, error) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(fmt.Sprintf(`{"openapi":%q,"info":{"title":"t","version":"1"},"servers":[{"url":"/"}],"paths":{%s},"components":{%s}}`, openapiVersion, paths, components)))
	require.NoError(t, err)
	service := &verso.Explanation{Source: verso.Header("Api-Version"), Versions: []string{"v1", "v2"}, Requests: []verso.RequestInfo{{Response: "400 version_missing"}}}
	for name, rewriter := range routes {
		method, path, _ := strings.Cut(name, " ")
		service.Routes = append(service.Routes, verso.RouteInfo{Method: method, Pattern: path, Path: path, Rewriter: rewriter})
	}
	made, err := openapi.ForVersion(document, service, "v1")
	if err != nil {
		return "", err
	}
	require.NoError(t, made.Validate(t.Context(), openapi3.AllowExtraSiblingFields("pathItems")))
	raw, err := json.Marshal(map[string]any{"paths": made.Paths, "components": made.Components})
	require.NoError(t, err)
	return string(raw), nil
}

// TestNothingNewestInDocuments: in v1 a label is a text, wherever the document has it, or the
// document is an error with the place.
func TestNothingNewestInDocuments(t *testing.T) {
	returns, lists, accepts := migrate.Returns[Tagged](), migrate.Returns[[]Tagged](), migrate.Accepts[Tagged]()
	for _, test := range []struct {
		name, version, operation, components string
		body                                 migrate.Body
		want                                 string // in the error; "" if it is followed
	}{
		{"events", "3.1.0", response("text/event-stream", tagRef), tag, returns, "/paths/~1x/get/responses/200/content/text~1event-stream: in v1 events have another form"},
		{"events of a name", "3.1.0", response("text/event-stream", tagRef), tag, migrate.Event[Tagged]("tag"), "events have another form"},
		{"any media type", "3.0.3", response("*/*", tagRef), tag, returns, ""},
		{"any application", "3.0.3", response("application/*", tagRef), tag, returns, ""},
		{"any media type of a request", "3.0.3", `"requestBody":{"content":{"*/*":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}`, tag, accepts, ""},
		{"a default that is the success", "3.0.3", `"responses":{"default":{"description":"","content":{"application/json":{"schema":` + tagRef + `}}}}`, tag, returns, ""},
		{"required beside allOf", "3.0.3", jsonOf(`{"allOf":[` + tagRef + `],"required":["label"]}`), tag, returns, ""},
		{"required beside oneOf", "3.1.0", jsonOf(`{"oneOf":[` + tagRef + `,{"type":"null"}],"required":["label"]}`), tag, returns, "/schema/oneOf: the schema of Tagged has another form"},
		{"anyOf beside allOf", "3.0.3", jsonOf(`{"anyOf":[{"required":["label"]}],"allOf":[` + tagRef + `]}`), tag, returns, "/schema/anyOf"},
		{"required without properties", "3.0.3", jsonOf(`{"type":"object","required":["label"]}`), tag, returns, `there is no property "label"`},
		{"a schema beside a reference that a reference leads to", "3.1.0", jsonOf(`{"$ref":"#/components/schemas/A"}`), `"schemas":{"A":{"$ref":"#/components/schemas/Tag","required":["label"]},"Tag":` + tagSchema + `}`, returns, ""},
		{"an escape in a reference", "3.0.3", jsonOf(`{"$ref":"#/components/schemas/T%61g"}`), tag, returns, ""},
		{"a reference into a list", "3.0.3", jsonOf(`{"$ref":"#/components/schemas/B/allOf/0"}`), `"schemas":{"B":{"allOf":[` + tagSchema + `]}}`, returns, ""},
		{"a map with properties", "3.0.3", jsonOf(`{"type":"object","properties":{"home":` + tagRef + `}}`), tag, migrate.Returns[map[string]Tagged](), "/schema/properties: the schema of map[string]documents_test.Tagged describes another kind"},
		{"a page for a list", "3.0.3", jsonOf(`{"type":"object","properties":{"data":{"type":"array","items":` + tagRef + `}}}`), tag, lists, "/schema/properties: the schema of []documents_test.Tagged describes another kind"},
		{"a list for an object", "3.0.3", jsonOf(`{"type":"array","items":` + tagRef + `}`), tag, returns, "/schema/items: the schema of Tagged describes another kind"},
		{"a list in allOf", "3.0.3", jsonOf(`{"allOf":[{"type":"array","items":` + tagRef + `},{"minItems":1}]}`), tag, lists, ""},
		{"an example in a part of allOf", "3.0.3", jsonOf(`{"allOf":[` + tagRef + `,{"type":"object","properties":{"z":{"type":"string"}}}]}`), `"schemas":{"Tag":{"example":{"label":"x"},` + tagSchema[1:] + `}`, returns, ""},
		{"a link by reference", "3.0.3", `"operationId":"o","responses":{"200":{"description":"","content":{"application/json":{"schema":` + tagRef + `}},"links":{"n":{"$ref":"#/components/links/N"}}}}`, tag + `,"links":{"N":{"operationId":"o","parameters":{"q":"$response.body#/label"}}}`, returns, "/responses/200/links: in v1 this refers to $response.body of another form"},
		{"a callback by reference", "3.0.3", jsonOf(tagRef) + `,"callbacks":{"c":{"$ref":"#/components/callbacks/C"}}`, tag + `,"callbacks":{"C":{"{$response.body#/label}":{"post":{"responses":{"204":{"description":""}}}}}}`, returns, "/get/callbacks: in v1"},
		{"a link to the request", "3.0.3", `"operationId":"o","requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}},"responses":{"201":{"description":"","links":{"n":{"operationId":"o","parameters":{"q":"$request.body#/label"}}}}}`, tag, accepts, "$request.body"},
		{"a merge patch", "3.0.3", `"requestBody":{"content":{"application/json":{"schema":` + tagRef + `},"application/merge-patch+json":{"schema":` + tagSchema + `}}},"responses":{"204":{"description":""}}`, tag, accepts, ""},
		{"XML", "3.0.3", response("application/xml", tagSchema), "", returns, ""},
		{"a discriminator of a type without edits", "3.0.3", jsonOf(`{"type":"object","properties":{"kind":{"type":"string"},"tag":` + tagRef + `},"discriminator":{"propertyName":"kind"}}`), tag, migrate.Returns[Kind](), ""},
		{"only a merge patch", "3.0.3", `"requestBody":{"content":{"application/merge-patch+json":{"schema":` + tagSchema + `}}},"responses":{"204":{"description":""}}`, "", accepts, ""},
		{"other extensions in parts of allOf", "3.0.3", jsonOf(`{"allOf":[{"$ref":"#/components/schemas/Tag"},{"type":"object","x-go-package":"b","properties":{"z":{"type":"string"}}}]}`), `"schemas":{"Tag":{"x-go-package":"a",` + tagSchema[1:] + `}`, returns, ""},
		{"a part of allOf that contains itself", "3.0.3", jsonOf(`{"$ref":"#/components/schemas/A"}`), `"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/B"},` + tagSchema + `]},"B":{"allOf":[{"$ref":"#/components/schemas/A"},{"properties":{"x":{"type":"string"}}}]}}`, returns, ""},
		{"a property that contains itself", "3.0.3", jsonOf(`{"$ref":"#/components/schemas/R"}`), `"schemas":{"R":{"type":"object","required":["label"],"properties":{"label":{"type":"string"},"next":{"nullable":true,"allOf":[{"$ref":"#/components/schemas/R"}]}}}}`, migrate.Returns[Chain](), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Renamed("text", "label")), migrate.For[Chain](migrate.Renamed("text", "label"), migrate.Default("next", nil)))
			text, err := v1(t, test.version, `"/x":{"get":{`+test.operation+`}}`, test.components, map[string]verso.Rewriter{"GET /x": h.Route(test.body)})
			if test.want != "" {
				assert.ErrorContains(t, err, test.want)
				return
			}
			require.NoError(t, err)
			assert.NotContains(t, strings.ReplaceAll(text, `now named \"label\"`, ""), "label")
		})
	}
}

// TestPartsOfDocuments: a part has the form that its operation reads or writes, whatever else
// refers to it.
func TestPartsOfDocuments(t *testing.T) {
	change := migrate.Behaves("Answers have other statuses.")
	withChange := func(types ...migrate.TypeEdits) *migrate.History {
		return verso.Must(migrate.New(twoVersions(), migrate.Release("v2", change, migrate.Changed("changed", types...)), migrate.Release("v1")))
	}
	values := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Values("label", map[string]string{"old": "NEW"})))
	forms := historyOf(t, twoVersions(), migrate.For[UploadForm](migrate.Renamed("avatar", "file"), migrate.Values("tags", map[string]string{"rot": "red"}), migrate.Mapped("sizes", cents, euros)))
	filters := historyOf(t, twoVersions(), migrate.For[Filter](migrate.Renamed("sort", "order_by"), migrate.Values("tags", map[string]string{"rot": "red"})), migrate.For[Account](migrate.Renamed("X-Account", "X-Tenant")))
	described := historyOf(t, twoVersions(), migrate.For[tagless](migrate.Removed("tag,omitempty", (*Tagged)(nil))), migrate.For[Tagged](migrate.Documented("label", `{"maxLength":5}`)))
	h, api := renamed(t), twoVersions()
	h1, h2 := historyOf(t, api, migrate.For[Tagged](migrate.Renamed("text", "label"))), historyOf(t, api, migrate.For[Named](migrate.Renamed("old", "name")))
	recursive := historyOf(t, twoVersions(), migrate.For[Outer](migrate.Values("oz", map[string]string{"old": "NEW"}), migrate.Nested("in", map[string]string{"oz": "z"})))
	added := historyOf(t, twoVersions(), migrate.For[Tagged](migrate.Removed("age", 3)))
	paged := historyOf(t, twoVersions(), migrate.For[Paged](migrate.Default("limit", 100), migrate.Renamed("sort", "order_by")))
	const outer = `"schemas":{"A":{"type":"object","required":["in","l"],"properties":{"in":{"$ref":"#/components/schemas/I"},"l":{"type":"string"}}},"I":{"type":"object","required":["z"],"properties":{"z":{"type":"string","enum":["NEW"]},"p":{"$ref":"#/components/schemas/A"}}}}`
	const pages = `{"name":"limit","in":"query","schema":{"type":"integer","default":20}},{"name":"order_by","in":"query","examples":{"e":{"value":"name"}},"schema":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`
	const example = `"examples":{"e":{"$ref":"#/components/examples/E"}}`
	const order = `{"name":"order_by","in":"query","schema":{"type":"string"}}`
	for _, test := range []struct {
		name, version, paths, components string
		routes                           map[string]verso.Rewriter
		want                             []string // in the document or, if it begins with "!", in the error
	}{
		{"an open member has the newest form", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(`{"type":"object","properties":{"tag":`+tagRef+`}}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": h.Route(migrate.Returns[Holder](), migrate.Open[Holder]("tag"))},
			[]string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`, `"schema":{"$ref":"#/components/schemas/Tag"}`, `"tag":{"$ref":"#/components/schemas/Tag_newest"}`}},
		{"a struct that is only described comes back", "3.0.3", `"/x":{"get":{` + jsonOf(`{"type":"object","properties":{"kind":{"type":"string"}}}`) + `}},"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": described.Route(migrate.Returns[tagless]()), "GET /y": described.Route(migrate.Returns[Tagged]())},
			[]string{`"tag":{"$ref":"#/components/schemas/Tag"}`, `"Tag":{"properties":{"label":{"maxLength":5,"type":"string"}}`}},
		{"a route that is not rewritten has the newest form", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a route that the version lacks takes no name", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag":{"properties":{"text":`}},
		{"two types of a component", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": h.Route(migrate.Returns[Named]())}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag"`}},
		{"two histories", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h1.Route(migrate.Returns[Tagged]()), "GET /y": h2.Route(migrate.Returns[Tagged]())}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a shared response without edits", "3.0.3", `"/x":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":` + tagRef + `}}},"404":{"$ref":"#/components/responses/E"}}}},"/y":{"get":{"responses":{"404":{"$ref":"#/components/responses/E"}}}}`,
			tag + `,"responses":{"E":{"description":"","content":{"application/problem+json":{"schema":{"type":"object"}}}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged](), migrate.Fails[verso.Problem](verso.ProblemType)), "GET /y": h.Route()}, []string{`"404":{"$ref":"#/components/responses/E"}`, `"text"`}},
		{"a shared response is lowered once", "3.0.3", `"/x":{"get":{"responses":{"200":{"$ref":"#/components/responses/T"}}}},"/y":{"get":{"responses":{"200":{"$ref":"#/components/responses/T"}}}}`,
			tag + `,"responses":{"T":{"description":"","content":{"application/json":{"schema":` + tagRef + `,"example":{"label":"x"}}}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": h.Route(migrate.Returns[Tagged]())}, []string{`"responses":{"T":{"content":{"application/json":{"example":{"text":"x"},"schema":{"$ref":"#/components/schemas/Tag"}}}`, `"Tag":{"properties":{"text":`}},
		{"a response in a path", "3.0.3", `"/x":{"get":{` + jsonOf(tagSchema) + `}},"/z":{"get":{"responses":{"200":{"$ref":"#/paths/~1x/get/responses/200"}}}}`, "",
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /z": h.Route(migrate.Returns[Tagged]())}, []string{`"text"`}},
		{"a response in a path that is lowered", "3.0.3", `"/x":{"get":{` + jsonOf(tagSchema) + `}},"/z":{"get":{"responses":{"200":{"$ref":"#/paths/~1x/get/responses/200"}}}}`, "",
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /z": nil}, []string{"!/paths/~1x/get: another part of the document refers to #/paths/~1x/get/responses/200"}},
		{"a path by reference", "3.1.0", `"/x":{"$ref":"#/components/pathItems/X"}`, tag + `,"pathItems":{"X":{"get":{` + jsonOf(tagRef) + `}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag":{"properties":{"text":`}},
		{"a shared example", "3.0.3", `"/x":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":` + tagRef + `,` + example + `}}}}}},"/y":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"object","required":["label"]},` + example + `}}}}}}`,
			tag + `,"examples":{"E":{"value":{"label":"x"}}}`, map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"value":{"label":"x"}`, `"value":{"text":"x"}`}},
		{"a reference into a property", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/Tag/properties/label"}`) + `}}`, `"schemas":{"Tag":{"type":"object","properties":{"label":{"type":"string","enum":["NEW"]}}}}`,
			map[string]verso.Rewriter{"GET /x": values.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"enum":["NEW"]`, `"enum":["old"]`}},
		{"a condition beside values", "3.1.0", `"/x":{"get":{` + jsonOf(`{"type":"object","properties":{"label":{"type":"string","not":{"enum":["NEW"]}}}}`) + `}}`, "",
			map[string]verso.Rewriter{"GET /x": values.Route(migrate.Returns[Tagged]())}, []string{`!"label" has other values: "old" is now "NEW": the keyword not of a property cannot be followed`}},
		{"a form", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"file":{"type":"string"},"tags":{"type":"array","items":{"type":"string","enum":["red"]}},"sizes":{"type":"array","items":{"type":"integer"}}}}}}},"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"POST /x": forms.Route(migrate.Form[UploadForm]())}, []string{`"avatar":{`, `"enum":["rot"]`, `"sizes":{"items":{"type":"string"},"type":"array"}`}},
		{"the encoding of a form", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"multipart/form-data":{"encoding":{"file":{"contentType":"image/png"}},"schema":{"type":"object","properties":{"file":{"type":"string","format":"binary"},"tags":{},"sizes":{}}}}}},"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"POST /x": forms.Route(migrate.Form[UploadForm]())}, []string{`!/requestBody/content/multipart~1form-data/encoding: in v1 the property "file" has another name`}},
		{"the encoding of what stays, in a part", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"multipart/form-data":{"encoding":{"none":{"explode":true},"tags":{"explode":true}},"schema":{"allOf":[{"type":"object","properties":{"file":{"type":"string","format":"binary"},"sizes":{}}},{"type":"object","properties":{"tags":{}}}]}}}},"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"POST /x": forms.Route(migrate.Form[UploadForm]())}, []string{`"avatar":{`, `"encoding":{"none":{"explode":true},"tags":{"explode":true}}`}},
		{"values of a list of parameters", "3.0.3", `"/x":{"get":{"parameters":[` + order + `,{"name":"tags","in":"query","example":["red"],"schema":{"type":"array","default":["red"],"items":{"type":"string"}}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]())}, []string{`"default":["rot"]`, `"example":["rot"]`}},
		{"a parameter that no edit reads", "3.1.0", `"/x":{"get":{"parameters":[{"name":"X-Tenant","in":"header","schema":{"type":"string"}},{"name":"order_by","in":"header","schema":{"oneOf":[{"type":"string"},{"type":"array","items":{}}]}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Headers[Account]())}, []string{`"name":"X-Account"`, `"oneOf":[{"type":"string"}`}},
		{"parameters of a path without other responses", "3.1.0", `"/x":{"parameters":[` + order + `,{"name":"tags","in":"query","schema":{"type":"string"}}],"get":{"responses":{"204":{"description":""}}},"put":{}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]()), "PUT /x": nil}, []string{`"name":"order_by"`, `"name":"sort"`}},
		{"links to a parameter and a header field", "3.0.3", `"/x":{"get":{"operationId":"o","parameters":[` + order + `,{"name":"tags","in":"query","schema":{"type":"string"}}],"responses":{"204":{"description":"","links":{"n":{"operationId":"o","parameters":{"a":"$request.query.order_by"}}}}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]())}, []string{"!/responses/204/links: in v1 this refers to $request.query of another form"}},
		{"links to a parameter that stays", "3.0.3", `"/x":{"get":{"operationId":"o","parameters":[` + order + `,{"name":"tags","in":"query","schema":{"type":"string"}},{"name":"a/b","in":"query","schema":{"type":"string"}}],"responses":{"204":{"description":"","links":{"n":{"operationId":"o","parameters":{"a":"$request.query.a/b"}}}}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]())}, []string{"$request.query.a/b", `"name":"sort"`}},
		{"a status has its change", "3.0.3", `"/x":{"get":{"responses":{"201":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": withChange().Route(change.Status(200, 201))}, []string{`"text":"Answers have other statuses."`, `"200":{"description":""}`}},
		{"a problem with a charset", "3.0.3", `"/x":{"get":{"responses":{"422":{"description":"","content":{"application/problem+json; charset=utf-8":{"example":{"status":422}}}}}}}`, "",
			map[string]verso.Rewriter{"GET /x": withChange().Route(change.Status(400, 422))}, []string{`"example":{"status":400}`}},
		{"a status without a body", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": withChange().Route(migrate.Returns[Tagged](), change.Status(204, 200))}, []string{`"204":{"description":""}`}},
		{"two bodies of a status", "3.0.3", `"/x":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{}}}},"201":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": withChange().Route(change.Status(200, 201))}, []string{"!/paths/~1x/get/responses/201: in v1 it has status 200, whose response has another body"}},
		{"a webhook has the newest form", "3.1.0", `"/x":{"get":{` + jsonOf(tagRef) + `}}`, tag + `},"webhooks":{"w":{"post":{"requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a callback has the newest form", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `,"callbacks":{"c":{"{$request.path.id}":{"post":{"requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}}}}}}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a mapping names the newest form", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(`{"type":"object","properties":{"k":{"type":"string"}},"discriminator":{"propertyName":"k","mapping":{"t":"Tag"}}}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"mapping":{"t":"Tag_newest"}`, `"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"what passes stays", "3.0.3", `"/x":{"get":{` + jsonOf(tagSchema) + `}}`, "",
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged](), migrate.Passes("application/json"))}, []string{`"label"`}},
		{"a request of any type", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"text/plain":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}}}}`, tag,
			map[string]verso.Rewriter{"POST /x": h.Route(migrate.Accepts[Tagged](), migrate.AnyType())}, []string{`"Tag":{"properties":{"text":`}},
		{"an older media type that is there", "3.0.3", `"/x":{"get":{"responses":{"400":{"description":"","content":{"application/problem+json":{"schema":{"type":"object"}},"application/json":{"schema":{"type":"string"}}}}}}}`, "",
			map[string]verso.Rewriter{"GET /x": verso.Must(migrate.New(twoVersions(), migrate.Release("v2", migrate.Changed("changed", migrate.For[verso.Problem](
				migrate.Reshaped(nil, func(verso.Problem) (Named, error) { return Named{}, nil }, "application/json")))), migrate.Release("v1"))).Route(migrate.Fails[verso.Problem](verso.ProblemType))},
			[]string{"!/responses/400/content/application~1problem+json: in v1 its media type is application/json, which is there already"}},
		{"a property in two parts", "3.0.3", `"/x":{"get":{` + jsonOf(`{"allOf":[{"properties":{"data":{"type":"array","items":`+tagRef+`}}},{"properties":{"data":{"maxItems":9}}}]}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[TaggedPage]())}, []string{`"maxItems":9`, `"Tag":{"properties":{"text":`}},
		{"a renamed property in two parts", "3.0.3", `"/x":{"get":{` + jsonOf(`{"allOf":[`+tagSchema+`,{"properties":{"label":{"maxLength":9}}}]}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"properties":{"text":{"type":"string"}},"required":["text"]`, `"properties":{"text":{"maxLength":9}}`}},
		{"a renamed property beside its component", "3.1.0", `"/x":{"get":{` + jsonOf(`{"allOf":[{"$ref":"#/components/schemas/Tag","properties":{"label":{"maxLength":9}}},{"type":"object"}]}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"text":{"allOf":[{"maxLength":9},{"type":"string"}]}`}},
		{"a path with an escape", "3.0.3", `"/a%20b":{"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /a%20b": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag":{"properties":{"text":`}},
		{"a text that looks like a reference", "3.0.3", `"/x":{"get":{"description":"#copies/7","summary":"#copies/x","tags":["#/"],` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"#copies/7"`, `"text"`}},
		{"an object within itself, from inside", "3.0.3", `"/x":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/I"}`) + `}}`, outer,
			map[string]verso.Rewriter{"GET /x": recursive.Route(migrate.Returns[Inner]())}, []string{`"oz":{"enum":["old"],"type":"string"}},"required":["l","oz"]`}},
		{"an object within itself, from outside", "3.0.3", `"/x":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/A"}`) + `}}`, outer,
			map[string]verso.Rewriter{"GET /x": recursive.Route(migrate.Returns[Outer]())}, []string{`"oz":{"enum":["old"],"type":"string"}},"required":["l","oz"]`}},
		{"required without properties", "3.0.3", `"/x":{"get":{` + jsonOf(`{"type":"object","required":["label"]}`) + `}}`, "",
			map[string]verso.Rewriter{"GET /x": added.Route(migrate.Returns[Tagged]())}, []string{`"age":{"example":3,"type":"integer"}},"required":["age","label"]`}},
		{"a webhook in an extension", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}}`, tag + `},"x-webhooks":{"w":{"post":{"requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a form of more operations, by way of another component", "3.0.3", `"/x":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/Page"}`) + `},"post":{` + jsonOf(`{"$ref":"#/components/schemas/Page"}`) + `}},"/y":{"get":{` + jsonOf(`{"type":"object","properties":{"a":`+tagRef+`,"b":`+tagRef+`}}`) + `}}`,
			tag[:len(tag)-1] + `,"Page":{"type":"object","properties":{"data":{"type":"array","items":` + tagRef + `}}}}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[TaggedPage]()), "POST /x": h.Route(migrate.Returns[TaggedPage]()), "GET /y": nil}, []string{`"Tag_newest":{"properties":{"label":`, `"Tag":{"properties":{"text":`}},
		{"a form of as many operations, at fewer places", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(`{"type":"object","properties":{"a":`+tagRef+`,"b":`+tagRef+`}}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"Tag":{"properties":{"label":`, `"Tag_v1":{"properties":{"text":`}},
		{"a subtype without a mapping", "3.0.3", `"/x":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/Cat"}`) + `}},"/y":{"get":{` + jsonOf(`{"$ref":"#/components/schemas/Base"}`) + `}}`,
			`"schemas":{"Base":{"type":"object","properties":{"kind":{"type":"string"}},"discriminator":{"propertyName":"kind"}},"Cat":{"allOf":[{"$ref":"#/components/schemas/Base"},{"$ref":"#/components/schemas/Tag"}]},"Tag":` + tagSchema + `}`,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"Cat_v1"`}},
		{"a variant without a mapping keeps its name", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `}},"/y":{"get":{` + jsonOf(`{"oneOf":[`+tagRef+`],"discriminator":{"propertyName":"label"}}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"Tag":{"properties":{"label":`, `"Tag_v1":{"properties":{"text":`}},
		{"extensions of responses", "3.0.3", `"/x":{"get":{"responses":{"x-note":"stays","200":{"description":"","content":{"application/json":{"schema":` + tagRef + `}}}}}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"x-note":"stays"`, `"text"`}},
		{"a link to an operation", "3.0.3", `"/x":{"get":{"description":"#/paths/~1x/get",` + jsonOf(tagRef) + `}},"/y":{"get":{"responses":{"204":{"description":"","links":{"l":{"operationRef":"#/paths/~1x/get"}}}}}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]()), "GET /y": nil}, []string{`"text"`}},
		{"a callback to what no edit reads", "3.0.3", `"/x":{"get":{` + jsonOf(tagRef) + `,"callbacks":{"c":{"{$request.query.url}":{"post":{"responses":{"204":{"description":""}}}}}}}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`$request.query.url`, `"text"`}},
		{"callbacks to what no edit knows", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}},` + jsonOf(tagRef) + `,"callbacks":{"c":{"{$request.body#/url}":{"post":{"responses":{"204":{"description":""}}}},"{$response.body#/url}":{"post":{"responses":{"204":{"description":""}}}}}}}}`, tag,
			map[string]verso.Rewriter{"POST /x": h.Route(migrate.Accepts[Tagged](), migrate.Returns[Tagged]())}, []string{`$request.body#/url`, `$response.body#/url`, `"text"`}},
		{"a callback to the older name", "3.0.3", `"/x":{"post":{"requestBody":{"content":{"application/json":{"schema":` + tagRef + `}}},"responses":{"204":{"description":""}},"callbacks":{"c":{"{$request.body#/text}":{"post":{"responses":{"204":{"description":""}}}}}}}}`, tag,
			map[string]verso.Rewriter{"POST /x": h.Route(migrate.Accepts[Tagged]())}, []string{"!/callbacks: in v1 this refers to $request.body of another form"}},
		{"two statuses with the same schema", "3.0.3", `"/x":{"get":{"responses":{"400":{"description":"","content":{"application/json":{"schema":{"type":"object"},"example":{"a":1}}}},"422":{"description":"","content":{"application/json":{"schema":{"type":"object"},"example":{"a":2}}}}}}}`, "",
			map[string]verso.Rewriter{"GET /x": withChange().Route(change.Status(400, 422))}, []string{`"400":{"content":{"application/json":{"example":{"a":1}`}},
		{"a parameter that is only renamed", "3.0.3", `"/x":{"get":{"parameters":[` + pages + `,{"name":"sort","in":"query","schema":{"type":"boolean"}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": paged.Route(migrate.Query[Paged]())}, []string{`{"examples":{"e":{"value":"name"}},"in":"query","name":"sort","schema":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`, `"name":"limit","schema":{"default":100,"type":"integer"}`}},
		{"null of a list of parameters", "3.1.0", `"/x":{"get":{"parameters":[` + order + `,{"name":"tags","in":"query","schema":{"type":["array","null"],"default":null,"items":{"type":"string"}}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]())}, []string{`"items":{"type":"string"},"type":["array","null"]`}},
		{"header fields in another case", "3.0.3", `"/x":{"parameters":[{"name":"X-Tenant","in":"header","schema":{"type":"string"}}],"get":{"parameters":[{"name":"x-tenant","in":"header","required":true,"schema":{"type":"string","maxLength":3}},{"name":"x-account","in":"header","schema":{"type":"boolean"}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Headers[Account]())}, []string{`"parameters":[{"in":"header","name":"X-Account","required":true,"schema":{"maxLength":3,"type":"string"}},{"$ref"`}},
		{"an extension of a path", "3.0.3", `"/x":{"x-any":{"schema":` + tagRef + `},"get":{` + jsonOf(tagRef) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"Tag":{"properties":{"text":`, `"Tag_newest":{"properties":{"label":`}},
		{"an example of one part of allOf", "3.0.3", `"/x":{"get":{` + jsonOf(`{"allOf":[{"type":"object","required":["id"],"example":{"id":"1"},"properties":{"id":{"type":"string"}}},`+tagSchema+`]}`) + `}}`, "",
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"allOf":[{"properties":{"id":{"type":"string"}},"required":["id"],"type":"object"},{"properties":{"text":`}},
		{"null of a parameter", "3.1.0", `"/x":{"get":{"parameters":[` + order + `,{"name":"tags","in":"query","schema":{"type":["string","null"],"enum":["red",null]}}],"responses":{"204":{"description":""}}}}`, "",
			map[string]verso.Rewriter{"GET /x": filters.Route(migrate.Query[Filter]())}, []string{`"enum":["rot",null],"type":["string","null"]`}},
		{"a sibling of a part", "3.1.0", `"/x":{"get":{` + jsonOf(`{"allOf":[{"$ref":"#/components/schemas/Tag","properties":{"more":{"type":"integer"}}},{"type":"object"}]}`) + `}}`, tag,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Tagged]())}, []string{`"more"`, `"text"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen := ""
			for range 5 { // maps have no order
				text, err := v1(t, test.version, test.paths, test.components, test.routes)
				for _, want := range test.want {
					if refused, ok := strings.CutPrefix(want, "!"); ok {
						assert.ErrorContains(t, err, refused)
					} else {
						require.NoError(t, err)
						assert.Contains(t, text, want)
					}
				}
				assert.Contains(t, []string{"", text}, seen)
				seen = text
			}
		})
	}
}

// TestOtherFiles: a part in another file is not lowered, so it is an error, not the newest form.
func TestOtherFiles(t *testing.T) {
	h := renamed(t)
	for _, responses := range []string{`{"200":{"$ref":"o.json#/components/responses/R"}}`, `{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"o.json#/components/schemas/Tag"}}}}}`,
		`{"200":{"description":"","content":{"application/json":{"schema":{"allOf":[` + tagRef + `,{"$ref":"o.json#/components/schemas/Tag"}]}}}}}`} {
		var document map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":`+responses+`}}},"components":{`+tag+`}}`), &document))
		route := h.Route(migrate.Returns[Tagged]())
		_, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
		assert.ErrorContains(t, err, "does not lead to")
	}
}

// TestNullInDocuments: a type that only older versions have can be null where its JSON can.
func TestNullInDocuments(t *testing.T) {
	for version, test := range map[string]struct{ null, one, n, a string }{
		"3.0.3": {`"type":"object","nullable":true`, `"one":{"nullable":true`, `"n":{"nullable":true,"type":"string"}`, `"a":{}`},
		"3.1.0": {`"type":["object","null"]`, `"type":["object","null"]`, `"n":{"type":["string","null"]}`, `"a":{}`},
	} {
		h := historyOf(t, twoVersions(), migrate.For[Named](migrate.Reshaped(nil, func(Named) (OldNamed, error) { return OldNamed{}, nil }, "")))
		text, err := v1(t, version, `"/x":{"get":{`+jsonOf(`{"type":"object","properties":{"one":{`+test.null+`,"properties":{"name":{"type":"string"}}}}}`)+`}}`, "", map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Owner]())})
		require.NoError(t, err)
		for _, want := range []string{test.one, test.n, test.a} {
			assert.Contains(t, text, want)
		}
		raw, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[Owner](), []byte(`{"one":{"name":"x"}}`))
		require.NoError(t, err)
		assert.JSONEq(t, `{"one":{"n":null,"a":null}}`, string(raw))
	}
}

type (
	hostParts struct {
		Resources
		Name  string   `json:"name"`
		Ports []Tagged `json:"ports,omitempty"`
	}
	// Resources is embedded, and a part of allOf in documents.
	Resources struct {
		Memory int    `json:"memory"`
		CPU    string `json:"cpu,omitempty"`
	}
)

// TestPartsOfAllOf: an object stays in its parts if each edit has its members in one of them.
func TestPartsOfAllOf(t *testing.T) {
	const component = `"Resources":{"type":"object","required":["memory"],"properties":{"memory":{"type":"integer"},"cpu":{"type":"string"}}}`
	const forms = `"Resources":{"oneOf":[{"properties":{"memory":{"type":"integer"}},"required":["memory"],"type":"object"},{"properties":{"cpu":{"type":"string"}},"type":"object"}]}`
	const own = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"ports":{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"}}}}}}`
	split := func(string) (string, string, error) { return "", "", nil }
	join := func(string, string) (string, error) { return "", nil }
	for _, test := range []struct {
		name, schema, component string
		edits                   []migrate.TypeEdits
		want                    []string
	}{
		{"an edit of the referenced part", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, component,
			[]migrate.TypeEdits{migrate.For[Resources](migrate.Renamed("mem", "memory"))},
			[]string{`"allOf":[{"$ref":"#/components/schemas/Resources"},{`, `"Resources":{"properties":{"cpu":{"type":"string"},"mem":{"type":"integer"}},"required":["mem"]`, `"required":["name"]`}},
		{"edits of both parts", `{"description":"a host","allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, component,
			[]migrate.TypeEdits{migrate.For[Resources](migrate.Added("cpu")), migrate.For[hostParts](migrate.Renamed("title", "name"), migrate.Removed("id,omitempty", ""))},
			[]string{`"description":"a host"`, `"Resources":{"properties":{"memory":{"type":"integer"}},"required":["memory"]`, `"id":{"type":"string"}`, `"required":["title"]`}},
		{"an edit of what another one made", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, component,
			[]migrate.TypeEdits{migrate.For[Resources](migrate.Renamed("m", "mem"), migrate.Renamed("mem", "memory"))}, []string{`"allOf":[{"$ref":"#/components/schemas/Resources"},{`, `"m":{"type":"integer"}`}},
		{"an edit below", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, component,
			[]migrate.TypeEdits{migrate.For[Tagged](migrate.Renamed("text", "label"))}, []string{`"allOf":[{"$ref":"#/components/schemas/Resources"},{`, `"text":{"type":"string"}`}},
		{"required in another part", `{"allOf":[{"$ref":"#/components/schemas/Resources"},{"type":"object","required":["cpu"],"properties":{"name":{"type":"string"}}}]}`, component,
			[]migrate.TypeEdits{migrate.For[Resources](migrate.Renamed("cores", "cpu"))}, []string{`"schema":{"properties":{"cores":{"type":"string"},"memory":{"type":"integer"},"name":{"type":"string"}},"required":["cores","memory"]`}},
		{"required beside, of an edit", `{"allOf":[{"$ref":"#/components/schemas/Resources"},{"required":["name"]},{"properties":{"name":{"type":"string"}}}]}`, component,
			[]migrate.TypeEdits{migrate.For[hostParts](migrate.Renamed("title", "name"))}, []string{`"required":["memory","title"]`}},
		{"forms without an edit", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, forms,
			[]migrate.TypeEdits{migrate.For[hostParts](migrate.Renamed("title", "name"), migrate.Removed("id,omitempty", ""))},
			[]string{`"allOf":[{"$ref":"#/components/schemas/Resources"},{"properties":{"id":{"type":"string"},`, `"required":["title"]`, forms}},
		{"forms before others", `{"allOf":[{"$ref":"#/components/schemas/Resources"},{"$ref":"#/components/schemas/Own"}]}`, forms + `,"Own":` + own,
			[]migrate.TypeEdits{migrate.For[hostParts](migrate.Renamed("title", "name"))}, []string{`"allOf":[{"$ref":"#/components/schemas/Resources"},{"$ref":"#/components/schemas/Own"}]`}},
		{"forms with an edit", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, forms,
			[]migrate.TypeEdits{migrate.For[Resources](migrate.Renamed("mem", "memory"))}, []string{`"oneOf":[{"properties":{"mem":{"type":"integer"}}`}},
		{"forms with an edit below", `{"allOf":[` + own + `,{"oneOf":[{"type":"object","required":["ports"],"properties":{"ports":{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"}}}}}},{"type":"object","properties":{"cpu":{"type":"string"}}}]}]}`, component,
			[]migrate.TypeEdits{migrate.For[Tagged](migrate.Renamed("text", "label"))}, []string{`"oneOf":[{"properties":{"ports":{"items":{"properties":{"text":`}},
		{"an edit of two parts", `{"allOf":[{"$ref":"#/components/schemas/Resources"},` + own + `]}`, component,
			[]migrate.TypeEdits{migrate.For[hostParts](migrate.Split("both", "cpu", "name", split, join))}, []string{`"schema":{"properties":{"both":{"type":"string"}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := historyOf(t, twoVersions(), test.edits...)
			text, err := v1(t, "3.0.3", `"/x":{"get":{`+jsonOf(test.schema)+`}}`, `"schemas":{`+test.component+`}`, map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[hostParts]())})
			require.NoError(t, err)
			for _, want := range test.want {
				assert.Contains(t, text, want)
			}
		})
	}
}
