package usage

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
)

// RouteUse is when a client called a route of a version: it may move one job, and keep a rarer one.
type RouteUse struct {
	Key    uint64 // of the method and the route, the same in all versions
	Last   int64  // the last day, since 1970
	Served int64  // the last day on which a request was served, or 0
	Weeks  uint64 // as the Bits of [Weeks], back from the week of Last

	replaced bool // a later version has served the route since
	settled  bool // in three weeks, and in none before
}

// RouteUses has one value for each route, in the order of their keys, but for those of AddCount. A store keeps the
// text of String, and [ParseRouteUses] reads it.
type RouteUses []RouteUse

// AddCount adds a count of [KindRequests], whose weeks are given.
func (r *RouteUses) AddCount(n *Count, weeks Weeks) {
	if n.Client != "" && weeks.Bits != 0 {
		*r = append(*r, useOf(n, weeks))
	}
}

// useOf returns the use of a route that a count has.
func useOf(n *Count, weeks Weeks) RouteUse {
	u := RouteUse{Key: keyOf(n), Last: max(int64(dayOf(n.Last)), 7*weeks.Last), Weeks: weeks.Bits}
	if !n.Rejected {
		u.Served = u.Last
	}
	return u
}

// Add adds other uses.
func (r *RouteUses) Add(uses ...RouteUse) {
	*r = append(*r, uses...)
	r.compact()
}

// add adds another use of the same route.
func (u *RouteUse) add(other RouteUse) {
	weeks := u.weeks()
	weeks.Add(other.weeks())
	u.Last, u.Served, u.Weeks = max(u.Last, other.Last), max(u.Served, other.Served), weeks.Bits
}

// compact adds up the uses of each route, of which there may be many.
func (r *RouteUses) compact() {
	if r.isCompact() {
		return
	}
	slices.SortFunc(*r, func(a, b RouteUse) int { return cmp.Compare(a.Key, b.Key) })
	all := *r
	*r = all[:0]
	for _, u := range all {
		if n := len(*r); n > 0 && (*r)[n-1].Key == u.Key {
			(*r)[n-1].add(u)
		} else {
			*r = append(*r, u)
		}
	}
}

func (r *RouteUses) isCompact() bool {
	for i := 1; i < len(*r); i++ {
		if (*r)[i-1].Key >= (*r)[i].Key {
			return false
		}
	}
	return true
}

// find returns the use of a route, or nil. They are compact.
func (r RouteUses) find(key uint64) *RouteUse {
	if at, ok := slices.BinarySearchFunc(r, key, func(u RouteUse, key uint64) int { return cmp.Compare(u.Key, key) }); ok {
		return &r[at]
	}
	return nil
}

// first returns the first day of the first week in which the route was called.
func (u *RouteUse) first() int64 { return 7 * (u.Last/7 + 1 - int64(bits.Len64(u.Weeks))) }

func (u *RouteUse) weeks() Weeks { return Weeks{u.Last / 7, u.Weeks} }

func (r RouteUses) String() string {
	if !r.isCompact() {
		r = slices.Clone(r)
		r.compact()
	}
	var text []byte
	for _, u := range r {
		for _, n := range []uint64{u.Key, uint64(u.Last), uint64(u.Served), u.Weeks} {
			text = append(strconv.AppendUint(text, n, 36), ' ')
		}
	}
	return string(text)
}

// ParseRouteUses reads uses, and appends them to some. Pages read 300,000 texts.
func ParseRouteUses(text string, to RouteUses) (RouteUses, error) {
	if to == nil {
		to = make(RouteUses, 0, strings.Count(text, " ")/4) // allocates once
	}
	var n [4]uint64
	at := 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			n[at] = 36*n[at] + uint64(c-'0')
		case 'a' <= c && c <= 'z':
			n[at] = 36*n[at] + uint64(c-'a') + 10
		case c != ' ':
			return nil, fmt.Errorf("the routes of a client are %.100q", text)
		case at < 3:
			at++
		default:
			to = append(to, RouteUse{Key: n[0], Last: int64(n[1]), Served: int64(n[2]), Weeks: n[3]})
			n, at = [4]uint64{}, 0
		}
	}
	to.compact()
	return to, nil
}

// keyOf returns the key of a route, 0 for those beyond the bound. HEAD is GET, and the name of the version in the
// path makes no difference.
func keyOf(n *Count) uint64 {
	if n.OtherRoute {
		return 0
	}
	hash := fnv.New64a()
	_, _ = io.WriteString(hash, asGet(n.Method)+" "+in(n.Route, n.Version, "{version}")) // a hash does not fail
	return max(1, hash.Sum64()>>16)                                                      // 48 bits are enough for the routes of one client
}

func asGet(method string) string {
	if method == "HEAD" {
		return "GET"
	}
	return method
}

// replacements returns which routes of a version a later one has under another path or name, by the key of the
// new route.
func replacements(routes []verso.RouteInfo, version, later string) map[uint64][]uint64 {
	replaced, paths := map[uint64][]uint64{}, make([]string, len(routes))
	for i := range routes {
		paths[i] = in(routes[i].Path, version, later)
	}
	for i := range routes {
		old := &routes[i]
		if !old.InVersion(version) || old.InVersion(later) {
			continue
		}
		name := nameIn(old.Name, later)
		for j := range routes {
			next := &routes[j]
			if paths[j] != paths[i] && next.Name != name || next.Host != old.Host || next.Neutral || !next.InVersion(later) {
				continue
			}
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "_OTHER"} {
				if asGet(cmp.Or(old.Method, method)) == method && asGet(cmp.Or(next.Method, method)) == method {
					was, is := Count{Method: method, Route: old.Pattern, Version: version}, Count{Method: method, Route: next.Pattern, Version: later}
					replaced[keyOf(&is)] = append(replaced[keyOf(&is)], keyOf(&was))
				}
			}
		}
	}
	return replaced
}

// replace records what a later version served to the client. Beyond the bound, no route is known to be another one.
func (c *clientReport) replace(u *RouteUse, replaced map[uint64][]uint64) {
	c.beyond = c.beyond || u.Key == 0
	if u.Key == 0 {
		return
	}
	c.uses.find(u.Key).replace(u)
	for _, key := range replaced[u.Key] {
		c.uses.find(key).replace(u)
	}
}

// replace records what a later version served instead of a route, which may be nil.
func (u *RouteUse) replace(by *RouteUse) {
	if u == nil || by.Served <= u.Last {
		return
	}
	u.replaced = true
	weeks := by.weeks().served(time.Time{}, timeOf(by.Served*secondsPerDay))
	since, _ := weeks.since(u.Last / 7)
	u.settled = u.settled || since >= 3 && weeks.Bits>>(weeks.Last-u.Last/7+1) == 0
}

// open reports whether what another later version served may matter.
func (u *RouteUse) open() bool { return !u.replaced || !u.settled && u.Weeks&(u.Weeks-1) != 0 }

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

// tail separates the routes that a person at a screen calls once in months from rare jobs. The screens are of one
// program, which has moved as a whole; a job runs elsewhere, by the calendar, and may stay behind.
type tail struct {
	moved, all [65]int // routes, by the weeks in which they were called, or fewer
	first      int64   // day on which the client called the version
	last       int64   // day on which it called a moved route
}

func (c *clientReport) tail(today int64) *tail {
	t := &tail{first: today}
	for i := range c.uses {
		u := &c.uses[i]
		if today-u.Last >= KeepDays {
			continue // a database may still have it
		}
		t.first = min(t.first, u.first())
		t.all[bits.OnesCount64(u.Weeks)]++
		if u.replaced {
			t.moved[bits.OnesCount64(u.Weeks)]++
			t.last = max(t.last, u.Last)
		}
	}
	for i := range 64 {
		t.moved[i+1] += t.moved[i]
		t.all[i+1] += t.all[i]
	}
	return t
}

// has reports whether a route moved with the rest, although no later version has served it yet.
func (t *tail) has(u *RouteUse, today int64) bool {
	const several, halfYear = 3, 190 // days in which a half-yearly job calls again
	called, visits := bits.OnesCount64(u.Weeks), bits.OnesCount64(u.Weeks&^(u.Weeks>>1))
	switch {
	case t.moved[called] < max(several, (t.all[called]+2)/3): // few routes that are as rare have moved
		return false
	case u.Last > t.last: // called later than all that has moved: another program called it
		return false
	case visits == 1 && called > 2: // a season
		return false
	case visits == 1: // a half-yearly job would have called before it, or since
		return max(today-u.Last, u.first()-t.first) >= halfYear
	}
	return today-u.Last >= min(halfYear, 7*int64(u.weeks().longest()))
}

// left returns the routes that a client may call again: those that no later version has served since, and those of
// which a request is due, unless its visits are not regular and a later version serves it instead. Not those that it
// has given up, nor those that moved with the rest: see tail. Routes beyond the bound are left for long. The ones that
// are expected soonest are first.
func (c *clientReport) left(now time.Time) (left []routeLeft) {
	today := int64(dayOf(now.Unix()))
	tail := c.tail(today)
	for _, u := range c.uses {
		called := bits.OnesCount64(u.Weeks)
		l := routeLeft{LastSeen: timeOf(u.Last * secondsPerDay), Replaced: u.replaced, key: u.Key, once: called == 1}
		l.Every, l.Next = rhythm(u.weeks().every(), l.LastSeen)
		isDue := due(l.Every, l.LastSeen, l.Next, now) && (!u.settled || u.weeks().regular())
		alone := !tail.has(&u, today)
		if today-u.Last < KeepDays && (isDue && (alone || !u.replaced && u.weeks().regular()) ||
			!u.replaced && (u.Key == 0 || alone && !u.weeks().givenUp(today/7))) {
			left = append(left, l)
		}
	}
	slices.SortFunc(left, func(a, b routeLeft) int {
		return cmp.Or(compareBools(a.Replaced, b.Replaced), compareBools(a.Every == "", b.Every == ""),
			a.Next.Compare(b.Next), b.LastSeen.Compare(a.LastSeen), cmp.Compare(a.key, b.key))
	})
	return left
}

// nameLeft gives the routes that are left their names.
func nameLeft(r *report, v *versionReport) error {
	if !slices.ContainsFunc(v.judged, func(c movingClient) bool { return c.Left != nil }) {
		return nil
	}
	names, err := routeNames(r, v)
	for _, c := range v.judged {
		for i := range c.Left {
			c.Left[i].Route, c.Left[i].successor = names[c.Left[i].key], v.Successor
		}
	}
	return err
}

// routeNames returns the names of the routes that clients called, by key.
func routeNames(r *report, v *versionReport) (map[uint64]string, error) {
	counts, err := r.reader.RoutesOf(r.ctx, v.Version)
	if err != nil {
		return nil, err
	}
	names := map[uint64]string{}
	for _, c := range partOf(r, v, counts).Clients {
		for _, n := range c.Routes {
			of := Count{Version: v.Version, Method: n.Method, Route: n.Route, OtherRoute: n.Other}
			n.Method = asGet(n.Method)
			names[keyOf(&of)] = n.Sent()
		}
	}
	return names, nil
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
