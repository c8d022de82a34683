package documents_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/ginapi"
	"github.com/goverso/verso/examples/rewrite/shop"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

type (
	Price struct {
		Amount   int    `json:"amount"`
		Currency string `json:"currency"`
	}
	PetTag struct {
		Label string `json:"label"`
		Color string `json:"color,omitempty"`
	}
	Pet struct {
		ID     int      `json:"id"`
		Name   string   `json:"name"`
		State  string   `json:"state"`
		Tags   []PetTag `json:"tags,omitempty"`
		Price  Price    `json:"price"`
		First  string   `json:"first"`
		Last   string   `json:"last"`
		Friend *Pet     `json:"friend"`
		Weight int      `json:"weight,omitempty"`
		Note   *string  `json:"note,omitempty"`
	}
	Order struct {
		Pet      Pet       `json:"pet"`
		At       time.Time `json:"at"`
		Quantity int       `json:"quantity,omitempty"`
	}
	Failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	OldFailure struct {
		Error string `json:"error"`
	}

	Station struct {
		Code  string  `json:"code"`
		Title string  `json:"title"`
		Zone  *string `json:"zone"`
	}
	Trip struct {
		Origin   Station  `json:"origin"`
		Target   *Station `json:"target"`
		Seats    int      `json:"seats"`
		Class    string   `json:"class"`
		Fare     *int     `json:"fare"`
		Bike     bool     `json:"bike"`
		From     *string  `json:"from"`
		To       *string  `json:"to"`
		Operator string   `json:"operator"`
	}
	Trips struct {
		Data  []Trip `json:"data"`
		Links struct {
			Self string  `json:"self"`
			Next *string `json:"next"`
		} `json:"links"`
	}
	Card struct {
		Number string `json:"number"`
		Name   string `json:"name"`
	}
	Address struct {
		Line  string  `json:"line"`
		City  string  `json:"city"`
		State *string `json:"state,omitempty"`
	}
	Billing struct {
		Address *Address `json:"address"`
		Email   *string  `json:"email"`
	}
	Refund struct {
		Amount int     `json:"amount"`
		Reason *string `json:"reason"`
		Charge *Charge `json:"charge,omitempty"`
	}
	Refunds struct {
		Data []Refund `json:"data"`
	}
	Charge struct {
		ID       string            `json:"id"`
		Amount   int               `json:"amount"`
		Currency string            `json:"currency"`
		Status   string            `json:"status"`
		Customer any               `json:"customer,omitempty"`
		Billing  Billing           `json:"billing"`
		Refunds  Refunds           `json:"refunds"`
		Metadata map[string]string `json:"metadata,omitempty"`
		Captured bool              `json:"captured"`
		Reversal *Charge           `json:"reversal,omitempty"`
	}
	ChargeList struct {
		Object  string   `json:"object"`
		Data    []Charge `json:"data"`
		HasMore bool     `json:"has_more"`
	}
	Customer struct {
		ID       string             `json:"id"`
		Address  Address            `json:"address"`
		Shipping map[string]Address `json:"shipping,omitempty"`
	}
	ChargeError struct {
		Error struct {
			Code    string  `json:"code"`
			Message string  `json:"message"`
			Charge  *Charge `json:"charge,omitempty"`
		} `json:"error"`
	}

	Payment struct {
		Amount int  `json:"amount"`
		Card   Card `json:"card"`
		Source any  `json:"source"`
	}
)

// subject is a document of the newest version, and the history of its types.
type subject struct {
	file    string
	history func(versioning *verso.Versioning) (*migrate.History, error)
	routes  func(h *migrate.History) map[string]*migrate.Route // by method and path
	types   map[string]reflect.Type                            // by component
}

func euros(cents int) (string, error) { return fmt.Sprintf("%d.%02d", cents/100, cents%100), nil }

func cents(euros string) (int, error) {
	whole, rest, _ := strings.Cut(euros, ".")
	a, _ := strconv.Atoi(whole)
	b, _ := strconv.Atoi(rest)
	return min(max(a*100+b, 1), 90), nil
}

func split(whole string) (a, b string, err error) {
	a, b, _ = strings.Cut(whole, " ")
	letter := func(text string) string {
		if len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z' {
			return text
		}
		return "X"
	}
	return letter(a), letter(b), nil
}

func join(a, b string) (string, error) { return strings.TrimSpace(a + " " + b), nil }

var subjects = []subject{
	{
		file: "petstore.yaml",
		history: func(versioning *verso.Versioning) (*migrate.History, error) {
			return migrate.New(versioning,
				migrate.Release("v4",
					migrate.Changed("A pet has a price.", migrate.For[Pet](migrate.Nested("price", map[string]string{"cost": "amount", "currency": "currency"}))),
					migrate.Changed("A tag has a label.", migrate.For[PetTag](migrate.Renamed("text", "label"))),
					migrate.Changed("Errors have codes.", migrate.For[Failure](migrate.Reshaped(nil, func(f Failure) (OldFailure, error) { return OldFailure{f.Message}, nil }, "application/json")))),
				migrate.Release("v3",
					migrate.Changed("A pet can be lost, and was free.", migrate.For[Pet](migrate.Values("state", map[string]string{"free": "available"}, migrate.NewValue("lost", "sold")))),
					migrate.Changed("A pet has two names.", migrate.For[Pet](migrate.Split("keeper", "first", "last", split, join)))),
				migrate.Release("v2",
					migrate.Changed("A pet has a weight.", migrate.For[Pet](migrate.Mapped("weight", cents, euros), migrate.Default("note", "old"), migrate.Removed("age", 3))),
					migrate.Changed("An order has a quantity.", migrate.For[Order](migrate.Added("quantity", 1), migrate.RemovedFrom("day", "at", func(at string) (string, error) { return at[:10], nil })))),
				migrate.Release("v1"))
		},
		routes: func(h *migrate.History) map[string]*migrate.Route {
			pet := h.Route(migrate.Accepts[Pet](), migrate.Returns[Pet](), migrate.Fails[Failure](verso.ProblemType))
			return map[string]*migrate.Route{
				"GET /pets": h.Route(migrate.Returns[[]Pet]()), "POST /pets": pet, "PUT /pets/{id}": pet, "GET /orders": h.Route(migrate.Returns[map[string]Order]()),
			}
		},
		types: map[string]reflect.Type{"Pet": reflect.TypeFor[Pet](), "Order": reflect.TypeFor[Order](), "Tag": reflect.TypeFor[PetTag]()},
	},
	{
		file: "trips.yaml",
		history: func(versioning *verso.Versioning) (*migrate.History, error) {
			return migrate.New(versioning,
				migrate.Release("v3",
					migrate.Changed("A station has a title.", migrate.For[Station](migrate.Renamed("name", "title"))),
					migrate.Changed("A trip has two ends.", migrate.For[Trip](migrate.Split("route", "from", "to", split, join))),
					migrate.Changed("A card is an object.", migrate.For[Payment](migrate.Nested("card", map[string]string{"number": "number", "holder": "name"})))),
				migrate.Release("v2",
					migrate.Changed("Beds are sold.", migrate.For[Trip](migrate.Values("class", map[string]string{"1": "first", "2": "second"}, migrate.NewValue("bed", "1")))),
					migrate.Changed("Fares are numbers.", migrate.For[Trip](migrate.Mapped("fare", cents, euros), migrate.Added("bike", false), migrate.Removed("smoking", nil)))),
				migrate.Release("v1"))
		},
		routes: func(h *migrate.History) map[string]*migrate.Route {
			return map[string]*migrate.Route{
				"GET /trips":     h.Route(migrate.Returns[Trips]()),
				"POST /payments": h.Route(migrate.Accepts[Payment](), migrate.Returns[Payment](), migrate.Open[Payment]("source")),
			}
		},
		types: map[string]reflect.Type{"Trips": reflect.TypeFor[Trips](), "Trip": reflect.TypeFor[Trip](), "Station": reflect.TypeFor[Station](), "Payment": reflect.TypeFor[Payment]()},
	},
}

var charges = subject{
	file: "charges.yaml",
	history: func(versioning *verso.Versioning) (*migrate.History, error) {
		return migrate.New(versioning,
			migrate.Release("v4",
				migrate.Changed("An address has a line.", migrate.For[Address](migrate.Renamed("street", "line"), migrate.Removed("country", "DE"))),
				migrate.Changed("Reasons are shorter.", migrate.For[Refund](migrate.Values("reason", map[string]string{"requested_twice": "duplicate"}, migrate.NewValue("fraud", "requested_twice"))))),
			migrate.Release("v3",
				migrate.Changed("Refunds are a list that is an object.", migrate.For[Charge](migrate.Nested("refunds", map[string]string{"refund_list": "data"}))),
				migrate.Changed("A charge is captured later.", migrate.For[Charge](migrate.Default("captured", true), migrate.Additive("metadata")))),
			migrate.Release("v2",
				migrate.Changed("A charge is in review.", migrate.For[Charge](migrate.Values("status", map[string]string{"paid": "succeeded"}, migrate.NewValue("review", "pending")))),
				migrate.Changed("Amounts are numbers.", migrate.For[Refund](migrate.Mapped("amount", cents, euros))),
				migrate.Changed("A city has its district.", migrate.For[Address](migrate.Joined("town", "district", "city", join, split))),
				migrate.Changed("A charge can be reversed.", migrate.For[Charge](migrate.Added("reversal", migrate.Absent), migrate.RemovedFrom("cents", "amount", func(n int) (int, error) { return n, nil })))),
			migrate.Release("v1"))
	},
	routes: func(h *migrate.History) map[string]*migrate.Route {
		open, fails := migrate.Open[Charge]("customer"), migrate.Fails[ChargeError]("application/json")
		return map[string]*migrate.Route{
			"GET /charges":        h.Route(migrate.Returns[ChargeList](), open, fails),
			"POST /charges":       h.Route(migrate.Accepts[Charge](), migrate.Returns[Charge](), open, fails),
			"GET /customers/{id}": h.Route(migrate.Returns[Customer]()),
		}
	},
	types: map[string]reflect.Type{"Charge": reflect.TypeFor[Charge](), "Refund": reflect.TypeFor[Refund](), "ChargeList": reflect.TypeFor[ChargeList](), "Customer": reflect.TypeFor[Customer](), "Error": reflect.TypeFor[ChargeError]()},
}

// open returns the document and what serves it.
func (s subject) open(t *testing.T) (*openapi3.T, *migrate.History, *verso.Explanation) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + s.file)
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	versions := []string{"v1", "v2", "v3", "v4"}
	if s.file == "trips.yaml" {
		versions = versions[:3]
	}
	versioning, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: versions})
	require.NoError(t, err)
	h, err := s.history(versioning)
	require.NoError(t, err)
	service := &verso.Explanation{Source: verso.Header("Api-Version"), Versions: versions, Requests: []verso.RequestInfo{{Response: "400 version_missing"}}, ProblemType: verso.ProblemType}
	for name, route := range s.routes(h) {
		method, path, _ := strings.Cut(name, " ")
		service.Routes = append(service.Routes, verso.RouteInfo{Method: method, Pattern: path, Path: path, Rewritten: true, Rewriter: route})
	}
	return document, h, service
}

// TestDocumentsOfVersions is the proof of the documents: what the code makes of any value
// of the newest schema is valid for the schema of the version, and what it makes of any
// value of the version is valid for the newest one.
func TestDocumentsOfVersions(t *testing.T) {
	for _, s := range append(subjects, charges) {
		t.Run(s.file, func(t *testing.T) {
			document, h, service := s.open(t)
			proveAll(t, s.types, document, h, service)
		})
	}
	t.Run("bookings", func(t *testing.T) {
		service, err := api.New(api.Config{Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }, Origin: "http://example.com"})
		require.NoError(t, err)
		_, explanation := ginapi.New(service)
		document, err := openapi3.NewLoader().LoadFromFile("../bookings/api/openapi.json")
		require.NoError(t, err)
		proveAll(t, map[string]reflect.Type{
			"Booking": reflect.TypeFor[api.Booking](), "Page": reflect.TypeFor[api.Page](), "Invoice": reflect.TypeFor[api.Invoice](),
		}, document, service.History, explanation)
	})
}

func proveAll(t *testing.T, types map[string]reflect.Type, document *openapi3.T, h *migrate.History, service *verso.Explanation) {
	t.Helper()
	for _, v := range h.Versions() {
		made, err := openapi.ForVersion(document, service, v.String())
		require.NoError(t, err)
		if document.Validate(t.Context()) == nil { // published ones have mistakes of their own
			require.NoError(t, made.Validate(t.Context()), v)
		}
		for name, typ := range types {
			older := name + "_" + v.String() // if another operation needs the newest form
			if made.Components.Schemas[older] == nil {
				older = name
			}
			if made.Components.Schemas[older] == nil {
				continue // it is inlined in this version
			}
			t.Run(v.String()+" "+name, func(t *testing.T) { prove(t, h, v, typ, document, made, name, older) })
		}
	}
}

// onlyResponses are types that a Reshaped without a way back changes: no request has them.
var onlyResponses = map[reflect.Type]bool{reflect.TypeFor[verso.Problem](): true, reflect.TypeFor[shop.Page[shop.Order]](): true}

// amounts are members of the shop that were texts, of which not every text can be read.
var amounts = []string{"total", "price"}

func prove(t *testing.T, h *migrate.History, v verso.Version, typ reflect.Type, newest, made *openapi3.T, name, older string) {
	t.Helper()
	newestSchemas, madeSchemas := decode(t, newest), decode(t, made)
	count := uint64(300)
	if newest.OpenAPI >= "3.1" && os.Getenv("VERSO_LONG") == "" {
		count = 40 // its validator compiles a schema for each value
	}
	for seed := range count {
		r := &instances{rand: rand.New(rand.NewPCG(seed, 1)), document: newestSchemas}
		value := r.of(r.schema(name), 0)
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		require.NoError(t, valid(newest, newest.Components.Schemas[name].Value, plain(t, raw)), "the generator: %s", raw)
		lowered, err := h.LowerJSON(v, typ, raw)
		require.NoError(t, err, "%s", raw)
		require.NoError(t, valid(made, made.Components.Schemas[older].Value, plain(t, lowered)), "%s was lowered to %s", raw, lowered)
		if onlyResponses[typ] {
			continue
		}

		r = &instances{rand: rand.New(rand.NewPCG(seed, 2)), document: madeSchemas}
		raw, err = json.Marshal(r.of(r.schema(older), 0))
		require.NoError(t, err)
		require.NoError(t, valid(made, made.Components.Schemas[older].Value, plain(t, raw)), "the generator: %s", raw)
		lifted, err := h.LiftJSON(v, typ, raw)
		require.NoError(t, err, "%s", raw)
		require.NoError(t, valid(newest, newest.Components.Schemas[name].Value, plain(t, lifted)), "%s was lifted to %s", raw, lifted)
	}
}

// valid validates a value by the rules of the document's version of OpenAPI.
func valid(document *openapi3.T, schema *openapi3.Schema, value any) error {
	if document.OpenAPI >= "3.1" {
		return document.ValidateSchemaJSON(schema, value, openapi3.EnableJSONSchema2020())
	}
	return document.ValidateSchemaJSON(schema, value)
}

func decode(t *testing.T, document *openapi3.T) (decoded map[string]any) {
	t.Helper()
	text, err := document.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &decoded))
	return decoded
}

func plain(t *testing.T, raw []byte) (value any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &value), "%s", raw)
	return value
}

// instances makes random values of schemas.
type instances struct {
	rand     *rand.Rand
	document map[string]any
}

func (r *instances) schema(name string) map[string]any {
	return r.document["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)
}

// of returns a random value of a schema. Optional members end at a depth.
func (r *instances) of(s map[string]any, depth int) any {
	if ref, ok := s["$ref"].(string); ok {
		return r.of(r.schema(strings.TrimPrefix(ref, "#/components/schemas/")), depth)
	}
	if s["nullable"] == true && (depth > 4 || r.rand.IntN(4) == 0) {
		return nil
	}
	if value, ok := s["const"]; ok {
		return value
	}
	if list, ok := s["enum"].([]any); ok {
		return list[r.rand.IntN(len(list))]
	}
	for _, union := range []string{"oneOf", "anyOf"} {
		if list, ok := s[union].([]any); ok {
			return r.of(list[r.rand.IntN(len(list))].(map[string]any), depth)
		}
	}
	if all, ok := s["allOf"].([]any); ok && s["properties"] == nil {
		if len(all) == 1 {
			return r.of(all[0].(map[string]any), depth)
		}
		whole := map[string]any{}
		for _, part := range all {
			maps.Copy(whole, r.of(part.(map[string]any), depth).(map[string]any))
		}
		return whole
	}
	kind, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		kind = list[r.rand.IntN(len(list))].(string)
	}
	bound := func(name string, otherwise int) int {
		if value, ok := s[name].(float64); ok {
			return int(value)
		}
		return otherwise
	}
	switch {
	case kind == "" && s["properties"] != nil:
		kind = "object"
	case s["exclusiveMinimum"] != nil && kind == "number":
		return 1 + r.rand.IntN(90)
	}
	switch kind {
	case "null":
		return nil
	case "boolean":
		return r.rand.IntN(2) == 0
	case "integer", "number":
		least, most := bound("minimum", -50), bound("maximum", 50)
		return least + r.rand.IntN(most-least+1)
	case "array":
		list := []any{}
		for range r.rand.IntN(min(4, bound("maxItems", 3)+1)) {
			if items, ok := s["items"].(map[string]any); ok && depth < 6 {
				list = append(list, r.of(items, depth+1))
			}
		}
		return list
	case "object":
		return r.object(s, depth)
	case "string":
		switch {
		case s["format"] == "date-time":
			return time.Unix(r.rand.Int64N(2e9), 0).UTC().Format(time.RFC3339)
		case s["pattern"] == "^[A-Z]$":
			return string(rune('A' + r.rand.IntN(26)))
		}
		least := bound("minLength", 0)
		text := make([]byte, least+r.rand.IntN(max(1, bound("maxLength", least+5)-least+1)))
		for i := range text {
			text[i] = "ab 7.XY"[r.rand.IntN(7)]
		}
		return string(text)
	}
	return []any{"x", 7, nil, true}[r.rand.IntN(4)]
}

func (r *instances) object(s map[string]any, depth int) any {
	made := map[string]any{}
	required, _ := s["required"].([]any)
	properties, _ := s["properties"].(map[string]any)
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(required, any(name)) || depth < 4 && r.rand.IntN(3) > 0 {
			made[name] = r.of(properties[name].(map[string]any), depth+1)
			if _, isText := made[name].(string); isText && slices.Contains(amounts, name) {
				made[name] = fmt.Sprintf("%d.%02d", r.rand.IntN(999), r.rand.IntN(100))
			}
		}
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		for i := range r.rand.IntN(3) {
			made[strconv.Itoa(i)] = r.of(values, depth+1)
		}
	}
	return made
}

// The examples of a document are lowered by the code, once.
func TestExamplesOfVersions(t *testing.T) {
	document, _, service := subjects[0].open(t)
	for version, want := range map[string]string{
		"v4": `{"first":"C","id":7,"last":"D","name":"Tom","price":{"amount":1,"currency":"EUR"},"state":"available"}`,
		"v3": `{"cost":1,"currency":"EUR","first":"C","id":7,"last":"D","name":"Tom","state":"available"}`,
		"v1": `{"age":3,"cost":1,"currency":"EUR","id":7,"keeper":"C D","name":"Tom","state":"free"}`,
	} {
		made, err := openapi.ForVersion(document, service, version)
		require.NoError(t, err)
		for _, media := range []*openapi3.MediaType{
			made.Components.RequestBodies["Pet"].Value.Content["application/json"], made.Components.Responses["Pet"].Value.Content["application/json"],
		} {
			raw, err := json.Marshal(media.Example)
			require.NoError(t, err)
			assert.JSONEq(t, want, string(raw), version)
		}
		if version == "v1" {
			var text bytes.Buffer
			require.NoError(t, json.NewEncoder(&text).Encode(made))
			assert.Contains(t, text.String(), `"text":"A pet has two names."`)
			assert.Contains(t, text.String(), `"error":{"type":"string"}`)
			assert.NotNil(t, made.Components.Responses["Error"].Value.Content["application/json"])
			assert.Nil(t, made.Components.Responses["Error"].Value.Content["application/problem+json"])
		}
	}
}

// What older clients may leave out is not required, and what they can read is listed.
func TestSchemasOfVersions(t *testing.T) {
	document, _, service := charges.open(t)
	made, err := openapi.ForVersion(document, service, "v1")
	require.NoError(t, err)
	charge := made.Components.Schemas["Charge"].Value
	assert.Equal(t, []string{"amount", "billing", "currency", "id", "refund_list", "status"}, charge.Required)
	assert.Equal(t, true, charge.Properties["captured"].Value.Default)
	assert.Equal(t, []any{"paid", "pending", "failed"}, charge.Properties["status"].Value.Enum)
	assert.NotContains(t, charge.Properties, "reversal")
	assert.Equal(t, []string{"district", "street", "town"}, made.Components.Schemas["Address"].Value.Required, "clients need not send the country")
	assert.Equal(t, openapi3.NewStringSchema().Type, made.Components.Schemas["Refund"].Value.Properties["amount"].Value.Type)

	newest, err := openapi.ForVersion(document, service, "v4")
	require.NoError(t, err)
	assert.Equal(t, document.Components.Schemas["Charge"].Value.Required, newest.Components.Schemas["Charge"].Value.Required)
	assert.Contains(t, document.Components.Schemas["Charge"].Value.Properties, "refunds", "the given document is not changed")
}

// What cannot be followed is an error with its place.
func TestDocumentsThatCannotBeFollowed(t *testing.T) {
	versioning, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	require.NoError(t, err)
	h, err := migrate.New(versioning, migrate.Release("v2", migrate.Changed("A tag has a label.", migrate.For[PetTag](migrate.Renamed("text", "label")))), migrate.Release("v1"))
	require.NoError(t, err)
	const tag = `{"type": "object", "required": ["label"], "properties": {"label": {"type": "string"}}}`
	for _, test := range []struct{ name, schema, extra, others, want string }{
		{"another name", `{"type": "object", "properties": {"text": {"type": "string"}}}`, "", "",
			`#/components/schemas/Tag: there is no property "label", which PetTag has: the document is not the newest one`},
		{"oneOf", `{"oneOf": [` + tag + `, {"type": "string"}]}`, "", "", "#/components/schemas/Tag/oneOf: the schema of PetTag has another form in v1, and several forms cannot be followed"},
		{"anyOf", `{"anyOf": [` + tag + `, {"type": "string"}]}`, "", "", "#/components/schemas/Tag/anyOf"},
		{"not", `{"not": {"required": ["x"]}, "properties": {"label": {"type": "string"}}}`, "", "", "#/components/schemas/Tag/not"},
		{"oneOf within allOf", `{"allOf": [` + tag + `, {"oneOf": [{"required": ["label"]}, {"required": ["x"]}]}]}`, "", "", "#/components/schemas/Tag/oneOf"},
		{"twice in allOf", `{"allOf": [` + tag + `, {"properties": {"label": {"maxLength": 9}}}]}`, "", "", ""},
		{"twice in allOf, described once", `{"allOf": [{"properties": {"label": {"description": "text"}}}, ` + tag + `]}`, "", "", ""},
		{"a discriminator", `{"type": "object", "properties": {"label": {"type": "string"}}, "discriminator": {"propertyName": "label"}}`, "", "", "#/components/schemas/Tag/discriminator"},
		{"an example that is no tag", `{"type": "object", "properties": {"label": {"type": "string"}}, "example": {"text": 1}}`, "", "", ""},
		{"a link", tag, `, "links": {"next": {"operationId": "other", "parameters": {"label": "$response.body#/label"}}}`, "", "/paths/~1tags/get/responses/200/links: in v1 this refers to $response.body of another form"},
		{"a link to another place", tag, `, "links": {"next": {"operationId": "other", "parameters": {"label": "$request.path.id"}}}`, "", ""},
		{"a callback", tag, "callbacks", "", "/paths/~1tags/get/callbacks: in v1 this refers to $response.body of another form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := `, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tag"}}}`
			if strings.Contains(test.extra, `"content"`) {
				content = ""
			}
			callbacks := ""
			if test.extra == "callbacks" {
				test.extra, callbacks = "", `, "callbacks": {"on": {"{$response.body#/label}": {"post": {"responses": {"204": {"description": ""}}}}}}`
			}
			others := test.others
			if others == "" {
				others = `"204": {"description": ""}`
			}
			text := `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{"url": "/"}], "components": {"schemas": {"Tag": ` + test.schema + `}}, "paths": {
				"/tags": {"get": {"responses": {"200": {"description": ""` + content + test.extra + `}}` + callbacks + `}},
				"/other": {"get": {"operationId": "other", "responses": {` + others + `}}}}}`
			document, err := openapi3.NewLoader().LoadFromData([]byte(text))
			require.NoError(t, err)
			service := &verso.Explanation{
				Source: verso.Header("Api-Version"), Versions: []string{"v1", "v2"}, Requests: []verso.RequestInfo{{Response: "400 version_missing"}},
				Routes: []verso.RouteInfo{
					{Method: "GET", Pattern: "/tags", Path: "/tags", Rewriter: h.Route(migrate.Returns[PetTag]())}, {Method: "GET", Pattern: "/other", Path: "/other"},
				},
			}
			_, err = openapi.ForVersion(document, service, "v2")
			require.NoError(t, err, "the newest version stays")
			_, err = openapi.ForVersion(document, service, "v1")
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}
