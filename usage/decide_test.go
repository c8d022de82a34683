package usage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// pageOf returns a page of what a store has read.
func pageOf(versions *catalogue.Catalogue, now time.Time, read usage.Snapshot) *usage.Page {
	return &usage.Page{Catalogue: versions, Clock: versotest.NewClock(now).Now, Open: read.Open}
}

// TestTold: after the end, a client whose last answer came at the sunset or later has been told.
func TestTold(t *testing.T) {
	later := noon.AddDate(0, 0, 33) // the sunset was 24 days before
	for _, test := range []struct {
		after catalogue.Action
		v1    days
		want  string
		bar   string // of the client
	}{
		{catalogue.Gone, days{24: 1}, "told 0 after 0", `class="good" x="0.00%" width="100.00%"`},
		{catalogue.Gone, days{25: 1}, "quiet 0 after 0", `class="waiting" x="0.00%" width="100.00%"`},
		{catalogue.FallForward, days{24: 1}, "told 0 after 0", `class="good" x="0.00%" width="100.00%"`},
		{catalogue.Serve, days{20: 1}, "quiet 0 after 0", `class="waiting" x="0.00%" width="100.00%"`},
		{catalogue.Gone, days{24: 1, 1: 1}, "only 1 after 0", `class="bad" x="0.00%" width="100.00%"`},
	} {
		table := newTable(lives(test.after), later)
		did(table, later, "v1", "acme", test.v1)
		if got := movers(t, table.Handler(nil), "v1")["acme"]; !strings.HasPrefix(got, test.want) {
			t.Errorf("%s, %v: %s, want %s", test.after, test.v1, got, test.want)
		}
		contains(t, htmlOf(table), test.bar)
	}
}

// TestRare: a job that calls each second week may be a week late, to the hour.
func TestRare(t *testing.T) {
	for hours, want := range map[int]string{0: "moved", 1: "quiet"} {
		table := newTable(lives(catalogue.Gone), noon)
		at := noon.Add(time.Duration(hours) * time.Hour)
		did(table, at, "v1", "job", days{49: 1, 35: 1, 21: 1})
		did(table, noon, "v2", "job", days{9: 1})
		if got := movers(t, table.Handler(nil), "v1")["job"]; !strings.HasPrefix(got, want+" 0 after 0, every 2 weeks, next 14 Nov") {
			t.Errorf("%d hours: %s", hours, got)
		}
	}
}

// TestNews: a client that the end would break since today is news, and for an hour after midnight one
// since yesterday; on the first day of counting, none is.
func TestNews(t *testing.T) {
	midnight := noon.Truncate(24 * time.Hour)
	for _, test := range []struct {
		name      string
		began     time.Time
		calls, at time.Duration // after midnight
		want      int
	}{
		{"today", midnight.AddDate(0, 0, -9), time.Hour, 20 * time.Hour, 1},
		{"at midnight", midnight.AddDate(0, 0, -9), 0, 20 * time.Hour, 1},
		{"yesterday", midnight.AddDate(0, 0, -9), -time.Second, 20 * time.Hour, 0},
		{"yesterday, an hour ago", midnight.AddDate(0, 0, -9), -30 * time.Minute, 30 * time.Minute, 1},
		{"yesterday, longer ago", midnight.AddDate(0, 0, -9), -30*time.Minute - time.Second, 30 * time.Minute, 0},
		{"counting began today", midnight, time.Hour, 20 * time.Hour, 0},
		{"counting began yesterday", midnight.Add(-time.Second), time.Hour, 20 * time.Hour, 1},
	} {
		clock := versotest.NewClock(test.began)
		table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
		table.Observe(t.Context(), call("v1", "acme", "/users", midnight.Add(test.calls)))
		clock.Set(midnight.Add(test.at))
		for range 2 { // asked again, it is the same
			contains(t, get(table, "openmetrics"), fmt.Sprintf("verso_usage_new_clients{version=\"v1\"} %d\n", test.want))
		}
	}
}

// since is a reader of clients with a Since.
type since struct {
	usage.Reader
	at int64
}

func (s since) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) {
		for n, err := range s.Reader.Clients(ctx, version, wanted) {
			if n.Since = s.at; !yield(n, err) {
				return
			}
		}
	}
}

// TestSince: what a store is told of clients whose state has changed, and what the page says of one that
// is back.
func TestSince(t *testing.T) {
	first := noon.AddDate(0, 0, -9).Unix()
	for _, test := range []struct {
		version      string
		since        int64
		breaks, safe bool
		shown        string
	}{
		{"v1", 0, true, false, ""},
		{"v1", first, false, false, ""},
		{"v1", first + 24*60*60, false, false, ""},
		{"v1", first + 24*60*60 + 1, false, false, "back since 13 Nov 2026"},
		{"v1", -first, true, false, ""},
		{"v2", 0, false, true, ""},
		{"v2", first + 2*24*60*60, false, true, ""},
		{"v2", -first, false, false, ""},
	} {
		counts := []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -100).Unix(), Last: noon.Unix()}}
		for _, ago := range map[string][]int{"v1": {9, 1}, "v2": {80, 60}}[test.version] {
			at := noon.AddDate(0, 0, -ago)
			counts = append(counts, usage.Count{Version: "v1", Client: "acme", Requests: 1, First: at.Unix(), Last: at.Unix(), Days: []usage.DayCount{{Day: at.Format(time.DateOnly), Requests: 1}}})
		}
		if test.version == "v2" {
			at := noon.AddDate(0, 0, -30)
			counts = append(counts, usage.Count{Version: "v2", Client: "acme", Requests: 2, First: at.Unix(), Last: noon.Unix()})
		}
		page := pageOf(lives(catalogue.Gone), noon, usage.Snapshot{Counts: counts})
		of := page.Open
		page.Open = func(ctx context.Context) (usage.Reader, error) {
			reader, err := of(ctx)
			return since{reader, test.since}, err
		}
		judged, err := page.Judge(t.Context(), slog.New(slog.DiscardHandler))
		if err != nil || len(judged) != 1 || len(judged[0].Breaks) == 1 != test.breaks || len(judged[0].Safe) == 1 != test.safe {
			t.Errorf("%s since %d: %v %+v", test.version, test.since, err, judged)
		}
		html := ask(page, "GET", "/?format=html").Body.String()
		if strings.Contains(html, "back since") != (test.shown != "") || !strings.Contains(html, test.shown) {
			t.Errorf("%s since %d: no %q", test.version, test.since, test.shown)
		}
	}
}

// TestGate: what a person has accepted, and what cannot be known yet.
func TestGate(t *testing.T) {
	at := func(ago int) int64 { return noon.AddDate(0, 0, -ago).Unix() }
	whole := usage.Count{Kind: usage.KindCounting, First: at(420), Last: noon.Unix()}
	others := usage.Count{Version: "v1", OtherClient: true, Requests: 1, First: at(3), Last: at(3)}
	quiet := usage.Count{Version: "v1", Client: "job", Requests: 1, First: at(40), Last: at(40)}
	nameless := usage.Count{Version: "v1", Requests: 1, First: at(3), Last: at(3)}
	for _, test := range []struct {
		name   string
		counts []usage.Count
		query  string
		want   string // the status, and what is in the answer
	}{
		{"quiet=400", []usage.Count{whole}, "&quiet=400", `200 {"ready":true`},
		{"nothing is counted", []usage.Count{whole}, "", `"note":"No request of any version was counted in the last 30 days: if there were some, give the configuration to NewTable`},
		{"v2 was called 29 days ago", []usage.Count{whole, {Kind: usage.KindDays, Version: "v2", Days: []usage.DayCount{{Day: "2026-10-23", Requests: 1}}}}, "", `"counted_since":"2025-09-27T12:00:00Z"}`},
		{"and 30 days ago", []usage.Count{whole, {Kind: usage.KindDays, Version: "v2", Days: []usage.DayCount{{Day: "2026-10-22", Requests: 1}}}}, "", `"note":"No request of any version`},
		{"quiet=401", []usage.Count{whole}, "&quiet=401", `400 quiet="401" is not from 30 to 400`},
		{"quiet=30", []usage.Count{whole}, "&quiet=30", `200 {"ready":true`},
		{"quiet=29", []usage.Count{whole}, "&quiet=29", `400 quiet="29"`},
		{"quiet for as long", []usage.Count{whole, quiet}, "&quiet=40", `409 {"ready":false,`},
		{"quiet for longer", []usage.Count{whole, quiet}, "&quiet=39", `200 {"ready":true`},
		{"as many without a name", []usage.Count{whole, nameless}, "&unknown=1", `200 {"ready":true`},
		{"more without a name", []usage.Count{whole, nameless}, "&unknown=0", `409 {"ready":false,`},
		{"others are not nameless", []usage.Count{whole, others}, "&unknown=50", `409 {"ready":false,`},
		{"nameless", []usage.Count{whole, nameless}, "&unknown=50", `200 {"ready":true`},
		{"no name excepts nothing", []usage.Count{whole, nameless}, "&except=", `409 {"ready":false,`},
		{"a week", []usage.Count{{Kind: usage.KindCounting, First: at(7), Last: noon.Unix()}}, "", "Counted for 7 days: a job that runs weekly may"},
		{"eight days by the calendar", []usage.Count{{Kind: usage.KindCounting, First: at(8) + 11*60*60, Last: noon.Unix()}}, "", "Counted for 8 days: a job that runs monthly may"},
		{"34 days", []usage.Count{{Kind: usage.KindCounting, First: at(34), Last: noon.Unix()}}, "", "Counted for 34 days: a job that runs monthly may"},
		{"35 days", []usage.Count{{Kind: usage.KindCounting, First: at(35), Last: noon.Unix()}}, "", "Counted for 35 days: a job that runs quarterly may"},
		{"99 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(99), Last: at(99)}}, "", "Counted for 99 days: a job that runs quarterly may"},
		{"100 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(100), Last: at(100)}}, "", "Counted for 100 days: a job that runs half-yearly may"},
		{"189 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(189), Last: at(189)}}, "", "Counted for 189 days: a job that runs half-yearly may"},
		{"190 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(190), Last: at(190)}}, "", "Counted for 190 days: a job that runs yearly may"},
		{"369 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(369), Last: at(369)}}, "", "Counted for 369 days: a job that runs yearly may"},
		{"370 days", []usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.Unix()}, {Version: "v2", Client: "x", Requests: 1, First: at(370), Last: at(370)}}, "", `"counted_since":"2025-11-16T12:00:00Z","note"`},
	} {
		response := ask(pageOf(lives(catalogue.Gone), noon, usage.Snapshot{Counts: test.counts}), "GET", "/?ready=v1"+test.query)
		if got := fmt.Sprint(response.Code, " ", response.Body); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	later := noon.AddDate(0, 0, 24)
	table := newTable(lives(catalogue.FallForward), later)
	did(table, later, "v1", "acme", days{1: 1})
	if body := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(); strings.Contains(body, "acme") || strings.Contains(body, "unseen") {
		t.Errorf("the next version answers: %s", body)
	}
}

// TestWeeks adds up weeks of visits.
func TestWeeks(t *testing.T) {
	for _, test := range []struct {
		name      string
		was, more usage.Weeks
		want      usage.Weeks
	}{
		{"the same", usage.Weeks{Last: 9, Bits: 1}, usage.Weeks{Last: 9, Bits: 5}, usage.Weeks{Last: 9, Bits: 5}},
		{"later", usage.Weeks{Last: 9, Bits: 1}, usage.Weeks{Last: 10, Bits: 1}, usage.Weeks{Last: 10, Bits: 3}},
		{"earlier", usage.Weeks{Last: 9, Bits: 1}, usage.Weeks{Last: 8, Bits: 1}, usage.Weeks{Last: 9, Bits: 3}},
		{"57 earlier", usage.Weeks{Last: 99, Bits: 1}, usage.Weeks{Last: 42, Bits: 1}, usage.Weeks{Last: 99, Bits: 1<<57 | 1}},
		{"58 earlier", usage.Weeks{Last: 99, Bits: 1}, usage.Weeks{Last: 41, Bits: 1}, usage.Weeks{Last: 99, Bits: 1}},
		{"none", usage.Weeks{Last: 9, Bits: 1}, usage.Weeks{Last: 50}, usage.Weeks{Last: 9, Bits: 1}},
		{"the first", usage.Weeks{Last: 9}, usage.Weeks{Last: 5, Bits: 1}, usage.Weeks{Last: 5, Bits: 1}},
	} {
		if test.was.Add(test.more); test.was != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.was, test.want)
		}
	}
	var w usage.Weeks
	w.AddCount(&usage.Count{First: noon.AddDate(0, 0, -21).Unix(), Days: []usage.DayCount{{Day: "2026-11-21", Requests: 1}, {Day: "2026-11-12"}, {Day: "x", Requests: 1}}})
	if w != (usage.Weeks{Last: usage.WeekOf(noon.Unix()), Bits: 9}) {
		t.Errorf("of a count: %v", w)
	}
}

// TestLeftLine: the line of clients left has the days in the picture, those that are pinned too.
func TestLeftLine(t *testing.T) {
	left := func(ago, only, pinned int) usage.Left {
		return usage.Left{Day: noon.AddDate(0, 0, -ago).Format(time.DateOnly), Version: "v1", Only: only, Both: 1, Quiet: 1, Pinned: pinned, Told: 50, Moved: 50}
	}
	for _, test := range []struct {
		name string
		left []usage.Left
		want string // "": no line
	}{
		{"a day", []usage.Left{left(0, 1, 0)}, ""},
		{"the first day of the picture", []usage.Left{left(90, 99, 0), left(89, 8, 0), left(0, 3, 0)}, "clients left: 10 on 24 Aug, 5 on 21 Nov M2.0 4.0L358.0 50.0"},
		{"pinned", []usage.Left{left(1, 0, 2), left(0, 0, 0)}, "clients left: 4 on 20 Nov, 2 on 21 Nov M354.0 4.0L358.0 50.0"},
	} {
		counts := []usage.Count{{Version: "v1", Client: "acme", Requests: 1, First: noon.Unix(), Last: noon.Unix()}}
		html := ask(pageOf(lives(catalogue.Gone), noon, usage.Snapshot{Counts: counts, Left: test.left}), "GET", "/?format=html").Body.String()
		line := regexp.MustCompile(`(?s)(clients left: [^<]*)<.*<path class="left" d="([^"]*)"`).FindStringSubmatch(html)
		if got := strings.Join(append(line, "", "")[1:], " "); strings.TrimSpace(got) != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestOddTimes: times ahead of the clock are now, a day ahead is kept until it comes, and what nobody
// called for 400 days is gone.
func TestOddTimes(t *testing.T) {
	day := func(ago int) string { return noon.AddDate(0, 0, -ago).Format(time.DateOnly) }
	count := func(client string, first, last time.Time, days ...string) usage.Count {
		n := usage.Count{Version: "v1", Client: client, Requests: uint64(len(days)), First: first.Unix(), Last: last.Unix()}
		for _, day := range days {
			n.Days = append(n.Days, usage.DayCount{Day: day, Requests: 1})
		}
		return n
	}
	page := pageOf(lives(catalogue.Gone), noon, usage.Snapshot{
		Processes: []usage.Process{{Name: "ahead", LastSeen: noon.Add(time.Hour), Skew: 3600}, {Name: "ended", LastSeen: noon.Add(-time.Hour), Ended: true}, {Name: "silent", LastSeen: noon.Add(-time.Hour)}, {Name: "not yet", LastSeen: noon.Add(-15 * time.Minute)}},
		Counts: []usage.Count{
			{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -89).Unix(), Last: noon.AddDate(1, 0, 0).Unix()},
			count("400 days ago", noon.AddDate(0, 0, -400), noon.AddDate(0, 0, -400), day(400)),
			{Version: "v1", Client: "longer ago", Route: "/gone", Requests: 1, First: noon.AddDate(0, 0, -401).Unix(), Last: noon.AddDate(0, 0, -401).Unix()},
			count("ahead", noon.AddDate(0, 0, -2), noon.AddDate(0, 0, 9), day(2), day(-1), day(-9), day(29), day(30)),
			{Version: "v1", Client: "no time", Requests: 1},
		},
	})
	var got struct {
		Since     time.Time
		Processes []struct {
			LastSeen time.Time `json:"last_seen"`
		}
		Versions []struct {
			Clients []struct {
				Client   string
				Recent   int       `json:"requests_30_days"`
				LastSeen time.Time `json:"last_seen"`
				Routes   []struct{ Days []int }
			}
			Days []struct {
				Day      string
				Requests int
			}
		}
	}
	if err := json.Unmarshal(ask(page, "GET", "/").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var clients []string
	for _, c := range got.Versions[0].Clients {
		clients = append(clients, fmt.Sprint(c.Client, " ", c.Recent, " ", c.LastSeen.Format(time.DateOnly), " ", len(c.Routes[0].Days)))
	}
	if all := strings.Join(clients, ", "); all != "ahead 4 2026-11-21 30, 400 days ago 0 2025-10-17 0, no time 0 0001-01-01 0" {
		t.Errorf("clients %s", all)
	}
	if days := fmt.Sprint(got.Versions[0].Days); days != "[{2026-10-22 1} {2026-10-23 1} {2026-11-19 1} {2026-11-21 2}]" {
		t.Errorf("days %s", days)
	}
	if !got.Processes[0].LastSeen.Equal(noon) {
		t.Errorf("processes %v", got.Processes)
	}
	if !got.Since.Equal(noon.AddDate(0, 0, -400)) {
		t.Errorf("since %v: hours are kept for 90 days, the first request for longer", got.Since)
	}
	contains(t, ask(page, "GET", "/?format=openmetrics").Body.String(), `state="running"} 2`, `state="silent"} 1`)
	if response := ask(page, "GET", "/?ready=v1&except=ahead&quiet=30"); response.Code != http.StatusConflict || strings.Contains(response.Body.String(), "no process counted") {
		t.Errorf("of 30 hours in 90 days: %s", response.Body)
	}

	for _, test := range []struct {
		ago  []int // of each request, as they come
		want string
	}{
		{[]int{-400, 0, 20, 0}, "map[2026-11-01:1 2026-11-21:2]"},             // a day in the slot of one that a wrong clock made
		{[]int{-1, 0, 29, 0}, "map[2026-11-21:2 2026-11-22:1]"},               // or tomorrow, which stays
		{[]int{59, 29, 0}, "map[2026-10-23:1 2026-11-21:1]"},                  // a newer day
		{[]int{0, 0, 1, 1}, "map[2026-11-20:2 2026-11-21:2]"},                 // back and forth
		{[]int{29, 59, 0}, "map[2026-10-23:1 2026-11-21:1]"},                  // an older one
		{[]int{2, 1, 2, 1, 0}, "map[2026-11-19:2 2026-11-20:2 2026-11-21:1]"}, // around midnight
		{[]int{0, 1, -400, -2, 0, 400, 0, -1, 20_778, 0}, "map[1970-01-01:1 2025-10-17:1 2026-11-20:1 2026-11-21:4 2026-11-22:1 2026-11-23:1 2027-12-26:1]"}, // none is lost
	} {
		table := newTable(lives(catalogue.Gone), noon)
		for _, ago := range test.ago {
			table.Observe(t.Context(), call("v1", "acme", "/users", noon.AddDate(0, 0, -ago)))
		}
		days := map[string]uint64{}
		for _, n := range table.Take() {
			for _, d := range n.Days {
				if n.Kind == usage.KindRequests {
					days[d.Day] += d.Requests
				}
			}
		}
		if got := fmt.Sprint(days); got != test.want {
			t.Errorf("%v: days %s, want %s", test.ago, got, test.want)
		}
	}
	table := newTable(lives(catalogue.Gone), noon)
	for _, ago := range []int{100, 300, 200} { // the hours of the last 90 days, and the first second
		table.Add([]usage.Count{{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -ago).Unix(), Last: noon.Unix()}})
	}
	hours, first := table.Take(), noon.Unix()
	for _, n := range hours {
		first = min(first, n.First)
	}
	if first != noon.AddDate(0, 0, -300).Unix() || len(hours) != 2+89*24+13 {
		t.Errorf("counted in %d hours since %v", len(hours), time.Unix(first, 0))
	}
	if again := table.Take(); len(again) != 1 || again[0].First != noon.Unix() {
		t.Errorf("and then %+v", again)
	}
	for _, ago := range []int{-400, -1, 0, 40} { // days ahead are overwritten by the day that comes, tomorrow is not
		table.Observe(t.Context(), call("v1", "acme", "/"+strconv.Itoa(ago), noon.AddDate(0, 0, -ago)))
	}
	table.Add([]usage.Count{count("added", time.Unix(0, 0), time.Unix(0, 0), day(-1), day(-2))})
	byDay := map[string]uint64{}
	for _, n := range table.Take() {
		for _, d := range n.Days {
			byDay[d.Day] += d.Requests
		}
	}
	if got := fmt.Sprint(byDay); got != "map[2026-10-12:1 2026-11-21:2 2026-11-22:2 2027-12-26:1]" {
		t.Errorf("days %s", got)
	}
}
