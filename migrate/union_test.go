package migrate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
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
	Source = source
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
		migrate.OneOf[source]("kind", migrate.Variant[card]("card", "scheme"), migrate.Variant[*bank]("bank"), migrate.Variant[crypto]("crypto")),
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

// A union in all forms: objects without the member, a new variant that lists leave out, one that is gone.
type (
	paper interface{ paper() }
	sheet struct {
		Type  string `json:"type,omitempty"`
		Title string `json:"title"`
	}
	scan struct {
		Type  string `json:"type"`
		Pixel int    `json:"pixel"`
	}
	roll struct {
		Type string `json:"type"`
		Long int    `json:"long"`
	}
	fax struct {
		Type string `json:"type"`
		To   string `json:"to"`
	}
	file struct {
		Papers []paper   `json:"papers"`
		Sets   [][]paper `json:"sets,omitempty"`
	}
)

func (sheet) paper() {}
func (*scan) paper() {}
func (roll) paper()  {}
func (fax) paper()   {}

func papers(t *testing.T, more ...migrate.OfOne) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.OneOf[paper]("type", append(more, migrate.Variant[sheet]("", "a4", "a5", "a6"), migrate.Variant[scan]("scan"), migrate.Variant[roll]("roll"), migrate.Variant[fax]("fax"))...),
		migrate.Release("v3", migrate.Changed("A roll.", migrate.For[sheet](migrate.Renamed("name", "title")), migrate.For[paper](migrate.NewVariant("roll", migrate.Absent)))),
		migrate.Release("v2", migrate.Changed("A scan.", migrate.For[scan](migrate.Renamed("dot", "pixel")), migrate.For[fax](migrate.Renamed("number", "to")), migrate.For[paper](
			migrate.RemovedVariant("fax"), migrate.NewVariant("a6", fax{Type: "fax", To: "2"}), migrate.RenamedVariant("photo", "scan"), migrate.NewVariant("a5", sheet{Type: "a4", Title: "none"})))),
		migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

func TestUnionsInAllForms(t *testing.T) {
	h := papers(t)
	h.Route(migrate.Returns[file](), migrate.Accepts[[]paper]())
	for _, test := range []struct{ version, in, want string }{
		{"v2", `{"papers":[{"title":"x"},{"type":"roll","long":1},{"type":"a5","title":"y"},{"type":"scan","pixel":2}]}`, `{"papers":[{"name":"x"},{"type":"a5","name":"y"},{"type":"scan","pixel":2}]}`},
		{"v1", `{"papers":[{"type":"roll"},{"type":"a5","title":"y"},{"type":"scan","pixel":2},{"type":"roll"}]}`, `{"papers":[{"type":"a4","name":"none"},{"type":"photo","dot":2}]}`},
		{"v1", `{"papers":[{"type":"roll"}],"sets":[[{"type":"roll"},{"type":"fax","to":"1"}],[null]]}`, `{"papers":[],"sets":[[{"type":"fax","number":"1"}],[null]]}`},
		{"v1", `{"papers":[{"type":"a6","title":"y"}]}`, `{"papers":[{"type":"fax","number":"2"}]}`},
		{"v1", `{"papers":[{"type":"","title":"1"},{"type":null,"title":"2"},{"type":"A4","title":"3"}]}`, `{"papers":[{"type":"","name":"1"},{"type":null,"name":"2"},{"type":"A4","title":"3"}]}`},
	} {
		for _, lower := range []func() ([]byte, error){
			func() ([]byte, error) {
				return h.LowerJSON(verso.V(test.version), reflect.TypeFor[file](), []byte(test.in))
			},
			func() ([]byte, error) {
				return h.LowerStreamed(verso.V(test.version), reflect.TypeFor[file](), split([]byte(test.in))...)
			},
		} {
			raw, err := lower()
			require.NoError(t, err, test.in)
			assert.Equal(t, test.want, string(raw), test.version)
		}
	}
	for in, want := range map[string]string{
		`{"papers":[{"name":"x","n":1},{"type":"photo","dot":2},{"TYPE":"a4","NAME":"z"}]}`: `{"papers":[{"title":"x","n":1},{"type":"scan","pixel":2},{"type":"a4","title":"z"}]}`,
		`{"papers":[{"type":"fax","to":"1"}]}`:                                              `invalid_value "/papers/0/type"`,
		`{"papers":[null,{"to":"1","type":"scan"}]}`:                                        `invalid_value "/papers/1/type"`,
		`{"papers":[{"type":"a5"}]}`:                                                        `invalid_value "/papers/0/type"`,
		`{"papers":[{"type":"roll"}]}`:                                                      `invalid_value "/papers/0/type"`,
		`{"papers":[{"type":"tape","name":"x"},{"type":7}]}`:                                `{"papers":[{"type":"tape","name":"x"},{"type":7}]}`,
		`{"papers":[{"type":"photo","Type":"photo"}]}`:                                      `invalid_body ""`,
		`{"papers":[{"type":"photo","dot":2,"name":"n"}]}`:                                  `{"papers":[{"type":"scan","pixel":2,"name":"n"}]}`,
		`{"sets":[[{"type":"photo","dot":1},{"type":"photo"}]]}`:                            `{"sets":[[{"type":"scan","pixel":1},{"type":"scan"}]]}`,
	} {
		for _, lift := range []func(verso.Version, reflect.Type, []byte) ([]byte, error){h.LiftJSON, h.LiftPartial, h.LiftReplacing} {
			raw, err := lift(verso.V("v1"), reflect.TypeFor[file](), []byte(in))
			if refused, ok := err.(*migrate.Error); ok { //nolint:errorlint // it is not wrapped
				raw = fmt.Appendf(nil, "%s %q", refused.Code, refused.Pointer)
			}
			assert.Equal(t, want, string(raw), in)
		}
	}
	for version, want := range map[string]string{
		"v3": `one of no type: sheet, type "a4": sheet, type "a5": sheet, type "a6": sheet, type "roll": roll, type "scan": scan`,
		"v2": `one of no type: sheet, type "a4": sheet, type "a5": sheet, type "a6": sheet, type "scan": scan`,
		"v1": `one of no type: sheet, type "a4": sheet, type "fax": fax, type "photo": scan, no other`,
	} {
		if version == "v1" {
			h = papers(t, migrate.Closed())
			h.Route(migrate.Returns[file]())
		}
		schema, err := h.Schema(verso.V(version))
		require.NoError(t, err)
		assert.Contains(t, fmt.Sprint(schema.Objects), want)
	}
}

// Over HTTP: the newer form does not leave, and what no variant has is told of.
func TestUnionsOverHTTP(t *testing.T) {
	for _, closed := range []bool{false, true} {
		var more []migrate.OfOne
		if closed {
			more = append(more, migrate.Closed())
		}
		h := papers(t, more...)
		mistakes := watched(t, h)
		body, got := "", ""
		logged := logOf(t)
		route := h.Route(migrate.Returns[file](), migrate.Accepts[file]())
		server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if got = string(raw); err != nil {
				fail(w, err)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		})))
		for _, test := range []struct {
			body, want string
			mistake    string
		}{
			{`{"papers":[{"type":"scan","pixel":2}]}`, `{"papers":[{"type":"photo","dot":2}]}`, ""},
			{`{"papers":[{"type":"tape","title":"1"}]}`, `{"papers":[{"type":"tape","title":"1"}]}`, `"tape" is the text of no variant of paper`},
			{`{"papers":[{"type":7}]}`, `{"papers":[{"type":7}]}`, `"" is the text of no variant of paper`},
			{`{"papers":["scan"]}`, "", ""},
			{`{"papers":[[{"type":"scan"}]]}`, "", ""},
		} {
			body, *mistakes = test.body, nil
			a := ask(t, "GET", server.URL, "v1", "")
			if test.want == "" || closed && test.mistake != "" {
				assert.Equal(t, 500, a.StatusCode, test.body)
				continue
			}
			assert.Equal(t, test.want, a.body)
			assert.Contains(t, strings.Join(*mistakes, "\n"), test.mistake)
			assert.Equal(t, test.mistake == "", len(*mistakes) == 0, test.body)
		}
		assert.Equal(t, map[bool]int{false: 1, true: 0}[closed], strings.Count(logged.String(), "its text is of no variant"), "once for a route")
		body = `{"papers":[]}`
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			a := ask(t, method, server.URL, "v1", `{"papers":[{"type":"photo"},{"type":"tape"}]}`)
			if closed {
				assert.Equal(t, 400, a.StatusCode)
				assert.Contains(t, a.body, "/papers/1/type")
				assert.Contains(t, ask(t, method, server.URL, "v1", `{"papers":[{"type":null}]}`).body, "/papers/0/type")
				continue
			}
			assert.Equal(t, 200, a.StatusCode)
			assert.JSONEq(t, `{"papers":[{"type":"scan"},{"type":"tape"}]}`, got)
		}
		assert.Equal(t, 400, ask(t, "POST", server.URL, "v1", `{"papers":["photo"]}`).StatusCode)
		long := `{"papers":[{"name":"` + strings.Repeat("x", 1<<20) + `","type":"a4"}]}`
		a := ask(t, "POST", server.URL, "v1", long)
		assert.Contains(t, a.body, "the body is too large")
	}
}

func TestUnionsThatAreRefused(t *testing.T) {
	type other struct {
		Kind string `json:"kind,omitempty"`
	}
	type embeds struct {
		Source
	}
	type one struct {
		Paper paper `json:"paper"`
	}
	change := func(edits ...migrate.TypeEdits) migrate.Revision {
		return migrate.Release("v2", migrate.Changed("c", edits...))
	}
	both := migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank"))
	none := func(edits ...migrate.Edit) []migrate.Revision {
		return []migrate.Revision{both, change(migrate.ForType(reflect.TypeFor[source](), edits...))}
	}
	for want, revisions := range map[string][]migrate.Revision{
		"other is none: give structs that have its methods":                        {migrate.OneOf[source]("kind", migrate.Variant[other]("x")), change()},
		"OneOf[card]: this is not an interface":                                    {migrate.OneOf[card]("kind", migrate.Variant[card]("x")), change()},
		"card has no text: give those of":                                          {migrate.OneOf[source]("kind", migrate.Variant[card]()), change()},
		"OneOf[source]: part 2 is nil: remove it":                                  {migrate.OneOf[source]("kind", migrate.Variant[card]("card"), nil), change()},
		"OneOf[source]: it has no variant":                                         {migrate.OneOf[source]("kind"), change()},
		"it has no variant, so no edit":                                            {migrate.OneOf[source]("kind", migrate.Closed()), change()},
		"it is declared twice":                                                     {both, migrate.OneOf[source]("kind", migrate.Variant[card]("card")), change()},
		`card does not have a text "type"`:                                         {migrate.OneOf[source]("type", migrate.Variant[card]("card")), change()},
		`the text "card" is there twice`:                                           {migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("card")), change()},
		`the text "bank" is there twice`:                                           {migrate.OneOf[source]("kind", migrate.Variant[card]("bank", "bank")), change()},
		"card is a variant: its Reshaped makes the whole object":                   {both, change(migrate.For[card](migrate.Reshaped(nil, func(card) (bank, error) { return bank{}, nil }, "")))},
		`the member "kind" has the text of a variant`:                              {both, change(migrate.For[card](migrate.Renamed("type", "kind")))},
		"source is an interface: give the edit to its structs":                     none(migrate.Renamed("a", "b")),
		"card is not an interface of OneOf: give the edit to the interface (it ha": {both, change(migrate.For[card](migrate.RemovedVariant("card")))},
		`there is no variant "cash"`:                                               none(migrate.NewVariant("cash", nil)),
		`there is no variant ""`:                                                   none(migrate.NewVariant("", nil)),
		`"a" is now named "card": there is no variant "card"`:                      none(migrate.RenamedVariant("a", "card"), migrate.NewVariant("card", nil)),
		`variant "b" (it has card, bank): list it before this edit: "b" is now`:    none(migrate.RenamedVariant("b", "card"), migrate.RenamedVariant("a", "b")),
		`already (it has card, bank): list it before this edit: "card" is new`:     none(migrate.NewVariant("card", nil), migrate.RenamedVariant("card", "bank")),
		`there is a variant "bank" already`:                                        none(migrate.RenamedVariant("bank", "card")),
		"older clients do not have the variant that they read":                     none(migrate.NewVariant("card", bank{Kind: "bank"}), migrate.NewVariant("bank", nil)),
		`older clients read {"kind":7}: older clients do not`:                      none(migrate.NewVariant("card", map[string]int{"kind": 7})),
		`older clients read "x": older clients do not`:                             none(migrate.NewVariant("card", "x")),
		"cannot unmarshal number":                                                  none(migrate.NewVariant("card", map[string]any{"kind": "bank", "iban": 7})),
		"unsupported type":                                                         none(migrate.NewVariant("card", func() {})),
		"or declare the interface with OneOf":                                      {change(migrate.For[source](migrate.NewVariant("card", nil)))},
		"the member is of a struct that has edits":                                 {both, change(migrate.For[card](migrate.Renamed("digits", "last4")), migrate.For[payment](migrate.RemovedFrom("x", "source", func(card) (string, error) { return "", nil })))},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), append(revisions, migrate.Release("v1"))...)
		assert.ErrorContains(t, err, want)
	}
	_, err := migrate.New(apiOf("v2", "v1"), both, change(migrate.For[card](migrate.Documented("kind", `{"enum":["card"]}`))), migrate.Release("v1"))
	assert.ErrorContains(t, err, `the member "kind" has the text of a variant`)
	h, err := migrate.New(apiOf("v2", "v1"), both, change(migrate.For[card](migrate.Renamed("digits", "last4"), migrate.Documented("kind", `{"readOnly":true}`))), migrate.Release("v1"))
	require.NoError(t, err)
	assert.PanicsWithError(t, "migrate: embeds embeds source: give the interface a name", func() { h.Route(migrate.Returns[embeds]()) })
	h = papers(t)
	assert.PanicsWithError(t, `migrate: the member "paper" of one is paper, whose NewVariant is Absent for older clients: it may be in lists only`, func() { h.Route(migrate.Accepts[one]()) })
	assert.Panics(t, func() { h.Route(migrate.Returns[paper]()) })
	assert.Panics(t, func() { h.Route(migrate.Returns[map[string]paper]()) })
	_, err = h.Lower(verso.V("v1"), one{})
	assert.ErrorContains(t, err, "it may be in lists only")
}

// A union without edits, and a value of it, are the same: a function may read the member.
func TestUnionsWithoutEdits(t *testing.T) {
	h, err := migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[payment](migrate.RemovedFrom("kind", "source", func(c card) (string, error) { return c.Kind, nil })))), migrate.Release("v1"))
	require.NoError(t, err)
	raw, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[payment](), []byte(`{"source":{"kind":"card"}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"source":{"kind":"card"},"kind":"card"}`, string(raw))
}

// Objects without the member stay a variant in each version, whatever edits other variants have.
func TestObjectsWithoutTextBesideARemovedVariant(t *testing.T) {
	h, err := migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card](""), migrate.Variant[bank]("bank"), migrate.Variant[crypto]("crypto")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[source](migrate.RemovedVariant("crypto")), migrate.For[card](migrate.Renamed("digits", "last4")))), migrate.Release("v1"))
	require.NoError(t, err)
	raw, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[payment](), []byte(`{"source":{"last4":"1"}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"source":{"digits":"1"}}`, string(raw))
	schema, err := h.Schema(verso.V("v2"))
	require.NoError(t, err)
	assert.Contains(t, fmt.Sprint(schema.Objects), `one of kind "bank": bank, no kind: card,`)
}

// An element of a list whose struct is withheld is left out, also where its interface is.
func TestWithheldVariants(t *testing.T) {
	h, err := migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[card](migrate.Withheld(func(c card) bool { return c.Last4 == "new" })))), migrate.Release("v1"))
	require.NoError(t, err)
	raw, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[payment](), []byte(`{"source":{"kind":"card","last4":"new"},"all":[{"kind":"card","last4":"new"},{"kind":"bank","last4":"new"}]}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"source":{"kind":"card","last4":"new"},"all":[{"kind":"bank","last4":"new"}]}`, string(raw))
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
		if with != "" { // the mapping alone names its struct
			text = strings.Replace(text, `,"enum":["bank"]`, "", 1)
		}
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		_, err := route.LowerDocument("v2", d, map[string]verso.Rewriter{"/paths/~1x/post": route})
		require.NoError(t, err)
		schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
		want := `{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"},{"type":"null"}]}`
		if with != "" {
			want = strings.TrimSuffix(want, "}") + `,"discriminator":{"propertyName":"kind","mapping":{"cc":"#/components/schemas/Card","scheme":"#/components/schemas/Card","bank":"#/components/schemas/Bank"}}}`
		}
		source, _ := json.Marshal(schemas["Source"])
		assert.JSONEq(t, want, string(source))
		properties, _ := json.Marshal(schemas["Card"].(map[string]any)["properties"])
		assert.JSONEq(t, `{"kind":{"type":"string","enum":["cc","scheme"]},"digits":{"type":"string"}}`, string(properties))
	}
}

// The values of a property itself are decisive, whatever forms are beside them, also beside null and where a text changed.
func TestDocumentsOfUnionsWhoseValuesHaveForms(t *testing.T) {
	const kind = `{"type":"string","enum":["card"],"allOf":[{"$ref":"#/components/schemas/Kind"}]}`
	for name, forms := range map[string][2]string{
		"alone":       {kind, `{"type":"string","enum":["scheme"]}`},
		"beside null": {`{"oneOf":[{"type":"null"},` + kind + `]}`, `{"type":["string","null"],"enum":["scheme",null]}`},
	} {
		for text, of := range map[string][]migrate.TypeEdits{
			forms[0]: {migrate.For[card](migrate.Renamed("digits", "last4"))},
			forms[1]: {migrate.For[card](migrate.Renamed("digits", "last4")), migrate.For[source](migrate.RenamedVariant("scheme", "card"))},
		} {
			h, err := migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank")),
				migrate.Release("v2", migrate.Changed("c", of...)), migrate.Release("v1"))
			require.NoError(t, err)
			route := h.Route(migrate.Returns[payment]())
			var d map[string]any
			require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
				"type":"object","properties":{"source":{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"}]}}}}}}}}}},
				"components":{"schemas":{"Kind":{"oneOf":[{"const":"card","title":"Card"},{"const":"bank","title":"Bank"}]},
				"Card":{"type":"object","properties":{"kind":`+forms[0]+`,"last4":{"type":"string"}}},
				"Bank":{"type":"object","properties":{"kind":{"type":"string","enum":["bank"],"allOf":[{"$ref":"#/components/schemas/Kind"}]},"iban":{"type":"string"}}}}}}`), &d))
			_, err = route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
			require.NoError(t, err, name)
			made, err := json.Marshal(d["components"].(map[string]any)["schemas"].(map[string]any)["Card"].(map[string]any)["properties"])
			require.NoError(t, err)
			assert.JSONEq(t, `{"kind":`+text+`,"digits":{"type":"string"}}`, string(made), name)
		}
	}
}

// Outside of its union a struct keeps its texts. A union may stand beside null or a description, and be null where only
// newer versions have the variant.
func TestDocumentsOfUnionsByReference(t *testing.T) {
	type wallet struct {
		Card   card   `json:"card"`
		Source source `json:"source"`
	}
	route := sources(t).Route(migrate.Returns[wallet]())
	for version, forms := range map[string][2]string{
		"3.0.3": {`{"allOf":[{"$ref":"#/components/schemas/Source"}],"nullable":true,"title":"x"}`,
			`{"oneOf":[{"$ref":"#/components/schemas/Card_v2"}],"nullable":true}`},
		"3.1.0": {`{"anyOf":[{"$ref":"#/components/schemas/Source"},{"type":"null"}]}`,
			`{"oneOf":[{"$ref":"#/components/schemas/Card_v2"},{"type":"null"}]}`},
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"`+version+`","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
			"type":"object","properties":{"card":{"$ref":"#/components/schemas/Card"},"source":`+forms[0]+`}}}}}}}}},
			"components":{"schemas":{"Source":{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Crypto"}]},
			"Card":{"type":"object","properties":{"kind":{"enum":["card","scheme"]},"last4":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"enum":["crypto"]}}}}}}`), &d))
		_, err := route.LowerDocument("v2", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err)
		made, err := json.Marshal(d)
		require.NoError(t, err)
		for _, part := range []string{
			`"card":{"$ref":"#/components/schemas/Card"},"source":` + forms[0], `"Card_v2":{"properties":{"digits":{"type":"string"},"kind":{"enum":["cc","scheme"]}}`,
			`"Card":{"properties":{"digits":{"type":"string"},"kind":{"enum":["card","scheme"]}}`,
		} {
			assert.Contains(t, string(made), part, version)
		}
		source, _ := json.Marshal(d["components"].(map[string]any)["schemas"].(map[string]any)["Source"])
		assert.JSONEq(t, forms[1], string(source), version)
	}
}

// What a part of a union is told by: its mapping, or texts, also by reference and in parts of allOf.
func TestDocumentsOfPartsOfUnions(t *testing.T) {
	route := sources(t).Route(migrate.Returns[payment]())
	const parts = `"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"},{"$ref":"#/components/schemas/Crypto"}]`
	const mapped = parts + `,"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","scheme":"#/components/schemas/Card","bank":"#/components/schemas/Bank","crypto":"#/components/schemas/Crypto"}}`
	for name, text := range map[string]string{
		"shared enum, mapping": `"Source":{` + mapped + `},
			"Kind":{"type":"string","enum":["card","scheme","bank","crypto"]},
			"Card":{"type":"object","required":["kind"],"properties":{"kind":{"$ref":"#/components/schemas/Kind"},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"$ref":"#/components/schemas/Kind"},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"$ref":"#/components/schemas/Kind"},"coin":{"type":"string"}}}`,
		"shared inline enum, mapping": `"Source":{` + mapped + `},
			"Card":{"type":"object","required":["kind"],"properties":{"kind":{"enum":["card","scheme","bank","crypto"]},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"enum":["card","scheme","bank","crypto"]},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"enum":["card","scheme","bank","crypto"]},"coin":{"type":"string"}}}`,
		"own enums by reference": `"Source":{` + parts + `},
			"CardKind":{"type":"string","enum":["card","scheme"]},"BankKind":{"type":"string","enum":["bank"]},"CryptoKind":{"type":"string","enum":["crypto"]},
			"Card":{"type":"object","required":["kind"],"properties":{"kind":{"$ref":"#/components/schemas/CardKind"},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"allOf":[{"$ref":"#/components/schemas/BankKind"}],"description":"b"},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"$ref":"#/components/schemas/CryptoKind"},"coin":{"type":"string"}}}`,
		"allOf": `"Source":{` + parts + `},
			"Base":{"type":"object","properties":{"kind":{"type":"string"}}},
			"Card":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"kind":{"enum":["card","scheme"]},"last4":{"type":"string"}}}]},
			"Bank":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"kind":{"enum":["bank"]},"iban":{"type":"string"}}}]},
			"Crypto":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"kind":{"enum":["crypto"]},"coin":{"type":"string"}}}]}`,
		"allOf mapping": `"Source":{` + mapped + `},
			"Base":{"type":"object","properties":{"kind":{"type":"string"}}},
			"Card":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"last4":{"type":"string"}}}]},
			"Bank":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"iban":{"type":"string"}}}]},
			"Crypto":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"coin":{"type":"string"}}}]}`,
		"beside what all have": `"Source":{"allOf":[{"type":"object","properties":{"kind":{"type":"string"},"at":{"type":"string"}}},{` + parts + `}]},
			"Card":{"type":"object","properties":{"kind":{"type":"string","enum":["card","scheme"]},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"type":"string","enum":["bank"]},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"type":"string","enum":["crypto"]},"coin":{"type":"string"}}}`,
		"mapping by names": `"Source":{` + parts + `,"discriminator":{"propertyName":"kind","mapping":{"card":"Card","scheme":"Card","bank":"Bank","crypto":"Crypto"}}},
			"Card":{"type":"object","properties":{"kind":{"type":"string"},"last4":{"type":"string"}}},
			"Bank":{"type":"object","properties":{"kind":{"type":"string"},"iban":{"type":"string"}}},
			"Crypto":{"type":"object","properties":{"kind":{"type":"string"},"coin":{"type":"string"}}}`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
			"type":"object","properties":{"source":{"$ref":"#/components/schemas/Source"}}}}}}}}}},"components":{"schemas":{`+text+`}}}`), &d), name)
		_, err := route.LowerDocument("v2", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err, name)
		made, _ := json.Marshal(d)
		assert.Contains(t, string(made), `"properties":{"digits":{"type":"string"},"kind":{"enum":["cc","scheme"]`, name)
		if strings.Contains(text, "mapping") {
			assert.Contains(t, string(made), `"cc":"#/components/schemas/Card`, name)
		}
	}
}

// What all variants have beside them stays as it is: no edit of a variant may be about it.
func TestDocumentsOfUnionsBesideWhatAllHave(t *testing.T) {
	route := sources(t).Route(migrate.Returns[payment]())
	for all, want := range map[string]string{
		`"last4":{"type":"string"}`:                `it describes "last4" beside the variants, and card has an edit of it`,
		`"kind":{"type":"string","enum":["card"]}`: `it lists texts of "kind" beside the variants`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
			"type":"object","properties":{"source":{"allOf":[{"type":"object","properties":{`+all+`}},{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"bank"},"iban":{"type":"string"}}}]}]}}}}}}}}}}}`), &d))
		_, err := route.LowerDocument("v2", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		assert.ErrorContains(t, err, want)
	}
}

// A version with the variants of the newest has each part as it is, though all parts list the texts of all.
func TestDocumentsOfTheSameVariants(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[bank](migrate.Renamed("account", "iban")))), migrate.Release("v1")))
	const kinds = `"Base":{"type":"object","properties":{"kind":{"type":"string","enum":["card","bank"]}}}`
	const part = `{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"last4":{"type":"string"}}}]}`
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
		"type":"object","properties":{"source":{"$ref":"#/components/schemas/Source"}}}}}}}}}},
		"components":{"schemas":{"Source":{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"}],"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","bank":"#/components/schemas/Bank"}}},
		`+kinds+`,"Card":`+part+`,"Bank":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"iban":{"type":"string"}}}]}}}}`), &d))
	route := h.Route(migrate.Returns[payment]())
	_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	made, err := json.Marshal(d["components"].(map[string]any)["schemas"].(map[string]any)["Card"])
	require.NoError(t, err)
	assert.JSONEq(t, part, string(made))
}

// A variant that is gone may have a component, as it is used elsewhere, and what comes back may have one in a union alone.
func TestDocumentsOfGoneVariants(t *testing.T) {
	type wallet struct {
		Bank   bank   `json:"bank"`
		Source source `json:"source"`
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[bank]("bank")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[source](migrate.RemovedVariant("bank")),
			migrate.For[wallet](migrate.Removed("old,omitempty", (*card)(nil))))), migrate.Release("v1")))
	route := h.Route(migrate.Returns[wallet]())
	for kind, name := range map[string]string{`{"type":"string"}`: "Bank_v1", `{"type":"string","enum":["bank"]}`: "Bank"} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
		"type":"object","properties":{"bank":{"$ref":"#/components/schemas/Bank"},"source":{"$ref":"#/components/schemas/Source"}}}}}}}}}},
		"components":{"schemas":{"Source":{"oneOf":[{"$ref":"#/components/schemas/Card"}],"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card"}}},
		"Card":{"type":"object","properties":{"kind":{"type":"string"}}},"Bank":{"type":"object","properties":{"kind":`+kind+`}}}}}`), &d))
		_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err)
		made, _ := json.Marshal(d)
		assert.Contains(t, string(made), `"old":{"$ref":"#/components/schemas/Card"}`)
		schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
		assert.Len(t, schemas, map[string]int{"Bank": 3, "Bank_v1": 4}[name])
		made, _ = json.Marshal([]any{schemas["Source"], schemas["Bank"], schemas[name]})
		assert.JSONEq(t, `[{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/`+name+`"}],
		"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","bank":"#/components/schemas/`+name+`"}}},
		{"type":"object","properties":{"kind":`+kind+`}},{"type":"object","properties":{"kind":{"type":"string","enum":["bank"]}}}]`, string(made))
	}
}

// A variant only of older versions is a component, named after its Go type, once in all unions whose parts are components.
func TestDocumentsOfGoneVariantsAreComponents(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.OneOf[source]("kind", migrate.Variant[card]("card"), migrate.Variant[crypto]("crypto")),
		migrate.Release("v2", migrate.Changed("c", migrate.For[source](migrate.RemovedVariant("crypto")))), migrate.Release("v1")))
	route := h.Route(migrate.Returns[payment]())
	const cards, component, gone = `{"$ref":"#/components/schemas/Card"}`, `{"$ref":"#/components/schemas/crypto"}`, `{"type":"object","required":["coin","kind"],"properties":{"coin":{"type":"string"},"kind":{"type":"string","enum":["crypto"]}}}`
	const mapping = `,"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card"}}`
	for name, test := range map[string]struct{ part, mapping, other, want string }{
		"beside a reference":    {cards, "", ``, `{"oneOf":[` + cards + `,` + component + `]}`},
		"in a mapping":          {cards, mapping, ``, `{"oneOf":[` + cards + `,` + component + `],"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","crypto":"#/components/schemas/crypto"}}}`},
		"beside another schema": {`{"type":"object","properties":{"kind":{"type":"string","enum":["card"]}}}`, "", ``, `{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","enum":["card"]}}},` + gone + `]}`},
		"of a name that is taken": {
			cards, mapping, `,"other":{"$ref":"#/components/schemas/crypto"}`,
			`{"oneOf":[` + cards + `,{"$ref":"#/components/schemas/crypto_v1"}],"discriminator":{"propertyName":"kind","mapping":{"card":"#/components/schemas/Card","crypto":"#/components/schemas/crypto_v1"}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			union := `{"oneOf":[` + test.part + `]` + test.mapping + `}`
			var d map[string]any
			require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
				"type":"object","properties":{"source":`+union+`,"all":{"type":"array","items":`+union+`}`+test.other+`}}}}}}}}},
				"components":{"schemas":{"Card":{"type":"object","properties":{"kind":{"type":"string","enum":["card"]}}},"crypto":{"type":"string"}}}}`), &d))
			_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
			require.NoError(t, err)
			schema := d["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
			properties := schema["properties"].(map[string]any)
			made, err := json.Marshal([]any{properties["source"], properties["all"].(map[string]any)["items"]})
			require.NoError(t, err)
			assert.JSONEq(t, `[`+test.want+`,`+test.want+`]`, string(made))
			schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
			for at, want := range map[string]string{component: "crypto", `crypto_v1`: "crypto_v1"} {
				if strings.Contains(test.want, at) {
					made, err = json.Marshal(schemas[want])
					require.NoError(t, err)
					assert.JSONEq(t, gone, string(made))
				}
			}
			assert.NotContains(t, schemas, "crypto_v1_2")
		})
	}
}

// A part of a variant that is gone comes back, and objects without the member have the part without texts.
func TestDocumentsOfUnionsInAllForms(t *testing.T) {
	route := papers(t).Route(migrate.Returns[file]())
	text := `{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"papers":{"type":"array","items":{"oneOf":[
		{"type":"object","properties":{"title":{"type":"string"}}},
		{"type":"object","properties":{"type":{"enum":["a4","a5"]},"title":{"type":"string"}}},
		{"type":"object","properties":{"type":{"const":"scan"},"pixel":{"type":"integer"}}},
		{"type":"object","properties":{"type":{"const":"roll"},"long":{"type":"integer"}}}]}}}}}}}}}}}}`
	for version, want := range map[string]string{
		"v2": `[{"type":"object","properties":{"name":{"type":"string"}}},{"type":"object","properties":{"type":{"enum":["a4","a5"]},"name":{"type":"string"}}},{"type":"object","properties":{"type":{"const":"scan"},"pixel":{"type":"integer"}}}]`,
		"v1": `[{"type":"object","properties":{"name":{"type":"string"}}},{"type":"object","properties":{"type":{"enum":["a4"]},"name":{"type":"string"}}},{"type":"object","properties":{"type":{"enum":["photo"]},"dot":{"type":"integer"}}},
			{"type":"object","required":["number","type"],"properties":{"type":{"type":"string","enum":["fax"]},"number":{"type":"string"}}}]`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		_, err := route.LowerDocument(version, d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err)
		made, _ := json.Marshal(d)
		var got struct {
			Paths map[string]map[string]struct {
				Responses map[string]struct {
					Content map[string]struct {
						Schema struct {
							Properties map[string]struct {
								Items struct{ OneOf []map[string]any }
							}
						}
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal(made, &got))
		parts := got.Paths["/x"]["get"].Responses["200"].Content["application/json"].Schema.Properties["papers"].Items.OneOf
		for _, part := range parts {
			delete(part, "x-changes")
		}
		made, _ = json.Marshal(parts)
		assert.JSONEq(t, want, string(made), version)
	}
}

// logOf collects the log.
func logOf(t *testing.T) *bytes.Buffer {
	t.Helper()
	var text bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	t.Cleanup(func() { slog.SetDefault(was) })
	return &text
}

// Values of an interface in a row and in events, and what the changelog says.
func TestUnionsInStreams(t *testing.T) {
	h := sources(t)
	route := h.Route(migrate.Returns[source]())
	for mediaType, test := range map[string][2]string{
		"application/jsonl": {`{"last4":"1","kind":"card"}` + "\n" + `{"kind":"crypto"}` + "\n", `{"digits":"1","kind":"cc"}` + "\nnull\n"},
		"text/event-stream": {"data: {\"kind\":\"card\",\"last4\":\"1\"}\n\n", "data: {\"kind\":\"cc\",\"digits\":\"1\"}\n\n"},
		"application/json":  {`{"iban":"2","kind":"bank","via":{"last4":"3","kind":"card"}}`, `{"account":"2","kind":"bank"}`},
	} {
		server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			for _, piece := range split([]byte(test[0])) {
				_, _ = w.Write(piece)
				_ = http.NewResponseController(w).Flush()
			}
		})))
		assert.Equal(t, test[1], ask(t, "GET", server.URL, "v1", "").body, mediaType)
	}
	log := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/x", Rewriter: route}}})
	change := log.Versions[0].Changes[0]
	assert.True(t, change.Breaking)
	assert.Equal(t, []string{"GET /x"}, change.Routes)
	assert.Contains(t, change.Edits, migrate.EditInfo{Type: "source", Text: `"crypto" is new; older clients read null`})
	assert.Contains(t, change.Edits, migrate.EditInfo{Type: "source", Text: `"cc" is now named "card"`})
}
