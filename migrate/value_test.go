package migrate_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	valueState string
	valueCents int
	valueOrder struct {
		State valueState            `json:"state"`
		Past  []valueState          `json:"past"`
		By    map[string]valueState `json:"by"`
		Maybe *valueState           `json:"maybe"`
		Total valueCents            `json:"total"`
	}
)

func valuesOf(t *testing.T) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("States.", migrate.For[valueState](migrate.Documented("", `{"maxLength":9}`), migrate.Values("", map[string]string{"open": "active"}, migrate.NewValue("held", "open"), migrate.OldValue("lost", "closed"))))),
		migrate.Release("v2", migrate.Changed("Cents.", migrate.For[valueCents](migrate.Mapped("", func(text string) (int, error) { var n int; _, err := fmt.Sscan(text, &n); return n, err }, func(n int) (string, error) { return strconv.Itoa(n), nil })),
			migrate.For[valueOrder](migrate.Renamed("sum", "total")))),
		migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

// TestEditsOfValues: edits of a named text or number apply wherever it is.
func TestEditsOfValues(t *testing.T) {
	h := valuesOf(t)
	held := valueState("held")
	order := valueOrder{"active", []valueState{"held", "closed"}, map[string]valueState{"a": "active"}, &held, 7}
	for version, want := range map[string]string{
		"v2": `{"state":"open","past":["open","closed"],"by":{"a":"open"},"maybe":"open","total":7}`,
		"v1": `{"state":"open","past":["open","closed"],"by":{"a":"open"},"maybe":"open","sum":"7"}`,
	} {
		got, err := h.Lower(verso.V(version), order)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), version)
		back, err := migrate.Lift[valueOrder](h, verso.V(version), got)
		require.NoError(t, err)
		assert.Equal(t, "active", string(*back.Maybe), version)
		assert.EqualValues(t, 7, back.Total)
	}
	one, err := migrate.Lift[valueOrder](h, verso.V("v1"), []byte(`{"state":"lost","maybe":null,"past":null}`))
	require.NoError(t, err)
	assert.Equal(t, valueState("closed"), one.State)
	for in, want := range map[string]string{`{"past":["open","active"]}`: "/past/1", `{"SUM":"x"}`: "/SUM", `{"state":7}`: "/state"} {
		_, err := migrate.Lift[valueOrder](h, verso.V("v1"), []byte(in))
		var refused *migrate.Error
		require.ErrorAs(t, err, &refused, in)
		assert.Equal(t, want, refused.Pointer)
	}
}

func TestEditsOfValuesInContractsAndDocuments(t *testing.T) {
	h := valuesOf(t)
	route := h.Route(migrate.Returns[valueOrder]())
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	assert.Equal(t, "string", schema.Objects[0].Members[4].String())
	const ref = `{"$ref":"#/components/schemas/State"}`
	var document map[string]any
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"properties":{"state":%s,"past":{"type":"array","items":%[1]s},
		"maybe":{"allOf":[%[1]s],"nullable":true},"total":{"type":"integer","example":5}}}}}}}}}},
		"components":{"schemas":{"State":{"type":"string","enum":["active","held","closed"],"example":"active"}}}}`, ref), &document))
	_, err = route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	assert.JSONEq(t, `{"properties":{"state":`+ref+`,"past":{"type":"array","items":`+ref+`},"maybe":{"type":"string","enum":["open","closed",null,"lost"],"example":"open","maxLength":9,"nullable":true},
		"sum":{"type":"string","example":"5"}}}`, schemaIn(document))
	state := document["components"].(map[string]any)["schemas"].(map[string]any)["State"].(map[string]any)
	delete(state, "x-changes")
	got, err := json.Marshal(state)
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"string","enum":["open","closed","lost"],"example":"open","maxLength":9}`, string(got))
}

func TestEditsOfValuesAreRefused(t *testing.T) {
	type query struct {
		State valueState `query:"state"`
	}
	same := func(s string) (string, error) { return s, nil }
	for want, edit := range map[string]migrate.Edit{
		`this is not a struct: give Values, Mapped or Documented of the name ""`:        migrate.Renamed("a", "b"),
		`"state" has other values: "a" is now "b": this is not a struct`:                migrate.Values("state", map[string]string{"a": "b"}),
		`a value is always there: leave out what stands after the comma`:                migrate.Mapped(",omitempty", same, same),
		`"" is string, and the edit reads integer`:                                      migrate.Mapped("", func(s string) (int, error) { return 0, nil }, func(int) (string, error) { return "", nil }),
		"it changes no value: give":                                                     migrate.Values("", nil),
		`two old values are "b" now`:                                                    migrate.Values("", map[string]string{"a": "b", "c": "b"}),
		`it was described by {"properties":{}}: the keyword properties is for edits of`: migrate.Documented("", `{"properties":{}}`),
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[valueState](edit))), migrate.Release("v1"))
		assert.ErrorContains(t, err, want)
	}
	_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[string](migrate.Values("", nil)))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "this is not a struct")
	panicOf(t, func() { valuesOf(t).Route(migrate.Query[query]()) }, "query.state is valueState, whose edits are of bodies: give the parameter another type, and its edits to query")
}
