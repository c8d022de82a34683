package migrate_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/migrate"
)

// Ordered is a type whose edits fit in one order only.
type Ordered struct {
	A     string   `json:"a"`
	Note  string   `json:"note,omitempty"`
	Plan  string   `json:"plan"`
	First string   `json:"first"`
	Last  string   `json:"last"`
	Home  struct { // was flat
		Zip string `json:"zip"`
	} `json:"home"`
}

// Edits of a release are listed in the order in which they were made. The message of a mistake
// names the edit that another one has to stand before or behind.
func TestTheOrderOfEdits(t *testing.T) {
	text := func(n int) (string, error) { return strconv.Itoa(n), nil }
	wasInt := migrate.Mapped("a", text, strconv.Atoi)
	same := func(text string) (string, error) { return text, nil }
	removed := migrate.Removed("old", "")
	flattened := migrate.Flattened[struct {
		Note string `json:"note"`
	}]("inner", map[string]string{"note": "note"})
	for _, test := range []struct {
		name   string
		wrong  []migrate.Edit // the right order is the reverse
		advice string
	}{
		{"Documented of what is removed", []migrate.Edit{removed, migrate.Documented("old", `{"maxLength":3}`)}, `there is no member "old" (it has a, note, plan, first, last, home): list it before this edit: "old" is removed`},
		{"Documented of an older name", []migrate.Edit{migrate.Renamed("old", "a"), migrate.Documented("old", `{"maxLength":3}`)}, `list it before this edit: "old" is now named "a"`},
		{"Documented of an older type", []migrate.Edit{wasInt, migrate.Documented("a", `{"maximum":3}`)}, `documents of older versions do not show it: leave it out, or list it before this edit: "a" was integer`},
		{"two new names", []migrate.Edit{migrate.Renamed("b", "a"), migrate.Renamed("c", "b")}, `there is no member "b" (it has a, note, plan, first, last, home): list it before this edit: "b" is now named "a"`},
		{"a name that comes back", []migrate.Edit{migrate.Added("plan"), migrate.Renamed("plan", "a")}, `there is a member "plan" already (it has a, note, plan, first, last, home): list it before this edit: "plan" is new`},
		{"a default of an older type", []migrate.Edit{wasInt, migrate.Default("a", 7)}, `list it before this edit: "a" was integer`},
		{"made of an older name", []migrate.Edit{migrate.Renamed("b", "a"), migrate.RemovedFrom("old", "b", same)}, `list it before this edit: "b" is now named "a"`},
		{"values of an older name", []migrate.Edit{migrate.Renamed("b", "a"), migrate.Values("b", map[string]string{"x": "y"})}, `list it before this edit: "b" is now named "a"`},
		{"a part of a text that was split", []migrate.Edit{migrate.Split("name", "first", "last", splitSpace, joinSpace), migrate.Renamed("title", "name")}, `list it before this edit: "name" is now "first" and "last"`},
		{"a member of what was flat", []migrate.Edit{migrate.Nested("home", map[string]string{"zip": "zip"}), migrate.Renamed("code", "zip")}, `list it before this edit: "zip" is now "home.zip"`},
		{"omitted before the object", []migrate.Edit{migrate.Omitted("note", ""), flattened}, `list Omitted of it after Flattened`},
		{"added and omitted", []migrate.Edit{migrate.Omitted("note", ""), migrate.Added("note")}, `there is no member "note" (it has a, plan, first, last, home): list it after this edit: "note" is new`},
		{"added and described", []migrate.Edit{migrate.Added("plan"), migrate.Documented("plan", `{"maxLength":3}`)}, `documents of older versions do not show it: leave it out, or list it before this edit: "plan" is new`},
	} {
		t.Run(test.name, func(t *testing.T) {
			newOf := func(edits ...migrate.Edit) error {
				_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[Ordered](), edits...))), migrate.Release("v1"))
				return err
			}
			require.ErrorContains(t, newOf(test.wrong...), test.advice)
			slices.Reverse(test.wrong)
			if test.name != "added and described" { // what is new was described in no order
				require.NoError(t, newOf(test.wrong...))
			}
		})
	}
}
