package usage

import (
	"context"
	"log/slog"
	"slices"
	"time"
)

// Except records an exception, instead of the earlier exception of that client, version and route, and logs it.
func (t *Table) Except(_ context.Context, e Exception) error {
	e.Time = t.clock().UTC().Truncate(time.Second)
	if err := e.Check(t.catalogue, e.Time); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetExceptions()
	if at := t.exception(&e); at >= 0 {
		t.excepted[at] = e // whatever the clock was
	} else if !t.except(e) {
		return ErrManyExceptions
	}
	slog.Info("usage: an exception is recorded", "code", "usage_except", "exception", e)
	return nil
}

// TakeBack removes the exception of the same client, version and route, and logs who does so, and why.
func (t *Table) TakeBack(_ context.Context, e Exception) error {
	if err := e.Check(t.catalogue, time.Time{}); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetExceptions()
	at := t.exception(&e)
	if at < 0 {
		return ErrNoException
	}
	t.excepted = slices.Delete(t.excepted, at, at+1)
	slog.Info("usage: an exception is taken back", "code", "usage_except", "exception", e)
	return nil
}

// addException adds an exception of another table. A clock may have been ahead.
func (t *Table) addException(e Exception) {
	if now := t.clock().UTC(); e.Time.After(now) {
		e.Time = now
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetExceptions()
	if e.Check(t.catalogue, e.Time) == nil {
		t.except(e)
	}
}

// forgetExceptions removes those that are [Forgotten]. The mutex is held.
func (t *Table) forgetExceptions() {
	now := t.clock().Unix()
	t.excepted = slices.DeleteFunc(t.excepted, func(e Exception) bool { return e.isForgotten(now) })
}

// exception returns where the exception of the same client, version and route is, or -1. The mutex is held.
func (t *Table) exception(e *Exception) int {
	return slices.IndexFunc(t.excepted, func(was Exception) bool { return was.is(e) })
}

// except adds an exception, unless the table is full or has a later one. The mutex is held.
func (t *Table) except(e Exception) bool {
	at := t.exception(&e)
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
