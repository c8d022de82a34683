package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goverso/verso/usage"
)

// deleteFor is for how long a process deletes rows that no page shows any more: the next merge
// continues.
const deleteFor = 2 * time.Second

// retain deletes old rows, once a day, some in each transaction, so that no merge waits for it.
func (s *Store) retain(ctx context.Context, past time.Time, retained int64) error {
	today := dayOf(past)
	if retained >= today { // or another process merges: past is zero
		return nil
	}
	begun, old := time.Now(), deletedFrom(past)
	const isOld = "last_seen > 0 AND last_seen < $1" // 0 is not known
	for _, of := range []struct {
		table, key, where string
		value             any
	}{
		{"verso_usage", usageKey, isOld, old},
		{"verso_usage_routes", routesKey, isOld, old},
		{"verso_usage_clients", clientsKey, isOld, old - usage.KeepWeeks*secondsPerWeek}, // for other regions
		{"verso_usage_left", "day, version", "day < $1", dayName(time.Unix(old, 0).UTC(), 0)},
		{"verso_usage_exceptions", "version, client, route", "at < $1 AND until < $1", old},
	} {
		for n := int64(rowsAtOnce); n == rowsAtOnce; {
			if time.Since(begun) > deleteFor {
				return nil
			}
			result, err := s.db.ExecContext(ctx, fmt.Sprintf(
				`DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s LIMIT %[4]d)`,
				of.table, of.key, of.where, rowsAtOnce), of.value)
			if err != nil {
				return err
			}
			if n, err = result.RowsAffected(); err != nil {
				return err
			}
		}
	}
	return s.transaction(ctx, func(tx *sql.Tx) error { // and no process merges meanwhile
		err := tx.QueryRowContext(ctx, `SELECT retained FROM verso_usage_schema WHERE id = 1`+s.dialect.mergeLock).Scan(&retained)
		if errors.Is(err, sql.ErrNoRows) || err == nil && retained >= today {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE verso_usage_schema SET retained = $1 WHERE id = 1`, today); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE verso_usage_schema SET names = (`+selectNames+`) WHERE id = 1`)
		return err
	})
}

// judge warns of clients that are left, and records how many, and since when the end would break
// each of them.
func (s *Store) judge(ctx context.Context) {
	now := s.clock().Unix()
	judged, err := s.page.Judge(ctx, s.logger)
	if err != nil {
		s.warn.Store(true) // again, when the database is there
		return
	}
	if err := s.record(ctx, judged, now); err != nil && ctx.Err() == nil {
		s.logger.Warn("usagesql: how many clients are left cannot be recorded for today", "code", "usage_not_merged",
			"error", err)
	}
}

func (s *Store) record(ctx context.Context, judged []usage.Judged, now int64) error {
	for _, j := range judged {
		for _, is := range []struct {
			clients []usage.ClientName
			since   int64
			was     string
		}{{j.Breaks, now, "<= 0"}, {j.Safe, -now, ">= 0"}} {
			for some := range slices.Chunk(is.clients, rowsAtOnce) {
				var names []string
				for _, c := range some {
					names = append(names, c.Client)
				}
				if _, err := s.db.ExecContext(ctx,
					`UPDATE verso_usage_clients SET since = $2 WHERE version = $3 AND client IN (`+s.dialect.names+
						`) AND since `+is.was, textOf(names), is.since, j.Version); err != nil {
					return err
				}
			}
		}
		if _, err := s.db.ExecContext(ctx, `INSERT INTO verso_usage_left
			(day, version, only_old, both_versions, quiet, pinned, told, moved, accepted)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (day, version) DO NOTHING`,
			j.Day, j.Version, j.Only, j.Both, j.Quiet, j.Pinned, j.Told, j.Moved, j.Accepted); err != nil {
			return err
		}
	}
	return nil
}
