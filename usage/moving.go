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
// moved only if a later version has served it instead, on each of its routes (routes.go), and no call is due
// (weeks.go). Memory and databases give the same totals to a [Reader], and all views show the group that is found
// here.

// moving is how far the clients of a version have moved to its successor or to a
// later version. Unless counting began later, it looks at the last 7 full days.
type moving struct {
	From string `json:"from"` // the first day
	To   string `json:"to"`   // the last day
	Full bool   `json:"full"` // 7 full days; otherwise the days since counting began, today included

	// How many clients with a name. Only and both called the version in these days or
	// today, both a later one too. All other clients did not: those that moved were served by a
	// later one after their last request for it; told are those that got their last answer
	// for it after it had ended; quiet ones may call it again.
	Moved int `json:"moved"`
	Both  int `json:"both"`
	Only  int `json:"only"`
	Quiet int `json:"quiet"`
	Told  int `json:"told,omitempty"`

	// Pinned are those that do not call the version now, and for which the service has it
	// pinned: see [Pin].
	Pinned int `json:"pinned,omitempty"`

	// Accepted are clients that may break: see [MayBreak].
	Accepted int `json:"accepted,omitempty"`

	Requests uint64          `json:"requests"`
	Before   *uint64         `json:"requests_before,omitempty"` // in the week before; none if it was not counted
	Unnamed  uint64          `json:"requests_without_client,omitempty"`
	New      int             `json:"-"`                       // broken by the end since today only: new, or back
	Others   bool            `json:"other_clients,omitempty"` // there are clients beyond the bound, which count as one
	Brownout *brownoutDays   `json:"last_brownout,omitempty"` // in the last 30 days
	Clients  []*movingClient `json:"clients"`                 // of each group, those with the most requests first
}

type brownoutDays struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`

	first, last int // days ago
}

// group is what a client did.
type group string

const (
	groupOnly   group = "only"
	groupBoth   group = "both"
	groupQuiet  group = "quiet"
	groupPinned group = "pinned"
	groupTold   group = "told"
	groupMoved  group = "moved"

	groupAccepted group = "accepted" // it may break
)

// groupBreaks asks for the clients that the end of the version breaks.
const groupBreaks group = "breaks"

// has reports whether a client of a group is asked for.
func (g group) has(other group) bool { return g == other || g == groupBreaks && other.Breaks() }

var groups = []group{groupOnly, groupBoth, groupQuiet, groupPinned, groupAccepted, groupTold, groupMoved}

// Breaks reports whether the end of the version breaks the client.
func (g group) Breaks() bool {
	return g == groupOnly || g == groupBoth || g == groupQuiet || g == groupPinned
}

// gone is after how long without a request a combination is left out: a store has deleted it.
const gone = KeepDays * 24 * time.Hour

type movingClient struct {
	Client   string    `json:"client"` // "": not known
	Other    bool      `json:"other,omitempty"`
	Group    group     `json:"group"`
	Requests uint64    `json:"requests"`
	Before   *uint64   `json:"requests_before,omitempty"`
	Later    uint64    `json:"requests_for_later_versions"`            // that were served
	Brownout *uint64   `json:"rejected_on_days_of_brownout,omitempty"` // of the last brownout
	LastSeen time.Time `json:"last_seen,omitzero"`
	Route    string    `json:"route"` // the one that it used most in the last 30 days, or before

	// LaterSeen is when a later version last served it. Every is how often a client calls
	// that does not call in most weeks, such as "monthly", and Next when it is expected
	// to call again.
	LaterSeen time.Time `json:"later_last_served,omitzero"`
	Every     string    `json:"every,omitempty"`
	Next      time.Time `json:"next_expected,omitzero"`

	// after the week of the last request, in which later versions served it
	LaterWeeks int `json:"later_weeks,omitempty"`

	// Left are the routes that no later version has served to a quiet client since, or that are due.
	Left []routeLeft `json:"routes_left,omitempty"`

	// Exceptions are those which make a difference, and have not ended.
	Exceptions []Exception `json:"exceptions,omitempty"`

	*pinned
	counted group // what it did, without its pins; "": it was never counted

	first time.Time // request
	since int64     // as in ClientTotal
	apart bool      // of these weeks, the first and the last are not neighbours
	once  bool      // it called the version in one visit, when a later one had served it before
	pause bool      // it was silent for as long before, and called again
	part  bool      // it has moved but for the routes that are left
	whole bool      // it is excepted with all routes
}

// due reports whether a rare caller may still be on time.
func (c *movingClient) due(now time.Time) bool { return due(c.Every, c.LastSeen, c.Next, now) }

// due reports whether a rare caller may still be on time: up to half an interval late, which is
// a week at least.
func due(every string, last, next, now time.Time) bool {
	return every != "" && now.Before(next.Add(next.Sub(last)/2))
}

// Expected returns when the next request is expected, "" if the time is unknown.
func (c *movingClient) Expected() string {
	if c.Every == "" {
		return ""
	}
	return "about " + date(c.Next)
}

const fullWeek = 7 // days

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
			n.once = bits.OnesCount64(c.weeks.Bits) <= 2 && l.first.Before(c.FirstSeen)
		}
		n.Every, n.Next = rhythm(c.weeks.every(), c.LastSeen)
		n.pause = WeekOf(r.Time.Unix())-c.weeks.Last <= int64(c.weeks.longest())
		if b := m.Brownout; b != nil {
			n.Brownout = &c.brownout
		}
		n.counted = groupOf(r, v, &n, c.called > 0)
		if c.later != nil && !c.Other && (n.counted == groupMoved || n.counted == groupQuiet) {
			n.Left = c.left(r.Time)
		}
		if n.counted == groupMoved && n.Left != nil {
			n.counted, n.Every, n.Next, n.part = groupQuiet, n.Left[0].Every, n.Left[0].Next, true
		}
		applyExceptions(r, v, &n, c)
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

// groupOf returns the group of a client, which called the version in these days or not.
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
		*map[group]*int{groupOnly: &m.Only, groupBoth: &m.Both, groupQuiet: &m.Quiet, groupPinned: &m.Pinned,
			groupTold: &m.Told, groupMoved: &m.Moved, groupAccepted: &m.Accepted}[n.Group]++
	}
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

// nextBrownout returns the present brownout, or the next one.
func (r *report) nextBrownout(v *versionReport) (next *catalogue.Brownout) {
	for _, b := range v.Brownouts {
		if b.Until.After(r.Time) && (next == nil || b.From.Before(next.From)) {
			next = &b
		}
	}
	return next
}

// add adds when a later version served requests, and in which weeks it had any.
func (l *laterReport) add(first, last time.Time, weeks Weeks) {
	l.weeks.Add(weeks.served(first, last))
	widen(&l.first, &l.last, first, last)
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
