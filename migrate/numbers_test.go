package migrate_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// block is a union that an integer tells apart.
type (
	block  interface{ block() }
	button struct {
		Type  int    `json:"type"`
		Label string `json:"label"`
	}
	choice struct {
		Type    int     `json:"type"`
		Options []block `json:"options,omitempty"`
	}
	divider struct {
		Type *int `json:"type,omitempty"`
	}
	screen struct {
		First  block   `json:"first"`
		Blocks []block `json:"blocks,omitempty"`
	}
)

func (button) block()  {}
func (choice) block()  {}
func (divider) block() {}

func blocks() (*migrate.History, error) {
	return migrate.New(apiOf("v2", "v1"),
		migrate.OneOf[block]("type", migrate.Variant[button]("2", "9"), migrate.Variant[choice]("3", "-4"), migrate.Variant[divider]("")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[button](migrate.Renamed("text", "label")),
			migrate.For[block](migrate.RenamedVariant("1", "2"), migrate.NewVariant("3", button{Type: 2}), migrate.RemovedVariant("-4")))),
		migrate.Release("v1"))
}

// TestUnionsOfIntegers: an integer stays one, and a text is none.
func TestUnionsOfIntegers(t *testing.T) {
	h, err := blocks()
	require.NoError(t, err)
	for _, test := range []struct{ down, in, want string }{
		{"down", `{"first":{"label":"a","type":2},"blocks":[{"type":9,"label":"b"},{"type":3},null]}`,
			`{"first":{"text":"a","type":1},"blocks":[{"type":9,"text":"b"},{"type":1,"text":""},null]}`},
		{"down", `{"first":{"type":"2","label":"a"},"blocks":[{"type":2.0,"label":"a"},{"type":null},{}]}`,
			`{"first":{"type":"2","label":"a"},"blocks":[{"type":2.0,"label":"a"},{"type":null},{}]}`},
		{"", `{"first":{"text":"a","type":1},"blocks":[{"text":"b","type":9}]}`, `{"first":{"label":"a","type":2},"blocks":[{"label":"b","type":9}]}`},
		{"", `{"first":{"text":"a","type":"1"}}`, `{"first":{"text":"a","type":"1"}}`},
		{"", `{"first":{"type":2}}`, `invalid_value "/first/type"`},
		{"", `{"first":{"type":3}}`, `invalid_value "/first/type"`},
		{"", `{"first":{"type":-4}}`, `invalid_value "/first/type"`},
	} {
		rewrite := h.LiftJSON
		if test.down != "" {
			rewrite = h.LowerJSON
		}
		raw, err := rewrite(verso.V("v1"), reflect.TypeFor[screen](), []byte(test.in))
		if refused, ok := err.(*migrate.Error); ok { //nolint:errorlint // it is not wrapped
			raw = fmt.Appendf(nil, "%s %q", refused.Code, refused.Pointer)
		}
		assert.Equal(t, test.want, string(raw), test.in)
	}
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	assert.Contains(t, fmt.Sprint(schema.Objects), `one of no type: divider, type -4: choice, type 1: button, type 9: button`)
}

func TestDocumentsOfUnionsOfIntegers(t *testing.T) {
	h, err := blocks()
	require.NoError(t, err)
	route := h.Route(migrate.Returns[screen](), migrate.Open[screen]("first"))
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
		"type":"object","properties":{"first":{"$ref":"#/components/schemas/Block"}}}}}}}}}},"components":{"schemas":{
		"Block":{"oneOf":[{"$ref":"#/components/schemas/Button"},{"$ref":"#/components/schemas/Choice"},{"$ref":"#/components/schemas/Divider"}]},
		"Button":{"type":"object","properties":{"type":{"type":"integer","enum":[2,9]},"label":{"type":"string"}}},
		"Choice":{"type":"object","properties":{"type":{"type":"integer","const":3}}},
		"Divider":{"type":"object","properties":{"type":{"type":"null"}}}}}}`), &d))
	_, err = route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
	for name, want := range map[string]string{
		"Button": `{"type":{"type":"integer","enum":[1,9]},"text":{"type":"string"}}`, "Divider": `{"type":{"type":"null"}}`,
		"Choice": `{"type":{"type":"integer","enum":[-4]}}`, // it has the text that is removed
	} {
		got, err := json.Marshal(schemas[name].(map[string]any)["properties"])
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), name)
	}
}

func TestUnionsOfIntegersAreRefused(t *testing.T) {
	both := migrate.OneOf[block]("type", migrate.Variant[button]("1"), migrate.Variant[choice]("2"))
	for want, revisions := range map[string][]migrate.Revision{
		`the text "one" is not an integer, and "type" is`: {migrate.OneOf[block]("type", migrate.Variant[button]("one"))},
		`the text "01" is not an integ`:                   {migrate.OneOf[block]("type", migrate.Variant[button]("01"))},
		`label does not have a text "type", or all var`:   {migrate.OneOf[block]("type", migrate.Variant[button]("1"), migrate.Variant[label]("x"))},
		`"old" is now named "1": "type" is an integer: g`: {both, migrate.Release("v2", migrate.Changed("c", migrate.For[block](migrate.RenamedVariant("old", "1"))))},
	} {
		if len(revisions) == 1 {
			revisions = append(revisions, migrate.Release("v2"))
		}
		_, err := migrate.New(apiOf("v2", "v1"), append(revisions, migrate.Release("v1"))...)
		assert.ErrorContains(t, err, want)
	}
}

type label struct {
	Type string `json:"type"`
}

func (label) block() {}
