package route

import (
	"hash/maphash"
	"math/bits"
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
	if p.add(routes) > crowd {
		p = &paths{slots: make([][]*Route, slots), whole: true}
		p.add(routes)
	}
	return p
}

// add adds routes and returns how many paths the fullest slot has. Of several
// routes with one method and path only the first is ever found: the others are
// left out.
func (p *paths) add(routes []*Route) (fullest int) {
	counts := make([]int, len(p.slots))
	for _, r := range routes {
		slot := p.slot(r.Path)
		isKnown, isDuplicate := false, false
		for _, before := range p.slots[slot] {
			if before.Path == r.Path {
				isKnown = true
				isDuplicate = isDuplicate || before.Method == r.Method
			}
		}
		if !isDuplicate {
			p.slots[slot] = append(p.slots[slot], r)
		}
		if !isKnown {
			counts[slot]++
			fullest = max(fullest, counts[slot])
		}
	}
	return fullest
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
