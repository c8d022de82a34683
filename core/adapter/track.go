package adapter

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

const own = "github.com/goverso/verso/core/adapter"

// tracked is what one call of a method such as Since gives to routes.
type tracked struct {
	callers []uintptr // of Track or NoteMiddleware
	used    atomic.Bool
}

func newTracked() *tracked {
	var callers [16]uintptr
	return &tracked{callers: slices.Clone(callers[:runtime.Callers(3, callers[:])])}
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
