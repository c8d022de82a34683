package conformance

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	verso "github.com/goverso/verso/core"
)

// witness keeps the calls of Observe for a request.
type witness struct {
	mu   sync.Mutex
	told []verso.Observation
}

func (w *witness) observe(_ context.Context, o verso.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, o)
}

func (w *witness) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = nil
}

// observed returns the calls, when there are enough or after a while. Observe may run after the
// client has its response.
func (w *witness) observed(enough int) (told []verso.Observation) {
	soon(func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		told = w.told
		return len(told) >= enough
	})
	return told
}

// check checks that there is one call, with the given client or the given route, version and
// outcome, or that there is none.
func (w *witness) check(kind, said string) error {
	var got, want []string
	if kind == "CLIENT" || said != "" {
		want = []string{said}
	}
	for _, o := range w.observed(len(want)) {
		if kind == "CLIENT" {
			got = append(got, o.Client)
		} else {
			got = append(got, fmt.Sprintf("%s %s %s", o.Route, o.Version.String(), o.Outcome))
		}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s: Observe is called with %q instead of %q", kind, got, want)
	}
	return nil
}

// logged is a log that keeps the codes of errors and warnings.
type logged struct {
	slog.Handler     // nil: loggers here have no attributes of their own
	mu               sync.Mutex
	errors, warnings []string
}

func (l *logged) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (l *logged) Handle(_ context.Context, record slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	to := &l.warnings
	if record.Level >= slog.LevelError {
		to = &l.errors
	}
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" {
			*to = append(*to, a.Value.String())
		}
		return true
	})
	return nil
}

func (l *logged) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = nil
}

// warned returns the codes of all warnings since the start.
func (l *logged) warned() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.warnings)
}

// check checks that these errors are logged, or this warning at least. The log may come after
// the client has its response.
func (l *logged) check(kind, said string) error {
	var got []string
	if soon(func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		if kind == "WARNED" {
			got = slices.Clone(l.warnings)
			return slices.Contains(got, said)
		}
		got = slices.Clone(l.errors)
		return slices.Equal(got, strings.Fields(said))
	}) {
		return nil
	}
	return fmt.Errorf("%s: %q are logged instead of %q", kind, got, said)
}
