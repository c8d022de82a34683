package usage

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// Segments returns the groups of the bar.
func (m *moving) Segments() (segments []markView) {
	x := 0.0
	for _, s := range []struct {
		class, letter string
		n             int
	}{{"good", "M", m.Done()}, {"middling", "B", m.Both}, {"waiting", "Q", m.Quiet}, {"pinned", "P", m.Pinned},
		{"bad", "O", m.Only}} {
		share := 100 * float64(s.n) / float64(max(1, m.Done()+m.Both+m.Quiet+m.Pinned+m.Only))
		text := s.letter
		if share >= 12 {
			text += " " + number(uint64(s.n))
		}
		segments = append(segments, markView{X: x, Width: share, Class: s.class, Text: text})
		x += share
	}
	return segments
}

// Change compares the requests with those of the week before, "" if there were none.
func (m *moving) Change() string { return change(m.Requests, m.Before) }

// Part returns the requests of a group.
func (m *moving) Part(which group) (requests uint64) {
	for _, c := range m.Of(which) {
		requests += c.Requests
	}
	return requests
}

// Percent returns the part of a group in the requests.
func (m *moving) Percent(which group) uint64 { return percent(m.Part(which), m.Requests) }

func (c *movingClient) Change() string { return change(c.Requests, c.Before) }

// Moved returns how much of the client's requests is already for later versions, in
// percent.
func (c *movingClient) Moved() uint64 { return percent(c.Later, c.Later+c.Requests) }

// Link returns the address of the page of the client, "" for clients without a name.
func (c *movingClient) Link() string {
	if c.Client == "" {
		return ""
	}
	return "?client=" + url.QueryEscape(c.Client)
}

// moversView is a table of clients of a version that did the same.
type moversView struct {
	Name, Sub, Period string
	Brownout          string // when the last one was, or ""
	Shares            bool   // whether they call later versions too
	Clients           []*movingClient
	All               string // the address of the whole list

	report *report
}

// Contacts reports whether the page has contacts.
func (m *moversView) Contacts() bool { return m.report.contact != nil }

// Contact returns whom to write to about a client, or nil.
func (m *moversView) Contact(client string) *contact { return m.report.contactOf(client) }

// Those returns how many clients did this, without the requests that have no name.
func (m *moversView) Those(one, more string) string {
	n := len(m.Clients)
	if slices.ContainsFunc(m.Clients, func(c *movingClient) bool { return c.Client == "" && !c.Other }) {
		n--
	}
	if n == 0 {
		return "no known " + one
	}
	return plural(n, one, more)
}

// Count returns how many clients there are, shown or not.
func (m *moversView) Count() uint64 { return uint64(len(m.Clients)) }

// Movers returns the clients of a group, or nil if there are none: quiet ones that are
// expected soonest first.
func (v versionView) Movers(of group) *moversView {
	clients := v.Moving.Of(of)
	if len(clients) == 0 {
		return nil
	}
	if of == groupQuiet {
		slices.SortStableFunc(clients, compareQuiet)
	}
	view := &moversView{
		Name: v.Name, Sub: dayText(v.Moving.From) + "–" + dayText(v.Moving.To), Period: v.Moving.Period(),
		Shares: of == groupBoth, Clients: clients, All: listLink(v.Version, of, ""), report: v.report,
	}
	if b := v.Moving.Brownout; b != nil {
		view.Brownout = "on " + b.From.UTC().Format("2 Jan")
		if b.first != b.last {
			view.Brownout += " to " + b.Until.Add(-time.Second).UTC().Format("2 Jan")
		}
	}
	return view
}

// Since returns what later versions served to a client since its last request: the evidence that
// it has moved, or has not.
func (c *movingClient) Since() string {
	var texts []string
	for _, e := range c.Exceptions {
		texts = append(texts, exceptionText(e))
	}
	accepted := strings.Join(texts, "; ")
	switch {
	case c.part:
		return strings.Join(append(texts, leftText(c.Left)), "; ")
	case accepted != "":
		return accepted
	case !c.LaterSeen.After(c.LastSeen):
		return "nothing"
	case c.LaterWeeks == 0:
		return "a later version in the same week, last on " + date(c.LaterSeen)
	case c.LaterWeeks > 1 && !c.apart:
		return "2 neighbouring weeks with a later version, last on " + date(c.LaterSeen)
	}
	return plural(c.LaterWeeks, "week", "weeks") + " with a later version, last on " + date(c.LaterSeen)
}

// Back returns since when the end would break the client again, which it would, or "".
func (c *movingClient) Back() string {
	if at := timeOf(max(0, c.since)); !c.first.IsZero() && at.After(c.first.Add(24*time.Hour)) {
		return "back since " + date(at)
	}
	return ""
}
