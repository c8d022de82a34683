package usage_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/usage"
)

func TestHandlerFormats(t *testing.T) {
	table := newTable(versions(t), noon)
	for _, test := range []struct {
		method, target, accept string
		status                 int
		contentType            string
	}{
		{"GET", "/", "", 200, "application/json"},
		{"GET", "/", "*/*", 200, "application/json"},
		{"GET", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, "text/html; charset=utf-8"},
		{"GET", "/", "application/json, text/html;q=0.5", 200, "application/json"},
		{"GET", "/", "image/png", 200, "application/json"},
		{"GET", "/?format=json", "text/html", 200, "application/json"},
		{"GET", "/?format=html", "", 200, "text/html; charset=utf-8"},
		{"GET", "/?format=csv", "text/html", 200, "text/csv; charset=utf-8"},
		{"GET", "/", "text/csv", 200, "text/csv; charset=utf-8"},
		{"GET", "/?format=xml", "text/html", 400, "text/plain; charset=utf-8"},
		{"GET", "/?format=HTML", "text/html", 400, "text/plain; charset=utf-8"},
		{"HEAD", "/", "text/html", 200, "text/html; charset=utf-8"},
		{"POST", "/", "text/html", 405, "text/plain; charset=utf-8"},
	} {
		r := httptest.NewRequest(test.method, test.target, nil)
		if test.accept != "" {
			r.Header.Set("Accept", test.accept)
		}
		response := httptest.NewRecorder()
		table.Handler(nil).ServeHTTP(response, r)
		header := response.Header()
		if response.Code != test.status || header.Get("Content-Type") != test.contentType || header.Get("Vary") != "Accept" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s, Accept: %s: %d %v", test.method, test.target, test.accept, response.Code, header)
		}
		if html := strings.HasPrefix(test.contentType, "text/html"); html != strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'sha256-") {
			t.Errorf("%s %s: %s", test.method, test.target, header.Get("Content-Security-Policy"))
		}
	}
}

// A gate fails closed: what it cannot read is an error, and never the page with status 200.
func TestHandlerRefusesWhatItDoesNotKnow(t *testing.T) {
	table := newTable(versions(t), noon)
	for target, want := range map[string]string{
		"/?raedy=v1":                   `unknown parameter "raedy": use client, clients, except, format, letters, level, page, q, quiet, ready, since, state, unknown`,
		"/?Ready=v1":                   `unknown parameter "Ready"`,
		"/?version=v1":                 `unknown parameter "version"`,
		"/?ready=v1&Unknown=50":        `unknown parameter "Unknown"`,
		"/?ready=v1;x":                 "semicolon",
		"/?ready=%zz":                  "invalid URL escape",
		"/?ready=v1&except=%zz":        "invalid URL escape",
		"/?format=json&extept=a,b,c":   `unknown parameter "extept"`,
		"/?known=50&ready=v1":          `unknown parameter "known"`,
		"/?=v1":                        `unknown parameter ""`,
		"/?ready=v2&ready=v1":          `parameter "ready" is given 2 times: give it once`,
		"/?ready=v1&quiet=90&quiet=90": `parameter "quiet" is given 2 times`,
		"/?format=html&format=csv":     `parameter "format" is given 2 times`,
		"/?api_key=x":                  `unknown parameter "api_key"`,
		"/?unknown=50":                 "except, unknown and quiet are for the gate: add ready=, with the version",
		"/?format=html&except=billing": "are for the gate",
		"/?quiet=90":                   "are for the gate",
	} {
		response := ask(table.Handler(nil), "GET", target)
		if response.Code != http.StatusBadRequest || !strings.Contains(response.Body.String(), want) {
			t.Errorf("%s: %d %s", target, response.Code, response.Body)
		}
	}
}

// What the service itself reads passes: the parameter of its version, from whatever place in a
// combination, and what the page is told of.
func TestHandlerIgnoresWhatTheServiceReads(t *testing.T) {
	table := newTable(versions(t), noon)
	query := func(from source.Source) func() *verso.Explanation {
		return func() *verso.Explanation { return &verso.Explanation{Source: from} }
	}
	for _, test := range []struct {
		explain    func() *verso.Explanation
		parameters []string
		target     string
		status     int
	}{
		{query(verso.QueryParam("api-version")), nil, "/?api-version=v1&ready=v2", 200},
		{query(verso.QueryParam("api-version")), nil, "/?Api-Version=v1&ready=v2", 400},
		{query(verso.First(verso.Header("Api-Version"), verso.QueryParam("v"))), nil, "/?v=v1&v=v2&ready=v2", 200},
		{query(verso.First(verso.Header("Api-Version"), verso.QueryParam("v"))), nil, "/?w=v1&ready=v2", 400},
		{query(verso.Header("Api-Version")), nil, "/?Api-Version=v1&ready=v2", 400},
		{query(nil), []string{"api_key"}, "/?api_key=x&api_key=y&except=a&except=b&ready=v2", 200},
		{nil, []string{"api_key"}, "/?api_key=x&api-key=y", 400},
		{nil, []string{"api_key"}, "/?api_key=x&ready=", 404},
	} {
		page := table.Handler(test.explain)
		page.Parameters = test.parameters
		if response := ask(page, "GET", test.target); response.Code != test.status {
			t.Errorf("%s: %d %s", test.target, response.Code, response.Body)
		}
	}
}

// get returns the response of the handler in a format.
func get(table *usage.Table, format string) string {
	return ask(table.Handler(nil), "GET", "/?format="+format).Body.String()
}

// htmlOf returns the page.
func htmlOf(table *usage.Table) string { return get(table, "html") }

var (
	inline = regexp.MustCompile(`</?(wbr|bdi|b|a|time)\b[^>]*>`)
	tags   = regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`)
)

// textOf returns the text of the page, with a space for each tag.
func textOf(table *usage.Table) string {
	text := tags.ReplaceAllString(inline.ReplaceAllString(htmlOf(table), ""), " ")
	return html.UnescapeString(strings.Join(strings.Fields(text), " "))
}

// contains checks that a string contains others, one after the other.
func contains(t *testing.T, in string, texts ...string) {
	t.Helper()
	rest := in
	for _, text := range texts {
		at := strings.Index(rest, text)
		if at < 0 {
			t.Fatalf("no %q in\n%s", text, rest)
		}
		rest = rest[at+len(text):]
	}
}

// TestNumbers compares the page, the CSV and the JSON with a table worked out by
// hand. Requests by days ago:
//
//	                       0   1   6   7   8  14  29 |  30   31   7 full days   8-14   30 days
//	v1 acme GET  /users    3  10  10      40       5 | 100                20     40        68
//	v1 acme POST /users   2*          20             |                    20      -        22    * rejected
//	v1 zoo  GET  /rooms                        8     |                     -      8         8
//	v1 old  GET  /rooms                              |        50           -      -         -
//	v1                                               |                    40     48        98
//	v3 new  GET  /users   58                         |                     -      -        58
//	v3 zoo  GET  /users           42                 |                    42      -        42
//	v3 not known           2                         |                     -      -         2
//	v3                                               |                    42      -       102
//
// v1 has 40 of 48 requests, 17% less, and 98 of 200 in 30 days, 49%.
func TestNumbers(t *testing.T) {
	table := newTable(versions(t), noon)
	observe := func(o verso.Observation, method string, days map[int]int) {
		o.Method = method
		for ago, requests := range days {
			o.Time = noon.AddDate(0, 0, -ago)
			for range requests {
				table.Observe(t.Context(), o)
			}
		}
	}
	observe(call("v1", "acme", "/users", noon), "GET", map[int]int{0: 3, 1: 10, 6: 10, 8: 40, 29: 5, 30: 100})
	observe(call("v1", "acme", "/users", noon), "POST", map[int]int{7: 20})
	observe(rejected(call("v1", "acme", "/users", noon)), "POST", map[int]int{0: 2})
	observe(call("v1", "zoo", "/rooms", noon), "GET", map[int]int{14: 8})
	observe(call("v1", "old", "/rooms", noon), "GET", map[int]int{31: 50})
	observe(call("v3", "new", "/users", noon), "GET", map[int]int{0: 58})
	observe(call("v3", "zoo", "/users", noon), "GET", map[int]int{6: 42})
	observe(call("v3", "", "/users", noon), "GET", map[int]int{0: 2})

	contains(t, textOf(table),
		"21 Nov 2026, 12:00 UTC, counted since 13 Aug 2026, 12:00 UTC by 1 process",
		"v1 has its sunset in 2 days. 3 of 3 clients have not moved.",
		"From Monday, 23 November 2026, 00:00 UTC on, v1 is no longer listed, and still served. May it end? Not yet",
		"0 moved 0 both 2 quiet 1 only v1",
		"May it end? Not yet 2 clients have called it in the last 30 days: acme, zoo",
		"Write to these: 1 client that only calls v1 14 Nov–20 Nov Client v1, 7 full days vs. week before Last request Most used route acme 40 unchanged 21 Nov 2026 GET /users",
		"Quiet: 2 clients that may call v1 again", "zoo 7 Nov 2026 not known 1 week with a later version, last on 15 Nov 2026 GET /rooms", "old 21 Oct 2026 not known nothing GET /rooms",
		"3 routes are still called", "GET /users 68 1 POST /users 22 1 GET /rooms 8 1",
		"v1 requests, 7 full days 40 down 17% vs. the week before", "from clients that only call v1 100% 40 requests", "Rejected, last 30 days 2 of 98",
		"v2 is deprecated. No client calls it. No sunset is planned. May it end? Yes.",
		"v0 ended 61 days ago. No client calls it.",
		"Requests by version last 30 days, 23 Oct–21 Nov",
		"v1 deprecated in 2 days, 23 Nov 2026 49% 98 2 2",
		"v2 deprecated 0% 0 0 0",
		"v0 ended 61 days ago, 21 Sep 2026 0% 0 0 0",
		"v3 supported 51% 102 0 2",
		"Requests by day last 90 days, 24 Aug–21 Nov",
		"v1 deprecated 248 requests, 2 of them rejected deprecated 21 Oct 2026 sunset 23 Nov 2026 100 50 0",
		"v3 supported 102 requests 100 50 0",
		"1 process reported in the last day",
	)
	contains(t, htmlOf(table), `M356 96.0v-2.9h3v2.9z`, `M356 93.1v-1.9h3v1.9z`) // 3 and 2 of 100
	if got, want := get(table, "csv"), `version,client,method,route,outcome,requests_30_days,requests,first_request,last_request,state,every,next_expected,contact,contact_link
v1,acme,GET,/users,served,68,168,2026-10-22T12:00:00Z,2026-11-21T12:00:00Z,only,every 3 weeks,2026-12-12T12:00:00Z,,
v1,acme,POST,/users,served,20,20,2026-11-14T12:00:00Z,2026-11-14T12:00:00Z,only,every 3 weeks,2026-12-12T12:00:00Z,,
v1,acme,POST,/users,rejected,2,2,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,only,every 3 weeks,2026-12-12T12:00:00Z,,
v1,zoo,GET,/rooms,served,8,8,2026-11-07T12:00:00Z,2026-11-07T12:00:00Z,quiet,,,,
v1,old,GET,/rooms,served,0,50,2026-10-21T12:00:00Z,2026-10-21T12:00:00Z,quiet,,,,
v3,new,GET,/users,served,58,58,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,,,,,
v3,zoo,GET,/users,served,42,42,2026-11-15T12:00:00Z,2026-11-15T12:00:00Z,,,,,
v3,(without a name),GET,/users,served,2,2,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,,,,,
`; got != want {
		t.Errorf("CSV\n%s, want\n%s", got, want)
	}
	if v1 := read(t, table).Versions[1]; v1.Requests != 248 || v1.Rejected != 2 || v1.Recent != 98 || v1.RecentRejected != 2 || v1.Clients[0].Recent != 90 {
		t.Errorf("JSON has %+v", v1)
	}
}

// TestFormulas checks that a spreadsheet does not read a name as a formula.
func TestFormulas(t *testing.T) {
	for name, shown := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "\"'\r=1\"", "a=b": "a=b", `CORP\svc`: `CORP\svc`, "u\u200d": "u\u200d", `a,"b"`: `"a,""b"""`,
	} {
		table := newTable(versions(t), noon)
		table.Observe(t.Context(), call("v1", name, name, noon))
		contains(t, get(table, "csv"), "v1,"+shown+",GET,"+shown+",served,1,1,")
	}
}

// TestPageLoadsNothing checks that the page has no script and no style attribute.
func TestPageLoadsNothing(t *testing.T) {
	table := newTable(versions(t), noon)
	table.Observe(t.Context(), call("v1", "acme", "/users", noon))
	for _, text := range []string{"<script", " style=", "http://", "https://"} {
		if page := htmlOf(table); strings.Contains(page, text) {
			t.Errorf("%q in\n%s", text, page)
		}
	}
}

// TestSunset checks the days until the sunset of v1, in calendar days, at several
// times before and after it.
func TestSunset(t *testing.T) {
	for _, test := range []struct {
		left time.Duration // until the sunset, which is noon
		days int
		want string
	}{
		{72 * time.Hour, 3, "in 3 days"},
		{48*time.Hour - time.Second, 2, "in 2 days"},
		{24 * time.Hour, 1, "tomorrow"},
		{12*time.Hour + time.Second, 1, "tomorrow"},
		{12 * time.Hour, 0, "today"},
		{0, 0, "today"},
		{-12*time.Hour + time.Second, 0, "today"},
		{-12 * time.Hour, -1, "yesterday"},
		{-36*time.Hour + time.Second, -1, "yesterday"},
		{-36 * time.Hour, -2, "2 days ago"},
		{-20*24*time.Hour - 11*time.Hour, -20, "20 days ago"},
	} {
		t.Run(test.left.String(), func(t *testing.T) {
			dated := catalogue.MustNew(catalogue.Config{
				Versions:    []catalogue.Entry{{Version: "v1", Sunset: noon}, {Version: "v2"}},
				AfterSunset: catalogue.Gone,
			})
			table := newTable(dated, noon.Add(-test.left))
			if days := read(t, table).Versions[0].DaysToSunset; *days != test.days {
				t.Errorf("%d days, want %d", *days, test.days)
			}
			headline := "v1 ended " + test.want + ". No client calls it."
			if test.left > 0 {
				headline = "v1 ends " + test.want + ". No client calls it."
			}
			contains(t, textOf(table), headline, test.want+", 21 Nov 2026")
		})
	}
}

// TestChart reads the marks and dates of charts.
func TestChart(t *testing.T) {
	day := noon.Truncate(24 * time.Hour)
	dated := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: day.AddDate(0, 0, -10), Sunset: day.AddDate(0, 0, 70), Brownouts: catalogue.EveryWeek(day.AddDate(0, 0, -7), time.Hour, 3)},
		{Version: "v2", Deprecated: day.AddDate(-1, 0, 0), Sunset: day.AddDate(2, 0, 0)},
		{Version: "v3", Deprecated: day, Brownouts: catalogue.EveryWeek(day.AddDate(0, 0, 1), time.Hour, 1)},
	}})
	table := newTable(dated, noon)
	for _, version := range []string{"v1", "v2", "v3"} {
		table.Observe(t.Context(), call(version, "acme", "/users", noon))
	}
	contains(t, textOf(table),
		"deprecated 11 Nov 2026 3 brownouts from 14 Nov 2026 sunset 30 Jan 2027",
		"2 1 0 3 brownouts from 14 Nov deprecated 11 Nov 1 Sep 1 Oct 1 Nov",
		"deprecated 21 Nov 2025 sunset 21 Nov 2028 2 1 0 1 Sep", // outside of the chart
		"deprecated 21 Nov 2026 1 brownout on 22 Nov 2026 2 1 0 deprecated 21 Nov 1 Sep",
	)
	for range 300 {
		table.Observe(t.Context(), call("v2", "acme", "/users", noon))
	}
	page := htmlOf(table)
	contains(t, page, `d="M356 96.0v-1.0h3v1.0z"`) // one of 301 can be seen
	if got := len(regexp.MustCompile(`<rect class="band"[^>]* height="96"/>`).FindAllString(page, -1)); got != 2 {
		t.Errorf("%d brownouts", got)
	}
}

// TestPageOrder: the versions whose clients must move first come first.
func TestPageOrder(t *testing.T) {
	dated := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "supported"},
		{Version: "deprecated", Deprecated: noon},
		{Version: "later", Sunset: noon.AddDate(1, 0, 0)},
		{Version: "sooner", Deprecated: noon, Sunset: noon.AddDate(0, 1, 0)},
		{Version: "newest"},
	}, AfterSunset: catalogue.Gone})
	var order []string
	for _, v := range read(t, newTable(dated, noon)).Versions {
		order = append(order, v.Version)
	}
	if got, want := strings.Join(order, " "), "sooner later deprecated supported newest "; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

// TestPageBounds: the page shows only some of many clients and routes.
func TestPageBounds(t *testing.T) {
	for _, test := range []struct {
		clients, routes int
		want            []string
		not             string // found in it
	}{
		{100, 20, []string{"client 099", "GET /19"}, "Showing"},
		{101, 21, []string{"client 099", "Showing 100 of 101: search all.", "GET /19", "Showing 20 of 21: the CSV has all."}, "client 100"},
		{1200, 50, []string{"(all others, beyond the bound) 0", "Showing 100 of 1,001: search all."}, "client 100"},
	} {
		table := newTable(versions(t), noon)
		for i := range test.clients {
			table.Observe(t.Context(), call("v1", fmt.Sprintf("client %03d", i), fmt.Sprintf("/%02d", i%test.routes), noon))
		}
		text := textOf(table)
		contains(t, text, test.want...)
		if size := len(htmlOf(table)); strings.Contains(text, test.not) || size > 100<<10 {
			t.Errorf("%q, or %d KiB, in\n%s", test.not, size>>10, text)
		}
	}
}

// TestHostileNames checks that the name of a client stays text.
func TestHostileNames(t *testing.T) {
	for name, shown := range map[string]string{
		`<script>alert(1)</script>`:  `&lt;script&gt;alert(1)&lt;/script&gt;`,
		`"><img src=x onerror=y>`:    `&#34;&gt;&lt;img src=x onerror=y&gt;`,
		"a\u202egpj.exe":             `a\u202egpj.exe`,
		"line\nbreak\x00\x1b[31m":    `line\nbreak\x00\x1b[31m`,
		"{{.Time}} ${x} `y`":         "{{.Time}} ${x} `y`",
		"</title></style></svg>":     `&lt;/title&gt;&lt;/style&gt;&lt;/svg&gt;`,
		"Größe 株式会社":                 "Größe 株式会社",
		"javascript:alert(1)":        "javascript:alert(1)",
		strings.Repeat("\u0301", 20): strings.Repeat("\u0301", 20),
	} {
		table := newTable(versions(t), noon)
		table.Observe(t.Context(), call("v1", name, name, noon))
		if page := strings.ReplaceAll(htmlOf(table), "<wbr>", ""); strings.Count(page, "<bdi>"+shown+"</bdi>") != 1 || strings.Count(page, "<bdi>GET "+shown+"</bdi>") != 2 {
			t.Errorf("%q is not shown as %q:\n%s", name, shown, page)
		}
		if got := read(t, table).Versions[1].Clients[0].Client; got != name {
			t.Errorf("JSON has %q, want %q", got, name)
		}
	}
}
