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

// applyExceptions applies the exceptions of a client: to the routes that are left, or else to all that it called.
func applyExceptions(r *report, v *versionReport, n *movingClient, c *clientReport) {
	all := v.excepted[n.Client]
	if n.Other || all == nil || !n.counted.Breaks() {
		return
	}
	for _, e := range all {
		if e.Kind == StillNeeds && r.Time.Before(e.Until) {
			n.Exceptions, n.needs = append(n.Exceptions, e), later(n.needs, e.Until)
		}
	}
	left := n.Left
	if n.counted == groupBoth {
		left = c.left(r.Time, nil)
	}
	isLeft := func(key uint64) bool {
		return !n.part && n.counted != groupBoth || slices.ContainsFunc(left, func(l routeLeft) bool { return l.key == key })
	}
	recent := r.Time.Add(-silence).Unix()
	used := make([]bool, len(all))
	done, silent, breaks := true, true, false
	var covered []uint64
	for key, called := range v.routes[n.Client] {
		at := slices.IndexFunc(all, func(e Exception) bool { return e.covers(key, called, n.LastSeen, r.Time) })
		needed := isLeft(key) || n.counted == groupBoth && called.last >= recent
		switch {
		case at >= 0 && needed:
			used[at], breaks = true, breaks || all[at].Kind == MayBreak
			covered = append(covered, key)
		case at < 0 && called.last >= recent:
			silent = false
			fallthrough
		case at < 0 && needed:
			done = done && !needed
		}
	}
	if covered == nil {
		return // it makes no difference
	}
	for i, is := range used {
		if is {
			n.Exceptions = append(n.Exceptions, all[i])
		}
	}
	if done {
		n.counted, n.part, n.Left, n.Every, n.Next, n.whole = groupMoved, false, nil, "", time.Time{}, silent
		if breaks {
			n.counted = groupAccepted
		}
		return
	}
	if n.Left = slices.DeleteFunc(n.Left, func(l routeLeft) bool { return slices.Contains(covered, l.key) }); len(n.Left) == 0 {
		n.Left = nil
	} else if n.part {
		n.Every, n.Next = n.Left[0].Every, n.Left[0].Next
	}
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
