// Package migratetest checks a history of package migrate in the tests of a service.
package migratetest

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the contracts of migratetest.Frozen")
	}
}

// contracts are the types of the members, by version, object and member.
type contracts map[string]map[string]map[string]string

// Frozen fails the test when the bodies of a version are not those of the file, such
// as testdata/contracts.json. With the flag -update of the test it writes the file:
// new versions, the newest one, and members that are [migrate.Additive]. What else
// differs in an older version breaks its clients, and is never written: a change is
// missing. Call it when the routes are registered. After a Go type was renamed, rename
// it in the file.
func Frozen(tb testing.TB, h *migrate.History, file string) {
	tb.Helper()
	frozen, now := contracts{}, contracts{}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &frozen)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Errorf("migratetest: %v", err)
		return
	}
	var broken, outdated []string
	for i, v := range h.Versions() {
		schema := verso.Must(h.Schema(v)) // of a version of h it cannot fail
		b, o := compare(schema, frozen[v.String()], i == 0)
		broken, outdated = append(broken, b...), append(outdated, o...)
		now[v.String()] = contractOf(schema)
	}
	for version := range frozen {
		if now[version] == nil {
			outdated = append(outdated, version+" is no version any more")
		}
	}
	slices.Sort(outdated)
	switch {
	case len(broken) > 0:
		tb.Errorf("migratetest: older clients break:\n\t%s", strings.Join(broken, "\n\t"))
	case len(outdated) > 0 && flag.Lookup("update").Value.String() != "true":
		tb.Errorf("migratetest: %s differs: run the test with -update if that is intended:\n\t%s", file, strings.Join(outdated, "\n\t"))
	case len(outdated) > 0:
		text, _ := json.MarshalIndent(now, "", "  ") // of texts it cannot fail
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, append(text, '\n'), 0o644)); err != nil {
			tb.Errorf("migratetest: %v", err)
		}
	}
}

func contractOf(schema *migrate.Schema) map[string]map[string]string {
	contract := map[string]map[string]string{}
	for _, o := range schema.Objects {
		contract[o.Name] = map[string]string{}
		for _, m := range o.Members {
			contract[o.Name][m.Name] = m.String()
		}
	}
	return contract
}

// compare returns what breaks the clients of a version, and what differs otherwise.
func compare(schema *migrate.Schema, frozen map[string]map[string]string, newest bool) (broken, outdated []string) {
	if frozen == nil {
		return nil, []string{schema.Version + " is a new version"}
	}
	// say says what differs. With an advice it breaks the clients of an older version.
	say := func(advice, format string, args ...any) {
		text := schema.Version + ": " + fmt.Sprintf(format, args...)
		if advice != "" && !newest {
			broken = append(broken, text+": "+advice)
		} else {
			outdated = append(outdated, text)
		}
	}
	now := contractOf(schema)
	for _, o := range schema.Objects {
		members, known := frozen[o.Name]
		if !known {
			say("", "%s is new", o.Name)
			continue
		}
		for _, m := range o.Members {
			switch was, known := members[m.Name]; {
			case !known && m.Additive:
				say("", "%s.%s is new", o.Name, m.Name)
			case !known:
				say(fmt.Sprintf("say Added, or Additive(%q) if clients of this version may see it", m.Name), "%s.%s is new", o.Name, m.Name)
			case was != m.String():
				say("a change is missing", "%s.%s was %s and is %s", o.Name, m.Name, was, m)
			}
		}
	}
	for _, object := range slices.Sorted(maps.Keys(frozen)) {
		if now[object] == nil {
			say("a change is missing, or a route that reads or writes it", "%s is gone", object)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(frozen[object])) {
			if _, ok := now[object][name]; !ok {
				say("a change is missing", "%s.%s is gone", object, name)
			}
		}
	}
	return broken, outdated
}

// Covered fails the test if a route of several versions rewrites no bodies, and lists
// these: see [migrate.History.Covers]. service is what the adapter's Explain returns.
func Covered(tb testing.TB, h *migrate.History, service *verso.Explanation) {
	tb.Helper()
	if missing := h.Covers(service); len(missing) > 0 {
		tb.Errorf("migratetest: routes serve the newest form in all versions: give them Rewrite:\n\t%s", strings.Join(missing, "\n\t"))
	}
}
