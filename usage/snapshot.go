package usage

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Snapshot is everything that was counted until a moment. Counts of the same combination
// are added up.
type Snapshot struct {
	Counts    []Count
	Processes []Process // those that have reported in the last day

	// MaxClients is how many clients have a name. 0: [MaxClients].
	MaxClients int

	// Names is how many clients have one.
	Names int

	// Left is what was recorded of earlier days, in their order.
	Left []Left

	since  func(version string, c ClientName) int64 // as in ClientTotal
	judged func(*report, *versionReport)            // is called with all clients of a version that moves
}

// Left is how many clients of a version there were on a day, by what they did: see
// docs/usage.md.
type Left struct {
	Day     string `json:"day"` // "2026-11-21"
	Version string `json:"version,omitempty"`
	Only    int    `json:"only"`
	Both    int    `json:"both"`
	Quiet   int    `json:"quiet"`
	Pinned  int    `json:"pinned,omitempty"`
	Told    int    `json:"told"`
	Moved   int    `json:"moved"`
}

// Judged is a version on a day, for a store to record.
type Judged struct {
	Left
	Breaks, Safe []ClientName // whose Since differs
}

// Process is a process that counts. A store without a clock of its own leaves Silent and Skew
// zero: LastSeen then shows how long the process is silent.
type Process struct {
	Name     string    `json:"name"`
	LastSeen time.Time `json:"last_seen"`       // when it last reported, by its clock
	Ended    bool      `json:"ended,omitempty"` // it has handed over all that it counted

	// Silent is how long ago the process last reported, by the clock of the store.
	Silent time.Duration `json:"-"`

	// Skew is by how many seconds the clock of the process is ahead of the clock of the
	// store, or behind it if Skew is negative. It is 0 for less than a minute.
	Skew int64 `json:"clock_skew_seconds,omitempty"`

	region string
}

// Page serves what was counted: a page for browsers, JSON for other clients, CSV for
// spreadsheets. [Table.Handler] returns one; a store makes its own. Its query
// parameters:
//
//   - format: "html", "json" or "csv", which wins over the Accept header, or
//     "openmetrics": a few gauges for each version with a deprecation or a sunset
//   - level: "summary" leaves out of the JSON what single clients and routes did
//   - ready: the response is 200 if the version may end, or else 409 with the reasons
//   - except, unknown, quiet: with ready, the clients and routes that a person has accepted
//   - clients: the clients of a version, with state and q (a part of a name), 100 a page
//   - client: what this client still calls of versions that are deprecated or have
//     ended, or may call again, and where to go
//
// It rejects an unknown format, level or parameter, and a parameter given twice (but for
// except), with 400, and answers 404 for an unknown version or client, and 503 with the error of Open. The page has
// no script and loads nothing; its Content-Security-Policy allows only its own style.
//
// All of it names your clients: protect it with your authentication, and make the
// route neutral.
type Page struct {
	// Catalogue has the versions. Required.
	Catalogue *catalogue.Catalogue

	// Clock should be that of [verso.Config]. Required.
	Clock func() time.Time

	// Explain is the Explain of the adapter's Routes. The page reads the URLs of the
	// routes, and which routes the successor of a version has. Optional. Default value:
	// nil, the routes are not known.
	Explain func() *verso.Explanation

	// Parameters are query parameters of the service itself, which the page ignores, such as
	// "api_key". Explain names the parameter of a [verso.QueryParam]. The page refuses any other
	// unknown parameter. Optional. Default value: none.
	Parameters []string

	// Contact returns whom to write to about a client, and a link, such as
	// "mailto:ops@example.com" or the address of a ticket. Two empty strings: the
	// contact is unknown. Optional. Default value: nil, the page has no contacts.
	Contact func(client string) (text, link string)

	// Pinned yields the pins of a version. The page asks for the versions with a deprecation or
	// a sunset, and for the version of the parameter ready, before it reads the counts. Pinned
	// may yield 100,000 pins for one answer, within 5 seconds: beyond that, or with an error,
	// which is shown, no version may end. Optional. Default value: nil, nothing is pinned.
	Pinned func(ctx context.Context, version string) iter.Seq2[Pin, error]

	// Open returns a reader of what was counted. Its error is shown. Required.
	Open func(ctx context.Context) (Reader, error)

	// Counter is the store whose counts these are. The gate is closed if Explain has counters, and not this one:
	// the service has set another configuration since. Optional. Default value: nil, any counter will do.
	Counter verso.Counter

	building sync.Mutex // one report at a time: with many clients, it takes much memory
}

var _ http.Handler = (*Page)(nil)

// Handler returns the page of the counts of the table. Explain is the Explain of the
// adapter's Routes, or nil: see [Page].
func (t *Table) Handler(explain func() *verso.Explanation) *Page {
	return &Page{Catalogue: t.catalogue, Clock: t.clock, Explain: explain, Counter: t, Open: t.open}
}

// open returns a reader of the counts of the table.
func (t *Table) open(ctx context.Context) (Reader, error) {
	counts := t.counts(false)
	t.mu.Lock()
	defer t.mu.Unlock()
	return Snapshot{
		MaxClients: t.bounds.Clients, Names: min(t.clients.len(), t.bounds.Clients), Counts: counts,
		Processes: []Process{{Name: ProcessName(), LastSeen: t.clock()}}, Left: slices.Clone(t.left), since: t.sinceOf,
		judged: t.judged,
	}.Open(ctx)
}

// sinceOf returns since when the end of a version would break a client, or not.
func (t *Table) sinceOf(version string, c ClientName) int64 {
	index, _ := t.versionOf(version)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.breaks[weeksKey{index, ClientName{c.Client, c.Other}}]
}

// judged records how many clients of a version are left on each day with a request for the page, and since when
// the end of the version would break each of them.
func (t *Table) judged(r *report, v *versionReport) {
	if r.pinned && (v.pins == nil || v.pins.partial) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest := r.Time.AddDate(0, 0, 1-KeepDays).UTC().Format(time.DateOnly)
	left := v.record(r.Time).Left
	t.left = append(slices.DeleteFunc(t.left, func(l Left) bool {
		return l.Day < oldest || l.Day == left.Day && l.Version == left.Version
	}), left)
	if t.breaks == nil {
		t.breaks = map[weeksKey]int64{}
	}
	for _, c := range v.Moving.Clients {
		k := weeksKey{v.index, ClientName{c.Client, c.Other}}
		switch was := t.breaks[k]; {
		case c.counted == "": // nothing of pins is recorded
			continue
		case c.counted == groupTold && was > 0: // it is not new when it calls once more
		case !c.counted.Breaks():
			t.breaks[k] = -r.Time.Unix()
		case was < 0:
			t.breaks[k] = r.Time.Unix()
		case was == 0:
			t.breaks[k] = c.first.Unix()
		}
		c.since = t.breaks[k]
	}
	v.Moving.countNew(r.Time, r.Since)
}

// ProcessName returns a name for this process: the name of its host, and its number
// there.
func ProcessName() string {
	host, _ := os.Hostname()
	return cmp.Or(host, "process") + "/" + strconv.Itoa(os.Getpid())
}
