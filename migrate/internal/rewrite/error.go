package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
)

// What a body may cost.
const (
	// MaxHeld bounds a value that an edit needs whole, and what is dropped of a request, in bytes.
	MaxHeld = 1 << 20
	// maxReads is how often functions of a service may read a byte, since it is in values that they
	// need whole, which are inside each other. Small bodies may have more.
	maxReads = 32
	// maxSpread is how many bytes a long request may have for each that the handler reads. The
	// rest are spaces.
	maxSpread = 64
	// MaxBuffered is how much of a body is held before it is rewritten as a stream, in bytes.
	// Most bodies are smaller, and are refused or answered with 500 as a whole.
	MaxBuffered = 1 << 18
	// MaxPointer bounds what is shown of the names of a client, in bytes. A body may have names of any
	// length, and an error is logged whole.
	MaxPointer = 256
)

// The errors of [Rewriter.Run], but for those of its input.
var (
	ErrMore    = errors.New("migrate: more is to come") // a reader's error after which reading goes on
	ErrFull    = errors.New("migrate: enough is out")
	ErrHeld    = fmt.Errorf("a value that an edit needs has more than %d bytes", MaxHeld)
	ErrReads   = errors.New("values that functions of edits read are inside each other too often")
	ErrDropped = fmt.Errorf("more than %d bytes are dropped", MaxHeld)
	ErrValues  = errors.New("there is more than one value")
)

// ValueError is the error of a value that an edit cannot read. The pointer is for the client,
// who knows the names of its own version. The cause goes to the log, since it may repeat the
// value.
type ValueError struct {
	Pointer string // RFC 6901
	Err     error
}

func (e *ValueError) Error() string { return cmp.Or(e.Pointer, "the body") + ": " + e.Err.Error() }
func (e *ValueError) Unwrap() error { return e.Err }

// Recovered is deferred: a panic of a change is an error, since outside RewriteErrors
// nothing recovers, and fasthttp ends the process.
// [http.ErrAbortHandler] stays a panic: with it the service asks to cut the connection.
func Recovered(err *error) {
	switch cause := recover(); cause {
	case nil:
	case any(http.ErrAbortHandler):
		panic(cause)
	default:
		*err = fmt.Errorf("a change panicked: %v\n%s", cause, debug.Stack())
	}
}

// ErrNewer is for the log: the client reads that its version does not have the value.
var ErrNewer = errors.New("only newer versions have the member")
