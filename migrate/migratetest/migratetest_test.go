package migratetest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) }

// booking returns a struct type with the members "name:type", type being string, int or booking.
func booking(members ...string) reflect.Type {
	var fields []reflect.StructField
	for i, m := range members {
		name, kind, _ := strings.Cut(m, ":")
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("F", i), Tag: reflect.StructTag(fmt.Sprintf("json:%q", name)),
			Type: map[string]reflect.Type{"string": reflect.TypeFor[string](), "int": reflect.TypeFor[int](), "list": reflect.TypeFor[[]*Room]()}[kind],
		})
	}
	return reflect.StructOf(fields)
}

type Room struct {
	Number int  `json:"number"`
	Sea    bool `json:"sea,omitempty"`
}

func history(t *testing.T, booking reflect.Type, versions string, edits ...migrate.Edit) *migrate.History {
	t.Helper()
	names := strings.Fields(versions) // the newest first; the last but one made the edits
	oldestFirst := make([]string, len(names))
	var revisions []migrate.Revision
	for i, name := range names {
		oldestFirst[len(names)-1-i] = name
		var changes []*migrate.Change
		if i == len(names)-2 {
			changes = append(changes, migrate.Changed("A change.", migrate.ForType(booking, edits...)))
		}
		revisions = append(revisions, migrate.Release(name, changes...))
	}
	api, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: oldestFirst})
	require.NoError(t, err)
	h, err := migrate.New(api, revisions...)
	require.NoError(t, err)
	return h
}

func frozen(t *testing.T, h *migrate.History, file string, update bool) string {
	t.Helper()
	require.NoError(t, flag.Set("update", strconv.FormatBool(update)))
	defer func() { require.NoError(t, flag.Set("update", "false")) }()
	r := &recorder{TB: t}
	migratetest.Frozen(r, h, file)
	return r.failed
}

func TestFrozen(t *testing.T) {
	renamed := migrate.Renamed("guest", "name")
	before := booking("id:int", "name:string", "rooms:list")
	for _, test := range []struct {
		name     string
		booking  reflect.Type
		versions string
		edits    []migrate.Edit
		want     string // of the test without -update; "" if it passes
		update   string // of the test with it; "" if it writes the file
	}{
		{"nothing", before, "v2 v1", []migrate.Edit{renamed}, "", ""},
		{"a member too many", booking("id:int", "name:string", "rooms:list", "note:string"), "v2 v1", []migrate.Edit{renamed},
			`older clients break:` + "\n\t" + `v1: struct.note is new: a change is missing: write first in For[struct] of v2: migrate.Added("note"), or migrate.Additive("note") if clients of this version may see it`,
			`older clients break:`},
		{"a member that is declared", booking("id:int", "name:string", "rooms:list", "note:string"), "v2 v1", []migrate.Edit{renamed, migrate.Added("note", "")},
			`differs: run the test with -update if that is intended:` + "\n\t" + `v2: struct.note is new`, ""},
		{"a member for all versions", booking("id:int", "name:string", "rooms:list", "note:string"), "v2 v1", []migrate.Edit{renamed, migrate.Additive("note")},
			"v1: struct.note is new\n\tv2: struct.note is new", ""},
		{"a member is gone", booking("name:string", "rooms:list"), "v2 v1", []migrate.Edit{renamed},
			"older clients break:\n\tv1: struct.id is gone: a change is missing", "v1: struct.id is gone: a change is missing"},
		{"an edit is gone", before, "v2 v1", nil,
			"v1: struct.guest is gone: a change is missing", "v1: struct.guest is gone: a change is missing"},
		{"another type", booking("id:string", "name:string", "rooms:list"), "v2 v1", []migrate.Edit{renamed},
			"v1: struct.id was integer and is string: a change is missing", "v1: struct.id was integer and is string: a change is missing"},
		{"an object is gone", booking("id:int", "name:string", "rooms:int"), "v2 v1", []migrate.Edit{renamed},
			`v1: struct.rooms was []Room, nullable and is integer: a change is missing: write first in For[struct] of v2: migrate.Mapped("rooms", func(was []Room) (is int, err error)`, "v1: Room is gone"},
		{"a new version", before, "v3 v2 v1", []migrate.Edit{renamed}, "v3 is a new version", ""},
		{"a version less", before, "v2 v1b", []migrate.Edit{renamed}, "v1 is not a version any more\n\tv1b is a new version", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "testdata", "contracts.json")
			first := history(t, before, "v2 v1", renamed)
			assert.Contains(t, frozen(t, first, file, false), "v1 is a new version\n\tv2 is a new version")
			require.Empty(t, frozen(t, first, file, true))
			require.Empty(t, frozen(t, first, file, false))

			changed := history(t, test.booking, test.versions, test.edits...)
			if test.want == "" {
				assert.Empty(t, frozen(t, changed, file, false))
			} else {
				assert.Contains(t, frozen(t, changed, file, false), test.want)
			}
			if test.update == "" {
				assert.Empty(t, frozen(t, changed, file, true))
				assert.Empty(t, frozen(t, changed, file, false))
			} else {
				assert.Contains(t, frozen(t, changed, file, true), test.update)
				assert.NotEmpty(t, frozen(t, changed, file, false), "the file is as it was")
			}
		})
	}
}

func TestTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	require.Empty(t, frozen(t, history(t, booking("id:int", "name:string", "rooms:list"), "v2 v1", migrate.Renamed("guest", "name")), file, true))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, `{
  "v1": {
    "Room": {
      "number": "integer",
      "sea": "boolean, optional"
    },
    "struct": {
      "guest": "string",
      "id": "integer",
      "rooms": "[]Room, nullable"
    }
  },
  "v2": {
    "Room": {
      "number": "integer",
      "sea": "boolean, optional"
    },
    "struct": {
      "id": "integer",
      "name": "string",
      "rooms": "[]Room, nullable"
    }
  }
}
`, string(data))

	require.NoError(t, os.WriteFile(file, []byte("{"), 0o600))
	assert.Contains(t, frozen(t, history(t, booking("id:int"), "v2 v1"), file, true), "unexpected end of JSON input")
}

// A Behaves has no edits, and in another release it is for other clients.
func TestABehavesThatMoves(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	file := filepath.Join(t.TempDir(), "contracts.json")
	frozen := func(update bool, changes map[string][]*migrate.Change) string {
		require.NoError(t, flag.Set("update", strconv.FormatBool(update)))
		defer func() { require.NoError(t, flag.Set("update", "false")) }()
		h := verso.Must(migrate.New(api, migrate.Release("v3", changes["v3"]...), migrate.Release("v2", changes["v2"]...), migrate.Release("v1")))
		r := &recorder{TB: t}
		migratetest.Frozen(r, h, file, adapter.Bind(api, nil).Explain())
		return r.failed
	}
	order := migrate.Behaves("Rooms are sorted by number.")
	require.Empty(t, frozen(true, map[string][]*migrate.Change{"v3": {order}}))
	assert.Empty(t, frozen(false, map[string][]*migrate.Change{"v3": {order}}))
	moved := frozen(false, map[string][]*migrate.Change{"v2": {order}})
	assert.Contains(t, moved, "v3 no longer declares: Rooms are sorted by number.")
}

func TestCovered(t *testing.T) {
	h := history(t, booking("name:string"), "v3 v2 v1")
	service := &verso.Explanation{Routes: []verso.RouteInfo{
		{Method: "GET", Pattern: "/users/:id", Rewritten: true},
		{Method: "GET", Pattern: "/bookings"},
		{Method: "PUT", Host: "api.example.com", Pattern: "/bookings/:id", Versions: []string{"v1", "v2"}},
		{Method: "GET", Pattern: "/status", Neutral: true},
		{Method: "GET", Pattern: "/metrics", Unchecked: true},
		{Method: "GET", Pattern: "/new", Versions: []string{"v3"}},
	}}
	r := &recorder{TB: t}
	migratetest.Covered(r, h, service)
	assert.Equal(t, "migratetest: routes serve the newest form in all versions: give them Rewrite:\n\tGET /bookings\n\tPUT api.example.com/bookings/:id", r.failed)
	service.Routes = service.Routes[:1]
	r.failed = ""
	migratetest.Covered(r, h, service)
	assert.Empty(t, r.failed)
}
