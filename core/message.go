package verso

import (
	"maps"

	"github.com/goverso/verso/core/source"
)

// The messages of versions over time, and of routes in versions. Those with which sources
// reject, such as [source.MissingVersion], are in package source.
const (
	VersionGone        MessageID = "version_gone"          // the version ended at its sunset
	VersionBrownout    MessageID = "version_brownout"      // the version is switched off for a while, before its end
	RouteGone          MessageID = "route_gone"            // the route ended at its own sunset
	NotInVersion       MessageID = "not_in_version"        // the version does not have the route
	MethodNotInVersion MessageID = "method_not_in_version" // the version has the path, with other methods
)

// The messages of a [Strictness].
const (
	EmptyVersion MessageID = "empty_version"
	UnknownHost  MessageID = "unknown_host"
)

// The titles of problem details: see [ProblemTitle].
const (
	titleInvalidVersion MessageID = "title_invalid_version"
	titleNotAcceptable  MessageID = "title_not_acceptable"
	titleUnknownHost    MessageID = "title_unknown_host"
	titleGone           MessageID = "title_gone"
	titleNotInVersion   MessageID = "title_not_in_version"
)

// kind is a kind of problem, which messages have in common.
type kind struct {
	anchor string // of its description
	title  MessageID
}

// kinds are the kinds of the messages that are not about a version which is not served.
var kinds = map[MessageID]kind{
	source.MissingVersion:        {"missing-version", titleInvalidVersion},
	source.NotAcceptableMessage:  {"not-acceptable", titleNotAcceptable},
	source.ContradictingVersions: {"contradicting-versions", titleInvalidVersion},
	EmptyVersion:                 {"empty-version", titleInvalidVersion},
	VersionGone:                  {"version-gone", titleGone},
	RouteGone:                    {"version-gone", titleGone},
	VersionBrownout:              {"version-brownout", titleGone},
	NotInVersion:                 {"not-in-version", titleNotInVersion},
	MethodNotInVersion:           {"not-in-version", titleNotInVersion},
	UnknownHost:                  {"unknown-host", titleUnknownHost},
}

func kindOf(m MessageID) kind {
	if k, ok := kinds[m]; ok {
		return k
	}
	return kind{"invalid-version", titleInvalidVersion} // of a source
}

// ProblemURI returns the type of the [Problem] with a message: the address of its
// description. The messages of all sources about a version not served have the same.
func ProblemURI(m MessageID) string {
	return "https://github.com/goverso/verso/blob/main/docs/problems.md#" + kindOf(m).anchor
}

// ProblemTitle returns the message for the title of the [Problem] with a message.
// Titles are translated as messages are.
func ProblemTitle(m MessageID) MessageID { return kindOf(m).title }

// EnglishMessages returns a new map of all messages in English, those of titles included.
func EnglishMessages() map[MessageID]string { return maps.Clone(english) }

// Translator translates the messages of rejections. The module locales has one.
// It must be safe for concurrent use.
type Translator interface {
	// Messages returns the messages in the language that suits a client best,
	// given its Accept-Language header, the lines joined by ", ", and the tag
	// of that language (BCP 47), "" if it has none. A language always has the
	// same messages. A message missing in the map is sent in English: that of
	// Messages("en") if this returns the language "en", otherwise Verso's. Then
	// Content-Language names English. Callers must not modify the map.
	Messages(acceptLanguage string) (language string, messages map[MessageID]string)
}
