package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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

	// Until is when it is asked again: of MayBreak, 400 days from now at most. Required for it.
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
	// scanner. It holds for the route, or for the routes that the client called before, until its date.
	MayBreak ExceptionKind = "may_break"
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
	switch _, ok := versions.Index(e.Version); {
	case !ok:
		return exceptionError("usage: Exception.Version is %q, which the catalogue does not have", e.Version)
	case e.Client == "":
		return ExceptionError(`usage: Exception.Client is "": only clients with a name can be excepted`)
	case e.By == "":
		return ExceptionError(`usage: Exception.By is "": write who answers for it`)
	case now.IsZero():
	case e.Kind == HasMoved && !e.Until.IsZero():
		return ExceptionError("usage: Exception.Until is only of MayBreak: HasMoved ends at the next request")
	case e.Kind == MayBreak && (!e.Until.After(now) || e.Until.After(now.AddDate(0, 0, KeepDays))):
		return exceptionError("usage: Exception.Until is %v: write when it is asked again, in %d days at most", e.Until, KeepDays)
	case e.Kind != HasMoved && e.Kind != MayBreak:
		return exceptionError("usage: Exception.Kind is %q: use %s or %s", e.Kind, HasMoved, MayBreak)
	}
	return nil
}

// ExceptionError is the error of Check: it names the invalid field.
type ExceptionError string

func (e ExceptionError) Error() string { return string(e) }

func exceptionError(format string, values ...any) error {
	return ExceptionError(fmt.Sprintf(format, values...))
}

// is reports whether both are of the same client, version and route.
func (e *Exception) is(other *Exception) bool {
	return e.Version == other.Version && e.Client == other.Client && e.Route == other.Route
}

// Except records an exception, instead of the earlier exception of that client, version and route, and logs it.
func (t *Table) Except(_ context.Context, e Exception) error {
	e.Time = t.clock().UTC().Truncate(time.Second)
	if err := e.Check(t.catalogue, e.Time); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.except(e) {
		return ErrManyExceptions
	}
	slog.Info("usage: an exception is recorded", "code", "usage_except", "exception", e)
	return nil
}

// addException adds an exception of another table. A clock may have been ahead.
func (t *Table) addException(e Exception) {
	if now := t.clock().UTC(); e.Time.After(now) {
		e.Time = now
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Check(t.catalogue, e.Time) == nil {
		t.except(e)
	}
}

// except adds an exception, unless the table is full or has a later one. The mutex is held.
func (t *Table) except(e Exception) bool {
	at := slices.IndexFunc(t.excepted, func(was Exception) bool { return was.is(&e) })
	switch {
	case at < 0 && len(t.excepted) >= MaxExceptions:
		return false
	case at < 0:
		t.excepted = append(t.excepted, e)
	case !e.Time.Before(t.excepted[at].Time):
		t.excepted[at] = e
	}
	return true
}

// TakeBack removes the exception of the same client, version and route, and logs who does so, and why.
func (t *Table) TakeBack(_ context.Context, e Exception) error {
	if err := e.Check(t.catalogue, time.Time{}); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.excepted, func(was Exception) bool { return was.is(&e) })
	if at < 0 {
		return ErrNoException
	}
	t.excepted = slices.Delete(t.excepted, at, at+1)
	slog.Info("usage: an exception is taken back", "code", "usage_except", "exception", e)
	return nil
}

// The errors of stores of exceptions.
var (
	ErrNoException    = errors.New("usage: there is no such exception")                                  // of TakeBack
	ErrManyExceptions = fmt.Errorf("usage: there are %d exceptions: take some back", int(MaxExceptions)) // of Except
)

// exceptionText returns an exception in words.
func exceptionText(e Exception) string {
	text := "has moved, according to "
	if e.Kind == MayBreak {
		text = "may break, accepted by "
	}
	if text += printable(e.By) + " on " + date(e.Time); e.Kind == MayBreak {
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

// calledRoute is when a client called a route, in seconds since 1970.
type calledRoute struct {
	name        string
	first, last int64
}

// readExcepted reads when the clients with exceptions called each route.
func readExcepted(r *report, v *versionReport) error {
	var names []ClientName
	for client := range v.excepted {
		if _, ok := v.at[ClientName{client, false}]; ok {
			names = append(names, ClientName{Client: client})
		}
	}
	slices.SortFunc(names, ClientName.Compare)
	v.routes = map[string]map[uint64]calledRoute{}
	for some := range slices.Chunk(names, clientsAtOnce) {
		counts, err := r.reader.Routes(r.ctx, v.Version, some)
		if err != nil {
			return err
		}
		for _, c := range partOf(r, v, counts).Clients {
			called := map[uint64]calledRoute{}
			for _, n := range c.Routes {
				of := Count{Version: v.Version, Method: n.Method, Route: n.Route, OtherRoute: n.Other}
				n.Method = asGet(n.Method)
				was, now := called[keyOf(&of)], calledRoute{n.Sent(), n.FirstSeen.Unix(), n.LastSeen.Unix()}
				now.first, now.last = earlier(was.first, now.first), max(was.last, now.last)
				called[keyOf(&of)] = now
			}
			v.routes[c.Client] = called
		}
	}
	return nil
}

// covers reports whether an exception is of a route that a client called. Of routes beyond the bound, it is not known
// which were called before.
func (e *Exception) covers(key uint64, called calledRoute, last, now time.Time) bool {
	at := e.Time.Unix()
	switch {
	case e.Route != "" && e.Route != called.name:
		return false
	case e.Kind == MayBreak && key == 0:
		return now.Before(e.Until) && called.last < at
	case e.Kind == MayBreak:
		return now.Before(e.Until) && (e.Route != "" || called.first < at)
	case e.Route == "":
		return last.Before(e.Time)
	}
	return called.last < at
}

// applyExceptions applies the exceptions of a client: to the routes that are left, or else to all that it called.
func applyExceptions(r *report, v *versionReport, n *movingClient, c *clientReport) {
	all := v.excepted[n.Client]
	if n.Other || all == nil || !n.counted.Breaks() {
		return
	}
	left := n.Left
	if n.counted == groupBoth {
		left = c.left(r.Time)
	}
	isLeft := func(key uint64) bool {
		return !n.part && n.counted != groupBoth || slices.ContainsFunc(left, func(l routeLeft) bool { return l.key == key })
	}
	recent := r.Time.Add(-silence).Unix()
	used := make([]bool, len(all))
	done, silent, breaks := true, true, false
	var covered []uint64
	for key, called := range v.routes[n.Client] {
		at := slices.IndexFunc(all, func(e Exception) bool { return e.covers(key, called, n.LastSeen, r.Time) })
		needed := isLeft(key) || n.counted == groupBoth && called.last >= recent
		switch {
		case at >= 0 && needed:
			used[at], breaks = true, breaks || all[at].Kind == MayBreak
			covered = append(covered, key)
		case at < 0 && called.last >= recent:
			silent = false
			fallthrough
		case at < 0 && needed:
			done = done && !needed
		}
	}
	if covered == nil {
		return // it makes no difference
	}
	for i, is := range used {
		if is {
			n.Exceptions = append(n.Exceptions, all[i])
		}
	}
	if done {
		n.counted, n.part, n.Left, n.Every, n.Next, n.whole = groupMoved, false, nil, "", time.Time{}, silent
		if breaks {
			n.counted = groupAccepted
		}
		return
	}
	if n.Left = slices.DeleteFunc(n.Left, func(l routeLeft) bool { return slices.Contains(covered, l.key) }); len(n.Left) == 0 {
		n.Left = nil
	} else if n.part {
		n.Every, n.Next = n.Left[0].Every, n.Left[0].Next
	}
}
