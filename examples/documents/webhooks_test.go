package documents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
	"github.com/goverso/verso/openapi/openapitest"
)

type hookEnvelope[T any] struct {
	Type string `json:"type"`
	Data T      `json:"data"`
}

// hookDocument describes the webhooks w, late, early, other and data, all as envelopes but late and
// early.
func hookDocument(t *testing.T, version string) *openapi3.T {
	t.Helper()
	const ref = `{"$ref":"#/components/schemas/Tag"}`
	entry := func(schema, example string) string {
		return `{"post":{"requestBody":{"content":{"application/json":{"schema":` + schema + `,"example":` + example + `}}},"responses":{"204":{"description":"Heard."}}}}`
	}
	envelope := entry(`{"type":"object","properties":{"type":{"type":"string"},"data":`+ref+`},"required":["type","data"]}`, `{"type":"a","data":{"label":"x"}}`)
	key := map[string]string{"3.1.0": "webhooks", "3.0.3": "x-webhooks"}[version]
	text := `{"openapi":"` + version + `","info":{"title":"t","version":"1"},"servers":[{"url":"/"}],
		"paths":{"/x":{"get":{"operationId":"x","responses":{"200":{"description":"","content":{"application/json":{"schema":` + ref + `}}}}}}},
		"components":{"schemas":{"Tag":{"type":"object","properties":{"label":{"type":"string"}},"required":["label"]}}},
		"` + key + `":{"w":` + envelope + `,"other":` + envelope + `,"data":` + envelope + `,
			"late":` + entry(ref, `{"label":"x"}`) + `,"early":` + entry(ref, `{"label":"x"}`) + `,"list":` + entry(`{"type":"array","items":`+ref+`}`, `[{"label":"x"}]`) + `}}`
	document, err := openapi3.NewLoader().LoadFromData([]byte(text))
	require.NoError(t, err)
	return document
}

// hookService returns the explanation of a service with a route that may be rewritten.
func hookService(routes ...verso.RouteInfo) *verso.Explanation {
	return &verso.Explanation{Source: verso.Header("Api-Version"), Requests: []verso.RequestInfo{{Response: "400 version_missing"}}, Versions: []string{"v1", "v2"}, Routes: routes}
}

func hookHistory() *migrate.History {
	h := verso.Must(migrate.New(twoVersions(), migrate.Release("v2", migrate.Changed("changed", migrate.For[Tagged](migrate.Renamed("text", "label")))), migrate.Release("v1")))
	migrate.Sends[hookEnvelope[Tagged]](h, "w")
	migrate.Sends[Tagged](h, "data")
	migrate.Sends[[]Tagged](h, "list")
	migrate.Sends[Tagged](h, "late", verso.Since("v2"))
	migrate.Sends[Tagged](h, "early", verso.RemovedIn("v2"))
	return h
}

// webhooksOf returns the webhooks of a document as JSON.
func webhooksOf(t *testing.T, document *openapi3.T) map[string]string {
	t.Helper()
	raw, err := json.Marshal(document)
	require.NoError(t, err)
	var decoded map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &decoded))
	all := map[string]string{}
	for _, key := range []string{"webhooks", "x-webhooks"} {
		var entries map[string]json.RawMessage
		if decoded[key] != nil {
			require.NoError(t, json.Unmarshal(decoded[key], &entries))
		}
		for name, entry := range entries {
			all[name] = string(entry)
		}
	}
	return all
}

func TestDeclaredWebhooks(t *testing.T) {
	h := hookHistory()
	route := verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: h.Route(migrate.Returns[Tagged]())}
	plain := verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x"}
	for name, service := range map[string]*verso.Explanation{
		"through a route of the version": hookService(route),
		"through a route of another version": hookService(plain,
			verso.RouteInfo{Method: "GET", Pattern: "/y", Path: "/y", Versions: []string{"v2"}, Rewriter: h.Route()}),
	} {
		for _, format := range []string{"3.1.0", "3.0.3"} {
			t.Run(name+", "+format, func(t *testing.T) {
				v1, err := openapi.ForVersion(hookDocument(t, format), service, "v1")
				require.NoError(t, err)
				require.NoError(t, v1.Validate(context.Background()))
				made := webhooksOf(t, v1)
				assert.Contains(t, made["w"], `"example":{"data":{"text":"x"},"type":"a"}`)
				assert.Contains(t, made["w"], `"data":{"$ref":"#/components/schemas/Tag"}`, "Tag is the older form")
				assert.Contains(t, made["list"], `"items":{"$ref":"#/components/schemas/Tag"}`)
				assert.Contains(t, made["early"], `"$ref":"#/components/schemas/Tag"`)
				assert.NotContains(t, made, "late", "v1 does not have it")
				for _, newest := range []string{"other", "data"} { // not declared; an envelope that is not declared
					assert.Contains(t, made[newest], `"data":{"$ref":"#/components/schemas/Tag_newest"}`, newest)
					assert.Contains(t, made[newest], `"label"`, newest)
				}
				assert.Contains(t, v1.Components.Schemas["Tag"].Value.Properties, "text")

				v2, err := openapi.ForVersion(hookDocument(t, format), service, "v2")
				require.NoError(t, err)
				require.NoError(t, v2.Validate(context.Background()))
				made, given := webhooksOf(t, v2), webhooksOf(t, hookDocument(t, format))
				delete(given, "early") // which v2 does not have
				assert.Equal(t, given, made)
			})
		}
	}
}

// Without a rewritten route, nothing leads to the history.
func TestWebhooksWithoutHistory(t *testing.T) {
	for _, format := range []string{"3.1.0", "3.0.3"} {
		made, err := openapi.ForVersion(hookDocument(t, format), hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x"}), "v1")
		require.NoError(t, err)
		assert.Equal(t, webhooksOf(t, hookDocument(t, format)), webhooksOf(t, made))
	}
}

// Each of two histories lowers what it declares.
func TestWebhooksOfTwoHistories(t *testing.T) {
	first := verso.Must(migrate.New(twoVersions(), migrate.Release("v2", migrate.Changed("changed", migrate.For[Tagged](migrate.Renamed("text", "label")))), migrate.Release("v1")))
	second := verso.Must(migrate.New(twoVersions(), migrate.Release("v2", migrate.Changed("changed", migrate.For[Tagged](migrate.Renamed("name", "label")))), migrate.Release("v1")))
	migrate.Sends[Tagged](first, "late")
	migrate.Sends[Tagged](second, "early")
	service := hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: first.Route()},
		verso.RouteInfo{Method: "GET", Pattern: "/y", Path: "/y", Rewriter: second.Route()})
	made, err := openapi.ForVersion(hookDocument(t, "3.1.0"), service, "v1")
	require.NoError(t, err)
	all := webhooksOf(t, made)
	assert.Contains(t, all["late"], `"example":{"text":"x"}`)
	assert.Contains(t, all["early"], `"example":{"name":"x"}`)
}

// A declared webhook that the document describes in another way is an error, with its place.
func TestWebhookIsNotNewest(t *testing.T) {
	h := hookHistory()
	document := hookDocument(t, "3.1.0")
	document.Webhooks["early"].Post.RequestBody.Value.Content["application/json"].Schema = openapi3.NewSchemaRef("", openapi3.NewObjectSchema().WithProperty("other", openapi3.NewStringSchema()))
	document.Webhooks["early"].Post.RequestBody.Value.Content["application/json"].Example = nil
	_, err := openapi.ForVersion(document, hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: h.Route()}), "v1")
	assert.ErrorContains(t, err, "/webhooks/early/post/requestBody/content/application~1json/schema")
	assert.ErrorContains(t, err, "the document is not the newest one")
}

// What a webhook sends beside JSON stays, and a document has no empty list of webhooks.
func TestWebhooksBeside(t *testing.T) {
	document := hookDocument(t, "3.1.0")
	document.Webhooks["early"].Post.RequestBody.Value.Content["text/xml"] = openapi3.NewMediaType().WithSchema(openapi3.NewObjectSchema().WithProperty("label", openapi3.NewStringSchema()))
	service := hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: hookHistory().Route()})
	made, err := openapi.ForVersion(document, service, "v1")
	require.NoError(t, err)
	assert.Contains(t, webhooksOf(t, made)["early"], `"text/xml":{"schema":{"properties":{"label":{"type":"string"}},"type":"object"}}`)
	late := hookDocument(t, "3.0.3")
	late.Extensions["x-webhooks"] = map[string]any{"late": late.Extensions["x-webhooks"].(map[string]any)["late"]}
	made, err = openapi.ForVersion(late, service, "v1")
	require.NoError(t, err)
	assert.NotContains(t, made.Extensions, "x-webhooks")
}

type reported struct {
	testing.TB

	text string
}

func (r *reported) Helper()                           {}
func (r *reported) Errorf(format string, args ...any) { r.text += fmt.Sprintf(format, args...) }

func TestCoversWebhooks(t *testing.T) {
	h := hookHistory()
	migrate.Sends[Tagged](h, "lost")
	service := hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: h.Route(migrate.Returns[Tagged]())})
	const undeclared, lost = "other: a webhook of the document that no history declares for its versions", "lost: a declared webhook that the document lacks"
	for _, format := range []string{"3.1.0", "3.0.3"} {
		var all, v1 reported
		openapitest.Covers(&all, hookDocument(t, format), service)
		assert.Equal(t, 2, strings.Count(all.text, "webhook"), all.text)
		assert.Contains(t, all.text, undeclared)
		assert.Contains(t, all.text, lost)
		openapitest.Covers(&v1, hookDocument(t, format), service, "v1")
		assert.Contains(t, v1.text, "late: a webhook of the document that no history declares for its versions")
		openapitest.Covers(t, hookDocument(t, format), hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x"}))
	}
}

// A webhook may be a path item of the components, and its name may have any character. What it
// refers to keeps its form for others.
func TestWebhookByReference(t *testing.T) {
	const name = "booking/created~{x}"
	document := hookDocument(t, "3.1.0")
	raw, err := json.Marshal(document)
	require.NoError(t, err)
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(raw, &decoded))
	hooks := decoded["webhooks"].(map[string]any)
	decoded["components"].(map[string]any)["pathItems"] = map[string]any{"Early": hooks["early"]}
	decoded["webhooks"] = map[string]any{name: map[string]any{"$ref": "#/components/pathItems/Early"}, "other": map[string]any{"$ref": "#/components/pathItems/Early"}}
	raw, err = json.Marshal(decoded)
	require.NoError(t, err)
	document, err = openapi3.NewLoader().LoadFromData(raw)
	require.NoError(t, err)
	h := hookHistory()
	migrate.Sends[Tagged](h, name)
	made, err := openapi.ForVersion(document, hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: h.Route()}), "v1")
	require.NoError(t, err)
	all := webhooksOf(t, made)
	assert.Contains(t, all[name], `"example":{"text":"x"}`)
	assert.Contains(t, all[name], `"$ref":"#/components/schemas/Tag_v1"`, "the newest Tag has more uses")
	assert.JSONEq(t, `{"$ref":"#/components/pathItems/Early"}`, all["other"])
}

// TestWebhookComponents: a member that a webhook brings back is a reference, as in a response.
func TestWebhookComponents(t *testing.T) {
	type amount struct {
		Value int `json:"value"`
	}
	type paid struct {
		Net amount `json:"net"`
	}
	h := verso.Must(migrate.New(twoVersions(), migrate.Release("v2", migrate.Changed("x", migrate.For[paid](migrate.Removed("fee,omitempty", (*amount)(nil))))), migrate.Release("v1")))
	migrate.Sends[paid](h, "paid")
	document, err := openapi3.NewLoader().LoadFromData([]byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"/"}],
		"paths":{"/x":{"get":{"responses":{"200":{"description":""}}}}},
		"webhooks":{"paid":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Paid"}}}},"responses":{"204":{"description":""}}}}},
		"components":{"schemas":{"Paid":{"type":"object","required":["net"],"properties":{"net":{"$ref":"#/components/schemas/Amount"}}},
			"Amount":{"type":"object","required":["value"],"properties":{"value":{"type":"integer","format":"int64"}}}}}}`))
	require.NoError(t, err)
	made, err := openapi.ForVersion(document, hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: h.Route()}), "v1")
	require.NoError(t, err)
	assert.Equal(t, "#/components/schemas/Amount", made.Components.Schemas["Paid"].Value.Properties["fee"].Ref)
}
