package usagesql

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	randv2 "math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// How often things happen.
const (
	defaultEvery = 10 * time.Second
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

	// Every is the time between two writes, give or take a tenth, at most 5 minutes.
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

// New starts a store that counts for a configuration, as [usage.NewTable] does: it takes the
// versions and the clock from it, and adds itself to its Counters. Without a Clock, the store uses the clock of the
// machine; if that differs from the clock of the database by a minute or more, the clock of
// the database wins. New fails for a wrong configuration only, with all mistakes joined: it does
// not touch the database, which may be down.
func New(counted *verso.Config, c Config) (*Store, error) {
	var mistakes []error
	if c.DB == nil {
		mistakes = append(mistakes, errors.New("usagesql: Config.DB is nil: set it to what sql.Open returns"))
	}
	if c.Dialect != PostgreSQL && c.Dialect != SQLite {
		mistakes = append(mistakes,
			errors.New("usagesql: Config.Dialect is unknown: write usagesql.PostgreSQL or usagesql.SQLite"))
	}
	s := new(Store)
	versions, err := usage.Attach(counted, s)
	mistakes = append(mistakes, err)
	if c.Every < 0 || c.Every > maxEvery {
		mistakes = append(mistakes, fmt.Errorf("usagesql: Config.Every is %v: write a time of at most %v, or 0 for %v",
			c.Every, maxEvery, defaultEvery))
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, err
	}
	*s = Store{
		db: c.DB, dialect: &dialects[c.Dialect], catalogue: versions, own: counted.Clock, clock: counted.Clock,
		pinned: c.Pinned, every: cmp.Or(c.Every, defaultEvery), logger: c.Logger,
		maxNames: cmp.Or(c.MaxClients, defaultMaxClients), mergeBytes: bytesAtOnce / 4, early: make(chan struct{}, 1),
		id: rand.Text(), done: make(chan struct{}), lock: make(chan struct{}, 1), mergeLock: make(chan struct{}, 1),
	}
	if counted.Clock == nil {
		s.own, s.clock, s.corrects = time.Now, s.now, true
	}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	s.writing = outage{logger: s.logger, code: "usage_not_written",
		what: "the counts of requests cannot be written; they are kept in memory until they can"}
	s.merging = outage{logger: s.logger, code: "usage_not_merged",
		what: "the batches of counts cannot be added up; the page reads them one by one until they can"}
	s.heard = s.clock()
	s.day = dayOf(s.heard)
	s.bounds = usage.Bounds{Clients: cmp.Or(c.MaxCells, defaultMaxCells), Cells: cmp.Or(c.MaxCells, defaultMaxCells)}
	for i, version := range s.catalogue.Versions() {
		if e := s.catalogue.Entry(i); !e.Deprecated.IsZero() || !e.Sunset.IsZero() {
			s.ends = append(s.ends, version)
		}
	}
	s.page = s.Handler(nil)
	s.table.Store(s.newTable())
	s.running, s.stop = context.WithCancel(context.Background())
	go s.run()
	return s, nil
}

// Observe counts a request: the store is one of the Counters of the configuration.
func (s *Store) Observe(ctx context.Context, o verso.Observation) {
	if s.corrects {
		if skew := s.skew.Load(); skew != 0 {
			o.Time = o.Time.Add(-time.Duration(skew) * time.Second)
		}
	}
	t := s.table.Load()
	t.Observe(ctx, o)
	switch {
	case s.table.Load() != t:
		s.late(t)
	case t.Nearly():
		s.rotate(t)
	}
}

// rotate lets requests be counted in a new table, since one is nearly full, and has it
// written soon. Without the database, the last table gets full: all other clients are
// counted together then.
func (s *Store) rotate(t *usage.Table) {
	s.rotating.Lock()
	defer s.rotating.Unlock()
	if s.table.Load() != t || len(s.full) >= maxTables-1 {
		return
	}
	s.full = append(s.full, t)
	s.table.Store(s.newTable())
	select {
	case s.early <- struct{}{}:
	default: // the background knows
	}
}

func (s *Store) newTable() *usage.Table {
	return usage.NewBoundedTable(&verso.Config{Catalogue: s.catalogue, Clock: s.clock}, s.bounds)
}

// late has a table taken again: a request was counted in it after another one had replaced it.
func (s *Store) late(t *usage.Table) {
	s.rotating.Lock()
	defer s.rotating.Unlock()
	if t != s.last && !slices.Contains(s.full, t) {
		s.full = append(s.full, t)
	}
}

// takeFull takes the counts of a full table. The next one is enough for the next batch.
func (s *Store) takeFull() (counts []usage.Count, full bool) {
	s.rotating.Lock()
	var t *usage.Table
	if len(s.full) > 0 {
		t, s.full = s.full[0], s.full[1:]
	}
	s.rotating.Unlock()
	if t == nil {
		return nil, false
	}
	return t.Take(), true
}

// now returns the time by the clock of the database, once its skew is known.
func (s *Store) now() time.Time { return time.Now().Add(-time.Duration(s.skew.Load()) * time.Second) }

// Handler returns the page of what all processes have counted. Explain is the Explain of
// the adapter's Routes, or nil: see [usage.Page]. The page answers 503 while the database
// cannot be read.
func (s *Store) Handler(explain func() *verso.Explanation) *usage.Page {
	return &usage.Page{
		Catalogue: s.catalogue, Clock: s.clock, Explain: explain, Pinned: s.pinned, Open: s.open, Counter: s,
	}
}

// Close writes what was counted since the last write, and records that this process
// has ended. Call it after the last request: later ones are lost. If the database is
// away until the context ends, or for 30 seconds if it has no deadline, the error has the
// number of requests that are lost.
func (s *Store) Close(ctx context.Context) error {
	s.stop()
	<-s.done
	if _, ends := ctx.Deadline(); !ends {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, attempt)
		defer cancel()
	}
	for {
		err := s.end(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("usagesql: %d requests are lost: %w", s.pending(), err)
		case <-time.After(retryEvery):
		}
	}
}

// run writes in the background.
func (s *Store) run() {
	defer close(s.done)
	var merging sync.WaitGroup
	defer merging.Wait()
	for {
		jitter := 0.9 + 0.2*randv2.Float64()
		select {
		case <-s.running.Done():
			return
		case <-time.After(time.Duration(float64(s.every) * jitter)):
		case <-s.early:
		}
		ctx, cancel := context.WithTimeout(s.running, attempt)
		due, err := s.flush(ctx)
		cancel()
		if err != nil || !due && !s.warn.Load() || len(s.mergeLock) > 0 {
			continue
		}
		merging.Go(func() { // meanwhile, this process writes
			ctx, cancel := context.WithTimeout(s.running, attempt)
			defer cancel()
			if due {
				s.merge(ctx, func() {})
			}
			if s.warn.Swap(false) {
				s.judge(ctx)
			}
		})
	}
}

// acquire waits for the lock.
func (s *Store) acquire(ctx context.Context) error {
	select {
	case s.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) release() { <-s.lock }

// flush writes what was counted since the last write, or at times that this process
// lives. mergeDue reports whether no process has merged batches for a minute.
func (s *Store) flush(ctx context.Context) (mergeDue bool, err error) {
	if err := s.acquire(ctx); err != nil {
		return false, err
	}
	defer s.release()
	if s.closed {
		return false, nil
	}
	now := s.clock()
	if s.batch == nil {
		if s.batch = s.next(now); s.batch.counts == "" && now.Sub(s.heard).Abs() < maxEvery-s.every && s.seq > 0 && s.hasFile() {
			s.batch = nil
			return false, nil
		}
	}
	more := s.batch.more
	mergeDue, err = s.write(ctx)
	for more && err == nil {
		s.batch = s.next(now)
		more = s.batch.more
		mergeDue, err = s.write(ctx)
	}
	return mergeDue, err
}

// end writes what is left.
func (s *Store) end(ctx context.Context) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	for !s.closed {
		if s.batch == nil {
			s.batch = s.next(s.clock())
			s.batch.ended = !s.batch.more
		}
		ended := s.batch.ended
		if _, err := s.write(ctx); err != nil {
			return err
		}
		s.closed = ended
	}
	return nil
}

// pending returns how many requests were not written.
func (s *Store) pending() (requests uint64) {
	s.lock <- struct{}{}
	defer s.release()
	if s.batch != nil {
		requests = s.batch.requests
	}
	for {
		b := s.next(s.clock())
		if requests += b.requests; !b.more {
			return requests
		}
	}
}

// next takes what was counted. A table never forgets a client, so each day has a new
// one.
func (s *Store) next(now time.Time) *batch {
	counts, full := s.takeFull()
	if !full { // else it suffices for a batch
		counts = append(counts, s.table.Load().Take()...)
	}
	last := s.last
	if day := dayOf(now); day != s.day {
		s.rotating.Lock()
		s.day, s.last = day, s.table.Swap(s.newTable())
		s.rotating.Unlock()
	}
	if last != nil { // after the change: a request that comes later has it taken again
		counts = append(counts, last.Take()...)
	}
	b := &batch{now: now, skew: s.skew.Load(), more: full}
	stored := counts[:0]
	for _, n := range counts {
		if n.Kind == usage.KindCounting {
			continue
		}
		n.Client, n.Method, n.Route = storable(n.Client), storable(n.Method), storable(n.Route)
		stored = append(stored, n)
		b.requests += n.Requests
	}
	if len(stored) > 0 {
		text, _ := json.Marshal(stored) // strings and numbers: it cannot fail
		b.counts = string(text)
	}
	return b
}

const (
	secondsPerHour = 60 * 60
	secondsPerDay  = 24 * secondsPerHour
)

func dayOf(t time.Time) int64 { return t.Unix() / secondsPerDay }

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
