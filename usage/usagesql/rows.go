package usagesql

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/usage"
)

// key is the key of a row of verso_usage.
type key struct {
	Version     string `json:"version"`
	Client      string `json:"client"`
	Method      string `json:"method"`
	Route       string `json:"route"`
	Rejected    bool   `json:"rejected"`
	OtherClient bool   `json:"other_client"`
	OtherRoute  bool   `json:"other_route"`
}

func keyOf(n *usage.Count) key {
	return key{n.Version, n.Client, n.Method, n.Route, n.Rejected, n.OtherClient, n.OtherRoute}
}

// isStranger reports whether the key is of a client whose every request was rejected for
// its version, as [usage.Table] counts it.
func (k *key) isStranger() bool {
	return k.Rejected && k.Version == "" && k.Method == "" && k.Client != ""
}

// row is a row of verso_usage.
type row struct {
	key
	Requests uint64 `json:"requests"`
	First    int64  `json:"first_seen"`
	Last     int64  `json:"last_seen"`
	Days     string `json:"days"` // {"2026-11-21":17}

	days []usage.DayCount
}

// include adds a count to its row.
func include(rows map[key]*row, k key, n *usage.Count) {
	r := rows[k]
	if r == nil {
		r = &row{key: k}
		rows[k] = r
	}
	switch {
	case usage.Forgotten(r.Last, n.First):
		*r = row{key: k}
	case usage.Forgotten(n.Last, r.First):
		return
	}
	r.Requests += n.Requests
	r.First, r.Last = earlier(r.First, n.First), max(r.Last, n.Last)
	for _, d := range n.Days {
		r.days = addDay(r.days, d)
	}
}

// byFirst orders counts: a later one may begin again.
func byFirst(a, b usage.Count) int { return cmp.Compare(a.First, b.First) }

// encode sets Days.
func (r *row) encode(oldest string, _ int64) { r.Days = encodeDays(r.days, oldest) }

func encodeDays(days []usage.DayCount, oldest string) string {
	if len(days) == 0 {
		return "{}"
	}
	days = slices.DeleteFunc(slices.Clone(days), func(d usage.DayCount) bool { return d.Day < oldest })
	slices.SortFunc(days, func(a, b usage.DayCount) int { return strings.Compare(a.Day, b.Day) })
	sums := days[:0]
	for _, d := range days {
		if n := len(sums); n > 0 && sums[n-1].Day == d.Day {
			sums[n-1].Requests += d.Requests
		} else {
			sums = append(sums, d)
		}
	}
	return formatDays(sums)
}

// clientRow is a row of verso_usage_clients.
type clientRow struct {
	Version      string `json:"version"`
	Client       string `json:"client"`
	Other        bool   `json:"other_client"`
	Week         int64  `json:"week"`
	Bits         int64  `json:"weeks"`
	Requests     uint64 `json:"requests"`
	Rejected     uint64 `json:"rejections"`
	First        int64  `json:"first_seen"`
	Last         int64  `json:"last_seen"`
	Served       int64  `json:"served"`
	LastServed   int64  `json:"last_served"`
	Days         string `json:"days"`
	RejectedDays string `json:"rejected_days"`
	Since        int64  `json:"since"`
	Routes       string `json:"routes"`

	total  usage.ClientTotal
	routes usage.RouteUses
}

func (c *clientRow) values() []any {
	return []any{c.Version, c.Client, c.Other, c.Week, c.Bits, c.Requests, c.Rejected, c.First, c.Last, c.Served,
		c.LastServed, c.Days, c.RejectedDays, c.Since, c.Routes}
}

const clientColumns = `version, client, other_client, week, weeks, requests, rejections, first_seen, last_seen, ` +
	`served, last_served, days, rejected_days, since, routes`

// include adds a count.
func (c *clientRow) include(n *usage.Count) { c.routes.AddCount(n, c.total.AddCount(n)) }

func (c *clientRow) name() usage.ClientName {
	return usage.ClientName{Client: c.Client, Other: c.Other}
}

// isNamed reports whether the client has a name by these counts: see named.
func (c *clientRow) isNamed() bool {
	return c.Client != "" && (c.Version != "" || c.total.Requests > c.total.Rejected)
}

// addTo adds what was not merged to the total.
func (c *clientRow) addTo(n *usage.ClientTotal) {
	if uses, err := usage.ParseRouteUses(n.Routes, nil); err == nil { // else who reads the total finds it
		uses.Add(c.routes...)
		n.Routes = uses.String()
	}
	switch first := c.total.First; { // as it is when the batches are merged
	case usage.Forgotten(c.total.Last, n.First):
	case usage.Forgotten(n.Last, first), n.Since <= 0, first < n.Since:
		n.Since = first
	}
	n.Add(&c.total)
}

// encode sets the columns that are text, and the weeks: a row without a time is of this week,
// or it would be deleted.
func (c *clientRow) encode(oldest string, now int64) {
	n := &c.total
	c.Requests, c.Rejected, c.First, c.Last, c.LastServed = n.Requests, n.Rejected, n.First, n.Last, n.LastServed
	c.Days, c.RejectedDays = encodeDays(n.Days, oldest), encodeDays(n.RejectedDays, oldest)
	c.Week, c.Bits, c.Since = n.Weeks.Last, int64(n.Weeks.Bits), cmp.Or(c.First, now)
	c.Routes = c.routes.String()
	if n.Weeks.Bits == 0 {
		c.Week = usage.WeekOf(now)
	}
	if n.Served.Bits != 0 {
		c.Served = int64(n.Served.Bits << (c.Week - n.Served.Last))
	}
}

const columns = `version, client, method, route, rejected, other_client, other_route, requests, first_seen, ` +
	`last_seen, days`

func (r *row) values() []any {
	return []any{r.Version, r.Client, r.Method, r.Route, r.Rejected, r.OtherClient, r.OtherRoute, r.Requests,
		r.First, r.Last,
		r.Days}
}

const routeColumns = `version, method, route, rejected, other_route, requests, first_seen, last_seen, days`

func (r *row) ofRoute() []any {
	return []any{r.Version, r.Method, r.Route, r.Rejected, r.OtherRoute, r.Requests, r.First, r.Last, r.Days}
}

const selectRows = `SELECT ` + columns + ` FROM verso_usage`

// scanRow reads a row of selectRows.
func scanRow(rows *sql.Rows) (*row, error) {
	r := new(row)
	err := rows.Scan(&r.Version, &r.Client, &r.Method, &r.Route, &r.Rejected, &r.OtherClient, &r.OtherRoute,
		&r.Requests, &r.First, &r.Last, &r.Days)
	if err == nil {
		r.days, err = parseDays(r.Days)
	}
	return r, err
}

const selectLeft = `SELECT day, version, only_old, both_versions, quiet, pinned, told, moved, accepted
	FROM verso_usage_left
	ORDER BY day, version`

// scanLeft reads a row of selectLeft.
func scanLeft(rows *sql.Rows) (l usage.Left, err error) {
	err = rows.Scan(&l.Day, &l.Version, &l.Only, &l.Both, &l.Quiet, &l.Pinned, &l.Told, &l.Moved, &l.Accepted)
	return l, err
}

// count returns the row as a count.
func (r *row) count() usage.Count {
	return usage.Count{
		Version: r.Version, Client: r.Client, Method: r.Method, Route: r.Route, Rejected: r.Rejected,
		OtherClient: r.OtherClient, OtherRoute: r.OtherRoute,
		Requests: r.Requests, Days: r.days, First: r.First, Last: r.Last,
	}
}

// addDay adds requests on a day.
func addDay(days []usage.DayCount, d usage.DayCount) []usage.DayCount {
	for i := range days {
		if days[i].Day == d.Day {
			days[i].Requests += d.Requests
			return days
		}
	}
	return append(days, d)
}

// parseDays reads the requests by day, which formatDays wrote. It is faster than
// encoding/json, since pages read 600,000 of them.
func parseDays(text string) (days []usage.DayCount, err error) {
	return appendDays(make([]usage.DayCount, 0, strings.Count(text, ":")), text)
}

func appendDays(days []usage.DayCount, text string) ([]usage.DayCount, error) {
	rest, ok := strings.CutPrefix(text, "{")
	for ok && rest != "}" {
		const begin, digits = len(`"2026-11-21":`), 19
		if len(rest) < begin+len(`1}`) || rest[0] != '"' || rest[11] != '"' || rest[12] != ':' {
			ok = false
			break
		}
		d, end := usage.DayCount{Day: rest[1:11]}, begin
		for ; end < min(len(rest)-1, begin+digits) && '0' <= rest[end] && rest[end] <= '9'; end++ {
			d.Requests = 10*d.Requests + uint64(rest[end]-'0')
		}
		ok = end > begin && d.Requests <= math.MaxInt64 && (rest[end] == ',' || rest[end:] == "}")
		rest, days = strings.TrimPrefix(rest[end:], ","), append(days, d)
	}
	if !ok {
		return nil, fmt.Errorf("verso_usage.days has %.100q: write it like {\"2026-11-21\":17}", text)
	}
	return days, nil
}

func formatDays(days []usage.DayCount) string {
	text := []byte{'{'}
	for i, d := range days {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendUint(append(append(append(text, '"'), d.Day...), '"', ':'), d.Requests, 10)
	}
	return string(append(text, '}'))
}

// parseBatch reads the counts of a batch.
func parseBatch(text string) ([]usage.Count, error) {
	var counts []usage.Count
	if err := json.Unmarshal([]byte(text), &counts); err != nil {
		return nil, &contentError{err}
	}
	return counts, nil
}

// contentError is the error of a batch that cannot be read.
type contentError struct{ error }

// named is a condition for rows of clients with a name. It leaves out who was only rejected for its version, and who is
// there for other regions only.
var named = fmt.Sprintf(`client <> '' AND (version <> '' OR requests > rejections) AND (last_seen = 0 OR
	last_seen >= %d * (SELECT retained - %d FROM verso_usage_schema WHERE id = 1))`, secondsPerDay, usage.KeepDays+lateDays)

// selectNames counts these.
var selectNames = `SELECT count(DISTINCT client) FROM verso_usage_clients WHERE ` + named

// putter puts rows into the tables.
type putter struct {
	tx     *sql.Tx
	d      *dialect
	oldest string // of the days that rows keep
	now    int64
}

// put runs a statement with rows, whose values are in the order of its columns: some at once, or each of them.
func put[R interface {
	encode(oldest string, now int64)
}](ctx context.Context, p putter, statement string, rows []R, values func(R) []any) error {
	if p.d.rows == nil {
		return p.putEach(ctx, statement, len(rows), func(i int) []any {
			rows[i].encode(p.oldest, p.now)
			return values(rows[i])
		})
	}
	for some := range slices.Chunk(rows, rowsAtOnce) {
		for _, row := range some {
			row.encode(p.oldest, p.now)
		}
		text, _ := json.Marshal(some) // strings and numbers: it cannot fail
		if _, err := p.tx.ExecContext(ctx, statement, string(text), p.oldest); err != nil {
			return err
		}
	}
	return nil
}

// putEach prepares the statement once. It looks itself whether the context has ended, since a driver that does starts a
// goroutine for each row.
func (p *putter) putEach(ctx context.Context, statement string, n int, values func(i int) []any) error {
	if n == 0 {
		return nil
	}
	prepared, err := p.tx.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = prepared.Close() }()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := prepared.ExecContext(context.WithoutCancel(ctx), append(values(i), p.oldest)...); err != nil {
			return err
		}
	}
	return nil
}
