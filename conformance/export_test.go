package conformance

import (
	"testing"
	"time"
)

// Hasten lets the suite wait for nothing that does not happen at once, until
// the end of the test.
func Hasten(tb testing.TB) {
	tb.Helper()
	before := patience
	patience = 100 * time.Millisecond
	tb.Cleanup(func() { patience = before })
}

// CheckConcurrent returns what [Concurrent] reports in a scheme.
func CheckConcurrent(tb testing.TB, mount Mount, scheme string) error {
	tb.Helper()
	for _, c := range crowds() {
		if c.scheme == scheme {
			return c.check(tb, mount)
		}
	}
	tb.Fatalf("there is no scheme %q", scheme)
	return nil
}

// CheckFault returns what [Faults] reports in the subtest of the given name.
func CheckFault(tb testing.TB, mount Mount, name string) error {
	tb.Helper()
	for _, f := range faults {
		if f.name == name {
			return f.check(tb, mount)
		}
	}
	if leave, ok := departures[name]; ok {
		return leave.check(tb, mount)
	}
	tb.Fatalf("there is no fault %q", name)
	return nil
}

// CheckCaching returns what [Caching] reports of a request that the handler
// answers with the status.
func CheckCaching(tb testing.TB, mount Mount, name string, status int) error {
	tb.Helper()
	for _, c := range cachedRequests() {
		if c.name == name {
			return c.check(tb, mount, status)
		}
	}
	tb.Fatalf("there is no request %q", name)
	return nil
}

// CheckStrictness returns what [Strictness] reports of a request.
func CheckStrictness(tb testing.TB, mount Mount, name string) error {
	tb.Helper()
	for _, r := range strictRequests() {
		if r.name == name {
			return r.check(tb, mount)
		}
	}
	tb.Fatalf("there is no request %q", name)
	return nil
}
