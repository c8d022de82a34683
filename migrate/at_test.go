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

type (
	placePet struct {
		Name  string    `json:"name"`
		Owner *placeMan `json:"owner,omitempty"`
	}
	placeMan struct {
		Mail string `json:"mail"`
	}
	orderPet  placePet           // with edits of its own
	listedPet struct{ placePet } // with those of placePet too
	placeBox  struct {
		Best *placePet           `json:"best"`
		All  []placePet          `json:"all"`
		By   map[string]placePet `json:"by"`
		Else placePet            `json:"else"`
	}
	outerBox struct {
		placeBox
		More int `json:"more"`
	}
)

func placesOf(t *testing.T, revisions ...migrate.Revision) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v3", "v2", "v1"), append(revisions,
		migrate.Release("v3", migrate.Changed("Pets.", migrate.For[placePet](migrate.Renamed("called", "name")))),
		migrate.Release("v2", migrate.Changed("Pets of orders.", migrate.For[orderPet](migrate.Renamed("label", "name")), migrate.For[listedPet](migrate.Removed("listed", true)))),
		migrate.Release("v1"))...)
	require.NoError(t, err)
	return h
}

// TestAt: at some places a type has other edits than elsewhere, in both directions.
func TestAt(t *testing.T) {
	h := placesOf(t, migrate.At[placeBox, orderPet]("best", "by"), migrate.At[placeBox, listedPet]("all"))
	box := placeBox{Best: &placePet{Name: "a"}, All: []placePet{{Name: "b"}}, By: map[string]placePet{"k": {Name: "c"}}, Else: placePet{Name: "d"}}
	for version, want := range map[string]string{
		"v3": `{"best":{"name":"a"},"all":[{"name":"b"}],"by":{"k":{"name":"c"}},"else":{"name":"d"}}`,
		"v2": `{"best":{"name":"a"},"all":[{"called":"b"}],"by":{"k":{"name":"c"}},"else":{"called":"d"}}`,
		"v1": `{"best":{"label":"a"},"all":[{"called":"b","listed":true}],"by":{"k":{"label":"c"}},"else":{"called":"d"}}`,
	} {
		got, err := h.Lower(verso.V(version), box)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), version)
		back, err := migrate.Lift[placeBox](h, verso.V(version), got)
		require.NoError(t, err)
		assert.Equal(t, box, back, version)
	}
	outer, err := h.Lower(verso.V("v1"), outerBox{placeBox: box})
	require.NoError(t, err)
	assert.Contains(t, string(outer), `"best":{"label":"a"}`, "an embedded struct")
}

// TestAtInContracts: the type of a place is in the contract of versions in which it differs, and only there.
func TestAtInContracts(t *testing.T) {
	h := placesOf(t, migrate.At[placeBox, orderPet]("best"))
	_ = h.Route(migrate.Returns[placeBox]())
	for version, want := range map[string]string{"v3": "placePet", "v2": "orderPet", "v1": "orderPet"} {
		schema, err := h.Schema(verso.V(version))
		require.NoError(t, err)
		for _, o := range schema.Objects {
			if o.Name == "placeBox" {
				assert.Equal(t, want, o.Members[0].Type.Name, version)
				assert.Equal(t, "placePet", o.Members[3].Type.Name, version)
			}
		}
	}
}

func TestAtInDocuments(t *testing.T) {
	h := placesOf(t, migrate.At[placeBox, orderPet]("best"))
	route := h.Route(migrate.Returns[placeBox]())
	const ref = `{"$ref":"#/components/schemas/Pet"}`
	for version, want := range map[string]string{
		"v1": `{"Pet":{"properties":{"called":{"type":"string"}}},"orderPet":{"properties":{"label":{"type":"string"}}}}`,
		"v2": `{"Pet":{"properties":{"called":{"type":"string"}}},"orderPet":{"properties":{"name":{"type":"string"}}}}`,
	} {
		var document map[string]any
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"properties":{"best":%s,"else":%[1]s}}}}}}}}},
			"components":{"schemas":{"Pet":{"properties":{"name":{"type":"string"}}}}}}`, ref), &document))
		_, err := route.LowerDocument(version, document, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err)
		schemas := document["components"].(map[string]any)["schemas"]
		for _, s := range schemas.(map[string]any) {
			delete(s.(map[string]any), "x-changes")
		}
		got, err := json.Marshal(schemas)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), version)
		assert.JSONEq(t, `{"properties":{"best":{"$ref":"#/components/schemas/orderPet"},"else":`+ref+`}}`, schemaIn(document))
	}
}

func TestAtIsRefused(t *testing.T) {
	type less struct {
		Name string `json:"name"`
	}
	for _, test := range []struct {
		at   migrate.Revision
		want string
	}{
		{migrate.At[placeBox, orderPet](), "migrate: At[placeBox, orderPet]: it has no member: give the names of those that have this type"},
		{migrate.At[placeBox, orderPet]("worst"), `there is no member "worst" (it has best, all, by, else)`},
		{migrate.At[placeBox, less]("best"), `"best" is placePet, which less is not: its member "owner" differs from that in placePet: give it the members of the newest version`},
		{migrate.At[placeBox, placePet]("best"), `"best" has this type already: give its edits to For`},
		{migrate.At[placePet, orderPet]("name"), `"name" is string, which orderPet is not`},
		{migrate.AtType(reflect.TypeFor[string](), reflect.TypeFor[orderPet](), "x"), "migrate: At[string, orderPet]: give a struct, and names of its members"},
		{migrate.AtType(nil, nil, "x"), "migrate: At[nil, nil]: give a struct, and names of its members"},
	} {
		_, err := migrate.New(apiOf("v1"), test.at, migrate.Release("v1"))
		assert.ErrorContains(t, err, test.want)
	}
	_, err := migrate.New(apiOf("v1"), migrate.At[placeBox, orderPet]("best"), migrate.At[placeBox, listedPet]("best"), migrate.Release("v1"))
	assert.ErrorContains(t, err, `"best" is declared twice`)
}
