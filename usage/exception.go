package usage

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Exception is the answer of a person about a client of a version, or about a route. The page, the letters, the gate
// and the metrics count the client accordingly.
type Exception struct {
	Version string `json:"version"` // Required.
	Client  string `json:"client"`  // as the Client of the adapter returns it. Required.

	// Route is a route as the gate names it, such as "POST /v1/report": other routes of the client still count.
	// Optional. Default value: "", all of its routes.
	Route string `json:"route,omitempty"`

	// Kind is the answer. Optional. Default value: HasMoved.
	Kind ExceptionKind `json:"kind"`

	// Until is when it is asked again, 400 days from now at most. Required for MayBreak and StillNeeds.
	Until time.Time `json:"until,omitzero"`

	By   string    `json:"by"`             // who answers for it. Required.
	Note string    `json:"note,omitempty"` // Optional.
	Time time.Time `json:"time,omitzero"`  // when it was recorded: stores set it
}

// ExceptionKind is the answer of an [Exception].
type ExceptionKind string

// The kinds of exceptions.
const (
	// HasMoved means that the client needs the version, or the route, no more, whatever was counted: a contract is
	// over, or a key is new. Its next request ends the exception.
	HasMoved ExceptionKind = "moved"

	// MayBreak means that a person accepts that the end breaks the client, which may still call: a monitor, or a
	// scanner. It holds for the route until its date. Without a route, it holds for those that the client called before,
	// and a call of another one ends it.
	MayBreak ExceptionKind = "may_break"

	// StillNeeds means that the client will call again, such as a half-yearly job. It excepts nothing: whatever the
	// counts show, the client has not moved before the date, and is not asked.
	StillNeeds ExceptionKind = "still_needs"
)

// The bounds of exceptions.
const (
	MaxExceptions = 10_000 // of a store
	maxRouteBytes = 512
)

// Check sets the defaults of an exception, bounds its texts, and returns what is wrong with it at a time. It is for
// stores. To take one back, the time is zero: Kind and Until do not matter.
func (e *Exception) Check(versions *catalogue.Catalogue, now time.Time) error {
	e.Kind = cmp.Or(e.Kind, HasMoved)
	e.Until = e.Until.UTC().Truncate(time.Second)
	e.Client, e.Route = bounded(e.Client, verso.MaxClientBytes), bounded(e.Route, maxRouteBytes)
	e.By, e.Note = bounded(e.By, maxForBytes), bounded(e.Note, maxForBytes)
	if method, path, ok := strings.Cut(e.Route, " "); ok {
		e.Route = asGet(method) + " " + path
	}
	switch _, ok := versions.Index(e.Version); {
	case !ok:
		return exceptionError("usage: Exception.Version is %q, which the catalogue does not have", e.Version)
	case e.Client == "":
		return ExceptionError(`usage: Exception.Client is "": only clients with a name can be excepted`)
	case e.Route != "" && !hasMethod(e.Route):
		return exceptionError("usage: Exception.Route is %q: write it as the gate names it, with its method, such as %q", e.Route, "GET /"+strings.TrimPrefix(e.Route, "/"))
	case e.By == "":
		return ExceptionError(`usage: Exception.By is "": write who answers for it`)
	case now.IsZero():
	case e.Kind == HasMoved && !e.Until.IsZero():
		return ExceptionError("usage: Exception.Until is only of MayBreak and StillNeeds: HasMoved ends at the next request")
	case e.Kind != HasMoved && e.Kind != MayBreak && e.Kind != StillNeeds:
		return exceptionError("usage: Exception.Kind is %q: use %s, %s or %s", e.Kind, HasMoved, MayBreak, StillNeeds)
	case e.Kind != HasMoved && e.Until.IsZero():
		return exceptionError("usage: Exception.Until is missing: write when %q is asked again, in %d days at most", e.Kind, KeepDays)
	case e.Kind != HasMoved && (!e.Until.After(now) || e.Until.After(now.AddDate(0, 0, KeepDays))):
		return exceptionError("usage: Exception.Until is %v: write when it is asked again, in %d days at most", e.Until, KeepDays)
	}
	return nil
}

func hasMethod(route string) bool {
	method, path, _ := strings.Cut(route, " ")
	return path != "" && method != "" && !strings.Contains(method, "/")
}

// is reports whether both are of the same client, version and route.
func (e *Exception) is(other *Exception) bool {
	return e.Version == other.Version && e.Client == other.Client && e.Route == other.Route
}

// compareExceptions orders those of a client: of two that cover a route, the later one counts.
func compareExceptions(a, b Exception) int {
	return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Route, b.Route))
}

// isForgotten reports whether an exception is [Forgotten] at a second: it is asked again at its date.
func (e *Exception) isForgotten(at int64) bool {
	return Forgotten(max(e.Time.Unix(), e.Until.Unix()), at)
}

// ExceptionError is the error of Check: it names the invalid field.
type ExceptionError string

func (e ExceptionError) Error() string { return string(e) }

func exceptionError(format string, values ...any) error {
	return ExceptionError(fmt.Sprintf(format, values...))
}

// The errors of stores of exceptions.
var (
	ErrNoException    = errors.New("usage: there is no such exception")                                  // of TakeBack
	ErrManyExceptions = fmt.Errorf("usage: there are %d exceptions: take some back", int(MaxExceptions)) // of Except
)

// exceptionText returns an exception in words.
func exceptionText(e Exception) string {
	text := map[ExceptionKind]string{MayBreak: "may break, accepted by ", StillNeeds: "is still needed, according to "}[e.Kind]
	text = cmp.Or(text, "has moved, according to ") + printable(e.By) + " on " + date(e.Time)
	if !e.Until.IsZero() {
		text += " until " + date(e.Until)
	}
	if e.Route != "" {
		text = printable(e.Route) + " " + text
	}
	if e.Note != "" {
		text += ": " + printable(e.Note)
	}
	return text
}
