package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/goverso/verso/usage"
)

// How long a page waits: until this process has written what it counted, and begins to merge; for
// the merge, unless that waits for a lock; and until it can read. What is not merged by then, it
// reads from the batches. For locks, all of it is less than 5 seconds.
const (
	writeBefore = 2500 * time.Millisecond
	mergeBefore = 5 * time.Second
	readBefore  = 2 * time.Second
)

// open returns a reader of the counts of all processes at one moment. It first writes the counts of
// this process, and merges; if it cannot, the page shows the counts in the database.
func (s *Store) open(ctx context.Context) (usage.Reader, error) {
	s.flushAndMerge(ctx)
	return s.read(ctx)
}

// read returns a reader of what is in the database.
func (s *Store) read(ctx context.Context) (usage.Reader, error) {
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

// begin begins to read.
func (s *Store) begin(ctx context.Context, cancel func()) (*reader, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.reading, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	r := &reader{tx: tx, d: s.dialect, cancel: cancel, maxClients: s.maxNames, notRead: s.notRead}
	if s.dialect.lockTimeout != "" {
		_, err = tx.ExecContext(ctx, s.dialect.lockTimeout)
	}
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT version, `+s.dialect.now+
			` FROM verso_usage_schema WHERE id = 1`).Scan(&r.version, &r.server)
	}
	if err = errors.Join(err, checkVersion(r.version)); err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return r, nil
}

// notRead logs why nothing can be read, and returns the text of the page.
func (s *Store) notRead(err error) error {
	reason := err
	if isUndefined(err) || isSyntax(err) {
		ctx, cancel := context.WithTimeout(context.Background(), readBefore)
		defer cancel()
		if reason = s.checkDialect(ctx); reason == nil {
			_, reason = s.made(ctx)
		}
		if isUndefined(reason) {
			reason = tablesError("the database has no counts: no process has written any into it")
		}
	}
	var other tablesError
	if errors.As(reason, &other) {
		return other
	}
	s.logger.Warn("usagesql: the counts of requests cannot be read", "code", "usage_not_read", "error", err)
	return errors.New("the counts of requests cannot be read from the database: the log of this process has the reason")
}

// flushAndMerge writes and merges, unless Close is called meanwhile, which waits for the
// lock.
func (s *Store) flushAndMerge(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.running, cancel)
	late := time.AfterFunc(writeBefore, cancel) // canceled: a long merge does not fail
	done := make(chan struct{})
	go func() { // since a driver may wait for a lock longer than the context
		defer close(done)
		defer cancel()
		defer stop()
		defer late.Stop()
		if _, err := s.flush(ctx); err == nil {
			var once sync.Once
			s.merge(ctx, func() { once.Do(func() { late.Reset(mergeBefore) }) })
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
