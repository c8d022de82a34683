package usagesql

import (
	"cmp"
	"context"
	"time"

	"github.com/goverso/verso/usage"
)

// Except records an exception for all processes, instead of the earlier exception of that client, version and route,
// and logs it. It waits for the database.
func (s *Store) Except(ctx context.Context, e usage.Exception) error {
	e.Time = s.clock().UTC().Truncate(time.Second)
	if err := s.checkException(ctx, &e, e.Time); err != nil {
		return err
	}
	var until int64
	if !e.Until.IsZero() {
		until = e.Until.Unix()
	}
	result, err := s.db.ExecContext(ctx, `INSERT INTO verso_usage_exceptions
		(version, client, route, kind, made_by, note, at, until)
		SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS bigint), CAST($8 AS bigint)
		WHERE (SELECT count(*) FROM verso_usage_exceptions WHERE at >= $10 OR until >= $10) < $9
			OR EXISTS (SELECT 1 FROM verso_usage_exceptions WHERE version = $1 AND client = $2 AND route = $3)
		ON CONFLICT (version, client, route) DO UPDATE SET kind = excluded.kind, made_by = excluded.made_by,
			note = excluded.note, at = excluded.at, until = excluded.until`,
		e.Version, e.Client, e.Route, string(e.Kind), e.By, e.Note, e.Time.Unix(), until,
		usage.MaxExceptions, keptFrom(e.Time))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, usage.ErrManyExceptions)
	}
	s.logger.InfoContext(ctx, "usagesql: an exception is recorded", "code", "usage_except", "exception", e)
	return nil
}

// TakeBack removes the exception of the same client, version and route, and logs who does so, and why. Without an
// exception, it returns [usage.ErrNoException].
func (s *Store) TakeBack(ctx context.Context, e usage.Exception) error {
	if err := s.checkException(ctx, &e, time.Time{}); err != nil {
		return err
	}
	result, err := s.db.ExecContext(ctx, `DELETE FROM verso_usage_exceptions
		WHERE version = $1 AND client = $2 AND route = $3 AND (at >= $4 OR until >= $4)`,
		e.Version, e.Client, e.Route, keptFrom(s.clock()))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, usage.ErrNoException)
	}
	s.logger.InfoContext(ctx, "usagesql: an exception is taken back", "code", "usage_except", "exception", e)
	return nil
}

// checkException checks an exception, and makes the tables unless they exist: nothing may be written yet.
func (s *Store) checkException(ctx context.Context, e *usage.Exception, now time.Time) error {
	if err := e.Check(s.catalogue, now); err != nil {
		return err
	}
	e.Client, e.Route, e.By, e.Note = storable(e.Client), storable(e.Route), storable(e.By), storable(e.Note)
	return s.create(ctx)
}
