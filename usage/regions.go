package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// Regions are the regions of a service by their names, each with a function to open its store. Open of them is the
// [Page.Open] of a page and a gate over all:
//
//	page := calls.Handler(v.Explain)
//	page.Open = usage.Regions{"eu": page.Open, "us": usagesql.Open(us, usagesql.PostgreSQL)}.Open
//
// The counts of a client are added up, as are those beyond a bound. A client is forgotten [KeepDays] after its last
// request in any region; how many requests there were in one, and the first of them, after the last request there. Of
// two exceptions for the same, the later one counts. A version may end when each region has counted for 30 days without
// a gap. If a region cannot be read, the error has its name: no version may end. What stores recorded of earlier days is
// left out, since a client may have been in several.
type Regions map[string]func(ctx context.Context) (Reader, error)

// Open opens all regions at once.
func (r Regions) Open(ctx context.Context) (Reader, error) {
	if len(r) == 0 {
		return nil, errors.New("usage: Regions is empty: give it what opens the store of each region")
	}
	j := &joined{}
	for _, name := range slices.Sorted(maps.Keys(r)) {
		j.regions = append(j.regions, region{name: name})
	}
	err := j.each(func(_ int, region *region) (err error) {
		open := r[region.name]
		if open == nil {
			return errors.New("nothing opens it")
		}
		region.Reader, err = open(ctx)
		return err
	})
	if err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// joined reads several regions. It holds a single client of each.
type joined struct {
	regions []region // in the order of their names
	kept    int64    // the first second of requests that are not forgotten
}

type region struct {
	name string
	Reader
}

// unread returns why a region cannot be read.
func (r *region) unread(err error) error {
	return fmt.Errorf("usage: region %q cannot be read: %w", r.name, err)
}

// each calls a function for all regions at once.
func (j *joined) each(do func(i int, r *region) error) error {
	var wait sync.WaitGroup
	errs := make([]error, len(j.regions))
	for i := range j.regions {
		wait.Go(func() {
			r := &j.regions[i]
			if err := do(i, r); err != nil {
				errs[i] = r.unread(err)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func (j *joined) Close() {
	for i := range j.regions {
		if r := &j.regions[i]; r.Reader != nil {
			r.Close()
		}
	}
}

func (j *joined) Totals(ctx context.Context, recent int64) (all Totals, err error) {
	j.kept = KeptFrom(recent)
	each := make([]Totals, len(j.regions))
	if err := j.each(func(i int, r *region) (err error) {
		each[i], err = r.Totals(ctx, recent)
		return err
	}); err != nil {
		return all, err
	}
	for i := range each {
		all.join(j.regions[i].name, &each[i])
	}
	return all, nil
}

// join adds the totals of a region.
func (t *Totals) join(name string, of *Totals) {
	for _, n := range of.regions { // it has regions itself
		n.name = name + "/" + n.name
		t.regions = append(t.regions, n)
	}
	if of.regions == nil {
		t.regions = append(t.regions, regionTotals{name, nil, firstOf(of.Versions)})
	}
	for _, n := range of.Counts {
		switch n.Kind {
		case KindCounting:
			last := &t.regions[len(t.regions)-1]
			last.counts = append(last.counts, n)
		case KindException:
			t.except(n)
		default:
			t.Counts = append(t.Counts, n)
		}
	}
	for _, p := range of.Processes {
		p.Name = name + ": " + p.Name
		if p.region != "" {
			p.region = "/" + p.region
		}
		p.region = name + p.region
		t.Processes = append(t.Processes, p)
	}
	// The region whose names run out first.
	of.MaxClients = cmp.Or(of.MaxClients, MaxClients)
	if t.MaxClients == 0 || of.Names*t.MaxClients > t.Names*of.MaxClients {
		t.Names, t.MaxClients = of.Names, of.MaxClients
	}
	for _, n := range of.Versions {
		at := slices.IndexFunc(t.Versions, func(v VersionTotal) bool { return v.Version == n.Version })
		if at < 0 {
			t.Versions = append(t.Versions, n)
			continue
		}
		v := &t.Versions[at]
		v.Requests += n.Requests
		v.Rejected += n.Rejected
		v.First, v.Last = earlier(v.First, n.First), max(v.Last, n.Last)
	}
}

// except adds an exception, unless there is a later one.
func (t *Totals) except(n Count) {
	at := slices.IndexFunc(t.Counts, func(was Count) bool {
		return was.Exception != nil && n.Exception != nil && was.Exception.is(n.Exception)
	})
	switch {
	case at < 0:
		t.Counts = append(t.Counts, n)
	case !n.Exception.Time.Before(t.Counts[at].Exception.Time):
		t.Counts[at] = n
	}
}

// Clients merges what the regions yield.
func (j *joined) Clients(ctx context.Context, version string, wanted Wanted) iter.Seq2[*ClientTotal, error] {
	forgotten := wanted.Forgotten
	each := wanted                                                               // of each region
	each.AnyOrder, each.Served, each.Forgotten = false, false, !wanted.NamesOnly // a region knows each name
	if wanted.Limit > 0 {
		each.Limit += 2 // those that [head.read] may read again
	}
	return func(yield func(*ClientTotal, error) bool) {
		heads := make([]head, len(j.regions))
		for i := range heads {
			h := &heads[i]
			h.region, h.wanted = &j.regions[i], each
			h.open = func(wanted Wanted) iter.Seq2[*ClientTotal, error] { return h.Clients(ctx, version, wanted) }
			h.begin()
			defer func() { h.stop() }()
			if err := h.read(); err != nil {
				yield(nil, err)
				return
			}
		}
		var sum ClientTotal
		var same []*ClientTotal
		for n := 0; n < wanted.Limit || wanted.Limit == 0; {
			var least *ClientTotal
			for i := range heads {
				if h := &heads[i]; !h.ended && (least == nil || h.client.Compare(least.ClientName) < 0) {
					least = &h.client
				}
			}
			if least == nil {
				return
			}
			same = same[:0]
			for i := range heads {
				if h := &heads[i]; !h.ended && h.client.ClientName == least.ClientName {
					same = append(same, &h.client)
				}
			}
			name := least.ClientName
			if len(same) > 1 {
				if err := sum.join(same); err != nil {
					yield(nil, err)
					return
				}
				least = &sum
			}
			if forgotten || least.Last == 0 || least.Last >= j.kept {
				if n++; !yield(least, nil) {
					return
				}
			}
			for i := range heads {
				if h := &heads[i]; !h.ended && h.client.ClientName == name {
					if err := h.read(); err != nil {
						yield(nil, err)
						return
					}
				}
			}
		}
	}
}

// head is the next client of a region.
type head struct {
	*region
	client ClientTotal
	ended  bool
	begun  bool
	wanted Wanted
	open   func(Wanted) iter.Seq2[*ClientTotal, error]
	next   func() (*ClientTotal, error, bool)
	asked  int // how often
	stop   func()
}

// begin has the region yield what is wanted.
func (h *head) begin() {
	pull, stop := iter.Pull2(h.open(h.wanted))
	h.asked, h.stop = 0, stop
	h.next = func() (*ClientTotal, error, bool) {
		h.asked++
		return pull()
	}
}

// read reads the next client. Where the limit ends what a region yields, it is asked for those from the last one on:
// forgotten ones count there, and not for all regions together.
func (h *head) read() error {
	n, err, ok := h.next()
	for !ok && h.wanted.Limit > 0 && h.asked > h.wanted.Limit {
		h.stop()
		h.wanted.From = h.client.Client
		h.begin()
		for n, err, ok = h.next(); ok && err == nil && n.Compare(h.client.ClientName) <= 0; {
			n, err, ok = h.next()
		}
	}
	switch {
	case !ok:
		h.ended = true
		return nil
	case err != nil:
		return h.unread(err)
	case h.begun && n.Compare(h.client.ClientName) <= 0: // it would be added to nothing
		return h.unread(fmt.Errorf("its reader yields client %q after %q", n.Client, h.client.Client))
	}
	h.client, h.begun = *n, true
	h.client.Since = cmp.Or(n.Since, n.First) // of a table without requests for its page
	return nil
}

// join adds up a client of several regions.
func (c *ClientTotal) join(all []*ClientTotal) error {
	slices.SortFunc(all, func(a, b *ClientTotal) int { return cmp.Compare(a.First, b.First) })
	*c = ClientTotal{ClientName: all[0].ClientName, Days: c.Days[:0], RejectedDays: c.RejectedDays[:0]}
	var uses RouteUses
	for i, n := range all {
		if i == 0 || Forgotten(c.Last, n.First) {
			c.Since = n.Since
		} else {
			c.Since = joinSince(c.Since, n.Since)
		}
		c.Add(n)
		var err error
		if uses, err = ParseRouteUses(n.Routes, uses); err != nil {
			return err
		}
	}
	c.Routes = uses.String()
	return nil
}

// joinSince returns since when the end would break a client of two regions: since it breaks in the first of them. If it
// breaks in neither, since the later time.
func joinSince(a, b int64) int64 {
	switch {
	case a > 0 && b > 0, a < 0 && b < 0:
		return min(a, b)
	}
	return max(a, b)
}

func (j *joined) Routes(ctx context.Context, version string, clients []ClientName) ([]Count, error) {
	return j.counts(func(r Reader) ([]Count, error) { return r.Routes(ctx, version, clients) })
}

func (j *joined) RoutesOf(ctx context.Context, version string) ([]Count, error) {
	return j.counts(func(r Reader) ([]Count, error) { return r.RoutesOf(ctx, version) })
}

func (j *joined) counts(read func(r Reader) ([]Count, error)) ([]Count, error) {
	each := make([][]Count, len(j.regions))
	err := j.each(func(i int, r *region) (err error) {
		each[i], err = read(r.Reader)
		return err
	})
	return slices.Concat(each...), err
}
