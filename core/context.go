package verso

import (
	"context"
	"github.com/goverso/verso/core/source"
)

// contextOf is the context of a request with its result, in one piece of memory.
type contextOf struct {
	context.Context //nolint:containedctx // it is one

	request source.Request
	result  Result
}

// Value returns the result to [FromContext].
func (c *contextOf) Value(key any) any {
	if key == ContextKey {
		return &c.result
	}
	return c.Context.Value(key)
}

// FromContext returns the result of the request that ctx belongs to, for handlers that
// get nothing else, such as those of generated servers. [Result.Link] is valid only while
// the request is being handled. The InContext of an adapter puts it there:
//
//	v.AfterCheck(versogin.InContext).RegisterVersions(versions)
//
// A route that a handler passes its request on to needs InContext as well. Without it, or
// if the request was not checked, FromContext returns false, and logs that once; a nil
// result has no version.
func FromContext(ctx context.Context) (result *Result, ok bool) {
	if result, ok = ctx.Value(ContextKey).(*Result); !ok {
		logNotChecked()
	}
	return result, ok
}

// ContextKey is the key of the [*Result] in a context that [NewContext] returns. The
// adapter of a framework whose own context is a [context.Context] stores the result under
// it too. It is a string, because gin.Context.Value only looks up string keys.
const ContextKey = "github.com/goverso/verso/core.Result"

// NewContext returns a copy of the context of r in which [FromContext] finds the result,
// for the InContext of an adapter. If r was not checked, or was rejected, it returns the
// context of r.
func NewContext(result *Result, r source.Request) context.Context {
	if result.isUnchecked() {
		return r.Context()
	}
	c := &contextOf{r.Context(), r, *result}
	c.result.request = &c.request
	return c
}
