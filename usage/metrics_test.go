package usage_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestOpenMetrics compares the gauges with those worked out by hand.
func TestOpenMetrics(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "only", days{1: 3, 2: 4})
	did(table, noon, "v1", "both", days{1: 1})
	did(table, noon, "v2", "both", days{1: 1})
	did(table, noon, "v1", "quiet", days{40: 1})
	did(table, noon, "v1", "moved", days{40: 1})
	did(table, noon, "v2", "moved", days{9: 1, 23: 1})
	did(table, noon, "v1", "", days{3: 5})
	want := `# TYPE verso_usage_clients gauge
# HELP verso_usage_clients Clients with a name, by how far they have moved to a later version.
verso_usage_clients{version="v1",state="only"} 1
verso_usage_clients{version="v1",state="both"} 1
verso_usage_clients{version="v1",state="quiet"} 1
verso_usage_clients{version="v1",state="told"} 0
verso_usage_clients{version="v1",state="moved"} 1
# TYPE verso_usage_new_clients gauge
# HELP verso_usage_new_clients Clients that the end of the version would break since today: they are new, or back.
verso_usage_new_clients{version="v1"} 0
# TYPE verso_usage_week_requests gauge
# HELP verso_usage_week_requests Requests in the last 7 full days.
verso_usage_week_requests{version="v1",client="known"} 8
verso_usage_week_requests{version="v1",client="unknown"} 5
# TYPE verso_usage_ready gauge
# HELP verso_usage_ready Whether the version may end: 1 or 0.
verso_usage_ready{version="v1"} 0
# TYPE verso_usage_sunset_timestamp_seconds gauge
# UNIT verso_usage_sunset_timestamp_seconds seconds
# HELP verso_usage_sunset_timestamp_seconds When the version ends.
verso_usage_sunset_timestamp_seconds{version="v1"} 1796040000
# TYPE verso_usage_last_request_timestamp_seconds gauge
# UNIT verso_usage_last_request_timestamp_seconds seconds
# HELP verso_usage_last_request_timestamp_seconds The last request for the version.
verso_usage_last_request_timestamp_seconds{version="v1"} 1795176000
# TYPE verso_usage_names gauge
# HELP verso_usage_names Clients with a name.
verso_usage_names 4
# TYPE verso_usage_names_max gauge
# HELP verso_usage_names_max How many can have a name. All others are counted together.
verso_usage_names_max 1000
# TYPE verso_usage_processes gauge
# HELP verso_usage_processes Processes that have reported in the last day, by whether they still do.
verso_usage_processes{state="running"} 1
verso_usage_processes{state="silent"} 0
# TYPE verso_usage_counted_since_timestamp_seconds gauge
# UNIT verso_usage_counted_since_timestamp_seconds seconds
# HELP verso_usage_counted_since_timestamp_seconds When counting began.
verso_usage_counted_since_timestamp_seconds 1786622400
# EOF
`
	response := ask(table.Handler(nil), "GET", "/?format=openmetrics")
	if got := response.Body.String(); got != want || response.Header().Get("Content-Type") != "application/openmetrics-text; version=1.0.0; charset=utf-8" {
		t.Errorf("%v\n%s, want\n%s", response.Header(), got, want)
	}
}

// TestWarn: a record for each version that ends within 30 days and breaks clients.
func TestWarn(t *testing.T) {
	for _, test := range []struct {
		name  string
		now   time.Time
		after catalogue.Action
		did   []done
		want  string // "": no record
	}{
		{"nobody", noon, catalogue.Gone, nil, ""},
		{"all have moved", noon, catalogue.Gone, []done{{"v1", "a", days{24: 1}}, {"v2", "a", days{1: 1, 12: 1}}}, ""},
		{"a quiet client", noon, catalogue.Gone, []done{{"v1", "a", days{40: 1}}},
			`level=WARN msg="usage: v1 ends in 9 days. 1 of 1 client may call it again." code=usage_sunset version=v1 sunset=2026-11-30T12:00:00.000Z only=0 both=0 quiet=1 moved=0 requests_without_client=0`},
		{"no name", noon, catalogue.Serve, []done{{"v1", "", days{2: 3}}},
			`level=WARN msg="usage: v1 has its sunset in 9 days. Its clients are not known: set Client." code=usage_sunset version=v1 sunset=2026-11-30T12:00:00.000Z only=0 both=0 quiet=0 moved=0 requests_without_client=3`},
		{"30 days before", noon.AddDate(0, 0, -21), catalogue.Gone, []done{{"v1", "a", days{1: 1}}}, "v1 ends in 30 days."},
		{"a second earlier", noon.AddDate(0, 0, -21).Add(-time.Second), catalogue.Gone, []done{{"v1", "a", days{1: 1}}}, ""},
		{"at the sunset", noon.AddDate(0, 0, 9), catalogue.Gone, []done{{"v1", "a", days{1: 1}}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := tableOf(test.after, test.now, test.did)
			var log bytes.Buffer
			if err := table.Handler(nil).Warn(t.Context(), slog.New(slog.NewTextHandler(&log, nil))); err != nil {
				t.Fatal(err)
			}
			if got := log.String(); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestNewClients plays a year of 60 clients of v1 that is asked for every evening: there is an alarm on
// each day with a client that the end would break, and would not have broken the evening before.
func TestNewClients(t *testing.T) {
	random := rand.New(rand.NewPCG(60, 1))
	clock := versotest.NewClock(noon.AddDate(-1, 0, 0))
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	broke := map[string]bool{}
	alarms, expected, repeated := 0, 0, 0
	for day := range 366 {
		for client := range 60 {
			name, first, moves, back := fmt.Sprint("c", client), client*5, client*5+40+client, client*5+150
			var version string
			switch { // some call daily, some weekly, some monthly; most move, and some of these come back
			case day < first || day%[]int{1, 7, 30}[client%3] != 0:
			case client%4 > 0 && day > moves && (client%5 != 0 || day != back):
				version = "v3"
			default:
				version = "v1"
			}
			if version != "" {
				table.Observe(t.Context(), call(version, name, "/users", clock.Now().Add(time.Duration(random.IntN(600))*time.Minute)))
			}
		}
		clock.Advance(11 * time.Hour)
		metrics := ask(table.Handler(nil), "GET", "/?format=openmetrics").Body.String()
		alarm := !strings.Contains(metrics, `verso_usage_new_clients{version="v1"} 0`)
		breaks, news := map[string]bool{}, false
		for client, did := range movers(t, table.Handler(nil), "v1") {
			if group, _, _ := strings.Cut(did, " "); group == "only" || group == "both" || group == "quiet" {
				breaks[client] = true
				news = news || !broke[client]
			}
		}
		if day == 0 {
			news = false // nothing is known of the day before
		}
		if alarm != news {
			t.Errorf("day %d: alarm %v, news %v", day, alarm, news)
		}
		if alarm {
			alarms++
		}
		if news {
			expected++
		}
		if fmt.Sprint(breaks) != fmt.Sprint(broke) && !news {
			repeated++ // only clients that are gone
		}
		broke = breaks
		clock.Advance(13 * time.Hour)
	}
	if alarms < 30 || alarms != expected || repeated == 0 {
		t.Errorf("%d alarms on %d days with news, %d without", alarms, expected, repeated)
	}
	contains(t, textOf(table), "c15 4 Jul 2026 back since 4 Jul 2026 every 22 weeks")
}

// TestAt: what was left on earlier days, as the page was asked for on these, for 400 days.
func TestAt(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -420))
	table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
	for day := range 421 {
		for client := range 10 {
			version := "v1"
			if client < 9 && day > 30*client {
				version = "v3"
			}
			table.Observe(t.Context(), call(version, fmt.Sprint("c", client), "/users", clock.Now()))
		}
		if day%2 == 0 {
			_ = ask(table.Handler(nil), "GET", "/?ready=v1")
		}
		if day < 420 {
			clock.Advance(24 * time.Hour)
		}
	}
	for target, want := range map[string]string{
		"/?at=2026-11-21":                        `200 {"day":"2026-11-21","versions":[{"day":"2026-11-21","version":"v1","only":1,"both":0,"quiet":0,"told":0,"moved":8}]}`,
		"/?at=2026-02-02&format=html":            `200 {"day":"2026-02-02","versions":[{"day":"2026-02-02","version":"v1","only":5,"both":0,"quiet":1,"told":0,"moved":4}]}`,
		"/?at=2026-02-01":                        "404 nothing was recorded on 2026-02-01\n",
		"/?at=2025-10-17":                        "404 nothing",
		"/?at=2025-10-19":                        `200 {"day":"2025-10-19","versions":[{"day":"2025-10-19","version":"v1","only":9,`,
		"/?at=yesterday":                         `400 at="yesterday": write a day, such as 2026-11-21, and no other parameter but format`,
		"/?at=2026-11-21&ready=v1":               "400 at=",
		"/?at=2026-11-21&format=json&level=full": "400 at=",
		"/?at=":                                  "400 at=",
	} {
		response := ask(table.Handler(nil), "GET", target)
		if got := fmt.Sprint(response.Code, " ", response.Body); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	contains(t, textOf(table), "clients left: 1 on 25 Aug, 1 on 21 Nov")
}
