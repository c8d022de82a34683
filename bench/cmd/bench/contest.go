package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// contest is all that is measured by turns.
type contest struct {
	all    []*contender
	tables []*table
}

// contender is something that is measured.
type contender struct {
	do      func()
	shared  []func()       // for each goroutine that shares a long turn; nil: do
	dear    bool           // a turn has fewer calls
	measure func() float64 // takes longer than a turn, so it has fewer; nil: turn
	seldom  int            // turns of others for one of measure
	times   report.Sample  // nanoseconds a call, one figure for each turn
	allocs  float64        // a call
}

// low is the percentile of the times that counts: what disturbs a turn makes it
// slower, never faster.
const low = 10

func (c *contender) time() float64 { return c.times.Percentile(low) }

func (c *contest) add(do func()) *contender {
	added := &contender{do: do}
	c.all = append(c.all, added)
	return added
}

// share adds something that goroutines do at once, each with a function of its own.
func (c *contest) share(goroutines int, each func() (do func())) *contender {
	added := c.add(each())
	for range goroutines {
		added.shared = append(added.shared, each())
	}
	return added
}

// serve adds a service that answers a request with a status.
func (c *contest) serve(server service.Server, r service.Request, status int) *contender {
	do := server.Bind(r)
	if got := do(); got != status {
		panic(fmt.Sprintf("the service answers %+v with %d, not %d", r, got, status))
	}
	return c.add(func() { do() })
}

const (
	minCalls, maxCalls = 700, 2000 // in a turn
	more, fewer        = 16, 10    // times more calls in a turn that is shared, and fewer in one of something dear
	warmUp             = 30        // calls before, which do not count
	collectAt          = 128 << 20 // bytes of garbage
)

// run gives each contender its turns. The garbage collector runs between turns
// only: else it hits whoever comes first. What is allocated is counted as such.
func (c *contest) run(ctx context.Context, turns int) error {
	for _, one := range c.all {
		one.allocs = testing.AllocsPerRun(100, one.do)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	live := stats.HeapAlloc
	for turn := 0; turn < turns && ctx.Err() == nil; turn++ {
		if turn%20 == 0 {
			fmt.Fprintf(os.Stderr, "turn %d of %d\n", turn, turns)
		}
		for _, next := range rand.Perm(len(c.all)) {
			if runtime.ReadMemStats(&stats); stats.HeapAlloc > live+collectAt {
				runtime.GC()
			}
			one, calls := c.all[next], minCalls+rand.IntN(maxCalls-minCalls+1)
			for range warmUp {
				one.do()
			}
			if one.dear {
				calls /= fewer
			}
			if one.measure == nil {
				one.times = append(one.times, one.turn(calls))
			} else if turn%one.seldom == one.seldom-1 {
				one.times = append(one.times, one.measure())
			}
		}
	}
	return ctx.Err()
}

// collecting returns how many nanoseconds of the processor a call takes while the
// collector runs as it does in a service that holds 32 MiB in a million objects: from
// the end of one collection to that of the next.
func (c *contender) collecting() float64 {
	const calls, most = 10_000, 100_000
	held := make([]*[4]uintptr, 1<<20)
	for i := range held {
		held[i] = new([4]uintptr)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	last, done, start := stats.NumGC+1, 0, report.CPUTime()
	for allocates := c.allocs > 0; stats.NumGC < last && (allocates || done < most); done += calls {
		for range calls {
			c.do()
		}
		if allocates {
			runtime.ReadMemStats(&stats)
		}
	}
	spent := report.CPUTime() - start
	runtime.KeepAlive(held)
	return float64(spent) / float64(done)
}

// turn returns how many nanoseconds a call takes, of so many.
func (c *contender) turn(calls int) float64 {
	if c.shared == nil {
		start := time.Now()
		for range calls {
			c.do()
		}
		return float64(time.Since(start)) / float64(calls)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	var all sync.WaitGroup
	each := calls * more / len(c.shared)
	start := time.Now()
	for _, do := range c.shared {
		all.Go(func() {
			for range each {
				do()
			}
		})
	}
	all.Wait()
	return float64(time.Since(start)) / float64(each*len(c.shared))
}

// processors are those that Go would use: goroutines that share a turn have them.
var processors = runtime.GOMAXPROCS(0)

// table compares contenders, those of a row with one another.
type table struct {
	title   string
	heads   []string
	columns []column // behind the times
	rows    []row
}

type row struct {
	framework, scheme string
	all               []*contender
}

func (r *row) where() string { return strings.TrimSuffix(r.framework+", "+r.scheme, ", ") }

// column is a figure of a row, which may have a bound.
type column struct {
	head  func(heads []string) string
	bound func(scheme string) *report.Bound // nil: none has one
	cell  func(r *row, bound *report.Bound) string
}

func (c *column) boundOf(r *row) *report.Bound {
	if c.bound == nil {
		return nil
	}
	return c.bound(r.scheme)
}

// over is the ratio of the times of two contenders.
func over(this, that int, bound func(scheme string) *report.Bound) column {
	return column{
		func(heads []string) string { return heads[this] + " / " + heads[that] }, bound,
		func(r *row, bound *report.Bound) string {
			return bound.JudgeRatio(r.all[this].times.Over(r.all[that].times, low), r.where())
		},
	}
}

// beyond is by how many nanoseconds a contender takes longer than the first one.
func beyond(this int, bound func(scheme string) *report.Bound) column {
	return column{
		func(heads []string) string { return heads[this] + " - " + heads[0] }, bound,
		func(r *row, bound *report.Bound) string {
			return bound.JudgeTime(r.all[this].time()-r.all[0].time(), r.where())
		},
	}
}

// excess is the ratio of what two contenders take beyond others.
func excess(this, beyondThis, that, beyondThat int, bound func(scheme string) *report.Bound) column {
	return column{
		func(heads []string) string {
			return fmt.Sprintf("(%s - %s) / (%s - %s)", heads[this], heads[beyondThis], heads[that], heads[beyondThat])
		}, bound,
		func(r *row, bound *report.Bound) string {
			of := report.Excess{Of: r.all[this].times, Beyond: r.all[beyondThis].times}
			by := report.Excess{Of: r.all[that].times, Beyond: r.all[beyondThat].times}
			return bound.JudgeRatio(of.Over(by, low), r.where())
		},
	}
}

// allocations are those of one contender beyond those of another, -1 for none.
func allocations(this, that int, bound *report.Bound) column {
	return column{
		func(heads []string) string {
			if that < 0 {
				return "allocs: " + heads[this]
			}
			return "allocs: " + heads[this] + " - " + heads[that]
		}, one(bound),
		func(r *row, bound *report.Bound) string {
			allocs := r.all[this].allocs
			if that >= 0 {
				allocs -= r.all[that].allocs
			}
			return bound.JudgeCount(allocs, r.where())
		},
	}
}

// one is the bound of all rows.
func one(bound *report.Bound) func(string) *report.Bound {
	return func(string) *report.Bound { return bound }
}

func (c *contest) table(title string, heads ...string) *table {
	added := &table{title: title, heads: heads}
	c.tables = append(c.tables, added)
	return added
}

func (t *table) add(framework, scheme string, all ...*contender) {
	t.rows = append(t.rows, row{framework, scheme, all})
}

// keep keeps the rows that the pattern matches, with their title.
func (c *contest) keep(pattern *regexp.Regexp) {
	kept := make(map[*contender]bool)
	for _, t := range c.tables {
		t.rows = slices.DeleteFunc(t.rows, func(r row) bool { return !pattern.MatchString(t.title + ": " + r.where()) })
		for _, r := range t.rows {
			for _, of := range r.all {
				kept[of] = true
			}
		}
	}
	c.tables = slices.DeleteFunc(c.tables, func(t *table) bool { return len(t.rows) == 0 })
	c.all = slices.DeleteFunc(c.all, func(of *contender) bool { return !kept[of] })
}

// bounds returns those of the rows that there are.
func (t *table) bounds() (bounds []*report.Bound) {
	for i := range t.columns {
		for j := range t.rows {
			if bound := t.columns[i].boundOf(&t.rows[j]); bound != nil && !slices.Contains(bounds, bound) {
				bounds = append(bounds, bound)
			}
		}
	}
	return bounds
}

// String writes the table, and judges the bounds.
func (t *table) String() string {
	heads := append([]string{t.title}, t.heads...)
	for i := range t.columns {
		heads = append(heads, t.columns[i].head(t.heads))
	}
	text := report.NewTable(heads...)
	for i := range t.rows {
		r := &t.rows[i]
		cells := []string{r.where()}
		for _, of := range r.all {
			cells = append(cells, report.Duration(of.time()))
		}
		for i := range t.columns {
			cells = append(cells, t.columns[i].cell(r, t.columns[i].boundOf(r)))
		}
		text.Add(cells...)
	}
	return text.String()
}
