package conformance

import (
	"fmt"
	"testing"
)

// Option changes a run of the suite.
type Option func(*run)

// Deviates declares that the adapter answers the case with the given ID
// otherwise, for the given reason. The case must fail: a deviation that is no
// longer one fails the run.
func Deviates(id, reason string) Option {
	return func(r *run) { r.deviations[id] = reason }
}

type run struct {
	deviations map[string]string
}

// Run runs every case of level http through the mounted adapter, each as a
// subtest named by its ID. The last line of its log counts the cases.
func Run(t *testing.T, mount Mount, opts ...Option) {
	t.Helper()
	r := run{deviations: make(map[string]string)}
	for _, opt := range opts {
		opt(&r)
	}
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	var count tally
	known := make(map[string]bool, len(cases))
	for _, c := range cases {
		known[c.ID] = true
		if count.add(&c, "http") {
			t.Run(c.ID, func(t *testing.T) { r.check(t, mount, c) })
		}
	}
	for id := range r.deviations {
		if !known[id] {
			t.Errorf("a deviation is declared for case %q, which does not exist: remove it", id)
		}
	}
	t.Log(count)
}

func (r *run) check(t *testing.T, mount Mount, c Case) {
	t.Helper()
	err := Check(t, mount, c)
	reason, deviates := r.deviations[c.ID]
	switch {
	case deviates && err == nil:
		t.Errorf("the case passes, but is declared to deviate (%s): remove the declaration", reason)
	case deviates:
		t.Logf("deviates as declared (%s): %v", reason, err)
	case err != nil:
		t.Error(err)
	}
}

// Check runs one case of level http through the mounted adapter and returns
// what it did wrong, joined, with the rule and the source of the case. It is
// for tests that want a broken adapter to be caught.
func Check(tb testing.TB, mount Mount, c Case) error {
	tb.Helper()
	var err error
	switch c.Op {
	case "determine":
		err = checkDetermine(tb, mount, &c)
	case "reverse":
		err = checkReverse(tb, mount, &c)
	default:
		err = fmt.Errorf("unknown operation %q at level http", c.Op)
	}
	if err != nil {
		return fmt.Errorf("%w\nrule: %s\ncase: %s", err, c.Rule, c.Source)
	}
	return nil
}

// tally counts the cases of a run.
type tally struct {
	level               string
	builtin, added, run int
}

// add counts the case and reports whether it belongs to the run of the level.
func (n *tally) add(c *Case, level string) bool {
	n.level = level
	if c.added {
		n.added++
	} else {
		n.builtin++
	}
	if c.Level != level {
		return false
	}
	n.run++
	return true
}

func (n tally) String() string {
	return fmt.Sprintf("conformance: %d cases built in, %d added; %d of level %s run, %d of the other level left out",
		n.builtin, n.added, n.run, n.level, n.builtin+n.added-n.run)
}
