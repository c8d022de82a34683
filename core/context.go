package verso

import (
	"context"

	"github.com/goverso/verso/core/internal/outcome"
)

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
	if result, ok = ctx.Value(outcome.Key).(*Result); !ok {
		logNotChecked()
	}
	return result, ok
}
