package usagesql

import (
	"context"
	"encoding/json"
	"time"

	"github.com/goverso/verso/usage"
)

// flush writes what was counted since the last write, or at times that this process
// lives. mergeDue reports whether no process has merged batches for a minute.
func (s *Store) flush(ctx context.Context) (mergeDue bool, err error) {
	if err := s.acquire(ctx); err != nil {
		return false, err
	}
	defer s.release()
	if s.closed {
		return false, nil
	}
	now := s.clock()
	if s.batch == nil {
		if s.batch = s.next(now); s.batch.counts == "" && now.Sub(s.heard).Abs() < maxEvery-s.every && s.seq > 0 && s.hasFile() {
			s.batch = nil
			return false, nil
		}
	}
	more := s.batch.more
	mergeDue, err = s.write(ctx)
	for more && err == nil {
		s.batch = s.next(now)
		more = s.batch.more
		mergeDue, err = s.write(ctx)
	}
	return mergeDue, err
}

// end writes what is left.
func (s *Store) end(ctx context.Context) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	for !s.closed {
		if s.batch == nil {
			s.batch = s.next(s.clock())
			s.batch.ended = !s.batch.more
		}
		ended := s.batch.ended
		if _, err := s.write(ctx); err != nil {
			return err
		}
		s.closed = ended
	}
	return nil
}

// pending returns how many requests were not written.
func (s *Store) pending() (requests uint64) {
	s.lock <- struct{}{}
	defer s.release()
	if s.batch != nil {
		requests = s.batch.requests
	}
	for {
		b := s.next(s.clock())
		if requests += b.requests; !b.more {
			return requests
		}
	}
}

// next takes what was counted. A table never forgets a client, so each day has a new
// one.
func (s *Store) next(now time.Time) *batch {
	counts, full := s.takeFull()
	if !full { // else it suffices for a batch
		counts = append(counts, s.table.Load().Take()...)
	}
	last := s.last
	if day := dayOf(now); day != s.day {
		s.rotating.Lock()
		s.day, s.last = day, s.table.Swap(s.newTable())
		s.rotating.Unlock()
	}
	if last != nil { // after the change: a request that comes later has it taken again
		counts = append(counts, last.Take()...)
	}
	b := &batch{now: now, skew: s.skew.Load(), more: full}
	stored := counts[:0]
	for _, n := range counts {
		if n.Kind == usage.KindCounting {
			continue
		}
		n.Client, n.Method, n.Route = storable(n.Client), storable(n.Method), storable(n.Route)
		stored = append(stored, n)
		b.requests += n.Requests
	}
	if len(stored) > 0 {
		text, _ := json.Marshal(stored) // strings and numbers: it cannot fail
		b.counts = string(text)
	}
	return b
}

// acquire waits for the lock.
func (s *Store) acquire(ctx context.Context) error {
	select {
	case s.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) release() { <-s.lock }
