package migratetest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

// pasting is a program: Frozen for a type without a change, and with each proposal in it.
const pasting = `package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

var _, _ = json.Marshal, time.Now

type Room struct {
	Number int ` + "`json:\"number\"`" + `
}

type tb struct{ testing.TB }

func (tb) Helper()                           {}
func (tb) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func frozen[T any](file string, edits ...migrate.Edit) {
	api := verso.MustNew(verso.Header("V"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	h, err := migrate.New(api, migrate.Release("v3"), migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[T](), edits...))), migrate.Release("v1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	migratetest.Frozen(tb{}, h, file)
}

func main() {
%s}
`

// run runs calls of frozen, and returns what each printed.
func run(t *testing.T, calls []string) []string {
	t.Helper()
	var body strings.Builder
	for i, call := range calls {
		fmt.Fprintf(&body, "\tfmt.Println(\"#%d\")\n\t{\n%s\n\t}\n", i, call)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, pasting, body.String()), 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	printed := regexp.MustCompile(`(?m)^#\d+\n`).Split(string(out), -1)[1:]
	require.Len(t, printed, len(calls))
	return printed
}

// edits returns the edits in a message: those that the author writes together in one text.
func edits(message string) (list []string) {
	_, proposed, _ := strings.Cut(message, ": write first in ")
	_, proposed, _ = strings.Cut(proposed, ": migrate.")
	for edit := range strings.SplitSeq(proposed, ", or migrate.") {
		edit, _, _ = strings.Cut(edit, " if clients ")
		list = append(list, "migrate."+edit)
	}
	return list
}

// TestProposals pastes each edit that Frozen proposes into the history, compiles it, and runs Frozen: it is green, but
// for the newest version.
func TestProposals(t *testing.T) {
	tests := []struct {
		name        string
		frozen, now string // the type of a member, "" for none
		want        []string
	}{
		{"a text", `string`, ``, []string{`migrate.Removed("x", "")`}},
		{"an optional text", `string, optional`, ``, []string{`migrate.Removed("x,omitempty", "")`}},
		{"a number", `integer`, ``, []string{`migrate.Removed("x", 0)`}},
		{"a float", `number, optional`, ``, []string{`migrate.Removed("x,omitempty", 0.0)`}},
		{"a bool", `boolean`, ``, []string{`migrate.Removed("x", false)`}},
		{"a pointer", `string, nullable`, ``, []string{`migrate.Removed("x", *new(*string))`}},
		{"a list", `[]string, nullable`, ``, []string{`migrate.Removed("x", *new([]string))`}},
		{"an optional list", `[]integer, optional`, ``, []string{`migrate.Removed("x,omitempty", *new([]int))`}},
		{"a map", `map[string]number, nullable`, ``, []string{`migrate.Removed("x", *new(map[string]float64))`}},
		{"anything", `any, nullable`, ``, []string{`migrate.Removed("x", nil)`}},
		{"anything, or not", `any, optional`, ``, []string{`migrate.Removed("x")`}},
		{"a struct", `Room`, ``, []string{`migrate.Removed("x", *new(Room))`}},
		{"an optional struct", `Room, optional`, ``, []string{`migrate.Removed("x,omitempty", *new(*Room))`}},
		{"a list of structs", `[]Room, nullable`, ``, []string{`migrate.Removed("x", *new([]Room))`}},
		{"a time", `time.Time`, ``, []string{`migrate.Removed("x", *new(time.Time))`}},
		{"another name", `string`, "Y string `json:\"y\"`", []string{`migrate.Renamed("x", "y")`, `migrate.Removed("x", "")`}},
		{"another name, optional", `string, optional`, "Y string `json:\"y,omitempty\"`", []string{`migrate.Renamed("x", "y")`, `migrate.Removed("x,omitempty", "")`}},
		{"a new member", ``, "Y string `json:\"y\"`", []string{`migrate.Added("y")`, `migrate.Additive("y")`}},
		{"it may be absent now", `string`, "X string `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", "")`}},
		{"a list may be absent now", `[]string, nullable`, "X []string `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", *new([]string))`}},
		{"a struct may be absent now", `Room`, "X *Room `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", *new(Room))`}},
		{"a pointer may be absent now", `string`, "X *string `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", "")`}},
		{"it was null, and may be absent now", `string, nullable`, "X string `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", *new(*string))`}},
		{"a pointer was null, and may be absent now", `Room, nullable`, "X *Room `json:\"x,omitempty\"`", []string{`migrate.Omitted("x", *new(*Room))`}},
		{"another kind, a pointer, optional now", `integer`, "X *Room `json:\"x,omitempty\"`", []string{`migrate.Mapped("x", func(was int) (is *Room, err error) { return is, nil }, func(is *Room) (was int, err error) { return was, nil }), migrate.Omitted("x", *new(Room))`}},
		{"it is always there now", `string, optional`, "X string `json:\"x\"`", []string{`migrate.Mapped("x,omitempty", func(was string) (is string, err error) { return was, nil }, func(is string) (was string, err error) { return is, nil })`}},
		{"another kind", `integer`, "X string `json:\"x\"`", []string{`migrate.Mapped("x", func(was int) (is string, err error) { return is, nil }, func(is string) (was int, err error) { return was, nil })`}},
		{"another kind, both optional", `integer, optional`, "X string `json:\"x,omitempty\"`", []string{`migrate.Mapped("x,omitempty", func(was int) (is string, err error) { return is, nil }, func(is string) (was int, err error) { return was, nil })`}},
		{"another kind, optional now", `integer`, "X string `json:\"x,omitempty\"`", []string{`migrate.Mapped("x", func(was int) (is string, err error) { return is, nil }, func(is string) (was int, err error) { return was, nil }), migrate.Omitted("x", "")`}},
		{"it can be null now", `string`, "X *string `json:\"x\"`", []string{`migrate.NotNull("x", "")`}},
		{"a struct can be null now", `Room`, "X *Room `json:\"x\"`", []string{`migrate.NotNull("x", *new(Room))`}},
		{"it can be null no more", `string, nullable`, "X string `json:\"x\"`", []string{`migrate.Mapped("x", func(was *string) (is string, err error) { return is, nil }, func(is string) (was *string, err error) { return was, nil })`}},
	}
	folder := t.TempDir()
	call := func(i int, edits string) string {
		name := fmt.Sprint("Booking", i)
		members, rooms := map[string]string{"id": "integer"}, map[string]string{"number": "integer"}
		if tests[i].frozen != "" {
			members["x"] = tests[i].frozen
		}
		contract := map[string]map[string]map[string]string{}
		for _, version := range []string{"v1", "v2", "v3"} {
			contract[version] = map[string]map[string]string{name: members}
			// A version with a room has its type, and no other one has.
			if strings.Contains(tests[i].frozen, "Room") {
				contract[version]["Room"] = rooms
			}
		}
		delete(contract, "v3")
		delete(contract, "v2")
		text, err := json.Marshal(contract)
		require.NoError(t, err)
		file := filepath.Join(folder, name+".json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		return fmt.Sprintf("type %s struct {\n\tID int `json:\"id\"`\n\t%s\n}\nfrozen[%s](%q, %s)", name, tests[i].now, name, file, edits)
	}
	var calls, pasted, names []string
	for i := range tests {
		calls = append(calls, call(i, ""))
	}
	for i, printed := range run(t, calls) {
		test, got := tests[i], ""
		for line := range strings.Lines(printed) {
			if strings.Contains(line, "write first in") && (got == "" || strings.Contains(line, ".x ")) {
				got = strings.TrimSpace(line)
			}
		}
		require.Equal(t, test.want, edits(got), "%s: %s", test.name, printed)
		assert.Contains(t, got, fmt.Sprintf("in For[Booking%d] of v2: ", i))
		for _, edit := range test.want {
			// If it is not a new name, the new member has a proposal of its own.
			if strings.HasPrefix(edit, "migrate.Removed") && len(test.want) > 1 {
				edit += `, migrate.Added("y")`
			}
			pasted, names = append(pasted, call(i, edit)), append(names, test.name+": "+edit)
		}
	}
	for i, printed := range run(t, pasted) {
		assert.NotContains(t, printed, "clients break", names[i])
		assert.Contains(t, printed, "v3 is a new version", names[i])
	}
}

// An edit of a struct without a name could not be pasted.
func TestProposalsOfUnnamedStructs(t *testing.T) {
	type stay struct {
		Room struct {
			Number int `json:"number"`
		} `json:"room"`
	}
	file := filepath.Join(t.TempDir(), "contracts.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"v1":{"stay":{"room":"stay.room"},"stay.room":{"number":"integer","floor":"integer"}}}`), 0o600))
	api := verso.MustNew(verso.Header("V"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := &recorder{TB: t}
	migratetest.Frozen(r, verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[stay]()))), migrate.Release("v1"))), file)
	assert.Contains(t, r.failed, "v1: stay.room.floor is gone: a change is missing: its struct has no name: give it one in Go, and in the file")
	assert.NotContains(t, r.failed, "For[stay.room]")
}
