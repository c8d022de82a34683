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
)

// running is a server under test for many requests.
type running struct {
	*Server
	before map[string]bool        // the goroutines that there were
	worker atomic.Pointer[string] // the package of the goroutines that run handlers
}

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

// warmUp sends a first request, so that what a framework starts once in a process
// is there before goroutines are counted.
func warmUp(tb testing.TB, mount Mount) error {
	tb.Helper()
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowUnversioned: true}))
	r := get("/users", "")
	_, err := ask(tb, mount, App{API: api, Routes: []Route{newRoute("", "users", "/users", func(Call) Response { return Response{} })}}, &r)
	return err
}

// close stops the server with all its connections. It fails when goroutines stay
// behind, but for those that are the server's own affair: idle workers, and what
// it starts once.
func (s *running) close() error {
	if err := s.stop(); err != nil {
		return err
	}
	for deadline := time.Now().Add(waitTimeout()); ; time.Sleep(time.Millisecond) {
		left := slices.DeleteFunc(goroutines(), func(g goroutine) bool {
			worker := s.worker.Load()
			return s.before[g.id] || worker != nil && g.isWithin(*worker)
		})
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d goroutines stay behind the closed server, among these:\n%.3000s", len(left), left[0].stack)
		}
	}
}

// goroutine is one of a dump of all goroutines.
type goroutine struct {
	id       string
	packages []string // of its functions, the innermost first; the last one started it
	stack    string
}

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

// isWithin reports whether a package started the goroutine and it is in there
// now, or in the standard library below.
func (g *goroutine) isWithin(name string) bool {
	for i, p := range g.packages {
		first, _, _ := strings.Cut(p, "/")
		if p != name && (i >= len(g.packages)-2 || strings.Contains(first, ".")) {
			return false
		}
	}
	return true
}
