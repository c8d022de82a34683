package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// Run tests an adapter with the whole suite, each check in a subtest "group/name": the groups
// cases, routes, links, fields, caching, hostile, strictness, groups, in, scopes, mount,
// surface, error-handler, hosts, not-found, unmatched, observe, pass-on, decisions, middleware,
// concurrent, faults and rewrite, in this order. The subtest of a case is "cases/" and its ID.
// The last lines of the log count the cases, and list what the run has not judged: the groups
// that are left out, with the reason, and the fields of an [App] that no application has set. A
// mount that ignores any other field fails a check.
//
// Run counts goroutines, so it must not run in parallel with other tests (t.Parallel). Also run
// it under the race detector. It ends early when the adapter hangs. An adapter calls it in one
// test, with a [Mount] that builds its framework's server from an [App].
func Run(t *testing.T, mount Mount, opts ...Option) {
	t.Helper()
	r := run{deviations: make(map[string]string), without: make(map[string]string)}
	for _, opt := range opts {
		opt(&r)
	}
	cases, err := Cases()
	if err != nil {
		fail(t, err)
		return
	}
	quiet(t)
	asked := new(fields)
	if err := warmUp(t, r.asking(mount, asked)); err != nil {
		fail(t, fmt.Errorf("the first request: %w", err))
		return
	}
	all := groups(cases, r.wrappings...)
	for _, g := range all {
		if _, without := r.without[g.name]; without {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			servers := shared{t, mount, make(map[string]*sharedServer)}
			for _, c := range g.checks {
				t.Run(c.name, func(t *testing.T) {
					err := asked.name(c.protected(t, r.asking(servers.serve, asked)))
					// After a failure a server may answer wrongly for an earlier reason.
					if err != nil {
						err = errors.Join(err, servers.end())
					}
					declared, err := r.judge(g.name, c, err)
					if declared != "" {
						printLine(t, declared)
					}
					if err != nil {
						fail(t, err)
					}
				})
				if r.hangs == maxHangs {
					break
				}
			}
			if err := servers.end(); err != nil {
				fail(t, err)
			}
		})
		if r.hangs == maxHangs {
			fail(t, fmt.Errorf("the run ends early: %w, in %d subtests", errHangs, maxHangs))
			return
		}
	}
	for _, err := range r.unknown(all) {
		fail(t, err)
	}
	printLine(t, summary(cases, "http"))
	for _, g := range all {
		if reason, without := r.without[g.name]; without {
			printLine(t, fmt.Sprintf("not judged: the group %s: %s", g.name, reason))
		}
	}
	for _, name := range asked.never() {
		printLine(t, "not judged: "+name)
	}
}

// printLine writes a line to the output of a test, without the line of the suite that [testing.T.Log]
// adds.
func printLine(t *testing.T, line any) {
	t.Helper()
	_, _ = fmt.Fprintln(t.Output(), line)
}

// fail is printLine for an error, with which the test fails. t.Error would add the line of the
// suite to each failure, where the place of the case matters.
func fail(t *testing.T, err error) {
	t.Helper()
	printLine(t, err)
	t.Fail()
}

// Option changes a run of the suite.
type Option func(*run)

// Without skips a group of subtests, for the given reason. The log shows the reason, since a
// silent omission looks like success.
func Without(group, reason string) Option {
	return func(r *run) { r.without[group] = reason }
}

// Deviates declares that the adapter differs from what the suite wants, for the given reason,
// in the case with the given ID or in the subtest "group/name". That subtest must fail: if it
// passes, the run fails. So a declaration cannot outlive its cause.
func Deviates(id, reason string) Option {
	return func(r *run) { r.deviations[id] = reason }
}

// BehindMiddleware installs the adapter's Middleware in front of the routes of all
// applications. Services with routes of their own use the adapter so, and all promises hold for
// them as well.
func BehindMiddleware() Option {
	return func(r *run) { r.middleware = 1 }
}

// ForeignRoutes has the framework itself register each plain route, behind the adapter's
// Middleware; named, also a route that has a name. A service begins so: with routes that know
// nothing of Verso.
func ForeignRoutes(named bool) Option {
	return func(r *run) {
		r.middleware = 1
		r.foreign = func(route *Route) bool { return route.isBare() && (named || route.FullName() == "") }
	}
}

type run struct {
	middleware int               // App.Middleware
	foreign    func(*Route) bool // nil: no other route is Route.Foreign

	wrappings  []*wrapping       // by Wrappings
	deviations map[string]string // reasons by ID
	without    map[string]string // reasons by group
	hangs      int               // how many subtests failed because the adapter hangs
}

// maxHangs is how many hanging subtests, each up to half a minute, end a run: go test
// prints no output before the end.
const maxHangs = 2

// unknown returns an error for each option with an unknown name. A misspelt name would
// otherwise skip nothing, or declare nothing.
func (r *run) unknown(all []group) (wrong []error) {
	known := make(map[string]bool)
	for _, g := range all {
		known[g.name] = true
		for _, c := range g.checks {
			known[g.name+"/"+c.name] = true
			known[c.name] = known[c.name] || g.name == "cases"
		}
	}
	for _, names := range []map[string]string{r.deviations, r.without} {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !known[name] {
				wrong = append(wrong, fmt.Errorf("an option names %q (%s), which does not exist: remove it", name,
					names[name]))
			}
		}
	}
	return wrong
}

// judge interprets the outcome of a check: it returns what to print about a declared
// deviation, and an error if the check fails.
func (r *run) judge(group string, c check, err error) (declared string, wrong error) {
	for id, reason := range r.deviations {
		switch {
		case !c.is(group, id):
		case err == nil:
			return "", fmt.Errorf("declared to deviate (%s), but does not: remove the declaration", reason)
		default:
			return fmt.Sprintf("deviates as declared (%s): %v", reason, err), nil
		}
	}
	if errors.Is(err, errHangs) {
		r.hangs++
	}
	return "", err
}

// Check runs one case of level http through the mounted adapter and returns its
// mistakes, joined, with the rule and the source of the case. It is for tests that
// check that a broken adapter fails.
func Check(tb testing.TB, mount Mount, c Case) error {
	tb.Helper()
	operation, ok := map[string]func(testing.TB, Mount, *Case) error{
		"determine": checkRequest,
		"lifecycle": checkRequest,
		"reverse":   checkLink,
	}[c.Op]
	if !ok {
		return c.explain(fmt.Errorf("operation %q at level http: not implemented yet", c.Op))
	}
	return c.explain(operation(tb, mount, &c))
}

// summary counts the cases of a level, and those of the folder that VERSO_CASES names: a missing
// one shows.
func summary(cases []Case, level string) string {
	added, run := 0, 0
	for _, c := range cases {
		if c.added {
			added++
		}
		if c.Level == level {
			run++
		}
	}
	return fmt.Sprintf("conformance: %d cases built in, %d added; %d run, %d of the other level skipped",
		len(cases)-added, added, run, len(cases)-run)
}
