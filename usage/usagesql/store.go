package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// How often things happen.
const (
	defaultEvery = 10 * time.Second
	minEvery     = time.Millisecond
	maxEvery     = 5 * time.Minute // after which a process without counts reports that it lives
	mergeEvery   = time.Minute
	retryEvery   = 200 * time.Millisecond // in Close
	attempt      = 30 * time.Second       // is given up then, as is Close if its context has no end

	defaultMaxClients = 100_000
	defaultMaxCells   = 20_000 // which are written every ten seconds
	maxTables         = 4      // of a process, without the database
)

// Config configures a [Store].
type Config struct {
	// DB is the database. Required. The store does not close it.
	DB *sql.DB

	// Dialect is the SQL of DB. Required.
	Dialect Dialect

	// Every is the time between two writes, give or take a tenth, from a millisecond to 5 minutes.
	// Optional. Default value: 10 seconds.
	Every time.Duration

	// MaxClients is how many clients have a name in the database; the rest is counted
	// together: those that never called a version with an end first. 1,000 clients take about
	// 1 MB of the disk for each version that they call, and 0.5 MB for each route, and 2 MB of
	// memory while a page is made. Optional. Default value: 100,000.
	MaxClients int

	// MaxCells bounds the memory of this process: so many combinations of version, client,
	// method and route are counted before they are written, which is earlier than Every then. Up
	// to four times as many wait without the database. 1,000 take about 0.4 MB. Optional.
	// Default value: 20,000.
	MaxCells int

	// Pinned yields the pins of a version for [usage.Page]: for Handler, and for the warning
	// before a sunset. Optional. Default value: nil, nothing is pinned.
	Pinned func(ctx context.Context, version string) iter.Seq2[usage.Pin, error]

	// Logger gets a record when counts cannot be written, merged or read, when they can
	// again, and once a day in the 30 days before a sunset that would break clients.
	// Optional. Default value: slog.Default().
	Logger *slog.Logger
}

// Store counts requests in memory and writes them to a database in the background. [New]
// returns one; the zero Store is not valid. It is safe for concurrent use.
type Store struct {
	db        *sql.DB
	dialect   *dialect
	catalogue *catalogue.Catalogue
	own       func() time.Time // the clock of the service, or of the machine
	clock     func() time.Time // the same, or the machine's corrected by skew
	corrects  bool             // whether the service has no clock of its own
	skew      atomic.Int64     // by how many seconds own is ahead of the database, 0 for less than a minute
	every     time.Duration
	logger    *slog.Logger
	id        string // of this process
	table     atomic.Pointer[usage.Table]
	bounds    usage.Bounds // of a table
	ends      []string     // the versions with a deprecation or a sunset
	page      *usage.Page  // of the background
	pinned    func(ctx context.Context, version string) iter.Seq2[usage.Pin, error]
	early     chan struct{} // a table is nearly full

	rotating sync.Mutex     // guards full
	full     []*usage.Table // to be written, the oldest first

	running context.Context // until Close
	stop    func()
	done    chan struct{} // is closed when the background has ended

	// lock guards what follows. Unlike for a mutex, one can give up waiting for it.
	lock       chan struct{}
	last       *usage.Table // the table before, to which requests may still be under way
	day        int64        // of the table, since 1970
	created    bool         // the tables exist
	file       string       // of SQLite, in which they are
	opened     os.FileInfo  // the file then, nil: none
	seq        int64        // the number of the last batch
	batch      *batch       // being written: it stays the same until the database has confirmed it
	heard      time.Time    // when this process last wrote, or began to count
	hour       int64        // of the last write, since 1970
	closed     bool
	skewed     bool        // the database has the skew
	clockWrong bool        // the clock of the machine: it was logged
	warnDay    int64       // when this process was last the first one to merge on a day
	warn       atomic.Bool // this process was the first one to merge on a day
	writing    outage
	merging    outage

	mergeLock  chan struct{} // guards merging, warnDay and what follows
	maxNames   int           // in the database
	mergeBytes int           // at once
}

// batch is what is written at once.
type batch struct {
	number   int64
	counts   string // JSON, or ""
	requests uint64
	now      time.Time
	skew     int64 // by which its times were corrected
	ended    bool  // it is the last one
	more     bool  // other tables have counts
}

// outage logs when something begins to fail, and when it works again.
type outage struct {
	logger     *slog.Logger
	code, what string
	since      time.Time
}

// log logs a change. The end of a process, or of a client of the page, is not a failure.
func (o *outage) log(ctx context.Context, err error) {
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
	case err != nil && o.since.IsZero():
		o.since = time.Now()
		o.logger.Warn("usagesql: "+o.what, "code", o.code, "error", err)
	case err == nil && !o.since.IsZero():
		o.logger.Info("usagesql: this works again", "code", o.code, "after",
			time.Since(o.since).Round(time.Second).String())
		o.since = time.Time{}
	}
}
