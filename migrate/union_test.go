package migrate_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// source is one of three structs, which the member kind tells apart.
type (
	source interface{ source() }
	card   struct {
		Kind  string `json:"kind"`
		Last4 string `json:"last4"`
	}
	bank struct {
		Kind string `json:"kind"`
		IBAN string `json:"iban"`
		Via  source `json:"via,omitempty"`
	}
	crypto struct {
		Kind string `json:"kind"`
		Coin string `json:"coin"`
	}
	payment struct {
		ID     int               `json:"id"`
		Source source            `json:"source"`
		All    []source          `json:"all,omitempty"`
		By     map[string]source `json:"by,omitempty"`
	}
)

func (card) source()   {}
func (bank) source()   {}
func (crypto) source() {}

// sources returns a history in which a variant is new, one has another text now, and two have
// edits.
func sources(t *testing.T) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[card]("scheme"), migrate.Variant[bank]("bank"), migrate.Variant[crypto]("crypto")),
		migrate.Release("v3", migrate.Changed("c", migrate.For[card](migrate.Renamed("digits", "last4")),
			migrate.For[source](migrate.NewVariant("crypto", nil), migrate.RenamedVariant("cc", "card")))),
		migrate.Release("v2", migrate.Changed("c", migrate.For[bank](migrate.Renamed("account", "iban"), migrate.Added("via")))),
		migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

func TestUnions(t *testing.T) {
	h := sources(t)
	assert.NotPanics(t, func() { h.Route(migrate.Accepts[payment](), migrate.Returns[payment]()) }, "no member is Open")
	for _, test := range []struct{ version, in, want string }{
		{"v2", `{"source":{"last4":"1","kind":"card"}}`, `{"source":{"digits":"1","kind":"cc"}}`},
		{"v2", `{"source":{"kind":"scheme","last4":"1"}}`, `{"source":{"kind":"scheme","digits":"1"}}`},
		{"v2", `{"all":[{"last4":"1","kind":"c\u0061rd"},{"kind":"crypto","coin":"btc"},null]}`, `{"all":[{"digits":"1","kind":"cc"},null,null]}`},
		{"v2", `{"by":{"x":{"kind":"bank","iban":"2","via":{"kind":"card","last4":"9"}}}}`, `{"by":{"x":{"kind":"bank","iban":"2","via":{"kind":"cc","digits":"9"}}}}`},
		{"v1", `{"by":{"x":{"kind":"bank","iban":"2","via":{"kind":"card","last4":"9"}}}}`, `{"by":{"x":{"kind":"bank","account":"2"}}}`},
		// What no variant has stays as it is.
		{"v1", `{"source":{"kind":"cash","last4":"1"}}`, `{"source":{"kind":"cash","last4":"1"}}`},
		{"v1", `{"source":{"last4":"1"}}`, `{"source":{"last4":"1"}}`},
		{"v1", `{"source":{"kind":7,"last4":"1"},"all":null}`, `{"source":{"kind":7,"last4":"1"},"all":null}`},
	} {
		raw, err := h.LowerJSON(verso.V(test.version), reflect.TypeFor[payment](), []byte(test.in))
		require.NoError(t, err, test.in)
		assert.Equal(t, test.want, string(raw), test.version)
	}
	for _, test := range []struct{ version, in, want string }{
		{"v2", `{"source":{"digits":"1","kind":"cc"}}`, `{"source":{"last4":"1","kind":"card"}}`},
		{"v1", `{"source":{"Digits":"1","KIND":"cc"}}`, `{"source":{"last4":"1","kind":"card"}}`},
		{"v1", `{"all":[{"account":"1","kind":"bank","n":9007199254740993}]}`, `{"all":[{"iban":"1","kind":"bank","n":9007199254740993}]}`},
		{"v1", `{"source":{"kind":"Cash","coin":"x"}}`, `{"source":{"kind":"Cash","coin":"x"}}`},
		{"v2", `{"source":{"kind":"card","digits":"1"}}`, `invalid_value "/source/kind"`},
		{"v1", `{"all":[{"kind":"cr\u0079pto","coin":"x"}]}`, `invalid_value "/all/0/kind"`},
		{"v1", `{"source":{"kind":"cc","digits":"1","Kind":"bank"}}`, `invalid_body ""`},
	} {
		raw, err := h.LiftJSON(verso.V(test.version), reflect.TypeFor[payment](), []byte(test.in))
		if refused, ok := err.(*migrate.Error); ok { //nolint:errorlint // it is not wrapped
			raw = fmt.Appendf(nil, "%s %q", refused.Code, refused.Pointer)
		}
		assert.Equal(t, test.want, string(raw), test.in)
	}
	schema, err := h.Schema(verso.V("v2"))
	require.NoError(t, err)
	assert.Contains(t, fmt.Sprint(schema.Objects), `one of kind "bank": bank, kind "cc": card, kind "scheme": card`)
}

func TestUnionsThatAreRefused(t *testing.T) {
	type other struct {
		Kind string `json:"kind,omitempty"`
	}
	change := func(edits ...migrate.TypeEdits) migrate.Revision {
		return migrate.Release("v2", migrate.Changed("c", edits...))
	}
	both := migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank"))
	for want, revisions := range map[string][]migrate.Revision{
		"other is none: give an interface":                       {migrate.OneOf[source]("kind", migrate.Variant[other]("x")), change()},
		`card does not always have a text "type"`:                {migrate.OneOf[source]("type", migrate.Variant[card]("card")), change()},
		`"card" is there twice`:                                  {migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("card")), change()},
		`the member "kind" has the text of a variant`:            {both, change(migrate.For[card](migrate.Renamed("type", "kind")))},
		"source cannot have this edit":                           {both, change(migrate.For[source](migrate.Renamed("a", "b")))},
		"lacks this variant":                                     {both, change(migrate.For[source](migrate.NewVariant("cash", nil)))},
		"this is not a struct: give the edits to the struct of ": {change(migrate.For[source](migrate.NewVariant("card", nil)))},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), append(revisions, migrate.Release("v1"))...)
		assert.ErrorContains(t, err, want)
	}
}

func TestDocumentsOfUnions(t *testing.T) {
	h := sources(t)
	route := h.Route(migrate.Accepts[payment](), migrate.Returns[payment]())
	const discriminator = `,"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","scheme":"#/components/schemas/Card","bank":"#/components/schemas/Bank","crypto":"#/components/schemas/Crypto"}}`
	for _, with := range []string{"", discriminator} {
		text := `{"openapi":"3.1.0","paths":{"/x":{"post":{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Payment"}}}}}}}},
			"components":{"schemas":{"Payment":{"type":"object","properties":{"source":{"$ref":"#/components/schemas/Source"}}},
			"Source":{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"},{"$ref":"#/components/schemas/Crypto"}]` + with + `},
			"Card":{"type":"object","properties":{"kind":{"type":"string","enum":["card","scheme"],"default":"card"},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"type":"string","enum":["bank"]},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"type":"string","enum":["crypto"]},"coin":{"type":"string"}}}}}}`
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		_, err := route.LowerDocument("v2", d, map[string]verso.Rewriter{"/paths/~1x/post": route})
		require.NoError(t, err)
		schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
		want := `{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"}]}`
		if with != "" {
			want = strings.TrimSuffix(want, "}") + `,"discriminator":{"propertyName":"kind","mapping":{"cc":"#/components/schemas/Card","scheme":"#/components/schemas/Card","bank":"#/components/schemas/Bank"}}}`
		}
		source, _ := json.Marshal(schemas["Source"])
		assert.JSONEq(t, want, string(source))
		properties, _ := json.Marshal(schemas["Card"].(map[string]any)["properties"])
		assert.JSONEq(t, `{"kind":{"type":"string","enum":["cc","scheme"]},"digits":{"type":"string"}}`, string(properties))
	}
}
