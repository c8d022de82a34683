package usage

import (
	"slices"
	"time"
)

// readExcepted reads when the clients with exceptions called each route.
func readExcepted(r *report, v *versionReport) error {
	var names []ClientName
	for client := range v.excepted {
		if _, ok := v.at[ClientName{client, false}]; ok {
			names = append(names, ClientName{Client: client})
		}
	}
	slices.SortFunc(names, ClientName.Compare)
	v.routes = map[string]map[uint64]calledRoute{}
	for some := range slices.Chunk(names, clientsAtOnce) {
		counts, err := r.reader.Routes(r.ctx, v.Version, some)
		if err != nil {
			return err
		}
		for _, c := range partOf(r, v, counts).Clients {
			called := map[uint64]calledRoute{}
			for _, n := range c.Routes {
				of := Count{Version: v.Version, Method: n.Method, Route: n.Route, OtherRoute: n.Other}
				n.Method = asGet(n.Method)
				was, now := called[keyOf(&of)], calledRoute{n.Sent(), n.FirstSeen.Unix(), n.LastSeen.Unix()}
				now.first, now.last = earlier(was.first, now.first), max(was.last, now.last)
				called[keyOf(&of)] = now
			}
			v.routes[c.Client] = called
		}
	}
	return nil
}

// applyExceptions applies the exceptions of a client: to the routes that are left, or else to all that it called. Of two
// about a route, the later one counts. A route is left, whatever the counts show, if it is needed by an answer.
func applyExceptions(r *report, v *versionReport, n *movingClient, c *clientReport) {
	all, called := v.excepted[n.Client], v.routes[n.Client]
	if n.Other || all == nil || !n.counted.Breaks() && n.counted != groupMoved {
		return
	}
	all = slices.DeleteFunc(slices.Clone(all), func(e Exception) bool { return e.isOver(called) })
	left, isPart, hasMoved := n.Left, n.part || n.counted == groupBoth, n.counted == groupMoved
	if n.counted == groupBoth {
		left = c.left(r.Time, nil)
	}
	isLeft := make(map[uint64]bool, len(left))
	for _, l := range left {
		isLeft[l.key] = true
	}
	of := func(key uint64, at calledRoute) int { // the exception of a route, -1: none
		return slices.IndexFunc(all, func(e Exception) bool {
			return e.needs(at, r.Time) || e.covers(key, at, n.LastSeen, r.Time)
		})
	}
	recent := r.Time.Add(-silence).Unix()
	used := make([]bool, len(all))
	done, silent, breaks := true, true, false
	needs := func(i int) {
		used[i], done, n.needs = true, false, later(n.needs, all[i].Until)
		if hasMoved {
			n.counted = groupQuiet
		}
	}
	covered, names := make(map[uint64]bool), make(map[string]bool)
	var rest []routeLeft
	for key, at := range called {
		names[at.name] = true
		i, isRecent := of(key, at), at.last >= recent
		needed := (n.counted == groupBoth || hasMoved) && isRecent || !hasMoved && (!isPart || isLeft[key])
		switch {
		case i >= 0 && all[i].Kind == StillNeeds:
			needs(i)
			rest = append(rest, c.leftOf(key, at, all[i].Until))
		case i >= 0 && needed:
			used[i], breaks = true, breaks || all[i].Kind == MayBreak
			covered[key] = true
		case i < 0:
			silent = silent && !isRecent
			if needed {
				rest, done = append(rest, c.leftOf(key, at, time.Time{})), false
			}
		}
	}
	for i, e := range all { // of a route that it has not called
		switch {
		case e.Route == "" || names[e.Route]:
		case e.Kind != StillNeeds:
			n.idle = append(n.idle, e)
		case of(0, calledRoute{name: e.Route}) == i:
			needs(i)
		}
	}
	if n.counted == groupMoved && (!done || len(covered) == 0) {
		return // its calls of the last 30 days count
	}
	for i, is := range used {
		if is {
			n.Exceptions = append(n.Exceptions, all[i])
		}
	}
	if len(covered) == 0 {
		return // it makes no other difference
	}
	if done {
		n.counted, n.part, n.Left, n.Every, n.Next, n.whole = groupMoved, false, nil, "", time.Time{}, silent
		if breaks {
			n.counted = groupAccepted
		}
		return
	}
	slices.SortFunc(rest, compareLeft)
	n.Left, n.part = rest, len(rest) > 0 && n.counted == groupQuiet
	if n.rest = n.rest && n.part; n.part {
		n.Every, n.Next = rest[0].Every, rest[0].Next
	}
}

// idleText returns an answer about a route without a count, with the routes that have one.
func (v *versionReport) idleText(e Exception) string {
	var names []string
	for _, called := range v.routes[e.Client] {
		names = append(names, called.name)
	}
	slices.Sort(names)
	var some few
	for _, name := range slices.Compact(names) {
		some.add(func() string { return name })
	}
	return exceptionText(e) + ". This has no effect: no call of that route is counted, but of " + some.String()
}

// leftOf returns a called route as a left one, with the time until which it is needed, or the zero time.
func (c *clientReport) leftOf(key uint64, called calledRoute, until time.Time) routeLeft {
	u := c.uses.find(key)
	if u == nil { // of clients that called lately, the uses are not read
		u = &RouteUse{Key: key, Last: called.last / secondsPerDay, Weeks: 1}
		if WeekOf(called.first) < WeekOf(called.last) {
			u.Weeks = 3 // several weeks, of which no rhythm is known
		}
	}
	l := u.left()
	if l.Every == "" {
		l.Next = until
	}
	return l
}

// needs reports whether an exception has a route that a client will call again.
func (e *Exception) needs(called calledRoute, now time.Time) bool {
	return e.Kind == StillNeeds && now.Before(e.Until) && (e.Route == "" || e.Route == called.name)
}

// isOver reports whether a client with all its routes was accepted, and has called another one since.
func (e *Exception) isOver(called map[uint64]calledRoute) bool {
	if e.Kind != MayBreak || e.Route != "" {
		return false
	}
	for key, at := range called {
		if at.first >= e.Time.Unix() || key == 0 && at.last >= e.Time.Unix() {
			return true
		}
	}
	return false
}

// isDenied reports whether a client has called what it had moved, by the exception.
func (e *Exception) isDenied(called map[uint64]calledRoute) bool {
	if e.Kind != HasMoved {
		return false
	}
	for _, at := range called {
		if at.last >= e.Time.Unix() && (e.Route == "" || e.Route == at.name) {
			return true
		}
	}
	return false
}

// covers reports whether an exception is of a route that a client called. Of routes beyond the bound, it is not known
// which were called before.
func (e *Exception) covers(key uint64, called calledRoute, last, now time.Time) bool {
	at := e.Time.Unix()
	switch {
	case e.Kind == StillNeeds, e.Route != "" && e.Route != called.name:
		return false
	case e.Kind == MayBreak && key == 0:
		return now.Before(e.Until) && called.last < at
	case e.Kind == MayBreak:
		return now.Before(e.Until) && (e.Route != "" || called.first < at)
	case e.Route == "":
		return last.Before(e.Time)
	}
	return called.last < at
}
