package usagesql

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/usage"
)

// maxNameBytes bounds a name in a key: an entry of an index in PostgreSQL has at most
// 2,704 bytes.
const maxNameBytes = 512

// write writes the batch. The lock is held.
func (s *Store) write(ctx context.Context) (mergeDue bool, err error) {
	defer func() { s.writing.log(ctx, err) }()
	if !s.created {
		if err := s.create(ctx); err != nil {
			return false, err
		}
		s.created = true
	}
	if s.batch.number == 0 {
		s.seq++
		s.batch.number = s.seq
	}
	var merged int64
	err = s.transaction(ctx, func(tx *sql.Tx) (err error) {
		merged, err = s.append(ctx, tx, s.batch)
		return err
	})
	if err != nil {
		return false, err
	}
	s.heard, s.hour, s.batch = s.batch.now, s.batch.now.Unix()/secondsPerHour, nil
	return s.clock().Sub(time.Unix(merged, 0)).Abs() >= mergeEvery, nil
}

// append adds a batch, unless the database has it: the answer to an earlier commit may
// have been lost. It returns when batches were last merged.
func (s *Store) append(ctx context.Context, tx *sql.Tx, b *batch) (merged int64, err error) {
	var version int
	if err := tx.QueryRowContext(ctx, `SELECT version, merged FROM verso_usage_schema WHERE id = 1`).Scan(&version, &merged); err != nil {
		return 0, err
	}
	if err := checkVersion(version); err != nil {
		return 0, err
	}
	// The lock on the row orders a second try behind a first one that the server is
	// still working on.
	result, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_writers (id, name, batch, heard, ended) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, heard = excluded.heard, ended = excluded.ended WHERE verso_usage_writers.batch < excluded.batch`,
		s.id, storable(usage.ProcessName()), b.number, b.now.Unix(), b.ended)
	if err != nil {
		return 0, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return merged, err
	}
	if b.counts != "" {
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_batches (id, counts, refused) VALUES ($1, $2, $3)`, s.id+"-"+strconv.FormatInt(b.number, 10), b.counts, false); err != nil {
			return 0, err
		}
	}
	return merged, s.addHours(ctx, tx, b.now)
}

// addHours adds the hours in which this process has counted since its last write,
// whether or not the database was there.
func (s *Store) addHours(ctx context.Context, tx *sql.Tx, now time.Time) error {
	first, last := min(max(s.heard.Unix(), now.AddDate(0, 0, -usage.Days).Unix()), now.Unix()), now.Unix()
	for hour := first / secondsPerHour; hour <= last/secondsPerHour; hour++ {
		if hour == s.hour {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_hours (hour, first_heard) VALUES ($1, $2) ON CONFLICT (hour) DO NOTHING`,
			hour, max(first, hour*secondsPerHour)); err != nil {
			return err
		}
	}
	return nil
}

// storable returns a name without NUL, which text in PostgreSQL cannot have, as UTF-8
// of at most 512 bytes.
func storable(name string) string {
	if len(name) <= maxNameBytes && utf8.ValidString(name) && strings.IndexByte(name, 0) < 0 {
		return name
	}
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), "\x00", "\uFFFD")
	if len(name) > maxNameBytes {
		name = strings.ToValidUTF8(name[:maxNameBytes], "")
	}
	return name
}
