package usage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
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

// did counts requests of a client.
func did(table *usage.Table, now time.Time, version, client string, requests days) {
	for ago, n := range requests {
		for range n {
			table.Observe(context.Background(), call(version, client, "/users", now.AddDate(0, 0, -ago)))
		}
	}
}

// movers are the clients of a version in JSON, by what they did.
func movers(tb testing.TB, table *usage.Table, version string) map[string]string {
	tb.Helper()
	var got struct {
		Versions []struct {
			Version string
			Moving  *struct {
				Clients []struct {
					Client   string
					Group    string
					Requests uint64
					Before   *uint64 `json:"requests_before"`
					Later    uint64  `json:"requests_for_later_versions"`
					Brownout *uint64 `json:"rejected_on_days_of_brownout"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(get(table, "json")), &got); err != nil {
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
			found[c.Client] = text
		}
	}
	return found
}

func TestMoving(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "only", days{1: 3, 7: 4, 8: 5, 14: 1, 15: 9})
	for _, ago := range []int{3, 3, 4} {
		table.Observe(t.Context(), rejected(call("v1", "only", "/users", noon.AddDate(0, 0, -ago))))
	}
	did(table, noon, "v1", "both", days{7: 2})
	did(table, noon, "v2", "both", days{7: 1, 8: 9})
	did(table, noon, "v1", "moved", days{24: 2})
	did(table, noon, "v3", "moved", days{2: 6, 12: 1})
	did(table, noon, "v1", "tried v3", days{8: 2})
	did(table, noon, "v3", "tried v3", days{2: 6})
	did(table, noon, "v1", "back", days{2: 1})
	did(table, noon, "v2", "back", days{8: 1})
	did(table, noon, "v1", "called today", days{0: 1, 9: 1})
	did(table, noon, "v2", "called today", days{0: 1})
	did(table, noon, "v1", "silent", days{20: 1})
	did(table, noon, "v1", "tried in vain", days{1: 1})
	table.Observe(t.Context(), rejected(call("v2", "tried in vain", "/users", noon)))
	did(table, noon, "v2", "never called it", days{1: 1})
	want := map[string]string{
		"only": "only 10 after 6, rejected 2", "both": "both 2 after 0, later 1", "moved": "moved 0 after 0, later 6", "tried v3": "quiet 0 after 2, later 6", "back": "only 1 after 0",
		"called today": "both 0 after 1, later 1", "silent": "quiet 0 after 0", "tried in vain": "only 1 after 0",
	}
	if got := movers(t, table, "v1"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%v, want\n%v", got, want)
	}
	if got := movers(t, table, "v2"); len(got) != 0 {
		t.Errorf("v2, which does not end: %v", got)
	}
	contains(t, textOf(table),
		"v1 ends in 9 days. 7 of 8 clients have not moved.",
		"From Monday, 30 November 2026, 12:00 UTC on, every request for v1 gets 410 Gone. Next brownout: Monday, 23 November, all day.",
		"1 moved 2 both 2 quiet 3 only v1", "Write to these: 3 clients that only call v1", "Rejected on 18 Nov", "only 10 up 67% 2",
		"Moving: 2 clients that call both", "both 2 33%", "Quiet: 2 clients that may call v1 again", "silent 1 Nov 2026 not known nothing", "1 client has moved")
}

// TestAnswer reads the first lines of the page.
func TestAnswer(t *testing.T) {
	for _, test := range []struct {
		name  string
		now   time.Time
		after catalogue.Action
		did   func(table *usage.Table, now time.Time)
		want  string
	}{
		{"nobody", noon, catalogue.Gone, func(*usage.Table, time.Time) {}, "v1 ends in 9 days. No client calls it. From Monday"},
		{"one", noon, catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{1: 1})
		}, "v1 ends in 9 days. 1 of 1 client has not moved."},
		{"all moved", noon, catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{24: 1})
			did(table, now, "v2", "acme", days{1: 1, 12: 1})
		}, "v1 ends in 9 days. All clients have moved."},
		{"both", noon, catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{1: 1})
			did(table, now, "v2", "acme", days{1: 1})
		}, "v1 ends in 9 days. 1 of 1 client has not moved."},
		{"without names", noon, catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "", days{1: 50})
		}, "v1 ends in 9 days. Its clients are not known: set Client."},
		{"some without names", noon, catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "", days{1: 50})
			did(table, now, "v1", "acme", days{1: 1})
		}, "1 of 1 client has not moved. Clients without a name call it, too."},
		{"after the end", noon.AddDate(0, 0, 24), catalogue.Gone, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{1: 1})
			did(table, now, "v1", "zoo", days{1: 1})
			did(table, now, "v2", "zoo", days{1: 1})
		}, "v1 ended 15 days ago. 2 clients still get 410. Since Monday, 30 November 2026, every request for v1 gets 410 Gone. May its code be removed? Not yet"},
		{"forwarded", noon.AddDate(0, 0, 24), catalogue.FallForward, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{1: 1})
		}, "v1 ended 15 days ago. 1 client still calls it. Since Monday, 30 November 2026, the next version answers requests for v1."},
		{"served", noon.AddDate(0, 0, 24), catalogue.Serve, func(table *usage.Table, now time.Time) {
			did(table, now, "v1", "acme", days{1: 1})
		}, "v1 had its sunset 15 days ago. 1 of 1 client has not moved. Since Monday, 30 November 2026, v1 is no longer listed, and still served."},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(lives(test.after), test.now)
			test.did(table, test.now)
			contains(t, textOf(table), test.want)
		})
	}
}

// TestWithoutSuccessor: a version without a successor has clients that call it.
func TestWithoutSuccessor(t *testing.T) {
	table := newTable(catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: noon.AddDate(0, -1, 0)}, {Version: "v2"}}}), noon)
	did(table, noon, "v1", "acme", days{1: 1})
	did(table, noon, "v1", "zoo", days{9: 1})
	did(table, noon, "v2", "zoo", days{1: 1})
	if got, want := fmt.Sprint(movers(t, table, "v1")), "map[acme:only 1 after 0 zoo:quiet 0 after 1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	contains(t, textOf(table), "v1 is deprecated. 1 client still calls it. 1 quiet one may call it again. No sunset is planned.", "Write to these: 1 client that calls v1")
}

// TestWindow: counting began a few days ago, so nothing is compared with days that
// were not counted.
func TestWindow(t *testing.T) {
	for _, test := range []struct {
		ago  int // days
		want string
		page string
	}{
		{0, "only 2", "Client v1, since 21 Nov"},
		{3, "only 7", "Client v1, since 18 Nov"},
		{7, "only 7", "Client v1, since 14 Nov"},
		{8, "only 5", "Client v1, 7 full days"},
		{14, "only 5", "Client v1, 7 full days"},
		{15, "only 5 after 4", "up 25%"},
	} {
		clock := versotest.NewClock(noon.AddDate(0, 0, -test.ago))
		table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
		clock.Set(noon)
		did(table, noon, "v1", "acme", days{0: 2, 1: 5})
		if test.ago == 15 {
			did(table, noon, "v1", "acme", days{9: 4})
		}
		if got := movers(t, table, "v1")["acme"]; got != test.want {
			t.Errorf("%d days: %s, want %s", test.ago, got, test.want)
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
		{"a call 29 days ago", []usage.Count{whole, called("acme", 29*day)}, nil, "1 client has called it in the last 30 days: acme"},
		{"an unknown client", []usage.Count{whole, called("", day)}, nil, "requests without a name called it in the last 30 days"},
		{"an unknown client, an hour less than 30 days ago", []usage.Count{whole, called("", 30*day-time.Hour)}, nil, "requests without a name called it in the last 30 days"},
		{"five clients", []usage.Count{whole, called("a", day), called("b", day), called("c", day), called("d", day), called("e", day)}, nil, "5 clients have called it in the last 30 days: a, b, c and 2 more"},
		{
			"an hour that nobody counted", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: gap.Add(-time.Second).Unix()}, {Kind: usage.KindCounting, First: gap.Add(time.Hour).Unix(), Last: noon.Unix()}}, nil,
			"no process counted from 12 Nov 2026, 12:00 UTC until 12 Nov 2026, 13:00 UTC",
		},
		{"an hour in which somebody counted", []usage.Count{{Kind: usage.KindCounting, First: whole.First, Last: gap.Add(-time.Second).Unix()}, hour(gap.Add(59 * time.Minute)), {Kind: usage.KindCounting, First: gap.Add(time.Hour).Unix(), Last: noon.Unix()}}, nil, ""},
		{"a process was heard of", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: 15 * time.Minute}}, ""},
		{"a process ended", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: time.Hour, Ended: true}}, ""},
		{"a process may have been killed", []usage.Count{whole}, []usage.Process{{Name: "host/7", Silent: 16 * time.Minute}}, "process host/7 last reported on 21 Nov 2026, 11:44 UTC: it may have been killed with uncounted requests"},
		{"by its own clock", []usage.Count{whole}, []usage.Process{{Name: "host/7", LastSeen: noon.Add(-16 * time.Minute)}}, "process host/7 last reported on 21 Nov 2026, 11:44 UTC: it may have been killed with uncounted requests"},
		{"its clock is wrong", []usage.Count{whole}, []usage.Process{{Name: "host/7", LastSeen: noon.Add(-16 * time.Minute), Skew: -960}}, ""},
		{"it is forgiven", []usage.Count{whole}, []usage.Process{{Name: "a", Silent: day + time.Second}}, ""},
		{"a clock that is behind", []usage.Count{whole}, []usage.Process{{Name: "a", LastSeen: noon.Add(-36 * time.Hour), Skew: -36 * 60 * 60}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := &usage.Page{Catalogue: lives(catalogue.Gone), Clock: versotest.NewClock(noon).Now, Read: func(context.Context) (usage.Snapshot, error) {
				return usage.Snapshot{Counts: test.counts, Processes: test.processes}, nil
			}}
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
	broken := &usage.Page{Catalogue: lives(catalogue.Gone), Clock: time.Now, Read: func(context.Context) (usage.Snapshot, error) {
		return usage.Snapshot{}, errors.New("the tables are of a newer release")
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
			{Method: "GET", Pattern: "/users", Path: "/{version}/users"},
			{Method: "GET", Pattern: "/old", Path: "/{version}/old", Versions: []string{"v1"}},
			{Method: "GET", Pattern: "/ns", Path: "/v1/ns", Name: "v1:ns", Versions: []string{"v1"}},
			{Method: "POST", Pattern: "/v2/new", Path: "/v2/new", Name: "v2:ns", Versions: []string{"v2"}},
			{Method: "GET", Pattern: "/v2/spaces", Path: "/v2/spaces", Name: "v2:ns", Versions: []string{"v2"}},
		}}
	}
	target := "/?client=%3Da%26b+%3Cc%3E%22&format="
	want := `{"time":"2026-11-21T12:00:00Z","since":"2026-08-13T12:00:00Z","client":"=a\u0026b \u003cc\u003e\"","versions":[{"version":"v1","state":"deprecated","deprecated":"2026-09-21T12:00:00Z","sunset":"2026-11-30T12:00:00Z","days_to_sunset":9,"successor":"v2","group":"both","last_seen":"2026-11-21T12:00:00Z","routes":[` +
		`{"method":"GET","route":"/users","path":"/v1/users","requests_30_days":2,"last_seen":"2026-11-20T12:00:00Z","to":"/v2/users"},` +
		`{"method":"GET","route":"/ns","path":"/v1/ns","requests_30_days":1,"last_seen":"2026-11-21T12:00:00Z","to":"/v2/spaces"},` +
		`{"method":"GET","route":"/old","path":"/v1/old","requests_30_days":1,"last_seen":"2026-11-16T12:00:00Z"}]}]}` + "\n"
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
	contains(t, strings.ReplaceAll(page, "<wbr>", ""), "<bdi>=a&amp;b &lt;c&gt;", "<bdi>still calls v1</bdi>", `<pre tabindex="0">v1 ends on 30 Nov 2026, 12:00 UTC. From then on, requests for it get 410 Gone. Before that, requests for it are rejected for a test: Monday, 23 November, all day. Please move to v2.

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
		`"routes":[{"method":"GET","route":"/users","path":"/v1/users","requests_30_days":1,"last_seen":"2026-11-01T12:00:00Z","to":"/v2/users"}]}]}`
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
			Links: []catalogue.Link{{Rel: "sunset", Href: "https://example.com/policy"}, {Rel: "deprecation", Href: "https://example.com/move"}},
		},
		{Version: "v2"},
	}})
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
}
