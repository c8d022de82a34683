package conformance

import (
	"fmt"
	"log"
	"log/slog"
	"runtime"
	"runtime/debug"
	"testing"
)

// check is a subtest: it returns what the adapter did wrong.
type check struct {
	name string
	run  func(tb testing.TB, mount Mount) error
}

// protected runs the check, and returns a panic of the mount as an error. A mount is code of
// the adapter's author: its panic must name the check, and not end the run.
func (c *check) protected(tb testing.TB, mount Mount) (err error) {
	tb.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the mount panics: %v", panicked)
			if _, is := panicked.(runtime.Error); is {
				err = fmt.Errorf("%w\n%.3000s", err, debug.Stack())
			}
		}
	}()
	return c.run(tb, mount)
}

// is reports whether the check has the given ID.
func (c *check) is(group, id string) bool {
	return id == group+"/"+c.name || group == "cases" && id == c.name
}

// quiet keeps Verso's log of the suite's configurations out of the test's output. The default
// logger belongs to the process, hence it is put back.
func quiet(tb testing.TB) {
	tb.Helper()
	before, output, flags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	tb.Cleanup(func() {
		slog.SetDefault(before)
		log.SetOutput(output) // SetDefault also changes it
		log.SetFlags(flags)
	})
}
