package usage

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage/internal/bound"
)

// Table counts requests by version, client, method and route. [NewTable] returns one; the zero
// Table is not valid. It is safe for concurrent use. Counting a request of a known client does not allocate. A table
// takes at most 50 MB, unless it has other bounds.
type Table struct {
	catalogue *catalogue.Catalogue
	clock     func() time.Time
	seed      maphash.Seed
	slots     atomic.Pointer[slots]
	bounds    Bounds
	clients   names   // that have a name: up to twice as many as the bound, until counts are read
	callers   names   // those of them that called a version with an end
	ends      []bool  // whether a version has an end
	strangers names   // likewise, of clients whose every request was rejected for its version
	rest      []*cell // by row: the requests beyond the bounds
	size      atomic.Int64

	mu    sync.Mutex // guards the fields below, and the adding of cells and clients
	cells []*cell
	// forgot are those that were called again after more than KeepDays: their clients may have called other routes
	// meanwhile.
	forgot []*cell
	rows   [][Days]packed  // by version, served and rejected: see of.row
	since  int64           // the second since which the table counts
	hours  map[int64]int64 // in which tables counted whose counts were added, with the first second of each
	first  int64           // the first second of counting by any of them, or 0

	breaks map[weeksKey]int64 // as Count.Since, from when the page was asked for
	left   []Left

	excepted []Exception
}

// weeksKey is a client of a version.
type weeksKey struct {
	version int
	ClientName
}

// slots is a hash table of cells. Its length is a power of two, and at most half of
// it is in use. Cells are never removed.
type slots []atomic.Pointer[cell]

// NewTable returns a table that counts for a configuration: it takes the versions and the
// clock from it, and adds itself to its Counters. Call
// it before [verso.New], which copies the configuration. The table counts from now on: the page
// has that time. NewTable panics if the configuration lists no versions.
func NewTable(config *verso.Config) *Table { return NewBoundedTable(config, Bounds{}) }

// NewBoundedTable returns a table with bounds of its own: see [NewTable]. It also panics if a bound is negative.
func NewBoundedTable(config *verso.Config, bounds Bounds) *Table {
	t := new(Table)
	versions, err := Attach(config, t)
	if err := errors.Join(err, bound.Check("usage: Bounds.Clients", bounds.Clients, MaxClients),
		bound.Check("usage: Bounds.Cells", bounds.Cells, MaxCells)); err != nil {
		panic(err)
	}
	clock := config.Clock
	if clock == nil {
		clock = time.Now
	}
	t.catalogue, t.clock, t.seed = versions, clock, maphash.MakeSeed()
	t.rows, t.since = make([][Days]packed, 2*len(versions.Versions())+2), clock().Unix()
	t.hours = map[int64]int64{}
	t.bounds = Bounds{cmp.Or(bounds.Clients, MaxClients), cmp.Or(bounds.Cells, MaxCells)}
	for version := range versions.Versions() {
		e := versions.Entry(version)
		t.ends = append(t.ends, !e.Deprecated.IsZero() || !e.Sunset.IsZero())
	}
	first := make(slots, 64)
	t.slots.Store(&first)
	for row := range t.rows {
		t.rest = append(t.rest, &cell{of: of{version: row / 2, rejected: row%2 == 1, otherClient: true,
			otherRoute: true}})
	}
	return t
}

// Attach has a store of counts observe the requests of a configuration, as one of its Counters, and
// returns the versions: the Catalogue, or a catalogue of the AllowedVersions. It is for stores: those of
// this module attach themselves.
func Attach(config *verso.Config, store verso.Counter) (*catalogue.Catalogue, error) {
	if config == nil {
		return nil, errors.New("usage: the configuration is nil: pass that of the service")
	}
	if config.Catalogue == nil && len(config.AllowedVersions) == 0 {
		return nil, errors.New("usage: the configuration lists no versions: set Catalogue or AllowedVersions")
	}
	versions, err := config.Catalogue, error(nil)
	if versions == nil {
		versions, err = catalogue.List(config.AllowedVersions...)
	}
	if err == nil {
		config.Counters = append(slices.Clone(config.Counters), store)
	}
	return versions, err
}

// Observe counts a request: the table is one of the Counters of the configuration. Of clients whose every
// request is rejected for an unknown or a missing version, [MaxRejected] have a name, and no
// routes: otherwise requests that anybody can make up would take all names.
func (t *Table) Observe(_ context.Context, o verso.Observation) {
	of := of{version: t.unlisted(), client: o.Client, method: o.Method, route: o.Route,
		rejected: o.Outcome != verso.OutcomeServed}
	if !o.Version.IsNone() {
		if index, ok := t.catalogue.Index(o.Version.String()); ok {
			of.version = index
		}
	}
	if of.rejected && of.version == t.unlisted() && of.client != "" && !t.knows(of.client) {
		of.method, of.route = "", ""
	}
	c := t.cellOf(of)
	second := max(0, o.Time.Unix())
	if day := dayOf(second); c.today.Load()>>dayShift == day {
		c.today.Add(1)
	} else {
		t.turn(c, day)
	}
	c.seen(second, second)
}

// unlisted is the version of requests for no listed version.
func (t *Table) unlisted() int { return len(t.catalogue.Versions()) }

// cellOf returns the cell that counts the requests of a combination.
func (t *Table) cellOf(of of) *cell {
	if c := t.find(&of); c != nil {
		return c
	}
	if t.isOther(&of) {
		other := of
		other.client, other.otherClient = "", true
		if c := t.find(&other); c != nil {
			return c
		}
	}
	if t.keepsName(&of) { // its routes may be beyond the bound: then no lock is needed
		other := of
		other.method, other.route, other.otherRoute = "", "", true
		if c := t.find(&other); c != nil {
			return c
		}
	}
	return t.add(of)
}

// keepsName reports whether a client keeps its name although all cells are taken: only its
// routes are counted together. These cells are bounded by the clients and the versions.
func (t *Table) keepsName(of *of) bool {
	return of.client != "" && of.version < t.unlisted() && t.knows(of.client)
}

// knows reports whether a client has a name in the table.
func (t *Table) knows(client string) bool {
	known, _ := t.clients.has(client)
	return known
}

// isStranger reports whether a combination counts a client whose every request was
// rejected for its version.
func (t *Table) isStranger(of *of) bool {
	return of.rejected && of.version == t.unlisted() && of.method == "" && of.client != ""
}

// isOther reports whether the client of a combination is beyond the bound.
func (t *Table) isOther(of *of) bool {
	if t.isStranger(of) {
		known, n := t.strangers.has(of.client)
		return !known && n >= MaxRejected
	}
	if of.client == "" {
		return false
	}
	known, n := t.clients.has(of.client)
	return !known && n >= t.bounds.Clients && (!t.isCaller(of) || t.callers.len() >= t.bounds.Clients)
}

// isCaller reports whether a combination is of a version with an end.
func (t *Table) isCaller(of *of) bool {
	return of.client != "" && of.version < t.unlisted() && t.ends[of.version]
}

// forgotten returns the clients beyond the bound: of those that never called a version with an
// end, the ones whose last request is the oldest. The mutex is held.
func (t *Table) forgotten() map[string]bool {
	more := t.clients.len() - t.bounds.Clients
	if more <= 0 {
		return nil
	}
	last := map[string]int64{}
	for _, c := range t.cells {
		if known, _ := t.callers.has(c.client); !known && c.client != "" && !t.isStranger(&c.of) {
			last[c.client] = max(last[c.client], c.last.Load())
		}
	}
	names := slices.SortedFunc(maps.Keys(last),
		func(a, b string) int { return cmp.Or(cmp.Compare(last[a], last[b]), strings.Compare(a, b)) })
	forgotten := map[string]bool{}
	for _, name := range names[:min(more, len(names))] {
		forgotten[name] = true
	}
	return forgotten
}

// find returns the cell of a combination, or nil.
func (t *Table) find(of *of) *cell {
	_, c := t.slots.Load().find(of, t.seed)
	return c
}

// find returns the slot that a combination has, or would have, and its cell, or nil. The slot must not
// be read again: another combination may have got it since.
func (s slots) find(of *of, seed maphash.Seed) (*atomic.Pointer[cell], *cell) {
	hash := maphash.String(seed, of.client) ^ maphash.String(seed, of.route)*3 ^ maphash.String(seed,
		of.method)*5 + uint64(of.row())*0x9e3779b97f4a7c15
	for ; ; hash++ {
		slot := &s[hash&uint64(len(s)-1)]
		if c := slot.Load(); c == nil || c.of == *of {
			return slot, c
		}
	}
}

// add adds a cell, or returns the one for the rest if the table is full.
func (t *Table) add(of of) *cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isOther(&of) {
		of.client, of.otherClient = "", true
	}
	if c := t.find(&of); c != nil {
		return c
	}
	if len(t.cells) >= t.bounds.Cells {
		if !t.keepsName(&of) {
			return t.rest[of.row()]
		}
		of.method, of.route, of.otherRoute = "", "", true
		if c := t.find(&of); c != nil {
			return c
		}
	}
	switch {
	case of.client == "":
	case t.isStranger(&of):
		of.client = t.strangers.add(of.client)
	default:
		of.client = t.clients.add(of.client)
		if t.isCaller(&of) && t.callers.len() < t.bounds.Clients {
			t.callers.add(of.client)
		}
	}
	c := &cell{of: of}
	t.cells = append(t.cells, c)
	t.size.Store(int64(len(t.cells)))
	all, added := *t.slots.Load(), t.cells[len(t.cells)-1:]
	if 2*len(t.cells) > len(all) {
		all, added = make(slots, 2*len(all)), t.cells
	}
	for _, c := range added {
		slot, _ := all.find(&c.of, t.seed)
		slot.Store(c)
	}
	t.slots.Store(&all)
	return c
}

// Nearly reports whether the table is nearly full: count in another one from now on,
// and [Table.Take] the counts of this one.
func (t *Table) Nearly() bool {
	return int(t.size.Load()) >= t.bounds.Cells-t.bounds.Cells/8
}

// names are the names of clients.
type names struct {
	mu  sync.RWMutex
	all map[string]string
}

// has reports whether a client has a name, and how many have one.
func (n *names) has(client string) (known bool, all int) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, known = n.all[client]
	return known, len(n.all)
}

func (n *names) len() int { _, all := n.has(""); return all }

// add adds a client and returns its name, which all its cells share.
func (n *names) add(client string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if name, ok := n.all[client]; ok {
		return name
	}
	if n.all == nil {
		n.all = map[string]string{}
	}
	name := strings.Clone(client)
	n.all[name] = name
	return name
}

// turn counts the first request of a day, and moves the earlier count to the days of
// the cell and of the version.
func (t *Table) turn(c *cell, day uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		was := c.today.Load()
		if was>>dayShift == day {
			c.today.Add(1)
			return
		}
		if c.today.CompareAndSwap(was, day<<dayShift|1) {
			if last := c.last.Load(); Forgotten(last, int64(day)*secondsPerDay) {
				old := &cell{of: c.of, weeks: c.weeks}
				old.before.Store(c.before.Swap(0) + was&countMask)
				old.seen(c.first.Swap(0), last)
				t.forgot, c.weeks, c.days = append(t.forgot, old), Weeks{}, [RecentDays]packed{}
				return
			}
			c.before.Add(was & countMask)
			add(c.days[:], was>>dayShift, was&countMask, day)
			add(t.rows[c.row()][:], was>>dayShift, was&countMask, day)
			if was&countMask > 0 {
				c.weeks.Add(Weeks{int64(was>>dayShift) / 7, 1})
			}
			return
		}
	}
}

// versionOf returns the index of a version, that of unlisted ones for "".
func (t *Table) versionOf(name string) (version int, ok bool) {
	if name == "" {
		return t.unlisted(), true
	}
	return t.catalogue.Index(name)
}

func (t *Table) nameOf(version int) string {
	if version == t.unlisted() {
		return ""
	}
	return t.catalogue.Versions()[version]
}
