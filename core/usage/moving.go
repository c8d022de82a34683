package usage

import (
	"cmp"
	"slices"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// moving says how far the clients of a version have moved to its successor or to a
// later version. Unless counting began later, it looks at the last 7 full days.
type moving struct {
	From string `json:"from"` // the first day
	To   string `json:"to"`   // the last day
	Full bool   `json:"full"` // 7 full days; otherwise the days since counting began, today included

	// How many clients with a name: those that moved did not call the version, not even
	// today, and called a later one; both called both; only called the old one; silent
	// called neither.
	Moved  int `json:"moved"`
	Both   int `json:"both"`
	Only   int `json:"only"`
	Silent int `json:"silent"`

	Requests uint64         `json:"requests"`
	Before   *uint64        `json:"requests_before,omitempty"` // in the week before; none if it was not counted
	Unnamed  uint64         `json:"requests_without_client,omitempty"`
	Brownout *brownoutDays  `json:"last_brownout,omitempty"` // in the last 30 days
	Clients  []movingClient `json:"clients"`                 // of each group, those with the most requests first
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
	groupMoved  group = "moved"
	groupSilent group = "silent"
)

var groups = []group{groupOnly, groupBoth, groupMoved, groupSilent}

type movingClient struct {
	Client   string    `json:"client"` // "": not known
	Other    bool      `json:"other,omitempty"`
	Group    group     `json:"group"`
	Requests uint64    `json:"requests"`
	Before   *uint64   `json:"requests_before,omitempty"`
	Later    uint64    `json:"requests_for_later_versions"`            // that were served
	Brownout *uint64   `json:"rejected_on_days_of_brownout,omitempty"` // of the last brownout
	LastSeen time.Time `json:"last_seen"`
	Route    string    `json:"route"` // the one that it used most in the last 30 days
}

const fullWeek = 7 // days

// moving compares the clients of a version with those of later versions, nil for a
// version that is not deprecated and has no sunset.
func (r *report) moving(v *versionReport) *moving {
	if v.Deprecated.IsZero() && v.Sunset.IsZero() {
		return nil
	}
	today := startOf(r.Time)
	from, to := fullWeek, 1 // days ago
	m := &moving{Full: !r.Since.After(today.AddDate(0, 0, -fullWeek))}
	if !m.Full {
		from, to = int(today.Sub(startOf(r.Since)).Hours()/24), 0
	}
	compared := m.Full && !r.Since.After(today.AddDate(0, 0, -2*fullWeek))
	m.From, m.To = today.AddDate(0, 0, -from).Format(time.DateOnly), today.AddDate(0, 0, -to).Format(time.DateOnly)
	m.Brownout = r.lastBrownout(v)
	later := r.laterThan(v)
	if compared {
		m.Before = new(uint64)
	}
	for i := range v.Clients {
		c := &v.Clients[i]
		n := movingClient{Client: c.Client, Other: c.Other, LastSeen: c.LastSeen, Requests: c.in(from, to)}
		if compared {
			n.Before = new(c.in(2*fullWeek, fullWeek+1))
			*m.Before += *n.Before
		}
		for _, later := range later {
			if at, ok := later.at[clientKey{c.Client, c.Other}]; ok {
				n.Later += sumOf(later.Clients[at].served[:], from, 0)
			}
		}
		if b := m.Brownout; b != nil {
			n.Brownout = new(sumOf(c.rejected[:], b.first, b.last))
		}
		if c.Recent > 0 {
			n.Route = c.Route()
		}
		m.add(n, c.in(from, 0) > 0)
	}
	slices.SortStableFunc(m.Clients, func(a, b movingClient) int {
		return cmp.Or(cmp.Compare(slices.Index(groups, a.Group), slices.Index(groups, b.Group)), cmp.Compare(b.Requests, a.Requests), b.LastSeen.Compare(a.LastSeen))
	})
	return m
}

// add adds a client, which has called the version or not.
func (m *moving) add(n movingClient, called bool) {
	count := &m.Silent
	switch {
	case called && n.Later > 0:
		n.Group, count = groupBoth, &m.Both
	case called:
		n.Group, count = groupOnly, &m.Only
	case n.Later > 0:
		n.Group, count = groupMoved, &m.Moved
	default:
		n.Group = groupSilent
	}
	m.Requests += n.Requests
	if n.Client == "" && !n.Other {
		m.Unnamed = n.Requests
	}
	if n.Client != "" {
		*count++
	}
	m.Clients = append(m.Clients, n)
}

// laterThan returns the versions to which clients of a version may move: its successor
// and those after it.
func (r *report) laterThan(v *versionReport) (later []*versionReport) {
	successor := slices.IndexFunc(r.Versions, func(other versionReport) bool { return v.Successor != "" && other.Version == v.Successor })
	if successor < 0 {
		return nil
	}
	for i := range r.Versions {
		if other := &r.Versions[i]; other.Version != "" && other.index >= r.Versions[successor].index {
			later = append(later, other)
		}
	}
	return later
}

// lastBrownout returns the last brownout that has begun, nil if its days are no longer
// known.
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

// nextBrownout returns the brownout that is under way, or the next one.
func (r *report) nextBrownout(v *versionReport) (next *catalogue.Brownout) {
	for _, b := range v.Brownouts {
		if b.Until.After(r.Time) && (next == nil || b.From.Before(next.From)) {
			next = &b
		}
	}
	return next
}

// in returns the requests in a range of days, each given in days ago.
func (c *clientReport) in(from, to int) uint64 {
	return sumOf(c.served[:], from, to) + sumOf(c.rejected[:], from, to)
}

func sumOf(days []uint64, from, to int) (sum uint64) {
	for _, n := range days[to : from+1] {
		sum += n
	}
	return sum
}

func daysBetween(from, to time.Time) int { return int(startOf(to).Sub(startOf(from)).Hours() / 24) }
