package usage

import (
	"context"
	"iter"
	"net/http"
	"sync"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Page serves what was counted: a page for browsers, JSON for other clients, CSV for
// spreadsheets. [Table.Handler] returns one; a store makes its own. Its query
// parameters:
//
//   - format: "html", "json" or "csv", which wins over the Accept header, or
//     "openmetrics": a few gauges for each version with a deprecation or a sunset
//   - format=jsonl, after: all counts as JSON Lines, 5,000 clients in an answer; after is the cursor of its last line
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
