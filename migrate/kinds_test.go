package migrate_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// watched collects what Checked would say.
func watched(t *testing.T, h *migrate.History) *[]string {
	t.Helper()
	var list []string
	t.Cleanup(watch.Responses(h, func(a watch.Answer) { list = append(list, a.Mistakes...) }))
	return &list
}

// raw is a type that marshals itself, as decimals and null times do.
type opaqueTime struct{ text string }

func (r opaqueTime) MarshalJSON() ([]byte, error) { return json.Marshal(r.text) }

type pointerTime struct{ text string }

func (r *pointerTime) MarshalJSON() ([]byte, error) { return json.Marshal(r.text) }

func TestOpaqueTypes(t *testing.T) {
	type deleted struct {
		ID      string                `json:"id"`
		Deleted opaqueTime            `json:"deleted"`
		Times   map[string]opaqueTime `json:"times"`
		Pointer *pointerTime          `json:"pointer"`
		List    []*pointerTime        `json:"list"`
	}
	rename := migrate.Release("v2", migrate.Changed("x", migrate.For[deleted](migrate.Renamed("key", "id"))))
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Opaque[opaqueTime](), migrate.Opaque[pointerTime](), rename, migrate.Release("v1"))
	require.NoError(t, err)
	assert.NotPanics(t, func() { h.Route(migrate.Returns[[]deleted](), migrate.Accepts[deleted]()) })
	assert.Equal(t, []verso.Version{verso.V("v2"), verso.V("v1")}, h.Versions())
	raw, err := h.Lower(verso.V("v1"), deleted{ID: "1", Deleted: opaqueTime{"t"}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"key":"1","deleted":"t","times":null,"pointer":null,"list":null}`, string(raw))
	h, err = migrate.New(apiOf("v2", "v1"), rename, migrate.Release("v1"))
	require.NoError(t, err)
	assert.Panics(t, func() { h.Route(migrate.Returns[deleted]()) }, "without Opaque")
	for _, bad := range []migrate.Revision{migrate.Opaque[json.RawMessage](), migrate.Opaque[User](), migrate.Opaque[any](), migrate.Opaque[string]()} {
		_, err = migrate.New(apiOf("v2", "v1"), bad, rename, migrate.Release("v1"))
		assert.ErrorContains(t, err, "give it a type of your own that marshals itself")
	}
}

// An edit of an embedded struct is in the contract, the changelog and the checks of the outer one.
func TestEmbeddedEdits(t *testing.T) {
	h := changed(t, migrate.For[Thing](migrate.Renamed("old", "a"), migrate.Removed("gone", 1)))
	route := h.Route(migrate.Accepts[Outer](), migrate.Returns[[]Deep]())
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	var text []string
	for _, o := range schema.Objects {
		for _, m := range o.Members {
			text = append(text, o.Name+"."+m.Name)
		}
	}
	assert.Subset(t, text, []string{"Outer.old", "Outer.gone", "Outer.extra", "Deep.old", "Deep.gone", "Thing.old"})
	assert.NotContains(t, text, "Outer.a")
	log := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "POST", Pattern: "/x", Rewriter: route}}})
	assert.Equal(t, []string{"POST /x"}, log.Versions[0].Changes[0].Routes)
	mistakes := watched(t, h)
	server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode([]Deep{{Outer: &Outer{Thing: Thing{A: "x"}}}, {More: "no outer"}})
	})))
	a := ask(t, "POST", server.URL, "v1", `{"old":"1"}`)
	assert.JSONEq(t, `[{"id":0,"old":"x","extra":"","more":"","gone":1},{"more":"no outer","gone":1}]`, a.body)
	time.Sleep(10 * time.Millisecond)
	assert.Empty(t, *mistakes)
	// A function of Go values cannot read a struct with promoted edits either.
	type box struct {
		Outer Outer `json:"outer"`
	}
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](migrate.Renamed("old", "a")),
		migrate.For[box](migrate.Mapped("outer", func(string) (Outer, error) { return Outer{}, nil }, func(Outer) (string, error) { return "", nil })))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "the member is of a struct that has edits")
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](migrate.Renamed("old", "a")),
		migrate.For[Outer](migrate.Reshaped(nil, func(Outer) (string, error) { return "", nil }, "")))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "a reshaped type can have no other edit")
	h = changed(t, migrate.For[Thing](migrate.Reshaped(nil, func(Thing) (string, error) { return "", nil }, "")))
	assert.PanicsWithError(t, "migrate: Thing is embedded in Outer, whose members it has: it cannot be Reshaped there", func() { h.Route(migrate.Returns[Outer]()) })
}
