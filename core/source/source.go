package source

// Source is a place where a version can be: read from a request, written into a
// link. It is the one extension point. docs/sources.md shows how to write one;
// conformance.Source tests it.
//
// A Source is immutable and safe for concurrent use. Verso calls its methods, unless it
// is one of package verso, so a Source can embed another one, to log or to count.
type Source interface {
	// Read returns what the request has in this place. It must not keep r, and
	// must clone a string that it keeps.
	Read(r Request, served *ServedVersions) Reading

	// Write returns w with the version, in a link or in a request of a client. It
	// changes nothing if that cannot have the version in this place, and fails
	// with [github.com/goverso/verso/core.ErrNoReverseMatch] if the place cannot have this version.
	Write(w Written, v Version) (Written, error)

	// Describe returns what is known of the source before any request. It is
	// called when a [github.com/goverso/verso/core.Versioning] is built.
	Describe() Description
}

// Description describes a source. Only Name is required.
type Description struct {
	// Name names the source in errors, in [github.com/goverso/verso/core/adapter.Binding.Explain] and in
	// metrics: `header "Api-Version"`. It contains nothing of a request.
	Name string

	// Place is the part of the URL that has the version. A CORS preflight has it
	// too, and links carry it.
	Place Place

	// Headers names the request headers that Read reads, except Host, in
	// canonical form. Responses name them in Vary.
	Headers []string

	// PathParam is the path parameter that Read reads, or "".
	PathParam string

	// PathPrefix is the template of a [github.com/goverso/verso/core.PathPrefix], or "".
	PathPrefix string

	// Namespace is true if Read reads the namespace of the matched route, so that each
	// version has a route name of its own.
	Namespace bool

	// Stored is true if Read reads what the service itself has stored for the request: see
	// [github.com/goverso/verso/core.Stored]. A version not served is its mistake
	// then, and is logged.
	Stored bool

	// Invalid is the rejection of a version that is not served.
	// Default value: status 400, [InvalidVersion].
	Invalid Rejection

	// Missing is the rejection of a request without a version, where there
	// is no default version.
	// Default value: status 400, [MissingVersion].
	Missing Rejection

	// ContentType returns the media type of a response in a version: see
	// [github.com/goverso/verso/core.Result.ContentType]. nil: the source has no media types.
	ContentType func(resource string, v Version) (string, error)

	// AlwaysFinds is true if Read finds a version in every request, so that [github.com/goverso/verso/core.First] never
	// asks the sources after it.
	AlwaysFinds bool

	// PrefixDecides is true if no other part of a combined source overrules its path prefix.
	// A source that embeds a combined one describes itself as that one does.
	PrefixDecides bool

	// Check returns the mistakes in the source, and the versions that it cannot
	// carry. nil: there are none.
	Check func(served *ServedVersions) []Finding

	// Parts are the sources that a combined source asks. Empty: the source is
	// not a combined one.
	Parts []Source
}

// Place is the part of a URL that has the version.
type Place uint8

// The places.
const (
	NotInURL Place = iota // not in the URL, such as in a header
	InPath
	InHost
	InQuery
)
