package usage

import (
	"context"
	"iter"
	"slices"
)

// Reader reads what was counted until one moment, in parts: a store
// returns one from [Page.Open], and the page asks for no more than it shows. A client is
// judged by one row for each version, not by its routes. Totals is called first.
type Reader interface {
	// Totals returns what needs no clients: in Snapshot, the counts by day of each version
	// (of KindDays: all of them), the times of counting, and the exceptions. Recent is a second since 1970. What had its
	// last request before [KeptFrom] of it is left out, here and by the other methods.
	Totals(ctx context.Context, recent int64) (Totals, error)

	// Clients yields the clients of a version that are wanted, in the order of [ClientName.Compare] unless any will do, or
	// an error as the last. It may use the value again.
	Clients(ctx context.Context, version string, wanted Wanted) iter.Seq2[*ClientTotal, error]

	// Routes returns the counts of some clients, of one version, with routes.
	Routes(ctx context.Context, version string, clients []ClientName) ([]Count, error)

	// RoutesOf returns the counts of a version for each route, of all clients together.
	RoutesOf(ctx context.Context, version string) ([]Count, error)

	Close()
}

// Wanted are the clients that a page asks for.
type Wanted struct {
	Names     []string // in order, byte by byte; nil: all of them
	From      string   // and not those before it
	Until     string   // nor this one and those after it; "": there is no such end
	Limit     int      // the first of these; 0: all of them
	AnyOrder  bool     // to sort many rows takes long
	NamesOnly bool     // a reader may leave out all but the name and the last request
	Served    bool     // a reader may leave out what was counted but for when requests were served, and the last days
	DaysSince int64    // a reader may leave out the days of those whose last request is before this second

	// Forgotten clients are wanted too, with a last request in the [KeepWeeks] before [KeptFrom]: their weeks matter if
	// another region has not forgotten them.
	Forgotten bool

	// RoutesBefore is likewise for the routes of those whose last request is at this second or later.
	RoutesBefore int64
}

// Has reports whether a client is wanted, but for the limit.
func (w *Wanted) Has(client string) bool {
	if client < w.From || w.Until != "" && client >= w.Until {
		return false
	}
	_, found := slices.BinarySearch(w.Names, client)
	return found || w.Names == nil
}

// Totals are sums over all clients.
type Totals struct {
	Snapshot
	Versions []VersionTotal

	regions []regionTotals // of [Regions], whose Counts have no KindCounting
}

// VersionTotal is the sum over all clients and routes of a version.
type VersionTotal struct {
	Version            string
	Requests, Rejected uint64
	First, Last        int64
}

// ClientTotal is the sum over all routes of a client of a version.
type ClientTotal struct {
	ClientName
	Requests, Rejected uint64
	First, Last        int64
	LastServed         int64
	Days, RejectedDays []DayCount // the latter are among the former; several of a day count together
	Weeks              Weeks
	Served             Weeks // those with a served request
	// Since is the second from which on the end of the version would break the client; negative: from which on it would
	// not. 0: not known.
	Since  int64
	Routes string // of [RouteUses]
}

// Add adds up two totals of a client, but for Since and Routes. The sums and the first request leave out what was
// [Forgotten] before the later of them began.
func (c *ClientTotal) Add(n *ClientTotal) {
	switch {
	case Forgotten(c.Last, n.First):
		c.Requests, c.Rejected, c.First = n.Requests, n.Rejected, n.First
	case !Forgotten(n.Last, c.First):
		c.Requests += n.Requests
		c.Rejected += n.Rejected
		c.First = earlier(c.First, n.First)
	}
	c.Last, c.LastServed = max(c.Last, n.Last), max(c.LastServed, n.LastServed)
	c.Weeks.Add(n.Weeks)
	c.Served.Add(n.Served)
	c.Days, c.RejectedDays = append(c.Days, n.Days...), append(c.RejectedDays, n.RejectedDays...)
}

// AddCount adds a count of [KindRequests], and returns its weeks.
func (c *ClientTotal) AddCount(n *Count) (weeks Weeks) {
	weeks.AddCount(n)
	of := ClientTotal{Weeks: weeks, Requests: n.Requests, First: n.First, Last: n.Last, Days: n.Days}
	if n.Rejected {
		of.Rejected, of.RejectedDays = n.Requests, n.Days
	} else {
		of.Served, of.LastServed = weeks, n.Last
	}
	c.Add(&of)
	return weeks
}

// firstOf returns the second of the first request, or 0.
func firstOf(versions []VersionTotal) (first int64) {
	for i := range versions {
		first = earlier(first, versions[i].First)
	}
	return first
}
