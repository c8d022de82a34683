package migrate_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// printBoth prints what clients of both versions read, what the handler gets of what a client of v1 sends, and the
// schemas in the documents of both.
func printBoth[T any](edits migrate.TypeEdits, value T, sent, schema string, beside ...migrate.Revision) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, append(beside, migrate.Release("v2", migrate.Changed("The type is another.", edits)), migrate.Release("v1"))...))
	newest, _ := json.Marshal(value)
	older, err := h.Lower(verso.V("v1"), value)
	fmt.Println("v2 reads", string(newest))
	fmt.Println("v1 reads", string(older), err)
	got, err := migrate.Lift[T](h, verso.V("v1"), []byte(sent))
	raw, _ := json.Marshal(got)
	if err != nil {
		raw = []byte(err.Error())
	}
	fmt.Println("v1 sends", sent+", the handler gets", string(raw))

	// Package openapi calls this for each document.
	route := h.Route(migrate.Returns[T]())
	var document map[string]any
	_ = json.Unmarshal(fmt.Appendf(nil, `{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":%s}}}}}}}}`, schema), &document)
	_, err = route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	fmt.Println("v2 documents", schema)
	fmt.Println("v1 documents", schemaIn(document), err)
}

// schemaIn returns the schema of the response, without the texts of the changes.
func schemaIn(value any) string {
	for _, key := range []string{"paths", "/x", "get", "responses", "200", "content", "application/json", "schema"} {
		value = value.(map[string]any)[key]
	}
	var clean func(value any)
	clean = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, each := range value {
				clean(each)
			}
		case map[string]any:
			delete(value, "x-changes")
			for _, each := range value {
				clean(each)
			}
		}
	}
	clean(value)
	text, _ := json.Marshal(value)
	return string(text)
}

// Renamed: a member has another name.
func ExampleRenamed() {
	type order struct {
		Reference string `json:"reference"`
	}
	printBoth(migrate.For[order](migrate.Renamed("ref", "reference")),
		order{"A-1"}, `{"ref":"A-1"}`,
		`{"type":"object","required":["reference"],"properties":{"reference":{"type":"string"}}}`)
	// Output:
	// v2 reads {"reference":"A-1"}
	// v1 reads {"ref":"A-1"} <nil>
	// v1 sends {"ref":"A-1"}, the handler gets {"reference":"A-1"}
	// v2 documents {"type":"object","required":["reference"],"properties":{"reference":{"type":"string"}}}
	// v1 documents {"properties":{"ref":{"type":"string"}},"required":["ref"],"type":"object"} <nil>
}

// Added: older clients do not see a new member, and may not send one that is Refused.
func ExampleAdded() {
	type order struct {
		ID    int    `json:"id"`
		Note  string `json:"note,omitempty"`
		Audit bool   `json:"audit,omitempty"`
	}
	printBoth(migrate.For[order](migrate.Added("note"), migrate.Added("audit", migrate.Refused)),
		order{1, "fragile", true}, `{"id":1,"audit":true}`,
		`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"},"audit":{"type":"boolean"}}}`)
	// Output:
	// v2 reads {"id":1,"note":"fragile","audit":true}
	// v1 reads {"id":1} <nil>
	// v1 sends {"id":1,"audit":true}, the handler gets the body has a value that this version does not have: "/audit"
	// v2 documents {"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"},"audit":{"type":"boolean"}}}
	// v1 documents {"properties":{"id":{"type":"integer"}},"required":["id"],"type":"object"} <nil>
}

// Removed: one member always had a constant, and one had nothing for most orders.
func ExampleRemoved() {
	type order struct {
		ID int `json:"id"`
	}
	printBoth(migrate.For[order](migrate.Removed("currency", "EUR"), migrate.Removed("coupon,omitempty", "")),
		order{1}, `{"id":1,"currency":"USD","coupon":"X"}`,
		`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}`)
	// Output:
	// v2 reads {"id":1}
	// v1 reads {"id":1,"currency":"EUR"} <nil>
	// v1 sends {"id":1,"currency":"USD","coupon":"X"}, the handler gets {"id":1}
	// v2 documents {"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}
	// v1 documents {"properties":{"coupon":{"type":"string"},"currency":{"examples":["EUR"],"type":"string"},"id":{"type":"integer"}},"required":["currency","id"],"type":"object"} <nil>
}

// RemovedFrom: a member that is gone is made of two others.
func ExampleRemovedFrom() {
	type order struct {
		Net int `json:"net"`
		Tax int `json:"tax"`
	}
	type parts struct {
		Net int `json:"net"`
		Tax int `json:"tax"`
	}
	printBoth(migrate.For[order](migrate.RemovedFrom("total", "", func(p parts) (int, error) { return p.Net + p.Tax, nil })),
		order{100, 19}, `{"net":100,"tax":19,"total":119}`,
		`{"type":"object","required":["net","tax"],"properties":{"net":{"type":"integer"},"tax":{"type":"integer"}}}`)
	// Output:
	// v2 reads {"net":100,"tax":19}
	// v1 reads {"net":100,"tax":19,"total":119} <nil>
	// v1 sends {"net":100,"tax":19,"total":119}, the handler gets {"net":100,"tax":19}
	// v2 documents {"type":"object","required":["net","tax"],"properties":{"net":{"type":"integer"},"tax":{"type":"integer"}}}
	// v1 documents {"properties":{"net":{"type":"integer"},"tax":{"type":"integer"},"total":{"type":"integer"}},"required":["net","tax","total"],"type":"object"} <nil>
}

// Omitted: the tag got omitempty.
func ExampleOmitted() {
	type order struct {
		ID   int    `json:"id"`
		Note string `json:"note,omitempty"`
	}
	printBoth(migrate.For[order](migrate.Omitted("note", "")),
		order{ID: 1}, `{"id":1}`,
		`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}`)
	// Output:
	// v2 reads {"id":1}
	// v1 reads {"id":1,"note":""} <nil>
	// v1 sends {"id":1}, the handler gets {"id":1}
	// v2 documents {"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}
	// v1 documents {"properties":{"id":{"type":"integer"},"note":{"type":"string"}},"required":["id","note"],"type":"object"} <nil>
}

// Default: an order without a priority was a low one.
func ExampleDefault() {
	type order struct {
		Priority string `json:"priority,omitempty"`
	}
	printBoth(migrate.For[order](migrate.Default("priority", "low")),
		order{"high"}, `{}`,
		`{"type":"object","properties":{"priority":{"type":"string"}}}`)
	// Output:
	// v2 reads {"priority":"high"}
	// v1 reads {"priority":"high"} <nil>
	// v1 sends {}, the handler gets {"priority":"low"}
	// v2 documents {"type":"object","properties":{"priority":{"type":"string"}}}
	// v1 documents {"properties":{"priority":{"default":"low","type":"string"}},"type":"object"} <nil>
}

// NotNull: a name was always a text, and is null now for guests without one.
func ExampleNotNull() {
	type order struct {
		Name *string `json:"name"`
	}
	printBoth(migrate.For[order](migrate.NotNull("name", "")), order{}, `{"name":""}`,
		`{"type":"object","required":["name"],"properties":{"name":{"type":["string","null"],"minLength":1}}}`)
	// Output:
	// v2 reads {"name":null}
	// v1 reads {"name":""} <nil>
	// v1 sends {"name":""}, the handler gets {"name":""}
	// v2 documents {"type":"object","required":["name"],"properties":{"name":{"type":["string","null"],"minLength":1}}}
	// v1 documents {"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"} <nil>
}

// Documented of the object itself: a name was required, and other members were not allowed.
func ExampleDocumented_object() {
	type order struct {
		Name string `json:"name,omitempty"`
		Note string `json:"note,omitempty"`
	}
	printBoth(migrate.For[order](migrate.Documented("", `{"required":["name"],"additionalProperties":false}`)), order{Name: "Ada"}, `{"name":"Ada"}`,
		`{"type":"object","required":["note"],"properties":{"name":{"type":"string"},"note":{"type":"string"}}}`)
	// Output:
	// v2 reads {"name":"Ada"}
	// v1 reads {"name":"Ada"} <nil>
	// v1 sends {"name":"Ada"}, the handler gets {"name":"Ada"}
	// v2 documents {"type":"object","required":["note"],"properties":{"name":{"type":"string"},"note":{"type":"string"}}}
	// v1 documents {"additionalProperties":false,"properties":{"name":{"type":"string"},"note":{"type":"string"}},"required":["name"],"type":"object"} <nil>
}

// Values: one value has another name, one is new, and one is gone.
func ExampleValues() {
	type order struct {
		State string `json:"state"`
	}
	printBoth(migrate.For[order](migrate.Values("state", map[string]string{"sent": "shipped"}, migrate.NewValue("held", "open"), migrate.OldValue("lost", "open"))),
		order{"held"}, `{"state":"lost"}`,
		`{"type":"object","required":["state"],"properties":{"state":{"type":"string","enum":["open","shipped","held"]}}}`)
	// Output:
	// v2 reads {"state":"held"}
	// v1 reads {"state":"open"} <nil>
	// v1 sends {"state":"lost"}, the handler gets {"state":"open"}
	// v2 documents {"type":"object","required":["state"],"properties":{"state":{"type":"string","enum":["open","shipped","held"]}}}
	// v1 documents {"properties":{"state":{"enum":["open","sent","lost"],"type":"string"}},"required":["state"],"type":"object"} <nil>
}

// Mapped: a price was a whole number of euros, and was left out for free orders.
func ExampleMapped() {
	type order struct {
		Cents int `json:"price"`
	}
	printBoth(migrate.For[order](migrate.Mapped("price,omitzero", func(euros int) (int, error) { return euros * 100, nil }, func(cents int) (int, error) { return cents / 100, nil })),
		order{1200}, `{"price":7}`,
		`{"type":"object","required":["price"],"properties":{"price":{"type":"integer"}}}`)
	// Output:
	// v2 reads {"price":1200}
	// v1 reads {"price":12} <nil>
	// v1 sends {"price":7}, the handler gets {"price":700}
	// v2 documents {"type":"object","required":["price"],"properties":{"price":{"type":"integer"}}}
	// v1 documents {"properties":{"price":{"type":"integer"}},"type":"object"} <nil>
}

// Joined_document: two names became one.
func ExampleJoined_document() {
	type order struct {
		Name string `json:"name"`
	}
	printBoth(migrate.For[order](migrate.Joined("first", "last", "name", joinName, splitName)),
		order{"Ada Lovelace"}, `{"first":"Grace","last":"Hopper"}`,
		`{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`)
	// Output:
	// v2 reads {"name":"Ada Lovelace"}
	// v1 reads {"first":"Ada","last":"Lovelace"} <nil>
	// v1 sends {"first":"Grace","last":"Hopper"}, the handler gets {"name":"Grace Hopper"}
	// v2 documents {"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}
	// v1 documents {"properties":{"first":{"type":"string"},"last":{"type":"string"}},"required":["first","last"],"type":"object"} <nil>
}

// Nested: two members moved into an object.
func ExampleNested() {
	type address struct {
		City string `json:"city"`
		Code string `json:"code"`
	}
	type order struct {
		To address `json:"to"`
	}
	printBoth(migrate.For[order](migrate.Nested("to", map[string]string{"city": "city", "zip": "code"})),
		order{address{"Rome", "00184"}}, `{"city":"Oslo","zip":"0150"}`,
		`{"type":"object","required":["to"],"properties":{"to":{"type":"object","required":["city","code"],"properties":{"city":{"type":"string"},"code":{"type":"string"}}}}}`)
	// Output:
	// v2 reads {"to":{"city":"Rome","code":"00184"}}
	// v1 reads {"city":"Rome","zip":"00184"} <nil>
	// v1 sends {"city":"Oslo","zip":"0150"}, the handler gets {"to":{"city":"Oslo","code":"0150"}}
	// v2 documents {"type":"object","required":["to"],"properties":{"to":{"type":"object","required":["city","code"],"properties":{"city":{"type":"string"},"code":{"type":"string"}}}}}
	// v1 documents {"properties":{"city":{"type":"string"},"zip":{"type":"string"}},"required":["city","zip"],"type":"object"} <nil>
}

// Flattened: an object is gone, and its members are outside.
func ExampleFlattened() {
	type person struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	}
	type order struct {
		Name  string `json:"buyer"`
		Email string `json:"email"`
	}
	printBoth(migrate.For[order](migrate.Flattened[person]("customer", map[string]string{"name": "buyer", "email": "email"})),
		order{"Ada", "ada@example.com"}, `{"customer":{"name":"Grace","email":"g@example.com"}}`,
		`{"type":"object","required":["buyer","email"],"properties":{"buyer":{"type":"string"},"email":{"type":"string"}}}`)
	// Output:
	// v2 reads {"buyer":"Ada","email":"ada@example.com"}
	// v1 reads {"customer":{"email":"ada@example.com","name":"Ada"}} <nil>
	// v1 sends {"customer":{"name":"Grace","email":"g@example.com"}}, the handler gets {"buyer":"Grace","email":"g@example.com"}
	// v2 documents {"type":"object","required":["buyer","email"],"properties":{"buyer":{"type":"string"},"email":{"type":"string"}}}
	// v1 documents {"properties":{"customer":{"properties":{"email":{"type":"string"},"name":{"type":"string"}},"required":["email","name"],"type":"object"}},"required":["customer"],"type":"object"} <nil>
}

// Documented: a text may be longer now.
func ExampleDocumented() {
	type order struct {
		Note string `json:"note"`
	}
	printBoth(migrate.For[order](migrate.Documented("note", `{"maxLength":80,"deprecated":true}`)),
		order{"fragile"}, `{"note":"fragile"}`,
		`{"type":"object","required":["note"],"properties":{"note":{"type":"string","maxLength":400}}}`)
	// Output:
	// v2 reads {"note":"fragile"}
	// v1 reads {"note":"fragile"} <nil>
	// v1 sends {"note":"fragile"}, the handler gets {"note":"fragile"}
	// v2 documents {"type":"object","required":["note"],"properties":{"note":{"type":"string","maxLength":400}}}
	// v1 documents {"properties":{"note":{"deprecated":true,"maxLength":80,"type":"string"}},"required":["note"],"type":"object"} <nil>
}

// Withheld: lists have drafts now.
func ExampleWithheld() {
	type order struct {
		ID    int  `json:"id"`
		Draft bool `json:"draft,omitempty"`
	}
	type orders struct {
		Items []order `json:"items"`
	}
	printBoth(migrate.For[order](migrate.Withheld(func(o order) bool { return o.Draft })),
		orders{[]order{{1, false}, {2, true}}}, `{"items":[]}`,
		`{"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"draft":{"type":"boolean"}}}}}}`)
	// Output:
	// v2 reads {"items":[{"id":1},{"id":2,"draft":true}]}
	// v1 reads {"items":[{"id":1}]} <nil>
	// v1 sends {"items":[]}, the handler gets {"items":[]}
	// v2 documents {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"draft":{"type":"boolean"}}}}}}
	// v1 documents {"properties":{"items":{"items":{"properties":{"draft":{"type":"boolean"},"id":{"type":"integer"}},"required":["id"],"type":"object"},"type":"array"}},"required":["items"],"type":"object"} <nil>
}

// Split: one name became two.
func ExampleSplit() {
	type order struct {
		First string `json:"first"`
		Last  string `json:"last"`
	}
	printBoth(migrate.For[order](migrate.Split("name", "first", "last", splitName, joinName)),
		order{"Ada", "Lovelace"}, `{"name":"Grace Hopper"}`,
		`{"type":"object","required":["first","last"],"properties":{"first":{"type":"string"},"last":{"type":"string"}}}`)
	// Output:
	// v2 reads {"first":"Ada","last":"Lovelace"}
	// v1 reads {"name":"Ada Lovelace"} <nil>
	// v1 sends {"name":"Grace Hopper"}, the handler gets {"first":"Grace","last":"Hopper"}
	// v2 documents {"type":"object","required":["first","last"],"properties":{"first":{"type":"string"},"last":{"type":"string"}}}
	// v1 documents {"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"} <nil>
}

// Additive: all clients may read and send the new member.
func ExampleAdditive() {
	type order struct {
		ID   int    `json:"id"`
		Note string `json:"note,omitempty"`
	}
	printBoth(migrate.For[order](migrate.Additive("note")),
		order{1, "fragile"}, `{"id":2,"note":"x"}`,
		`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}`)
	// Output:
	// v2 reads {"id":1,"note":"fragile"}
	// v1 reads {"id":1,"note":"fragile"} <nil>
	// v1 sends {"id":2,"note":"x"}, the handler gets {"id":2,"note":"x"}
	// v2 documents {"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}
	// v1 documents {"properties":{"id":{"type":"integer"},"note":{"type":"string"}},"required":["id"],"type":"object"} <nil>
}

// Reshaped: the whole object was another one.
func ExampleReshaped() {
	type point struct {
		Text string `json:"text"`
	}
	type place struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	up := func(p point) (place place, err error) {
		_, err = fmt.Sscanf(p.Text, "%d %d", &place.X, &place.Y)
		return place, err
	}
	down := func(p place) (point, error) { return point{fmt.Sprintf("%d %d", p.X, p.Y)}, nil }
	printBoth(migrate.For[place](migrate.Reshaped(up, down, "")),
		place{3, 4}, `{"text":"5 6"}`,
		`{"type":"object","required":["x","y"],"properties":{"x":{"type":"integer"},"y":{"type":"integer"}}}`)
	// Output:
	// v2 reads {"x":3,"y":4}
	// v1 reads {"text":"3 4"} <nil>
	// v1 sends {"text":"5 6"}, the handler gets {"x":5,"y":6}
	// v2 documents {"type":"object","required":["x","y"],"properties":{"x":{"type":"integer"},"y":{"type":"integer"}}}
	// v1 documents {"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"} <nil>
}

// The structs of an interface that a member tells apart.
type (
	settled interface{ settled() }
	byCard  struct {
		Kind   string `json:"kind"`
		Digits string `json:"digits"`
	}
	byVoucher struct {
		Kind string `json:"kind"`
		Code string `json:"code"`
	}
	invoice struct {
		Paid []settled `json:"paid"`
	}
)

func (byCard) settled()    {}
func (byVoucher) settled() {}

// OneOf: a variant is new, and has no place in the lists of older clients; another has an edit of its own, and one is gone.
func ExampleOneOf() {
	var history = []migrate.Revision{migrate.OneOf[settled]("kind", migrate.Variant[byCard]("card"), migrate.Variant[byVoucher]("voucher"))}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, append(history,
		migrate.Release("v2", migrate.Changed("Vouchers.",
			migrate.For[settled](migrate.RenamedVariant("cc", "card"), migrate.NewVariant("voucher", migrate.Absent), migrate.RemovedVariant("cash")),
			migrate.For[byCard](migrate.Renamed("number", "digits")))),
		migrate.Release("v1"))...))
	older, err := h.Lower(verso.V("v1"), invoice{[]settled{byVoucher{"voucher", "X"}, byCard{"card", "42"}}})
	fmt.Println(string(older), err)
	lifted, err := h.LiftJSON(verso.V("v1"), reflect.TypeFor[invoice](), []byte(`{"paid":[{"number":"43","kind":"cc"}]}`))
	fmt.Println(string(lifted), err)
	for _, kind := range []string{"voucher", "cash"} {
		_, err = h.LiftJSON(verso.V("v1"), reflect.TypeFor[invoice](), fmt.Appendf(nil, `{"paid":[{"kind":%q}]}`, kind))
		fmt.Println(err)
	}

	route := h.Route(migrate.Returns[invoice]())
	var document map[string]any
	_ = json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"properties":{"paid":{"items":{"oneOf":[
		{"properties":{"kind":{"const":"card"},"digits":{"type":"string"}}},
		{"properties":{"kind":{"const":"voucher"},"code":{"type":"string"}}}]}}}}}}}}}}}}`), &document)
	_, err = route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	fmt.Println(schemaIn(document), err)
	// Output:
	// {"paid":[{"kind":"cc","number":"42"}]} <nil>
	// {"paid":[{"digits":"43","kind":"card"}]} <nil>
	// the body has a value that this version does not have: "/paid/0/kind"
	// the body has a value that this version does not have: "/paid/0/kind"
	// {"properties":{"paid":{"items":{"oneOf":[{"properties":{"kind":{"enum":["cc"]},"number":{"type":"string"}}}]}}}} <nil>
}

// millis marshals itself.
type millis int64

func (m millis) MarshalJSON() ([]byte, error) { return json.Marshal(time.UnixMilli(int64(m)).UTC()) }

// price is a struct that marshals itself.
type price struct{ cents int }

func (p price) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `"%d.%02d"`, p.cents/100, p.cents%100), nil
}
func (p *price) UnmarshalJSON([]byte) error { return nil }

// Opaque: a type that marshals itself is the same in all versions. A kind of number, bool or text needs no word.
func ExampleOpaque() {
	type order struct {
		At    millis `json:"created"`
		Price price  `json:"price"`
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Opaque[price](),
		migrate.Release("v2", migrate.Changed("A name.", migrate.For[order](migrate.Renamed("at", "created")))), migrate.Release("v1")))
	_ = h.Route(migrate.Returns[order]())
	older, err := h.Lower(verso.V("v1"), order{0, price{199}})
	fmt.Println(string(older), err)
	// Output:
	// {"at":"1970-01-01T00:00:00Z","price":"1.99"} <nil>
}

// Lines and MediaType: a route wrote values in a row as application/json, and names them now.
func ExampleLines() {
	type event struct {
		Kind string `json:"kind"`
	}
	lines := migrate.Changed("Events are JSON lines.", migrate.For[event](migrate.Renamed("type", "kind")))
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", lines), migrate.Release("v1")))

	// In a service: v.Rewrite(route).GET("/events", events).
	route := h.Route(migrate.Returns[event](), migrate.Lines("application/x-events"), lines.MediaType("application/json", "application/x-events"))
	events := rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-events; charset=utf-8")
		_ = json.NewEncoder(w).Encode(event{"created"})
		_ = json.NewEncoder(w).Encode(event{"sent"})
	}))
	for _, version := range []string{"v2", "v1"} {
		r := httptest.NewRequest(http.MethodGet, "/events", http.NoBody)
		r.Header.Set("Api-Version", version)
		w := httptest.NewRecorder()
		events.ServeHTTP(w, r)
		fmt.Printf("%s %s\n%s", version, w.Header().Get("Content-Type"), w.Body)
	}
	// Output:
	// v2 application/x-events; charset=utf-8
	// {"kind":"created"}
	// {"kind":"sent"}
	// v1 application/json; charset=utf-8
	// {"type":"created"}
	// {"type":"sent"}
}

// An embedded struct: its edits apply to the outer object.
func ExampleFor_embedded() {
	type base struct {
		ID int `json:"id"`
	}
	type order struct {
		base
		Note string `json:"note"`
	}
	printBoth(migrate.For[base](migrate.Renamed("number", "id")), order{base{1}, "fragile"}, `{"number":2,"note":""}`,
		`{"type":"object","required":["id","note"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}`)
	// Output:
	// v2 reads {"id":1,"note":"fragile"}
	// v1 reads {"number":1,"note":"fragile"} <nil>
	// v1 sends {"number":2,"note":""}, the handler gets {"id":2,"note":""}
	// v2 documents {"type":"object","required":["id","note"],"properties":{"id":{"type":"integer"},"note":{"type":"string"}}}
	// v1 documents {"properties":{"note":{"type":"string"},"number":{"type":"integer"}},"required":["note","number"],"type":"object"} <nil>
}

type examplePet struct {
	Name string `json:"name"`
}

// PetInOrder is what an order has in place of an examplePet.
type PetInOrder examplePet

// At: pets were renamed in orders alone.
func ExampleAt() {
	type order struct {
		Pet  examplePet   `json:"pet"`
		Free []examplePet `json:"free"`
	}
	printBoth(migrate.For[PetInOrder](migrate.Renamed("label", "name")), order{examplePet{"Rex"}, []examplePet{{"Tom"}}}, `{"pet":{"label":"Rex"},"free":[]}`,
		`{"type":"object","properties":{"pet":{"properties":{"name":{"type":"string"}}},"free":{"type":"array"}}}`, migrate.At[order, PetInOrder]("pet"))
	// Output:
	// v2 reads {"pet":{"name":"Rex"},"free":[{"name":"Tom"}]}
	// v1 reads {"pet":{"label":"Rex"},"free":[{"name":"Tom"}]} <nil>
	// v1 sends {"pet":{"label":"Rex"},"free":[]}, the handler gets {"pet":{"name":"Rex"},"free":[]}
	// v2 documents {"type":"object","properties":{"pet":{"properties":{"name":{"type":"string"}}},"free":{"type":"array"}}}
	// v1 documents {"properties":{"free":{"type":"array"},"pet":{"properties":{"label":{"type":"string"}}}},"type":"object"} <nil>
}

type examplePayload struct {
	Payload examplePet `json:"payload"`
}

// PetBody is the body of a response.
type PetBody struct{ examplePet }

// Unwrapped: the body was {"payload": …}, and is the pet itself. Edits of the pet apply inside.
func ExampleUnwrapped() {
	printBoth(migrate.For[PetBody](migrate.Unwrapped[examplePayload]("payload"), migrate.Renamed("label", "name")),
		PetBody{examplePet{"Rex"}}, `{"payload":{"label":"Tom"}}`, `{"type":"object","properties":{"name":{"type":"string"}}}`)
	// Output:
	// v2 reads {"name":"Rex"}
	// v1 reads {"payload":{"label":"Rex"}} <nil>
	// v1 sends {"payload":{"label":"Tom"}}, the handler gets {"name":"Tom"}
	// v2 documents {"type":"object","properties":{"name":{"type":"string"}}}
	// v1 documents {"properties":{"payload":{"properties":{"label":{"type":"string"}},"type":"object"}},"required":["payload"],"type":"object"} <nil>
}

// Wrapped: the body was a list, and is a page of it.
func ExampleWrapped() {
	type page struct {
		Items []examplePet `json:"items"`
		Next  string       `json:"next"`
	}
	printBoth(migrate.For[page](migrate.Wrapped("items")), page{[]examplePet{{"Rex"}}, "p2"}, `[{"name":"Tom"}]`,
		`{"type":"object","properties":{"items":{"type":"array","items":{"properties":{"name":{"type":"string"}}}},"next":{"type":"string"}}}`)
	// Output:
	// v2 reads {"items":[{"name":"Rex"}],"next":"p2"}
	// v1 reads [{"name":"Rex"}] <nil>
	// v1 sends [{"name":"Tom"}], the handler gets {"items":[{"name":"Tom"}],"next":""}
	// v2 documents {"type":"object","properties":{"items":{"type":"array","items":{"properties":{"name":{"type":"string"}}}},"next":{"type":"string"}}}
	// v1 documents {"items":{"properties":{"name":{"type":"string"}}},"type":"array"} <nil>
}

// RoomState is the state of a room, wherever it is.
type RoomState string

// A named text: its edits are given once, for each member, element and value of it.
func ExampleFor_value() {
	type hotel struct {
		Best  RoomState   `json:"best"`
		Rooms []RoomState `json:"rooms"`
	}
	printBoth(migrate.For[RoomState](migrate.Values("", map[string]string{"open": "free"})), hotel{"free", []RoomState{"taken", "free"}}, `{"best":"open","rooms":[]}`,
		`{"type":"object","properties":{"best":{"type":"string","enum":["free","taken"]},"rooms":{"type":"array","items":{"type":"string"}}}}`)
	// Output:
	// v2 reads {"best":"free","rooms":["taken","free"]}
	// v1 reads {"best":"open","rooms":["taken","open"]} <nil>
	// v1 sends {"best":"open","rooms":[]}, the handler gets {"best":"free","rooms":[]}
	// v2 documents {"type":"object","properties":{"best":{"type":"string","enum":["free","taken"]},"rooms":{"type":"array","items":{"type":"string"}}}}
	// v1 documents {"properties":{"best":{"enum":["open","taken"],"type":"string"},"rooms":{"items":{"type":"string"},"type":"array"}},"type":"object"} <nil>
}
