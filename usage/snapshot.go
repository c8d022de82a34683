package usage

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"strconv"
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

	// Note is a sentence for the reader of the page about what is missing, or "".
	Note string
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
}

// Page serves what was counted: a page for browsers, JSON for other clients, CSV for
// spreadsheets. [Table.Handler] returns one; a store makes its own. Its query
// parameters:
//
//   - format: "html", "json" or "csv", which wins over the Accept header, or
//     "openmetrics": a few gauges for each version with a deprecation or a sunset
//   - level: "summary" leaves out of the JSON what single clients and routes did
//   - ready: the response is 200 if the version may end, or else 409 with the reasons
//   - except, unknown, quiet: with ready, the clients that a person has accepted
//   - clients: the clients of a version, with state and q (a part of a name), 100 a page
//   - client: what this client still calls of versions that are deprecated or have
//     ended, or may call again, and where to go
//
// It rejects an unknown format or level with 400, and answers 404 for an unknown
// version or client, and 503 with the error of Read. The page has no script and loads
// nothing; its Content-Security-Policy allows only its own style.
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

	// Contact returns whom to write to about a client, and a link, such as
	// "mailto:ops@example.com" or the address of a ticket. Two empty strings: the
	// contact is unknown. Optional. Default value: nil, the page has no contacts.
	Contact func(client string) (text, link string)

	// Open returns a reader of what was counted, for stores with many clients, or nil if only
	// Read has it now. Optional.
	Open func(ctx context.Context) (Reader, error)

	// Read returns what was counted. Its error is shown. Required.
	Read func(ctx context.Context) (Snapshot, error)
}

var _ http.Handler = (*Page)(nil)

// Handler returns the page of the counts of the table. Explain is the Explain of the
// adapter's Routes, or nil: see [Page].
func (t *Table) Handler(explain func() *verso.Explanation) *Page {
	return &Page{Catalogue: t.catalogue, Clock: t.clock, Explain: explain, Read: t.read}
}

// read returns the counts of the table.
func (t *Table) read(context.Context) (Snapshot, error) {
	return Snapshot{MaxClients: t.bounds.Clients, Names: t.clients.len(), Counts: t.counts(false), Processes: []Process{{Name: ProcessName(), LastSeen: t.clock()}}}, nil
}

// ProcessName returns a name for this process: the name of its host, and its number
// there.
func ProcessName() string {
	host, _ := os.Hostname()
	return cmp.Or(host, "process") + "/" + strconv.Itoa(os.Getpid())
}
