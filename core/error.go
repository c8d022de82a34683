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

	// ErrBadRequest matches an [*Error] with status 400. Only [Strictness]
	// refuses so.
	ErrBadRequest = errors.New("verso: bad request")

	// ErrMisdirectedRequest matches an [*Error] with status 421. Only
	// [Strictness] refuses so.
	ErrMisdirectedRequest = errors.New("verso: misdirected request")

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
// served, or nothing that it accepts is; or a [Strictness] refuses it.
type Error struct {
	Scheme    string    // name of the scheme, "AcceptHeaderVersioning"; "" for a Strictness if the scheme embeds no Base
	Status    int       // HTTP status: 406 for the Accept header, 404 for the others, 400 or 421 by a Strictness; in a scheme of your own 400 to 599
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

// Is reports whether e matches [ErrNotFound], [ErrNotAcceptable],
// [ErrBadRequest] or [ErrMisdirectedRequest].
func (e *Error) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Status == http.StatusNotFound
	case ErrNotAcceptable:
		return e.Status == http.StatusNotAcceptable
	case ErrBadRequest:
		return e.Status == http.StatusBadRequest
	case ErrMisdirectedRequest:
		return e.Status == http.StatusMisdirectedRequest
	default:
		return false
	}
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
