package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
)

// maxSnapshotBytes bounds what [Table.Restore] reads: more than any table writes.
const maxSnapshotBytes = 64 << 20

// Snapshot writes the counts so far as the JSON that [Table.Handler] serves, for
// [Table.Restore] when the process starts again. The errors are those of w.
func (t *Table) Snapshot(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(t.report()); err != nil {
		return fmt.Errorf("usage: %w", err)
	}
	return nil
}

// Restore adds the counts of a snapshot. It skips counts for versions that the
// catalogue no longer has, and logs this; clients and routes beyond the bounds are
// counted together. It returns the error of r, or an error that describes a mistake
// in the snapshot; it then adds no counts.
func (t *Table) Restore(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, maxSnapshotBytes+1))
	if err != nil {
		return fmt.Errorf("usage: %w", err)
	}
	if len(data) > maxSnapshotBytes {
		return fmt.Errorf("usage: the snapshot is larger than %d bytes", maxSnapshotBytes)
	}
	var snapshot report
	if err := json.Unmarshal(data, &snapshot); err != nil {
		return fmt.Errorf("usage: this is not a snapshot: %w", err)
	}
	if err := snapshot.check(); err != nil {
		return fmt.Errorf("usage: this is not a snapshot: %w", err)
	}
	for _, v := range snapshot.Versions {
		t.restore(v, dayOf(snapshot.Time.Unix()))
	}
	return nil
}

// check returns an error for data that no table writes.
func (r *report) check() error {
	if dayOf(r.Time.Unix()) < RecentDays {
		return errors.New("the time is missing")
	}
	for _, v := range r.Versions {
		for _, d := range v.Days {
			if _, err := time.Parse(time.DateOnly, d.Day); err != nil {
				return err
			}
			if d.Requests > countMask || d.Rejected > d.Requests {
				return fmt.Errorf("%s has %d requests and %d rejected ones", d.Day, d.Requests, d.Rejected)
			}
		}
		for _, client := range v.Clients {
			if len(client.Client) > verso.MaxClientBytes {
				return fmt.Errorf("the name of a client has %d bytes", len(client.Client))
			}
			for _, route := range client.Routes {
				if len(route.Days) > RecentDays || len(route.Days) > 0 && slices.Max(route.Days) > countMask {
					return fmt.Errorf("route %q has more than %d days, or a count that is too large", route.Route, RecentDays)
				}
			}
		}
	}
	return nil
}

func (t *Table) restore(v versionReport, taken uint64) {
	version := t.unlisted()
	if v.Version != "" {
		if version = slices.Index(t.catalogue.Versions(), v.Version); version < 0 {
			if v.Requests == 0 {
				return
			}
			slog.Warn("usage: the snapshot has requests for a version that the catalogue does not have: they are skipped",
				"code", "snapshot_version", "requests", v.Requests)
			return
		}
	}
	today := dayOf(t.clock().Unix())
	t.mu.Lock()
	for _, d := range v.Days {
		parsed, _ := time.Parse(time.DateOnly, d.Day)
		day := dayOf(parsed.Unix())
		add(t.rows[2*version][:], day, d.Requests-d.Rejected, today)
		add(t.rows[2*version+1][:], day, d.Rejected, today)
	}
	t.mu.Unlock()
	for _, client := range v.Clients {
		for _, route := range client.Routes {
			of := of{version: version, client: client.Client, otherClient: client.Other, method: route.Method, route: route.Route, rejected: route.Rejected > 0}
			c := t.rest[of.row()]
			if !route.Other {
				c = t.cellOf(of)
			}
			t.restoreCell(c, route, taken, today)
		}
	}
}

// restoreCell adds the counts of a snapshot that was taken on a day.
func (t *Table) restoreCell(c *cell, route routeReport, taken, today uint64) {
	t.mu.Lock()
	for i, requests := range route.Days {
		add(c.days[:], taken-uint64(len(route.Days)-1-i), requests, today)
	}
	t.mu.Unlock()
	c.before.Add(route.Requests)
	if !route.FirstSeen.IsZero() && !route.LastSeen.IsZero() {
		c.seen(route.FirstSeen.Unix(), route.LastSeen.Unix())
	}
}
