package adapter

import (
	"context"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/outcome"
	"github.com/goverso/verso/core/source"
)

// contextOf is the context of a request with its result, in one piece of memory.
type contextOf struct {
	context.Context //nolint:containedctx // it is one

	request source.Request
	result  verso.Result
}

// Value returns the result to [verso.FromContext].
func (c *contextOf) Value(key any) any {
	if key == ContextKey {
		return &c.result
	}
	return c.Context.Value(key)
}

// ContextKey is the key of the [*verso.Result] in a context that [NewContext] returns. The
// adapter of a framework whose own context is a [context.Context] stores the result under
// it too. It is a string, because gin.Context.Value only looks up string keys. An internal
// package declares it, because FromContext looks it up too.
const ContextKey = outcome.Key

// NewContext returns a copy of the context of r in which [verso.FromContext] finds the result,
// for the InContext of an adapter. If r was not checked, or was rejected, it returns the
// context of r.
func NewContext(result *verso.Result, r source.Request) context.Context {
	if isUnchecked(result) {
		return r.Context()
	}
	c := &contextOf{r.Context(), r, *result}
	in(&c.result).Request = &c.request
	return c
}

// in returns what was decided on a request.
func in(result *verso.Result) *outcome.Fields { return (*outcome.Result)(result).In() }

// isUnchecked reports whether handlers get no version.
func isUnchecked(result *verso.Result) bool { return result == nil || in(result).Rejected }

// LinkFor is [verso.Result.Link] for an adapter. r is the request of the result.
func LinkFor(result *verso.Result, r source.Request, target verso.Target) (string, error) {
	if isUnchecked(result) {
		return "", verso.ErrNotChecked
	}
	of := in(result)
	return of.Links.(*links).link(&r, of.Version, of.Part, &target)
}

// URLFor is [LinkFor] for responses whose handler has no use for the error: it logs it, once for
// each target, and returns "".
func URLFor(result *verso.Result, r source.Request, target verso.Target) string {
	url, err := LinkFor(result, r, target)
	if err == nil {
		return url
	}
	journal := new(onceLogger) // of no binding
	if !isUnchecked(result) {
		journal = in(result).Links.(*links).api.journal
	}
	if journal.once("link_failed " + target.Name + err.Error()) {
		journal.log(finding.Of(codes.LinkFailed, target.Name, err))
	}
	return ""
}
