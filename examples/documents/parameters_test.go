package documents_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

type List struct {
	OrderBy string   `query:"order_by"`
	Tags    []string `query:"tag"`
	Size    int      `query:"size"`
	Deep    bool     `query:"deep"`
}

type Head struct {
	Tenant string `header:"X-Tenant"`
}

const listing = `{
	"openapi": "3.0.3", "info": {"title": "Lists", "version": "newest"}, "servers": [{"url": "/"}],
	"paths": {"/tags": {
		"parameters": [
			{"name": "order_by", "in": "query", "required": true, "description": "the order", "schema": {"type": "string", "enum": ["name", "age"]}},
			{"$ref": "#/components/parameters/Size"}
		],
		"get": {
			"parameters": [
				{"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string", "enum": ["red", "green", "blue"]}}},
				{"name": "deep", "in": "query", "schema": {"type": "boolean"}},
				{"name": "other", "in": "query", "schema": {"type": "string"}},
				{"name": "x-tenant", "in": "header", "schema": {"type": "string"}}
			],
			"responses": {"201": {"$ref": "#/components/responses/Tags"}, "422": {"$ref": "#/components/responses/Invalid"}}
		},
		"put": {"responses": {"201": {"$ref": "#/components/responses/Tags"}, "422": {"$ref": "#/components/responses/Invalid"}}}
	}},
	"components": {
		"parameters": {"Size": {"name": "size", "in": "query", "example": 20, "schema": {"type": "integer", "minimum": 1, "maximum": 90}}},
		"examples": {"Empty": {"value": {"title": "empty", "status": 422}}},
		"responses": {"Invalid": {"description": "invalid", "content": {"application/problem+json": {"schema": {"type": "object"}, "examples": {
			"empty": {"$ref": "#/components/examples/Empty"}, "another": {"value": {"status": 409}}}}}}, "Tags": {"description": "tags", "headers": {"X-Total": {"schema": {"type": "integer"}}}, "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}}}}}},
		"schemas": {"Tag": {"type": "object", "required": ["label"], "properties": {"label": {"type": "string"}}}}
	}
}`

func openListing(t *testing.T) (*openapi3.T, *migrate.Route, *verso.Explanation) {
	t.Helper()
	versioning, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	require.NoError(t, err)
	invalid := migrate.Behaves("Invalid lists have status 422.")
	created, total := migrate.Behaves("Lists are made with status 201."), migrate.Behaves("The number is in X-Total.")
	h, err := migrate.New(versioning,
		migrate.Release("v3", created, total, invalid,
			migrate.Changed("Lists are ordered by order_by.", migrate.For[List](migrate.Renamed("sort", "order_by"), migrate.Added("deep", false))),
			migrate.Changed("Tenants have another header.", migrate.For[Head](migrate.Renamed("X-Account", "X-Tenant"))),
			migrate.Changed("A tag has a label.", migrate.For[PetTag](migrate.Renamed("text", "label")))),
		migrate.Release("v2", migrate.Changed("Colours have English names.", migrate.For[List](
			migrate.Values("tag", map[string]string{"rot": "red"}, migrate.NewValue("blue", "rot")), migrate.Mapped("size", cents, euros), migrate.Removed("page", 1)))),
		migrate.Release("v1"))
	require.NoError(t, err)
	route := h.Route(migrate.Query[List](), migrate.Headers[Head](), migrate.Returns[[]PetTag](), created.Status(200, 201), invalid.Status(400, 422), total.ResponseHeader("X-Count", "X-Total"))
	document, err := openapi3.NewLoader().LoadFromData([]byte(listing))
	require.NoError(t, err)
	service := &verso.Explanation{
		Source: verso.Header("Api-Version"), Versions: []string{"v1", "v2", "v3"}, Requests: []verso.RequestInfo{{Response: "400 version_missing"}},
		Routes: []verso.RouteInfo{
			{Method: "GET", Pattern: "/tags", Path: "/tags", Rewriter: route},
			{Method: "PUT", Pattern: "/tags", Path: "/tags", Rewriter: h.Route(migrate.Returns[[]PetTag]())},
		},
	}
	return document, route, service
}

func TestParametersOfVersions(t *testing.T) {
	document, _, service := openListing(t)
	made, err := openapi.ForVersion(document, service, "v1")
	require.NoError(t, err)
	require.NoError(t, made.Validate(t.Context()))
	get, put := made.Paths.Value("/tags").Get, made.Paths.Value("/tags").Put

	text := func(value any) string {
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		return string(raw)
	}
	assert.JSONEq(t, `{"name": "sort", "in": "query", "required": true, "description": "the order", "schema": {"type": "string", "enum": ["name", "age"]}}`, text(get.Parameters.GetByInAndName("query", "sort")))
	assert.JSONEq(t, `{"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string", "enum": ["rot", "green"]}}}`, text(get.Parameters.GetByInAndName("query", "tag")))
	assert.JSONEq(t, `{"name": "size", "in": "query", "schema": {"type": "string", "example": "0.20"}}`, text(get.Parameters.GetByInAndName("query", "size")))
	assert.NotNil(t, get.Parameters.GetByInAndName("query", "page"))
	assert.NotNil(t, get.Parameters.GetByInAndName("query", "other"))
	assert.NotNil(t, get.Parameters.GetByInAndName("header", "X-Account"))
	assert.Nil(t, get.Parameters.GetByInAndName("query", "deep"))
	assert.Nil(t, get.Parameters.GetByInAndName("query", "order_by"))
	assert.NotNil(t, put.Parameters.GetByInAndName("query", "order_by"), "PUT declares no query")

	assert.Contains(t, get.Responses.Map(), "200")
	assert.NotContains(t, get.Responses.Map(), "201")
	examples := get.Responses.Value("400").Value.Content["application/problem+json"].Examples
	assert.JSONEq(t, `{"title": "empty", "status": 400}`, text(examples["empty"].Value.Value), "problem details have the status")
	assert.JSONEq(t, `{"status": 409}`, text(examples["another"].Value.Value))
	assert.JSONEq(t, `{"title": "empty", "status": 422}`, text(made.Components.Examples["Empty"].Value.Value), "other operations may have it")
	assert.Contains(t, put.Responses.Map(), "201")
	assert.Contains(t, get.Responses.Value("200").Value.Headers, "X-Count")
	assert.Contains(t, put.Responses.Value("201").Value.Headers, "X-Total")
	assert.Contains(t, text(put.Responses.Value("201").Value.Content), "application/json")
	assert.Contains(t, made.Components.Schemas["Tag"].Value.Properties, "text")
}

// TestQueriesOfVersions proves the parameters: any query of the newest version, as links to
// the version have it, is valid in its document, and any of its own is valid when lifted.
func TestQueriesOfVersions(t *testing.T) {
	document, route, service := openListing(t)
	newest, err := openapi.ForVersion(document, service, "v3")
	require.NoError(t, err)
	for _, version := range []string{"v1", "v2"} {
		made, err := openapi.ForVersion(document, service, version)
		require.NoError(t, err)
		for seed := range uint64(300) {
			query := randomQuery(t, rand.New(rand.NewPCG(seed, 3)), newest)
			lowered := route.LowerQuery(verso.V(version), query)
			require.NoError(t, validQuery(made, lowered), "%s: %s was lowered to %s", version, query.Encode(), lowered.Encode())

			query = randomQuery(t, rand.New(rand.NewPCG(seed, 4)), made)
			r := httptest.NewRequest(http.MethodGet, "/tags?"+query.Encode(), nil)
			rewriting, err := route.Begin(verso.V(version), httptest.NewRecorder(), r)
			require.NoError(t, err, query.Encode())
			require.NotNil(t, rewriting)
			require.NoError(t, validQuery(newest, r.URL.Query()), "%s: %s was lifted to %s", version, query.Encode(), r.URL.RawQuery)
		}
	}
}

func parametersOf(document *openapi3.T) map[string]*openapi3.Parameter {
	item, list := document.Paths.Value("/tags"), map[string]*openapi3.Parameter{}
	for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
		if p.Value.In == "query" {
			list[p.Value.Name] = p.Value
		}
	}
	return list
}

func randomQuery(t *testing.T, random *rand.Rand, document *openapi3.T) url.Values {
	t.Helper()
	query, list := url.Values{}, parametersOf(document)
	names := make([]string, 0, len(list))
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !list[name].Required && random.IntN(3) == 0 {
			continue
		}
		raw, err := list[name].Schema.MarshalJSON()
		require.NoError(t, err)
		value := (&instances{rand: random}).of(plain(t, raw).(map[string]any), 0)
		values, isList := value.([]any)
		if !isList {
			values = []any{value}
		}
		for _, each := range values {
			query.Add(name, fmt.Sprint(each))
		}
	}
	return query
}

func validQuery(document *openapi3.T, query url.Values) error {
	list := parametersOf(document)
	for name, p := range list {
		if p.Required && !query.Has(name) {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name, texts := range query {
		p := list[name]
		if p == nil {
			return fmt.Errorf("%s is not documented", name)
		}
		schema := p.Schema.Value
		if schema.Type.Is("array") {
			schema = schema.Items.Value
		}
		for _, text := range texts {
			var value any = text
			if number, err := strconv.ParseFloat(text, 64); schema.Type.Is("integer") && err == nil {
				value = number
			} else if schema.Type.Is("boolean") {
				value = text == "true"
			}
			if err := schema.VisitJSON(value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
