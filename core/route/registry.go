package route

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Registry collects the routes of an application while it registers them. It
// makes a [Table] of them when one is asked for, and again after a route was
// added. The zero Registry is empty. It is safe for concurrent use.
type Registry struct {
	current atomic.Pointer[Table] // nil when a route was added since

	mu     sync.Mutex
	routes []Route
	named  map[string][]*Route // without those that have the path of an earlier one
}

// Add adds a route. It fails with [ErrNoMatch], and adds nothing, when the name
// of the route stands for another path with the same parameters already.
func (r *Registry) Add(added Route) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if same := r.named[added.Name]; added.HasName() && !slices.ContainsFunc(same, added.samePath) {
		same = append(same, &added)
		if err := ambiguous(same); err != nil {
			return err
		}
		if r.named == nil {
			r.named = make(map[string][]*Route)
		}
		r.named[added.Name] = same
	}
	r.routes = append(r.routes, added)
	r.current.Store(nil)
	return nil
}

// Table returns a table of the routes that were added so far.
func (r *Registry) Table() *Table {
	if table := r.current.Load(); table != nil {
		return table
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if table := r.current.Load(); table != nil { // another goroutine made it meanwhile
		return table
	}
	table := NewTable(r.routes...)
	r.current.Store(table)
	return table
}
