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
	if !t.except(e) {
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
	at := slices.IndexFunc(t.excepted, func(was Exception) bool { return was.is(&e) })
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
