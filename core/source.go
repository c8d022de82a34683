package verso

// Source is a place where a version can be: read from a request, written into a
// link. It is the one extension point. docs/sources.md shows how to write one;
// conformance.Source tests it.
//
// A Source does not change once it is made and is safe for concurrent use. None
// of its behaviour hangs on its type, so one Source can wrap another by
// embedding it, to log or to count, and lose nothing.
type Source interface {
	// Read says what the request has in this place. r must not be kept, and
	// a text that is kept must be cloned.
	Read(r Request, served *Served) Reading

	// Write puts the version into the target of a link. It changes nothing
	// when a URL cannot carry the version in this place, and fails with
	// [ErrNoReverseMatch] when this version cannot stand there.
	Write(t Target, v Version) (Target, error)

	// Describe says what is known of the source before any request. It is
	// called when a [Versioning] is built.
	Describe() Description
}

// Description is what a source says of itself. Only Name is required.
type Description struct {
	// Name names the source in errors, in [Versioning.Explain] and in
	// metrics: `header "Api-Version"`. It is one of few: nothing of a
	// request is in it.
	Name string

	// Headers names the request headers that Read looks at, in canonical
	// form, but for Host. They make the Vary field of the responses.
	Headers []string

	// PathParam is the path parameter that Read looks at, "" for none.
	PathParam string

	// PathPrefix is the template of a [PathPrefix], "" for none.
	PathPrefix string

	// InURL says that the version is in the URL: a CORS preflight has it too.
	InURL bool

	// Namespace says that Read looks at the namespace of the matched route, so
	// that the name of a route differs from version to version.
	Namespace bool

	// Invalid is the rejection of a version that is not served.
	// Default value: status 400, [InvalidVersion].
	Invalid Rejection

	// Missing is the rejection of a request without a version, where there
	// is no default version.
	// Default value: status 400, [MissingVersion].
	Missing Rejection

	// ContentType returns the media type of an answer in a version: see
	// [Result.ContentType]. nil: the source has none.
	ContentType func(resource string, v Version) (string, error)

	// Always says that Read finds a version in every request, so that no
	// source behind it in a [First] is ever asked.
	Always bool

	// Check returns what is wrong with the source, or with the versions that
	// it is to carry. nil: nothing.
	Check func(served *Served) []Finding

	// Parts are the single sources that a combined source consults. Empty: the
	// source is a single one.
	Parts []Source
}

// Rejection is the answer to a request that is rejected.
type Rejection struct {
	Status  int       // HTTP status, 400 to 599
	Message MessageID // the code for programs, and the text that is translated
	English string    // the text in English; "": that of the message
}

// Reading is what a source read. The zero Reading is [Absent].
type Reading struct {
	Outcome Outcome

	// Text is the version, in [Found] and [Contradicting].
	Text string

	// Err is why the outcome is [Failed]: a programming error, which is
	// answered with status 500 and of which the client learns nothing.
	Err error

	// Part is the one of [Description.Parts] that decided, counted from 1:
	// rejections are its own, and links carry the version in its way. 0: no
	// part did.
	Part int

	// Looked is how many parts, from the first one on, were looked at. Vary
	// names the headers of these only. 0: all.
	Looked int

	served *servedVersion // of Text, where it was looked up already
}

// Outcome tells readings apart.
type Outcome uint8

// The outcomes of [Source.Read].
const (
	// Absent: the place has no version. The default version applies, if it is
	// allowed.
	Absent Outcome = iota

	// Nowhere: the request does not have such a place. The default version
	// applies, allowed or not.
	Nowhere

	// Unversioned: the place says that there is no version, and the default
	// does not apply. It must be allowed that a request has none.
	Unversioned

	// Found: the place has the version Text.
	Found

	// Contradicting: the place has several versions, Text among them. Rejected
	// with status 400.
	Contradicting

	// NotAcceptable: the client accepts nothing that the service produces.
	// Rejected with status 406.
	NotAcceptable

	// Malformed: the place is malformed, or larger than is read. Rejected
	// with status 400.
	Malformed

	// Failed: the source could not read, for the reason Err.
	Failed
)

var outcomes = [...]string{"absent", "nowhere", "unversioned", "found", "contradicting", "not acceptable", "malformed", "failed"}

// String returns the name of the outcome.
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return "unknown outcome"
}

// Rejections that do not depend on the source.
var (
	missingVersion = Rejection{Status: 400, Message: MissingVersion}
	invalidVersion = Rejection{Status: 400, Message: InvalidVersion}
	notAcceptable  = Rejection{Status: 406, Message: NotAcceptableMessage}
	contradicting  = Rejection{Status: 400, Message: ContradictingVersions}
	emptyVersion   = Rejection{Status: 400, Message: EmptyVersion}
	unknownHost    = Rejection{Status: 421, Message: UnknownHost}

	versionGone        = Rejection{Status: 410, Message: VersionGone}
	versionBrownout    = Rejection{Status: 410, Message: VersionBrownout}
	routeGone          = Rejection{Status: 410, Message: RouteGone}
	notInVersion       = Rejection{Status: 404, Message: NotInVersion}
	methodNotInVersion = Rejection{Status: 405, Message: MethodNotInVersion}
)
