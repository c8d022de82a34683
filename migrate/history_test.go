package migrate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type Base struct {
	ID int `json:"id"`
}

type Guest struct {
	Base
	First  string            `json:"first"`
	Last   string            `json:"last"`
	Room   *string           `json:"room,omitempty"`
	Notes  []string          `json:"notes"`
	Meta   any               `json:"meta"`
	Since  time.Time         `json:"since"`
	Count  int               `json:"count,string"`
	Hidden string            `json:"-"`
	Friend *Guest            `json:"friend"`
	Others map[string]*Guest `json:"others"`
	Home   struct {
		Zip string `json:"zip"`
	} `json:"home"`
}

func TestNewReportsAllMistakes(t *testing.T) {
	stray := migrate.Behaves("Guests are ordered by name.")
	for _, test := range []struct {
		name      string
		api       *verso.Versioning
		revisions []migrate.Revision
		want      []string
	}{
		{"no release", apiOf("v1"), nil, []string{`the releases are [], and the versions of the API, the newest first, ["v1"]: write a Release for each of these`}},
		{"no API", nil, []migrate.Revision{migrate.Release("v1")}, []string{"migrate: the versioning is nil"}},
		{"twice", apiOf("v1"), []migrate.Revision{migrate.Release("v1"), migrate.Release("v1")}, []string{`the releases are ["v1" "v1"]`}},
		{"a release too few and one too many", apiOf("v3", "v2"), []migrate.Revision{migrate.Release("v4"), migrate.Release("v2")},
			[]string{`the releases are ["v4" "v2"], and the versions of the API, the newest first, ["v3" "v2"]`}},
		{"the oldest first", apiOf("v2", "v1"), []migrate.Revision{migrate.Release("v1"), migrate.Release("v2")}, []string{`the newest first, ["v2" "v1"]: write a Release for each of these, in their order`}},
		{"the oldest version changes", apiOf("v1"), []migrate.Revision{migrate.Release("v1", stray)},
			[]string{`migrate: v1: "Guests are ordered by name.": the oldest version has none before it`}},
		{"any version", verso.MustNew(verso.Header("V"), verso.Config{AnyVersion: true}), []migrate.Revision{migrate.Release("v1")}, []string{"the newest first, []"}},
		{"several in one", apiOf("v2", "v1"), []migrate.Revision{migrate.Release("v2",
			migrate.Changed(" "),
			migrate.Changed("One.", migrate.For[Guest](migrate.Renamed("a", "b"), migrate.Renamed("first", "last"))),
			migrate.Changed("Two.", migrate.ForType(reflect.TypeFor[string]()), migrate.For[time.Time](migrate.Added("x", 1)), migrate.ForType(reflect.TypeFor[*Guest]()))),
			migrate.Release("v1")},
			[]string{"migrate: v2: a change has no text", `v2: "Two.": string: this is not a struct`, `v2: "Two.": Time: the type marshals itself`, `*migrate_test.Guest: this is not a struct`}},
		{"edits", apiOf("v2", "v1"), []migrate.Revision{migrate.Release("v2",
			migrate.Changed("One.", migrate.For[Guest](
				migrate.Renamed("a", "b"),
				migrate.Renamed("first", "last"),
				migrate.Added("Hidden", 1),
				migrate.Added("first", func() {}),
				migrate.Removed("last", "x"),
				migrate.RemovedFrom("x", "y", func(int) (int, error) { return 0, nil }),
				migrate.Split("all", "first", "middle", splitSpace, joinSpace),
				migrate.Nested("home", map[string]string{"code": "zap"}),
				migrate.Nested("first", map[string]string{"code": "zip"}),
				migrate.Values("first", map[string]string{"a": "c", "b": "c"}),
				migrate.Mapped("friend", func(int) (Guest, error) { return Guest{}, nil }, func(Guest) (int, error) { return 0, nil }),
				migrate.Values("friend", nil),
				migrate.Default("nope", 1),
				migrate.Additive("nope"),
			))), migrate.Release("v1")},
			[]string{
				`v2: "One.": Guest: "a" is now named "b": there is no member "b" (it has id, first, last, room, notes, meta, since, count, friend, others, home)`,
				`there is a member "first" already`, `there is no member "Hidden"`, `unsupported type: func()`, `there is a member "last" already`,
				`there is no member "y"`, `there is no member "middle"`, ` has only zip: correct the names inside, and give each once`, `string is not an object`,
				`two old values are "c" now`, `the member is of a struct that has edits`, `there is no member "nope"`,
			}},
		{"an embedded type whose edits do not fit the outer one", apiOf("v2", "v1"), []migrate.Revision{migrate.Release("v2",
			migrate.Changed("One.", migrate.For[Base](migrate.Renamed("first", "id")), migrate.For[Guest](migrate.Renamed("name", "last")))), migrate.Release("v1")},
			[]string{`Guest: "first" is now named "id": there is a member "first" already`}},
		{"a reshaped type with other edits", apiOf("v3", "v2", "v1"), []migrate.Revision{
			migrate.Release("v3", migrate.Changed("One.", migrate.For[Base](migrate.Renamed("number", "id")))),
			migrate.Release("v2", migrate.Changed("Two.", migrate.For[Base](migrate.Reshaped(nil, func(Base) (int, error) { return 0, nil }, "")))), migrate.Release("v1")},
			[]string{`v2: "Two.": Base: it was integer: a reshaped type can have no other edit`}},
		{"a reshaped circle", apiOf("v3", "v2", "v1"), []migrate.Revision{
			migrate.Release("v3", migrate.Changed("One.", migrate.For[Base](migrate.Reshaped(nil, func(Base) (money, error) { return money{}, nil }, "")))),
			migrate.Release("v2", migrate.Changed("Two.", migrate.For[money](migrate.Reshaped(nil, func(money) (Base, error) { return Base{}, nil }, "")))), migrate.Release("v1")},
			[]string{"the older type is made of this one again"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, err := migrate.New(test.api, test.revisions...)
			require.Error(t, err)
			assert.Nil(t, h)
			for _, want := range test.want {
				assert.ErrorContains(t, err, want)
			}
		})
	}
}

func TestActive(t *testing.T) {
	byName := migrate.Behaves("Guests are ordered by name.")
	assert.PanicsWithError(t, `migrate: the change "Guests are ordered by name." is in no history: give it to a Release`, func() { byName.Active(verso.V("v1")) })
	verso.Must(migrate.New(apiOf("v3", "v2", "v1"), migrate.Release("v3"), migrate.Release("v2", byName), migrate.Release("v1")))
	for version, want := range map[verso.Version]bool{verso.V("v3"): true, verso.V("v2"): true, verso.V("v1"): false, {}: true} {
		assert.Equal(t, want, byName.Active(version), "%#v", version)
	}
}

func history(tb testing.TB) *migrate.History {
	tb.Helper()
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3",
			migrate.Changed("A guest has a first and a last name.", migrate.For[Guest](migrate.Split("name", "first", "last", splitSpace, joinSpace))),
			migrate.Behaves("Guests are ordered by name.")),
		migrate.Release("v2",
			migrate.Changed("A guest has a room and notes.", migrate.For[Guest](
				migrate.Added("room", "none"), migrate.Additive("notes"), migrate.Removed("fax", ""),
				migrate.Values("name", map[string]string{"anon": "nobody"}, migrate.NewValue("admin", "anon")),
				migrate.Mapped("count", func(text string) (string, error) { return text, nil }, func(text string) (string, error) { return text, nil })))),
		migrate.Release("v1"))
	require.NoError(tb, err)
	return h
}

// The text of a Split is there if one of its parts is.
func TestSchemaOfSplit(t *testing.T) {
	type parts struct {
		A string `json:"a,omitempty"`
		B string `json:"b,omitempty"`
		C string `json:"c"`
	}
	split := func(string) (string, string, error) { return "", "", nil }
	join := func(string, string) (string, error) { return "", nil }
	for want, names := range map[string][2]string{"string, optional": {"a", "b"}, "string": {"a", "c"}, "string ": {"c", "a"}} {
		h := changed(t, migrate.For[parts](migrate.Split("whole", names[0], names[1], split, join)))
		members := verso.Must(h.Schema(verso.V("v1"))).Objects[0].Members
		i := slices.IndexFunc(members, func(m migrate.Member) bool { return m.Name == "whole" })
		assert.Equal(t, strings.TrimSpace(want), members[i].String(), names)
	}
}

// paged is a list of any type.
type paged[T any] struct {
	Items []T `json:"items"`
}

// Types of three packages have one name, and so have lists of them.
func TestSchemaOfTypesWithOneName(t *testing.T) {
	type all struct {
		A paged[bufio.Reader]   `json:"a"`
		B paged[bytes.Reader]   `json:"b"`
		C paged[strings.Reader] `json:"c"`
		N json.Number           `json:"n"` // a text in Go only
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("c", migrate.For[all](migrate.Added("a")))), migrate.Release("v1")))
	s, err := h.Schema(verso.V("v2"))
	require.NoError(t, err)
	var names []string
	for _, o := range s.Objects {
		names = append(names, o.Name)
	}
	const here = "github.com/goverso/verso/migrate_test."
	assert.Equal(t, []string{"Reader", "all", "bytes.Reader", here + "paged[strings.Reader]", "migrate_test.paged[Reader]", "paged[Reader]", "strings.Reader"}, names)
	assert.Equal(t, "number", s.Objects[1].Members[3].Type.Kind)
}

func TestSchema(t *testing.T) {
	h := history(t)
	for version, want := range map[string]string{
		"v3": `id integer; first string; last string; room string, optional; notes []string, nullable; meta any, nullable; since time.Time; count string; friend Guest, nullable; others map[string]Guest, nullable; home Guest.home`,
		"v2": `id integer; name string; room string, optional; notes []string, nullable; meta any, nullable; since time.Time; count string; friend Guest, nullable; others map[string]Guest, nullable; home Guest.home`,
		"v1": `id integer; name string; notes []string, nullable (additive); meta any, nullable; since time.Time; count string; friend Guest, nullable; others map[string]Guest, nullable; home Guest.home; fax string`,
	} {
		schema, err := h.Schema(verso.V(version))
		require.NoError(t, err)
		require.Len(t, schema.Objects, 2)
		assert.Equal(t, "Guest", schema.Objects[0].Name)
		assert.Equal(t, "Guest.home", schema.Objects[1].Name)
		var members []string
		for _, m := range schema.Objects[0].Members {
			text := m.Name + " " + m.String()
			if m.Additive {
				text += " (additive)"
			}
			members = append(members, text)
		}
		assert.Equal(t, want, strings.Join(members, "; "), version)
	}
	_, err := h.Schema(verso.V("v9"))
	assert.ErrorContains(t, err, `the history does not have version "v9"`)
}

// The rules of encoding/json for members of equal names.
type (
	deepest struct{ A, B, C, D string }
	left    struct {
		deepest
		A string
		E string `json:"e"`
	}
	right struct {
		B string
		E string `json:"e"`
		F string
	}
	both struct {
		left
		*right
		C string `json:"c"`
		D string `json:",omitempty"`
		F int    `json:"F,string"`
		g string
	}
)

func TestMembersAreThoseOfEncodingJSON(t *testing.T) {
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[both](migrate.Added("c", migrate.Absent)))), migrate.Release("v1"))
	require.NoError(t, err)
	schema, err := h.Schema(verso.V("v2"))
	require.NoError(t, err)
	raw, err := json.Marshal(both{right: &right{}, D: "x", g: ""})
	require.NoError(t, err)
	var want, got []string
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	for decoder.More() {
		token, err := decoder.Token()
		require.NoError(t, err)
		if name, ok := token.(string); ok {
			want = append(want, name)
			_, err := decoder.Token()
			require.NoError(t, err)
		}
	}
	for _, m := range schema.Objects[0].Members {
		got = append(got, m.Name)
	}
	assert.Equal(t, want, got)
}

// A nil function would fail in each request.
func TestNilFunctionsAreMistakes(t *testing.T) {
	up := func(string) (string, error) { return "", nil }
	for name, edit := range map[string]migrate.Edit{
		"Mapped up":     migrate.Mapped("a", nil, up),
		"Mapped down":   migrate.Mapped("a", up, (func(string) (string, error))(nil)),
		"Split up":      migrate.Split("name", "first", "last", nil, joinSpace),
		"Split down":    migrate.Split("name", "first", "last", splitSpace, nil),
		"Joined up":     migrate.Joined("x", "y", "a", nil, splitSpace),
		"Joined down":   migrate.Joined("x", "y", "a", joinSpace, nil),
		"RemovedFrom":   migrate.RemovedFrom[string, string]("old", "a", nil),
		"Reshaped down": migrate.Reshaped[string, Ordered](nil, nil, ""),
		"Withheld":      migrate.Withheld[Ordered](nil),
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Ordered](edit))), migrate.Release("v1"))
		assert.ErrorContains(t, err, "a function is nil: give it one", name)
	}
}
