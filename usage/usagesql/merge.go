package usagesql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/usage"
)

// A merge turns batches into rows. In goes what processes have written since the last one, a batch of JSON each, of any
// process and in any order. Out come the rows of verso_usage and their sums: for a client of a version, a route of a
// version, a day. All of it is one transaction, which deletes its batches: whatever fails, a batch is either
// waiting, and read by pages, or added once. Processes only insert batches, so that a request never waits for
// another process; one of them merges once a minute, and a merge that takes too long has fewer bytes next time.
// Whether a client has a name is decided here, since only the database knows all of them.

// merge adds the batches of all processes to the rows, unless another process is doing
// this. If it fails, it has changed nothing. It calls begun once it has begun to.
func (s *Store) merge(ctx context.Context, begun func()) {
	select {
	case s.mergeLock <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-s.mergeLock }()
	s.merging.log(ctx, s.mergeAll(ctx, begun))
}

func (s *Store) mergeAll(ctx context.Context, begun func()) error {
	start := time.Now()
	for atOnce := batchesAtOnce; ; {
		if time.Since(start) > attempt/3 {
			return nil // the next merge continues
		}
		m := merger{now: s.clock(), maxNames: s.maxNames, bytes: s.mergeBytes, ends: s.ends}
		began := time.Now()
		err := s.transaction(ctx, func(tx *sql.Tx) error {
			begun()
			return m.merge(ctx, tx, s.dialect, atOnce)
		})
		switch took := time.Since(began); { // else a merge that takes too long would be tried again for ever
		case took > s.dialect.mergeFor || err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
			s.mergeBytes = max(1, s.mergeBytes/4)
		case err == nil && m.more && took < s.dialect.mergeFor/4:
			s.mergeBytes = min(2*s.mergeBytes, bytesAtOnce)
		}
		if day := dayOf(m.now); err == nil && m.first && day != s.warnDay {
			s.warnDay = day
			s.warn.Store(true)
		}
		switch {
		case err == nil && !m.more:
			return s.retain(ctx, m.past, m.retained)
		case err == nil:
		case !isContent(err) || len(m.batches) == 0:
			return err
		case atOnce > 1:
			atOnce = 1 // to find the refused batch
		default:
			s.logger.Error("usagesql: a batch of counts is refused for its content: it stays in verso_usage_batches, "+
				"from where the page reads it",
				"code", "usage_refused", "batch", m.batches[0], "error", err)
			if _, err := s.db.ExecContext(ctx, `UPDATE verso_usage_batches SET refused = $1 WHERE id = $2`, true,
				m.batches[0]); err != nil {
				return err
			}
		}
	}
}

// isContent reports whether an error would come back whenever the same is tried: the
// batch cannot be read, or the database refuses a value (SQLSTATE classes 22 and 54).
func isContent(err error) bool {
	var content *contentError
	var state interface{ SQLState() string }
	return errors.As(err, &content) || errors.As(err, &state) &&
		(strings.HasPrefix(state.SQLState(), "22") || strings.HasPrefix(state.SQLState(), "54"))
}

// merger adds batches to rows, in the database: it never reads what does not change. A
// clock may be wrong: what is old, and what is ahead, is so by the clocks of this process
// and of the server.
type merger struct {
	now      time.Time // by the clock of this process
	first    bool      // whether no process has merged on this day or later
	past     time.Time // the earlier of the two
	ahead    time.Time // the later one
	bytes    int       // at most, of batches at once
	retained int64     // the day on which old rows were last deleted

	// names are how many clients have a name, over all processes, and may have one.
	names, maxNames int

	today, tomorrow string   // by the later one
	batches         []string // that are added
	more            bool     // there are more of them
	sums
	ends   []string        // the versions with a deprecation or a sunset
	beyond map[string]bool // clients of the batches that get no name
	made   map[string]bool // likewise, of those that were only rejected for their version
}

func (m *merger) merge(ctx context.Context, tx *sql.Tx, d *dialect, atOnce int) error {
	var version int
	var merged, server int64
	err := tx.QueryRowContext(ctx, `SELECT version, merged, names, retained, `+d.now+
		` FROM verso_usage_schema WHERE id = 1`+d.mergeLock).Scan(&version, &merged, &m.names, &m.retained, &server)
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
	counts, err := m.take(ctx, tx, d, atOnce)
	if err != nil {
		return err
	}
	if len(counts) > 0 {
		m.sums = newSums()
		if err := m.limit(ctx, tx, d, counts); err != nil {
			return err
		}
		slices.SortFunc(counts, byFirst)
		for _, n := range counts {
			m.add(n)
		}
		if err := m.write(ctx, tx, d); err != nil {
			return err
		}
	}
	for _, last := range []struct {
		text  string
		value any
	}{
		{`DELETE FROM verso_usage_days WHERE day < $1`, dayName(m.past, 1-usage.Days)},
		{`DELETE FROM verso_usage_hours WHERE hour < $1 AND hour > (SELECT min(hour) FROM verso_usage_hours)`,
			m.past.AddDate(0, 0, -usage.Days).Unix() / secondsPerHour},
		{`DELETE FROM verso_usage_clocks WHERE seen < $1`, m.past.AddDate(0, 0, -usage.Days).Unix()},
		{`DELETE FROM verso_usage_writers WHERE heard < $1 AND id NOT IN (SELECT id FROM verso_usage_clocks)`,
			m.past.AddDate(0, 0, -usage.Days).Unix()},
		{fmt.Sprintf(`UPDATE verso_usage_schema SET merged = $1, names = %d WHERE id = 1`, m.names), merged},
	} {
		if _, err := tx.ExecContext(ctx, last.text, last.value); err != nil {
			return err
		}
	}
	return nil
}

// take deletes batches and returns their counts: what is deleted is what is read,
// whatever commits meanwhile.
func (m *merger) take(ctx context.Context, tx *sql.Tx, d *dialect, atOnce int) (counts []usage.Count, err error) {
	var ids []string
	bytes := 0
	err = each(ctx, tx, fmt.Sprintf(`SELECT id, `+d.size+
		` FROM verso_usage_batches WHERE NOT refused ORDER BY id LIMIT %d`, atOnce+1), func(rows *sql.Rows) error {
		var id string
		var length int
		err := rows.Scan(&id, &length)
		if bytes += length; len(ids) == atOnce || len(ids) > 0 && bytes > m.bytes {
			m.more = true
		}
		if !m.more {
			ids = append(ids, id)
		}
		return err
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	err = each(ctx, tx, `DELETE FROM verso_usage_batches WHERE id IN (`+d.names+`) RETURNING id, counts`,
		func(rows *sql.Rows) error {
			var id, text string
			if err := rows.Scan(&id, &text); err != nil {
				return err
			}
			m.batches = append(m.batches, id)
			more, err := parseBatch(text)
			counts = append(counts, more...)
			return err
		}, textOf(ids))
	return counts, err
}

// limit finds the clients of the counts that are beyond the bounds, and get no name. Clients that
// call a version with an end get theirs first: the rest gives up its names.
func (m *merger) limit(ctx context.Context, tx *sql.Tx, d *dialect, counts []usage.Count) error {
	m.beyond, m.made = map[string]bool{}, map[string]bool{}
	called, strangers := map[string]bool{}, map[string]bool{} // the former: whether a version with an end
	for i := range counts {
		n := &counts[i]
		k := key{Version: n.Version, Client: storable(n.Client), Method: n.Method, Rejected: n.Rejected}
		switch {
		case n.Kind != usage.KindRequests || k.Client == "":
		case k.isStranger():
			strangers[k.Client] = true
		default:
			called[k.Client] = called[k.Client] || slices.Contains(m.ends, n.Version)
		}
	}
	if len(strangers) > 0 {
		known := map[string]bool{}
		if err := eachName(ctx, tx, known,
			`SELECT client FROM verso_usage
				WHERE version = '' AND method = '' AND rejected AND client <> ''`); err != nil {
			return err
		}
		left := usage.MaxRejected - len(known)
		for name := range strangers {
			if known[name] {
				continue
			}
			if left--; left < 0 {
				m.made[name] = true
			}
		}
	}
	if m.names+len(called) <= m.maxNames {
		return nil
	}
	known := map[string]bool{}
	if err := eachName(ctx, tx, known, `SELECT DISTINCT client FROM verso_usage_clients
		WHERE version IN (SELECT version FROM verso_usage_routes) AND `+named+` AND client IN (`+d.names+`)`,
		textOf(slices.Collect(maps.Keys(called)))); err != nil {
		return err
	}
	var first, last []string // without a name
	for name, ends := range called {
		switch {
		case known[name]:
		case ends:
			first = append(first, name)
		default:
			last = append(last, name)
		}
	}
	if more := len(first) - max(0, m.maxNames-m.names); more > 0 {
		if err := m.giveUp(ctx, tx, d, more); err != nil {
			return err
		}
	}
	for _, name := range append(first, last...)[min(len(first)+len(last), max(0, m.maxNames-m.names)):] {
		m.beyond[name] = true
	}
	return nil
}

// giveUp takes the names of some clients that never called a version with an end: the longest
// silent first. They count together from now on.
func (m *merger) giveUp(ctx context.Context, tx *sql.Tx, d *dialect, n int) error {
	names := map[string]bool{}
	if err := eachName(ctx, tx, names, fmt.Sprintf(`SELECT client FROM verso_usage_clients
		WHERE `+named+` GROUP BY client HAVING sum(CASE WHEN version IN (`+d.names+`) THEN 1 ELSE 0 END) = 0
		ORDER BY max(last_seen), client LIMIT %d`, n), textOf(m.ends)); err != nil {
		return err
	}
	m.names -= len(names)
	maps.Copy(m.beyond, names)
	text := textOf(slices.Collect(maps.Keys(names)))
	if err := each(ctx, tx, `DELETE FROM verso_usage WHERE client IN (`+d.names+`) RETURNING `+columns,
		func(rows *sql.Rows) error {
			r, err := scanRow(rows)
			if err == nil {
				r.Client, r.OtherClient = "", true
				n := r.count()
				m.sums.add(r.key, &n)
			}
			return err
		}, text); err != nil {
		return err
	}
	clear(m.routes) // they have these requests
	clear(m.days)
	return each(ctx, tx, `DELETE FROM verso_usage_clients WHERE client IN (`+d.names+`) RETURNING version, week, weeks, served`,
		func(rows *sql.Rows) error {
			var version string
			var week, all, served int64
			err := rows.Scan(&version, &week, &all, &served)
			if c := m.clients[weeksKey{version, "", true}]; c != nil {
				c.total.Weeks.Add(usage.Weeks{Last: week, Bits: uint64(all)})
				c.total.Served.Add(usage.Weeks{Last: week, Bits: uint64(served)})
			}
			return err
		}, text)
}

// eachName adds the names that a query finds.
func eachName(ctx context.Context, tx *sql.Tx, names map[string]bool, query string, values ...any) error {
	return each(ctx, tx, query, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names[name] = true
		return err
	}, values...)
}

// add adds a count. Days and times ahead come from a wrong clock, and count as now.
func (m *merger) add(n usage.Count) {
	n.Client, n.Method, n.Route = storable(n.Client), storable(n.Method), storable(n.Route)
	k := keyOf(&n)
	if k.isStranger() && m.made[k.Client] || !k.isStranger() && m.beyond[k.Client] {
		k.Client, k.OtherClient = "", true
	}
	n.First, n.Last = min(n.First, m.ahead.Unix()), min(n.Last, m.ahead.Unix())
	for i := range n.Days {
		if n.Days[i].Day > m.tomorrow {
			n.Days[i].Day = m.today
		}
	}
	m.sums.add(k, &n)
}

// beginsAgain is true if a row is [usage.Forgotten] when the added requests begin, and tooLate if these are forgotten when
// the row begins.
var (
	beginsAgain = forgotten("TABLE.last_seen", "excluded.first_seen")
	tooLate     = forgotten("excluded.last_seen", "TABLE.first_seen")
)

func forgotten(last, at string) string {
	return fmt.Sprintf(`(%[2]s > 0 AND %[3]s / %[1]d > %[2]s / %[1]d + %[4]d)`, secondsPerDay, last, at, usage.KeepDays)
}

// These set a column of a row to which another one is added: to the sum, the first or the last time of both, unless
// either is forgotten.
func sumOf(column string) string { return ofBoth(column, `TABLE.%[1]s + excluded.%[1]s`) }

func firstOf(column string) string {
	return ofBoth(column, `CASE WHEN TABLE.%[1]s > 0 AND NOT (excluded.%[1]s > 0 AND excluded.%[1]s < TABLE.%[1]s)
		THEN TABLE.%[1]s ELSE excluded.%[1]s END`)
}

func ofBoth(column, both string) string {
	return fmt.Sprintf(`%[1]s = CASE WHEN `+beginsAgain+` THEN excluded.%[1]s
		WHEN `+tooLate+` THEN TABLE.%[1]s ELSE `+both+` END`, column)
}

func lastOf(column string) string {
	return fmt.Sprintf(`%[1]s = CASE WHEN excluded.%[1]s > TABLE.%[1]s THEN excluded.%[1]s ELSE TABLE.%[1]s END`, column)
}

// weeksOf sets a column of weeks, which go back from the later week of both, as [usage.Weeks.Add] does.
func weeksOf(column string) string {
	return fmt.Sprintf(`%[1]s = %[3]d & CASE WHEN excluded.week <= TABLE.week - %[2]d THEN TABLE.%[1]s
		WHEN excluded.week <= TABLE.week
		THEN TABLE.%[1]s | (excluded.%[1]s << CAST(TABLE.week - excluded.week AS integer))
		WHEN excluded.week - TABLE.week >= %[2]d THEN excluded.%[1]s
		ELSE excluded.%[1]s | (TABLE.%[1]s << CAST(excluded.week - TABLE.week AS integer)) END`,
		column, usage.KeepWeeks, 1<<usage.KeepWeeks-1)
}

// write adds the sums to the rows, with their last 30 days, and to the days.
func (m *merger) write(ctx context.Context, tx *sql.Tx, d *dialect) error {
	p := putter{tx, d, dayName(m.past, 1-usage.RecentDays), m.ahead.Unix()}
	upsert := func(table, columns, key, set string) string {
		values, oldest := d.values(columns)
		return `INSERT INTO ` + table + ` (` + columns + `) ` + values + ` ON CONFLICT (` + key + `) DO UPDATE SET ` +
			strings.NewReplacer("TABLE", table, "OLDEST", oldest).Replace(sumOf("requests")+`, `+firstOf("first_seen")+
				`, `+lastOf("last_seen")+`, days = `+d.days(table, "days")+set)
	}
	// In the order of the keys, since neighbours share pages.
	rows := slices.SortedFunc(maps.Values(m.rows), func(a, b *row) int {
		return cmp.Or(strings.Compare(a.Version, b.Version), strings.Compare(a.Client, b.Client),
			strings.Compare(a.Route, b.Route))
	})
	clients := slices.SortedFunc(maps.Values(m.clients), func(a, b *clientRow) int {
		return cmp.Or(strings.Compare(a.Version, b.Version), strings.Compare(a.Client, b.Client))
	})
	if err := put(ctx, p, upsert("verso_usage", columns, usageKey, ""), rows, (*row).values); err != nil {
		return err
	}
	if err := put(ctx, p, upsert("verso_usage_routes", routeColumns, routesKey, ""),
		slices.Collect(maps.Values(m.routes)), (*row).ofRoute); err != nil {
		return err
	}
	if err := m.readRoutes(ctx, tx, d); err != nil {
		return err
	}
	if err := put(ctx, p, upsert("verso_usage_clients", clientColumns, clientsKey, `, `+sumOf("rejections")+`,
		`+lastOf("last_served")+`, `+weeksOf("weeks")+`, `+weeksOf("served")+`, `+lastOf("week")+`,
		rejected_days = `+d.days("verso_usage_clients", "rejected_days")+`,
		`+ofBoth("since", `CASE WHEN TABLE.since > 0 AND TABLE.since < excluded.since THEN TABLE.since
			ELSE excluded.since END`)+`,
		routes = excluded.routes`),
		clients, (*clientRow).values); err != nil {
		return err
	}
	for k, n := range m.days {
		if _, err := tx.ExecContext(ctx, `INSERT INTO verso_usage_days (day, version, rejected, requests)
			VALUES ($1, $2, $3, $4) ON CONFLICT (day, version, rejected)
			DO UPDATE SET requests = verso_usage_days.requests + excluded.requests`,
			k.day, k.version, k.rejected, n); err != nil {
			return err
		}
	}
	return nil
}

// readRoutes adds to each client when it called each route before, and counts those that get a name: no other process
// merges.
func (m *merger) readRoutes(ctx context.Context, tx *sql.Tx, d *dialect) error {
	var names []string
	more := map[string]bool{}
	for k, c := range m.clients {
		names = append(names, k.client)
		if c.isNamed() {
			more[k.client] = true
		}
	}
	defer func() { m.names += len(more) }()
	return each(ctx, tx, `SELECT version, client, other_client, routes, `+named+` FROM verso_usage_clients
		WHERE version IN (SELECT version FROM verso_usage_routes) AND client IN (`+d.names+`)`,
		func(rows *sql.Rows) error {
			var k weeksKey
			var text string
			var isNamed bool
			err := rows.Scan(&k.version, &k.client, &k.other, &text, &isNamed)
			if isNamed {
				delete(more, k.client)
			}
			if err != nil || m.clients[k] == nil {
				return err
			}
			uses, err := usage.ParseRouteUses(text, nil)
			uses.Forget(m.past.AddDate(0, 0, -7*usage.KeepWeeks-lateDays).Unix())
			m.clients[k].routes.Add(uses...)
			return err
		}, textOf(names))
}
