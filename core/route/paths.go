package route

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// paths are the routes of a host by path, in slots: a hash table that does not
// hash all of a path where a few of its bytes are enough.
type paths struct {
	slots [][]*Route // a power of two of them
	whole bool       // the whole path is hashed
}

// crowd is how many paths may share a slot before whole paths are hashed.
const crowd = 4

var seed = maphash.MakeSeed()

func newPaths(routes []*Route) *paths {
	slots := 1 << bits.Len(uint(2*len(routes)))
	p := &paths{slots: make([][]*Route, slots)}
	if !p.add(routes) {
		p = &paths{slots: make([][]*Route, slots), whole: true}
		p.add(routes)
	}
	return p
}

// add adds routes. It stops and returns false when too many paths share a slot,
// unless whole paths are hashed. Of several routes with one method and path only
// the first is ever found: the others are left out.
func (p *paths) add(routes []*Route) bool {
	for _, r := range routes {
		slot := &p.slots[p.slot(r.Path)]
		if slices.ContainsFunc(*slot, func(before *Route) bool { return before.Path == r.Path && before.Method == r.Method }) {
			continue
		}
		*slot = append(*slot, r)
		if !p.whole && len(*slot) > crowd && distinct(*slot) > crowd {
			return false
		}
	}
	return true
}

// distinct returns how many paths the routes have.
func distinct(routes []*Route) (n int) {
	for i, r := range routes {
		if !slices.ContainsFunc(routes[:i], func(before *Route) bool { return before.Path == r.Path }) {
			n++
		}
	}
	return n
}

// at returns the routes that may have the path.
func (p *paths) at(path string) []*Route {
	return p.slots[p.slot(path)]
}

// slot returns the index of the routes with a path. Frameworks hand out the very
// text that a route was registered with, so comparing it costs next to nothing,
// and hashing all of it would be most of a look-up.
func (p *paths) slot(path string) uint64 {
	n := len(path)
	if n == 0 {
		return 0
	}
	mask := uint64(len(p.slots) - 1)
	if p.whole {
		return maphash.String(seed, path) & mask
	}
	return (uint64(n)*31 + uint64(path[n-1]) + uint64(path[n/2])*7 + uint64(path[n/3])*13 + uint64(path[2*n/3])*61) & mask
}
