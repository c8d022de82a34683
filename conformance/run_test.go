package conformance

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestDeviations(t *testing.T) {
	r := run{deviations: make(map[string]string), without: make(map[string]string)}
	for _, opt := range []Option{
		Deviates("a/case", "by ID"), Deviates("links/host", "by name"), Deviates("host", "no case"), Without("links", "none"), Without("speed", "none"),
	} {
		opt(&r)
	}
	aCase, host := check{name: "a/case"}, check{name: "host"}
	failure := errors.New("it failed")
	for _, test := range []struct {
		name     string
		group    string
		check    check
		err      error
		declared string
		wrong    string
	}{
		{"passes", "links", aCase, nil, "", ""},
		{"fails", "links", aCase, failure, "", "it failed"},
		{"deviates by ID", "cases", aCase, failure, "deviates as declared (by ID): it failed", ""},
		{"deviates by name", "links", host, failure, "deviates as declared (by name): it failed", ""},
		{"deviates no longer", "links", host, nil, "", "declared to deviate (by name), but does not: remove the declaration"},
		{"in another group", "caching", host, failure, "", "it failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			declared, wrong := r.judge(test.group, test.check, test.err)
			if declared != test.declared || wrong == nil && test.wrong != "" || wrong != nil && wrong.Error() != test.wrong {
				t.Errorf("%q, %v", declared, wrong)
			}
		})
	}
	all := []group{{"cases", []check{aCase}}, {"links", []check{host}}}
	wrong := errors.Join(r.unknown(all)...)
	want := []string{
		`an option names "host" (no case), which does not exist: remove it`,
		`an option names "speed" (none), which does not exist: remove it`,
	}
	if wrong == nil || !slices.Equal(strings.Split(wrong.Error(), "\n"), want) {
		t.Errorf("options with unknown names: %v", wrong)
	}
}

func TestGroups(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range groups(cases) {
		names = append(names, g.name)
		seen := make(map[string]bool)
		for _, c := range g.checks {
			if seen[c.name] {
				t.Errorf("duplicate subtest %s/%s", g.name, c.name)
			}
			seen[c.name] = true
		}
		if _, err := requestFiles.Open("requests/" + g.name + ".txt"); err == nil {
			for name := range sheets(g.name) {
				if !slices.ContainsFunc(g.checks, func(c check) bool { return strings.HasPrefix(c.name, name) }) {
					t.Errorf("the sheet %s/%s is sent nowhere", g.name, name)
				}
			}
		}
	}
	want := []string{"cases", "routes", "links", "fields", "caching", "hostile", "strictness", "groups", "in", "scopes", "mount",
		"surface", "error-handler", "hosts", "not-found", "unmatched", "observe", "pass-on", "decisions", "middleware",
		"concurrent", "faults", "rewrite"}
	if !slices.Equal(names, want) {
		t.Errorf("the groups are %q instead of %q", names, want)
	}
}

func TestIsWithin(t *testing.T) {
	const server = "example.com/fast/server"
	for _, test := range []struct {
		name, stack string
		want        bool
	}{
		{"an idle worker", `goroutine 7 [chan receive]:
example.com/fast/server.(*workerPool).workerFunc(0x1, 0x2)
	/src/server/workerpool.go:224 +0x1
example.com/fast/server.(*workerPool).getCh.func1()
	/src/server/workerpool.go:196 +0x1
created by example.com/fast/server.(*workerPool).getCh in goroutine 6
	/src/server/workerpool.go:195 +0x1`, true},
		{"one that reads", `goroutine 7 [IO wait]:
internal/poll.(*FD).Read(0x1)
	/go/src/internal/poll/fd_unix.go:1 +0x1
net.(*conn).Read(0x1)
	/go/src/net/net.go:1 +0x1
example.com/fast/server.(*Server).serveConn(0x1)
	/src/server/server.go:1 +0x1
example.com/fast/server.(*workerPool).getCh.func1()
	/src/server/workerpool.go:196 +0x1
created by example.com/fast/server.(*workerPool).getCh in goroutine 6
	/src/server/workerpool.go:195 +0x1`, true},
		{"one that hangs in a handler", `goroutine 7 [select]:
example.com/adapter.handle(0x1)
	/src/adapter/adapter.go:1 +0x1
example.com/fast/server.(*workerPool).getCh.func1()
	/src/server/workerpool.go:196 +0x1
created by example.com/fast/server.(*workerPool).getCh in goroutine 6
	/src/server/workerpool.go:195 +0x1`, false},
		{"one of the adapter", `goroutine 7 [chan receive]:
example.com/adapter.handle.func1()
	/src/adapter/adapter.go:1 +0x1
created by example.com/adapter.handle in goroutine 6
	/src/adapter/adapter.go:1 +0x1`, false},
		{"one of the adapter in the standard library", `goroutine 7 [select]:
context.(*cancelCtx).propagateCancel.func2()
	/go/src/context/context.go:1 +0x1
created by context.(*cancelCtx).propagateCancel in goroutine 6
	/go/src/context/context.go:1 +0x1`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := parseGoroutine(test.stack)
			if got := g.isWithin(server); g.id != "7" || got != test.want {
				t.Errorf("%v, goroutine %q: %q", got, g.id, g.packages)
			}
		})
	}
}

func TestShrink(t *testing.T) {
	long := &trip{scheme: "url_path", secure: true, version: "v1", values: []string{"a", "b%c", "de"}, rest: "x/y"}
	err := long.shrink(nil, func() error {
		if slices.ContainsFunc(long.values, func(value string) bool { return strings.Contains(value, "%") }) {
			return errors.New("a percent sign")
		}
		return nil
	})
	want := `scheme url_path, version "1", pattern "/{version}/target/fixed/{p0}", path parameters map["p0":"%"], TLS false`
	if err == nil || long.String() != want {
		t.Errorf("%v: %s", err, long)
	}
}
