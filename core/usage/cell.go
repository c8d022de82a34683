package usage

import "sync/atomic"

// cell counts the requests of one combination. A request adds to one number.
type cell struct {
	of
	today       atomic.Uint64 // the day, counted from 1970, and the requests of it
	before      atomic.Uint64 // the requests of all other days
	rejected    atomic.Uint64
	first, last atomic.Int64 // seconds since 1970; 0: never
}

const (
	dayShift      = 40 // requests of a day are in the lower bits of today
	countMask     = 1<<dayShift - 1
	secondsPerDay = 24 * 60 * 60
)

// requests returns all requests. The mutex of the table is held.
func (c *cell) requests() uint64 {
	return c.before.Load() + c.today.Load()&countMask
}

// seen takes note of when there were requests. A clock that runs back changes
// nothing that a later time has said.
func (c *cell) seen(first, last int64) {
	for known := c.first.Load(); known == 0 || first < known; known = c.first.Load() {
		if c.first.CompareAndSwap(known, max(1, first)) {
			break
		}
	}
	for known := c.last.Load(); last > known; known = c.last.Load() {
		if c.last.CompareAndSwap(known, last) {
			break
		}
	}
}

// turn counts the first request of a day: what was counted before goes into the
// row of the version.
func (t *Table) turn(c *cell, day uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		was := c.today.Load()
		if was>>dayShift == day {
			c.today.Add(1)
			return
		}
		if c.today.CompareAndSwap(was, day<<dayShift|1) {
			c.before.Add(was & countMask)
			t.rows[c.version].add(was>>dayShift, was&countMask, day)
			return
		}
	}
}

// row has the requests for a version by day.
type row struct{ days [Days]dayCount }

type dayCount struct{ day, requests uint64 }

// add adds the requests of a day, unless it is too long ago. What a clock has left
// that was days ahead of today gives way.
func (r *row) add(day, requests, today uint64) {
	switch slot := &r.days[day%Days]; {
	case requests == 0:
	case slot.day == day:
		slot.requests += requests
	case slot.day < day || slot.day > today+1:
		*slot = dayCount{day, requests}
	}
}

// on returns the requests of a day.
func (r *row) on(day uint64) uint64 {
	if slot := &r.days[day%Days]; slot.day == day {
		return slot.requests
	}
	return 0
}
