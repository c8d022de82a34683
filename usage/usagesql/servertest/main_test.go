// Package servertest tests package usagesql on real servers. It is a module of its own,
// so that the drivers are no dependencies of usagesql.
package servertest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage/usagesql"
)

// Variables of the environment.
const (
	childVariable    = "VERSO_CHILD"    // what a process that a test started does
	serverVariable   = "VERSO_SERVER"   // the DSN of the server of the tests, for the processes of a fuzz test
	requiredVariable = "VERSO_REQUIRED" // these servers must be there: CI sets it to "postgresql"
)

// server is the PostgreSQL of this run, nil where none is installed.
var server *postgres

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		child()
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if dsn := os.Getenv(serverVariable); dsn != "" {
		server = &postgres{dsn: dsn}
		return m.Run()
	}
	var err error
	server, err = newPostgres()
	switch {
	case err == nil:
		defer server.remove()
		_ = os.Setenv(serverVariable, server.dsn)
	case !errors.Is(err, errNotInstalled) || os.Getenv(requiredVariable) != "":
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// database is a new, empty database.
type database struct {
	driver, dsn string
	dialect     usagesql.Dialect
}

var schemas atomic.Int64

// newPostgreSQL returns a schema of the server.
func newPostgreSQL(tb testing.TB) database {
	tb.Helper()
	if server == nil {
		tb.Skip(errNotInstalled)
	}
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	admin := open(tb, database{driver: "pgx", dsn: server.dsn})
	_, err := admin.Exec("CREATE SCHEMA " + schema)
	require.NoError(tb, err)
	return database{"pgx", server.dsn + "&search_path=" + schema, usagesql.PostgreSQL}
}

// newSQLite returns a file.
func newSQLite(tb testing.TB) database {
	tb.Helper()
	file := url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.Join(tb.TempDir(), "usage.db"))}
	return database{"sqlite", file.String() + "?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate", usagesql.SQLite}
}

// test is a test on one kind of database.
type test struct{ *testing.T }

// onEach runs a test on each kind of database.
func onEach(t *testing.T, run func(t *test, d database)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { run(&test{t}, newSQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { run(&test{t}, newPostgreSQL(t)) })
}

func open(tb testing.TB, d database) *sql.DB {
	tb.Helper()
	db, err := sql.Open(d.driver, d.dsn)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// versions are v1, which ends, and v2.
func versions() *catalogue.Catalogue {
	return catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: noon.AddDate(0, -1, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2"}, {Version: "v2"},
	}})
}

// process is a store, as one process of a service has it.
type process struct {
	*usagesql.Store
	log *recorder
}

// settings are the configurations of a process and of what it counts for.
type settings struct {
	usagesql.Config
	Catalogue *catalogue.Catalogue
	Clock     func() time.Time
}

// configure changes the configuration of a process.
type configure func(c *settings)

// start starts a process that writes only when it is asked to, unless Every is set.
func start(tb testing.TB, d database, options ...configure) *process {
	tb.Helper()
	log := new(recorder)
	config := settings{
		Config:    usagesql.Config{Dialect: d.dialect, Every: 5 * time.Minute, Logger: slog.New(slog.NewTextHandler(log, nil))},
		Catalogue: versions(), Clock: versotest.NewClock(noon).Now,
	}
	for _, option := range options {
		option(&config)
	}
	if config.DB == nil {
		config.DB = open(tb, d)
	}
	store, err := usagesql.New(&verso.Config{Catalogue: config.Catalogue, Clock: config.Clock}, config.Config)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = store.Close(ctx)
	})
	return &process{store, log}
}

func withClock(now func() time.Time) configure {
	return func(c *settings) { c.Clock = now }
}

func withDB(db *sql.DB) configure { return func(c *settings) { c.DB = db } }

func every(d time.Duration) configure { return func(c *settings) { c.Every = d } }

// call is a request of a client.
func call(version, client, route string, at time.Time) verso.Observation {
	o := verso.Observation{Time: at, Client: client, Method: "GET", Route: route, Outcome: verso.OutcomeServed}
	if version != "" {
		o.Version = verso.V(version)
	}
	return o
}

// get returns the page of a process in a format, which makes it write and merge first.
func (p *process) get(query string) *httptest.ResponseRecorder {
	response := httptest.NewRecorder()
	p.Handler(nil).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
	return response
}

// answer is get on a busy machine, whose database may answer too late: then it asks again.
func (p *process) answer(tb testing.TB, query string) (response *httptest.ResponseRecorder) {
	tb.Helper()
	eventually(tb, p, func() bool {
		response = p.get(query)
		return response.Code != http.StatusServiceUnavailable
	})
	return response
}

// eventually tries until a condition holds. It does so in the goroutine of the test, which the condition may fail.
func eventually(tb testing.TB, p *process, condition func() bool) {
	tb.Helper()
	for begin := time.Now(); !condition(); time.Sleep(time.Millisecond) {
		require.Less(tb, time.Since(begin), 5*time.Minute, p.log)
	}
}

// merge has the process write, and merges all batches: a page waits for a merge for 5 seconds only.
func (p *process) merge(tb testing.TB, d database) {
	tb.Helper()
	eventually(tb, p, func() bool {
		return p.get("client=nobody").Code != http.StatusServiceUnavailable && // which reads no others
			countOf(tb, d, `SELECT count(*) FROM verso_usage_batches WHERE NOT refused`) == 0
	})
}

// end closes the process.
func (p *process) end(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	require.NoError(tb, p.Close(ctx))
}

// merged returns the requests of each client and day in the rows, after all batches
// were merged. No process may write at the same time.
func merged(tb testing.TB, d database) map[string]int {
	tb.Helper()
	start(tb, d).merge(tb, d)
	return mergedSoFar(tb, d)
}

// mergedSoFar is merged while other processes write: a batch may have come since. On a
// busy machine, the page may have to be asked for again.
func mergedSoFar(tb testing.TB, d database) map[string]int {
	tb.Helper()
	p := start(tb, d)
	eventually(tb, p, func() bool { return p.get("format=csv").Code == http.StatusOK })
	db := open(tb, d)
	sums := map[string]int{}
	for _, query := range []string{`SELECT client, requests, days FROM verso_usage`, `SELECT day, requests, '{}' FROM verso_usage_days`} {
		rows, err := db.Query(query)
		require.NoError(tb, err)
		for rows.Next() {
			var name, days string
			var requests int
			require.NoError(tb, rows.Scan(&name, &requests, &days))
			sums[name] += requests
			for day, n := range parse(tb, days) {
				sums[name+" "+day] += n
			}
		}
		require.NoError(tb, errors.Join(rows.Err(), rows.Close()))
	}
	return sums
}

// sent is what a test has sent: the requests of each client and day, as merged has
// them.
type sent map[string]int

func (s sent) observe(p *process, o verso.Observation) {
	p.Observe(context.Background(), o)
	s.add(o.Client, o.Time, 1)
}

func (s sent) add(client string, at time.Time, n int) {
	day := at.UTC().Format(time.DateOnly)
	s[client] += n
	s[client+" "+day] += n
	s[day] += n
}
