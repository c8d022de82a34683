package usagesql

import (
	"context"
	"database/sql"
	"time"

	"github.com/goverso/verso/usage"
)

// read returns what all processes have counted, as of one moment. It first writes what
// this process has counted, and merges, so that the rows have everything; if it cannot,
// the page shows what the database has.
func (s *Store) read(ctx context.Context) (usage.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	s.flushAndMerge(ctx)
	latest := s.hasLatest(ctx) == nil // else this process may not create tables
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.reading, ReadOnly: true})
	if err == nil {
		defer func() { _ = tx.Rollback() }()
		var r usage.Snapshot
		if r, err = readAll(ctx, tx, s.dialect, latest); err == nil {
			r.MaxClients = s.maxNames
			return r, nil
		}
	}
	return usage.Snapshot{}, s.notRead(err)
}

// flushAndMerge writes and merges, unless Close is called meanwhile, which waits for the
// lock.
func (s *Store) flushAndMerge(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.running, cancel)()
	if _, err := s.flush(ctx); err == nil {
		defer time.AfterFunc(mergeBefore, cancel).Stop() // canceled: a long merge does not fail
		s.merge(ctx)
	}
}

// The processes, with the skew of their clocks, and when they last wrote by the clock of
// the server. Only a wrong clock has a row.
const (
	selectProcesses = `SELECT name, heard, ended, COALESCE(skew, 0), COALESCE(seen, heard)
		FROM verso_usage_writers LEFT JOIN verso_usage_clocks ON verso_usage_clocks.id = verso_usage_writers.id ORDER BY name, verso_usage_writers.id`
	selectProcessesEarlier = `SELECT name, heard, ended, 0, heard FROM verso_usage_writers ORDER BY name, id`
)

func readAll(ctx context.Context, tx *sql.Tx, d *dialect, latest bool) (r usage.Snapshot, err error) {
	var version int
	var server int64
	if err := tx.QueryRowContext(ctx, `SELECT version, `+d.now+` FROM verso_usage_schema WHERE id = 1`).Scan(&version, &server); err != nil {
		return r, err
	}
	if err := checkVersion(version); err != nil {
		return r, err
	}
	weeks, processes := selectWeeks, selectProcesses
	if !latest {
		weeks, processes = "", selectProcessesEarlier
		r.Note = "How often quiet clients call is not known: the tables are of an earlier release, and this process may not create tables."
	}
	inRows := map[dayKey]map[string]uint64{} // of a version, by day
	more := map[string]bool{}                // clients of batches
	for _, read := range []struct {
		query string
		row   func(rows *sql.Rows) error
	}{
		{selectRows, func(rows *sql.Rows) error {
			row, err := scanRow(rows)
			if err != nil {
				return err
			}
			r.Counts = append(r.Counts, row.count())
			of := dayKey{"", row.Version, row.Rejected}
			if inRows[of] == nil {
				inRows[of] = map[string]uint64{}
			}
			known := inRows[of]
			for _, d := range row.days {
				known[d.Day] += d.Requests
			}
			return nil
		}},
		{`SELECT day, version, rejected, requests FROM verso_usage_days ORDER BY day`, func(rows *sql.Rows) error {
			var k dayKey
			var requests uint64
			err := rows.Scan(&k.day, &k.version, &k.rejected, &requests)
			if known := inRows[dayKey{"", k.version, k.rejected}][k.day]; requests > known {
				r.Counts = append(r.Counts, usage.Count{Kind: usage.KindDays, Version: k.version, Rejected: k.rejected, Days: []usage.DayCount{{Day: k.day, Requests: requests - known}}})
			}
			return err
		}},
		{weeks, func(rows *sql.Rows) error {
			n, err := scanWeeks(rows)
			r.Counts = append(r.Counts, n)
			return err
		}},
		{`SELECT counts FROM verso_usage_batches`, func(rows *sql.Rows) error {
			var text string
			err := rows.Scan(&text)
			counts, _ := parseBatch(text) // the log has refused ones
			for i := range counts {
				if n := &counts[i]; n.Kind == usage.KindRequests && n.Version != "" && n.Client != "" {
					more[n.Client] = true
				}
			}
			r.Counts = append(r.Counts, counts...)
			return err
		}},
		{`SELECT hour, first_heard FROM verso_usage_hours`, func(rows *sql.Rows) error {
			var hour, first int64
			err := rows.Scan(&hour, &first)
			r.Counts = append(r.Counts, usage.Count{Kind: usage.KindCounting, First: first, Last: max(first, hour*secondsPerHour)})
			return err
		}},
		{processes, func(rows *sql.Rows) error {
			p, err := scanProcess(rows, server)
			if p.Silent <= 24*time.Hour {
				r.Processes = append(r.Processes, p)
			}
			return err
		}},
	} {
		if read.query == "" {
			continue
		}
		if err := each(ctx, tx, read.query, read.row); err != nil {
			return usage.Snapshot{}, err
		}
	}
	if latest {
		r.Names, err = countNames(ctx, tx, d, more)
	}
	return r, err
}
