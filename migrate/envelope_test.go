package migrate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	envelopeItem struct {
		ID   int     `json:"id"`
		Note *string `json:"note"`
	}
	envelopeItems []envelopeItem
	envelopePage  struct {
		Data []envelopeItem `json:"data"`
		Next string         `json:"next,omitempty"`
	}
	envelopeOld struct {
		Payload envelopeItem `json:"payload"`
	}
	envelopeOldList struct {
		Items []envelopeItem `json:"items"`
	}
	envelopeCart struct {
		One  *envelopeOne           `json:"one"`
		Many []envelopeOne          `json:"many"`
		By   map[string]envelopeOne `json:"by"`
		List envelopeItems          `json:"list"`
		Page envelopePage           `json:"page"`
	}
	envelopeOne struct{ envelopeItem }
)

// envelopesOf is a history in which v3 takes {"payload": …} and {"items": …} away, and v2 puts {"data": …} around lists.
func envelopesOf(t *testing.T) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v4", "v3", "v2", "v1"),
		migrate.Release("v4", migrate.Changed("Pages have a next.", migrate.For[envelopePage](migrate.Added("next")))),
		migrate.Release("v3", migrate.Changed("No payload.", migrate.For[envelopeOne](migrate.Unwrapped[envelopeOld]("payload"), migrate.Added("note", "x")),
			migrate.For[envelopeItems](migrate.Unwrapped[envelopeOldList]("items")))),
		migrate.Release("v2", migrate.Changed("Lists are pages.", migrate.For[envelopePage](migrate.Wrapped("data")), migrate.For[envelopeItem](migrate.Renamed("number", "id")))),
		migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

// TestEnvelopes: an object came or went around bodies, members, elements of lists and values of maps, and the edits of what is
// inside apply.
func TestEnvelopes(t *testing.T) {
	h := envelopesOf(t)
	note := "n"
	item := envelopeItem{1, &note}
	cart := envelopeCart{&envelopeOne{item}, []envelopeOne{{item}}, map[string]envelopeOne{"k": {item}}, envelopeItems{item}, envelopePage{[]envelopeItem{item}, "2"}}
	for version, want := range map[string]string{
		"v3": `{"one":{"id":1,"note":"n"},"many":[{"id":1,"note":"n"}],"by":{"k":{"id":1,"note":"n"}},"list":[{"id":1,"note":"n"}],"page":{"data":[{"id":1,"note":"n"}]}}`,
		"v2": `{"one":{"payload":{"id":1}},"many":[{"payload":{"id":1}}],"by":{"k":{"payload":{"id":1}}},"list":{"items":[{"id":1,"note":"n"}]},"page":{"data":[{"id":1,"note":"n"}]}}`,
		"v1": `{"one":{"payload":{"number":1}},"many":[{"payload":{"number":1}}],"by":{"k":{"payload":{"number":1}}},"list":{"items":[{"number":1,"note":"n"}]},"page":[{"number":1,"note":"n"}]}`,
	} {
		got, err := h.Lower(verso.V(version), cart)
		require.NoError(t, err, version)
		assert.JSONEq(t, want, string(got), version)
		back, err := migrate.Lift[envelopeCart](h, verso.V(version), got)
		require.NoError(t, err, version)
		again, err := h.Lower(verso.V(version), back)
		require.NoError(t, err, version)
		assert.Equal(t, string(got), string(again), version)
	}
	for in, want := range map[string]string{`{"PAYLOAD":{"number":7}}`: `{"id":7,"note":"x"}`, `null`: `{"id":0,"note":null}`, `{"more":1,"payload":null}`: `{"id":0,"note":null}`} {
		one, err := migrate.Lift[envelopeOne](h, verso.V("v1"), []byte(in))
		require.NoError(t, err, in)
		got, _ := json.Marshal(one)
		assert.JSONEq(t, want, string(got), in)
	}
	for in, want := range map[string]string{
		`{}`:                            `invalid_value "": there is no member "payload"`,
		`[]`:                            `invalid_value "": the value is not an object`,
		`{"payload":1,"Payload":2}`:     `invalid_body "": `,
		`{"payload":{"number":"a"}}`:    `json: cannot unmarshal`,
		`{"payload":[1]}`:               `json: cannot unmarshal`,
		`{"payload":{"number":1}} "x"`:  `invalid_body "": `,
		`{"payload":{"id":1,"ID":null}`: `invalid_body "": `,
	} {
		_, err := migrate.Lift[envelopeOne](h, verso.V("v1"), []byte(in))
		var refused *migrate.Error
		text := fmt.Sprint(err)
		if assert.Error(t, err, in); assert.NotNil(t, err) && errors.As(err, &refused) {
			text = fmt.Sprintf("%s %q: %v", refused.Code, refused.Pointer, refused.Err)
		}
		assert.Contains(t, text, want, in)
	}
	_, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[envelopePage](), []byte(`{"next":"2"}`))
	assert.ErrorContains(t, err, `there is no member "data"`)
}

// TestPointersInEnvelopes: a refused value has the pointer of the client's version.
func TestPointersInEnvelopes(t *testing.T) {
	type page struct {
		Data []envelopeItem `json:"data"`
	}
	type old struct {
		Payload envelopeOne `json:"payload"`
	}
	edit := migrate.For[envelopeItem](migrate.Added("note", migrate.Refused))
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", edit, migrate.For[envelopeOne](migrate.Unwrapped[old]("payload")),
		migrate.For[page](migrate.Wrapped("data")))), migrate.Release("v1")))
	for in, want := range map[string]string{`{"payload":{"note":"x"}}`: "/payload/note"} {
		_, err := migrate.Lift[envelopeOne](h, verso.V("v1"), []byte(in))
		var refused *migrate.Error
		require.True(t, errors.As(err, &refused), "%v", err)
		assert.Equal(t, want, refused.Pointer)
	}
	_, err := migrate.Lift[page](h, verso.V("v1"), []byte(`[{"id":1},{"note":"x"}]`))
	var refused *migrate.Error
	require.True(t, errors.As(err, &refused), "%v", err)
	assert.Equal(t, "/1/note", refused.Pointer)
}

func TestEnvelopesInContracts(t *testing.T) {
	h := envelopesOf(t)
	_ = h.Route(migrate.Returns[envelopeCart]())
	members := map[string]string{}
	for _, version := range []string{"v3", "v2", "v1"} {
		schema, err := h.Schema(verso.V(version))
		require.NoError(t, err)
		for _, o := range schema.Objects {
			for _, m := range o.Members {
				members[version+" "+o.Name+"."+m.Name] = m.String()
			}
		}
	}
	for name, want := range map[string]string{
		"v3 envelopeCart.one": "envelopeOne, nullable", "v3 envelopeCart.list": "[]envelopeItem, nullable", "v3 envelopeCart.page": "envelopePage",
		"v2 envelopeCart.one": "envelopeOld, nullable", "v2 envelopeCart.list": "envelopeOldList, nullable", "v2 envelopeCart.many": "[]envelopeOld, nullable",
		"v2 envelopeOld.payload": "envelopeOne", "v2 envelopeOne.id": "integer", "v2 envelopeOldList.items": "[]envelopeItem, nullable",
		"v1 envelopeCart.page": "[]envelopeItem", "v1 envelopeOne.number": "integer",
	} {
		assert.Equal(t, want, members[name], name)
	}
	assert.NotContains(t, members, "v2 envelopeOne.note")
}

func TestEnvelopesInDocuments(t *testing.T) {
	h := envelopesOf(t)
	route := h.Route(migrate.Returns[envelopeCart]())
	const item, ref = `{"type":"object","properties":{"id":{"type":"integer"},"note":{"type":"string"}},"example":{"id":1,"note":"n"}}`, `{"$ref":"#/components/schemas/Item"}`
	for version, want := range map[string]string{
		"v2": `{"one":{"type":"object","properties":{"payload":{"$ref":"#/components/schemas/Item_v2"}},"required":["payload"],"nullable":true},
			"many":{"items":{"type":"object","properties":{"payload":{"$ref":"#/components/schemas/Item_v2"}},"required":["payload"]}},
			"list":{"type":"object","properties":{"items":{"type":"array","items":` + ref + `}},"required":["items"]},
			"page":{"properties":{"data":{"type":"array","items":` + ref + `}}}}`,
		"v1": `{"one":{"type":"object","properties":{"payload":{"$ref":"#/components/schemas/Item_v1"}},"required":["payload"],"nullable":true},
			"many":{"items":{"type":"object","properties":{"payload":{"$ref":"#/components/schemas/Item_v1"}},"required":["payload"]}},
			"list":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Item"}}},"required":["items"]},
			"page":{"type":"array","items":{"$ref":"#/components/schemas/Item"}}}`,
	} {
		var document map[string]any
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"properties":
			{"one":{"allOf":[%s],"nullable":true},"many":{"items":%[1]s},"list":{"type":"array","items":%[1]s},"page":{"properties":{"data":{"type":"array","items":%[1]s},"next":{"type":"string"}}}}}}}}}}}},
			"components":{"schemas":{"Item":%s}}}`, ref, item), &document))
		_, err := route.LowerDocument(version, document, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err)
		assert.JSONEq(t, `{"properties":`+want+`}`, schemaIn(document), version)
		older := map[string]any{"v2": map[string]any{"id": json.Number("1")}, "v1": map[string]any{"number": json.Number("1")}}[version]
		name := map[string]string{"v2": "Item_v2", "v1": "Item_v1"}[version]
		assert.Equal(t, older, document["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)["example"], version)
	}
}

func TestEnvelopesAreRefused(t *testing.T) {
	type other struct {
		Payload string `json:"payload"`
	}
	type more struct {
		Payload envelopeItem `json:"payload"`
		More    int          `json:"more"`
	}
	type embeds struct {
		envelopePage
		Total int `json:"total"`
	}
	type maybe struct {
		Data *envelopeItem `json:"data,omitempty"`
	}
	release := func(types ...migrate.TypeEdits) error {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", types...)), migrate.Release("v1"))
		return err
	}
	for _, test := range []struct {
		types migrate.TypeEdits
		want  string
	}{
		{migrate.For[envelopeItem](migrate.Unwrapped[other]("payload")), "other.payload is string, and envelopeItem is object"},
		{migrate.For[envelopeItem](migrate.Unwrapped[envelopeOld]("data")), `envelopeOld does not have a member "data": give the Go type of the object that older clients read`},
		{migrate.For[envelopeItem](migrate.Unwrapped[string]("data")), `string does not have a member "data"`},
		{migrate.For[envelopeItem](migrate.Unwrapped[more]("payload")), `more has "more", which nothing gives a value: leave it out, or give its tag omitempty`},
		{migrate.For[envelopeItem](migrate.Unwrapped[envelopeOld]("payload,omitempty")), "has a comma"},
		{migrate.For[envelopeItems](migrate.Renamed("a", "b")), "this is not a struct"},
		{migrate.For[envelopeItems](migrate.Wrapped("b")), "this is not a struct"},
		{migrate.For[[]envelopeItem](migrate.Unwrapped[envelopeOldList]("items")), "this is not a struct"},
		{migrate.For[envelopePage](migrate.Wrapped("date")), `there is no member "date"`},
		{migrate.For[maybe](migrate.Wrapped("data")), `"data" may be absent, and older clients always read a value: leave omitempty out of its tag`},
		{migrate.For[envelopePage](migrate.Added("next"), migrate.Wrapped("data")), `older versions have the value of "data" alone: give the edits before this one to its type`},
		{migrate.For[envelopePage](migrate.Wrapped("date"), migrate.Renamed("date", "data")), `"date" has another name in the newest version`},
		{migrate.For[envelopePage](migrate.Wrapped("data"), migrate.Mapped("data", func(int) ([]envelopeItem, error) { return nil, nil }, func([]envelopeItem) (int, error) { return 0, nil })), ""},
	} {
		if err := release(test.types); test.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, test.want)
		}
	}
	assert.ErrorContains(t, release(migrate.For[envelopePage](migrate.Wrapped("data")), migrate.For[embeds](migrate.Added("total"))), "envelopePage is embedded in embeds: an object came or went around its values")
	assert.ErrorContains(t, release(migrate.For[envelopeItem](migrate.Unwrapped[envelopeOld]("payload")), migrate.For[envelopeOld](migrate.Renamed("x", "payload"))), "envelopeOld has edits of its own, which would not apply: give them to envelopeItem")
}

// TestEnvelopesOfResponses: a body of another kind is no body of the version, with or without an object around it.
func TestEnvelopesOfResponses(t *testing.T) {
	route := envelopesOf(t).Route(migrate.Returns[envelopeItems]())
	for in, want := range map[string]string{`[{"id":1,"note":"n"}]`: `{"items":[{"number":1,"note":"n"}]}`, `null`: `null`, `{"items":[]}`: "500", `[7]`: "500"} {
		server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, in)
		})))
		if got := ask(t, http.MethodGet, server.URL, "v1", ""); want == "500" {
			assert.Equal(t, http.StatusInternalServerError, got.StatusCode, in)
		} else {
			assert.Equal(t, want, got.body)
		}
	}
}

// TestGuardedEnvelopes: the guard of tests reads types, and not plans.
func TestGuardedEnvelopes(t *testing.T) {
	type state struct {
		State valueState `json:"state"`
	}
	one, page, values := envelopesOf(t), envelopesOf(t), valuesOf(t)
	for _, test := range []struct {
		h    *migrate.History
		body migrate.Body
		in   string
		want string // in the mistakes, "" for none
	}{
		{one, migrate.Returns[envelopeOne](), `{"payload":{"number":1}}`, ""},
		{one, migrate.Returns[envelopeOne](), `null`, ""},
		{one, migrate.Returns[envelopeOne](), `{"number":1}`, `"": envelopeOne is in an object, as "payload", and this is {"number":1}`},
		{one, migrate.Returns[envelopeOne](), `{"payload":{"id":1}}`, `"/payload": envelopeOne has always a member "number", and this object has none`},
		{page, migrate.Returns[envelopePage](), `[{"number":1,"note":null}]`, ""},
		{page, migrate.Returns[envelopePage](), `{"data":[]}`, `envelopeItem is list, and this is {"data":[]}`},
		{values, migrate.Returns[state](), `{"state":"open"}`, ""},
		{values, migrate.Returns[state](), `{"state":"active"}`, `"/state": "active" is not among the values`},
	} {
		found := strings.Join(migrate.MistakesIn(test.h, test.h.Route(test.body), "v1", []byte(test.in)), "\n")
		if test.want == "" {
			assert.Empty(t, found, test.in)
		} else {
			assert.Contains(t, found, test.want, test.in)
		}
	}
}
