package adapter

import (
	"errors"
	"slices"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
)

// links builds the URLs of the routes of a router.
type links struct {
	api    *engine
	routes *routes
	host   atomic.Pointer[string] // of the first link with the host of a request

	compares atomic.Bool // AtLeast was called
}

// AtLeast reports whether a version is the given one or a later one.
func (l *links) AtLeast(requested verso.Version, version string) bool {
	if requested.IsNone() {
		if !l.api.IsAllowedVersion(requested) {
			l.api.journal.say(codes.AtLeastUnversioned, version)
		}
		return false
	}
	if !l.compares.Load() && !l.compares.Swap(true) {
		l.routes.changes.Add(1) // the next review looks at the order
	}
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
