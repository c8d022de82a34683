package usagesql

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	randv2 "math/rand/v2"
	"sync"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/internal/bound"
)

// New starts a store that counts for a configuration, as [usage.NewTable] does: it takes the
// versions and the clock from it, and adds itself to its Counters. Without a Clock, the store uses the clock of the
// machine; if that differs from the clock of the database by a minute or more, the clock of
// the database wins. New fails for a wrong configuration only, with all mistakes joined: it does
// not touch the database, which may be down.
func New(counted *verso.Config, c Config) (*Store, error) {
	var mistakes []error
	if c.DB == nil {
		mistakes = append(mistakes, errors.New("usagesql: Config.DB is nil: set it to what sql.Open returns"))
	}
	if c.Dialect != PostgreSQL && c.Dialect != SQLite {
		mistakes = append(mistakes,
			errors.New("usagesql: Config.Dialect is unknown: write usagesql.PostgreSQL or usagesql.SQLite"))
	}
	if c.Every != 0 && c.Every < minEvery || c.Every > maxEvery {
		mistakes = append(mistakes, fmt.Errorf("usagesql: Config.Every is %v: write a time from %v to %v, or 0 for %v",
			c.Every, minEvery, maxEvery, defaultEvery))
	}
	mistakes = append(mistakes, bound.Check("usagesql: Config.MaxClients", c.MaxClients, defaultMaxClients),
		bound.Check("usagesql: Config.MaxCells", c.MaxCells, defaultMaxCells))
	wrong := errors.Join(mistakes...)
	if wrong != nil && counted != nil { // the service may go on: it must not call a store that does not exist
		unused := *counted
		counted = &unused
	}
	s := new(Store)
	versions, err := usage.Attach(counted, s)
	if err := errors.Join(wrong, err); err != nil {
		return nil, err
	}
	*s = Store{
		db: c.DB, dialect: &dialects[c.Dialect], catalogue: versions, own: counted.Clock, clock: counted.Clock,
		pinned: c.Pinned, every: cmp.Or(c.Every, defaultEvery), logger: c.Logger,
		maxNames: cmp.Or(c.MaxClients, defaultMaxClients), mergeBytes: bytesAtOnce / 4, early: make(chan struct{}, 1),
		id: rand.Text(), done: make(chan struct{}), lock: make(chan struct{}, 1), mergeLock: make(chan struct{}, 1),
	}
	if counted.Clock == nil {
		s.own, s.clock, s.corrects = time.Now, s.now, true
	}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	s.writing = outage{logger: s.logger, code: "usage_not_written",
		what: "the counts of requests cannot be written; they are kept in memory until they can"}
	s.merging = outage{logger: s.logger, code: "usage_not_merged",
		what: "the batches of counts cannot be added up; the page reads them one by one until they can"}
	s.heard = s.clock()
	s.day = dayOf(s.heard)
	s.bounds = usage.Bounds{Clients: cmp.Or(c.MaxCells, defaultMaxCells), Cells: cmp.Or(c.MaxCells, defaultMaxCells)}
	for i, version := range s.catalogue.Versions() {
		if e := s.catalogue.Entry(i); !e.Deprecated.IsZero() || !e.Sunset.IsZero() {
			s.ends = append(s.ends, version)
		}
	}
	s.page = s.Handler(nil)
	s.table.Store(s.newTable())
	s.running, s.stop = context.WithCancel(context.Background())
	go s.run()
	return s, nil
}

// Handler returns the page of what all processes have counted. Explain is the Explain of
// the adapter's Routes, or nil: see [usage.Page]. The page answers 503 while the database
// cannot be read.
func (s *Store) Handler(explain func() *verso.Explanation) *usage.Page {
	return &usage.Page{
		Catalogue: s.catalogue, Clock: s.clock, Explain: explain, Pinned: s.pinned, Open: s.open, Counter: s,
	}
}

// Close writes what was counted since the last write, and records that this process
// has ended. Call it after the last request: later ones are lost. If the database is
// away until the context ends, or for 30 seconds if it has no deadline, the error has the
// number of requests that are lost.
func (s *Store) Close(ctx context.Context) error {
	s.stop()
	<-s.done
	if _, ends := ctx.Deadline(); !ends {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, attempt)
		defer cancel()
	}
	for {
		err := s.end(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("usagesql: %d requests are lost: %w", s.pending(), err)
		case <-time.After(retryEvery):
		}
	}
}

// run writes in the background.
func (s *Store) run() {
	defer close(s.done)
	var merging sync.WaitGroup
	defer merging.Wait()
	for {
		jitter := 0.9 + 0.2*randv2.Float64()
		select {
		case <-s.running.Done():
			return
		case <-time.After(time.Duration(float64(s.every) * jitter)):
		case <-s.early:
		}
		ctx, cancel := context.WithTimeout(s.running, attempt)
		due, err := s.flush(ctx)
		cancel()
		if err != nil || !due && !s.warn.Load() || len(s.mergeLock) > 0 {
			continue
		}
		merging.Go(func() { // meanwhile, this process writes
			ctx, cancel := context.WithTimeout(s.running, attempt)
			defer cancel()
			if due {
				s.merge(ctx, func() {})
			}
			if s.warn.Swap(false) {
				s.judge(ctx)
			}
		})
	}
}
