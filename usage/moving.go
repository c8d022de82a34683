package usage

import (
	"cmp"
	"time"
)

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
	Clients  []*movingClient `json:"-"`                       // of each group, those with the most requests first
}

// join adds other clients of the same version.
func (m *moving) join(other *moving) {
	sum := *other
	sum.Clients = nil
	sum.Moved += m.Moved
	sum.Both += m.Both
	sum.Only += m.Only
	sum.Quiet += m.Quiet
	sum.Told += m.Told
	sum.Pinned += m.Pinned
	sum.Accepted += m.Accepted
	sum.Requests += m.Requests
	sum.Unnamed += m.Unnamed
	sum.New += m.New
	sum.Others = sum.Others || m.Others
	if m.Before != nil {
		*sum.Before += *m.Before
	}
	*m = sum
}

type brownoutDays struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`

	first, last int // days ago
}

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
	idle    []Exception // of routes that it did not call
	counted group       // what it did, without its pins; "": it was never counted

	first time.Time // request
	needs time.Time // until when it needs the version, by its answer
	since int64     // as in ClientTotal
	apart bool      // of these weeks, the first and the last are not neighbours
	once  bool      // it called the version in one visit, when a later one had served it before
	pause bool      // it was silent for as long before, and called again
	part  bool      // only the routes that are left matter: the rest is moved, or excepted
	rest  bool      // it has moved the rest
	whole bool      // it is excepted with all routes
}

// due reports whether a rare caller may still be on time.
func (c *movingClient) due(now time.Time) bool { return due(c.Every, c.LastSeen, c.Next, now) }

// Expected returns when the next request is expected, "" if the time is unknown.
func (c *movingClient) Expected() string {
	if c.Every == "" {
		return ""
	}
	return "about " + date(c.Next)
}

// unknown returns what no count shows of a quiet client, "" if it has an interval: it is expected then.
func (c *movingClient) unknown() string {
	switch {
	case c.Every != "":
		return ""
	case c.part && c.Left[0].once:
		return c.Left[0].Route + " was called in one week only: by hand, or by a job that runs once a year. The counts are the same: ask"
	case c.part:
		return "No count shows whether " + c.Left[0].Route + " will be called again: ask"
	}
	return "No count shows whether it will call again: ask"
}

// routeLeft is a route that a client may call again, although it calls later versions.
type routeLeft struct {
	Route    string    `json:"route"`
	LastSeen time.Time `json:"last_seen"` // the day
	Every    string    `json:"every,omitempty"`
	Next     time.Time `json:"next_expected,omitzero"`
	Replaced bool      `json:"replaced,omitempty"` // a later version has served it since, but a request is due

	key       uint64
	once      bool // it was called in one week only
	successor string
}

// When returns when the route was called, and is expected.
func (l *routeLeft) When() string {
	text := "last called on " + date(l.LastSeen)
	if l.once {
		text = "called in one week only, last on " + date(l.LastSeen)
	}
	if l.Every != "" {
		text += ", " + l.Every + ", next expected about " + date(l.Next)
	}
	if !l.Replaced {
		text += ", not in " + printable(l.successor) + " since"
	}
	return text
}

// Short returns the same in a few words, for the reasons of the gate.
func (l *routeLeft) Short() string {
	if l.Replaced {
		return "expected about " + date(l.Next)
	}
	return "not in " + printable(l.successor) + " since " + date(l.LastSeen)
}

// leftText returns the first of the routes that are left, and how many more there are.
func leftText(left []routeLeft) string {
	text := left[0].Route + ": " + left[0].When()
	if more := len(left) - 1; more > 0 {
		text += ", and " + plural(more, "more route", "more routes")
	}
	return text
}

// Of returns the clients of a group.
func (m *moving) Of(which group) (clients []*movingClient) {
	for _, c := range m.Clients {
		if c.Group == which {
			clients = append(clients, c)
		}
	}
	return clients
}

// Period returns the days by which a version's clients are judged.
func (m *moving) Period() string {
	if m.Full {
		return "7 full days"
	}
	return "since " + dayText(m.From)
}

// Done returns how many clients do not call the version any more.
func (m *moving) Done() int { return m.Moved + m.Told }

// Named returns the requests of clients with a name.
func (m *moving) Named() uint64 { return m.Requests - m.Unnamed }

func (c *movingClient) Name() string { return nameOf(c.Client, c.Other) }

// receives reports whether something is pinned besides an account.
func (c *movingClient) receives() bool { return c.pinned != nil && c.pinned.receives }

// compareQuiet orders quiet clients, those with the latest request first: those that are expected
// soonest come before them.
func compareQuiet(a, b *movingClient) int {
	return cmp.Or(compareBools(a.Every == "", b.Every == ""), a.Next.Compare(b.Next))
}

// asks reports whether a mail asks the client if it still needs the version.
func (c *movingClient) asks(now time.Time) bool {
	return c.Group == groupQuiet && !now.Before(c.askAt())
}

// askAt returns when a quiet client is asked.
func (c *movingClient) askAt() time.Time {
	const month = 35 * 24 * time.Hour
	if c.Every != "" && c.Next.Sub(c.LastSeen) > month {
		return later(c.needs, c.LastSeen.AddDate(0, 0, askRarelyAfter))
	}
	return later(c.needs, c.LastSeen.AddDate(0, 0, askAfter))
}

// Days without a request after which a quiet client is asked whether it still needs the version: a monthly job is
// overdue then.
const (
	askAfter       = 45
	askRarelyAfter = 60 // if it calls more rarely
)
