package verso

import (
	"errors"
	"log/slog"

	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/route"
)

// Sentinels for [errors.Is].
var (
	// ErrNotAcceptable matches an [*Error] with status 406.
	ErrNotAcceptable = errors.New("verso: not acceptable")

	// ErrNotFound matches an [*Error] with status 404.
	ErrNotFound = errors.New("verso: not found")

	// ErrBadRequest matches an [*Error] with status 400.
	ErrBadRequest = errors.New("verso: bad request")

	// ErrMethodNotAllowed matches an [*Error] with status 405: see
	// [MethodNotInVersion].
	ErrMethodNotAllowed = errors.New("verso: method not allowed")

	// ErrGone matches an [*Error] of a version or a route that has ended or is
	// in a brownout, whatever the status.
	ErrGone = errors.New("verso: gone")

	// ErrMisdirectedRequest matches an [*Error] with status 421: see
	// [Strictness], AllowedHosts.
	ErrMisdirectedRequest = errors.New("verso: misdirected request")

	// ErrNotImplemented matches the error of a scheme that reads no version:
	// see NewBase of package scheme. It is a programming error, not a rejection.
	ErrNotImplemented = errors.New("verso: not implemented")

	// ErrNoReverseMatch matches the error of a link if no route has the name
	// and the parameters.
	ErrNoReverseMatch = route.ErrNoMatch

	// ErrMixedParams matches the error of a link that was given parameters by
	// position and by name together.
	ErrMixedParams = route.ErrMixedParams

	// ErrPattern matches the error of a link to a route whose pattern Verso
	// does not understand, or whose path clients would read as a host ("//").
	ErrPattern = route.ErrPattern

	// ErrNotInVersion matches the error of a link to a route that the version
	// does not have, and of what is sent in a version that does not have it.
	ErrNotInVersion = errors.New("route not in version")

	// ErrUnknownVersion matches the error of a link to a version that the
	// service does not serve, and of what is sent in such a version.
	ErrUnknownVersion = errors.New("unknown version")
)

// statusErrors are the sentinels by status.
var statusErrors = map[int]error{
	400: ErrBadRequest, 404: ErrNotFound, 405: ErrMethodNotAllowed, 406: ErrNotAcceptable, 421: ErrMisdirectedRequest,
}

// Error is the reason why a request is rejected: the service does not serve the requested
// version or media type, or a [Strictness] rejects the request.
type Error struct {
	Source    string    // the name of the source that decided: see [source.Description]
	Status    int       // HTTP status, 400 to 599
	MessageID MessageID // the reason
	Message   string    // the reason in English, without anything that the client sent

	// Requested is the version that the request asks for, as the client wrote it: log it
	// with LogValue. It is not in JSON, which loggers write for an error inside another
	// value. HasRequested is false if the request has no version.
	Requested    string `json:"-"`
	HasRequested bool

	// Sunset is when the version or the route ended or will end (RFC 3339), and Successor
	// is the version to move to. They are "" if there is no such date or version, and in
	// rejections other than [VersionGone], [VersionBrownout] and [RouteGone].
	Sunset    string
	Successor string

	Cause error `json:"-"` // of a Rewriter that rejects the request, or nil
}

// Error returns the English message. It contains nothing that the client sent.
func (e *Error) Error() string { return e.Message }

// StatusCode returns the HTTP status of the rejection.
func (e *Error) StatusCode() int { return e.Status }

// Unwrap returns the error of a [Rewriter] that rejects the request, or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether e matches the sentinel of its status, such as
// [ErrNotFound].
func (e *Error) Is(target error) bool {
	if target == ErrGone {
		return e.MessageID == VersionGone || e.MessageID == VersionBrownout || e.MessageID == RouteGone
	}
	sentinel, ok := statusErrors[e.Status]
	return ok && target == sentinel
}

// LogValue returns the fields of e. The version that was asked for is escaped and cut
// as by [Version.LogValue].
func (e *Error) LogValue() slog.Value {
	requested := slog.Any("requested", nil)
	if e.HasRequested {
		requested = slog.String("requested", text.Bounded(e.Requested))
	}
	return slog.GroupValue(slog.String("source", e.Source), slog.Int("status", e.Status),
		slog.String("message_id", string(e.MessageID)), requested)
}
