package usage_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// exported is a line of the export.
type exported struct {
	Time                          time.Time
	Version, Client, State, Every string
	Method, Route, Outcome        string
	Other                         bool
	Requests                      uint64
	Recent                        uint64    `json:"requests_30_days"`
	First                         time.Time `json:"first_request"`
	Last                          time.Time `json:"last_request"`
	NextExpected                  time.Time `json:"next_expected"`
	Days                          []usage.DayCount
	Exceptions                    []usage.Exception
	Pins                          []struct{ For string }
}

// exportOf reads all answers of the export, and returns the lines, and how many clients each answer had.
func exportOf(t *testing.T, page http.Handler) (lines []exported, clients []int) {
	t.Helper()
	query := "/?format=jsonl"
	for {
		response := ask(page, "GET", query)
		require.Equal(t, 200, response.Code, response.Body)
		require.Equal(t, "application/jsonl", response.Header().Get("Content-Type"))
		text := strings.Split(strings.TrimSuffix(response.Body.String(), "\n"), "\n")
		names := map[string]bool{}
		for _, line := range text[:len(text)-1] {
			var n exported
			require.NoError(t, json.Unmarshal([]byte(line), &n))
			lines, names[n.Client] = append(lines, n), true
		}
		clients = append(clients, len(names))
		var end map[string]string
		require.NoError(t, json.Unmarshal([]byte(text[len(text)-1]), &end))
		require.Len(t, end, 1)
		if end["next"] == "" {
			return lines, clients
		}
		query = "/?format=jsonl&after=" + url.QueryEscape(end["next"])
	}
}

// TestExport: the export has the lines of the CSV, in answers of 5,000 clients.
func TestExport(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -70))
	table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now}, usage.Bounds{Clients: 12_000, Cells: 30_000})
	for i := range 11_900 {
		table.Observe(t.Context(), call([]string{"v1", "v2", ""}[i%3], fmt.Sprint("client ", i), "/users", clock.Now()))
	}
	clock.Set(noon.AddDate(0, 0, -2))
	for i := range 400 {
		table.Observe(t.Context(), call("v1", fmt.Sprint("client ", i*29), fmt.Sprint("/", i%3), clock.Now()))
		rejected := call("v1", fmt.Sprint("Ü ", i), "/users", clock.Now())
		rejected.Outcome = "version_gone"
		table.Observe(t.Context(), rejected)
	}
	table.Observe(t.Context(), call("v1", "", "/users", clock.Now()))
	clock.Set(noon)
	require.NoError(t, table.Except(t.Context(), usage.Exception{Version: "v1", Client: "client 0", By: "Ann", Note: "ticket 7"}))
	page := table.Handler(nil)
	page.Pinned = pinnedTo(nil, hook("client 1"), hook("client 99999"), hook("zoo"))
	lines, clients := exportOf(t, page)
	assert.Equal(t, []int{5000, 5000, 2004}, clients)

	all, err := csv.NewReader(ask(page, "GET", "/?format=csv").Body).ReadAll()
	require.NoError(t, err)
	var want, got []string
	for _, line := range all[1:] {
		want = append(want, strings.Join([]string{line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7], line[8], line[9], line[10], line[11]}, ","))
	}
	text := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.Format(time.RFC3339)
	}
	for _, n := range lines {
		client := n.Client
		switch {
		case n.Other:
			client = "(all others, beyond the bound)"
		case client == "":
			client = "(without a name)"
		}
		got = append(got, strings.Join([]string{n.Version, client, n.Method, n.Route, n.Outcome, strconv.FormatUint(n.Recent, 10), strconv.FormatUint(n.Requests, 10),
			text(n.First), text(n.Last), n.State, n.Every, text(n.NextExpected)}, ","))
		sum := uint64(0)
		for _, d := range n.Days {
			sum += d.Requests
		}
		require.Equal(t, n.Recent, sum, n)
		require.Equal(t, noon, n.Time)
	}
	slices.Sort(want)
	slices.Sort(got)
	assert.Equal(t, want, got)
	for _, n := range lines {
		switch {
		case n.Client == "client 0" && n.Version == "v1":
			assert.Equal(t, "ticket 7", n.Exceptions[0].Note)
		case n.Client == "zoo":
			assert.Equal(t, "pinned webhook https://example.com/zoo", n.State+" "+n.Pins[0].For)
		case n.Client == "client 29" && n.Route == "/1":
			assert.Equal(t, []usage.DayCount{{Day: "2026-11-19", Requests: 1}}, n.Days)
		}
	}
}

// TestExportRefuses: a cursor that is none, and parameters without a meaning.
func TestExportRefuses(t *testing.T) {
	page := newTable(lives(catalogue.Gone), noon).Handler(nil)
	for query, want := range map[string]string{
		"format=jsonl&after=":       "200 {\"next\":\"\"}\n",
		"format=jsonl&after=eg":     "200 {\"next\":\"\"}\n",
		"format=jsonl&after=%C3%BC": "400 after=\"ü\" has another form than a cursor: write the next of the last line of an answer\n",
		"format=jsonl&after=_w":     "400 after=\"_w\" has another form than a cursor: write the next of the last line of an answer\n", // no UTF-8
		"format=jsonl&after=AA":     "400 after=\"AA\" has another form than a cursor: write the next of the last line of an answer\n", // NUL
		"format=csv&after=eg":       "400 after is for all counts: add format=jsonl\n",
		"format=jsonl&ready=v1":     "400 format=jsonl has all counts: leave out the other parameters, or add letters=, with the version\n",
		"format=jsonl&clients=v1":   "400 format=jsonl has all counts: leave out the other parameters, or add letters=, with the version\n",
		"format=jsonl&letters=v1":   "200 ",
	} {
		response := ask(page, "GET", "/?"+query)
		if got := fmt.Sprint(response.Code, " ", response.Body); got != want {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// FuzzCursor: no cursor makes a store fail, and each one has an answer.
func FuzzCursor(f *testing.F) {
	for _, cursor := range []string{"", "eg", "AA", "_w", "Y2xpZW50IDE", "====", "w7w"} {
		f.Add(cursor)
	}
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "client 1", days{1: 1})
	page := table.Handler(nil)
	f.Fuzz(func(t *testing.T, cursor string) {
		response := ask(page, "GET", "/?format=jsonl&after="+url.QueryEscape(cursor))
		if response.Code != 200 && response.Code != 400 || !utf8.Valid(response.Body.Bytes()) {
			t.Errorf("%q: %d %s", cursor, response.Code, response.Body)
		}
	})
}

// TestCSVInParts: the CSV of many clients is made in parts, and has each client once, in the order of their names.
func TestCSVInParts(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now}, usage.Bounds{Clients: 12_000})
	want := []string{"client"}
	for i := range 5600 {
		name := fmt.Sprintf("client %05d", i*3%5600)
		table.Observe(t.Context(), call("v1", name, "/users", clock.Now()))
		want = append(want, fmt.Sprintf("client %05d", i))
	}
	table.Observe(t.Context(), call("v2", "client 00007", "/users", clock.Now()))
	page := table.Handler(nil)
	page.Pinned = pinnedTo(nil, hook("client 00100a"), account("client 00007"), account("zoo"))
	all, err := csv.NewReader(ask(page, "GET", "/?format=csv").Body).ReadAll()
	require.NoError(t, err)
	var v1 []string
	pinned := map[string]string{}
	for _, line := range all {
		if line[0] != "v2" {
			v1 = append(v1, line[1])
		}
		if pins := line[len(line)-1]; pins != "" && line[0] == "v1" {
			pinned[line[1]] = line[9] + " " + pins
		}
	}
	want = slices.Insert(want, slices.Index(want, "client 00101"), "client 00100a")
	want = append(want, "zoo")
	assert.Equal(t, want, v1)
	assert.Equal(t, map[string]string{"client 00100a": "pinned webhook https://example.com/client 00100a since 21 Aug 2026", "client 00007": "both account", "zoo": "pinned account"}, pinned)
}

// inParts reads counts, and remembers the most clients that it was asked for at once.
type inParts struct {
	usage.Reader
	most *int
}

func (r inParts) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) {
		n := 0
		for c, err := range r.Reader.Clients(ctx, version, wanted) {
			n++
			*r.most = max(*r.most, n)
			if !yield(c, err) {
				return
			}
		}
	}
}

// TestLongAnswersInParts: answers with a line for each client never hold many of them, and have each client. The JSON has the sums and
// the gate of the page.
func TestLongAnswersInParts(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -80))
	table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now}, usage.Bounds{Clients: 12_000, Cells: 60_000})
	const all = 5600
	for i := range all {
		table.Observe(t.Context(), call("v1", fmt.Sprintf("client %05d", i*3%all), fmt.Sprint("/", i%3), clock.Now()))
	}
	for _, ago := range []int{70, 50, 20, 3} {
		clock.Set(noon.AddDate(0, 0, -ago))
		for i := range all {
			if version := []string{"v1", "v2", "v2", ""}[i%4]; version == "v2" || version == "v1" && ago < 30 {
				table.Observe(t.Context(), call(version, fmt.Sprintf("client %05d", i), "/0", clock.Now()))
			}
		}
	}
	table.Observe(t.Context(), call("v1", "", "/users", clock.Now()))
	clock.Set(noon)
	require.NoError(t, table.Except(t.Context(), usage.Exception{Version: "v1", Client: "client 00003", By: "Ann"}))
	most := 0
	page := table.Handler(nil)
	page.Pinned = pinnedTo(nil, hook("client 00007"), hook("zoo"))
	open := page.Open
	page.Open = func(ctx context.Context) (usage.Reader, error) {
		r, err := open(ctx)
		return inParts{r, &most}, err
	}
	type group struct{ Client, Group string }
	type version struct {
		Version string
		Moving  struct {
			Only, Both, Quiet, Pinned, Moved int
			Requests                         uint64
			Unnamed                          uint64 `json:"requests_without_client"`
			From                             string
			Clients                          []group
		}
		Clients []struct {
			Client string
			Routes []struct{ Route string }
		}
		Ready struct {
			Ready     bool
			Reasons   []string
			Clients   []struct{ Client, Why string }
			Excepted  []struct{ Client string }
			Questions []struct{ Client string }
			More      int
		}
	}
	read := func(query string, to any) {
		t.Helper()
		require.NoError(t, json.Unmarshal(ask(page, "GET", "/?"+query).Body.Bytes(), to), query)
	}
	var full, summary struct{ Versions []version }
	read("format=json", &full)
	read("format=json&level=summary", &summary)
	letters := strings.Count(ask(page, "GET", "/?letters=v1&format=jsonl").Body.String(), "\n")
	mails, err := csv.NewReader(ask(page, "GET", "/?letters=v1&format=csv").Body).ReadAll()
	require.NoError(t, err)
	quiet, err := csv.NewReader(ask(page, "GET", "/?clients=v1&state=quiet&format=csv").Body).ReadAll()
	require.NoError(t, err)
	assert.LessOrEqual(t, most, 5002, "clients at once")

	v1 := full.Versions[0]
	groups := map[string]int{}
	for _, c := range v1.Moving.Clients {
		groups[c.Group]++
	}
	m := v1.Moving
	assert.Equal(t, map[string]int{"only": m.Only + 1, "quiet": m.Quiet, "pinned": m.Pinned, "moved": m.Moved}, groups, "and the requests without a name")
	assert.Equal(t, all+2, len(m.Clients), "and those without a name, and zoo")
	assert.Equal(t, all+1, len(v1.Clients))
	assert.NotEmpty(t, v1.Clients[all].Routes)
	assert.Equal(t, uint64(1), m.Unnamed)
	assert.Equal(t, uint64(all/4+1), m.Requests)
	assert.Equal(t, m, summary.Versions[0].Moving)
	assert.Equal(t, v1.Ready, summary.Versions[0].Ready)
	assert.Empty(t, summary.Versions[0].Clients)
	assert.Equal(t, m.Only+m.Quiet+m.Pinned, letters)
	assert.Len(t, mails, letters+1)
	assert.Greater(t, len(quiet), m.Quiet)
	assert.Len(t, v1.Ready.Clients, 100)
	assert.Len(t, v1.Ready.Excepted, 1)

	var gate struct {
		Reasons []string
		Clients []struct{ Client, Why string }
		More    int
	}
	read("ready=v1", &gate)
	assert.Equal(t, gate.Reasons, v1.Ready.Reasons[:len(gate.Reasons)])
	assert.Equal(t, gate.More, v1.Ready.More)
	response := ask(page, "GET", "/?format=html").Body.String()
	assert.Contains(t, response, fmt.Sprintf("%d quiet", m.Quiet))
}

// TestCSVHasExceptions: who answers for a client, when, and why.
func TestCSVHasExceptions(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "acme", days{50: 1})
	did(table, noon, "v1", "zoo", days{50: 1})
	for _, query := range []string{"format=csv", "clients=v1&format=csv"} {
		if text := ask(table.Handler(nil), "GET", "/?"+query).Body.String(); strings.Contains(text, "exceptions") {
			t.Errorf("%s: %s", query, text)
		}
	}
	require.NoError(t, table.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", By: "Ann", Note: "ticket 7"}))
	for _, query := range []string{"format=csv", "clients=v1&format=csv"} {
		all, err := csv.NewReader(ask(table.Handler(nil), "GET", "/?"+query).Body).ReadAll()
		require.NoError(t, err)
		got := map[string]string{}
		for _, line := range all {
			got[line[1]] = line[len(line)-1]
		}
		assert.Equal(t, map[string]string{"client": "exceptions", "acme": "has moved, according to Ann on 21 Nov 2026: ticket 7", "zoo": ""}, got, query)
	}
}

// reading counts how often the clients of each version are read.
type reading struct {
	usage.Reader
	reads map[string]int
}

func (c reading) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	if !wanted.NamesOnly {
		c.reads[version]++
	}
	return c.Reader.Clients(ctx, version, wanted)
}

// TestReadOnce: the two lists of a version in the full JSON are read once.
func TestReadOnce(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "acme", days{60: 1, 1: 1})
	page, reads := table.Handler(nil), map[string]int{}
	page.Open = func(ctx context.Context) (usage.Reader, error) {
		reader, err := table.Handler(nil).Open(ctx)
		return reading{reader, reads}, err
	}
	body := ask(page, "GET", "/?format=json").Body.String()
	assert.Equal(t, ask(table.Handler(nil), "GET", "/?format=json").Body.String(), body)
	assert.Equal(t, 1, reads["v1"])
}
