package usage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

// readinessOf returns whether a version may end: no client has called it in 30 days or may
// come back, these days were counted without a gap, and no process is missing that may
// have counted more. The handlers of an ended version for which the next one answers are not
// reached, nor by clients that get 410: whether clients call it makes no difference, but what is pinned to it
// does, since nothing can be sent in a version outside the catalogue.
func readinessOf(r *report, v *versionReport, e exceptions) *readiness {
	out, forward := new(readiness), v.fallsForward()
	// For 30 days, the end may be taken back: then its code is wanted again.
	gone := v.State == catalogue.Ended.String() && v.after == catalogue.Gone && r.Time.Sub(v.Sunset) > silence
	if !forward && v.moves() {
		out.Unseen = unseen(daysBetween(r.Since, r.Time))
	}
	say := func(format string, args ...any) { out.Reasons = append(out.Reasons, fmt.Sprintf(format, args...)) }
	if why := v.unread(); why != "" {
		say("%s", strings.ToLower(why[:1])+why[1:])
	}
	g := gate{readiness: out, exceptions: e, used: map[string]bool{}}
	for i := range v.judged {
		c := &v.judged[i]
		recent, served := v.client(c).Recent, v.client(c).lastServed
		isPinned := c.Group == groupPinned || forward && c.receives()
		called := recent > 0 || !c.LastSeen.Before(r.Time.Add(-silence))
		if len(c.Exceptions) > 0 && (c.Group == groupMoved || c.Group == groupAccepted) && !forward && (c.whole || !called) {
			out.Excepted = append(out.Excepted, readyClient{Client: c.Client, Recent: recent, LastSeen: c.LastSeen,
				Exceptions: c.Exceptions, Why: "exception"})
			continue
		}
		// Without a successor, only clients with an expected call may come back: no client
		// can show that it has moved.
		if !isPinned && (forward || !called && (c.Client == "" && !c.Other || c.Group != groupQuiet ||
			v.Successor == "" && !c.due(r.Time))) {
			continue
		}
		if !isPinned && gone && !c.LastSeen.Before(v.Sunset) && served.Before(v.Sunset) {
			out.Note = "Clients that called it since the end got 410: its own code does not answer them"
			continue
		}
		n := readyClient{Client: c.Client, Other: c.Other, Recent: recent, LastSeen: c.LastSeen, Every: c.Every,
			Next: c.Next, Left: c.Left, Exceptions: c.Exceptions, pinned: c.pinned, of: c}
		beyond := c.part && (v.client(c).beyond && !c.Left[0].Replaced ||
			slices.ContainsFunc(c.Left, func(l routeLeft) bool { return l.key == 0 }))
		g.add(n, isPinned, called, beyond, r.Time)
	}
	if out.Clients = append(out.Clients, g.others...); out.Questions != nil {
		out.AskBy = askBy(r, g.last)
	}
	for _, name := range e.names {
		if !g.used[name] {
			out.NotFound = append(out.NotFound, name)
		}
	}
	if r.unobserved {
		say("no request is counted: give the configuration to NewTable, to usagesql.New or to Attach before verso.New, which copies it")
	}
	if n := len(g.pinned); n > 0 {
		say("%s it pinned: %s", plural(n, "client has", "clients have"), some(g.pinned))
	}
	if forward {
		if out.Ready = out.Reasons == nil; out.Ready {
			out.Note = "The next version answers requests for " + printable(v.Version) +
				": its own code is only reached by requests that ExemptFromSunset lets through"
		}
		return out
	}
	g.callers(say)
	uncounted(r, say)
	out.Ready = out.Reasons == nil
	return out
}

// gate is an answer in the making.
type gate struct {
	*readiness
	exceptions
	used                   map[string]bool // of the names that are accepted
	pinned, calling, quiet []string        // clients
	full                   int             // quiet clients with routes beyond the bound
	nameless               bool            // requests that belong to no client
	others                 []readyClient   // that are not pinned
	last                   time.Time       // when one of them called, in these days
}

func (g *gate) accepted(name string) bool {
	is := slices.Contains(g.names, name)
	if is {
		g.used[name] = true
	}
	return is
}

// add adds a client as a reason or as an exception.
func (g *gate) add(n readyClient, isPinned, called, beyond bool, now time.Time) {
	c, list := n.of, &g.Excepted
	switch {
	case c.Client != "" && g.accepted(c.Client), g.names != nil && !isPinned && !called && c.part && !slices.ContainsFunc(c.Left,
		func(l routeLeft) bool { return !g.accepted(l.Route) && !g.accepted(c.Client+" "+l.Route) }):
		n.Why = "except"
	case isPinned:
		n.Why, list = "pinned", &g.Clients
		text := ""
		if len(g.pinned) < 3 { // which are shown
			text = c.Name() + " (" + c.Shown() + ")"
		}
		g.pinned = append(g.pinned, text)
	case c.Client == "" && !c.Other && max(n.Recent, 1) <= g.unknown: // recent has whole days: it may be 0
		n.Why = "unknown=" + strconv.FormatUint(g.unknown, 10)
	case !called && daysBetween(n.LastSeen, now) > g.exceptions.quiet:
		n.Why = "quiet=" + strconv.Itoa(g.exceptions.quiet)
	case called && c.Client == "" && !c.Other:
		g.last = later(g.last, c.LastSeen)
		n.Why, list, g.nameless = "called", &g.others, true
	case called:
		g.last = later(g.last, c.LastSeen)
		n.Why, list = "called", &g.others
		g.calling = append(g.calling, c.Name())
	default:
		n.Why, list = "quiet", &g.others
		g.quiet = append(g.quiet, n.quietText(c.part))
		g.ask(c, now)
		if beyond {
			g.full++
		}
	}
	*list = append(*list, n)
}

// ask adds the question to a quiet client, if it is time.
func (ready *readiness) ask(c *movingClient, now time.Time) {
	if c.Client == "" || now.Before(c.askAt()) {
		return
	}
	q := question{Client: c.Client, LastSeen: c.LastSeen}
	if c.part {
		for _, l := range c.Left[:min(len(c.Left), maxLeftEach)] {
			q.Routes = append(q.Routes, l.Route)
		}
	}
	ready.Questions = append(ready.Questions, q)
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
	if n := len(g.calling); n > 0 {
		say("%s called it in the last %d days: %s", plural(n, "client has", "clients have"), RecentDays, some(g.calling))
	}
	if g.nameless {
		say("requests without a name called it in the last %d days", RecentDays)
	}
	if n := len(g.quiet); n > 0 {
		say("%s not moved, and may call it again: %s", plural(n, "quiet client has", "quiet clients have"), some(g.quiet))
	}
	if g.full > 0 {
		say("%s more routes than there was room for, so it is not known which have moved: see usage.Bounds",
			plural(g.full, "client called", "clients called"))
	}
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
