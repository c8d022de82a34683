package usage

import (
	"cmp"
	"strings"
)

// Count is what was counted of one combination of version, client, method, route, and
// whether the requests were rejected. [Table.Take] returns counts, and [Table.Add] adds
// them to another table. Encoded as JSON, a count is one line.
type Count struct {
	Kind Kind `json:"kind,omitempty"`

	Version  string `json:"version,omitempty"` // "": no listed version
	Client   string `json:"client,omitempty"`  // "": not known
	Method   string `json:"method,omitempty"`
	Route    string `json:"route,omitempty"`
	Rejected bool   `json:"rejected,omitempty"`

	// OtherClient means all clients beyond the bound, OtherRoute all routes of these.
	OtherClient bool `json:"other_client,omitempty"`
	OtherRoute  bool `json:"other_route,omitempty"`

	// Requests are all of them, including those of days that Days no longer has. 0: a
	// request whose number was taken before its time.
	Requests uint64     `json:"requests,omitempty"`
	Days     []DayCount `json:"days,omitempty"`

	// First and Last are the times of the first and the last request, in seconds since
	// 1970. 0: not known.
	First int64 `json:"first,omitempty"`
	Last  int64 `json:"last,omitempty"`

	// Weeks are those with a request, if Days no longer has them all.
	Weeks Weeks `json:"weeks,omitzero"`

	Exception *Exception `json:"exception,omitempty"` // only of KindException
}

// DayCount is the number of requests on a day.
type DayCount struct {
	Day      string `json:"day"` // in UTC: "2026-11-21"
	Requests uint64 `json:"requests"`
}

// Kind is what a [Count] counts.
type Kind string

// The kinds of counts.
const (
	// KindRequests counts the requests of a combination.
	KindRequests Kind = ""

	// KindDays has the requests of a version on days for which its combinations no
	// longer have any. Other counts have these requests in their Requests.
	KindDays Kind = "days"

	// KindCounting has no requests: a process was counting from First until Last.
	KindCounting Kind = "counting"

	// KindException has no requests, but an [Exception].
	KindException Kind = "exception"
)

// AddCount adds the weeks of a count, as far as its times and days have them.
func (w *Weeks) AddCount(n *Count) {
	w.Add(n.Weeks)
	for _, second := range []int64{n.First, n.Last} {
		if second > 0 {
			w.Add(Weeks{WeekOf(second), 1})
		}
	}
	for _, d := range n.Days {
		if day, ok := parseDay(d.Day); ok && d.Requests > 0 {
			w.Add(Weeks{int64(day) / 7, 1})
		}
	}
}

// ClientName is a client, or all clients beyond the bound.
type ClientName struct {
	Client string
	Other  bool
}

// Compare orders clients by their names, byte by byte: of two with the same name, the one beyond the bound is later.
func (c ClientName) Compare(other ClientName) int {
	return cmp.Or(strings.Compare(c.Client, other.Client), -compareBools(c.Other, other.Other))
}

// earlier returns the earlier of two seconds; 0 is not known.
func earlier(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
