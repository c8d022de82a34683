package usage_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestExceptions: what a person has accepted of a client, or a route, counts in all views until the client
// calls the version again, or it is taken back.
func TestExceptions(t *testing.T) {
	for _, route := range []string{"", "POST /{version}/report"} {
		t.Run("route "+route, func(t *testing.T) {
			clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
			table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			observe := func(version, method, route string) {
				table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: "acme", Method: method, Route: route, Outcome: verso.OutcomeServed})
			}
			for range 200 { // it moves its web shop, and keeps a yearly report
				observe("v1", "GET", "/{version}/orders")
				clock.Advance(24 * time.Hour)
			}
			observe("v1", "POST", "/{version}/report")
			for range 100 {
				clock.Advance(24 * time.Hour)
				observe("v2", "GET", "/{version}/orders")
			}
			check := func(when string, want bool) {
				t.Helper()
				for query, excepted := range map[string]string{
					"ready=v1":                  `"excepted":[{"client":"acme","requests_30_days":0,"last_seen":"2025-12-19T00:00:00Z","why":"exception","exceptions":[{"version":"v1","client":"acme",`,
					"format=openmetrics":        `{version="v1",state="moved"} 1`,
					"letters=v1&state=moved":    `"client":"acme"`,
					"clients=v1&format=json":    `"kind":"moved","by":"Ann","note":"shut down","time":"2026-03-29T00:00:00Z"}]`,
					"client=acme&format=html":   "has moved, according to Ann on 29 Mar 2026: shut down</p>",
					"client=acme&format=json":   `"exceptions":[{"version":"v1",`,
					"format=html":               "All clients have moved.",
					"level=summary&format=json": `"group":"moved"`,
				} {
					if got := ask(table.Handler(nil), "GET", "/?"+query).Body.String(); strings.Contains(got, excepted) != want {
						t.Errorf("%s, %s: %.900s", when, query, got)
					}
				}
				if got := ask(table.Handler(nil), "GET", "/?letters=v1").Body.String(); (got == "") != want {
					t.Errorf("%s: %s", when, got)
				}
			}
			e := usage.Exception{Version: "v1", Client: "acme", Route: route, By: "Ann", Note: "shut down"}
			check("before", false)
			if err := table.Except(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			check("recorded", true)
			next := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			next.Add(table.Take())
			table = next
			check("in the next table", true)
			if err := table.TakeBack(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			check("taken back", false)
			if err := table.TakeBack(t.Context(), e); !errors.Is(err, usage.ErrNoException) {
				t.Error(err)
			}
			if err := table.Except(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			check("recorded again", true)
			clock.Advance(time.Hour)
			observe("v1", "POST", "/{version}/report")
			check("called since", false)
			clock.Advance(60 * 24 * time.Hour)
			observe("v2", "GET", "/{version}/orders")
			check("called once, months ago", false)
		})
	}
}

// TestExceptionOfOneRoute: the other routes of the client still count. A client whose only route is excepted has moved, even if no later
// version has served it.
func TestExceptionOfOneRoute(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	observe := func(client, version, route string) {
		table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: client, Method: "GET", Route: route, Outcome: verso.OutcomeServed})
	}
	for range 60 {
		observe("acme", "v1", "/orders")
		clock.Advance(24 * time.Hour)
	}
	observe("acme", "v1", "/report")
	observe("acme", "v1", "/tax")
	observe("paused", "v1", "/report") // and never in v2
	for range 60 {
		clock.Advance(24 * time.Hour)
		observe("acme", "v2", "/orders")
	}
	for _, client := range []string{"acme", "paused"} {
		if err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: client, Route: "GET /report", By: "Ann"}); err != nil {
			t.Fatal(err)
		}
	}
	want := "1 quiet client has not moved, and may call it again: acme (GET /tax: not in v2 since 1 Aug 2025)"
	if got := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(); !strings.Contains(got, want) || strings.Contains(got, `"route":"GET /report","last_seen"`) {
		t.Error(got)
	}
	contains(t, textOf(table), "GET /report has moved, according to Ann on 30 Sep 2025; GET /tax: called in one week only")
}

// TestExceptionsChecked: what cannot be excepted.
func TestExceptionsChecked(t *testing.T) {
	table := newTable(versions(t), noon)
	for want, e := range map[string]usage.Exception{
		`Version is "v9"`: {Version: "v9", Client: "acme", By: "Ann"},
		`Client is ""`:    {Version: "v1", By: "Ann"},
		`By is ""`:        {Version: "v1", Client: "acme"},
	} {
		for _, err := range []error{table.Except(t.Context(), e), table.TakeBack(t.Context(), e)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", Kind: usage.MayBreak, By: "Ann"})
	if err == nil || !strings.Contains(err.Error(), `Until is missing: write when "may_break" is asked again, in 400 days`) {
		t.Error(err)
	}
	table.Add([]usage.Count{{Kind: usage.KindException, Version: "v1"}, {Kind: usage.KindException, Version: "v1", Exception: &usage.Exception{Version: "v1", Client: "acme"}},
		{Kind: usage.KindException, Version: "v1", Exception: &usage.Exception{Version: "v1", Client: "acme", By: "Ann", Time: noon.AddDate(1, 0, 0)}}})
	for _, n := range table.Take() {
		if n.Kind == usage.KindException && (n.Exception.By != "Ann" || !n.Exception.Time.Equal(noon)) {
			t.Error(n.Exception)
		}
	}
}

// TestMayBreak: what somebody accepts stays while only that is called, until its date; that a route has moved ends at its own next call.
func TestMayBreak(t *testing.T) {
	const ready, monitor, other, head = 200, "OPTIONS /health", "GET /orders", "HEAD /orders"
	until := noon.AddDate(0, 0, 60)
	moved := func(route string) usage.Exception { return usage.Exception{Route: route} }
	accepted := func(route string) usage.Exception {
		return usage.Exception{Route: route, Kind: usage.MayBreak, Until: until}
	}
	for _, test := range []struct {
		name          string
		before, after []string // routes of v1 that are called, daily before the exceptions, and more often on the day after
		exceptions    []usage.Exception
		days          int // after the exceptions, when the gate is asked
		want          int
		state         string
	}{
		{"nothing said", []string{monitor}, nil, nil, 1, 409, "only"},
		{"a monitor goes on", []string{monitor}, []string{monitor}, []usage.Exception{accepted(monitor)}, 2, ready, "accepted"},
		{"all that a client calls", []string{monitor, other}, []string{other}, []usage.Exception{accepted("")}, 2, ready, "accepted"},
		{"it calls what was not accepted", []string{monitor}, []string{other}, []usage.Exception{accepted(monitor)}, 2, 409, "only"},
		{"a route that it did not call before", []string{monitor}, []string{other}, []usage.Exception{accepted("")}, 2, 409, "only"},
		{"another route is not accepted", []string{monitor, other}, []string{monitor}, []usage.Exception{accepted(monitor)}, 2, 409, "only"},
		{"each of two", []string{monitor, other}, []string{monitor}, []usage.Exception{accepted(monitor), moved(other)}, 2, ready, "accepted"},
		{"it is asked again", []string{monitor}, []string{monitor}, []usage.Exception{accepted(monitor)}, 60, 409, "quiet"},
		{"has moved", []string{other}, nil, []usage.Exception{moved("")}, 2, ready, "moved"},
		{"has moved, and calls", []string{other}, []string{other}, []usage.Exception{moved("")}, 2, 409, "only"},
		{"a route has moved, and another one is called", []string{monitor, other}, []string{monitor}, []usage.Exception{moved(other), accepted(monitor)}, 2, ready, "accepted"},
		{"a route has moved, and is called", []string{monitor, other}, []string{other}, []usage.Exception{moved(other), accepted(monitor)}, 2, 409, "only"},
		{"each route has moved", []string{monitor, other}, nil, []usage.Exception{moved(monitor), moved(other)}, 2, ready, "moved"},
		{"a route is accepted before its first call", []string{monitor}, []string{monitor, other}, []usage.Exception{accepted(monitor), accepted(other)}, 2, ready, "accepted"},
		{"HEAD is as GET, which was called before", []string{other}, []string{head}, []usage.Exception{accepted("")}, 2, ready, "accepted"},
		{"GET is as HEAD, which was called before", []string{head}, []string{other}, []usage.Exception{accepted("")}, 2, ready, "accepted"},
		{"HEAD is accepted, as the gate names it", []string{head}, []string{head}, []usage.Exception{accepted(head)}, 2, ready, "accepted"},
		{"GET has moved, which was HEAD", []string{head}, nil, []usage.Exception{moved(other)}, 2, ready, "moved"},
		{"HEAD is as GET, which has moved", []string{other}, []string{head}, []usage.Exception{moved(other)}, 2, 409, "only"},
		{"GET is as HEAD, which has moved", []string{head}, []string{other}, []usage.Exception{moved(other)}, 2, 409, "only"},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon.AddDate(0, 0, -100))
			table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
			observe := func(routes []string) {
				for _, route := range routes {
					method, path, _ := strings.Cut(route, " ")
					o := call("v1", "acme", path, clock.Now())
					o.Method = method
					table.Observe(t.Context(), o)
				}
			}
			for day := range 50 {
				clock.Set(noon.AddDate(0, 0, day-50))
				observe(test.before)
			}
			clock.Set(noon)
			for _, e := range test.exceptions {
				e.Version, e.Client, e.By = "v1", "acme", "Ann"
				if err := table.Except(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			clock.Set(noon.Add(24 * time.Hour))
			for range 60 {
				observe(test.after)
			}
			clock.Set(noon.AddDate(0, 0, test.days))
			if got := ask(table.Handler(nil), "GET", "/?ready=v1"); got.Code != test.want {
				t.Errorf("the gate is %d: %s", got.Code, got.Body)
			}
			for query, want := range map[string]string{
				"clients=v1&format=json":  `"group":"` + test.state + `"`,
				"clients=v1&format=csv":   "," + test.state + ",",
				"format=openmetrics":      `state="` + test.state + `"} 1`,
				"client=acme&format=json": `"group":"` + test.state + `"`,
			} {
				if got := ask(table.Handler(nil), "GET", "/?"+query).Body.String(); !strings.Contains(got, want) {
					t.Errorf("%s: no %s in %s", query, want, got)
				}
			}
			if letters := ask(table.Handler(nil), "GET", "/?letters=v1").Body.String(); (letters == "") != (test.want == ready) {
				t.Errorf("letters: %s", letters)
			}
		})
	}
}

// TestMayBreakBesideMoved: a route that v2 has served since is not left, and yet its calls of the last 30 days hold the gate; those of
// the last week, the client too.
func TestMayBreakBesideMoved(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -60))
	table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
	for day := range 60 { // the routes of v1 until the 20th day, and one of them in v2 from then on
		clock.Set(noon.AddDate(0, 0, day-20))
		if day < 20 {
			table.Observe(t.Context(), call("v1", "acme", "/health", clock.Now()))
			table.Observe(t.Context(), call("v1", "acme", "/orders", clock.Now()))
		} else {
			table.Observe(t.Context(), call("v2", "acme", "/orders", clock.Now()))
		}
		if day == 20 {
			e := usage.Exception{Version: "v1", Client: "acme", Route: "GET /health", Kind: usage.MayBreak, Until: noon.AddDate(0, 0, 90), By: "Ann"}
			if err := table.Except(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		want, ok := map[int]string{20: "both 409", 26: "both 409", 46: "accepted 409", 50: "accepted 200"}[day]
		if !ok {
			continue
		}
		var list struct{ Clients []struct{ Group string } }
		if err := json.Unmarshal(ask(table.Handler(nil), "GET", "/?clients=v1&format=json").Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(list.Clients[0].Group, " ", ask(table.Handler(nil), "GET", "/?ready=v1").Code); got != want {
			t.Errorf("day %d: %s, want %s", day, got, want)
		}
	}
}

// TestAnswersBesideCounts: what the counts show of a client that calls v1 until noon and v2 from then on, and what an answer makes of it.
func TestAnswersBesideCounts(t *testing.T) {
	needs := func(route string) usage.Exception {
		return usage.Exception{Route: route, Kind: usage.StillNeeds, Until: noon.AddDate(0, 0, 200)}
	}
	breaks := usage.Exception{Kind: usage.MayBreak, Until: noon.AddDate(0, 0, 90)}
	for _, test := range []struct {
		name       string
		exceptions []usage.Exception // recorded one after the other, an hour before noon
		calls      []string          // of v1, on the day after noon
		want       [3]string         // the state and the gate after 10, 25 and 40 days
	}{
		{"none", nil, nil, [3]string{"quiet 409", "moved 409", "moved 200"}},
		{"moved", []usage.Exception{{}}, nil, [3]string{"moved 200", "moved 200", "moved 200"}},
		{"a route has moved, not the other", []usage.Exception{{Route: "GET /a"}}, nil, [3]string{"quiet 409", "moved 409", "moved 200"}},
		{"may break", []usage.Exception{breaks}, nil, [3]string{"accepted 200", "accepted 200", "moved 200"}},
		{"may break, and calls another route once", []usage.Exception{breaks}, []string{"/new"}, [3]string{"quiet 409", "quiet 409", "quiet 409"}},
		{"still needs it", []usage.Exception{needs("")}, nil, [3]string{"quiet 409", "quiet 409", "quiet 409"}},
		{"still needs a route", []usage.Exception{needs("GET /a")}, nil, [3]string{"quiet 409", "quiet 409", "quiet 409"}},
		{"still needs a route that it has not called", []usage.Exception{needs("GET /yearly")}, nil, [3]string{"quiet 409", "quiet 409", "quiet 409"}},
		{"has moved, but for a route", []usage.Exception{{}, needs("GET /a")}, nil, [3]string{"quiet 409", "quiet 409", "quiet 409"}},
		{"has moved, also the route that it needed", []usage.Exception{needs("GET /a"), needs("GET /yearly"), {}}, nil, [3]string{"moved 200", "moved 200", "moved 200"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon.AddDate(0, 0, -60))
			table := usage.NewTable(&verso.Config{Catalogue: longAhead, Clock: clock.Now})
			for day := range 30 {
				clock.Set(noon.AddDate(0, 0, day-30))
				for _, path := range []string{"/a", "/b"} {
					table.Observe(t.Context(), call("v1", "acme", path, clock.Now()))
				}
			}
			clock.Set(noon.Add(-time.Hour))
			for _, e := range test.exceptions {
				e.Version, e.Client, e.By = "v1", "acme", "Ann"
				if err := table.Except(t.Context(), e); err != nil {
					t.Fatal(err)
				}
				clock.Advance(time.Minute)
			}
			var got [3]string
			for day := 1; day <= 40; day++ {
				clock.Set(noon.AddDate(0, 0, day))
				for _, path := range []string{"/a", "/b"} {
					table.Observe(t.Context(), call("v2", "acme", path, clock.Now()))
				}
				if day == 1 {
					for _, path := range test.calls {
						table.Observe(t.Context(), call("v1", "acme", path, clock.Now()))
					}
				}
				if i := slices.Index([]int{10, 25, 40}, day); i >= 0 {
					got[i] = fmt.Sprint(statesOf(t, table.Handler(nil))["acme"], " ", ask(table.Handler(nil), "GET", "/?ready=v1").Code)
				}
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestExceptionBeyondBound: of routes that are counted together, those of before an answer cannot be told from others.
func TestExceptionBeyondBound(t *testing.T) {
	for name, test := range map[string]struct {
		after []string // called on the day after
		want  int
	}{"nothing": {nil, 200}, "beyond the bound": {[]string{"/2"}, 409}, "a counted one": {[]string{"/0"}, 200}} {
		t.Run(name, func(t *testing.T) {
			clock := versotest.NewClock(noon.AddDate(0, 0, -60))
			table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now}, usage.Bounds{Cells: 1})
			observe := func(paths ...string) {
				for _, path := range paths {
					table.Observe(t.Context(), call("v1", "acme", path, clock.Now()))
				}
			}
			for day := range 40 {
				clock.Set(noon.AddDate(0, 0, day-40))
				observe("/0", "/1", "/2")
			}
			clock.Set(noon)
			if err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", Kind: usage.MayBreak, Until: noon.AddDate(0, 0, 60), By: "Ann"}); err != nil {
				t.Fatal(err)
			}
			clock.Advance(24 * time.Hour)
			observe(test.after...)
			if got := ask(table.Handler(nil), "GET", "/?ready=v1"); got.Code != test.want {
				t.Error(got.Body)
			}
		})
	}
}

// TestAcceptedOnEarlierDays: each day has how many clients may break.
func TestAcceptedOnEarlierDays(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -10))
	table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
	for i := range 10 { // until yesterday
		clock.Set(noon.AddDate(0, 0, i-10))
		table.Observe(t.Context(), call("v1", "monitor", "/health", clock.Now()))
		table.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
		if i == 5 {
			if err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: "monitor", Kind: usage.MayBreak, Until: noon.AddDate(0, 1, 0), By: "Ann"}); err != nil {
				t.Fatal(err)
			}
		}
		textOf(table) // records the day
	}
	contains(t, textOf(table), "clients left: 2 on 11 Nov, 1 on 20 Nov and 1 that may break ")
	for day, want := range map[string]string{
		"2026-11-13": `{"day":"2026-11-13","versions":[{"day":"2026-11-13","version":"v1","only":2,"both":0,"quiet":0,"told":0,"moved":0}]}`,
		"2026-11-18": `{"day":"2026-11-18","versions":[{"day":"2026-11-18","version":"v1","only":1,"both":0,"quiet":0,"told":0,"moved":0,"accepted":1}]}`,
	} {
		if got := strings.TrimSpace(ask(table.Handler(nil), "GET", "/?at="+day).Body.String()); got != want {
			t.Errorf("%s: %s", day, got)
		}
	}
}

func TestExceptionHandlerOfNothing(t *testing.T) {
	name := func(*http.Request) string { return "ops" }
	for what, construct := range map[string]func(){
		"no store":    func() { usage.ExceptionHandler(nil, name) },
		"no function": func() { usage.ExceptionHandler(newTable(lives(catalogue.Gone), noon), nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "usage: ExceptionHandler: the store or the function is nil: give both" {
					t.Errorf("%s: %s", what, got)
				}
			}()
			construct()
		}()
	}
}

// TestExceptionHandler: who may record what, and how.
func TestExceptionHandler(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	did(table, noon, "v1", "acme", days{1: 1})
	handler := usage.ExceptionHandler(table, func(r *http.Request) string { return r.Header.Get("User") })
	post := func(user, site, form string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/exceptions", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("User", user)
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	for _, test := range []struct {
		user, site, form string
		want             int
	}{
		{"", "", "version=v1&client=acme", 403},
		{"Ann", "cross-site", "version=v1&client=acme", 403},
		{"Ann", "", "version=v9&client=acme", 400},
		{"Ann", "", "version=v1&client=acme&by=Bob", 400},
		{"Ann", "", "version=v1&client=acme&client=zoo", 400},
		{"Ann", "", "version=v1&client=acme&kind=maybe", 400},
		{"Ann", "", "version=v1&client=acme&route=/users", 400},
		{"Ann", "", "version=v1&client=acme&kind=may_break", 400},
		{"Ann", "", "version=v1&client=acme&kind=may_break&until=soon", 400},
		{"Ann", "", "version=v1&client=acme&kind=may_break&until=2030-01-01", 400},
		{"Ann", "", "version=v1&client=acme&until=2027-01-01", 400},
		{"Ann", "", "version=v1&client=acme&kind=still_needs", 400},
		{"Ann", "", "version=v1&client=acme&take_back=true", 404},
		{"Ann", "", "version=v1&client=acme&take_back=yes", 400},
		{"Ann", "", "version=v1&client=acme&note=" + strings.Repeat("x", 20_000), 400},
		{"Ann", "same-origin", "version=v1&client=acme&kind=may_break&until=2027-01-01&note=monitor", 303},
		{"Ann", "", "version=v1&client=acme&take_back=true", 303},
	} {
		got := post(test.user, test.site, test.form)
		if got.Code != test.want {
			t.Errorf("%.80s: %d %s", test.form, got.Code, got.Body)
		}
		if test.want == 303 && got.Header().Get("Location") != "usage?client=acme" {
			t.Errorf("%s: %s", test.form, got.Header())
		}
	}
	post("Ann", "", "version=v1&client=acme&kind=may_break&until=2027-01-01&note=monitor")
	contains(t, ask(table.Handler(nil), "GET", "/?client=acme&format=html").Body.String(), "may break, accepted by Ann on 21 Nov 2026 until 1 Jan 2027: monitor")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/exceptions", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "POST" {
		t.Error(w.Code, w.Header())
	}
}

// TestExceptNamesOne: except= of the gate excepts what it names, and no part of it.
func TestExceptNamesOne(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	for _, client := range []string{"acme", "acme-2", "POST", "GET /users"} {
		did(table, noon, "v1", client, days{80: 1})
	}
	did(table, noon, "v1", "calls", days{3: 1})
	page := table.Handler(nil)
	for query, want := range map[string]string{
		"":                            "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=acme":                "[acme except acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=acm":                 "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=ACME":                "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=acme+GET+/users":     "[acme except acme-2 quiet POST quiet GET /users quiet calls called]", // all that it called
		"&except=acme+GET+/user":      "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=calls+GET+/users":    "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=GET+/users":          "[acme except acme-2 except POST except GET /users except calls called]", // all that they called
		"&except=GET+/user":           "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=calls&except=acme-2": "[acme quiet acme-2 except POST quiet GET /users quiet calls except]",
		"&except=acme,acme-2":         "[acme quiet acme-2 quiet POST quiet GET /users quiet calls called]",
		"&except=GET+/users&except=POST&quiet=30": "[acme except acme-2 except POST except GET /users except calls called]",
	} {
		gate := gateOf(t, page, "ready=v1"+query)
		why := map[string]string{}
		for _, c := range gate.Clients {
			why[c.Client] = c.Why
		}
		for _, c := range gate.Excepted {
			why[c.Client] = c.Why
		}
		var got []string
		for _, client := range []string{"acme", "acme-2", "POST", "GET /users", "calls"} {
			got = append(got, client+" "+why[client])
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestExceptionForgotten: 400 days after it was recorded, or after its date, an exception cannot be taken back, as if it was not there.
func TestExceptionForgotten(t *testing.T) {
	for _, test := range []struct {
		name  string
		until int // days
		after int
		want  error
	}{
		{"on its last day", 0, usage.KeepDays, nil}, {"a day later", 0, usage.KeepDays + 1, usage.ErrNoException},
		{"on the last day after its date", 9, usage.KeepDays + 9, nil}, {"a day after that", 9, usage.KeepDays + 10, usage.ErrNoException},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon)
			table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
			e := usage.Exception{Version: "v1", Client: "acme", By: "Ann"}
			if test.until > 0 {
				e.Kind, e.Until = usage.MayBreak, noon.AddDate(0, 0, test.until)
			}
			if err := table.Except(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			clock.Set(noon.AddDate(0, 0, test.after))
			if err := table.TakeBack(t.Context(), e); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

// TestLaterExceptionCounts: of two answers about a route, the later one counts, and an answer replaces another one although
// the clock went back.
func TestLaterExceptionCounts(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -90))
	table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
	table.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
	except := func(e usage.Exception, after time.Duration) {
		e.Version, e.Client, e.By = "v1", "acme", "Ann"
		clock.Advance(after)
		if err := table.Except(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	groups := func(want string) {
		t.Helper()
		if got := ask(table.Handler(nil), "GET", "/?clients=v1&format=json").Body.String(); !strings.Contains(got, `"group":"`+want+`"`) {
			t.Errorf("not %s: %s", want, got)
		}
	}
	accepted := usage.Exception{Route: "GET /users", Kind: usage.MayBreak, Until: noon.AddDate(0, 0, 90)}
	except(usage.Exception{}, time.Hour)
	except(accepted, time.Hour)
	groups("accepted")
	except(usage.Exception{}, time.Hour)
	groups("moved")
	except(accepted, time.Hour)
	groups("accepted")
	accepted.Kind, accepted.Until = usage.HasMoved, time.Time{}
	except(accepted, -2*time.Minute)
	groups("moved")
}
