package verso

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/goverso/verso/core/internal/outcome"
	"github.com/goverso/verso/core/source"
)

// ErrNotChecked matches the error of a handler that asks for the version, a link or
// a content type of a request that Verso did not check.
var ErrNotChecked = errors.New("verso: the request was rejected, is checked later, or its route is not registered " +
	"with v: read the version behind AfterCheck (InContext for FromContext), or log with Config.Observe")

// Result is what an adapter keeps of a request for its handler. A nil Result is that
// of a request that was not checked, and so is, for handlers, that of a rejected one.
//
// Its parts are internal, since only package adapter sets them.
type Result outcome.Result

// binding is what a result needs of the binding that decided.
type binding interface {
	LinkTo(r source.Request, version Version, part int, target Target) (string, error)
	AtLeast(requested Version, version string) bool
	ContentType(resource string, version Version) (string, error)
}

func (res *Result) in() *outcome.Fields { return (*outcome.Result)(res).In() }

// isUnchecked reports whether handlers get no version.
func (res *Result) isUnchecked() bool { return res == nil || res.in().Rejected }

var notCheckedOnce sync.Once

// Version returns the version of the request, the zero Version if it has none. For a
// request that was not checked it returns the zero Version too, and logs the first.
func (res *Result) Version() Version {
	if res.isUnchecked() {
		logNotChecked()
		return Version{}
	}
	return res.in().Version
}

func logNotChecked() {
	notCheckedOnce.Do(func() { slog.Warn(ErrNotChecked.Error(), "code", "not_checked") })
}

// AtLeast reports whether the version of the request is the given one or a later
// one, in the order of the API's versions. It is false for a request without a
// version, and for an unlisted version. The latter is logged once, and so is a
// request to a neutral route, unless the API lets requests without a version through.
func (res *Result) AtLeast(version string) bool {
	requested := res.Version()
	return !res.isUnchecked() && res.in().Links.(binding).AtLeast(requested, version)
}

// ContentType returns the vendor media type of a response in the version of the
// request, for the source [MediaType]. resource is the value of the template's
// {resource}, "" for a template without it. It fails with [ErrNotChecked] if the
// request was not checked, and with another error if no source has a template, the
// request has no version, or the resource cannot be in a media type.
func (res *Result) ContentType(resource string) (string, error) {
	if res.isUnchecked() {
		return "", ErrNotChecked
	}
	return res.in().Links.(binding).ContentType(resource, res.in().Version)
}

// Link builds the URL of the target in the version of the request, or in that of the
// target. If the version of the request has no such route ([ErrNoReverseMatch]), Link
// tries again without the version.
//
// Link fails with [ErrNotChecked] if the request was not checked, with
// [ErrNoReverseMatch] if no route has the name and the parameters, with
// [ErrMixedParams] if the target has parameters by position and by name, with
// [ErrNotInVersion] if the version does not have the route, with [ErrUnknownVersion] if
// the service does not serve the version of the target, and with another error if the
// URL would have a host that is not trusted.
//
// The result comes from [FromContext]. An adapter's own has no request, so its links
// are as those of [github.com/goverso/verso/core/adapter.Binding.Link]: see LinkFor of package adapter.
func (res *Result) Link(target Target) (string, error) {
	if res.isUnchecked() {
		return "", ErrNotChecked
	}
	var r source.Request
	if res.in().Request != nil {
		r = *res.in().Request
	}
	return res.in().Links.(binding).LinkTo(r, res.in().Version, res.in().Part, target)
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
	if result, ok = ctx.Value(outcome.Key).(*Result); !ok {
		logNotChecked()
	}
	return result, ok
}
