package usagesql

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"github.com/goverso/verso/usage"
)

// write writes the batch. The lock is held.
func (s *Store) write(ctx context.Context) (mergeDue bool, err error) {
	defer func() { s.writing.log(ctx, err) }()
	if err := s.checkFile(ctx); err != nil {
		return false, err
	}
	if !s.created {
		if err := s.create(ctx); err != nil {
			return false, err
		}
		if err := s.rememberFile(ctx); err != nil {
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
	if isUndefined(err) { // the tables are gone: they are made again
		s.created = false
	}
	if err != nil {
		return false, err
	}
	s.heard, s.hour, s.batch = s.batch.now, s.batch.now.Unix()/secondsPerHour, nil
	s.skewed = s.skew.Load() != 0
	return s.clock().Sub(time.Unix(merged, 0)).Abs() >= mergeEvery, nil
}

// append adds a batch, unless the database has it: the answer to an earlier commit may
// have been lost. It returns when batches were last merged.
func (s *Store) append(ctx context.Context, tx *sql.Tx, b *batch) (merged int64, err error) {
	var version int
	var server int64
	if err := tx.QueryRowContext(ctx, `SELECT version, merged, `+s.dialect.now+
		` FROM verso_usage_schema WHERE id = 1`).Scan(&version, &merged, &server); err != nil {
		return 0, err
	}
	if err := checkVersion(version); err != nil {
		return 0, err
	}
	skew, was := skewOf(s.own(), server), s.skew.Load()
	if d := skew - was; skew != 0 && was != 0 && d > -minSkew && d < minSkew {
		skew = was // the time of a round trip makes no difference
	}
	s.warnOfClock(ctx, skewOf(time.Now(), server))
	s.correct(b, skew)
	// The lock on the row orders a second try after the first, if the server still works on
	// the first.
	result, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_writers (id, name, batch, heard, ended)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id)
		DO UPDATE SET batch = excluded.batch, heard = excluded.heard, ended = excluded.ended
		WHERE verso_usage_writers.batch < excluded.batch`,
		s.id, storable(usage.ProcessName()), b.number, b.now.Unix(), b.ended)
	if err != nil {
		return 0, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return merged, err
	}
	if err := s.recordSkew(ctx, tx, skew, server); err != nil {
		return 0, err
	}
	if b.counts != "" {
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_batches (id, counts, refused) VALUES ($1, $2, $3)`,
			s.id+"-"+strconv.FormatInt(b.number, 10), b.counts, false); err != nil {
			return 0, err
		}
	}
	return merged, s.addHours(ctx, tx, b.now)
}

// minSkew is from how many seconds on a clock is wrong.
const minSkew = 60

// skewOf returns by how many seconds a clock is ahead of the server, or 0 if it is right.
func skewOf(now time.Time, server int64) int64 {
	skew := now.Unix() - server
	if skew > -minSkew && skew < minSkew {
		return 0
	}
	return skew
}

// warnOfClock logs whether the clock of this machine is wrong, at each change. A clock of the
// service may differ on purpose: only the page shows it.
func (s *Store) warnOfClock(ctx context.Context, skew int64) {
	switch wrong := skew != 0; {
	case wrong && !s.clockWrong:
		s.logger.WarnContext(ctx, "usagesql: the clock of this machine differs from the clock of the database: set it",
			"code", "usage_clock", "ahead", (time.Duration(skew) * time.Second).String())
	case !wrong && s.clockWrong:
		s.logger.InfoContext(ctx, "usagesql: the clock of this machine is right again", "code", "usage_clock")
	}
	s.clockWrong = skew != 0
}

// correct moves the times of the batch to the clock of the server, unless the service has a
// clock of its own. The batch keeps by what it was corrected: a second try changes nothing.
func (s *Store) correct(b *batch, skew int64) {
	s.skew.Store(skew)
	move := skew - b.skew
	if !s.corrects || move > -minSkew && move < minSkew {
		return
	}
	counts, _ := parseBatch(b.counts) // as next made it, or ""
	for i := range counts {
		n := &counts[i]
		last := cmp.Or(n.Last, b.now.Unix())
		days := int((last-move)/secondsPerDay - last/secondsPerDay)
		for j := range n.Days {
			at, _ := time.Parse(time.DateOnly, n.Days[j].Day)
			n.Days[j].Day = dayName(at, days)
		}
		if n.Last > 0 {
			n.First, n.Last = max(1, n.First-move), max(1, n.Last-move)
		}
	}
	if len(counts) > 0 {
		text, _ := json.Marshal(counts) // strings and numbers: it cannot fail
		b.counts = string(text)
	}
	moved := -time.Duration(move) * time.Second
	b.skew, b.now = skew, b.now.Add(moved)
	if s.hour == 0 { // it has not written yet: heard is when it began to count
		s.heard = s.heard.Add(moved)
	}
}

// recordSkew records that the clock of this process is wrong, or no longer is.
func (s *Store) recordSkew(ctx context.Context, tx *sql.Tx, skew, server int64) error {
	var err error
	switch {
	case skew != 0:
		_, err = tx.ExecContext(ctx, `INSERT INTO verso_usage_clocks (id, skew, seen) VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET skew = excluded.skew, seen = excluded.seen`, s.id, skew, server)
	case s.skewed:
		_, err = tx.ExecContext(ctx, `DELETE FROM verso_usage_clocks WHERE id = $1`, s.id)
	}
	return err
}

// addHours adds the hours in which this process has counted since its last write,
// whether or not the database was there.
func (s *Store) addHours(ctx context.Context, tx *sql.Tx, now time.Time) error {
	first, last := min(max(s.heard.Unix(), now.AddDate(0, 0, -usage.Days).Unix()), now.Unix()), now.Unix()
	for hour := first / secondsPerHour; hour <= last/secondsPerHour; hour++ {
		if hour == s.hour {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_hours (hour, first_heard)
			VALUES ($1, $2) ON CONFLICT (hour) DO NOTHING`, hour, max(first, hour*secondsPerHour)); err != nil {
			return err
		}
	}
	return nil
}
