package usage

import (
	"log/slog"
	"slices"

	verso "github.com/goverso/verso/core"
)

// Take removes what was counted since the last Take and returns it: the counts of
// requests, and one or more of [KindCounting] with the time since when. No request is left
// out or returned twice, whatever is counted at the same time. The page of a table
// shows only what was not taken.
func (t *Table) Take() []Count { return t.counts(true) }

// counts returns what was counted, and removes it if it is taken.
func (t *Table) counts(take bool) []Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	var names dayNames
	counts, forgotten := t.counting(take), t.forgotten()
	nameOf := func(name string) (client string, beyond bool) {
		if forgotten[name] {
			return "", true
		}
		return name, false
	}
	if !take { // else few of them have changed
		counts = slices.Grow(counts, len(t.cells))
	}
	var days []DayCount // of all counts, to allocate rarely
	inCells := make([]map[uint64]uint64, len(t.rows))
	for _, cells := range [][]*cell{t.cells, t.rest, t.forgot} {
		for _, c := range cells {
			n := c.read(take)
			if n.isZero() {
				continue
			}
			begin := len(days)
			if n.before > 0 {
				row := c.row()
				if inCells[row] == nil {
					inCells[row] = map[uint64]uint64{}
				}
				for i, slot := range c.days {
					if slot&countMask == 0 {
						continue
					}
					days = append(days, DayCount{names.of(slot >> dayShift), slot & countMask})
					inCells[row][slot>>dayShift] += slot & countMask
					if take {
						c.days[i] = 0
					}
				}
			}
			if n.today&countMask > 0 {
				days = append(days, DayCount{names.of(n.today >> dayShift), n.today & countMask})
			}
			client, beyond := nameOf(c.client)
			counts = append(counts, Count{
				Version: t.nameOf(c.version), Client: client, Method: c.method, Route: c.route, Rejected: c.rejected,
				OtherClient: c.otherClient || beyond, OtherRoute: c.otherRoute,
				Requests: n.before + n.today&countMask, Days: days[begin:len(days):len(days)], First: n.first,
				Last: n.last, Weeks: c.weeks,
			})
			if take {
				c.weeks = Weeks{}
			}
		}
	}
	for row := range t.rows {
		older := Count{Kind: KindDays, Version: t.nameOf(row / 2), Rejected: row%2 == 1}
		for _, slot := range t.rows[row] {
			day := slot >> dayShift
			if requests := slot & countMask; requests > inCells[row][day] {
				older.Days = append(older.Days, DayCount{names.of(day), requests - inCells[row][day]})
			}
		}
		if older.Days != nil {
			counts = append(counts, older)
		}
	}
	for _, e := range t.excepted {
		counts = append(counts, Count{Kind: KindException, Version: e.Version, Exception: &e})
	}
	if take {
		clear(t.rows)
		t.forgot, t.excepted = nil, nil
	}
	return counts
}

// counting returns when the table, and those whose counts were added, have counted.
func (t *Table) counting(take bool) []Count {
	now := t.clock().Unix()
	counts := []Count{{Kind: KindCounting, First: t.since, Last: max(t.since, now)}}
	if t.first > 0 {
		counts = append(counts, Count{Kind: KindCounting, First: t.first, Last: t.first})
	}
	for hour := range t.hours {
		counts = append(counts, Count{Kind: KindCounting, First: t.hours[hour], Last: t.hours[hour]})
	}
	if take {
		t.since = now
		t.first = 0
		clear(t.hours)
	}
	return counts
}

// Add adds counts, as those of a table that this one replaces:
//
//	next.Add(last.Take())
//
// It leaves out counts for versions that the catalogue does not have, and logs how
// many requests these are. Clients and routes beyond the bounds are counted together.
func (t *Table) Add(counts []Count) {
	now := t.clock().Unix()
	today := dayOf(now)
	var unknown uint64
	for _, n := range counts {
		switch n.Kind {
		case KindCounting:
			t.addCounting(n, today)
			continue
		case KindException:
			if n.Exception != nil {
				t.addException(*n.Exception)
			}
			continue
		}
		version, ok := t.versionOf(n.Version)
		if !ok {
			unknown += n.Requests
			continue
		}
		of := of{
			version: version, client: bounded(n.Client, verso.MaxClientBytes), method: n.Method, route: n.Route,
			rejected: n.Rejected, otherClient: n.OtherClient, otherRoute: n.OtherRoute,
		}
		var c *cell
		switch {
		case n.Kind == KindDays:
		case n.OtherRoute:
			c = t.rest[of.row()]
		case Forgotten(n.Last, now):
			c = &cell{of: of}
			t.mu.Lock()
			t.forgot = append(t.forgot, c)
			t.mu.Unlock()
		default:
			c = t.cellOf(of)
		}
		t.addTo(c, &of, n, today)
	}
	if unknown > 0 {
		slog.Warn("usage: there are counts for versions that the catalogue does not have: they are left out", "code",
			"counts_version", "requests", unknown)
	}
}

// addTo adds a count to a cell, or to nil, and to the days of the version. A day
// that is more than a day ahead counts as today.
func (t *Table) addTo(c *cell, of *of, n Count, today uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range n.Days {
		day, ok := parseDay(d.Day)
		if !ok {
			continue
		}
		if day > today+1 {
			day = today
		}
		requests := min(d.Requests, countMask)
		add(t.rows[of.row()][:], day, requests, today)
		if c != nil {
			add(c.days[:], day, requests, today)
		}
	}
	if c == nil {
		return
	}
	c.weeks.AddCount(&n)
	c.before.Add(min(n.Requests, countMask))
	if n.First > 0 && n.Last >= n.First {
		c.seen(n.First, n.Last)
	}
}

// addCounting adds the hours in which other tables have counted, the last 90 days at most.
func (t *Table) addCounting(n Count, today uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n.First > 0 && (t.first == 0 || n.First < t.first) {
		t.first = n.First
	}
	oldest := int64(today+1-Days) * secondsPerDay
	for second := max(n.First, oldest); second <= min(n.Last,
		int64(today+1)*secondsPerDay); second = (second/secondsPerHour + 1) * secondsPerHour {
		hour := second / secondsPerHour
		if _, ok := t.hours[hour]; !ok {
			t.hours[hour] = second
		}
	}
}

// dayNames are the names of the last days that were asked for.
type dayNames map[uint64]string

func (n *dayNames) of(day uint64) string {
	name, ok := (*n)[day]
	if !ok {
		if *n == nil {
			*n = dayNames{}
		}
		name = nameOfDay(day)
		(*n)[day] = name
	}
	return name
}
