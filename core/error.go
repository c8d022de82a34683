package verso

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/goverso/verso/core/route"
)

// Sentinels to tell errors apart with [errors.Is].
var (
	// ErrNotAcceptable matches an [*Error] with status 406.
	ErrNotAcceptable = errors.New("verso: not acceptable")

	// ErrNotFound matches an [*Error] with status 404.
	ErrNotFound = errors.New("verso: not found")

	// ErrNotImplemented matches the error of [Base.DetermineVersion]. It is
	// a programming error, not an answer to the client.
	ErrNotImplemented = errors.New("verso: not implemented")

	// ErrNoReverseMatch matches the errors of a reversal that found no route
	// for the name and the arguments.
	ErrNoReverseMatch = route.ErrNoMatch

	// ErrMixedArguments matches the error of a reversal that was given
	// positional and named arguments together.
	ErrMixedArguments = route.ErrMixedArguments
)

// Error is the refusal of a request: the version that it asks for is not
// served, or nothing that it accepts is.
type Error struct {
	Scheme    string    // name of the scheme that refused, "AcceptHeaderVersioning"
	Status    int       // HTTP status: 406 for the Accept header, 404 for the others
	MessageID MessageID // what is wrong
	Message   string    // what is wrong in English, without anything that the client sent
	Version   Version   // the version asked for, none when the request names none
}

// Error returns the English message. It holds nothing that the client sent.
func (e *Error) Error() string {
	return e.Message
}

// StatusCode returns the HTTP status of the refusal.
func (e *Error) StatusCode() int {
	return e.Status
}

// Is reports whether e matches [ErrNotFound] or [ErrNotAcceptable].
func (e *Error) Is(target error) bool {
	return target == ErrNotFound && e.Status == http.StatusNotFound ||
		target == ErrNotAcceptable && e.Status == http.StatusNotAcceptable
}

// LogValue returns the fields of e, the version asked for quoted and cut: see
// [Version.LogValue].
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("scheme", e.Scheme),
		slog.Int("status", e.Status),
		slog.String("message_id", string(e.MessageID)),
		slog.Any("version", e.Version),
	)
}

// refusal is the part of an Error that is the same for all requests.
type refusal struct {
	status int
	id     MessageID
}

func (r *refusal) of(scheme string, v Version) *Error {
	return &Error{Scheme: scheme, Status: r.status, MessageID: r.id, Message: english[r.id], Version: v}
}

// notImplementedError is the error of a scheme without DetermineVersion.
type notImplementedError struct{ scheme string }

func (e notImplementedError) Error() string {
	return e.scheme + ".determine_version() must be implemented."
}

func (e notImplementedError) Is(target error) bool {
	return target == ErrNotImplemented
}
