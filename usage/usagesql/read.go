package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/goverso/verso/usage"
)

// How long a page waits, for 5 seconds in all: for what this process has to write and to merge
// first, which it reads from the batches otherwise, and for a lock on what it reads.
const (
	mergeBefore = 2500 * time.Millisecond
	readBefore  = 2 * time.Second
)

// open returns a reader of what all processes have counted, as of one moment. It first writes what
// this process has counted, and merges; if it cannot, the page shows what the database has.
func (s *Store) open(ctx context.Context) (usage.Reader, error) {
	s.flushAndMerge(ctx)
	// A CSV may take minutes: only its beginning has a time. The client ends the rest.
	ctx, cancel := context.WithCancel(ctx)
	defer time.AfterFunc(readBefore, cancel).Stop()
	type begun struct {
		reader *reader
		err    error
	}
	done := make(chan begun, 1)
	go func() { // since a driver may wait for a lock longer than the context
		r, err := s.begin(ctx, cancel)
		done <- begun{r, err}
	}()
	select {
	case b := <-done:
		if b.err != nil {
			cancel()
			return nil, s.notRead(b.err)
		}
		return b.reader, nil
	case <-ctx.Done():
		go func() {
			if b := <-done; b.err == nil {
				b.reader.Close()
			}
		}()
		return nil, s.notRead(fmt.Errorf("the database has not answered in %v: %w", readBefore, ctx.Err()))
	}
}

// read returns everything that all processes have counted.
func (s *Store) read(ctx context.Context) (usage.Snapshot, error) {
	reader, err := s.open(ctx)
	if err != nil {
		return usage.Snapshot{}, err
	}
	defer reader.Close()
	return reader.All(ctx)
}

// begin begins to read.
func (s *Store) begin(ctx context.Context, cancel func()) (*reader, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.reading, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	r := &reader{tx: tx, d: s.dialect, now: s.clock(), cancel: cancel, maxClients: s.maxNames, notRead: s.notRead}
	if s.dialect.lockTimeout != "" {
		_, err = tx.ExecContext(ctx, s.dialect.lockTimeout)
	}
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT version, `+s.dialect.now+` FROM verso_usage_schema WHERE id = 1`).Scan(&r.version, &r.server)
	}
	if err = errors.Join(err, checkVersion(r.version)); err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return r, nil
}

// notRead logs why nothing can be read, and returns the text of the page.
func (s *Store) notRead(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, err := range []error{err, s.isEarlier(ctx)} {
		if other, ok := errors.AsType[tablesError](err); ok {
			return other
		}
	}
	s.logger.Warn("usagesql: the counts of requests cannot be read", "code", "usage_not_read", "error", err)
	return errors.New("the counts of requests cannot be read from the database: the log of this process has the reason")
}

// flushAndMerge writes and merges, unless Close is called meanwhile, which waits for the
// lock.
func (s *Store) flushAndMerge(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.running, cancel)
	late := time.AfterFunc(mergeBefore, cancel) // canceled: a long merge does not fail
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		defer stop()
		defer late.Stop()
		if _, err := s.flush(ctx); err == nil {
			s.merge(ctx)
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// selectProcesses has the processes, with the skew of their clocks, and when they last wrote by
// the clock of the server. Only a wrong clock has a row.
const selectProcesses = `SELECT name, heard, ended, COALESCE(skew, 0), COALESCE(seen, heard)
	FROM verso_usage_writers LEFT JOIN verso_usage_clocks ON verso_usage_clocks.id = verso_usage_writers.id ORDER BY name, verso_usage_writers.id`

func readAll(ctx context.Context, tx *sql.Tx, d *dialect, server int64) (r usage.Snapshot, err error) {
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
		{selectWeeks, func(rows *sql.Rows) error {
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
		{selectLeft, func(rows *sql.Rows) error {
			l, err := scanLeft(rows)
			r.Left = append(r.Left, l)
			return err
		}},
		{selectProcesses, func(rows *sql.Rows) error {
			p, err := scanProcess(rows, server)
			if p.Silent <= 24*time.Hour {
				r.Processes = append(r.Processes, p)
			}
			return err
		}},
	} {
		if err := each(ctx, tx, read.query, read.row); err != nil {
			return usage.Snapshot{}, err
		}
	}
	r.Names, err = countNames(ctx, tx, d, more)
	return r, err
}
