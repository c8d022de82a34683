package usage

import "sync/atomic"

// cell counts the requests of one combination. A request adds to one number.
type cell struct {
	of
	today       atomic.Uint64 // a day and its requests, packed
	before      atomic.Uint64 // the requests of all other days
	first, last atomic.Int64  // seconds since 1970; 0: never
	days        [RecentDays]packed
}

// of is what a cell counts the requests of.
type of struct {
	version       int    // index in the catalogue; behind the last one: none
	client        string // "": nobody knows
	method, route string // "": not known
	rejected      bool
	otherClient   bool // all clients beyond the bound
	otherRoute    bool // all routes of them beyond the bound
}

// row is the index of what is kept by version, for served and for rejected requests.
func (o *of) row() int {
	if o.rejected {
		return 2*o.version + 1
	}
	return 2 * o.version
}

// packed is a day, counted from 1970, and in the lower bits its requests.
type packed = uint64

const (
	dayShift      = 40
	countMask     = 1<<dayShift - 1
	secondsPerDay = 24 * 60 * 60
)

// requests returns all requests. The mutex of the table is held.
func (c *cell) requests() uint64 {
	return c.before.Load() + c.today.Load()&countMask
}

// on returns the requests of a day. The mutex of the table is held.
func (c *cell) on(day uint64) uint64 {
	n := on(c.days[:], day)
	if today := c.today.Load(); today>>dayShift == day {
		n += today & countMask
	}
	return n
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
// days of the cell and of the version.
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
			add(c.days[:], was>>dayShift, was&countMask, day)
			add(t.rows[c.row()][:], was>>dayShift, was&countMask, day)
			return
		}
	}
}

// add adds the requests of a day to the last days, unless it is too long ago. What
// a clock has left that was days ahead of today gives way.
func add(days []packed, day, requests, today uint64) {
	slot := &days[day%uint64(len(days))]
	switch known := *slot >> dayShift; {
	case requests == 0:
	case known == day:
		*slot = day<<dayShift | min(countMask, *slot&countMask+requests)
	case known < day || known > today+1:
		*slot = day<<dayShift | requests
	}
}

// on returns the requests of a day.
func on(days []packed, day uint64) uint64 {
	if slot := days[day%uint64(len(days))]; slot>>dayShift == day {
		return slot & countMask
	}
	return 0
}

// dayOf returns the day of a second since 1970.
func dayOf(second int64) uint64 { return uint64(max(0, second)) / secondsPerDay }
