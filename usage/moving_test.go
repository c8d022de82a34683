package usage_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// lives are v1, which ends in nine days, v2, its successor, and v3.
func lives(after catalogue.Action) *catalogue.Catalogue {
	return catalogue.MustNew(catalogue.Config{AfterSunset: after, ServedHeader: "Api-Version", Versions: []catalogue.Entry{
		{
			Version: "v1", Deprecated: noon.AddDate(0, -2, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2",
			Brownouts: []catalogue.Brownout{{From: noon.AddDate(0, 0, -3), Until: noon.AddDate(0, 0, -3).Add(time.Hour)}, {From: noon.AddDate(0, 0, 2).Add(-12 * time.Hour), Until: noon.AddDate(0, 0, 3).Add(-12 * time.Hour)}},
		},
		{Version: "v2"}, {Version: "v3"},
	}})
}

// days are requests by days ago.
type days map[int]int

// did counts requests of a client, the oldest first: a table is told of them as they come.
func did(table *usage.Table, now time.Time, version, client string, requests days) {
	for _, ago := range slices.Backward(slices.Sorted(maps.Keys(requests))) {
		for range requests[ago] {
			table.Observe(context.Background(), call(version, client, "/users", now.AddDate(0, 0, -ago)))
		}
	}
}

// done are requests of a client.
type done struct {
	version, client string
	requests        days
}

// tableOf returns a table of lives with these requests.
func tableOf(after catalogue.Action, now time.Time, all []done) *usage.Table {
	table := newTable(lives(after), now)
	for _, d := range all {
		did(table, now, d.version, d.client, d.requests)
	}
	return table
}

// movers are the clients of a version in JSON, by what they did.
func movers(tb testing.TB, page http.Handler, version string) map[string]string {
	tb.Helper()
	var got struct {
		Versions []struct {
			Version string
			Moving  *struct {
				Clients []struct {
					Client     string
					Group      string
					Requests   uint64
					Before     *uint64   `json:"requests_before"`
					Later      uint64    `json:"requests_for_later_versions"`
					Brownout   *uint64   `json:"rejected_on_days_of_brownout"`
					Every      string    `json:"every"`
					Next       time.Time `json:"next_expected"`
					LaterWeeks int       `json:"later_weeks"`
					LaterSeen  time.Time `json:"later_last_served"`
				}
			}
		}
	}
	if err := json.Unmarshal(ask(page, "GET", "/?format=json").Body.Bytes(), &got); err != nil {
		tb.Fatal(err)
	}
	found := map[string]string{}
	for _, v := range got.Versions {
		if v.Version != version || v.Moving == nil {
			continue
		}
		for _, c := range v.Moving.Clients {
			text := fmt.Sprint(c.Group, " ", c.Requests)
			if c.Before != nil {
				text += fmt.Sprint(" after ", *c.Before)
			}
			if c.Later > 0 {
				text += fmt.Sprint(", later ", c.Later)
			}
			if c.Brownout != nil && *c.Brownout > 0 {
				text += fmt.Sprint(", rejected ", *c.Brownout)
			}
			if c.Every != "" {
				text += ", " + c.Every + ", next " + c.Next.Format("2 Jan")
			}
			if c.LaterWeeks > 0 {
				text += fmt.Sprint(", then ", c.LaterWeeks, " weeks until ", c.LaterSeen.Format("2 Jan"))
			}
			found[c.Client] = text
		}
	}
	return found
}

// TestMoving: what each client of v1 did, on days ago, and what that makes of it. Weeks begin on
// Thursdays: 3 and 9 days ago are of the same one.
func TestMoving(t *testing.T) {
	all := []struct {
		name                string
		v1, v2, v3          days
		rejected, rejected3 days // by v1, and by v3
		want                string
	}{
		{"only", days{1: 3, 7: 4, 8: 5, 14: 1, 15: 9}, nil, nil, days{3: 2, 4: 1}, nil, "only 10 after 6, rejected 2"},
		{"both", days{7: 2}, days{7: 1, 8: 9}, nil, nil, nil, "both 2 after 0, later 1"},
		{"called today", days{0: 1, 9: 1}, days{0: 1}, nil, nil, nil, "both 0 after 1, later 1"},
		{"back", days{2: 1}, days{8: 1}, nil, nil, nil, "only 1 after 0"},
		{"moved to v3", days{24: 2}, nil, days{2: 6, 12: 1}, nil, nil, "moved 0 after 0, later 6, then 2 weeks until 19 Nov"},
		{"tried v3", days{8: 2}, nil, days{2: 6}, nil, nil, "quiet 0 after 2, later 6, then 1 weeks until 19 Nov"},
		{"neighbouring weeks", days{24: 1}, days{9: 1, 12: 1}, nil, nil, nil, "quiet 0 after 0, then 2 weeks until 12 Nov"},
		{"a week between them", days{30: 1}, days{9: 1, 17: 1}, nil, nil, nil, "moved 0 after 0, then 2 weeks until 12 Nov"},
		{"v2 in the week of the last call only", days{58: 1, 51: 1, 44: 1, 37: 1, 30: 1}, days{55: 1, 28: 1}, nil, nil, nil, "quiet 0 after 0"},
		{"v2 before the last call counts for nothing", days{58: 1, 51: 1, 44: 1, 37: 1, 30: 1}, days{55: 1, 20: 1}, nil, nil, nil, "quiet 0 after 0, then 1 weeks until 1 Nov"},
		{"a year later", days{399: 1}, days{60: 1, 30: 1}, nil, nil, nil, "moved 0 after 0, then 2 weeks until 22 Oct"},
		{"v2 last, v3 before it", days{60: 1}, days{30: 1, 2: 1}, days{20: 1}, nil, nil, "moved 0 after 0, later 1, then 3 weeks until 19 Nov"},
		{"v3 last, v2 before it", days{60: 1}, days{20: 1}, days{30: 1, 2: 1}, nil, nil, "moved 0 after 0, later 1, then 3 weeks until 19 Nov"},
		{"one visit beside v3", days{31: 1}, days{20: 1, 5: 1}, days{50: 1}, nil, nil, "quiet 0 after 0, later 1, then 2 weeks until 16 Nov"},
		{"v3 only rejected it", days{31: 1}, days{20: 1, 5: 1}, nil, nil, days{50: 1}, "moved 0 after 0, later 1, then 2 weeks until 16 Nov"},
		{"v2 between its two visits", days{37: 1, 30: 1}, days{33: 1, 20: 1, 5: 1}, nil, nil, nil, "moved 0 after 0, later 1, then 2 weeks until 16 Nov"},
		{"three visits beside v2", days{37: 1, 30: 1, 23: 1}, days{60: 1, 12: 1, 2: 1}, nil, nil, nil, "moved 0 after 0, later 1, then 2 weeks until 19 Nov"},
		{"a month's job that is over", days{150: 1, 120: 1, 90: 1}, days{5: 1}, nil, nil, nil, "moved 0 after 0, later 1, monthly, next 23 Sep, then 1 weeks until 16 Nov"},
		{"a month's job that may be late", days{102: 1, 72: 1, 44: 1}, days{40: 1, 12: 1, 2: 1}, nil, nil, nil, "quiet 0 after 0, later 1, monthly, next 8 Nov, then 2 weeks until 19 Nov"},
		{"a month's job that is too late", days{108: 1, 78: 1, 48: 1}, days{40: 1, 12: 1, 2: 1}, nil, nil, nil, "moved 0 after 0, later 1, monthly, next 4 Nov, then 3 weeks until 19 Nov"},
		{"silent", days{20: 1}, nil, nil, nil, nil, "quiet 0 after 0"},
		{"tried in vain", days{1: 1}, nil, nil, nil, days{0: 1}, "only 1 after 0"},
		{"v2 rejected it before and after it served it", days{60: 1}, days{40: 1, 33: 1}, nil, nil, nil, "quiet 0 after 0, then 2 weeks until 19 Oct"},
		{"gaps of 4 and 9 weeks", days{112: 1, 84: 1, 21: 1}, nil, nil, nil, nil, "quiet 0 after 0, every 2 months, next 31 Dec"},
		{"gaps of 9, 4 and 4 weeks", days{140: 1, 77: 1, 49: 1, 21: 1}, nil, nil, nil, nil, "quiet 0 after 0, monthly, next 1 Dec"},
		{"in half of the weeks", days{35: 1, 21: 1, 7: 1}, nil, nil, nil, nil, "only 1 after 0, every 2 weeks, next 28 Nov"},
		{"12 weeks", days{104: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, quarterly, next 1 Feb"},
		{"14 weeks", days{118: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, quarterly, next 1 Feb"},
		{"25 weeks", days{195: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, half-yearly, next 1 May"},
		{"27 weeks", days{209: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, half-yearly, next 1 May"},
		{"51 weeks", days{377: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, yearly, next 1 Nov"},
		{"54 weeks", days{398: 1, 20: 1}, nil, nil, nil, nil, "quiet 0 after 0, yearly, next 1 Nov"},
		{"one visit, when v2 was first", days{31: 1}, days{31: 1, 20: 1, 5: 1}, nil, nil, nil, "moved 0 after 0, later 1, then 2 weeks until 16 Nov"},
		{"never called it", nil, days{1: 1}, nil, nil, nil, ""},
	}
	table := newTable(lives(catalogue.Gone), noon)
	want := map[string]string{}
	for _, test := range all {
		did(table, noon, "v1", test.name, test.v1)
		did(table, noon, "v2", test.name, test.v2)
		did(table, noon, "v3", test.name, test.v3)
		for version, requests := range map[string]days{"v1": test.rejected, "v3": test.rejected3} {
			for ago, n := range requests {
				for range n {
					table.Observe(t.Context(), rejected(call(version, test.name, "/users", noon.AddDate(0, 0, -ago))))
				}
			}
		}
		if test.want != "" {
			want[test.name] = test.want
		}
	}
	for _, ago := range []int{50, 12, 2} {
		table.Observe(t.Context(), rejected(call("v2", all[22].name, "/users", noon.AddDate(0, 0, -ago))))
	}
	for client, got := range movers(t, table.Handler(nil), "v1") {
		if got != want[client] {
			t.Errorf("%s: %s, want %s", client, got, want[client])
		}
		delete(want, client)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	if got := movers(t, table.Handler(nil), "v2"); len(got) != 0 {
		t.Errorf("v2, which does not end: %v", got)
	}
}

// TestGroups shows clients on the page: which are told apart, in which order, and what is said of each.
func TestGroups(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	for client, requests := range map[string]days{"few": {2: 1}, "few, lately": {1: 1}, "many": {3: 5}} {
		did(table, noon, "v1", client, requests)
	}
	did(table, noon, "v1", "both", days{7: 2})
	did(table, noon, "v2", "both", days{7: 1})
	for client, requests := range map[string]days{"unknown": {30: 1}, "unknown, later": {10: 1}, "in a month": {51: 1, 20: 1}, "in a week": {66: 1, 38: 1}} {
		did(table, noon, "v1", client, requests)
	}
	did(table, noon, "v2", "in a week", days{68: 1})
	did(table, noon, "v2", "unknown", days{28: 1})
	did(table, noon, "v2", "unknown, later", days{9: 1, 2: 1})
	did(table, noon, "v1", "left", days{24: 2})
	did(table, noon, "v3", "left", days{2: 6, 12: 1})
	did(table, noon, "v1", "", days{4: 1})
	contains(t, textOf(table),
		"v1 ends in 9 days. 8 of 9 clients have not moved.",
		"From Monday, 30 November 2026, 12:00 UTC on, every request for v1 gets 410 Gone. Next brownout: Monday, 23 November, all day.",
		"1 moved 1 both 4 quiet 3 only v1",
		"Write to these: 3 clients that only call v1", "Rejected on 18 Nov", "many 5", "few, lately 1", "few 1",
		"Moving: 1 client that calls both", "both 2 33%",
		"Quiet: 4 clients that may call v1 again", "in a week 14 Oct 2026 monthly about 14 Nov 2026 nothing",
		"in a month 1 Nov 2026 monthly about 1 Dec 2026 nothing",
		"unknown, later 11 Nov 2026 not known 2 neighbouring weeks with a later version, last on 19 Nov 2026",
		"unknown 22 Oct 2026 not known a later version in the same week, last on 24 Oct 2026",
		"1 client has moved", "left 28 Oct 2026 2 weeks with a later version, last on 19 Nov 2026",
		"from clients that only call v1 80% 8 requests")
	got := regexp.MustCompile(`<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%" height="28"/>(?:<text[^>]*x="([\d.]+)%"[^>]*>([^<]*))?`).FindAllStringSubmatch(htmlOf(table), 5)
	var bar []string
	for _, s := range got {
		bar = append(bar, strings.TrimSpace(strings.Join(s[1:], " ")))
	}
	want := []string{"good 0.00 11.11 5.56 M", "middling 11.11 11.11 16.67 B", "waiting 22.22 44.44 44.44 Q 4", "pinned 66.67 0.00", "bad 66.67 33.33 83.33 O 3"}
	if !slices.Equal(bar, want) {
		t.Errorf("the bar is %q, want %q", bar, want)
	}
}

// TestBrownouts: which brownout was the last one, on which of its days requests were rejected, and
// which one is next.
func TestBrownouts(t *testing.T) {
	day := noon.Truncate(24 * time.Hour)
	on := func(from, hours int) catalogue.Brownout { // in days ago, from midnight on
		b := day.AddDate(0, 0, -from)
		return catalogue.Brownout{From: b, Until: b.Add(time.Duration(hours) * time.Hour)}
	}
	for _, test := range []struct {
		name      string
		brownouts []catalogue.Brownout
		last      string // of the table's column
		rejected  string // each day ago has a request of its own bit
		next      string
	}{
		{"none", nil, "", "", ""},
		{"a day that ends at midnight", []catalogue.Brownout{on(3, 24)}, "on 18 Nov", "[3]", ""},
		{"three days", []catalogue.Brownout{on(5, 72)}, "on 16 Nov to 18 Nov", "[3 4 5]", ""},
		{"two", []catalogue.Brownout{on(10, 5), on(3, 5), on(20, 5)}, "on 18 Nov", "[3]", ""},
		{"29 days ago", []catalogue.Brownout{on(29, 5)}, "on 23 Oct", "[29]", ""},
		{"30 days ago", []catalogue.Brownout{on(30, 5)}, "", "", ""},
		{"from 30 days ago on", []catalogue.Brownout{on(30, 72)}, "", "", ""},
		{"one that is to come", []catalogue.Brownout{on(-2, 5)}, "", "", "Next brownout: Monday, 23 November, 00:00 to 05:00 UTC."},
		{"two that are to come", []catalogue.Brownout{on(-4, 24), on(-2, 24), on(-3, 5)}, "", "", "Next brownout: Monday, 23 November, all day."},
		{"now", []catalogue.Brownout{on(1, 72), on(-4, 24)}, "on 20 Nov to 22 Nov", "[0 1]", "A brownout is under way: Friday, 20 November, 00:00 to Monday, 23 November, 00:00 UTC."},
		{"from today on", []catalogue.Brownout{on(0, 48)}, "on 21 Nov", "[0]", "A brownout is under way: Saturday, 21 November, 00:00 to Monday, 23 November, 00:00 UTC."},
		{"until now", []catalogue.Brownout{on(0, 12)}, "on 21 Nov", "[0]", ""},
		{"from now on", []catalogue.Brownout{{From: noon, Until: noon.Add(time.Hour)}}, "on 21 Nov", "[0]", "A brownout is under way: Saturday, 21 November, 12:00 to 13:00 UTC."},
		{"a day from noon on", []catalogue.Brownout{{From: noon.AddDate(0, 0, 1), Until: noon.AddDate(0, 0, 2)}}, "", "", "Next brownout: Sunday, 22 November, 12:00 to Monday, 23 November, 12:00 UTC."},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: noon.AddDate(0, -2, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2", Brownouts: test.brownouts}, {Version: "v2"},
			}}), noon)
			for ago := range 31 {
				client := strconv.Itoa(ago)
				table.Observe(t.Context(), call("v1", client, "/users", noon))
				table.Observe(t.Context(), call("v1", client, "/users", noon.AddDate(0, 0, -ago)))
				table.Observe(t.Context(), rejected(call("v1", client, "/users", noon.AddDate(0, 0, -ago))))
			}
			found := movers(t, table.Handler(nil), "v1")
			var on []int
			for ago := range 31 {
				if strings.Contains(found[strconv.Itoa(ago)], "rejected 1") {
					on = append(on, ago)
				}
			}
			if got := fmt.Sprint(on); got != cmp.Or(test.rejected, "[]") {
				t.Errorf("rejected %s days ago, want %s", got, test.rejected)
			}
			page := textOf(table)
			_, last, _ := strings.Cut(page, "vs. week before ")
			if want := cmp.Or("Rejected "+test.last+" Last request", ""); test.last != "" && !strings.HasPrefix(last, want) || test.last == "" && !strings.HasPrefix(last, "Last request") {
				t.Errorf("the column is %.40q, want %q", last, test.last)
			}
			_, next, _ := strings.Cut(page, "410 Gone. ")
			if !strings.HasPrefix(next, cmp.Or(test.next, "May it end?")) {
				t.Errorf("next is %.90q, want %q", next, test.next)
			}
		})
	}
}

// TestAnswer reads the first lines of the page.
func TestAnswer(t *testing.T) {
	for _, test := range []struct {
		name  string
		now   time.Time
		after catalogue.Action
		did   []done
		want  string
	}{
		{"nobody", noon, catalogue.Gone, nil, "v1 ends in 9 days. No client calls it. From Monday"},
		{"one", noon, catalogue.Gone, []done{{"v1", "acme", days{1: 1}}}, "v1 ends in 9 days. 1 of 1 client has not moved."},
		{"all moved", noon, catalogue.Gone, []done{{"v1", "acme", days{24: 1}}, {"v2", "acme", days{1: 1, 12: 1}}}, "v1 ends in 9 days. All clients have moved."},
		{"both", noon, catalogue.Gone, []done{{"v1", "acme", days{1: 1}}, {"v2", "acme", days{1: 1}}}, "v1 ends in 9 days. 1 of 1 client has not moved."},
		{"without names", noon, catalogue.Gone, []done{{"v1", "", days{1: 50}}}, "v1 ends in 9 days. Its clients are not known: set Client."},
		{"some without names", noon, catalogue.Gone, []done{{"v1", "", days{1: 50}}, {"v1", "acme", days{1: 1}}}, "1 of 1 client has not moved. Clients without a name call it, too."},
		{"after the end", noon.AddDate(0, 0, 24), catalogue.Gone, []done{{"v1", "acme", days{1: 1}}, {"v1", "zoo", days{1: 1}}, {"v2", "zoo", days{1: 1}}}, "v1 ended 15 days ago. 2 clients still get 410. Since Monday, 30 November 2026, every request for v1 gets 410 Gone. May its code be removed? Not yet"},
		{"on its last day", noon.AddDate(0, 0, 9).Add(time.Hour), catalogue.Gone, []done{{"v1", "acme", days{1: 1}}}, "v1 ended today. 1 client still gets 410. From Monday, 30 November 2026, 12:00 UTC on, every"},
		{"forwarded", noon.AddDate(0, 0, 24), catalogue.FallForward, []done{{"v1", "acme", days{1: 1}}}, "v1 ended 15 days ago. 1 client still calls it. Since Monday, 30 November 2026, the next version answers requests for v1."},
		{"at its sunset", noon.AddDate(0, 0, 9), catalogue.Serve, nil, "v1 had its sunset today. No client calls it."},
		{"served", noon.AddDate(0, 0, 24), catalogue.Serve, []done{{"v1", "acme", days{1: 1}}}, "v1 had its sunset 15 days ago. 1 of 1 client has not moved. Since Monday, 30 November 2026, v1 is no longer listed, and still served."},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := tableOf(test.after, test.now, test.did)
			contains(t, textOf(table), test.want)
		})
	}
	for ago, want := range map[time.Duration]string{24 * time.Hour: "No client calls it.", 24*time.Hour - time.Second: "Counting began on 20 Nov 2026, 12:00 UTC."} {
		counting := []usage.Count{{Kind: usage.KindCounting, First: noon.Add(-ago).Unix(), Last: noon.Unix()}}
		contains(t, ask(pageOf(lives(catalogue.Gone), noon, usage.Snapshot{Counts: counting}), "GET", "/?format=html").Body.String(), want)
	}
}

// TestWithoutSuccessor: a version without a successor has clients that call it.
func TestWithoutSuccessor(t *testing.T) {
	table := newTable(catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: noon.AddDate(0, -1, 0)}, {Version: "v2"}}}), noon)
	did(table, noon, "v1", "acme", days{1: 1})
	did(table, noon, "v1", "zoo", days{9: 1})
	did(table, noon, "v2", "zoo", days{1: 1})
	if got, want := fmt.Sprint(movers(t, table.Handler(nil), "v1")), "map[acme:only 1 after 0 zoo:quiet 0 after 1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	contains(t, textOf(table), "v1 is deprecated. 1 client still calls it. 1 quiet one may call it again. No sunset is planned.", "Write to these: 1 client that calls v1")
}

// TestWindow: counting began a few days ago, so nothing is compared with days that
// were not counted.
func TestWindow(t *testing.T) {
	for _, test := range []struct {
		hours int // ago
		want  string
		page  string
	}{
		{0, "only 2", "Client v1, since 21 Nov"},
		{3 * 24, "only 7", "Client v1, since 18 Nov"},
		{7*24 + 11, "only 7", "Client v1, since 14 Nov"},
		{7*24 + 12, "only 5", "Client v1, 7 full days"},
		{14*24 + 11, "only 5", "Client v1, 7 full days"},
		{14*24 + 12, "only 5 after 4", "up 25%"},
	} {
		clock := versotest.NewClock(noon.Add(time.Duration(-test.hours) * time.Hour))
		table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
		clock.Set(noon)
		did(table, noon, "v1", "acme", days{0: 2, 1: 5})
		if strings.Contains(test.want, "after") {
			did(table, noon, "v1", "acme", days{9: 4})
		}
		if got := movers(t, table.Handler(nil), "v1")["acme"]; got != test.want {
			t.Errorf("%d hours: %s, want %s", test.hours, got, test.want)
		}
		contains(t, textOf(table), test.page)
	}
}

// ask returns the response to a request for the page.
func ask(handler http.Handler, method, target string) *httptest.ResponseRecorder {
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(method, target, nil))
	return response
}

func TestReady(t *testing.T) {
	hour := func(at time.Time) usage.Count {
		return usage.Count{Kind: usage.KindCounting, First: at.Unix(), Last: at.Unix()}
	}
	whole := usage.Count{Kind: usage.KindCounting, First: noon.AddDate(0, 0, -40).Unix(), Last: noon.Unix()}
	gap := noon.AddDate(0, 0, -9)
	called := func(client string, ago time.Duration) usage.Count {
		at := noon.Add(-ago)
		return usage.Count{Version: "v1", Client: client, Requests: 1, First: at.Unix(), Last: at.Unix(), Days: []usage.DayCount{{Day: at.Format(time.DateOnly), Requests: 1}}}
	}
	day := 24 * time.Hour
	for _, test := range []struct {
		name      string
		counts    []usage.Count
		processes []usage.Process
		want      string // "": ready
	}{
		{"nothing is known", nil, nil, "requests are counted since 21 Nov 2026, 12:00 UTC only: 30 days are over on 21 Dec 2026, 12:00 UTC"},
		{"30 days without a call", []usage.Count{whole}, nil, ""},
		{"29 days", []usage.Count{{Kind: usage.KindCounting, First: noon.Add(-29 * day).Unix(), Last: noon.Unix()}}, nil, "since 23 Oct 2026, 12:00 UTC only"},
		{"a call 31 days ago", []usage.Count{whole, called("acme", 31*day)}, nil, "1 quiet client has not moved, and may call it again: acme (last request on 21 Oct 2026)"},
		{"a call 30 days ago", []usage.Count{whole, called("acme", 30*day)}, nil, "1 client has called it in the last 30 days: acme"},
		{"a call 29 days ago", []usage.Count{whole, called("acme", 29*day)}, nil, "1 client has called it in the last 30 days: acme"},
		{"an unknown client", []usage.Count{whole, called("", day)}, nil, "requests without a name called it in the last 30 days"},
		{"an unknown client, an hour less than 30 days ago", []usage.Count{whole, called("", 30*day-time.Hour)}, nil, "requests without a name called it in the last 30 days"},
		{"five clients", []usage.Count{whole, called("a", day), called("b", day), called("c", day), called("d", day), called("e", day)}, nil, "5 clients have called it in the last 30 days: a, b, c and 2 more"},
		{
			"an hour that nobody counted", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: gap.Add(-time.Second).Unix()}, {Kind: usage.KindCounting, First: gap.Add(time.Hour).Unix(), Last: noon.Unix()}}, nil,
			"no process counted from 12 Nov 2026, 12:00 UTC until 12 Nov 2026, 13:00 UTC",
		},
		{"an hour in which somebody counted", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: gap.Add(-time.Second).Unix()}, hour(gap.Add(59 * time.Minute)), {Kind: usage.KindCounting, First: gap.Add(time.Hour).Unix(), Last: noon.Unix()}}, nil, ""},
		{"the hour before now", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: noon.Add(-time.Hour - time.Second).Unix()}}, nil, "no process counted from 21 Nov 2026, 11:00 UTC until 21 Nov 2026, 12:00 UTC"},
		{"the hour that begins now", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: noon.Add(-time.Second).Unix()}}, nil, ""},
		{"the first of the 720 hours", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: noon.Add(-30*day - time.Second).Unix()}, {Kind: usage.KindCounting, First: noon.Add(-30*day + time.Hour).Unix(), Last: noon.Unix()}}, nil, "no process counted from 22 Oct 2026, 12:00 UTC until 22 Oct 2026, 13:00 UTC"},
		{"an hour before these", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: noon.Add(-30*day - time.Hour - time.Second).Unix()}, {Kind: usage.KindCounting, First: noon.Add(-30 * day).Unix(), Last: noon.Unix()}}, nil, ""},
		{"a minute less than 30 days", []usage.Count{{Kind: usage.KindCounting, First: noon.Add(-30*day + time.Minute).Unix(), Last: noon.Unix()}}, nil, "requests are counted since 22 Oct 2026, 12:01 UTC only: 30 days are over on 21 Nov 2026, 12:01 UTC"},
		{"others call it", []usage.Count{whole, {Version: "v1", OtherClient: true, Requests: 3, First: gap.Unix(), Last: gap.Unix(), Days: []usage.DayCount{{Day: gap.Format(time.DateOnly), Requests: 3}}}}, nil, "1 client has called it in the last 30 days: (all others, beyond the bound)"},
		{"others are quiet", []usage.Count{whole, {Version: "v1", OtherClient: true, Requests: 3, First: noon.Add(-40 * day).Unix(), Last: noon.Add(-40 * day).Unix()}}, nil, "1 quiet client has not moved, and may call it again: (all others, beyond the bound) (last request on 12 Oct 2026)"},
		{"others have moved, or not", []usage.Count{whole, {Version: "v1", OtherClient: true, Requests: 3, First: noon.Add(-60 * day).Unix(), Last: noon.Add(-60 * day).Unix()}, {Version: "v2", OtherClient: true, Requests: 3, First: noon.Add(-50 * day).Unix(), Last: noon.Unix()}}, nil, "1 quiet client has not moved"},
		{"a process was heard of", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: 15 * time.Minute}}, ""},
		{"a process ended", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: time.Hour, Ended: true}}, ""},
		{"a process may have been killed", []usage.Count{whole}, []usage.Process{{Name: "host/7", Silent: 16 * time.Minute}}, "process host/7 last reported on 21 Nov 2026, 11:44 UTC: it may have been killed with uncounted requests"},
		{"by its own clock", []usage.Count{whole}, []usage.Process{{Name: "host/7", LastSeen: noon.Add(-16 * time.Minute)}}, "process host/7 last reported on 21 Nov 2026, 11:44 UTC: it may have been killed with uncounted requests"},
		{"its clock is wrong", []usage.Count{whole}, []usage.Process{{Name: "host/7", LastSeen: noon.Add(-16 * time.Minute), Skew: -960}}, ""},
		{"a day is not enough", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: day}}, "process a last reported on 20 Nov 2026, 12:00 UTC: it may have been killed with uncounted requests"},
		{"it is forgiven", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: day + time.Second}}, ""},
		{"a clock that is behind", []usage.Count{whole}, []usage.Process{{Name: "a", LastSeen: noon.Add(-36 * time.Hour), Skew: -36 * 60 * 60}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := &usage.Page{Catalogue: lives(catalogue.Gone), Clock: versotest.NewClock(noon).Now, Open: usage.Snapshot{Counts: test.counts, Processes: test.processes}.Open}
			status := http.StatusConflict
			if test.want == "" {
				status = http.StatusOK
			}
			response := ask(page, "GET", "/?ready=v1")
			var got struct {
				Ready   bool
				Reasons []string
			}
			if err := json.Unmarshal(response.Body.Bytes(), &got); err != nil || response.Code != status || got.Ready != (test.want == "") {
				t.Errorf("%d %v %s", response.Code, err, response.Body)
			}
			if !strings.Contains(strings.Join(got.Reasons, "\n"), test.want) || len(got.Reasons) > 1 {
				t.Errorf("reasons %q, want %q", got.Reasons, test.want)
			}
			if head := ask(page, "HEAD", "/?ready=v1"); head.Code != status {
				t.Errorf("HEAD: %d", head.Code)
			}
		})
	}
}

func TestQueries(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "acme", days{1: 1})
	did(table, noon, "v1", "", days{1: 1})
	table.Add([]usage.Count{{Version: "v1", OtherClient: true, Method: "GET", Route: "/of others", Requests: 9, Days: []usage.DayCount{{Day: "2026-11-20", Requests: 9}}}})
	for _, test := range []struct {
		target string
		status int
		want   string
	}{
		{"/?ready=v9", 404, `unknown version "v9"`},
		{"/?ready=", 404, `unknown version ""`},
		{"/?ready=v2", 200, `{"ready":true,"version":"v2","time":"2026-11-21T12:00:00Z","counted_since":"2026-08-13T12:00:00Z"}`},
		{"/?letters=v9", 404, `version "v9" is not deprecated and has no sunset`},
		{"/?letters=v1&state=gone", 400, `unknown state "gone"`},
		{"/?letters=v1", 200, `"client":"acme","version":"v1","state":"only"`},
		{"/?client=nobody", 404, `unknown client "nobody"`},
		{"/?client=", 200, `"routes":[{"method":"GET","route":"/users","requests_30_days":1,`},
		{"/?client=acme&format=xml", 400, "unknown format"},
		{"/?level=all", 400, `unknown level "all": use summary or full`},
		{"/?level=summary", 200, `"moving":{`},
	} {
		if response := ask(table.Handler(nil), "GET", test.target); response.Code != test.status || !strings.Contains(response.Body.String(), test.want) {
			t.Errorf("%s: %d %s", test.target, response.Code, response.Body)
		}
		if response := ask(table.Handler(nil), "HEAD", test.target); response.Code != test.status {
			t.Errorf("HEAD %s: %d", test.target, response.Code)
		}
	}
	if summary := ask(table.Handler(nil), "GET", "/?level=summary").Body.String(); strings.Contains(summary, `"routes":`) || strings.Contains(summary, `"days":[`) {
		t.Errorf("the summary has details: %s", summary)
	}
	broken := &usage.Page{Catalogue: lives(catalogue.Gone), Clock: time.Now, Open: func(context.Context) (usage.Reader, error) {
		return nil, errors.New("the tables are of a newer release")
	}}
	if response := ask(broken, "GET", "/"); response.Code != 503 || response.Body.String() != "the tables are of a newer release\n" {
		t.Errorf("%d %s", response.Code, response.Body)
	}
}

// TestClient reads what the page says about one client.
func TestClient(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	name := `=a&b <c>"`
	did(table, noon, "v1", name, days{1: 2})
	did(table, noon, "v2", name, days{1: 5})
	table.Observe(t.Context(), call("v1", name, "/old", noon.AddDate(0, 0, -5)))
	table.Observe(t.Context(), call("v1", name, "/kept/v1", noon.AddDate(0, 0, -40)))
	table.Observe(t.Context(), call("v1", name, "/ns", noon))
	routes := func() *verso.Explanation {
		return &verso.Explanation{Routes: []verso.RouteInfo{
			{Method: "GET", Pattern: "/first", Path: "/{version}/first", Name: "users"},
			{Method: "GET", Pattern: "/users", Path: "/{version}/users", Name: "users"},
			{Method: "GET", Pattern: "/old", Path: "/{version}/old", Versions: []string{"v1"}},
			{Method: "GET", Pattern: "/ns", Path: "/v1/ns", Name: "v1:ns", Versions: []string{"v1"}},
			{Method: "GET", Pattern: "/v2/old", Path: "/v2/old", Host: "other.example", Versions: []string{"v2"}},
			{Method: "POST", Pattern: "/v2/new", Path: "/v2/new", Name: "v2:ns", Versions: []string{"v2"}},
			{Method: "GET", Pattern: "/v2/spaces", Path: "/v2/spaces", Name: "v2:ns", Versions: []string{"v2"}},
		}}
	}
	target := "/?client=%3Da%26b+%3Cc%3E%22&format="
	want := `{"time":"2026-11-21T12:00:00Z","since":"2026-08-13T12:00:00Z","client":"=a\u0026b \u003cc\u003e\"","versions":[{"version":"v1","state":"deprecated","deprecated":"2026-09-21T12:00:00Z","sunset":"2026-11-30T12:00:00Z","days_to_sunset":9,"successor":"v2","group":"both","last_seen":"2026-11-21T12:00:00Z","routes":[` +
		`{"method":"GET","route":"/users","path":"/v1/users","requests_30_days":2,"last_seen":"2026-11-20T12:00:00Z","to":"/v2/users"},` +
		`{"method":"GET","route":"/ns","path":"/v1/ns","requests_30_days":1,"last_seen":"2026-11-21T12:00:00Z","to":"/v2/spaces"},` +
		`{"method":"GET","route":"/old","path":"/v1/old","requests_30_days":1,"last_seen":"2026-11-16T12:00:00Z"}]}],` +
		`"unseen":"No count shows a job without a run since counting began on 13 Aug 2026: ask before the end"}` + "\n"
	if got := ask(table.Handler(routes), "GET", target+"json").Body.String(); got != want {
		t.Errorf("JSON\n%s, want\n%s", got, want)
	}
	want = `client,version,state,every,next_expected,sunset,successor,method,route,requests_30_days,last_request,to
"'=a&b <c>""",v1,both,,,2026-11-30T12:00:00Z,v2,GET,/users,2,2026-11-20T12:00:00Z,/v2/users
"'=a&b <c>""",v1,both,,,2026-11-30T12:00:00Z,v2,GET,/ns,1,2026-11-21T12:00:00Z,/v2/spaces
"'=a&b <c>""",v1,both,,,2026-11-30T12:00:00Z,v2,GET,/old,1,2026-11-16T12:00:00Z,
`
	if got := ask(table.Handler(routes), "GET", target+"csv").Body.String(); got != want {
		t.Errorf("CSV\n%s, want\n%s", got, want)
	}
	page := ask(table.Handler(routes), "GET", target+"html").Body.String()
	contains(t, strings.ReplaceAll(page, "<wbr>", ""), "<bdi>=a&amp;b &lt;c&gt;", "<bdi>still calls v1</bdi>", "<p>No count shows a job without a run since counting began on 13 Aug 2026: ask before the end.</p>", `<pre tabindex="0">v1 ends on 30 Nov 2026, 12:00 UTC. From then on, requests for it get 410 Gone. Before that, requests for it are rejected for a test: Monday, 23 November, all day. Please move to v2.

You still call:

  GET /v1/users: 2 requests in 30 days, last on 20 Nov 2026. Use GET /v2/users.
  GET /v1/ns: 1 request in 30 days, last on 21 Nov 2026. Use GET /v2/spaces.
  GET /v1/old: 1 request in 30 days, last on 16 Nov 2026. No such route of v2 is known.</pre>`)
	if strings.Contains(page, "<c>") {
		t.Errorf("markup in\n%s", page)
	}
	did(table, noon, "v2", "modern", days{1: 1})
	contains(t, ask(table.Handler(nil), "GET", "/?client=modern&format=html").Body.String(), "calls no version that is deprecated or has ended")
}

// TestQuietClient: a client that may call again has a page, and a mail with the same facts.
func TestQuietClient(t *testing.T) {
	table := newTable(dated(), noon)
	for _, ago := range []int{81, 51, 20} {
		did(table, noon, "v1", "job", days{ago: 1})
	}
	did(table, noon, "v1", "left", days{24: 1})
	did(table, noon, "v2", "left", days{1: 1, 12: 1})
	page := table.Handler(func() *verso.Explanation {
		return &verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/users", Path: "/{version}/users"}}}
	})
	page.Contact = func(client string) (text, link string) {
		return map[string]string{"job": "Ada"}[client], map[string]string{"job": "mailto:ada@example.com?cc=x"}[client]
	}
	want := `{"client":"job","contact":{"text":"Ada","link":"mailto:ada@example.com?cc=x"},"versions":[{"version":"v1","state":"deprecated","deprecated":"2026-09-21T12:00:00Z","sunset":"2026-11-30T12:00:00Z","days_to_sunset":9,"successor":"v2",` +
		`"group":"quiet","last_seen":"2026-11-01T12:00:00Z","every":"monthly","next_expected":"2026-12-01T12:00:00Z","guide":"https://example.com/move",` +
		`"routes":[{"method":"GET","route":"/users","path":"/v1/users","requests_30_days":1,"last_seen":"2026-11-01T12:00:00Z","to":"/v2/users"}]}],` +
		`"unseen":"No count shows a job without a run since counting began on 13 Aug 2026: ask before the end"}`
	if got := ask(page, "GET", "/?client=job&format=json").Body.String(); !strings.HasSuffix(got, want[1:]+"\n") {
		t.Errorf("JSON\n%s, want\n%s", got, want)
	}
	html := ask(page, "GET", "/?client=job&format=html").Body.String()
	contains(t, strings.ReplaceAll(html, "<wbr>", ""), `<span class="alarm"><bdi>may call v1 again</bdi>`, `Contact: <a href="mailto:ada@example.com?cc=x"><bdi>Ada</bdi></a>`,
		`<pre tabindex="0">v1 ends on 30 Nov 2026, 12:00 UTC. From then on, requests for it get 410 Gone. Please move to v2. How to move: https://example.com/move

You called it monthly, last on 1 Nov 2026, and are expected again about 1 Dec 2026:

  GET /v1/users: 1 request in 30 days, last on 1 Nov 2026. Use GET /v2/users.</pre>`,
		`<a href="mailto:ada@example.com?subject=v1%20ends%20in%209%20days&amp;body=v1%20ends%20on%2030%20Nov%202026%2C%2012%3A00%20UTC.`, `%0D%0A%0D%0AYou`, "called monthly, next expected about")
	html = ask(page, "GET", "/?client=left&format=html").Body.String()
	contains(t, html, `<span class="good">`, "no longer calls v1")
	if strings.Contains(html, "mailto:") || strings.Contains(html, "Contact") {
		t.Errorf("a mail to a client that has moved:\n%s", html)
	}
	for i := range 60 {
		table.Observe(t.Context(), call("v1", "many", fmt.Sprint("/ünïcode%20/", i), noon))
	}
	_, link, _ := strings.Cut(ask(page, "GET", "/?client=many&format=html").Body.String(), `<a href="mailto:`)
	link, _, _ = strings.Cut(link, `"`)
	if body, err := url.QueryUnescape(link); err != nil || !strings.HasSuffix(body, "…") || !utf8.ValidString(body) || len(link) > 1800 {
		t.Errorf("%v, %d bytes: %s", err, len(link), link)
	}
}

// dated are the versions of lives without brownouts, and with a guide.
func dated() *catalogue.Catalogue {
	return catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{
			Version: "v1", Deprecated: noon.AddDate(0, -2, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2",
			Links: []catalogue.Link{{Rel: "sunset", Href: "https://example.com/policy"}, {Rel: "deprecation", Href: "https://example.com/move"}, {Rel: "deprecation", Href: "https://example.com/more"}},
		},
		{Version: "v2"},
	}})
}

// TestReadyUncounted: a table made after the service counts nothing, so no version may end. Whether the service
// sets Observe makes no difference.
func TestReadyUncounted(t *testing.T) {
	metrics := func(context.Context, verso.Observation) {}
	for _, test := range []struct {
		name     string
		observed bool
		change   func(given *verso.Config, attached verso.Config) // after the table was made
	}{
		{"before verso.New", true, func(given *verso.Config, attached verso.Config) { *given = attached }},
		{"after it", false, func(*verso.Config, verso.Config) {}},
		{"before Observe", true, func(given *verso.Config, attached verso.Config) { *given = attached; given.Observe = metrics }},
		{"after it, with Observe", false, func(given *verso.Config, _ verso.Config) { given.Observe = metrics }},
		{"other counters since", false, func(given *verso.Config, attached verso.Config) {
			*given = attached
			given.Counters = nil
			usage.NewTable(given)
		}},
		{"no counters since", false, func(given *verso.Config, attached verso.Config) { *given = attached; given.Counters = nil }},
		{"one more counter since", true, func(given *verso.Config, attached verso.Config) { *given = attached; usage.NewTable(given) }},
	} {
		config := verso.Config{Catalogue: lives(catalogue.Gone), Clock: versotest.NewClock(noon).Now}
		given := config
		table := usage.NewTable(&config)
		test.change(&given, config)
		page := table.Handler(adapter.Bind(verso.MustNew(verso.Header("Api-Version"), given), nil).Explain)
		got := ask(page, "GET", "/?ready=v1").Body.String()
		if strings.Contains(got, "no request is counted: give the configuration to NewTable") == test.observed {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// TestClientSet: the page advises to set Client only where the adapter has none.
func TestClientSet(t *testing.T) {
	for _, test := range []struct {
		name     string
		findings []verso.Finding
		want     string
	}{
		{"it is set", nil, "v1 ends in 9 days. Only clients without a name call it."},
		{"it is not", []verso.Finding{{Code: "client_not_set"}}, "v1 ends in 9 days. Its clients are not known: set Client."},
		{"it is not, on purpose", []verso.Finding{{Code: "client_not_set", Acknowledged: true}}, "v1 ends in 9 days. Only clients without a name call it."},
	} {
		table := newTable(dated(), noon)
		did(table, noon, "v1", "", days{1: 1})
		page := table.Handler(func() *verso.Explanation {
			return &verso.Explanation{Routes: []verso.RouteInfo{}, Findings: test.findings}
		})
		if got := tags.ReplaceAllString(ask(page, "GET", "/?format=html").Body.String(), ""); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, got)
		}
	}
}

// TestMail: the text for a mail, of what happens at the sunset, and of the tests before.
func TestMail(t *testing.T) {
	sunset := noon.AddDate(0, 2, 0)
	for _, test := range []struct {
		name   string
		after  catalogue.Action
		config catalogue.Entry
		want   string
	}{
		{"410", catalogue.Gone, catalogue.Entry{Sunset: sunset, Successor: "v2"}, "v1 ends on 21 Jan 2027, 12:00 UTC. From then on, requests for it get 410 Gone. Please move to v2."},
		{"the next one answers", catalogue.FallForward, catalogue.Entry{Sunset: sunset, Successor: "v2"}, "v1 ends on 21 Jan 2027, 12:00 UTC. From then on, the next version answers requests for it. Please move to v2."},
		{"still served", catalogue.Serve, catalogue.Entry{Deprecated: noon, Sunset: sunset, Successor: "v2"}, "v1 is deprecated, and is not supported from 21 Jan 2027 on. Please move to v2."},
		{"no sunset", catalogue.Gone, catalogue.Entry{Deprecated: noon, Successor: "v2"}, "v1 is deprecated since 21 Nov 2026. Please move to v2."},
		{"later deprecated", catalogue.Gone, catalogue.Entry{Deprecated: noon.AddDate(0, 0, 3), Successor: "v2"}, "v1 will be deprecated on 24 Nov 2026. Please move to v2."},
		{"never deprecated", catalogue.Serve, catalogue.Entry{Sunset: sunset, Successor: "v2"}, "v1 is not supported from 21 Jan 2027 on. Please move to v2."},
		{"ended", catalogue.Gone, catalogue.Entry{Sunset: noon, Successor: "v2"}, "v1 ended on 21 Nov 2026: requests for it get 410 Gone. Please move to v2."},
		{"tests", catalogue.Gone, catalogue.Entry{Deprecated: noon, Sunset: sunset, Successor: "v2", Brownouts: catalogue.EveryWeek(noon, time.Hour, 5)},
			"Before that, requests for it are rejected for a test: Saturday, 28 November, 12:00 to 13:00 UTC; Saturday, 5 December, 12:00 to 13:00 UTC; Saturday, 12 December, 12:00 to 13:00 UTC; and more. Please move to v2."},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.config.Version = "v1"
			table := newTable(catalogue.MustNew(catalogue.Config{AfterSunset: test.after, ServedHeader: "Api-Version", Versions: []catalogue.Entry{test.config, {Version: "v2"}}}), noon)
			did(table, noon, "v1", "acme", days{1: 2})
			_, text, _ := strings.Cut(ask(table.Handler(nil), "GET", "/?client=acme&format=html").Body.String(), `<pre tabindex="0">`)
			text, _, _ = strings.Cut(text, "</pre>")
			if want := test.want + "\n\nYou still call:\n\n  GET /users: 2 requests in 30 days, last on 20 Nov 2026. No such route of v2 is known."; !strings.HasSuffix(text, want) {
				t.Errorf("%s\nwant\n%s", text, want)
			}
		})
	}
	soon := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: noon.Add(1e9)}, {Version: "v2"}}})
	contains(t, textOf(newTable(soon, noon)), "v1 will be deprecated. No client calls it.")
}
