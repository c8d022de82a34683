package conformance

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// running is a server under test for many requests. A goroutine that remains after each request
// is a leak that a service notices in days. The suite finds it by comparing two dumps.
type running struct {
	*Server
	before map[string]bool        // the goroutines before the start
	worker atomic.Pointer[string] // the package of the goroutines that run handlers
}

// Goroutines are known by their numbers, which the runtime never uses twice.
func start(tb testing.TB, mount Mount, app App) *running {
	tb.Helper()
	s := &running{before: make(map[string]bool)}
	for _, g := range goroutines() {
		s.before[g.id] = true
	}
	app.Routes = slices.Clone(app.Routes)
	for i := range app.Routes {
		handle := app.Routes[i].Handle
		app.Routes[i].Handle = func(call Call) Response {
			// Some servers leave idle workers behind for a while. Their package is found from
			// within a handler, since the suite does not know the frameworks.
			if s.worker.Load() == nil {
				stack := make([]byte, 64<<10)
				g := parseGoroutine(string(stack[:runtime.Stack(stack, false)]))
				s.worker.Store(&g.packages[max(0, len(g.packages)-2)])
			}
			return handle(call)
		}
	}
	s.Server = mount(tb, app)
	return s
}

// warmUp sends a first request, so that goroutines that a framework starts once in a process
// exist before goroutines are counted. Otherwise the first check would take them for leaks.
func warmUp(tb testing.TB, mount Mount) error {
	tb.Helper()
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowUnversioned: true}))
	r := get("/users", "")
	_, err := ask(tb, mount, App{API: api, Routes: []Route{newRoute("", "users", "/users",
		func(Call) Response { return Response{} })}}, &r)
	return err
}

// close stops the server with all its connections. It fails when goroutines remain,
// except idle workers of the server and goroutines that it starts only once.
func (s *running) close() error {
	if err := s.stop(); err != nil {
		return err
	}
	// Connections end a little after the server, so a leak is one only after a while.
	for deadline := time.Now().Add(waitTimeout()); ; time.Sleep(time.Millisecond) {
		left := slices.DeleteFunc(goroutines(), func(g goroutine) bool {
			worker := s.worker.Load()
			return s.before[g.id] || worker != nil && g.isWithin(*worker)
		})
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d goroutines remain after the server was closed, including:\n%.3000s", len(left),
				left[0].stack)
		}
	}
}

// soon reports whether f returns true within a while. Observe and the end of a request run in
// goroutines of the server, after the client has its response.
func soon(f func() bool) bool {
	for deadline := time.Now().Add(waitTimeout() / 10); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// goroutine is one of a dump of all goroutines.
type goroutine struct {
	id       string
	packages []string // of its functions, the innermost first; the last one started it
	stack    string
}

// A dump that fills its buffer may be cut off.
func goroutines() (all []goroutine) {
	dump := make([]byte, 1<<16)
	for runtime.Stack(dump, true) == len(dump) {
		dump = make([]byte, 2*len(dump))
	}
	for stack := range strings.SplitSeq(strings.TrimRight(string(dump), "\n\x00"), "\n\n") {
		all = append(all, parseGoroutine(stack))
	}
	return all
}

// The runtime has no other way to ask for the packages of a goroutine.
func parseGoroutine(stack string) goroutine {
	first, rest, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), "\n")
	id, _, _ := strings.Cut(first, " ")
	g := goroutine{id: id, stack: stack}
	for line := range strings.SplitSeq(strings.TrimRight(rest, "\n"), "\n") {
		if !strings.HasPrefix(line, "\t") {
			function := strings.TrimPrefix(line, "created by ")
			slash := strings.LastIndexByte(function, '/') + 1
			name, _, _ := strings.Cut(function[slash:], ".")
			g.packages = append(g.packages, function[:slash]+name)
		}
	}
	return g
}

// isWithin reports whether a package started the goroutine, which is now running code of that
// package or of the standard library called from it. Code of the adapter in the stack means
// that the worker is not idle, but stuck in a request.
func (g *goroutine) isWithin(name string) bool {
	for i, p := range g.packages {
		first, _, _ := strings.Cut(p, "/")
		if p != name && (i >= len(g.packages)-2 || strings.Contains(first, ".")) {
			return false
		}
	}
	return true
}
