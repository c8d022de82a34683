package usage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// exceptions are the clients and requests that a person has accepted.
type exceptions struct {
	names   []string
	unknown uint64 // requests of clients without a name, in 30 days
	quiet   int    // days without a request, after which a quiet client does not count
}

var noExceptions = exceptions{quiet: KeepDays}

// exceptionsOf reads the query of the page.
func exceptionsOf(query map[string][]string) (e exceptions, err error) {
	e = noExceptions
	e.names = query["except"]
	if text := query["unknown"]; text != nil {
		if e.unknown, err = strconv.ParseUint(text[0], 10, 64); err != nil {
			return e, fmt.Errorf("unknown=%q is not a number: write how many requests of clients without a name are accepted in %d days", text[0], RecentDays)
		}
	}
	if text := query["quiet"]; text != nil {
		if e.quiet, err = strconv.Atoi(text[0]); err != nil || e.quiet < RecentDays || e.quiet > KeepDays {
			return e, fmt.Errorf("quiet=%q is not from %d to %d: write after how many days a quiet client does not count", text[0], RecentDays, KeepDays)
		}
	}
	return e, nil
}

// readinessOf returns whether a version may end, whose clients were judged.
func readinessOf(r *report, v *versionReport, e exceptions) (*readiness, error) {
	g := newGate(r, v, e)
	if err := g.readCalled(); err != nil {
		return nil, err
	}
	g.take()
	return g.end(), nil
}

// gate finds whether a version may end: no client has called it in 30 days or may
// come back, these days were counted without a gap, and no process is missing that may
// have counted more. The handlers of an ended version for which the next one answers are not
// reached, nor by clients that get 410: whether clients call it makes no difference, but what is pinned to it
// does, since nothing can be sent in a version outside the catalogue.
type gate struct {
	*readiness
	exceptions
	r        *report
	v        *versionReport
	forward  bool // the next version answers for it
	gone     bool // its clients have got 410 for 30 days
	used     map[string]bool
	called   map[string][]string // routes of clients that have moved none, if except= names one
	pinned   few
	calling  few
	quiet    few
	full     int           // quiet clients with routes beyond the bound
	nameless bool          // requests that belong to no client
	others   []readyClient // that are not pinned
	last     time.Time     // when one of them called, in these days
}

func newGate(r *report, v *versionReport, e exceptions) *gate {
	g := &gate{readiness: new(readiness), exceptions: e, r: r, v: v, forward: v.fallsForward(), used: map[string]bool{}}
	// For 30 days, the end may be taken back: then its code is wanted again.
	g.gone = v.State == catalogue.Ended.String() && v.after == catalogue.Gone && r.Time.Sub(v.Sunset) > silence
	return g
}

// take adds the clients of the version that were judged: all of them, or some.
func (g *gate) take() {
	v, now := g.v, g.r.Time
	for i := range v.judged {
		c := &v.judged[i]
		for _, e := range c.idle {
			if e.Time.After(now.Add(-silence)) && len(g.NotFound) < clientsOnPage {
				g.NotFound = append(g.NotFound, c.Client+" "+e.Route)
			}
		}
		recent, served := v.client(c).Recent, v.client(c).lastServed
		isPinned := c.Group == groupPinned || g.forward && c.receives()
		called := recent > 0 || !c.LastSeen.Before(now.Add(-silence))
		if len(c.Exceptions) > 0 && (c.Group == groupMoved || c.Group == groupAccepted) && !g.forward && (c.whole || !called) {
			g.list(&g.Excepted, readyClient{Client: c.Client, Recent: recent, LastSeen: c.LastSeen,
				Exceptions: c.Exceptions, Why: "exception"})
			continue
		}
		// Without a successor, only clients with an expected call may come back: no client
		// can show that it has moved.
		if !isPinned && (g.forward || !called && (c.Client == "" && !c.Other || c.Group != groupQuiet ||
			v.Successor == "" && !c.due(now))) {
			continue
		}
		if !isPinned && g.gone && !c.LastSeen.Before(v.Sunset) && served.Before(v.Sunset) {
			g.Note = "Clients that called it since the end got 410: its own code does not answer them"
			continue
		}
		n := readyClient{Client: c.Client, Other: c.Other, Recent: recent, LastSeen: c.LastSeen, Every: c.Every,
			Next: c.Next, Left: c.Left, Exceptions: c.Exceptions, pinned: c.pinned, of: c}
		beyond := c.part && (v.client(c).beyond && !c.Left[0].Replaced ||
			slices.ContainsFunc(c.Left, func(l routeLeft) bool { return l.key == 0 }))
		g.add(n, isPinned, called, beyond)
	}
}

// list adds a client to a list, unless it has enough.
func (g *gate) list(to *[]readyClient, n readyClient) {
	if len(*to) >= clientsOnPage {
		g.More++
		return
	}
	n.MoreLeft = max(0, len(n.Left)-maxLeftEach)
	n.Left = n.Left[:len(n.Left)-n.MoreLeft]
	*to = append(*to, n)
}

// end returns whether the version may end.
func (g *gate) end() *readiness {
	out := g.readiness
	if !g.forward && g.v.moves() {
		out.Unseen = unseen(daysBetween(g.r.Since, g.r.Time))
	}
	say := func(format string, args ...any) { out.Reasons = append(out.Reasons, fmt.Sprintf(format, args...)) }
	if why := g.v.unread(); why != "" {
		say("%s", strings.ToLower(why[:1])+why[1:])
	}
	all := slices.Concat(out.Clients, g.others) // pinned ones first
	out.Clients = all[:min(len(all), clientsOnPage)]
	out.More += len(all) - len(out.Clients)
	if out.Questions != nil {
		out.AskBy = askBy(g.r, g.last)
	}
	for _, name := range g.names {
		if !g.used[name] {
			out.NotFound = append(out.NotFound, name)
		}
	}
	if g.r.unobserved {
		say("no request is counted: give the configuration to NewTable, to usagesql.New or to Attach before verso.New, which copies it")
	}
	if n := g.pinned.n; n > 0 {
		say("%s it pinned: %s", plural(n, "client has", "clients have"), g.pinned)
	}
	if g.forward {
		if out.Ready = out.Reasons == nil; out.Ready {
			out.Note = "The next version answers requests for " + printable(g.v.Version) +
				": its own code is only reached by requests that ExemptFromSunset lets through"
		}
		return out
	}
	g.callers(say)
	uncounted(g.r, say)
	if out.Ready = out.Reasons == nil; out.Ready && out.Note == "" && !g.r.isCalled() {
		out.Note = fmt.Sprintf("No request of any version was counted in the last %d days: if there were some, give the configuration to "+
			"NewTable, to usagesql.New or to Attach before verso.New, which copies it", RecentDays)
	}
	return out
}

func (g *gate) accepted(name string) bool {
	is := slices.Contains(g.names, name)
	if is {
		g.used[name] = true
	}
	return is
}

// acceptedLeft reports whether all routes are accepted that are left of a quiet client, and those that it needs by an
// answer.
func (g *gate) acceptedLeft(c *movingClient) bool {
	routes := slices.Clone(g.called[c.Client])
	if c.part {
		for _, l := range c.Left {
			routes = append(routes, l.Route)
		}
	}
	if len(routes) == 0 { // they were not read
		return false
	}
	for _, e := range c.Exceptions {
		if e.Kind == StillNeeds && e.Route != "" {
			routes = append(routes, e.Route)
		}
	}
	isMissing := slices.ContainsFunc(routes, func(route string) bool { return !g.isNamed(c, route) })
	if isMissing && !c.part {
		return false
	}
	for _, route := range routes { // of those that are left, each is out of the list
		g.used[route], g.used[c.Client+" "+route] = true, true
	}
	return !isMissing
}

// readCalled reads the routes of the quiet clients that have moved none, if a route of theirs is accepted.
func (g *gate) readCalled() error {
	if g.names == nil {
		return nil
	}
	named, isRoute := map[string]bool{}, false // what may be the client of a name, and if one may be a route
	for _, name := range g.names {
		for i := range min(len(name), verso.MaxClientBytes+1) {
			if name[i] == ' ' {
				named[name[:i]] = true
				isRoute = isRoute || name[:i] == strings.ToUpper(name[:i])
			}
		}
	}
	var clients []*movingClient
	for i := range g.v.judged {
		c := &g.v.judged[i]
		if c.Client != "" && c.counted == groupQuiet && !c.part && (isRoute || named[c.Client]) {
			clients = append(clients, c)
		}
	}
	g.called = map[string][]string{}
	return withRoutes(g.r, g.v, clients, func(c *movingClient, n *clientReport) error {
		var routes []string
		for _, route := range n.Routes {
			route.Method = asGet(route.Method)
			routes = append(routes, route.Sent())
		}
		// Few of 100,000 clients have such a route: all routes would take much memory.
		if slices.ContainsFunc(routes, func(route string) bool { return g.isNamed(c, route) }) {
			g.called[c.Client] = routes
		}
		return nil
	})
}

// isNamed reports whether a route of a client is accepted, for it or for all.
func (g *gate) isNamed(c *movingClient, route string) bool {
	return slices.Contains(g.names, route) || slices.Contains(g.names, c.Client+" "+route)
}

// add adds a client as a reason or as an exception.
func (g *gate) add(n readyClient, isPinned, called, beyond bool) {
	c, to := n.of, &g.Excepted
	switch {
	case c.Client != "" && g.accepted(c.Client), g.names != nil && !isPinned && !called && g.acceptedLeft(c):
		n.Why = "except"
	case isPinned:
		n.Why, to = "pinned", &g.Clients
		g.pinned.add(func() string { return c.Name() + " (" + c.Shown() + ")" })
	case c.Client == "" && !c.Other && max(n.Recent, 1) <= g.unknown: // recent has whole days: it may be 0
		n.Why = "unknown=" + strconv.FormatUint(g.unknown, 10)
	case !called && daysBetween(n.LastSeen, g.r.Time) > g.exceptions.quiet:
		n.Why = "quiet=" + strconv.Itoa(g.exceptions.quiet)
	case called:
		g.last = later(g.last, c.LastSeen)
		n.Why, to = "called", &g.others
		if c.Client == "" && !c.Other {
			g.nameless = true
		} else {
			g.calling.add(c.Name)
		}
	default:
		n.Why, to = "quiet", &g.others
		g.quiet.add(func() string { return n.quietText(c.part) })
		g.ask(c)
		if beyond {
			g.full++
		}
	}
	g.list(to, n)
}

// ask adds the question to a quiet client, if it is time.
func (g *gate) ask(c *movingClient) {
	if c.Client == "" || !c.asks(g.r.Time) {
		return
	}
	g.asked.add(func() string { return nameOf(c.Client, false) })
	if len(g.Questions) >= clientsOnPage {
		return
	}
	q := question{Client: c.Client, LastSeen: c.LastSeen, Unknown: c.unknown()}
	if c.part {
		for _, l := range c.Left[:min(len(c.Left), maxLeftAsked)] {
			q.Routes = append(q.Routes, l.Route)
		}
		q.MoreRoutes = len(c.Left) - len(q.Routes)
	}
	g.Questions = append(g.Questions, q)
}

// askBy returns when 30 days without a call and with counting are over: no answer is needed before.
func askBy(r *report, last time.Time) time.Time {
	if last.Before(r.Since) {
		last = r.Since
	}
	if by := last.Add(silence); by.After(r.Time) {
		return by
	}
	return time.Time{}
}

// callers names who calls the version, or may do so.
func (g *gate) callers(say func(format string, args ...any)) {
	if n := g.calling.n; n > 0 {
		say("%s called it in the last %d days: %s", plural(n, "client has", "clients have"), RecentDays, g.calling)
	}
	if g.nameless {
		say("requests without a name called it in the last %d days", RecentDays)
	}
	if n := g.quiet.n; n > 0 {
		say("%s not moved, and may call it again: %s", plural(n, "quiet client has", "quiet clients have"), g.quiet)
	}
	if g.full > 0 {
		say("%s more routes than there was room for, so it is not known which have moved: see usage.Bounds",
			plural(g.full, "client called", "clients called"))
	}
}

// isCalled reports whether a request of any version was counted in the last 30 days.
func (r *report) isCalled() bool {
	for i := range r.Versions {
		for _, day := range r.Versions[i].daily[:RecentDays] {
			if day.Requests > 0 {
				return true
			}
		}
	}
	return false
}

// uncounted names the times of requests that may not have been counted, in each region.
func uncounted(r *report, say func(format string, args ...any)) {
	for i := range r.counted {
		c := &r.counted[i]
		in, of, begin := "", "", r.Time.Add(-silence)
		if c.region != "" {
			in, of = "in region "+printable(c.region)+", ", " of region "+printable(c.region)
		}
		if c.since.After(begin) {
			say("%srequests are counted since %s only: %d days are over on %s", in, minute(c.since), RecentDays,
				minute(c.since.Add(silence)))
			begin = c.since
		}
		c.gaps(begin, r.Time, func(from, until time.Time) {
			say("no process%s counted from %s until %s", of, minute(from), minute(until))
		})
	}
	for _, p := range r.Processes {
		if !p.Ended && p.Silent > lateAfter && p.Silent <= forgiven {
			say("process %s last reported on %s: it may have been killed with uncounted requests; this is forgotten a day later", printable(p.Name), minute(r.Time.Add(-p.Silent)))
		}
	}
}

// reporting is how many processes of a region report, and how many are silent.
type reporting struct {
	Region          string
	Running, Silent int
}

// Reporting returns how many processes of each region report.
func (r *report) Reporting() []reporting {
	all := make([]reporting, len(r.counted))
	for i := range r.counted {
		of := &all[i]
		of.Region = r.counted[i].region
		for _, p := range r.Processes {
			switch {
			case p.region != of.Region || p.Ended:
			case p.Silent > lateAfter:
				of.Silent++
			default:
				of.Running++
			}
		}
	}
	return all
}

// Running returns how many processes report.
func (r *report) Running() (n int) {
	for _, of := range r.Reporting() {
		n += of.Running
	}
	return n
}
