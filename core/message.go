package verso

import "maps"

// MessageID names a message of a refusal. It is stable: translations and
// programs may refer to it.
type MessageID string

// The messages of the schemes. Specification: "Errors".
const (
	InvalidAcceptHeaderVersion   MessageID = "invalid_accept_header_version"
	InvalidURLPathVersion        MessageID = "invalid_url_path_version"
	InvalidNamespaceVersion      MessageID = "invalid_namespace_version"
	InvalidHostNameVersion       MessageID = "invalid_host_name_version"
	InvalidQueryParameterVersion MessageID = "invalid_query_parameter_version"

	// NotAcceptable is the message of a request whose Accept header admits
	// nothing that the service produces, so that no version is looked at.
	NotAcceptable MessageID = "not_acceptable"
)

// The messages of a [Strictness].
const (
	ContradictingVersions MessageID = "contradicting_versions"
	EmptyVersion          MessageID = "empty_version"
	UnknownHost           MessageID = "unknown_host"
)

// The titles of problem details: see [Problem].
const (
	TitleInvalidVersion MessageID = "title_invalid_version"
	TitleNotAcceptable  MessageID = "title_not_acceptable"
	TitleUnknownHost    MessageID = "title_unknown_host"
)

var english = map[MessageID]string{
	InvalidAcceptHeaderVersion:   `Invalid version in "Accept" header.`,
	InvalidURLPathVersion:        "Invalid version in URL path.",
	InvalidNamespaceVersion:      "Invalid version in URL path. Does not match any version namespace.",
	InvalidHostNameVersion:       "Invalid version in hostname.",
	InvalidQueryParameterVersion: "Invalid version in query parameter.",
	NotAcceptable:                `Could not satisfy the request "Accept" header.`,
	ContradictingVersions:        "Contradicting versions in request.",
	EmptyVersion:                 "Empty version in request.",
	UnknownHost:                  "Unknown hostname in request.",
	TitleInvalidVersion:          "Invalid API version",
	TitleNotAcceptable:           "Not acceptable",
	TitleUnknownHost:             "Misdirected request",
}

// EnglishMessages returns a new map of all messages in English.
func EnglishMessages() map[MessageID]string {
	return maps.Clone(english)
}

// Translator translates the messages of refusals. The module locales has one.
// It must be safe for concurrent use.
type Translator interface {
	// Messages returns the messages in the language that suits a client best,
	// given the lines of its Accept-Language header, and the tag of that
	// language (BCP 47), "" when it has none. A message that is not in the
	// map is sent in English. Nobody changes the map.
	Messages(acceptLanguage []string) (language string, messages map[MessageID]string)
}
