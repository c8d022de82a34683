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

// Golden files have this flag by custom, and another package of the test may define it.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the contracts of migratetest.Frozen")
	}
}

// contracts are the types of the members, by version, object and member. Under
// "routes" and "statuses" are the bodies and the statuses below 300 of a route, by
// method and pattern, and version; under "webhooks" what is sent, by name and version; under
// "edits" those that a version declares.
type contracts map[string]map[string]map[string]string

const routes, statuses, edits, webhooks = "routes", "statuses", "edits", "webhooks"

// isUpdate looks the flag up, since it may be defined after this package.
func isUpdate() bool { return flag.Lookup("update").Value.String() == "true" }

// readFile reads JSON, if the file is there. A new service has no file yet: -update writes it.
func readFile(file string, into any) error {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	return err
}

// writeFile indents: the file is reviewed as a diff.
func writeFile(tb testing.TB, file string, value any) {
	tb.Helper()
	text, _ := json.MarshalIndent(value, "", "  ") // of texts it cannot fail
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
		os.WriteFile(file, append(text, '\n'), 0o644)); err != nil {
		tb.Errorf("migratetest: %v", err)
	}
}

// goType returns a type of a contract as Go has it, without what a union is made of.
func goType(text string) string {
	text, _, _ = strings.Cut(text, ": ")
	return strings.NewReplacer("]integer", "]int", "]number", "]float64", "]boolean", "]bool").Replace("]" + text)[1:]
}

// differences are those between a file and the service. What breaks the clients of an older
// version is apart: -update never writes it, since a careless one would hide it for good.
type differences struct{ broken, outdated []string }

// add adds a difference.
func (d *differences) add(breaks bool, format string, args ...any) {
	list := &d.outdated
	if breaks {
		list = &d.broken
	}
	*list = append(*list, fmt.Sprintf(format, args...))
}

// missing returns the keys that one map lacks and another one has, in order.
func missing[V any](in, of map[string]V) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(of)), func(key string) bool {
		_, ok := in[key]
		return ok
	})
}

// finish reports the differences, or writes the file.
func (d *differences) finish(tb testing.TB, file string, now any) {
	tb.Helper()
	// Maps gave them in any order, and a message should be the same each time.
	slices.Sort(d.outdated)
	switch {
	case len(d.broken) > 0:
		tb.Errorf("migratetest: older clients break:\n\t%s", strings.Join(d.broken, "\n\t"))
	case len(d.outdated) > 0 && isUpdate():
		writeFile(tb, file, now)
	case len(d.outdated) > 0:
		tb.Errorf("migratetest: %s differs: run the test with -update if that is intended:\n\t%s", file,
			strings.Join(d.outdated, "\n\t"))
	}
}

// texts are what is frozen of routes, statuses or webhooks, by name and version.
type texts = map[string]map[string]string

// each calls report for what differs, of the newest version first.
func each(h *migrate.History, frozen, now texts, report func(v verso.Version, isOlder bool, name, was, is string)) {
	names := append(missing(now, frozen), slices.Sorted(maps.Keys(now))...)
	slices.Sort(names)
	for i, v := range h.Versions() {
		for _, name := range names {
			if was, is := frozen[name][v.String()], now[name][v.String()]; was != is {
				report(v, i > 0, name, was, is)
			}
		}
	}
}

// nameOf names a route as the log and Explain do.
func nameOf(r verso.RouteInfo) string { return strings.TrimSpace(r.Method + " " + r.Host + r.Pattern) }
