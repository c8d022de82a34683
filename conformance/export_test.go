package conformance

import (
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// Hasten shortens the waits of the suite until the end of the test.
func Hasten(tb testing.TB) {
	tb.Helper()
	before := waits.Swap(int64(300 * time.Millisecond))
	tb.Cleanup(func() { waits.Store(before) })
}

// allGroups are the groups with the built-in cases.
var allGroups = sync.OnceValue(func() []group { return groups(verso.Must(Cases())) })

// CheckSubtest returns what [Run] reports in a subtest, "group/name".
func CheckSubtest(tb testing.TB, mount Mount, name string) error {
	tb.Helper()
	for _, g := range allGroups() {
		for _, c := range g.checks {
			if c.is(g.name, name) {
				asked := new(fields)
				return asked.name(c.protected(tb, new(run).asking(mount, asked)))
			}
		}
	}
	tb.Fatalf("there is no subtest %q", name)
	return nil
}

// Fields returns the names of the fields that an application may have.
func Fields() []string { return new(fields).never() }

// CheckSource returns what [Source] reports in a subtest.
func CheckSource(from source.Source, opts SourceOptions, name string) error {
	for _, c := range sourceChecks {
		if c.name == name {
			return c.run(from, opts)
		}
	}
	return nil
}

// Quiet keeps Verso's log out of a test.
func Quiet(tb testing.TB) { tb.Helper(); quiet(tb) }

// Attack returns the first thing that random requests to random services find.
func Attack(tb testing.TB, services int, mount Mount) error {
	tb.Helper()
	for _, input := range randomInputs(services) {
		if err := attackService(tb, input, false, mount); err != nil {
			return err
		}
	}
	return nil
}
