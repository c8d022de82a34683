package adapter

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/choice"
)

// Track returns an option without effect. An adapter adds it to the options and the
// middleware that one call gives to the routes which are registered with its result, so
// that Explain can report options that no route uses.
func (b *Binding) Track() verso.RouteOption {
	var callers [16]uintptr
	t := &tracked{callers: slices.Clone(callers[:runtime.Callers(2, callers[:])])}
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.tracked = append(b.routes.tracked, t)
	return func(o *choice.Route) { o.Used = append(o.Used, &t.used) }
}

const own = "github.com/goverso/verso/core/adapter"

// tracked is what one call of a method such as Since gives to routes.
type tracked struct {
	callers []uintptr // of Track
	used    atomic.Bool
}

// at returns where the adapter that calls Track was called, in the service's code: "main.go:31".
func (t *tracked) at() string {
	frames := runtime.CallersFrames(t.callers)
	adapter, more := frames.Next()
	for strings.HasPrefix(adapter.Function, own+".") || strings.HasPrefix(adapter.Function, own+"/") {
		adapter, more = frames.Next() // behind what adapters share
	}
	for more {
		var at runtime.Frame
		at, more = frames.Next()
		if filepath.Dir(at.File) != filepath.Dir(adapter.File) || strings.HasSuffix(at.File, "_test.go") {
			return fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)
		}
	}
	return "an unknown place"
}
