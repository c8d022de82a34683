package migratetest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// Examples fails the test when what clients of an older version read or send differs
// from the file, such as testdata/examples.json: each example, a value of the newest
// version, is lowered to each version and lifted back, and both are kept. So it finds
// what no type shows: another constant, another value, another function. A struct of parameters is
// lowered as the query of a link and lifted as a request's, without its zero values. The test
// fails, too, if edits with functions or constants are of a type that no example has. With the
// flag -update of the test it writes the file: new examples, and those whose newest form
// differs. What else differs is never written.
func Examples(tb testing.TB, h *migrate.History, file string, examples map[string]any) {
	tb.Helper()
	type forms map[string]string // by version: what is read; by version and "sent": what it means
	frozen, now := map[string]forms{}, map[string]forms{}
	if err := readFile(file, &frozen); err != nil {
		tb.Errorf("migratetest: %v", err)
		return
	}
	var d differences
	newest := h.Versions()[0].String()
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		now[name] = forms{}
		for _, v := range h.Versions() {
			// Both ways: a function that changed may show in one only.
			older, sent, err := watch.Of(h).Example(v, examples[name])
			if err != nil {
				tb.Errorf("migratetest: %s in %s: %v", name, v, err)
				continue
			}
			now[name][v.String()] = older
			// The newest form lifts to itself.
			if v.String() != newest {
				now[name][v.String()+" sent"] = sent
			}
		}
		for _, key := range slices.Sorted(maps.Keys(now[name])) {
			was, is := frozen[name][key], now[name][key]
			switch was {
			case is:
			case "":
				d.add(false, "%s: %s is new", key, name)
			default: // another sample means another form
				d.add(frozen[name][newest] == now[name][newest], "%s: %s was\n\t\t%s\n\tand is\n\t\t%s", key, name, was,
					is)
			}
		}
	}
	for _, name := range missing(now, frozen) {
		d.add(false, "%s is gone", name)
	}
	if names := watch.Of(h).Unreached(slices.Collect(maps.Values(examples))); len(names) > 0 {
		tb.Errorf("migratetest: no example has a value of these types, whose edits have functions or constants: %s",
			strings.Join(names, ", "))
	}
	d.finish(tb, file, now)
}
