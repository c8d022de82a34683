package adapter

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/source"
)

// links builds the URLs of the routes of a router.
type links struct {
	api    *engine
	routes *routes
	host   atomic.Pointer[string] // of the first link with the host of a request
}

// AtLeast reports whether a version is the given one or a later one.
func (l *links) AtLeast(requested verso.Version, version string) bool {
	order := l.api.Listed
	index := slices.Index(order, version)
	if index < 0 && l.api.journal.once("at_least_unknown "+version) {
		l.api.journal.log(finding.Of(codes.AtLeastUnknown, version, order))
	}
	return index >= 0 && index <= slices.Index(order, requested.String())
}

// ContentType returns the media type of a response.
func (l *links) ContentType(resource string, version verso.Version) (string, error) {
	switch {
	case l.api.contentType == nil:
		return "", errors.New("verso: no source is a MediaType, so Verso has no template")
	case version.IsNone():
		return "", errors.New("verso: the request has no version to put into the media type")
	}
	return l.api.contentType(resource, version)
}

// link builds the URL of a target for a request in a version, which it had in a part
// of the source: see [verso.Result.Link].
func (l *links) link(r *source.Request, version verso.Version, part int, t *verso.Target) (string, error) {
	if !t.Version.IsNone() && !l.api.IsAllowedVersion(t.Version) {
		return "", fmt.Errorf("verso: %w: %q: link to one of the versions that the service serves",
			verso.ErrUnknownVersion, t.Version)
	}
	if l.api.config.Links.OriginFunc != nil && !r.HasParams() {
		r.SetParams(l.routes.router)
	}
	built, err := l.linkIn(r, version, part, t)
	if err == nil || !errors.Is(err, verso.ErrNoReverseMatch) || !t.Version.IsNone() {
		return built, err
	}
	var written source.Written
	written.SetLink(0, false)
	built, unversioned := l.linkWritten(r, version, t, &written)
	if unversioned == nil {
		return built, nil
	}
	var isUnfit *unfit // the names are right, so the second error would be wrong
	if unversioned.Error() != err.Error() && !errors.As(err, &isUnfit) {
		err = fmt.Errorf("%w (and without the version: %w)", err, unversioned)
	}
	return "", err
}

// linkIn builds the URL of a target in a version, or in the target's version.
func (l *links) linkIn(r *source.Request, version verso.Version, part int, t *verso.Target) (string, error) {
	var written source.Written
	written.SetLink(part, t.Version.IsNone())
	if !written.Stays() {
		version = t.Version
	}
	if !version.IsNone() {
		if err := sources.WriteInto(l.api.source, &written, version); err != nil {
			return "", err
		}
	}
	return l.linkWritten(r, version, t, &written)
}

// LinkTo builds a link for the result of a request.
func (l *links) LinkTo(r source.Request, version verso.Version, part int, target verso.Target) (string, error) {
	return l.link(&r, version, part, &target)
}
