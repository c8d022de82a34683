package usage

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// Here a client is judged. In go its days, weeks and routes of a version, and those of later versions; out comes
// one group, with the evidence. Counts show who calls, and never who stays away for good: so a client counts as
// moved only if a later version has served it instead, on each of its routes (left.go), and no call is due
// (weeks.go). A person's answer (excepted.go) and what is pinned (pinned.go) come after what it did. Memory and
// databases give the same totals to a [Reader], and all views show the group that is found here.

// judge judges the clients of a version, which were read.
func judge(r *report, v *versionReport) error {
	if err := readExcepted(r, v); err != nil {
		return err
	}
	v.Moving = judgeClients(r, v)
	if err := nameLeft(r, v); err != nil {
		return err
	}
	if !r.isPart() && v.Moving != nil && (!r.pinned || v.pins != nil && !v.pins.partial) {
		recordIn(r, v)
	}
	return nil
}

// recordIn records a version on a day, if a table is read. A database records what [Page.Judge] returns.
func recordIn(r *report, v *versionReport) {
	if table, ok := r.reader.(*memory); ok && table.judged != nil {
		table.judged(r.Time, v.record(r.Time).Left, v.Moving.Clients)
		v.Moving.countNew(r.Time, r.Since)
	}
}

// judgeClients compares the clients of a version with the clients of later versions. For a version
// without a deprecation and a sunset it only judges the clients, and returns nil.
func judgeClients(r *report, v *versionReport) *moving {
	today := startOf(r.Time)
	m := &moving{Full: v.full, Brownout: v.brownout}
	m.From, m.To = today.AddDate(0, 0, -v.from).Format(time.DateOnly), today.AddDate(0, 0, -v.to).Format(time.DateOnly)
	if v.compared {
		m.Before = new(uint64)
	}
	v.judged = make([]movingClient, 0, len(v.Clients))
	var left []routeLeft // of a client
	for i := range v.Clients {
		c := &v.Clients[i]
		n := movingClient{Client: c.Client, Other: c.Other, LastSeen: c.LastSeen, Requests: c.week, first: c.FirstSeen,
			since: c.since}
		if v.compared {
			n.Before = &c.before
			*m.Before += c.before
		}
		if l := c.later; l != nil {
			n.Later, n.LaterSeen = l.served, l.last
			n.LaterWeeks, n.apart = l.weeks.since(WeekOf(c.LastSeen.Unix()))
			n.once = bits.OnesCount64(c.weeks.Bits) <= 2 && l.weeks.first() < c.weeks.first()
		}
		n.Every, n.Next = rhythm(c.weeks.every(), c.LastSeen)
		n.pause = WeekOf(r.Time.Unix())-c.weeks.Last <= int64(c.longestSilence())
		if b := m.Brownout; b != nil {
			n.Brownout = &c.brownout
		}
		n.counted = groupOf(r, v, &n, c.called > 0)
		if c.later != nil && !c.Other && (n.counted == groupMoved || n.counted == groupQuiet) {
			left = c.left(r.Time, left)
			n.Left = append([]routeLeft(nil), left...) // nil if none is
		}
		if n.counted == groupMoved && n.Left != nil {
			n.counted, n.Every, n.Next = groupQuiet, n.Left[0].Every, n.Left[0].Next
			n.part, n.rest = true, true
		}
		if r.isUnion() && n.counted.Breaks() {
			n.since = max(n.since, v.backIn(c, r.Time))
		}
		applyExceptions(r, v, &n, c)
		c.uses = nil // they take most of the memory
		n.Group = n.counted
		v.judged = append(v.judged, n)
	}
	addPins(r, v)
	for i := range v.judged {
		m.add(&v.judged[i])
	}
	if v.Deprecated.IsZero() && v.Sunset.IsZero() {
		return nil
	}
	m.Clients = make([]*movingClient, len(v.judged))
	for i := range v.judged {
		m.Clients[i] = &v.judged[i]
	}
	m.countNew(r.Time, r.Since)
	slices.SortStableFunc(m.Clients, func(a, b *movingClient) int {
		return cmp.Or(cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)),
			cmp.Compare(b.Requests, a.Requests), b.LastSeen.Compare(a.LastSeen))
	})
	return m
}

// backIn returns since when a client of several regions is back, as a second, or 0. Regions record who has moved by their
// own counts and answers: a client may have moved by those of all.
func (v *versionReport) backIn(c *clientReport, now time.Time) int64 {
	today := int64(dayOf(now.Unix()))
	back := int64(0)
	if visit := c.backVisit(); visit > 0 {
		back = c.firstSince(7*visit, today)
	}
	for _, e := range v.excepted[c.Client] {
		if called := v.routes[c.Client]; e.isOver(called) || e.isDenied(called) {
			back = max(back, c.firstSince(int64(dayOf(e.Time.Unix())), today))
		}
	}
	return back * secondsPerDay
}

// backVisit returns the week in which the last visit began before which the client had moved, by its weeks, or 0.
func (c *clientReport) backVisit() int64 {
	if c.later == nil {
		return 0
	}
	for before := c.weeks; ; {
		visit := int64(bits.TrailingZeros64(^before.Bits)) // weeks
		first := before.Last - visit + 1
		rest := before.Bits >> visit
		if rest == 0 {
			return 0
		}
		gap := bits.TrailingZeros64(rest)
		before = Weeks{first - 1 - int64(gap), rest >> gap}
		then := clientReport{weeks: before, later: &laterReport{weeks: c.later.weeks.until(first - 1)}}
		served, apart := then.later.weeks.since(before.Last)
		every := before.every()
		if gap >= then.longestSilence() && 2*gap > 3*every && (apart || every > 0 && served > 0) {
			return first
		}
	}
}

// firstSince returns the first day since one on which the client called, or 0. Of a week whose days are not counted any
// more, it is the last one.
func (c *clientReport) firstSince(day, today int64) int64 {
	oldest := today - RecentDays + 1
	for ; day < oldest; day = day - day%7 + 7 {
		if ago := c.weeks.Last - day/7; ago >= 0 && c.weeks.Bits>>ago&1 != 0 {
			if last := day - day%7 + 6; last < oldest {
				return last
			}
			break
		}
	}
	for day = max(day, oldest); day <= today; day++ {
		if c.recentDays>>(today-day)&1 != 0 {
			return day
		}
	}
	return 0
}

// longestSilence returns after how many weeks a silence still shows nothing: the client was silent for as long before,
// or for half as long while a later version served it, which was not instead of its next call.
func (c *clientReport) longestSilence() int {
	longest := c.weeks.longest()
	if c.later != nil {
		longest = max(longest, 2*c.weeks.longestAmid(c.later.weeks))
	}
	return longest
}

// groupOf returns the group of a client by its calls alone: called reports whether it called the version in these days.
func groupOf(r *report, v *versionReport, n *movingClient, called bool) group {
	switch {
	case called && n.Later > 0:
		return groupBoth
	case called:
		return groupOnly
	case v.State == catalogue.Ended.String() && !n.LastSeen.Before(v.Sunset):
		return groupTold
	case n.Other: // some of them may have moved, it is not known which
		return groupQuiet
	case n.once || n.pause || n.Every == "" && !n.apart: // nothing shows that the later calls are instead of it
		return groupQuiet
	case n.LaterSeen.After(n.LastSeen) && !n.due(r.Time):
		return groupMoved
	}
	return groupQuiet
}

// add adds a client.
func (m *moving) add(n *movingClient) {
	m.Requests += n.Requests
	if n.Client == "" && !n.Other {
		m.Unnamed = n.Requests
	}
	m.Others = m.Others || n.Other
	if n.Client != "" || n.Other { // all clients beyond the bound are one, and count
		*m.number(n.Group)++
	}
}

// number returns how many clients a group has.
func (m *moving) number(of group) *int {
	switch of {
	case groupOnly:
		return &m.Only
	case groupBoth:
		return &m.Both
	case groupQuiet:
		return &m.Quiet
	case groupPinned:
		return &m.Pinned
	case groupTold:
		return &m.Told
	case groupMoved:
		return &m.Moved
	}
	return &m.Accepted
}

// countNew counts the clients that the end breaks since today only, or since less than an hour, so that
// midnight hides no client. On the first day of counting, nothing is new.
func (m *moving) countNew(now, since time.Time) {
	m.New = 0
	for _, c := range m.Clients {
		today := startOf(now)
		recent := min(today.Unix(), now.Add(-time.Hour).Unix())
		switch {
		case c.Group == groupPinned && c.pinned.since.After(now.Add(-24*time.Hour)),
			c.Group != groupPinned && c.Group.Breaks() && c.since >= recent && since.Before(today):
			m.New++
		}
	}
}

// windowsOf returns the days by which the clients of a version are judged.
func (r *report) windowsOf(v *versionReport) windows {
	today := startOf(r.Time)
	w := windows{from: fullWeek, to: 1, full: !r.Since.After(today.AddDate(0, 0, -fullWeek)),
		brownout: r.lastBrownout(v)}
	if !w.full {
		w.from, w.to = int(today.Sub(startOf(r.Since)).Hours()/24), 0
	}
	w.compared = w.full && !r.Since.After(today.AddDate(0, 0, -2*fullWeek))
	return w
}

// lastBrownout returns the last brownout to have begun, nil if the counts of its days are
// gone.
func (r *report) lastBrownout(v *versionReport) (last *brownoutDays) {
	today := startOf(r.Time)
	for _, b := range v.Brownouts {
		if b.From.After(r.Time) || last != nil && b.From.Before(last.From) {
			continue
		}
		until := b.Until.Add(-time.Second)
		if until.After(r.Time) {
			until = r.Time
		}
		last = &brownoutDays{b.From, b.Until, daysBetween(b.From, today), daysBetween(until, today)}
	}
	if last != nil && last.first >= RecentDays {
		return nil
	}
	return last
}

// laterThan returns the versions to which clients of a version may move: its successor
// and those after it.
func (r *report) laterThan(v *versionReport) (later []*versionReport) {
	successor, ok := r.catalogue.Index(v.Successor)
	if !ok {
		return nil
	}
	for i := range r.Versions[:len(r.Versions)-1] { // without the requests for no listed version
		if other := &r.Versions[i]; other.index >= successor {
			later = append(later, other)
		}
	}
	return later
}

// record returns what is recorded of a version that ends.
func (v *versionReport) record(now time.Time) Judged {
	m := v.Moving
	j := Judged{Left: Left{now.UTC().Format(time.DateOnly), v.Version, m.Only, m.Both, m.Quiet, m.Pinned, m.Told,
		m.Moved, m.Accepted}}
	for _, c := range m.Clients {
		switch name := (ClientName{c.Client, c.Other}); {
		case c.counted == "", c.counted == groupTold && c.since > 0: // nothing of pins; a client that got 410 is not new later
		case c.counted.Breaks() && c.since <= 0:
			j.Breaks = append(j.Breaks, name)
		case !c.counted.Breaks() && c.since >= 0:
			j.Safe = append(j.Safe, name)
		}
	}
	return j
}
