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

// running is a server under test for many requests.
type running struct {
	*Server
	before map[string]bool        // the goroutines before the start
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

// warmUp sends a first request, so that goroutines that a framework starts once in a
// process exist before goroutines are counted.
func warmUp(tb testing.TB, mount Mount) error {
	tb.Helper()
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowUnversioned: true}))
	r := get("/users", "")
	_, err := ask(tb, mount, App{API: api, Routes: []Route{newRoute("", "users", "/users", func(Call) Response { return Response{} })}}, &r)
	return err
}

// close stops the server with all its connections. It fails when goroutines remain,
// except idle workers of the server and goroutines that it starts only once.
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
			return fmt.Errorf("%d goroutines remain after the server was closed, including:\n%.3000s", len(left), left[0].stack)
		}
	}
}

// soon reports whether f returns true within a while.
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

// isWithin reports whether a package started the goroutine, which is now running code
// of that package or of the standard library called from it.
func (g *goroutine) isWithin(name string) bool {
	for i, p := range g.packages {
		first, _, _ := strings.Cut(p, "/")
		if p != name && (i >= len(g.packages)-2 || strings.Contains(first, ".")) {
			return false
		}
	}
	return true
}
