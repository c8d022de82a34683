package usage

import "time"

// counting is when the processes of a region counted, or all of them.
type counting struct {
	region string         // or ""
	since  time.Time      // the first request or process of which anything is known
	hours  map[int64]bool // since 1970, in which a process counted
}

// regionTotals are what shows when a region counted, and its first request.
type regionTotals struct {
	name   string
	counts []Count // those of KindCounting matter
	first  int64
}

// countedUntil returns when a region counted.
func (t *regionTotals) countedUntil(now time.Time) counting {
	c := counting{region: t.name, since: now, hours: map[int64]bool{}}
	for i := range t.counts {
		if n := &t.counts[i]; n.Kind == KindCounting {
			c.add(n.First, min(n.Last, now.Unix()))
		}
	}
	// Hours go back 90 days.
	if at := timeOf(t.first); daysBetween(c.since, now) >= Days-1 && t.first > 0 && at.Before(c.since) {
		c.since = at
	}
	return c
}

// add records that a process counted between two times.
func (c *counting) add(first, last int64) {
	if at := timeOf(first); first > 0 && at.Before(c.since) {
		c.since = at
	}
	for hour := max(first/secondsPerHour, last/secondsPerHour-24*Days); hour <= last/secondsPerHour; hour++ {
		c.hours[hour] = true
	}
}

// gaps yields the times between begin and now in whose hours no process counted.
func (c *counting) gaps(begin, now time.Time, yield func(from, until time.Time)) {
	first, last := begin.Unix()/secondsPerHour, now.Unix()/secondsPerHour
	for hour := first; hour < last; hour++ {
		if c.hours[hour] {
			continue
		}
		from := hour
		for hour < last && !c.hours[hour] {
			hour++
		}
		yield(time.Unix(from*secondsPerHour, 0).UTC(), time.Unix(hour*secondsPerHour, 0).UTC())
	}
}
