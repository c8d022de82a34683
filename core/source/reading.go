package source

// Reading is what a source read. The zero Reading is [Absent].
type Reading struct {
	Outcome ReadingOutcome

	// Later is true if the service may serve Text later: no cache keeps the response then,
	// if its status is 404.
	Later bool

	// Text is the version, in [Found] and [Contradicting].
	Text string

	// Err is why the outcome is [Failed]: a programming error. The response has
	// status 500 and does not contain it.
	Err error

	// Part is the number of the one of [Description.Parts] that decided, from
	// 1: rejections and links are those of that part. 0: no part decided.
	Part int

	// PartsRead is the number of parts that were asked, from the first one on.
	// Vary names their headers only. 0: all were.
	PartsRead int
}

// ReadingOutcome is the kind of a [Reading].
type ReadingOutcome uint8

// The outcomes of [Source.Read].
const (
	// Absent: the place has no version. The default version applies, if it is
	// allowed.
	Absent ReadingOutcome = iota

	// NoPlace: the request lacks the place. The default version applies,
	// allowed or not.
	NoPlace

	// Unversioned: the request explicitly has no version, so the default does not apply.
	// The request is rejected unless requests without a version are allowed.
	Unversioned

	// Found: the place has the version Text.
	Found

	// Contradicting: the place has several versions, Text among them. Rejected
	// with status 400.
	Contradicting

	// NotAcceptable: the client accepts no media type that the service produces.
	// Rejected with status 406.
	NotAcceptable

	// Malformed: the place is malformed or too large. Rejected with status 400.
	Malformed

	// Failed: the source could not read the request. Err is the reason.
	Failed
)

// String returns the name of the outcome.
func (o ReadingOutcome) String() string { return outcomes[min(o, Failed+1)] }

var outcomes = [...]string{"absent", "nowhere", "unversioned", "found", "contradicting", "not acceptable", "malformed",
	"failed", "unknown outcome"}
