package verso

import (
	"cmp"

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

	// Those of a [Strictness].
	EmptyVersion MessageID = "empty_version"
	UnknownHost  MessageID = "unknown_host"

	// The titles of problem details: see [ProblemTitle].
	titleInvalidVersion MessageID = "title_invalid_version"
	titleNotAcceptable  MessageID = "title_not_acceptable"
	titleUnknownHost    MessageID = "title_unknown_host"
	titleGone           MessageID = "title_gone"
	titleNotInVersion   MessageID = "title_not_in_version"
)

// message is a message in English, and its kind of problem. The messages of all sources about a
// version not served have one kind.
type message struct {
	english string
	anchor  string // of the description of the kind
	title   MessageID
}

var messages = map[MessageID]message{
	source.InvalidAcceptHeaderVersion:   {english: `Invalid version in "Accept" header.`},
	source.InvalidURLPathVersion:        {english: "Invalid version in URL path."},
	source.InvalidNamespaceVersion:      {english: "Invalid version in URL path. Does not match any version namespace."},
	source.InvalidHostNameVersion:       {english: "Invalid version in hostname."},
	source.InvalidQueryParameterVersion: {english: "Invalid version in query parameter."},
	source.InvalidHeaderVersion:         {english: "Invalid version in header."},
	source.InvalidVersion:               {english: "Invalid version in request."},
	source.MissingVersion:               {"Missing version in request.", "missing-version", titleInvalidVersion},
	source.ContradictingVersions: {"Contradicting versions in request.", "contradicting-versions",
		titleInvalidVersion},
	source.NotAcceptableMessage: {`Could not satisfy the request "Accept" header.`, "not-acceptable",
		titleNotAcceptable},
	EmptyVersion: {"Empty version in request.", "empty-version", titleInvalidVersion},
	UnknownHost:  {"Unknown hostname in request.", "unknown-host", titleUnknownHost},
	VersionGone:  {"This API version has ended.", "version-gone", titleGone},
	VersionBrownout: {"This API version is switched off for a short time and will end soon.", "version-brownout",
		titleGone},
	RouteGone:    {"This resource has ended.", "version-gone", titleGone},
	NotInVersion: {"This API version does not have the resource.", "not-in-version", titleNotInVersion},
	MethodNotInVersion: {"This API version does not have the method for the resource.", "not-in-version",
		titleNotInVersion},
	titleInvalidVersion: {english: "Invalid API version"},
	titleGone:           {english: "Gone"},
	titleNotInVersion:   {english: "Not in this API version"},
	titleNotAcceptable:  {english: "Not acceptable"},
	titleUnknownHost:    {english: "Misdirected request"},
}

// ProblemURI returns the type of the [Problem] with a message: the address of its
// description. The messages of all sources about a version not served have the same.
func ProblemURI(m MessageID) string {
	return "https://github.com/goverso/verso/blob/main/docs/problems.md#" +
		cmp.Or(messages[m].anchor, "invalid-version")
}

// ProblemTitle returns the message for the title of the [Problem] with a message.
// Titles are translated as messages are.
func ProblemTitle(m MessageID) MessageID { return cmp.Or(messages[m].title, titleInvalidVersion) }

// EnglishMessages returns a new map of all messages in English, those of titles included.
func EnglishMessages() map[MessageID]string {
	english := make(map[MessageID]string, len(messages))
	for id, m := range messages {
		english[id] = m.english
	}
	return english
}

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
