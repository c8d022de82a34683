package verso

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/goverso/verso/core/route"
)

// ErrNotChecked matches the error of a handler that asks for the version, a link or
// a content type of a request that Verso did not check.
var ErrNotChecked = errors.New("verso: the request was not checked: register its route with Verso, or install the middleware before its handler")

// Result is what an adapter keeps of a request for its handler. A nil Result is that
// of a request that was not checked.
type Result struct {
	version Version // none when the request has none
	binding *Binding
	part    int
	index   int // of the version, -1: it is not known

	own bool // it is made for the request, others are shared

	// assumed is the route that a middleware took the request for, or that has
	// replaced the decision of one; nil for the results that requests share.
	assumed *route.Route
}

// Result returns the result of a request for a version, for a test that calls a
// handler without a check. Its links carry the version in the first source whose place
// is in the URL. It fails with [ErrUnknownVersion] if the version is not served. It
// ignores the clock: a version that has ended has a result as well.
func (b *Binding) Result(version Version) (*Result, error) {
	if !b.api.IsAllowedVersion(version) {
		return nil, fmt.Errorf("verso: %w: %q: use one of %q", ErrUnknownVersion, version, b.api.set.known)
	}
	part := b.api.linkedPart(version)
	if version.IsNone() {
		return &b.none[part], nil
	}
	if known := b.served.lookup(version.String()); known != nil {
		return &known.results[part], nil
	}
	return &b.resultsOf(version, -1)[part], nil
}

// linkedPart returns the first part whose place is in the URL, 0 for none.
func (v *Versioning) linkedPart(version Version) int {
	if v.source == nil {
		return 0
	}
	for i, source := range v.source.Describe().Parts {
		if written, err := source.Write(Target{Version: version}, version); err == nil && written.carries {
			return i + 1
		}
	}
	return 0
}

var sayNotChecked sync.Once

// Version returns the version of the request, the zero Version if it has none. For a
// request that was not checked it returns the zero Version too, and logs the first.
func (res *Result) Version() Version {
	if res == nil {
		return versionUnchecked()
	}
	return res.version
}

func versionUnchecked() Version {
	sayNotChecked.Do(func() { slog.Warn(ErrNotChecked.Error(), "code", "not_checked") })
	return Version{}
}

// AtLeast reports whether the version of the request is the given one or a later
// one, in the order of the API's versions. It is false for a request without a
// version, and for a version that is not listed, which is logged once.
func (res *Result) AtLeast(version string) bool {
	asked := res.Version()
	if asked.IsNone() {
		return false
	}
	order := res.binding.api.config.listed()
	index := slices.Index(order, version)
	if index < 0 && res.binding.once("at_least_unknown "+version) {
		res.binding.say(warn("at_least_unknown", "Versions", "a handler asks for at least %q, which is none of %q: correct it", version, order))
	}
	return index >= 0 && index <= slices.Index(order, asked.String())
}
