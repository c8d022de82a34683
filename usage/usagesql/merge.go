package usagesql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/usage"
)

const (
	batchesAtOnce = 500  // bounds the memory of a merge
	rowsAtOnce    = 5000 // in one statement
)

// merge adds the batches of all processes to the rows, unless another process is doing
// this. If it fails, it has changed nothing.
func (s *Store) merge(ctx context.Context) {
	if s.acquire(ctx) != nil {
		return
	}
	defer s.release()
	s.merging.log(ctx, s.mergeAll(ctx))
}

func (s *Store) mergeAll(ctx context.Context) error {
	for atOnce := batchesAtOnce; ; {
		m := merger{now: s.clock()}
		err := s.transaction(ctx, func(tx *sql.Tx) error { return m.merge(ctx, tx, s.dialect, atOnce) })
		if day := dayOf(m.now); err == nil && m.first && day != s.warnDay {
			s.warnDay = day
			s.warn.Store(true)
		}
		switch {
		case err == nil && len(m.batches) < atOnce:
			return nil
		case err == nil:
		case !isContent(err) || len(m.batches) == 0:
			return err
		case atOnce > 1:
			atOnce = 1 // to find the refused batch
		default:
			s.logger.Error("usagesql: a batch of counts is refused for its content: it stays in verso_usage_batches, from where the page reads it",
				"code", "usage_refused", "batch", m.batches[0], "error", err)
			if _, err := s.db.ExecContext(ctx, `UPDATE verso_usage_batches SET refused = $1 WHERE id = $2`, true, m.batches[0]); err != nil {
				return err
			}
		}
	}
}

// contentError is the error of a batch that cannot be read.
type contentError struct{ error }

// isContent reports whether an error would come back whenever the same is tried: the
// batch cannot be read, or the database refuses a value (SQLSTATE classes 22 and 54).
func isContent(err error) bool {
	var content *contentError
	var state interface{ SQLState() string }
	return errors.As(err, &content) || errors.As(err, &state) && (strings.HasPrefix(state.SQLState(), "22") || strings.HasPrefix(state.SQLState(), "54"))
}

// merger adds batches to rows. A clock may be wrong: what is old, and what is ahead, is
// so by the clocks of this process and of the server.
type merger struct {
	now   time.Time // by the clock of this process
	first bool      // whether no process has merged on this day or later
	past  time.Time // the earlier of the two
	ahead time.Time // the later one

	today, tomorrow string   // by the later one
	batches         []string // that are added
	rows            map[key]*row
	clients         map[string]bool
	strangers       int // clients whose every request was rejected for its version
	cells           int // rows of routes
	days            map[dayKey]uint64
	weeks           map[weeksKey]weeks
}

// weeksKey is a client of a version.
type weeksKey struct {
	version, client string
	other           bool
}

type weeks struct {
	usage.Weeks
	changed bool
}

type dayKey struct {
	day, version string
	rejected     bool
}

func (m *merger) merge(ctx context.Context, tx *sql.Tx, d *dialect, atOnce int) error {
	var version int
	var merged, server int64
	err := tx.QueryRowContext(ctx, `SELECT version, merged, `+d.now+` FROM verso_usage_schema WHERE id = 1`+d.mergeLock).Scan(&version, &merged, &server)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // another process merges
	}
	if err := errors.Join(err, checkVersion(version)); err != nil {
		return err
	}
	m.first = merged/secondsPerDay < m.now.Unix()/secondsPerDay
	m.past, m.ahead = m.now.UTC(), time.Unix(server, 0).UTC()
	if m.ahead.Before(m.past) {
		m.past, m.ahead = m.ahead, m.past
	}
	merged = max(m.now.Unix(), min(merged, m.ahead.Unix())) // a slow clock does not begin a day again
	m.today, m.tomorrow = dayName(m.ahead, 0), dayName(m.ahead, 1)
	counts, err := m.take(ctx, tx, atOnce)
	if err != nil {
		return err
	}
	if len(counts) > 0 {
		if err := m.read(ctx, tx); err != nil {
			return err
		}
		for _, n := range counts {
			m.add(n)
		}
		if err := m.write(ctx, tx, d); err != nil {
			return err
		}
	}
	for _, last := range []struct {
		statement string
		value     any
	}{
		{`DELETE FROM verso_usage WHERE last_seen > 0 AND last_seen < $1`, m.past.AddDate(0, 0, -usage.KeepDays).Unix()},
		{`DELETE FROM verso_usage_days WHERE day < $1`, dayName(m.past, 1-usage.Days)},
		{`DELETE FROM verso_usage_clients WHERE week < $1`, usage.WeekOf(m.past.AddDate(0, 0, -usage.KeepDays).Unix())},
		{`DELETE FROM verso_usage_hours WHERE hour < $1 AND hour > (SELECT min(hour) FROM verso_usage_hours)`, m.past.AddDate(0, 0, -usage.Days).Unix() / secondsPerHour},
		{`DELETE FROM verso_usage_clocks WHERE seen < $1`, m.past.AddDate(0, 0, -usage.Days).Unix()},
		{`DELETE FROM verso_usage_writers WHERE heard < $1 AND id NOT IN (SELECT id FROM verso_usage_clocks)`, m.past.AddDate(0, 0, -usage.Days).Unix()},
		{`UPDATE verso_usage_schema SET merged = $1 WHERE id = 1`, merged},
	} {
		if _, err := tx.ExecContext(ctx, last.statement, last.value); err != nil {
			return err
		}
	}
	return nil
}

// take deletes batches and returns their counts: what is deleted is what is read,
// whatever commits meanwhile.
func (m *merger) take(ctx context.Context, tx *sql.Tx, atOnce int) (counts []usage.Count, err error) {
	err = each(ctx, tx, fmt.Sprintf(`DELETE FROM verso_usage_batches WHERE id IN (SELECT id FROM verso_usage_batches WHERE NOT refused ORDER BY id LIMIT %d) RETURNING id, counts`, atOnce),
		func(rows *sql.Rows) error {
			var id, text string
			if err := rows.Scan(&id, &text); err != nil {
				return err
			}
			m.batches = append(m.batches, id)
			more, err := parseBatch(text)
			counts = append(counts, more...)
			return err
		})
	return counts, err
}

// read reads the rows. One process at a time writes them.
func (m *merger) read(ctx context.Context, tx *sql.Tx) error {
	m.rows, m.clients, m.days, m.weeks = map[key]*row{}, map[string]bool{}, map[dayKey]uint64{}, map[weeksKey]weeks{}
	err := each(ctx, tx, selectWeeks, func(rows *sql.Rows) error {
		n, err := scanWeeks(rows)
		m.weeks[weeksKey{n.Version, n.Client, n.OtherClient}] = weeks{Weeks: n.Weeks}
		return err
	})
	if err != nil {
		return err
	}
	return each(ctx, tx, selectRows, func(rows *sql.Rows) error {
		r, err := scanRow(rows)
		m.know(r)
		return err
	})
}

// know adds a row.
func (m *merger) know(r *row) {
	m.rows[r.key] = r
	switch {
	case r.isStranger():
		m.strangers++
	case r.Client != "":
		m.clients[r.Client] = true
	}
	if !r.OtherRoute {
		m.cells++
	}
}

// add adds a count. Days and times ahead come from a wrong clock, and count as now.
func (m *merger) add(n usage.Count) {
	var r *row
	if n.Kind == usage.KindRequests {
		r = m.rowOf(key{n.Version, storable(n.Client), storable(n.Method), storable(n.Route), n.Rejected, n.OtherClient, n.OtherRoute})
		r.changed = true
		r.Requests += n.Requests
		if first := min(n.First, m.ahead.Unix()); first > 0 && (r.First == 0 || first < r.First) {
			r.First = first
		}
		r.Last = max(r.Last, min(n.Last, m.ahead.Unix()))
	}
	for _, d := range n.Days {
		if d.Day > m.tomorrow {
			d.Day = m.today
		}
		if r != nil {
			r.add(d.Day, d.Requests)
		}
		m.days[dayKey{d.Day, n.Version, n.Rejected}] += d.Requests
	}
}

// rowOf returns the row of a key, or the row for everything beyond the bounds.
func (m *merger) rowOf(k key) *row {
	if r, ok := m.rows[k]; ok {
		return r
	}
	switch {
	case k.isStranger() && m.strangers >= usage.MaxRejected,
		!k.isStranger() && k.Client != "" && !m.clients[k.Client] && len(m.clients) >= usage.MaxClients:
		k.Client, k.OtherClient = "", true
	}
	if _, ok := m.rows[k]; !ok && m.cells >= usage.MaxCells {
		if k.Version != "" && k.Client != "" && m.clients[k.Client] {
			k = key{Version: k.Version, Client: k.Client, Rejected: k.Rejected, OtherRoute: true}
		} else {
			k = key{Version: k.Version, Rejected: k.Rejected, OtherClient: true, OtherRoute: true}
		}
	}
	if _, ok := m.rows[k]; !ok {
		m.know(&row{key: k})
	}
	return m.rows[k]
}

// called records in which weeks a client called a version.
func (m *merger) called(n *usage.Count) {
	k := weeksKey{n.Version, n.Client, n.OtherClient}
	w := m.weeks[k]
	before := w.Weeks
	w.AddCount(n)
	w.changed = w.changed || w.Weeks != before
	m.weeks[k] = w
}

// write writes the rows that changed, with their last 30 days, and the days.
func (m *merger) write(ctx context.Context, tx *sql.Tx, d *dialect) error {
	var changed []*row
	oldest := dayName(m.past, 1-usage.RecentDays)
	for _, r := range m.rows {
		if !r.changed {
			continue
		}
		n := r.count() // before its days are dropped, also those that an earlier release has counted
		m.called(&n)
		r.days = slices.DeleteFunc(r.days, func(d usage.DayCount) bool { return d.Day < oldest })
		slices.SortFunc(r.days, func(a, b usage.DayCount) int { return strings.Compare(a.Day, b.Day) })
		r.Days = formatDays(r.days)
		changed = append(changed, r)
	}
	for some := range slices.Chunk(changed, rowsAtOnce) {
		text, _ := json.Marshal(some) // strings and numbers: it cannot fail
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage (`+columns+`) SELECT `+columns+` FROM `+d.rows+` WHERE true
			ON CONFLICT (version, client, method, route, rejected, other_client, other_route) DO UPDATE SET
				requests = excluded.requests, first_seen = excluded.first_seen, last_seen = excluded.last_seen, days = excluded.days`, string(text)); err != nil {
			return err
		}
	}
	for k, w := range m.weeks {
		if !w.changed {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_clients (version, client, other_client, week, weeks) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (version, client, other_client) DO UPDATE SET week = excluded.week, weeks = excluded.weeks`, k.version, k.client, k.other, w.Last, int64(w.Bits)); err != nil {
			return err
		}
	}
	for k, n := range m.days {
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_days (day, version, rejected, requests) VALUES ($1, $2, $3, $4)
			ON CONFLICT (day, version, rejected) DO UPDATE SET requests = verso_usage_days.requests + excluded.requests`, k.day, k.version, k.rejected, n); err != nil {
			return err
		}
	}
	return nil
}

// dayName returns the name of a day, given in days after a time in UTC.
func dayName(t time.Time, after int) string { return t.AddDate(0, 0, after).Format(time.DateOnly) }
