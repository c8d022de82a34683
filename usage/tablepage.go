package usage

import (
	"context"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
)

// Handler returns the page of the counts of the table. Explain is the Explain of the
// adapter's Routes, or nil: see [Page].
func (t *Table) Handler(explain func() *verso.Explanation) *Page {
	return &Page{Catalogue: t.catalogue, Clock: t.clock, Explain: explain, Counter: t, Open: t.open}
}

// open returns a reader of the counts of the table.
func (t *Table) open(ctx context.Context) (Reader, error) {
	counts := t.counts(false)
	t.mu.Lock()
	defer t.mu.Unlock()
	return Snapshot{
		MaxClients: t.bounds.Clients, Names: min(t.clients.len(), t.bounds.Clients), Counts: counts,
		Processes: []Process{{Name: ProcessName(), LastSeen: t.clock()}}, Left: slices.Clone(t.left), since: t.sinceOf,
		judged: t.judged,
	}.Open(ctx)
}

// sinceOf returns since when the end of a version would break a client, or not.
func (t *Table) sinceOf(version string, c ClientName) int64 {
	index, _ := t.versionOf(version)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.breaks[weeksKey{index, c}]
}

// judged records how many clients of a version are left on each day with a request for the page, and since when
// the end of the version would break each of them.
func (t *Table) judged(now time.Time, left Left, clients []*movingClient) {
	index, _ := t.versionOf(left.Version)
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest := now.AddDate(0, 0, 1-KeepDays).UTC().Format(time.DateOnly)
	t.left = append(slices.DeleteFunc(t.left, func(l Left) bool {
		return l.Day < oldest || l.Day == left.Day && l.Version == left.Version
	}), left)
	if t.breaks == nil {
		t.breaks = map[weeksKey]int64{}
	}
	for _, c := range clients {
		k := weeksKey{index, ClientName{c.Client, c.Other}}
		was := t.breaks[k]
		if max(was, -was) < c.first.Unix() { // it was forgotten since
			was = 0
		}
		switch {
		case c.counted == "": // nothing of pins is recorded
			continue
		case c.counted == groupTold && was > 0: // it is not new when it calls once more
		case !c.counted.Breaks():
			t.breaks[k] = -now.Unix()
		case was < 0:
			t.breaks[k] = now.Unix()
		case was == 0:
			t.breaks[k] = c.first.Unix()
		}
		c.since = t.breaks[k]
	}
}
