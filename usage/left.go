package usage

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// left returns the routes that a client may call again: those that no later version has served since, and those of
// which a request is due, unless its visits are not regular and a later version serves it instead. Not those that it
// has given up, nor those that moved with the rest: see tail. Routes beyond the bound are left for long. The ones that
// are expected soonest are first. The value may be in the given one.
func (c *clientReport) left(now time.Time, left []routeLeft) []routeLeft {
	today := int64(dayOf(now.Unix()))
	left = left[:0]
	var tail tail
	known := false
	for i := range c.uses {
		u := &c.uses[i]
		if u.replaced && u.once() { // most of those that moved: it has no rhythm
			continue
		}
		if !known {
			known = true
			tail.of(c.uses)
		}
		l := u.left()
		isDue := due(l.Every, l.LastSeen, l.Next, now) && (!u.settled || u.weeks().regular())
		alone := !tail.has(u, today)
		if isDue && (alone || !u.replaced || u.weeks().regular()) ||
			!u.replaced && (u.Key == 0 || alone && !u.weeks().givenUp(today/7)) {
			left = append(left, l)
		}
	}
	slices.SortFunc(left, compareLeft)
	return left
}

// left returns the route for a list of those left.
func (u *RouteUse) left() routeLeft {
	l := routeLeft{LastSeen: timeOf(u.Last * secondsPerDay), Replaced: u.replaced, key: u.Key, once: u.once()}
	l.Every, l.Next = rhythm(u.weeks().every(), l.LastSeen)
	return l
}

func compareLeft(a, b routeLeft) int {
	return cmp.Or(compareBools(a.Replaced, b.Replaced), compareBools(a.Every == "", b.Every == ""),
		a.Next.Compare(b.Next), b.LastSeen.Compare(a.LastSeen), cmp.Compare(a.key, b.key))
}

// tail separates the routes that a person at a screen calls once in months from rare jobs. The screens are of one
// program, which has moved as a whole; a job runs elsewhere, by the calendar, and may stay behind.
type tail struct {
	moved, all [65]int // routes, by the weeks in which they were called, or fewer
	last       int64   // day on which the client called a moved route
}

// of adds some routes up. It is called for each client, and allocates nothing.
func (t *tail) of(uses RouteUses) {
	for i := range uses {
		u := &uses[i]
		t.all[bits.OnesCount64(u.Weeks)]++
		if u.replaced {
			t.moved[bits.OnesCount64(u.Weeks)]++
			t.last = max(t.last, u.Last)
		}
	}
	for i := range 64 {
		t.moved[i+1] += t.moved[i]
		t.all[i+1] += t.all[i]
	}
}

// has reports whether a route moved with the rest, although no later version has served it yet: enough routes that are
// as rare have moved, the last of them not before it, and no job is so rare that it still has to come.
func (t *tail) has(u *RouteUse, today int64) bool {
	const several, halfYear = 3, 190 // days in which a half-yearly job calls again
	called := bits.OnesCount64(u.Weeks)
	return t.moved[called] >= max(several, (t.all[called]+2)/3) && u.Last <= t.last &&
		!u.weeks().brief() && today-u.Last >= halfYear
}
