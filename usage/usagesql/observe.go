package usagesql

import (
	"context"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
)

// Observe counts a request: the store is one of the Counters of the configuration.
func (s *Store) Observe(ctx context.Context, o verso.Observation) {
	if s.corrects {
		if skew := s.skew.Load(); skew != 0 {
			o.Time = o.Time.Add(-time.Duration(skew) * time.Second)
		}
	}
	t := s.table.Load()
	t.Observe(ctx, o)
	switch {
	case s.table.Load() != t:
		s.late(t)
	case t.Nearly():
		s.rotate(t)
	}
}

// rotate lets requests be counted in a new table, since one is nearly full, and has it
// written soon. Without the database, the last table gets full: all other clients are
// counted together then.
func (s *Store) rotate(t *usage.Table) {
	s.rotating.Lock()
	defer s.rotating.Unlock()
	if s.table.Load() != t || len(s.full) >= maxTables-1 {
		return
	}
	s.full = append(s.full, t)
	s.table.Store(s.newTable())
	select {
	case s.early <- struct{}{}:
	default: // the background knows
	}
}

func (s *Store) newTable() *usage.Table {
	return usage.NewBoundedTable(&verso.Config{Catalogue: s.catalogue, Clock: s.clock}, s.bounds)
}

// late has a table taken again: a request was counted in it after another one had replaced it.
func (s *Store) late(t *usage.Table) {
	s.rotating.Lock()
	defer s.rotating.Unlock()
	if t != s.last && !slices.Contains(s.full, t) {
		s.full = append(s.full, t)
	}
}

// takeFull takes the counts of a full table. The next one is enough for the next batch.
func (s *Store) takeFull() (counts []usage.Count, full bool) {
	s.rotating.Lock()
	var t *usage.Table
	if len(s.full) > 0 {
		t, s.full = s.full[0], s.full[1:]
	}
	s.rotating.Unlock()
	if t == nil {
		return nil, false
	}
	return t.Take(), true
}

// now returns the time by the clock of the database, once its skew is known.
func (s *Store) now() time.Time { return time.Now().Add(-time.Duration(s.skew.Load()) * time.Second) }
