package usage

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"time"
)

// Period says which days a version's clients are judged by.
func (m *moving) Period() string {
	if m.Full {
		return "7 full days"
	}
	return "since " + dayText(m.From)
}

// Of returns the clients of a group.
func (m *moving) Of(which group) (clients []movingClient) {
	for _, c := range m.Clients {
		if c.Group == which {
			clients = append(clients, c)
		}
	}
	return clients
}

// Upto returns how many clients are in the groups of the bar before one.
func (m *moving) Upto(which group) int {
	switch which {
	case groupBoth:
		return m.Moved + m.Told
	case groupQuiet:
		return m.Moved + m.Told + m.Both
	}
	return m.Moved + m.Told + m.Both + m.Quiet
}

// Done returns how many clients do not call the version any more.
func (m *moving) Done() int { return m.Moved + m.Told }

// Share returns the share of a number of clients, in percent.
func (m *moving) Share(n int) float64 {
	return 100 * float64(n) / float64(max(1, m.Moved+m.Told+m.Both+m.Only+m.Quiet))
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

func (c movingClient) Change() string { return change(c.Requests, c.Before) }

// Moved returns how much of the client's requests is already for later versions, in
// percent.
func (c movingClient) Moved() uint64 { return percent(c.Later, c.Later+c.Requests) }

func (c movingClient) Name() string { return nameOf(c.Client, c.Other) }

// Link returns the address of what the page says about the client, "" for clients
// that have no name.
func (c movingClient) Link() string {
	if c.Client == "" {
		return ""
	}
	return "?client=" + url.QueryEscape(c.Client)
}

// moversView is a table of clients that still call a version.
type moversView struct {
	Title, Sub, Version, Period string
	Brownout                    string // when the last one was, "" for none
	Shares                      bool   // whether they call later versions too
	Clients                     []movingClient
}

// Count returns how many clients there are, shown or not.
func (m moversView) Count() uint64 { return uint64(len(m.Clients)) }

// Write returns the clients that have not started to move, nil for none.
func (v versionView) Write() *moversView {
	clients := v.Moving.Of(groupOnly)
	title := "Write to these: " + plural(len(clients), "client that only calls ", "clients that only call ") + v.Name
	if v.Successor == "" {
		title = "Write to these: " + plural(len(clients), "client that calls ", "clients that call ") + v.Name
	}
	return v.movers(title, clients, false)
}

// Finish returns the clients that call both, nil for none.
func (v versionView) Finish() *moversView {
	clients := v.Moving.Of(groupBoth)
	return v.movers("Moving: "+plural(len(clients), "client that calls both", "clients that call both"), clients, true)
}

// Quiet returns the clients that may call the version again, nil for none: those first
// that are expected soonest.
func (v versionView) Quiet() *moversView {
	clients := v.Moving.Of(groupQuiet)
	slices.SortStableFunc(clients, func(a, b movingClient) int {
		return cmp.Or(compareBools(a.Every == "", b.Every == ""), a.Next.Compare(b.Next), b.LastSeen.Compare(a.LastSeen))
	})
	return v.movers("Quiet: "+plural(len(clients), "client that may call ", "clients that may call ")+v.Name+" again", clients, false)
}

// Since says what a quiet client called later.
func (c movingClient) Since() string {
	if c.LaterSeen.After(c.LastSeen) {
		return "a later version, last on " + date(c.LaterSeen)
	}
	return "nothing"
}

func (v versionView) movers(title string, clients []movingClient, shares bool) *moversView {
	if len(clients) == 0 {
		return nil
	}
	view := &moversView{Title: title, Sub: dayText(v.Moving.From) + "–" + dayText(v.Moving.To), Version: v.Name, Period: v.Moving.Period(), Shares: shares, Clients: clients}
	if b := v.Moving.Brownout; b != nil {
		view.Brownout = "on " + b.From.UTC().Format("2 Jan")
		if b.first != b.last {
			view.Brownout += " to " + b.Until.Add(-time.Second).UTC().Format("2 Jan")
		}
	}
	return view
}

func percent(part, all uint64) uint64 {
	return uint64(math.Round(100 * float64(part) / float64(max(1, all))))
}

// dayText returns a day as text: "21 Nov".
func dayText(day string) string {
	at, _ := time.Parse(time.DateOnly, day)
	return at.Format("2 Jan")
}
