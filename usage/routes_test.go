package usage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// job is what a client calls: "v1 GET /{version}/orders", from a day until another, each so many days or months.
type job struct {
	route        string
	from, until  string
	days, months int
}

// asked plays jobs of the client acme into a table until a day, and returns what the gate says then.
func asked(t *testing.T, day string, explain func() *verso.Explanation, query string, jobs ...job) (ready bool, reasons string, get func(query string) string) {
	t.Helper()
	now := catalogue.MustDate(day)
	clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}, {Version: "v3"}}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	var calls []verso.Observation
	for _, j := range jobs {
		part := strings.Fields(j.route)
		outcome := verso.OutcomeServed
		if len(part) > 3 {
			outcome = part[3]
		}
		for d := catalogue.MustDate(j.from); d.Before(catalogue.MustDate(j.until)); d = d.AddDate(0, j.months, j.days) {
			calls = append(calls, verso.Observation{Time: d.Add(9 * time.Hour), Version: verso.V(part[0]), Client: "acme", Method: part[1], Route: part[2], Outcome: outcome})
		}
	}
	slices.SortStableFunc(calls, func(a, b verso.Observation) int { return a.Time.Compare(b.Time) })
	for _, o := range calls {
		if o.Time.Before(now) {
			clock.Set(o.Time)
			table.Observe(context.Background(), o)
		}
	}
	clock.Set(now)
	page := table.Handler(explain)
	get = func(query string) string {
		w := httptest.NewRecorder()
		page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
		return w.Body.String()
	}
	var answer struct {
		Ready    bool
		Reasons  []string
		NotFound []string `json:"not_found"`
	}
	if err := json.Unmarshal([]byte(get("ready=v1"+query)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Ready, strings.Join(append(answer.Reasons, answer.NotFound...), "; "), get
}

const (
	orders1, orders2 = "v1 GET /{version}/orders", "v2 GET /{version}/orders"
	report1, report2 = "v1 POST /{version}/report", "v2 POST /{version}/report"
)

// TestRouteLeft: a client that moves its web shop, and keeps a rarer job on v1, has not moved.
func TestRouteLeft(t *testing.T) {
	shop := []job{{orders1, "2025-06-02", "2026-02-10", 1, 0}, {orders2, "2026-02-10", "2026-12-01", 1, 0}}
	renamed := func() *verso.Explanation {
		return &verso.Explanation{Routes: []verso.RouteInfo{
			{Method: "GET", Pattern: "/{version}/orders", Path: "/{version}/orders"},
			{Method: "POST", Pattern: "/{version}/report", Path: "/{version}/report", Name: "v1:report", Versions: []string{"v1"}},
			{Pattern: "/{version}/reports", Path: "/{version}/reports", Name: "v2:report", Versions: []string{"v2", "v3"}},
			{Method: "POST", Pattern: "/{version}/tax", Path: "/{version}/tax", Name: "tax", Versions: []string{"v1"}},
			{Method: "POST", Pattern: "/{version}/taxes", Path: "/{version}/taxes", Name: "tax"},
			{Method: "POST", Pattern: "/{version}/taxes/{year}", Path: "/{version}/taxes/{year}", Name: "tax", Versions: []string{"v2", "v3"}}}}
	}
	const notMoved = "1 quiet client has not moved, and may call it again: acme (POST /{version}/report: "
	// three routes that are called as rarely as a job, and have moved
	rarely := func(until, moved string, days int, more ...job) []job {
		for _, route := range []string{"GET /{version}/r1", "GET /{version}/r2", "GET /{version}/r3"} {
			more = append(more, job{"v1 " + route, more[0].from, until, days, 0}, job{"v2 " + route, moved, "2026-03-25", 14, 0})
		}
		return more
	}
	for _, test := range []struct {
		name    string
		day     string
		jobs    []job
		explain func() *verso.Explanation
		query   string
		want    string // the reasons, "": ready
	}{
		{"quarterly", "2026-03-22", []job{{report1, "2025-07-01", "2026-12-01", 0, 3}}, nil, "", notMoved + "not in v2 since 1 Jan 2026)"},
		{"once, which may be yearly", "2026-08-25", []job{{report1, "2025-12-31", "2026-01-01", 1, 0}}, nil, "", notMoved + "not in v2 since 31 Dec 2025)"},
		{"a season", "2026-05-28", []job{{report1, "2025-07-01", "2025-07-20", 1, 0}}, nil, "", notMoved + "not in v2 since 19 Jul 2025)"},
		{"two routes", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {"v1 GET /{version}/tax", "2025-12-31", "2026-01-01", 1, 0}}, nil, "", notMoved + "not in v2 since 1 Jan 2026)"},
		{"two routes, the one that is expected first", "2026-03-22", []job{{report1, "2025-07-01", "2026-12-01", 0, 3}, {"v1 GET /{version}/tax", "2026-02-01", "2026-02-02", 1, 0}}, nil, "", notMoved + "not in v2 since 1 Jan 2026)"},
		{"v2 before the last call", "2026-03-22", []job{{report1, "2025-07-01", "2026-02-01", 0, 3}, {report2, "2025-12-01", "2025-12-31", 7, 0}}, nil, "", notMoved + "not in v2 since 1 Jan 2026)"},
		{"v2 only rejected it", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {report2 + " version_gone", "2026-02-01", "2026-05-01", 7, 0}}, nil, "", notMoved + "not in v2 since 1 Jan 2026)"},
		{"v2 tried once, and v1 is due", "2026-03-22", []job{{report1, "2025-07-01", "2026-02-01", 0, 3}, {report2, "2026-02-01", "2026-02-02", 1, 0}}, nil, "", notMoved + "expected about 1 Apr 2026)"},
		{"v1 called it twice, v2 weekly since", "2026-06-10", []job{{report1, "2025-07-02", "2026-02-10", 210, 0}, {report2, "2026-02-10", "2026-06-10", 7, 0}}, nil, "", ""},
		{"v1 called it twice, v2 weekly since the first time", "2026-06-10", []job{{report1, "2025-07-02", "2026-02-10", 210, 0}, {report2, "2025-07-10", "2026-06-10", 7, 0}}, nil, "", notMoved + "expected about 26 Aug 2026)"},
		{"v1 called it twice, v2 tried it in two weeks", "2026-06-10", []job{{report1, "2025-07-02", "2026-02-10", 210, 0}, {report2, "2026-02-10", "2026-02-20", 7, 0}}, nil, "", notMoved + "expected about 26 Aug 2026)"},
		{"v1 called it half-yearly, v2 weekly since", "2026-06-10", []job{{report1, "2025-07-02", "2026-02-01", 0, 6}, {report2, "2026-01-10", "2026-06-10", 7, 0}}, nil, "", notMoved + "expected about 2 Jul 2026)"},
		{"v1 called it twice, and others as rarely that have moved", "2026-08-25", rarely("2026-02-06", "2026-02-20", 240, job{report1, "2025-06-10", "2026-02-06", 240, 0}), nil, "", notMoved + "not in v2 since 5 Feb 2026)"},
		{"v1 called all half-yearly, v2 tried them", "2026-08-25", rarely("2026-02-06", "2026-02-20", 182, job{report1, "2025-08-05", "2026-02-06", 182, 0}, job{report2, "2026-02-20", "2026-02-21", 1, 0}), nil, "", "1 quiet client has not moved, and may call it again: acme (GET /{version}/r1: expected about 3 Aug 2026)"},
		{"v2 has it, and v1 is not due", "2026-08-25", []job{{report1, "2025-07-01", "2026-02-01", 0, 3}, {report2, "2026-04-01", "2026-08-01", 0, 3}}, nil, "", ""},
		{"v3 has it", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {"v3 POST /{version}/report", "2026-04-01", "2026-04-02", 1, 0}}, nil, "", ""},
		{"renamed", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {"v2 POST /{version}/reports", "2026-04-01", "2026-04-02", 1, 0}}, renamed, "", ""},
		{"renamed, the same name", "2026-05-28", []job{{"v1 POST /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}, {"v2 POST /{version}/taxes/{year}", "2026-04-01", "2026-04-02", 1, 0}}, renamed, "", ""},
		{"the same name, in both versions", "2026-05-28", []job{{"v1 POST /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}, {"v2 POST /{version}/taxes", "2026-04-01", "2026-04-02", 1, 0}}, renamed, "", "1 quiet client has not moved, and may call it again: acme (POST /v1/tax: not in v2 since 1 Jan 2026)"},
		{"renamed, another method", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {"v2 GET /{version}/reports", "2026-04-01", "2026-04-02", 1, 0}}, renamed, "", "1 quiet client has not moved, and may call it again: acme (POST /v1/report: not in v2 since 1 Jan 2026)"},
		{"the version in the path of the route", "2026-05-28", []job{{"v1 POST /v1/report", "2026-01-01", "2026-01-02", 1, 0}, {"v2 POST /v2/report", "2026-04-01", "2026-04-02", 1, 0}}, nil, "", ""},
		{"HEAD is GET", "2026-05-28", []job{{"v1 HEAD /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}, {"v2 GET /{version}/tax", "2026-04-01", "2026-04-02", 1, 0}}, nil, "", ""},
		{"HEAD and GET are one that is accepted", "2026-05-28", []job{{"v1 HEAD /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}}, nil, "&except=acme+GET+/{version}/tax", ""},
		{"OPTIONS, which is no preflight", "2026-05-28", []job{{"v1 OPTIONS /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}}, nil, "", "1 quiet client has not moved, and may call it again: acme (OPTIONS /{version}/tax: not in v2 since 1 Jan 2026)"},
		{"OPTIONS, moved", "2026-05-28", []job{{"v1 OPTIONS /{version}/tax", "2026-01-01", "2026-01-02", 1, 0}, {"v2 OPTIONS /{version}/tax", "2026-04-01", "2026-04-02", 1, 0}}, nil, "", ""},
		{"weekly, lately", "2026-04-20", []job{{report1, "2025-06-02", "2026-02-10", 7, 0}}, nil, "", notMoved + "not in v2 since 9 Feb 2026)"},
		{"weekly, given up", "2026-05-28", []job{{report1, "2025-06-02", "2026-02-10", 7, 0}}, nil, "", ""},
		{"quarterly, not yet given up", "2026-06-28", []job{{report1, "2025-07-01", "2025-12-01", 0, 3}}, nil, "", notMoved + "not in v2 since 1 Oct 2025)"},
		{"quarterly, given up", "2026-07-25", []job{{report1, "2025-07-01", "2025-12-01", 0, 3}}, nil, "", ""},
		{"forgotten", "2026-08-25", []job{{report1, "2025-07-01", "2025-07-02", 1, 0}}, nil, "", ""},
		{"accepted", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}}, nil, "&except=acme+POST+/{version}/report", ""},
		{"accepted for all", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}}, nil, "&except=POST+/{version}/report", ""},
		{"one of two accepted", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}, {"v1 GET /{version}/tax", "2025-12-31", "2026-01-01", 1, 0}}, nil, "&except=POST+/{version}/report", notMoved + "not in v2 since 1 Jan 2026)"},
		{"another one accepted", "2026-05-28", []job{{report1, "2026-01-01", "2026-01-02", 1, 0}}, nil, "&except=emca+POST+/{version}/report", notMoved + "not in v2 since 1 Jan 2026); emca POST /{version}/report"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if ready, reasons, _ := asked(t, test.day, test.explain, test.query, append(test.jobs, shop...)...); reasons != test.want || ready != (test.want == "") {
				t.Errorf("ready %v: %s, want %q", ready, reasons, test.want)
			}
		})
	}
}

// TestRouteAccepted: a route that a person has accepted counts again when the client calls it.
func TestRouteAccepted(t *testing.T) {
	jobs := []job{{orders1, "2025-06-02", "2026-02-10", 1, 0}, {orders2, "2026-02-10", "2026-12-01", 1, 0}, {report1, "2026-01-01", "2026-06-01", 0, 3}}
	if ready, reasons, _ := asked(t, "2026-04-20", nil, "&except="+url.QueryEscape("acme POST /{version}/report"), jobs...); ready || reasons != "1 client has called it in the last 30 days: acme; acme POST /{version}/report" {
		t.Error(ready, reasons)
	}
}

// TestRouteAcceptedPause: a route that a person has accepted does not excuse a client that is quiet for another reason:
// it was silent for as long before.
func TestRouteAcceptedPause(t *testing.T) {
	const want = "1 quiet client has not moved, and may call it again: acme (last request on 16 Feb 2026, every 3 weeks, next expected about 9 Mar 2026)"
	jobs := []job{{orders1, "2025-06-02", "2025-08-11", 21, 0}, {orders1, "2026-02-16", "2026-02-17", 1, 0}, {orders2, "2026-02-23", "2026-12-01", 1, 0}, {report1, "2026-02-16", "2026-02-17", 1, 0}}
	for query, want := range map[string]string{"": want, "&except=acme+POST+/{version}/report": want + "; acme POST /{version}/report", "&except=acme": ""} {
		if ready, reasons, _ := asked(t, "2026-05-20", nil, query, jobs...); ready != (want == "") || reasons != want {
			t.Errorf("%s: ready %v: %s, want %q", query, ready, reasons, want)
		}
	}
}

// TestCalledRouteIsNamed: the gate names the route that a client calls most, such as OPTIONS, which few expect.
func TestCalledRouteIsNamed(t *testing.T) {
	_, reasons, get := asked(t, "2026-05-20", nil, "", job{orders1, "2025-06-02", "2026-02-10", 1, 0}, job{orders2, "2026-02-10", "2026-12-01", 1, 0}, job{"v1 OPTIONS /{version}/orders", "2025-06-03", "2026-12-01", 7, 0})
	if got := get("ready=v1"); !strings.Contains(got, `"route":"OPTIONS /{version}/orders","why":"called"`) {
		t.Error(reasons, got)
	}
}

// TestRoutesLeftAreFew: the answer of the gate has ten routes of a client, and how many more there are. All can be accepted.
func TestRoutesLeftAreFew(t *testing.T) {
	jobs := []job{{orders1, "2025-06-02", "2026-02-10", 1, 0}, {orders2, "2026-02-10", "2026-12-01", 1, 0}}
	all := ""
	for i := range 25 {
		route := fmt.Sprintf("GET /{version}/%02d", i)
		jobs, all = append(jobs, job{"v1 " + route, "2026-01-01", "2026-01-02", 1, 0}), all+"&except="+url.QueryEscape(route)
	}
	_, reasons, get := asked(t, "2026-05-20", nil, "", jobs...)
	if got := get("ready=v1"); strings.Count(got, `"route":`) != 10 || !strings.Contains(got, `"routes_left_more":15,"why":"quiet"`) {
		t.Error(reasons, got)
	}
	var gate struct {
		Questions []struct {
			Routes  []string
			Unknown string
		}
	}
	if err := json.Unmarshal([]byte(get("ready=v1")), &gate); err != nil || len(gate.Questions) != 1 || len(gate.Questions[0].Routes) != 25 ||
		!strings.Contains(gate.Questions[0].Unknown, "was called in one week only") {
		t.Errorf("one question has all of them: %v %+v", err, gate)
	}
	if got := get("ready=v1" + all); !strings.Contains(got, `"ready":true`) || strings.Count(got, `"route":`) != 10 || strings.Contains(got, "not_found") {
		t.Error(got)
	}
	if got := get("client=acme&format=json"); strings.Count(got, `"last_seen":"2026-01-01T00:00:00Z"`) != 25 {
		t.Error(got)
	}
}

// TestRouteLeftShown: the page and the letter name the route that is left, and no other.
func TestRouteLeftShown(t *testing.T) {
	explain := func() *verso.Explanation {
		return &verso.Explanation{Routes: []verso.RouteInfo{{Pattern: "/{version}/orders", Path: "/{version}/orders"}, {Method: "POST", Pattern: "/{version}/report", Path: "/{version}/report"}}}
	}
	_, _, get := asked(t, "2026-05-28", explain, "", job{orders1, "2025-06-02", "2026-02-10", 1, 0}, job{orders2, "2026-02-10", "2026-12-01", 1, 0}, job{report1, "2026-01-01", "2026-01-02", 1, 0})
	for query, want := range map[string]string{
		"format=html":             "POST /v1/report: called in one week only, last on 1 Jan 2026, not in v2 since",
		"client=acme&format=html": "You call the rest in a later version, and may call v1 again:\n\n  POST /v1/report: last request on 1 Jan 2026. Use POST /v2/report.",
		"client=acme&format=json": `"unknown":"POST /v1/report was called in one week only: by hand, or by a job that runs once a year. The counts are the same: ask"`,
		"client=acme":             `"routes_left":[{"route":"POST /v1/report","last_seen":"2026-01-01T00:00:00Z"}]`,
		"letters=v1":              `may call v1 again:\n\n  POST /v1/report: last request on 1 Jan 2026. Use POST /v2/report.\n\nDo you still need v1? Please answer: if not, it need not wait for you."}`,
		"ready=v1":                `"routes_left":[{"route":"POST /v1/report","last_seen":"2026-01-01T00:00:00Z"}],"why":"quiet"`,
		"level=summary":           `"routes_left":[{"route":"POST /v1/report","last_seen":"2026-01-01T00:00:00Z"}]`,
		"format=openmetrics":      "verso_usage_clients{version=\"v1\",state=\"quiet\"} 1",
	} {
		if text := strings.NewReplacer("<wbr>", "").Replace(get(query)); !strings.Contains(text, want) || strings.Contains(query, "client") && strings.Contains(text, "orders") {
			t.Errorf("%s: %s, want %q", query, text, want)
		}
	}
}

// TestSilentAsBefore: who was silent for as long before has not moved, nor who was silent for half as long while v2 served it.
func TestSilentAsBefore(t *testing.T) {
	var jobs []job // three weeks of v1, three of v2, as releases alternate
	day, route := catalogue.MustDate("2025-06-02"), orders1
	for day.Before(catalogue.MustDate("2025-12-08")) {
		until := day.AddDate(0, 0, 21)
		jobs = append(jobs, job{route, day.Format(time.DateOnly), until.Format(time.DateOnly), 1, 0})
		day = until
		if route == orders1 {
			route = orders2
		} else {
			route = orders1
		}
	}
	jobs = append(jobs, job{orders2, "2025-12-08", "2026-09-01", 1, 0})
	for day, want := range map[string]bool{"2025-10-05": false, "2026-01-20": false, "2026-01-21": false, "2026-01-22": true} {
		if _, reasons, _ := asked(t, day, nil, "", jobs...); strings.Contains(reasons, "quiet") == want && want || !want && !strings.Contains(reasons, "acme") {
			t.Error(day, reasons)
		}
	}
}

// TestUnevenBesideLater: v2 serves a web shop on the route of an uneven job. It served it in the pauses of the job too, which
// called again: so it shows nothing until the silence is twice as long.
func TestUnevenBesideLater(t *testing.T) {
	var uneven []job
	for _, day := range []string{"2025-06-12", "2025-06-26", "2025-07-31", "2025-08-14", "2025-10-02", "2025-10-16"} {
		uneven = append(uneven, job{orders1, day, catalogue.MustDate(day).AddDate(0, 0, 1).Format(time.DateOnly), 1, 0})
	}
	for _, test := range []struct {
		name string
		v2   string // from when on
		day  string
		want bool
	}{
		{"v2 all along, the longest pause and a week", "2025-06-02", "2025-12-11", false},
		{"v2 all along, nearly twice", "2025-06-02", "2026-01-28", false},
		{"v2 all along, more than twice", "2025-06-02", "2026-01-29", true},
		{"v2 in a short pause only, the longest pause", "2025-10-09", "2025-12-10", false},
		{"v2 in a short pause only, and longer", "2025-10-09", "2025-12-11", true},
		{"v2 since, the longest pause", "2025-10-23", "2025-12-10", false},
		{"v2 since, and longer", "2025-10-23", "2025-12-11", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, reasons, _ := asked(t, test.day, nil, "", append(uneven, job{orders2, test.v2, "2026-12-01", 1, 0})...)
			if moved := !strings.Contains(reasons, "acme"); moved != test.want {
				t.Errorf("moved %v: %s", moved, reasons)
			}
		})
	}
}

// TestRouteUsesText: a store reads what it wrote, and no damaged text.
func TestRouteUsesText(t *testing.T) {
	uses := usage.RouteUses{{Key: 7, Last: 20000, Weeks: 1}, {Key: 8, Last: 20000, Weeks: 1}, {Key: 9, Last: 20000, Served: 20000, Weeks: 1}, {Key: 10, Last: 20000, Served: 20000, Weeks: 1}, {Key: 1<<48 - 1, Last: 20603, Served: 20601, Weeks: 1<<63 | 1}}
	read, err := usage.ParseRouteUses(uses.String(), nil)
	if err != nil || !slices.Equal(read, uses) {
		t.Error(read, err)
	}
	for _, text := range []string{"1 2 3 -", ".", "1.", "1 2 3 4 5 6."} {
		if _, err := usage.ParseRouteUses(text, nil); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestRouteWeeksAreKept: a table that replaces another one knows in which weeks a client called a route.
func TestRouteWeeksAreKept(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2025-07-01"))
	config := verso.Config{AllowedVersions: []string{"v1"}, Clock: clock.Now}
	first, second := usage.NewTable(&config), usage.NewTable(&config)
	for range 3 {
		first.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V("v1"), Client: "acme", Method: "GET", Route: "/x", Outcome: verso.OutcomeServed})
		clock.Set(clock.Now().AddDate(0, 0, 91))
	}
	second.Add(first.Take())
	for _, n := range second.Take() {
		if n.Kind == usage.KindRequests {
			want := usage.Weeks{Last: n.Weeks.Last, Bits: 1 | 1<<13 | 1<<26}
			if n.Weeks != want || n.Weeks.Last != usage.WeekOf(n.Last) {
				t.Error(n)
			}
		}
	}
}

// TestRarelyCalledRoutes: a person at a screen calls many routes once in months. When several of them have moved, and a
// third of all, the rest is no reason after half a year: but for what was called since, and what a job may have called.
// A route called within one quarter only may be a yearly job, until it is forgotten.
func TestRarelyCalledRoutes(t *testing.T) {
	shop := []job{{orders1, "2025-06-02", "2026-02-10", 1, 0}, {orders2, "2026-02-10", "2026-12-01", 1, 0}}
	twice := func(route, last string) []job { // the first time 115 days before
		day := catalogue.MustDate(last)
		return []job{{route, day.AddDate(0, 0, -115).Format(time.DateOnly), day.AddDate(0, 0, 1).Format(time.DateOnly), 115, 0}}
	}
	screen := func(moved int) (jobs []job) {
		for i, last := range []string{"2025-09-25", "2025-10-02", "2025-10-30", "2025-11-20", "2025-12-12", "2026-01-15"} {
			route := string(rune('a' + i))
			jobs = append(jobs, twice("v1 GET /{version}/"+route, last)...)
			if i < moved {
				jobs = append(jobs, job{"v2 GET /{version}/" + route, "2026-03-01", "2026-03-02", 1, 0})
			}
		}
		return jobs
	}
	more := slices.Concat(twice("v1 GET /{version}/g", "2025-12-18"), twice("v1 GET /{version}/h", "2026-01-03"), twice("v1 GET /{version}/i", "2026-01-08"))
	for _, test := range []struct {
		name  string
		day   string
		moved int
		jobs  []job
		want  string // the first reason, "": ready
	}{
		{"half have moved", "2026-07-26", 3, nil, ""},
		{"half have, not yet silent for half a year", "2026-07-20", 3, nil, "GET /{version}/f: not in v2 since 15 Jan 2026"},
		{"a third has", "2026-07-26", 3, more, ""},
		{"less than a third has", "2026-07-26", 3, slices.Concat(more, twice("v1 GET /{version}/j", "2026-01-09")), "GET /{version}/d: not in v2 since 20 Nov 2025"},
		{"less than several have", "2026-07-26", 2, nil, "GET /{version}/c: not in v2 since 30 Oct 2025"},
		{"none has yet", "2026-02-27", 3, nil, "called it in the last 30 days"},
		{"called when the rest had moved", "2026-08-25", 6, twice(report1, "2026-02-11"), "POST /{version}/report: not in v2 since 11 Feb 2026"},
		{"called on the last day before", "2026-08-25", 6, twice(report1, "2026-02-09"), ""},
		{"once, which may be yearly", "2026-08-25", 6, []job{{report1, "2025-12-15", "2025-12-16", 1, 0}}, "POST /{version}/report: not in v2 since 15 Dec 2025"},
		{"once, a late yearly job", "2026-08-25", 6, []job{{report1, "2025-07-21", "2025-07-22", 1, 0}}, "POST /{version}/report: not in v2 since 21 Jul 2025"},
		{"once, forgotten", "2026-08-26", 6, []job{{report1, "2025-07-21", "2025-07-22", 1, 0}}, ""},
		{"a season", "2026-08-25", 6, []job{{report1, "2025-12-15", "2026-01-05", 1, 0}}, "POST /{version}/report: not in v2 since 4 Jan 2026"},
		{"a season with a pause", "2026-08-25", 6, []job{{report1, "2025-12-15", "2026-01-20", 17, 0}}, "POST /{version}/report: not in v2 since 18 Jan 2026"},
		{"quarterly", "2026-03-22", 6, []job{{report1, "2025-07-01", "2026-12-01", 0, 3}}, "POST /{version}/report: not in v2 since 1 Jan 2026"},
		{"half-yearly, twice", "2026-08-01", 6, []job{{report1, "2025-07-14", "2026-01-20", 0, 6}}, "POST /{version}/report: not in v2 since 14 Jan 2026"},
		{"twice by hand", "2026-07-26", 6, []job{{report1, "2025-08-01", "2025-12-30", 0, 4}}, ""},
		{"twice by hand, not yet silent for half a year", "2026-06-05", 6, []job{{report1, "2025-08-01", "2025-12-30", 0, 4}}, "POST /{version}/report: not in v2 since 1 Dec 2025"},
	} {
		t.Run(test.name, func(t *testing.T) {
			jobs := slices.Concat(screen(test.moved), test.jobs, shop)
			if ready, reasons, _ := asked(t, test.day, nil, "", jobs...); ready != (test.want == "") || !strings.Contains(reasons, test.want) {
				t.Errorf("ready %v: %s, want %q", ready, reasons, test.want)
			}
		})
	}
}

// TestManyRoutesOfOneClient: an answer takes a second, not minutes, as it would if each route was compared with each.
func TestManyRoutesOfOneClient(t *testing.T) {
	const routes = 40_000
	clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	for i, version := range []string{"v1", "v2"} {
		clock.Set(catalogue.MustDate("2025-06-02").AddDate(0, 0, 30*i))
		for j := range routes {
			table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: "acme",
				Method: "GET", Route: fmt.Sprint("/{version}/", j, version), Outcome: verso.OutcomeServed})
		}
	}
	clock.Set(catalogue.MustDate("2026-02-02"))
	for query, want := range map[string]string{"ready=v1": `"why":"quiet"`, "client=acme": `"route":"/{version}/39999v1"`, "letters=v1": "/{version}/39999v1"} {
		w := httptest.NewRecorder()
		table.Handler(nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %.300s", query, w.Body)
		}
	}
}
