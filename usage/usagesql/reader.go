package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/usage"
)

// This file reads for a page. In come the tables, and the batches that are not merged into them yet, in one
// transaction: all that a report has is of one moment. Out come the rows of [usage.Reader], in the order that a
// Table in memory gives them. Rows of the tables stream, and those of batches are put between them.

// reader reads from one moment of the database.
type reader struct {
	tx         *sql.Tx
	d          *dialect
	cancel     func()
	version    int   // of the tables
	server     int64 // the time of the server
	maxClients int
	kept       int64 // the first second of requests that are not forgotten
	pending    *sums // of batches that are not merged
	notRead    func(error) error
}

var _ usage.Reader = (*reader)(nil)

func (r *reader) Close() {
	_ = r.tx.Rollback()
	r.cancel()
}

// explain logs why nothing can be read, unless the client has gone.
func (r *reader) explain(ctx context.Context, err *error) {
	if *err != nil && ctx.Err() == nil {
		*err = r.notRead(*err)
	}
}

// readPending reads the batches.
func (r *reader) readPending(ctx context.Context) error {
	var counts []usage.Count
	err := each(ctx, r.tx, `SELECT counts FROM verso_usage_batches`, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		batch, _ := parseBatch(text) // the log has refused ones
		counts = append(counts, batch...)
		return err
	})
	slices.SortFunc(counts, byFirst)
	all := newSums()
	for i := range counts {
		all.add(keyOf(&counts[i]), &counts[i])
	}
	r.pending = &all
	return err
}

// isKept is true of rows that are not forgotten: $1 is the first second of these. Those without a time stay.
const isKept = `(last_seen = 0 OR last_seen >= $1)`

func (r *reader) isKept(last int64) bool { return last == 0 || last >= r.kept }

// keptFor returns likewise the first second of wanted clients.
func (r *reader) keptFor(wanted *usage.Wanted) int64 {
	if wanted.Forgotten {
		return r.kept - usage.KeepWeeks*secondsPerWeek
	}
	return r.kept
}

func (r *reader) Totals(ctx context.Context, recent int64) (t usage.Totals, err error) {
	defer r.explain(ctx, &err)
	r.kept = usage.KeptFrom(recent)
	if err := r.readPending(ctx); err != nil {
		return t, err
	}
	t.MaxClients = r.maxClients
	more := map[string]bool{}
	for k, c := range r.pending.clients {
		if c.isNamed() {
			more[k.client] = true
		}
	}
	if t.Names, err = countNames(ctx, r.tx, r.d, more); err != nil {
		return t, err
	}
	sums := totals{&t, map[string]*usage.VersionTotal{}}
	sums.addPending(r)
	if err := r.readTotals(ctx, sums); err != nil {
		return t, err
	}
	for _, v := range sums.versions {
		t.Versions = append(t.Versions, *v)
	}
	return t, nil
}

// totals are added up by version.
type totals struct {
	*usage.Totals
	versions map[string]*usage.VersionTotal
}

func (t totals) of(version string) *usage.VersionTotal {
	if t.versions[version] == nil {
		t.versions[version] = &usage.VersionTotal{Version: version}
	}
	return t.versions[version]
}

func (t totals) add(version string, rejected bool, requests uint64, first, last int64) {
	v := t.of(version)
	v.Requests += requests
	if rejected {
		v.Rejected += requests
	}
	v.First, v.Last = earlier(v.First, first), max(v.Last, last)
}

func (t totals) addDay(k dayKey, requests uint64) {
	t.Counts = append(t.Counts, usage.Count{Kind: usage.KindDays, Version: k.version, Rejected: k.rejected,
		Days: []usage.DayCount{{Day: k.day, Requests: requests}}})
}

// addPending adds what was not merged.
func (t totals) addPending(r *reader) {
	for k, c := range r.pending.routes {
		if r.isKept(c.Last) {
			t.add(k.Version, k.Rejected, c.Requests, c.First, c.Last)
		}
	}
	for k, n := range r.pending.days {
		t.addDay(k, n)
	}
}

// readTotals adds the rows.
func (r *reader) readTotals(ctx context.Context, t totals) error {
	for _, read := range []struct {
		query  string
		row    func(rows *sql.Rows) error
		values []any
	}{
		{`SELECT version, rejected, sum(requests), min(CASE WHEN first_seen > 0 THEN first_seen END), max(last_seen)
			FROM verso_usage_routes WHERE ` + isKept + ` GROUP BY version, rejected`, func(rows *sql.Rows) error {
			var version string
			var rejected bool
			var requests uint64
			var first sql.NullInt64
			var last int64
			err := rows.Scan(&version, &rejected, &requests, &first, &last)
			t.add(version, rejected, requests, first.Int64, last)
			return err
		}, []any{r.kept}},
		{`SELECT day, version, rejected, requests FROM verso_usage_days ORDER BY day`, func(rows *sql.Rows) error {
			var k dayKey
			var requests uint64
			err := rows.Scan(&k.day, &k.version, &k.rejected, &requests)
			t.addDay(k, requests)
			return err
		}, nil},
		{`SELECT first_heard FROM verso_usage_hours`, func(rows *sql.Rows) error {
			n := usage.Count{Kind: usage.KindCounting}
			err := rows.Scan(&n.First)
			n.Last = n.First
			t.Counts = append(t.Counts, n)
			return err
		}, nil},
		{`SELECT version, client, route, kind, made_by, note, at, until
			FROM verso_usage_exceptions`, func(rows *sql.Rows) error {
			var e usage.Exception
			var at, until int64
			err := rows.Scan(&e.Version, &e.Client, &e.Route, &e.Kind, &e.By, &e.Note, &at, &until)
			if e.Time = time.Unix(at, 0).UTC(); until > 0 {
				e.Until = time.Unix(until, 0).UTC()
			}
			t.Counts = append(t.Counts, usage.Count{Kind: usage.KindException, Version: e.Version, Exception: &e})
			return err
		}, nil},
		{selectLeft, func(rows *sql.Rows) error {
			l, err := scanLeft(rows)
			t.Left = append(t.Left, l)
			return err
		}, nil},
		{selectProcesses, func(rows *sql.Rows) error {
			p, err := scanProcess(rows, r.server)
			if p.Silent <= 24*time.Hour {
				t.Processes = append(t.Processes, p)
			}
			return err
		}, nil},
	} {
		if err := each(ctx, r.tx, read.query, read.row, read.values...); err != nil {
			return err
		}
	}
	return nil
}

// countNames returns how many clients have a name in the database, or get it when the batches are
// merged.
func countNames(ctx context.Context, tx *sql.Tx, d *dialect, more map[string]bool) (n int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT names FROM verso_usage_schema WHERE id = 1`).Scan(&n)
	if err != nil || len(more) == 0 {
		return n, err
	}
	var found int
	err = tx.QueryRowContext(ctx, selectNames+`
		AND version IN (SELECT version FROM verso_usage_routes) AND client IN (`+d.names+`)`,
		textOf(slices.Collect(maps.Keys(more)))).Scan(&found)
	return n + len(more) - found, err
}

func scanProcess(rows *sql.Rows, server int64) (p usage.Process, err error) {
	var heard, seen int64
	err = rows.Scan(&p.Name, &heard, &p.Ended, &p.Skew, &seen)
	p.LastSeen, p.Silent = time.Unix(heard, 0).UTC(), time.Duration(server-seen)*time.Second
	return p, err
}

func (r *reader) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) {
		pending := map[usage.ClientName]*clientRow{}
		for k, c := range r.pending.clients {
			last := c.total.Last
			if k.version == version && wanted.Has(k.client) && (last == 0 || last >= r.keptFor(&wanted)) {
				pending[c.name()] = c
			}
		}
		order := slices.SortedFunc(maps.Keys(pending), usage.ClientName.Compare)
		given := 0
		give := func(n *usage.ClientTotal) error {
			if given++; !yield(n, nil) || given == wanted.Limit {
				return errDone
			}
			return nil
		}
		next := func(before *usage.ClientName) error {
			for ; len(order) > 0 && (before == nil || order[0].Compare(*before) < 0); order = order[1:] {
				if c := pending[order[0]]; c != nil { // else it was added to its row
					n := usage.ClientTotal{ClientName: c.name()}
					c.addTo(&n)
					if err := give(&n); err != nil {
						return err
					}
				}
			}
			return nil
		}
		merge := func(n *usage.ClientTotal) error {
			if !wanted.AnyOrder {
				if err := next(&n.ClientName); err != nil {
					return err
				}
			}
			if c := pending[n.ClientName]; c != nil {
				c.addTo(n)
				pending[n.ClientName] = nil
			}
			return give(n)
		}
		if len(pending) == 0 {
			merge = give
		} else {
			wanted.Served = false
		}
		err := r.eachClient(ctx, version, wanted, merge)
		if err == nil {
			err = next(nil)
		}
		if err != nil && !errors.Is(err, errDone) {
			r.explain(ctx, &err)
			yield(nil, err)
		}
	}
}

// errDone ends reading, since no more is wanted.
var errDone = errors.New("done")

// eachClient calls a function for each row of a client, in their order.
func (r *reader) eachClient(ctx context.Context, version string, wanted usage.Wanted,
	do func(*usage.ClientTotal) error) error {
	query, values := ` FROM verso_usage_clients WHERE version = $2 AND `+isKept, []any{r.keptFor(&wanted), version}
	if wanted.Names != nil {
		query, values = query+` AND client IN (`+strings.Replace(r.d.names, "$1", "$3", 1)+`)`,
			append(values, textOf(wanted.Names))
	}
	if wanted.From != "" {
		values = append(values, wanted.From)
		query += ` AND client >= $` + strconv.Itoa(len(values))
	}
	if wanted.Until != "" {
		values = append(values, wanted.Until)
		query += ` AND client < $` + strconv.Itoa(len(values))
	}
	if !wanted.AnyOrder {
		query += ` ORDER BY client` + r.d.bytewise + `, other_client`
	}
	if wanted.Limit > 0 {
		query += ` LIMIT ` + strconv.Itoa(wanted.Limit)
	}
	var n usage.ClientTotal
	if wanted.NamesOnly {
		return each(ctx, r.tx, `SELECT client, other_client, last_seen`+query, func(rows *sql.Rows) error {
			n = usage.ClientTotal{}
			if err := rows.Scan(&n.Client, &n.Other, &n.Last); err != nil {
				return err
			}
			return do(&n)
		}, values...)
	}
	var bits, served int64
	var text string
	// Each column of a row costs more than what it has.
	columns, to := `client, other_client, week, weeks, served, last_served, last_seen`,
		[]any{&n.Client, &n.Other, &n.Weeks.Last, &bits, &served, &n.LastServed, &n.Last}
	if !wanted.Served {
		columns, to = columns+`, requests, rejections, first_seen, since`,
			append(to, &n.Requests, &n.Rejected, &n.First, &n.Since)
	}
	to = append(to, &text)
	days, routes := len(values)+1, len(values)+2
	query = fmt.Sprintf(`SELECT %s, CASE WHEN last_seen >= $%d THEN days || rejected_days ELSE '{}{}' END ||
		CASE WHEN last_seen < $%d THEN routes ELSE '' END`, columns, days, routes) + query
	return each(ctx, r.tx, query, func(rows *sql.Rows) error {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		n.Weeks.Bits, n.Served = uint64(bits), usage.Weeks{Last: n.Weeks.Last, Bits: uint64(served)}
		var err error
		if n.Days, text, err = cutDays(n.Days[:0], text); err != nil {
			return err
		}
		n.RejectedDays, n.Routes, err = cutDays(n.RejectedDays[:0], text)
		if err != nil {
			return err
		}
		return do(&n)
	}, append(values, wanted.DaysSince, wanted.RoutesBefore)...)
}

// cutDays reads the requests by day at the beginning of a text, and returns what follows.
func cutDays(days []usage.DayCount, text string) (_ []usage.DayCount, rest string, err error) {
	if rest, ok := strings.CutPrefix(text, "{}"); ok {
		return days, rest, nil
	}
	end := strings.IndexByte(text, '}') + 1
	if end == 0 {
		end = len(text) // an error
	}
	days, err = appendDays(days, text[:end])
	return days, text[end:], err
}

func (r *reader) Routes(ctx context.Context, version string, clients []usage.ClientName) ([]usage.Count, error) {
	wanted := make(map[usage.ClientName]bool, len(clients))
	var names []string
	for _, c := range clients {
		wanted[c] = true
		names = append(names, c.Client)
	}
	return r.counts(ctx, r.pending.rows, func(k *key) bool {
		return k.Version == version && wanted[usage.ClientName{Client: k.Client, Other: k.OtherClient}]
	}, selectRows+` WHERE `+isKept+` AND version = $2 AND client IN (`+strings.Replace(r.d.names, "$1", "$3", 1)+`)`,
		r.kept, version, textOf(names))
}

// counts returns the rows of a query that are wanted, and those of batches.
func (r *reader) counts(ctx context.Context, pending map[key]*row, wanted func(*key) bool, query string,
	values ...any) (counts []usage.Count, err error) {
	defer r.explain(ctx, &err)
	err = each(ctx, r.tx, query, func(rows *sql.Rows) error {
		row, err := scanRow(rows)
		if err == nil && wanted(&row.key) {
			counts = append(counts, row.count())
		}
		return err
	}, values...)
	for k, row := range pending {
		if wanted(&k) && r.isKept(row.Last) {
			counts = append(counts, row.count())
		}
	}
	return counts, err
}

func (r *reader) RoutesOf(ctx context.Context, version string) ([]usage.Count, error) {
	return r.counts(ctx, r.pending.routes, func(k *key) bool { return k.Version == version },
		`SELECT version, '', method, route, rejected, false, other_route, requests, first_seen, last_seen, days
		FROM verso_usage_routes WHERE `+isKept+` AND version = $2`, r.kept, version)
}

// selectProcesses has the processes, with the skew of their clocks, and when they last wrote by
// the clock of the server. Only a wrong clock has a row.
const selectProcesses = `SELECT name, heard, ended, COALESCE(skew, 0), COALESCE(seen, heard)
	FROM verso_usage_writers LEFT JOIN verso_usage_clocks ON verso_usage_clocks.id = verso_usage_writers.id
	ORDER BY name, verso_usage_writers.id`
