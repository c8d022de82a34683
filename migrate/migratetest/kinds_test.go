package migratetest_test

import (
	"flag"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type (
	parcelBase struct {
		ID string `json:"id"`
	}
	parcelFlat struct {
		Flat string `json:"flat,omitempty"`
	}
	parcelNamed struct {
		F string `json:"f,omitempty"`
	}
	parcel struct {
		parcelBase
		Text  string   `json:"text,omitempty"`
		Flat  string   `json:"flat,omitempty"`
		New   string   `json:"new,omitempty"`
		Paid  []payer  `json:"paid,omitempty"`
		Price *decimal `json:"price,omitempty"`
	}
	payer  interface{ payer() }
	byCard struct {
		Kind string `json:"kind"`
		Card string `json:"card"`
	}
	byBank struct {
		Kind string `json:"kind"`
		Bank string `json:"bank"`
	}
	decimal struct{ _ string }
)

func (byCard) payer() {}
func (byBank) payer() {}

func (decimal) MarshalJSON() ([]byte, error) { return []byte(`"1.00"`), nil }
func (*decimal) UnmarshalJSON([]byte) error  { return nil }

// parcels is a history with each kind, or with one of them lost or changed.
func parcels(careless string) (*migrate.History, []migrate.Body, error) {
	pick := func(good migrate.Edit, bad map[string]migrate.Edit) []migrate.Edit {
		for name, edit := range bad {
			if careless == name {
				return []migrate.Edit{edit}
			}
		}
		return []migrate.Edit{good}
	}
	lost := func(name string, edits []migrate.Edit) []migrate.Edit {
		if careless == name {
			return nil
		}
		return edits
	}
	type sum struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	total := func(s sum) (string, error) { return s.ID + s.Text, nil }
	other := func(s sum) (string, error) { return s.Text + s.ID, nil }
	var edits []migrate.Edit
	for _, each := range [][]migrate.Edit{
		lost("Omitted lost", pick(migrate.Omitted("text", ""), map[string]migrate.Edit{"Omitted of another constant": migrate.Omitted("text", "none")})),
		lost("Flattened lost", pick(migrate.Flattened[parcelFlat]("obj", map[string]string{"flat": "flat"}),
			map[string]migrate.Edit{"Flattened by another name": migrate.Flattened[parcelNamed]("obj", map[string]string{"f": "flat"})})),
		pick(migrate.Added("new", migrate.Refused), map[string]migrate.Edit{"Refused is dropped": migrate.Added("new")}),
		lost("Documented lost", pick(migrate.Documented("text", `{"maxLength":3}`), map[string]migrate.Edit{"Documented in another way": migrate.Documented("text", `{"maxLength":4}`)})),
		lost("Removed lost", pick(migrate.Removed("gone,omitempty", ""), map[string]migrate.Edit{
			"Removed of another type": migrate.Removed("gone,omitempty", 0), "Removed without a type": migrate.Removed("gone"),
		})),
		lost("RemovedFrom lost", pick(migrate.RemovedFrom("sum,omitempty", "", total), map[string]migrate.Edit{"RemovedFrom by another function": migrate.RemovedFrom("sum,omitempty", "", other)})),
		lost("Withheld lost", pick(migrate.Withheld(func(p parcel) bool { return p.Text == "draft" }), nil)),
	} {
		edits = append(edits, each...)
	}
	variants := []migrate.Edit{}
	for _, each := range [][]migrate.Edit{
		lost("RenamedVariant lost", pick(migrate.RenamedVariant("cc", "card"), map[string]migrate.Edit{"RenamedVariant from another text": migrate.RenamedVariant("plastic", "card")})),
		lost("NewVariant lost", pick(migrate.NewVariant("bank", migrate.Absent), map[string]migrate.Edit{"NewVariant with another value": migrate.NewVariant("bank", nil)})),
	} {
		variants = append(variants, each...)
	}
	change := migrate.Changed("All kinds.", migrate.ForType(reflect.TypeFor[parcelBase](), lost("the edit of an embedded struct lost", pick(migrate.Renamed("key", "id"), nil))...), migrate.ForType(reflect.TypeFor[parcel](), edits...),
		migrate.ForType(reflect.TypeFor[payer](), variants...), migrate.ForType(reflect.TypeFor[byCard](), lost("the edit of a variant lost", pick(migrate.Renamed("number", "card"), nil))...))
	of := []migrate.OfOne{migrate.Variant[byCard]("card"), migrate.Variant[byBank]("bank")}
	if careless == "Closed" {
		of = append(of, migrate.Closed())
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h, err := migrate.New(api, migrate.Opaque[decimal](), migrate.OneOf[payer]("kind", of...), migrate.Release("v2", change), migrate.Release("v1"))
	bodies := []migrate.Body{migrate.Returns[parcel](), migrate.Accepts[parcel](), migrate.Fails[verso.Problem](verso.ProblemType)}
	if careless != "Lines lost" {
		bodies = append(bodies, migrate.Lines("application/json"))
	}
	if careless != "MediaType lost" {
		bodies = append(bodies, change.MediaType("application/json", "application/jsonl"))
	}
	return h, bodies, err
}

// TestCarelessEditsOfKinds: what somebody changes of a declaration without thinking of older versions is found.
func TestCarelessEditsOfKinds(t *testing.T) {
	folder := t.TempDir()
	check := func(careless string) string {
		h, bodies, err := parcels(careless)
		if err != nil {
			return err.Error()
		}
		route := verso.RouteInfo{Method: "POST", Pattern: "/parcels", Rewriter: h.Route(bodies...), Rewritten: true, Versions: []string{"v1", "v2"}}
		r := &recorder{TB: t}
		migratetest.Frozen(r, h, filepath.Join(folder, "contracts.json"), &verso.Explanation{Routes: []verso.RouteInfo{route}})
		migratetest.Examples(r, h, filepath.Join(folder, "examples.json"), map[string]any{
			"parcel": parcel{parcelBase{"1"}, "t", "f", "n", []payer{byCard{"card", "42"}, byBank{"bank", "7"}}, &decimal{}}, "empty": parcel{},
		})
		return r.failed
	}
	require.NoError(t, flag.Set("update", "true"))
	assert.Empty(t, check(""))
	require.NoError(t, flag.Set("update", "false"))
	require.Empty(t, check(""), "the files are stable")
	for _, careless := range []string{
		"Omitted lost", "Omitted of another constant", "Flattened lost", "Flattened by another name", "Refused is dropped", "Documented lost", "Documented in another way",
		"Removed of another type", "Removed without a type", "Removed lost", "RemovedFrom lost", "RemovedFrom by another function", "Withheld lost", "the edit of an embedded struct lost",
		"Lines lost", "MediaType lost", "RenamedVariant lost", "RenamedVariant from another text", "NewVariant lost", "NewVariant with another value", "the edit of a variant lost", "Closed",
	} {
		assert.NotEmpty(t, check(careless), careless)
	}
	assert.Contains(t, check("NewVariant lost"), "a change is missing: give the interface NewVariant, ")
}

// The object that was flattened keeps its name in the contract, so a service with Frozen can adopt the edit.
func TestFlattenedKeepsTheContract(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	before := func() string {
		type parcel struct {
			ID  int         `json:"id"`
			Obj *parcelFlat `json:"obj,omitempty"`
		}
		return frozen(t, contractOf[parcel](t, "v1"), file, true)
	}
	require.Empty(t, before())
	type parcel struct {
		ID   int    `json:"id"`
		Flat string `json:"flat,omitempty"`
	}
	now := frozen(t, contractOf[parcel](t, "v2 v1", migrate.Flattened[*parcelFlat]("obj", map[string]string{"flat": "flat"})), file, false)
	assert.Contains(t, now, "v2 is a new version")
	assert.NotContains(t, now, "v1")
}

func contractOf[T any](t *testing.T, versions string, edits ...migrate.Edit) *migrate.History {
	t.Helper()
	h := history(t, reflect.TypeFor[T](), versions, edits...)
	h.Route(migrate.Returns[T]())
	return h
}
