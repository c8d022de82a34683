package usage

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Exception records that a client has given up a version, or a route, although it may call it again. The page, the
// letters, the gate and the metrics count the client as moved then. Its next request for the version ends the
// exception.
type Exception struct {
	Version string `json:"version"` // Required.
	Client  string `json:"client"`  // as the Client of the adapter returns it. Required.

	// Route is a route as the gate names it, such as "POST /v1/report": other routes of the client still count.
	// Optional. Default value: "", all of its routes.
	Route string `json:"route,omitempty"`

	By   string    `json:"by"`             // who answers for it. Required.
	Note string    `json:"note,omitempty"` // Optional.
	Time time.Time `json:"time,omitzero"`  // when it was recorded: stores set it
}

const (
	maxExceptions = 10_000 // of a table
	maxRouteBytes = 512
)

// Check bounds the texts of an exception, and returns what is wrong with it. It is for stores.
func (e *Exception) Check(versions *catalogue.Catalogue) error {
	e.Client, e.Route = bounded(e.Client, verso.MaxClientBytes), bounded(e.Route, maxRouteBytes)
	e.By, e.Note = bounded(e.By, maxForBytes), bounded(e.Note, maxForBytes)
	switch _, ok := versions.Index(e.Version); {
	case !ok:
		return fmt.Errorf("usage: Exception.Version is %q, which the catalogue does not have", e.Version)
	case e.Client == "":
		return errors.New(`usage: Exception.Client is "": only clients with a name can be excepted`)
	case e.By == "":
		return errors.New(`usage: Exception.By is "": write who answers for it`)
	}
	return nil
}

// is reports whether both are of the same client, version and route.
func (e *Exception) is(other *Exception) bool {
	return e.Version == other.Version && e.Client == other.Client && e.Route == other.Route
}

// Except records an exception, instead of the earlier exception of that client, version and route, and logs it.
func (t *Table) Except(e Exception) error {
	if err := e.Check(t.catalogue); err != nil {
		return err
	}
	e.Time = t.clock().UTC().Truncate(time.Second)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.except(e) {
		return fmt.Errorf("usage: there are %s exceptions: take some back", number(maxExceptions))
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
	if e.Check(t.catalogue) == nil {
		t.except(e)
	}
}

// except adds an exception, unless the table is full or has a later one. The mutex is held.
func (t *Table) except(e Exception) bool {
	at := slices.IndexFunc(t.excepted, func(was Exception) bool { return was.is(&e) })
	switch {
	case at < 0 && len(t.excepted) >= maxExceptions:
		return false
	case at < 0:
		t.excepted = append(t.excepted, e)
	case !e.Time.Before(t.excepted[at].Time):
		t.excepted[at] = e
	}
	return true
}

// TakeBack removes the exception of the same client, version and route, and logs who does so, and why.
func (t *Table) TakeBack(e Exception) error {
	if err := e.Check(t.catalogue); err != nil {
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

// ErrNoException is the error of TakeBack without an exception.
var ErrNoException = errors.New("usage: there is no such exception")

// exceptionText returns an exception in words.
func exceptionText(e Exception) string {
	text := "accepted"
	if e.Route != "" {
		text = printable(e.Route) + " accepted"
	}
	text += " by " + printable(e.By) + " on " + date(e.Time)
	if e.Note != "" {
		text += ": " + printable(e.Note)
	}
	return text
}

// except applies the exceptions of a client, unless it has called the version since.
func (r *report) except(v *versionReport, n *movingClient) {
	for _, e := range v.excepted[n.Client] {
		if n.Other || !n.LastSeen.Before(e.Time) {
			continue
		}
		was := len(n.Left)
		n.Left = slices.DeleteFunc(n.Left, func(l routeLeft) bool { return v.names[l.key] == e.Route && e.Route != "" })
		if e.Route == "" && !n.counted.Breaks() || e.Route != "" && len(n.Left) == was {
			continue // it makes no difference
		}
		n.Exceptions = append(n.Exceptions, e)
		switch {
		case e.Route == "" || n.part && len(n.Left) == 0:
			n.counted, n.part, n.Left, n.Every, n.Next, n.whole = groupMoved, false, nil, "", time.Time{}, e.Route == ""
		case len(n.Left) == 0:
			n.Left = nil
		case n.part:
			n.Every, n.Next = n.Left[0].Every, n.Left[0].Next
		}
	}
}

// hasRoutes reports whether routes are excepted, which have names.
func (v *versionReport) hasRoutes() bool {
	for _, all := range v.excepted {
		if slices.ContainsFunc(all, func(e Exception) bool { return e.Route != "" }) {
			return true
		}
	}
	return false
}
