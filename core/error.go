package verso

import (
	"cmp"
	"errors"
	"log/slog"

	"github.com/goverso/verso/core/catalogue"
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

	// ErrNotImplemented matches the error of a versioning without a source:
	// see [NewBase]. It is a programming error, not a rejection.
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
	// does not have.
	ErrNotInVersion = errors.New("route not in version")

	// ErrUnknownVersion matches the error of a link to a version that the
	// service does not serve.
	ErrUnknownVersion = errors.New("unknown version")
)

// statusErrors are the sentinels by status.
var statusErrors = map[int]error{
	400: ErrBadRequest,
	404: ErrNotFound,
	405: ErrMethodNotAllowed,
	406: ErrNotAcceptable,
	421: ErrMisdirectedRequest,
}

// Error says why a request is rejected: the service does not serve the version or the
// media type that it asks for, or a [Strictness] rejects it.
type Error struct {
	Source    string    // the name of the source that decided: see [Description]
	Status    int       // HTTP status, 400 to 599
	MessageID MessageID // the reason
	Message   string    // the reason in English, without anything that the client sent

	// Asked is the version that the request asks for, as the client wrote it:
	// log it with LogValue. JSON does not have it, which loggers make of an
	// error inside another value. HasAsked is false if the request names none.
	Asked    string `json:"-"`
	HasAsked bool

	// Sunset is when the version or the route ended or will end (RFC 3339),
	// and Successor is the version to move to. They are "" if there is none,
	// and except for [VersionGone], [VersionBrownout] and [RouteGone].
	Sunset    string
	Successor string

	rejection  *Rejection
	namedInURL bool             // the URL names the version
	lists      *catalogue.Lists // nil: those in Config
}

// Error returns the English message. It contains nothing that the client sent.
func (e *Error) Error() string { return e.Message }

// StatusCode returns the HTTP status of the rejection.
func (e *Error) StatusCode() int { return e.Status }

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
	asked := slog.Any("asked", nil)
	if e.HasAsked {
		asked = slog.String("asked", bounded(e.Asked))
	}
	return slog.GroupValue(
		slog.String("source", e.Source),
		slog.Int("status", e.Status),
		slog.String("message_id", string(e.MessageID)),
		asked,
	)
}

// english returns the English text of a rejection.
func (r *Rejection) english() string { return cmp.Or(r.English, english[r.Message]) }

// notImplementedError is the error of a versioning without a source.
type notImplementedError struct{ name string }

// Error returns the specification's text.
func (e notImplementedError) Error() string {
	return e.name + ".determine_version() must be implemented."
}

func (e notImplementedError) Is(target error) bool { return target == ErrNotImplemented }
