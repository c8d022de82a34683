package servertest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// TestLostAnswers: eight processes write and merge at once, and a third of the answers
// to commits, writes and merges is lost.
func TestLostAnswers(t *testing.T) {
	onEach(t, func(t *test, d database) {
		want := sent{}
		var processes []*process
		var all []*faults
		for i := range 8 {
			f := new(faults)
			f.afterCommit = func(n int64) error {
				if n%3 == 0 {
					return errLost
				}
				return nil
			}
			var executed int
			f.afterExecute = func(context.Context, string) error { // of one process, which writes or merges
				if executed++; executed%41 == i { // a merge has about 15
					return errLost
				}
				return nil
			}
			all = append(all, f)
			processes = append(processes, start(t, d, withDB(openFaulty(t, d, f))))
			want.add(fmt.Sprint("client ", i), noon, 30)
			want.add("all", noon, 30)
		}
		var group sync.WaitGroup
		for i, p := range processes {
			group.Go(func() {
				for range 30 {
					p.Observe(t.Context(), call("v1", fmt.Sprint("client ", i), "/users", noon))
					p.Observe(t.Context(), call("v1", "all", "/users", noon))
					p.get("level=summary")
				}
				assert.NoError(t, p.Close(context.Background()))
			})
		}
		group.Wait()
		commits := int64(0)
		for _, f := range all {
			commits += f.commits.Load()
		}
		assert.Greater(t, commits, int64(100))
		assert.EqualValues(t, want, merged(t, d))
	})
}

// TestCommitDuringMerge: a batch commits after a merge has read the batches and before
// it has ended. Its process leaves the merge to the other one, and shows everything.
func TestCommitDuringMerge(t *testing.T) {
	d, want := newPostgreSQL(t), sent{}
	other := start(t, d)
	want.observe(other, call("v1", "acme", "/users", noon))
	other.answer(t, "")
	f := new(faults)
	merging := start(t, d, withDB(openFaulty(t, d, f)))
	want.observe(merging, call("v1", "acme", "/users", noon))
	during := 0
	f.afterExecute = func(_ context.Context, query string) error {
		if strings.HasPrefix(query, "DELETE FROM verso_usage_batches") && during == 0 {
			during++
			want.observe(other, call("v1", "acme", "/users", noon))
			assert.Contains(t, other.get("format=csv").Body.String(), "v1,acme,GET,/users,served,3,3,")
			assert.Empty(t, other.log.String())
		}
		return nil
	}
	merging.answer(t, "")
	assert.Equal(t, 1, during)
	assert.Equal(t, 1, countOf(t, d, `SELECT count(*) FROM verso_usage_batches`), "the one that came later")
	assert.Contains(t, start(t, d).get("format=csv").Body.String(), "v1,acme,GET,/users,served,3,3,")
	assert.EqualValues(t, want, merged(t, d))
}

// TestPageIsOneMoment: a merge that ends while a page is read takes nothing from it.
func TestPageIsOneMoment(t *testing.T) {
	d := newPostgreSQL(t)
	other := start(t, d)
	other.Observe(t.Context(), call("v1", "acme", "/users", noon))
	other.answer(t, "")
	last := start(t, d)
	last.Observe(t.Context(), call("v1", "acme", "/users", noon))
	last.end(t) // which does not merge
	f := new(faults)
	reading := d
	reading.dsn += "&default_transaction_read_only=on" // nor does this one
	reader := start(t, d, withDB(openFaulty(t, reading, f)))
	during := 0
	f.afterExecute = func(_ context.Context, query string) error {
		if strings.HasPrefix(query, "SELECT counts FROM verso_usage_batches") {
			during++
			other.answer(t, "")
		}
		return nil
	}
	assert.Contains(t, reader.get("format=csv").Body.String(), "v1,acme,GET,/users,served,2,2,")
	assert.Equal(t, 1, during)
	assert.Zero(t, countOf(t, d, `SELECT count(*) FROM verso_usage_batches`))
}

// TestStartTogether: sixteen processes make the tables at once.
func TestStartTogether(t *testing.T) {
	onEach(t, func(t *test, d database) {
		require.NoError(t, open(t, d).PingContext(t.Context())) // a new file of SQLite gets its journal from one alone
		want := sent{}
		want.add("acme", noon, 16)
		var group sync.WaitGroup
		for range 16 {
			p := start(t, d)
			p.Observe(t.Context(), call("v1", "acme", "/users", noon))
			group.Go(func() {
				p.end(t)
				assert.Empty(t, p.log.String())
			})
		}
		group.Wait()
		assert.EqualValues(t, want, merged(t, d))
	})
}

// TestKilled: four of eight processes are killed. None loses what it has written; the others lose
// nothing.
func TestKilled(t *testing.T) {
	onEach(t, func(t *test, d database) {
		var children []*childProcess
		for i := range 8 {
			children = append(children, startChild(t, d, fmt.Sprint("child ", i)))
		}
		waitForCounts(t, children, 2000)
		written := map[string]int{} // before each was killed
		for i, c := range children {
			if i%2 == 0 {
				require.Eventually(t, func() bool {
					written[c.name] = mergedSoFar(t, d)[c.name]
					return written[c.name] > 0
				}, time.Minute, time.Millisecond, c.log.String())
				c.kill(t)
			}
		}
		for _, c := range children {
			if !c.killed {
				c.terminate(t)
			}
		}
		sums := merged(t, d)
		for _, c := range children {
			counted := int(c.counted.Load())
			if !c.killed {
				assert.Equal(t, counted, sums[c.name], c.name)
				continue
			}
			assert.GreaterOrEqual(t, sums[c.name], written[c.name], c.name)
			assert.LessOrEqual(t, sums[c.name], counted+1, "%s: it may have counted one more than it could say", c.name)
		}
	})
}

func waitForCounts(tb testing.TB, children []*childProcess, n int64) {
	tb.Helper()
	for _, c := range children {
		require.Eventually(tb, func() bool { return c.counted.Load() >= n }, time.Minute, 10*time.Millisecond, c.log.String())
	}
}

// TestServerCrash: the server stops at once under load, and comes back five seconds
// later. Nothing is lost, and each process says once that it began, and once that it is
// over.
func TestServerCrash(t *testing.T) {
	d := newPostgreSQL(t)
	var children []*childProcess
	for i := range 4 {
		children = append(children, startChild(t, d, fmt.Sprint("child ", i)))
	}
	waitForCounts(t, children, 1000)
	require.NoError(t, server.crash())
	time.Sleep(5 * time.Second)
	require.NoError(t, server.start())
	waitForCounts(t, children, 8000)
	for _, c := range children {
		require.Eventually(t, func() bool { return strings.Contains(c.log.String(), "this works again") }, time.Minute, 10*time.Millisecond, c.log.String())
		c.terminate(t)
		assert.Equal(t, 1, strings.Count(c.log.String(), "level=WARN msg=\"usagesql: the counts of requests cannot be written"), c.log.String())
		assert.Equal(t, 1, strings.Count(c.log.String(), "code=usage_not_written after="), c.log.String())
	}
	sums := merged(t, d)
	for _, c := range children {
		assert.EqualValues(t, c.counted.Load(), sums[c.name], c.name)
	}
}

// TestThreeDaysWithout: the server is away for three days of the test's clock. Memory
// stays, and each day has its requests.
func TestThreeDaysWithout(t *testing.T) {
	d, want := newPostgreSQL(t), sent{}
	clock := versotest.NewClock(noon)
	p := start(t, d, withClock(clock.Now), every(10*time.Millisecond))
	want.observe(p, call("v1", "client 0", "/users", clock.Now()))
	p.answer(t, "")
	require.NoError(t, server.crash())
	stopped := true
	defer func() {
		if stopped {
			_ = server.start()
		}
	}()
	heap := func() int {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc >> 10)
	}
	var first, last int
	for hour := range 3 * 24 {
		clock.Advance(time.Hour)
		for i := range 4000 {
			want.observe(p, call("v1", fmt.Sprint("client ", i%900), fmt.Sprint("/", i%20), clock.Now()))
		}
		time.Sleep(5 * time.Millisecond)
		if last = heap(); hour == 12 {
			first = last
		}
	}
	t.Logf("heap: %d KiB after 12 hours, %d KiB after 72", first, last)
	assert.Less(t, last-first, 4<<10)
	require.Eventually(t, func() bool { return p.log.count("usage_not_written") > 0 }, time.Minute, time.Millisecond)
	assert.Equal(t, 503, p.get("").Code)
	assert.Equal(t, 1, p.log.count("usage_not_written"), p.log.String())
	require.NoError(t, server.start())
	stopped = false
	p.end(t)
	assert.EqualValues(t, want, merged(t, d))
	assert.Equal(t, 73, countOf(t, d, `SELECT count(*) FROM verso_usage_hours`), "in all of which it counted")
}

// TestCloseDuringOutage: Close returns when its context ends, and says what is lost.
func TestCloseDuringOutage(t *testing.T) {
	d := newPostgreSQL(t)
	for _, known := range []bool{false, true} { // whether the tables exist
		p := start(t, d, every(5*time.Millisecond))
		if known {
			p.get("")
		}
		require.NoError(t, server.crash())
		for i := range 1234 {
			p.Observe(t.Context(), call("v1", "acme", fmt.Sprint("/", i%7), noon))
			if i == 1000 { // of which a batch may be made
				time.Sleep(50 * time.Millisecond)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		err := p.Close(ctx) // while the server is away
		cancel()
		require.NoError(t, server.start())
		require.ErrorContains(t, err, "usagesql: 1234 requests are lost: ")
	}
	p := start(t, d)
	require.NoError(t, server.crash())
	p.Observe(t.Context(), call("v1", "in time", "/users", noon))
	ended := make(chan error)
	go func() { ended <- p.Close(t.Context()) }()
	time.Sleep(300 * time.Millisecond)
	require.NoError(t, server.start())
	require.NoError(t, <-ended)
	assert.Equal(t, 1, merged(t, d)["in time"])
}

// TestServerHangs: the server does not answer. The log says so, and Close does not wait
// for a page that does.
func TestServerHangs(t *testing.T) {
	d := newPostgreSQL(t)
	p := start(t, d)
	p.answer(t, "")
	lock, err := open(t, d).Begin()
	require.NoError(t, err)
	_, err = lock.Exec(`LOCK TABLE verso_usage_writers`)
	require.NoError(t, err)
	p.Observe(t.Context(), call("v1", "acme", "/users", noon))

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	p.Handler(nil).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/usage", nil))
	// The page does not wait for the driver, whose error may come after its answer.
	require.Eventually(t, func() bool { return p.log.count("usage_not_written") == 1 }, time.Minute, time.Millisecond)

	shown := make(chan int)
	go func() { shown <- p.get("").Code }()
	time.Sleep(100 * time.Millisecond)
	closing, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, p.Close(closing), "1 requests are lost") // while the lock is held
	require.NoError(t, lock.Rollback())
	<-shown
	assert.Empty(t, merged(t, d), "what Close said")
}

// TestTerminatedDuringOutage: a process that is told to end while the server is away
// ends, and says how many requests are lost.
func TestTerminatedDuringOutage(t *testing.T) {
	d := newPostgreSQL(t)
	c := startChild(t, d, "child")
	waitForCounts(t, []*childProcess{c}, 1000)
	require.NoError(t, server.crash())
	require.Eventually(t, func() bool { return c.log.count("usage_not_written") == 1 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, c.command.Process.Signal(syscall.SIGTERM))
	<-c.done // while the server is away
	require.NoError(t, server.start())
	require.Error(t, c.command.Wait())
	_, said, found := strings.Cut(c.log.String(), "\nusagesql: ")
	require.True(t, found, c.log.String())
	var lost int
	_, err := fmt.Sscanf(said, "%d requests are lost: ", &lost)
	require.NoError(t, err)
	written, counted := merged(t, d)["child"], int(c.counted.Load())
	assert.LessOrEqual(t, written, counted)
	assert.GreaterOrEqual(t, written+lost, counted, "what the server has committed, but not answered, is both")
}

// TestNewerSchema: the service goes on, the log says whom to update, and the page says
// why there is none.
func TestNewerSchema(t *testing.T) {
	onEach(t, func(t *test, d database) {
		before := start(t, d, every(5*time.Millisecond))
		before.Observe(t.Context(), call("v1", "acme", "/users", noon))
		before.answer(t, "")
		_, err := open(t, d).Exec(`UPDATE verso_usage_schema SET version = 2`)
		require.NoError(t, err)
		after := start(t, d, every(5*time.Millisecond))
		for name, p := range map[string]*process{"one that ran before": before, "one that starts": after} {
			p.Observe(t.Context(), call("v1", "acme", "/users", noon))
			want := "the tables have version 2, of a newer release; this process knows version 1: update it"
			require.Eventually(t, func() bool { return strings.Contains(p.log.String(), want) }, time.Minute, time.Millisecond, name)
			for _, query := range []string{"format=html", "format=json", "ready=v1", "client=acme"} {
				response := p.get(query)
				assert.Equal(t, 503, response.Code, name)
				assert.Equal(t, want+"\n", response.Body.String(), name)
			}
			time.Sleep(50 * time.Millisecond)
			assert.Equal(t, 1, p.log.count("usage_not_written"), p.log.String())
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			assert.ErrorContains(t, p.Close(ctx), "1 requests are lost", name)
			cancel()
		}
		_, err = open(t, d).Exec(`UPDATE verso_usage_schema SET version = 1`)
		require.NoError(t, err)
		assert.Equal(t, 1, merged(t, d)["acme"])
	})
}

// TestStartWithout: a service starts while its database is down.
func TestStartWithout(t *testing.T) {
	d := newPostgreSQL(t)
	require.NoError(t, server.crash())
	p := start(t, d, every(10*time.Millisecond), func(c *settings) { c.Logger = slog.New(slog.DiscardHandler) })
	p.Observe(t.Context(), call("v1", "acme", "/users", noon))
	assert.Equal(t, 503, p.get("").Code)
	require.NoError(t, server.start())
	require.Eventually(t, func() bool {
		return strings.Contains(p.get("format=csv").Body.String(), "v1,acme,GET,/users,served,1,1,")
	}, time.Minute, 50*time.Millisecond)
	p.end(t)
}
