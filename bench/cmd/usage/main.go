// Command usage measures the usage page of a service with many clients, whose counts are in a
// database: many processes count a year, and then each view is asked for.
//
//	go run ./cmd/usage -dsn 'postgres://…' -clients 100000 -routes 15 -processes 50
//
// The database should be empty: its tables stay. Without a DSN, it is an SQLite file. To compare two checkouts, let each
// of them fill its own database, and then ask by turns, whose medians are worth more than times of one run:
//
//	go run ./cmd/usage -sqlite /tmp/usage.db -ask -turns 1 -views gate,list
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/goverso/verso/bench/internal/report"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage/usagesql"
)

func main() {
	var o options
	flag.StringVar(&o.dsn, "dsn", "", "of a PostgreSQL")
	flag.StringVar(&o.sqlite, "sqlite", "", "the file of an SQLite database, if there is no -dsn: a temporary one")
	flag.StringVar(&o.views, "views", "", "only these, by their names, with commas")
	flag.IntVar(&o.clients, "clients", 100_000, "clients")
	flag.IntVar(&o.routes, "routes", 15, "that each client calls, of 20 times as many")
	flag.IntVar(&o.processes, "processes", 50, "stores, which share the database")
	flag.IntVar(&o.turns, "turns", 3, "of each view, of which the fastest one counts")
	flag.BoolVar(&o.ask, "ask", false, "only ask: the database has the counts of an earlier run")
	flag.Parse()
	if err := o.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type options struct {
	dsn, sqlite, views                string
	clients, routes, processes, turns int
	ask                               bool
}

// eras are the days of the year on which all clients call a version, but for one of ten clients,
// which stays on the first.
var eras = []struct {
	version string
	day     int
}{{"v1", 30}, {"v2", 200}, {"v3", 390}}

// view is what is asked for, and what its answer has to be.
type view struct {
	name, query string
	status      int
}

var views = []view{
	{"page", "format=html", 200},
	{"gate", "ready=v1", 409},
	{"metrics", "format=openmetrics", 200},
	{"one client", "client=customer-000010", 200},
	{"list", "clients=v1&format=html", 200},
	{"summary", "level=summary&format=json", 200},
	{"CSV of a state", "clients=v1&state=only&format=csv", 200},
	{"letters", "letters=v1&state=only&format=csv", 200},
	{"whole CSV", "format=csv", 200},
	{"whole JSON", "format=json", 200},
	{"export", "format=jsonl", 200},
}

func (o *options) run(ctx context.Context, out io.Writer) error {
	db, dialect, err := o.open()
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var now atomic.Int64
	clock := func() time.Time { return time.Unix(now.Load(), 0).UTC() }
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: start.AddDate(0, 0, 100), Sunset: start.AddDate(0, 0, 420), Successor: "v2"},
		{Version: "v2"}, {Version: "v3"},
	}})
	store := func() (*usagesql.Store, error) {
		return usagesql.New(&verso.Config{Catalogue: versions, Clock: clock}, usagesql.Config{
			DB: db, Dialect: dialect, Every: time.Minute, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		})
	}
	for _, era := range eras {
		if o.ask {
			break
		}
		now.Store(start.AddDate(0, 0, era.day).Add(9 * time.Hour).Unix())
		begun := time.Now()
		if err := o.count(ctx, db, store, era.version, &now); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s: %d combinations were written and merged in %v\n", era.version, o.clients*o.routes,
			time.Since(begun).Round(time.Millisecond))
	}
	now.Store(start.AddDate(0, 0, eras[2].day+3).Add(9 * time.Hour).Unix())
	s, err := store()
	if err != nil {
		return err
	}
	defer func() { _ = s.Close(ctx) }()
	if dialect == usagesql.PostgreSQL {
		if _, err := db.ExecContext(ctx, "VACUUM ANALYZE"); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(out, "\n| %d clients, %d routes, 3 versions | answer | first byte | all | CPU here | heap |\n|---|---|---|---|---|---|\n", o.clients, o.routes)
	page := s.Handler(nil)
	ask(ctx, page, "ready=v1") // the first one of a day
	wanted, err := o.wanted()
	if err != nil {
		return err
	}
	for _, v := range wanted {
		var best answer
		for turn := range o.turns {
			if a := ask(ctx, page, v.query); turn == 0 || a.all < best.all {
				best = a
			}
		}
		if best.code != v.status {
			return fmt.Errorf("%s: status %d: %s", v.name, best.code, best.head)
		}
		_, _ = fmt.Fprintf(out, "| %s | %d, %d bytes | %v | %v | %v | %d MB |\n", v.name, best.code, best.n,
			best.first.Round(time.Millisecond), best.all.Round(time.Millisecond), best.cpu.Round(time.Millisecond), best.heap>>20)
	}
	return nil
}

// wanted returns the views that are asked for.
func (o *options) wanted() ([]view, error) {
	if o.views == "" {
		return views, nil
	}
	var some []view
	for name := range strings.SplitSeq(o.views, ",") {
		at := slices.IndexFunc(views, func(v view) bool { return v.name == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown view %q", name)
		}
		some = append(some, views[at])
	}
	return some, nil
}

// open opens the database.
func (o *options) open() (*sql.DB, usagesql.Dialect, error) {
	if o.dsn != "" {
		db, err := sql.Open("pgx", o.dsn)
		return db, usagesql.PostgreSQL, err
	}
	file := o.sqlite
	if file == "" {
		folder, err := os.MkdirTemp("", "verso-usage-")
		if err != nil {
			return nil, 0, err
		}
		file = filepath.Join(folder, "usage.db")
	}
	db, err := sql.Open("sqlite", "file:"+file+
		"?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	return db, usagesql.SQLite, err
}

// count lets all clients call a version, each through several processes, and waits until all is
// merged.
func (o *options) count(ctx context.Context, db *sql.DB, store func() (*usagesql.Store, error), version string,
	now *atomic.Int64) error {
	const atOnce = 5000 // clients, whose processes end then
	for from := 0; from < o.clients; from += atOnce {
		stores := make([]*usagesql.Store, o.processes)
		for i := range stores {
			s, err := store()
			if err != nil {
				return err
			}
			stores[i] = s
		}
		for client := from; client < min(o.clients, from+atOnce); client++ {
			v := version
			if client%10 == 0 {
				v = eras[0].version
			}
			for route := range o.routes {
				stores[(client+route)%len(stores)].Observe(ctx, verso.Observation{
					Time: time.Unix(now.Load(), 0), Version: verso.V(v), Client: fmt.Sprintf("customer-%06d", client),
					Method:  "GET",
					Route:   fmt.Sprintf("/api/{version}/resource-%03d/{id}", (client*7+route*13)%(20*o.routes)),
					Outcome: verso.OutcomeServed,
				})
			}
		}
		for _, s := range stores {
			if err := s.Close(ctx); err != nil {
				return err
			}
		}
		s, err := store()
		if err != nil {
			return err
		}
		for left := 1; left > 0; { // merges are bounded, and pages merge
			now.Add(61)
			if a := ask(ctx, s.Handler(nil), "at=2000-01-01"); a.code != http.StatusNotFound {
				return fmt.Errorf("status %d: %s", a.code, a.head)
			}
			if err := db.QueryRowContext(ctx, `SELECT count(*) FROM verso_usage_batches`).Scan(&left); err != nil {
				return err
			}
		}
		if err := s.Close(ctx); err != nil {
			return err
		}
	}
	return nil
}

// answer is the answer of a page, which is not kept.
type answer struct {
	header     http.Header
	code, n    int
	head       string
	begun      time.Time
	first, all time.Duration
	cpu        time.Duration // of this process, which is not all: a PostgreSQL works as well
	heap       uint64        // more than before, at most
}

func (a *answer) Header() http.Header { return a.header }
func (a *answer) WriteHeader(code int) {
	a.code = code
}

func (a *answer) Write(text []byte) (int, error) {
	if a.n == 0 {
		a.first, a.head = time.Since(a.begun), strings.TrimSpace(string(text[:min(len(text), 200)]))
	}
	a.n += len(text)
	return len(text), nil
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func ask(ctx context.Context, page http.Handler, query string) answer {
	runtime.GC()
	before, most, stop := heap(), make(chan uint64), make(chan bool)
	go func() {
		highest := uint64(0)
		for {
			select {
			case <-stop:
				most <- highest
				return
			case <-time.After(20 * time.Millisecond):
				highest = max(highest, heap())
			}
		}
	}()
	a, used := answer{header: http.Header{}, code: http.StatusOK, begun: time.Now()}, report.CPUTime()
	page.ServeHTTP(&a, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil).WithContext(ctx))
	a.all, a.cpu = time.Since(a.begun), report.CPUTime()-used
	stop <- true
	a.heap = max(<-most, before) - before
	return a
}
