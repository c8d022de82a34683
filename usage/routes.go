package usage

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

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

// RouteUses are in the order of their keys, but for those of AddCount. A store has the text of String, and
// [ParseRouteUses] reads it.
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

// compact adds up the uses of each route, of which there may be many, in whatever order they came.
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

// Forget removes the uses that are [Forgotten] at a second.
func (r *RouteUses) Forget(at int64) {
	*r = slices.DeleteFunc(*r, func(u RouteUse) bool { return Forgotten(u.Last*secondsPerDay, at) })
}

// usesAt reads the uses that are not forgotten at a second.
func usesAt(at int64, text string, to RouteUses) (RouteUses, error) {
	uses, err := ParseRouteUses(text, to)
	uses.Forget(at)
	return uses, err
}

// find returns the use of a route, or nil. They are compact.
func (r RouteUses) find(key uint64) *RouteUse {
	if at, ok := slices.BinarySearchFunc(r, key, func(u RouteUse, key uint64) int { return cmp.Compare(u.Key, key) }); ok {
		return &r[at]
	}
	return nil
}

func (u *RouteUse) weeks() Weeks { return Weeks{u.Last / 7, u.Weeks} }

func (r RouteUses) String() string {
	if !r.isCompact() {
		r = slices.Clone(r)
		r.compact()
	}
	text := make([]byte, 0, 32*len(r))
	for i, u := range r {
		text = strconv.AppendUint(text, u.Key, 36)
		if i > 0 && u.Last == r[i-1].Last && u.Served == r[i-1].Served && u.Weeks == r[i-1].Weeks {
			text = append(text, '.') // as the one before: many clients call all their routes on the same days
			continue
		}
		for _, n := range []uint64{uint64(u.Last), uint64(u.Served), u.Weeks} {
			text = strconv.AppendUint(append(text, ' '), n, 36)
		}
		text = append(text, ' ')
	}
	return string(text)
}

// ParseRouteUses reads uses, and appends them to some. Pages read 300,000 texts.
func ParseRouteUses(text string, to RouteUses) (RouteUses, error) {
	if to == nil {
		to = make(RouteUses, 0, strings.Count(text, " ")/4+strings.Count(text, ".")) // allocates once
	}
	var n [4]uint64
	begin, at := len(to), 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			n[at] = 36*n[at] + uint64(c-'0')
		case 'a' <= c && c <= 'z':
			n[at] = 36*n[at] + uint64(c-'a') + 10
		case c == ' ' && at < 3:
			at++
		case c != ' ' && (c != '.' || at > 0 || len(to) == begin):
			return nil, fmt.Errorf("the routes of a client are %.100q", text)
		default:
			u := RouteUse{Key: n[0], Last: int64(n[1]), Served: int64(n[2]), Weeks: n[3]}
			if c == '.' {
				was := &to[len(to)-1]
				u.Last, u.Served, u.Weeks = was.Last, was.Served, was.Weeks
			}
			to, n, at = append(to, u), [4]uint64{}, 0
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
		isNamed := namedIn(old, version, later)
		for j := range routes {
			next := &routes[j]
			if paths[j] != paths[i] && !isNamed(next) || next.Host != old.Host || next.Neutral || !next.InVersion(later) {
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

// replace records what a later version served instead of a route, which may be nil.
func (u *RouteUse) replace(by *RouteUse) {
	if u == nil || by.Served <= u.Last {
		return
	}
	u.replaced = true
	weeks := by.weeks().until(by.Served / 7)
	since, _ := weeks.since(u.Last / 7)
	u.settled = u.settled || since >= 3 && weeks.Bits>>(weeks.Last-u.Last/7+1) == 0
}

// once reports whether the route was called in a single week.
func (u *RouteUse) once() bool { return u.Weeks&(u.Weeks-1) == 0 }

// open reports whether what another later version served may matter to a route.
func (r RouteUses) open() bool {
	for i := range r {
		if u := &r[i]; !u.replaced || !u.settled && !u.once() {
			return true
		}
	}
	return false
}

// in returns a path with the successor in the place of the version.
func in(path, version, successor string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment == "{version}" || segment == version {
			segments[i] = successor
		}
	}
	return strings.Join(segments, "/")
}

// namedIn returns what reports whether links lead from a route of a version to another in a later version by its name:
// the same in the namespace of that version, or the same without a namespace if no version has both routes.
func namedIn(old *verso.RouteInfo, version, later string) func(next *verso.RouteInfo) bool {
	if i := strings.LastIndexByte(old.Name, ':'); i >= 0 {
		name := verso.V(later).InNamespace(old.Name[i+1:])
		return func(next *verso.RouteInfo) bool { return next.Name == name }
	}
	return func(next *verso.RouteInfo) bool {
		return old.Name != "" && next.Name == old.Name && !old.InVersion(later) && !next.InVersion(version)
	}
}
