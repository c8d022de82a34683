package usage

import "sync/atomic"

// cell counts the requests of one combination. A request increments a single number.
type cell struct {
	of
	today       atomic.Uint64 // a day and its requests, packed
	before      atomic.Uint64 // the requests of all other days
	first, last atomic.Int64  // seconds since 1970; 0: never
	days        [RecentDays]packed
	weeks       Weeks // before today, and of counts that were added
}

// of is the combination whose requests a cell counts.
type of struct {
	version       int    // index in the catalogue; one past the last: no listed version
	client        string // "": not known
	method, route string // "": not known
	rejected      bool
	otherClient   bool // all clients beyond the bound
	otherRoute    bool // all routes of these clients beyond the bound
}

// row returns the index into Table.rows and Table.rest: each version has one row for
// served and one for rejected requests.
func (o *of) row() int {
	if o.rejected {
		return 2*o.version + 1
	}
	return 2 * o.version
}

// packed is a day since 1970 in the upper bits and its requests in the lower bits.
type packed = uint64

const (
	dayShift  = 40
	countMask = 1<<dayShift - 1
)

// cellCount is what a cell counted.
type cellCount struct {
	today       packed
	before      uint64
	first, last int64
}

func (n *cellCount) isZero() bool { return n.today&countMask == 0 && n.before == 0 && n.last == 0 }

// read returns what the cell counted, and removes it if it is taken. The mutex of the
// table is held.
func (c *cell) read(take bool) cellCount {
	n := cellCount{c.today.Load(), c.before.Load(), c.first.Load(), c.last.Load()}
	if take && !n.isZero() {
		n = cellCount{c.today.And(^uint64(countMask)), c.before.Swap(0), c.first.Swap(0), c.last.Swap(0)}
	}
	if n.first == 0 { // taken between the two
		n.first = n.last
	}
	n.last = max(n.first, n.last)
	return n
}

// seen records the first and the last time of requests. A clock that runs backwards
// does not move the last time back.
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

// add adds the requests of a day to the last days, unless the day is too old. It
// overwrites days that a wrong clock recorded more than a day ahead of today.
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
