package source

// MessageID identifies a message of a rejection. It is stable: translations and
// programs may refer to it.
type MessageID string

// The messages of the schemes. Specification: "The schemes".
const (
	InvalidAcceptHeaderVersion   MessageID = "invalid_accept_header_version"
	InvalidURLPathVersion        MessageID = "invalid_url_path_version"
	InvalidNamespaceVersion      MessageID = "invalid_namespace_version"
	InvalidHostNameVersion       MessageID = "invalid_host_name_version"
	InvalidQueryParameterVersion MessageID = "invalid_query_parameter_version"
)

// The messages of other sources.
const (
	// InvalidHeaderVersion is the message of an unknown version in a
	// [github.com/goverso/verso/core.Header].
	InvalidHeaderVersion MessageID = "invalid_header_version"

	// InvalidVersion is the message of an unknown version in a source that
	// has no message of its own.
	InvalidVersion MessageID = "invalid_version"

	// MissingVersion is the message of a request without a version, where
	// there is no default version.
	MissingVersion MessageID = "missing_version"

	// ContradictingVersions is the message of a request that has several
	// versions.
	ContradictingVersions MessageID = "contradicting_versions"

	// NotAcceptableMessage is the message of a request whose Accept header
	// admits nothing that the service produces, so that the version is not
	// determined.
	NotAcceptableMessage MessageID = "not_acceptable"
)

// Rejection is the response to a request that is rejected.
type Rejection struct {
	Status  int       // HTTP status, 400 to 599
	Message MessageID // the code for programs, and the key of translations
	English string    // the text in English; "": that of Message
}
