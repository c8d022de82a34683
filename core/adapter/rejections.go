package adapter

import (
	"cmp"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// Rejections that do not depend on the source.
var (
	missingVersion = source.Rejection{Status: 400, Message: source.MissingVersion}
	invalidVersion = source.Rejection{Status: 400, Message: source.InvalidVersion}
	notAcceptable  = source.Rejection{Status: 406, Message: source.NotAcceptableMessage}
	contradicting  = source.Rejection{Status: 400, Message: source.ContradictingVersions}
	emptyVersion   = source.Rejection{Status: 400, Message: verso.EmptyVersion}
	unknownHost    = source.Rejection{Status: 421, Message: verso.UnknownHost}

	versionGone        = source.Rejection{Status: 410, Message: verso.VersionGone}
	versionBrownout    = source.Rejection{Status: 410, Message: verso.VersionBrownout}
	routeGone          = source.Rejection{Status: 410, Message: verso.RouteGone}
	notInVersion       = source.Rejection{Status: 404, Message: verso.NotInVersion}
	methodNotInVersion = source.Rejection{Status: 405, Message: verso.MethodNotInVersion}
)

// isOfVersion reports whether the version is the reason of a rejection: it is unknown, or has
// ended.
func isOfVersion(r *source.Rejection) bool {
	switch r {
	case &missingVersion, &notAcceptable, &contradicting, &emptyVersion, &unknownHost,
		&versionBrownout, &routeGone, &notInVersion, &methodNotInVersion:
		return false
	}
	return true // versionGone, or the source's own
}

// newError returns the error of a request that a part of the source rejects.
func newError(part string, rejection *source.Rejection, reading *source.Reading) *verso.Error {
	return &verso.Error{
		Source: part, Status: rejection.Status, MessageID: rejection.Message, Message: englishOf(rejection),
		Requested:    strings.Clone(reading.Text),
		HasRequested: reading.Outcome == source.Found || reading.Outcome == source.Contradicting,
	}
}

// englishOf returns the English text of a rejection.
func englishOf(r *source.Rejection) string { return cmp.Or(r.English, texts[r.Message]) }

var texts = verso.EnglishMessages()
