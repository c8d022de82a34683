package usage_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// world are three regions, and a table of what all of them counted.
type world struct {
	clock   *versotest.Clock
	all     *usage.Table
	regions []*usage.Table

	versions *catalogue.Catalogue
}

func newWorld(versions *catalogue.Catalogue, begin time.Time) *world {
	w := &world{clock: versotest.NewClock(begin), versions: versions}
	table := func() *usage.Table {
		return usage.NewBoundedTable(&verso.Config{Catalogue: versions, Clock: w.clock.Now}, usage.Bounds{Clients: 20_000})
	}
	w.all = table()
	for range 3 {
		w.regions = append(w.regions, table())
	}
	return w
}

func (w *world) observe(region int, o verso.Observation) {
	w.regions[region].Observe(context.Background(), o)
	w.all.Observe(context.Background(), o)
}

var regionNames = []string{"ap", "eu", "us"}

func (w *world) page() *usage.Page {
	page := w.all.Handler(nil)
	regions := usage.Regions{}
	for i, name := range regionNames {
		regions[name] = w.regions[i].Handler(nil).Open
	}
	page.Open = regions.Open
	return page
}

// TestRegions: random traffic in three regions gets the answers that it gets in one table, also when regions have forgotten
// clients that another one knows.
func TestRegions(t *testing.T) {
	// The table records days of its own, when it is asked, and has other processes and bounds.
	own := regexp.MustCompile(`"left":\[[^\]]*\],?|"processes":\[[^\]]*\]|"news":"[^"]*"|verso_usage_(names|processes).*\n`)
	// A region forgets how many requests there were, and the first of them, but not when a client called.
	sums := regexp.MustCompile(`"(requests|rejected|first_seen|first_request|news|counted_since|since)":[^,}]*|(,\d+),\d+,\d{4}-[^,]*`)
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 69))
		span := 40 + r.IntN(420)
		if seed >= 8 {
			span += usage.KeepDays // regions forget what others know
		}
		w := newWorld(lives(catalogue.Gone), noon.AddDate(0, 0, -span))
		for ago := span; ago >= 0; ago-- {
			w.clock.Set(noon.AddDate(0, 0, -ago))
			for i := range 40 {
				every := []int{1, 2, 7, 14, 30, 61, 91, 182, 365, 30}[i%10]
				if (ago+i)%every != 0 {
					continue
				}
				name := fmt.Sprint("client ", i)
				if i == 3 {
					name = ""
				}
				region := []int{r.IntN(3), i % 3, ago / 50 % 3, ago / every % 3}[i/10]
				o := call("v1", name, fmt.Sprint("/", r.IntN(4)), w.clock.Now())
				if ago < i*9 && r.IntN(8) > 0 {
					o.Version = verso.V([]string{"v2", "v3"}[r.IntN(2)])
				}
				if r.IntN(7) == 0 {
					o.Outcome = "version_gone"
				}
				w.observe(region, o)
			}
			if ago == 25 {
				e := usage.Exception{Version: "v1", Client: "client 9", By: "Ann"}
				require.NoError(t, w.all.Except(t.Context(), e))
				require.NoError(t, w.regions[1].Except(t.Context(), e))
				e = usage.Exception{Version: "v1", Client: "client 0", Kind: usage.MayBreak, Until: noon.AddDate(0, 2, 0), By: "Ann"}
				require.NoError(t, w.regions[0].Except(t.Context(), e))
				e.By = "Bob" // a minute later
				w.clock.Set(w.clock.Now().Add(time.Minute))
				require.NoError(t, w.all.Except(t.Context(), e))
				require.NoError(t, w.regions[2].Except(t.Context(), e))
			}
		}
		for _, query := range []string{
			"ready=v1", "ready=v1&quiet=90", "ready=v2", "format=json", "format=json&level=summary", "format=csv", "format=openmetrics",
			"clients=v1", "clients=v1&format=csv&state=breaks", "format=jsonl", "letters=v1", "letters=v1&format=csv", "client=client+11", "client=client+32",
		} {
			one, all := ask(w.all.Handler(nil), "GET", "/?"+query), ask(w.page(), "GET", "/?"+query)
			require.Equal(t, one.Code, all.Code, "%d %s: %s", seed, query, all.Body)
			want, got := own.ReplaceAllString(one.Body.String(), ""), own.ReplaceAllString(all.Body.String(), "")
			if seed >= 8 {
				want, got = sums.ReplaceAllString(want, "$2"), sums.ReplaceAllString(got, "$2")
			}
			require.Equal(t, want, got, "%d %s", seed, query)
		}
		named := regexp.MustCompile(`data-label="Clients">(\d+)`)
		require.Equal(t, named.FindAllString(htmlOf(w.all), -1), named.FindAllString(ask(w.page(), "GET", "/?format=html").Body.String(), -1), seed)
	}
}

// hours is a region that counted in some times, each given in days ago.
func hours(times ...[2]int) (region usage.Snapshot) {
	for _, t := range times {
		region.Counts = append(region.Counts, usage.Count{Kind: usage.KindCounting,
			First: noon.AddDate(0, 0, -t[0]).Unix(), Last: noon.AddDate(0, 0, -t[1]).Unix()})
	}
	return region
}

// TestRegionsInParts: lists that come in parts have each client that one of the regions has not forgotten, and end behind
// the last one.
func TestRegionsInParts(t *testing.T) {
	w := newWorld(lives(catalogue.Gone), noon.AddDate(0, 0, -usage.KeepDays-20))
	for i := range 6_500 {
		if i%7 == 0 { // forgotten soon
			w.observe(1, call("v1", fmt.Sprintf("client %04d", i), "/users", w.clock.Now()))
		}
	}
	w.clock.Set(noon)
	var want []string
	for i := range 6_500 {
		if i%7 != 0 || i%70 == 0 {
			name := fmt.Sprintf("client %04d", i)
			want = append(want, name)
			w.observe(1, call("v1", name, "/users", noon.Add(-time.Hour)))
		}
	}
	for _, query := range []string{"letters=v1&format=csv", "format=csv"} {
		response := ask(w.page(), "GET", "/?"+query)
		require.Equal(t, http.StatusOK, response.Code)
		got := regexp.MustCompile(`(?m)^(?:v1,)?(client \d{4}),`).FindAllStringSubmatch(response.Body.String(), -1)
		names := make([]string, len(got))
		for i := range got {
			names[i] = got[i][1]
		}
		assert.Equal(t, want, names, query)
	}
}

// TestRegionsAreCounted: a gap in one region is not hidden by another one.
func TestRegionsAreCounted(t *testing.T) {
	killed := hours([2]int{300, 0})
	killed.Processes = []usage.Process{{Name: "host/7", LastSeen: noon.Add(-time.Hour)}}
	for _, test := range []struct {
		name string
		us   usage.Snapshot
		want string
	}{
		{"without a gap", hours([2]int{300, 0}), "[]"},
		{"a gap", hours([2]int{300, 23}, [2]int{10, 0}), "[no process of region us counted from 29 Oct 2026, 13:00 UTC until 11 Nov 2026, 12:00 UTC]"},
		{"no longer", hours([2]int{300, 2}), "[no process of region us counted from 19 Nov 2026, 13:00 UTC until 21 Nov 2026, 12:00 UTC]"},
		{"since ten days", hours([2]int{10, 0}), "[in region us, requests are counted since 11 Nov 2026, 12:00 UTC only: 30 days are over on 11 Dec 2026, 12:00 UTC]"},
		{"never", usage.Snapshot{}, "[in region us, requests are counted since 21 Nov 2026, 12:00 UTC only: 30 days are over on 21 Dec 2026, 12:00 UTC]"},
		{"long ago", hours([2]int{300, 200}), "[no process of region us counted from 22 Oct 2026, 12:00 UTC until 21 Nov 2026, 12:00 UTC]"},
		{"a killed process", killed, "[process us: host/7 last reported on 21 Nov 2026, 11:00 UTC: it may have been killed with uncounted requests; this is forgotten a day later]"},
	} {
		page := pageOf(lives(catalogue.Gone), noon, usage.Snapshot{})
		page.Open = usage.Regions{"eu": hours([2]int{300, 0}).Open, "us": test.us.Open}.Open
		gate := gateOf(t, page, "ready=v1")
		if got := fmt.Sprint(gate.Reasons); got != test.want || gate.Ready != (test.want == "[]") {
			t.Errorf("%s: %s", test.name, got)
		}
		nested := usage.Regions{"world": page.Open}.Open
		page.Open = nested
		for _, reason := range gateOf(t, page, "ready=v1").Reasons {
			if !strings.Contains(reason, "region world/us") && !strings.Contains(reason, "world: us: host/7") {
				t.Errorf("%s: %s", test.name, reason)
			}
		}
	}
}

// TestRegionIsSilent: the metrics show a region in which no process counts.
func TestRegionIsSilent(t *testing.T) {
	eu := hours([2]int{300, 0})
	eu.Processes = []usage.Process{{Name: "a", LastSeen: noon}, {Name: "b", LastSeen: noon.Add(-time.Hour)}, {Name: "c", Ended: true}}
	page := pageOf(lives(catalogue.Gone), noon, usage.Snapshot{})
	page.Open = usage.Regions{"eu": eu.Open, `u"s`: hours([2]int{300, 0}).Open}.Open
	contains(t, ask(page, "GET", "/?format=openmetrics").Body.String(), `
verso_usage_processes{region="eu",state="running"} 1
verso_usage_processes{region="eu",state="silent"} 1
verso_usage_processes{region="u\"s",state="running"} 0
verso_usage_processes{region="u\"s",state="silent"} 0
`)
}

// held is a reader of a store that has names for so many clients, and one client.
type held struct {
	usage.Reader
	names, of int
	client    usage.ClientTotal
}

func (h held) Totals(ctx context.Context, recent int64) (usage.Totals, error) {
	t, err := h.Reader.Totals(ctx, recent)
	t.Names, t.MaxClients = h.names, h.of
	return t, err
}

func (h held) Clients(context.Context, string, usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) { yield(&h.client, nil) }
}

// regionsOf opens regions that hold so much.
func regionsOf(t *testing.T, all ...held) usage.Reader {
	t.Helper()
	regions := usage.Regions{}
	for i, h := range all {
		regions[strconv.Itoa(i)] = func(ctx context.Context) (reader usage.Reader, err error) {
			h.Reader, err = hours([2]int{300, 0}).Open(ctx)
			return h, err
		}
	}
	reader, err := regions.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { reader.Close() })
	return reader
}

// TestRegionIsFull: the names are those of the region that has the least room.
func TestRegionIsFull(t *testing.T) {
	for _, names := range [][2]held{{{names: 9, of: 10}, {names: 30, of: 100}}, {{names: 30, of: 100}, {names: 9, of: 10}}} {
		totals, err := regionsOf(t, names[:]...).Totals(t.Context(), 0)
		require.NoError(t, err)
		assert.Equal(t, [2]int{9, 10}, [2]int{totals.Names, totals.MaxClients})
	}
}

// TestRegionsOfClient: since when the end breaks a client, or not, and its first request that is not forgotten.
func TestRegionsOfClient(t *testing.T) {
	const day = 24 * 60 * 60
	type total = usage.ClientTotal
	for _, test := range []struct {
		name    string
		regions []total
		want    total
	}{
		{"breaks in both", []total{{First: 7, Last: 9, Since: 9}, {First: 8, Last: 8, Since: 8}}, total{First: 7, Last: 9, Since: 8}},
		{"moved in both", []total{{First: 1, Last: 2, Since: -5}, {First: 2, Last: 3, Since: -7}}, total{First: 1, Last: 3, Since: -7}},
		{"breaks in one", []total{{First: 1, Last: 2, Since: -9}, {First: 2, Last: 3, Since: 3}}, total{First: 1, Last: 3, Since: 3}},
		{"forgotten between", []total{{First: 501 * day, Last: 501 * day, Since: 501 * day}, {First: day, Last: day, Since: day}},
			total{First: 501 * day, Last: 501 * day, Since: 501 * day}},
		{"a third one called between", []total{{First: day, Last: day, Since: day}, {First: 501 * day, Last: 501 * day, Since: 501 * day},
			{First: 300 * day, Last: 300 * day, Since: 300 * day}}, total{First: day, Last: 501 * day, Since: day}},
	} {
		all := make([]held, len(test.regions))
		for i := range all {
			all[i].client = test.regions[i]
		}
		for n, err := range regionsOf(t, all...).Clients(t.Context(), "v1", usage.Wanted{Forgotten: true}) {
			require.NoError(t, err)
			assert.Equal(t, test.want, total{First: n.First, Last: n.Last, Since: n.Since}, test.name)
		}
	}
}

// broken is a reader that fails in one of its methods.
type broken struct {
	usage.Reader
	fails  string
	closed *bool
}

var errBroken = errors.New("no route to host")

func (b broken) Totals(ctx context.Context, recent int64) (usage.Totals, error) {
	if b.fails == "Totals" {
		return usage.Totals{}, errBroken
	}
	return b.Reader.Totals(ctx, recent)
}

func (b broken) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) {
		var all []*usage.ClientTotal
		for n, err := range b.Reader.Clients(ctx, version, wanted) {
			if err != nil {
				yield(nil, err)
				return
			}
			all = append(all, n)
		}
		if b.fails == "order" {
			slices.Reverse(all)
		}
		for _, n := range all {
			if !yield(n, nil) {
				return
			}
		}
		if b.fails == "Clients" {
			yield(nil, errBroken)
		}
	}
}

func (b broken) Routes(ctx context.Context, version string, clients []usage.ClientName) ([]usage.Count, error) {
	if b.fails == "Routes" {
		return nil, errBroken
	}
	return b.Reader.Routes(ctx, version, clients)
}

func (b broken) RoutesOf(ctx context.Context, version string) ([]usage.Count, error) {
	if b.fails == "RoutesOf" {
		return nil, errBroken
	}
	return b.Reader.RoutesOf(ctx, version)
}

func (b broken) Close() { *b.closed = true }

// TestRegionFails: if one region cannot be read, no version may end, and the answer has its name.
func TestRegionFails(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "a", days{60: 1, 1: 1})
	did(table, noon, "v1", "b", days{60: 1, 1: 1})
	for _, test := range []struct{ fails, query, want string }{
		{"Open", "ready=v1", `region "us" cannot be read: no route to host`},
		{"nil", "ready=v1", `region "us" cannot be read: nothing opens it`},
		{"Totals", "ready=v1", `region "us" cannot be read: no route to host`},
		{"Clients", "ready=v1", `region "us" cannot be read: no route to host`},
		{"Routes", "ready=v1", `region "us" cannot be read: no route to host`},
		{"RoutesOf", "format=html", `region "us" cannot be read: no route to host`},
		{"order", "ready=v1", `region "us" cannot be read: its reader yields client "a" after "b"`},
	} {
		closed := [2]bool{}
		open := func(i int, fails string) func(context.Context) (usage.Reader, error) {
			if fails == "nil" {
				return nil
			}
			return func(ctx context.Context) (usage.Reader, error) {
				if fails == "Open" {
					return nil, errBroken
				}
				reader, err := table.Handler(nil).Open(ctx)
				return broken{reader, fails, &closed[i]}, err
			}
		}
		page := table.Handler(nil)
		page.Open = usage.Regions{"eu": open(0, ""), "us": open(1, test.fails)}.Open
		response := ask(page, "GET", "/?"+test.query)
		if response.Code != http.StatusServiceUnavailable || !strings.Contains(response.Body.String(), test.want) {
			t.Errorf("%s: %d %s", test.fails, response.Code, response.Body)
		}
		if opened := test.fails != "Open" && test.fails != "nil"; !closed[0] || closed[1] != opened {
			t.Errorf("%s: closed %v", test.fails, closed)
		}
	}
	page := table.Handler(nil)
	page.Open = usage.Regions{}.Open
	assert.Equal(t, http.StatusServiceUnavailable, ask(page, "GET", "/?ready=v1").Code)
}

// TestClientsOfRegions: what a client is that called v1 in one region, and v2 in another one.
func TestClientsOfRegions(t *testing.T) {
	weekly := func(from, to int) days {
		all := days{}
		for ago := from; ago >= to; ago -= 7 {
			all[ago] = 1
		}
		return all
	}
	for _, test := range []struct {
		name string
		did  [2]map[string]days // by region
		want [4]string          // of each region, of both, and of one store that counted all
	}{
		{"in one region only", [2]map[string]days{{"v1": weekly(100, 60), "v2": weekly(53, 4)}, {}}, [4]string{"moved", "", "moved", "moved"}},
		{"moved to another region", [2]map[string]days{{"v1": weekly(100, 60)}, {"v2": weekly(53, 4)}}, [4]string{"quiet", "", "moved", "moved"}},
		{"still calls in another region", [2]map[string]days{{"v1": weekly(100, 60), "v2": weekly(53, 4)}, {"v1": {3: 1}}}, [4]string{"moved", "only", "both", "both"}},
		{"a job by turns", [2]map[string]days{{"v1": {200: 1, 80: 1}, "v2": weekly(70, 4)}, {"v1": {140: 1, 20: 1}, "v2": weekly(70, 4)}}, [4]string{"quiet", "quiet", "quiet", "quiet"}},
		{"a yearly job", [2]map[string]days{{"v1": {395: 1}}, {"v1": {25: 1}, "v2": weekly(18, 4)}}, [4]string{"quiet", "moved", "quiet", "quiet"}},
		{"a region has forgotten it", [2]map[string]days{{"v1": {405: 1}}, {"v1": {25: 1}, "v2": weekly(18, 4)}}, [4]string{"", "moved", "quiet", "quiet"}},
		{"what a later version served is forgotten", [2]map[string]days{{"v1": {390: 1}, "v2": {403: 1}}, {"v2": {190: 1, 4: 1}}}, [4]string{"quiet", "", "quiet", "quiet"}},
	} {
		w := newWorld(lives(catalogue.Gone), noon.AddDate(0, 0, -410))
		w.clock.Set(noon)
		for i, did1 := range test.did {
			for version, requests := range did1 {
				did(w.regions[i], noon, version, "acme", requests)
				did(w.all, noon, version, "acme", requests)
			}
		}
		var got [4]string
		for i, page := range []*usage.Page{w.regions[0].Handler(nil), w.regions[1].Handler(nil), w.page(), w.all.Handler(nil)} {
			got[i] = statesOf(t, page)["acme"]
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestGatesOfRegions compares a gate for each of three regions with one gate over all: docs/usage.md has the figures.
func TestGatesOfRegions(t *testing.T) {
	w := newWorld(lives(catalogue.Gone), noon.AddDate(0, 0, -380))
	r := rand.New(rand.NewPCG(7, 69))
	kinds := []string{"stays", "changes region", "by turns", "anywhere"}
	const each = 10
	for ago := 380; ago > 0; ago-- {
		w.clock.Set(noon.AddDate(0, 0, -ago))
		for i := range each * len(kinds) {
			if (ago+i)%7 != 0 {
				continue
			}
			moved := 40 + 5*(i%each)
			o := call("v1", fmt.Sprint(kinds[i/each], " ", i%each), "/users", w.clock.Now())
			region := i % 3
			if ago < moved {
				o.Version = verso.V("v2")
			}
			switch i / each {
			case 1:
				if ago < moved {
					region = (i + 1) % 3
				}
			case 2:
				region = (ago + i) / 7 % 3
			case 3:
				region = r.IntN(3)
			}
			w.observe(region, o)
		}
	}
	w.clock.Set(noon)
	left := func(pages ...*usage.Page) (n map[string]int) {
		quiet := map[string]bool{}
		for _, page := range pages {
			for name, state := range statesOf(t, page) {
				quiet[name] = quiet[name] || state != "moved"
			}
		}
		n = map[string]int{}
		for name, is := range quiet {
			if is {
				n[strings.TrimRight(name, " 0123456789")]++
			}
		}
		return n
	}
	assert.Empty(t, left(w.page()), "one gate over all")
	assert.True(t, gateOf(t, w.page(), "ready=v1").Ready)
	assert.Equal(t, map[string]int{"changes region": 10, "anywhere": 5},
		left(w.regions[0].Handler(nil), w.regions[1].Handler(nil), w.regions[2].Handler(nil)), "a gate for each region")
}

// TestRegionsExcept: of the answers about a client in several regions, the latest counts, wherever it was recorded.
func TestRegionsExcept(t *testing.T) {
	for late := range regionNames {
		w := newWorld(lives(catalogue.Gone), noon.AddDate(0, 0, -60))
		w.observe(0, call("v1", "acme", "/users", w.clock.Now()))
		w.clock.Set(noon)
		for i := range regionNames {
			at := (late + 1 + i) % len(regionNames)
			w.clock.Advance(time.Hour)
			if err := w.regions[at].Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", By: regionNames[at]}); err != nil {
				t.Fatal(err)
			}
		}
		got := ask(w.page(), "GET", "/?clients=v1&format=json").Body.String()
		if want := `"by":"` + regionNames[late] + `"`; !strings.Contains(got, want) || strings.Count(got, `"by"`) != 1 {
			t.Errorf("not one %s: %s", want, got)
		}
	}
}

// TestRegionsKnowWhoIsBack: no region has recorded that a client had moved, which the union of all shows: its next call is news.
func TestRegionsKnowWhoIsBack(t *testing.T) {
	for _, test := range []struct {
		name  string
		calls func(day int) (version string, region int)
		want  map[int]bool // whether it is news, by the day on which the letters were last read
	}{
		{"in its region", func(day int) (string, int) {
			if day <= 60 || day == 150 {
				return "v1", 0
			}
			return "v2", 1
		}, map[int]bool{149: true, 150: true, 151: false}},
		{"and goes on", func(day int) (string, int) {
			if day <= 60 || day >= 150 {
				return "v1", 0
			}
			return "v2", 1
		}, map[int]bool{150: true, 151: false}},
		{"it pauses, and goes on", func(day int) (string, int) {
			if day <= 60 || day >= 140 && day%14 == 0 {
				return "v1", 0
			}
			return "v2", 1
		}, map[int]bool{140: true, 141: false}},
		{"it had not moved", func(day int) (string, int) {
			if day <= 60 || day == 150 {
				return "v1", 0
			}
			return "", 0
		}, map[int]bool{100: false}},
		{"it was silent for as long before", func(day int) (string, int) {
			if day <= 20 || 60 <= day && day <= 80 || day == 150 {
				return "v1", 0
			}
			return "v2", 1
		}, map[int]bool{100: false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(longAhead, noon)
			for day := range 160 {
				w.clock.Set(noon.AddDate(0, 0, day))
				if version, region := test.calls(day); version != "" {
					w.observe(region, call(version, "acme", "/users", w.clock.Now()))
				}
			}
			for day, want := range test.want {
				since := noon.AddDate(0, 0, day).Format(time.DateOnly)
				got := ask(w.page(), "GET", "/?letters=v1&since="+since).Body.String()
				assert.Equal(t, want, strings.Contains(got, `"client":"acme"`), "since %s (day %d): %s", since, day, got)
			}
		})
	}
}

// TestRegionsKnowWhoseAnswerIsOver: a client that has moved by the answer recorded in one region is news when it calls in another one,
// and by that answer not when it calls another route, or one that it may break on.
func TestRegionsKnowWhoseAnswerIsOver(t *testing.T) {
	for _, test := range []struct {
		route, calls string
		kind         usage.ExceptionKind
		want         bool
	}{
		{"", "/users", usage.HasMoved, true}, {"GET /users", "/users", usage.HasMoved, true}, {"GET /users", "/rooms", usage.HasMoved, false},
		{"GET /users", "/users", usage.MayBreak, false}, {"", "/other", usage.MayBreak, true}, // the first is what it may do
	} {
		w, except := newWorld(longAhead, noon), usage.Exception{Version: "v1", Client: "acme", Route: test.route, Kind: test.kind, By: "Ann"}
		if test.kind == usage.MayBreak {
			except.Until = noon.AddDate(0, 0, 170)
		}
		for day := range 160 {
			w.clock.Set(noon.AddDate(0, 0, day))
			switch {
			case day < 3:
				w.observe(0, call("v1", "acme", "/users", w.clock.Now()))
				w.observe(0, call("v1", "acme", "/rooms", w.clock.Now()))
			case day == 90:
				require.NoError(t, w.regions[1].Except(t.Context(), except))
			case day == 100 || day == 150:
				w.observe(0, call("v1", "acme", test.calls, w.clock.Now()))
			}
			for read, want := range map[int]bool{99: false, 100: test.want, 101: test.want, 155: false} {
				if day == read {
					got := ask(w.page(), "GET", "/?letters=v1&since="+noon.AddDate(0, 0, max(98, day-5)).Format(time.DateOnly)).Body.String()
					assert.Equal(t, want, strings.Contains(got, `"client":"acme"`), "%s, %s, day %d: %s", test.route, test.calls, day, got)
				}
			}
		}
	}
}
