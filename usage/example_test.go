package usage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

func ExampleTable() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)},
		{Version: "v2"},
	}})
	config := verso.Config{Catalogue: versions, Clock: now}
	calls := usage.NewTable(&config)

	// An adapter calls it for each request.
	calls.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: "acme",
	})

	response := httptest.NewRecorder()
	calls.Handler(nil).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?format=csv", nil))
	fmt.Println(response.Body)
	// Output:
	// version,client,method,route,outcome,requests_30_days,requests,first_request,last_request,state,every,next_expected,contact,contact_link
	// v1,acme,GET,/users/:id,served,1,1,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,only,,,,
}

func ExampleTable_Handler() {
	clock := versotest.NewClock(time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC))
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Successor: "v2"},
		{Version: "v2"},
	}})
	calls := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	for range 3 { // a job that runs on the first of each month, and never called v2
		calls.Observe(context.Background(), verso.Observation{
			Time: clock.Now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/invoices", Client: "billing",
		})
		clock.Set(clock.Now().AddDate(0, 1, 0))
	}
	clock.Set(time.Date(2026, 12, 5, 12, 0, 0, 0, time.UTC))
	calls.Observe(context.Background(), verso.Observation{
		Time: clock.Now(), Version: verso.V("v2"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/invoices", Client: "shop",
	})

	page := calls.Handler(nil)
	for _, query := range []string{"ready=v1", "ready=v1&except=billing"} {
		response := httptest.NewRecorder()
		page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
		fmt.Println(response.Code, response.Body)
	}
	// Output:
	// 409 {"ready":false,"version":"v1","time":"2026-12-05T12:00:00Z","counted_since":"2026-09-01T09:00:00Z","reasons":["1 quiet client has not moved, and may call it again: billing (last request on 1 Nov 2026, monthly, next expected about 1 Dec 2026)"],"clients":[{"client":"billing","requests_30_days":0,"last_seen":"2026-11-01T09:00:00Z","every":"monthly","next_expected":"2026-12-01T09:00:00Z","why":"quiet"}],"unseen":"Counted for 95 days: a job that runs quarterly may not have called yet"}
	//
	// 200 {"ready":true,"version":"v1","time":"2026-12-05T12:00:00Z","counted_since":"2026-09-01T09:00:00Z","excepted":[{"client":"billing","requests_30_days":0,"last_seen":"2026-11-01T09:00:00Z","every":"monthly","next_expected":"2026-12-01T09:00:00Z","why":"except"}],"unseen":"Counted for 95 days: a job that runs quarterly may not have called yet"}
}

func ExampleNewBoundedTable() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := verso.Must(catalogue.List("v1", "v2"))
	calls := usage.NewBoundedTable(&verso.Config{Catalogue: versions, Clock: now}, usage.Bounds{Clients: 2}) // of a service with few clients
	for _, client := range []string{"acme", "billing", "zoo", "another"} {
		calls.Observe(context.Background(), verso.Observation{
			Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: client,
		})
	}

	for _, count := range calls.Take() {
		if count.Kind == usage.KindRequests {
			fmt.Printf("%q %d %v\n", count.Client, count.Requests, count.OtherClient)
		}
	}
	// Unordered output:
	// "acme" 1 false
	// "billing" 1 false
	// "" 2 true
}

func ExampleTable_Nearly() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := verso.Must(catalogue.List("v1", "v2"))
	calls := usage.NewBoundedTable(&verso.Config{Catalogue: versions, Clock: now}, usage.Bounds{Cells: 8})
	written := 0
	for i := range 20 { // each on a route of its own
		calls.Observe(context.Background(), verso.Observation{
			Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: fmt.Sprint("/", i), Client: "acme",
		})
		if calls.Nearly() { // a store writes what it has, before it is full
			for _, count := range calls.Take() {
				if count.Kind == usage.KindRequests {
					written++
				}
			}
			calls = usage.NewBoundedTable(&verso.Config{Catalogue: versions, Clock: now}, usage.Bounds{Cells: 8})
		}
	}
	fmt.Println(written)
	// Output: 14
}

func ExampleTable_Take() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := verso.Must(catalogue.List("v1", "v2"))
	last, next := usage.NewTable(&verso.Config{Catalogue: versions, Clock: now}), usage.NewTable(&verso.Config{Catalogue: versions, Clock: now})
	last.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: "acme",
	})
	counts := last.Take()
	next.Add(counts)
	for _, count := range counts {
		line, _ := json.Marshal(count)
		fmt.Println(string(line))
	}
	// Output:
	// {"kind":"counting","first":1795262400,"last":1795262400}
	// {"version":"v1","client":"acme","method":"GET","route":"/users/:id","requests":1,"days":[{"day":"2026-11-21","requests":1}],"first":1795262400,"last":1795262400}
}

func ExamplePage() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := verso.Must(catalogue.List("v1", "v2"))
	calls := usage.NewTable(&verso.Config{Catalogue: versions, Clock: now})
	var kept []usage.Count // by a store of your own
	page := &usage.Page{Catalogue: versions, Clock: now, Open: func(ctx context.Context) (usage.Reader, error) {
		kept = append(kept, calls.Take()...)
		return usage.Snapshot{Counts: kept, Processes: []usage.Process{{Name: usage.ProcessName(), LastSeen: now()}}}.Open(ctx)
	}}

	calls.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: "acme",
	})
	response := httptest.NewRecorder()
	page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?format=csv", nil))
	fmt.Println(response.Body)
	// Output:
	// version,client,method,route,outcome,requests_30_days,requests,first_request,last_request,state,every,next_expected,contact,contact_link
	// v1,acme,GET,/users/:id,served,1,1,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,,,,,
}

func ExamplePage_Warn() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
		{Version: "v2"},
	}})
	calls := usage.NewTable(&verso.Config{Catalogue: versions, Clock: now})
	calls.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: "acme",
	})

	// In a service: once a day, with the logger that wakes somebody up.
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	if err := calls.Handler(nil).Warn(context.Background(), logger); err != nil {
		fmt.Println(err)
	}
	// Output:
	// level=WARN msg="usage: v1 has its sunset in 9 days. 1 client still calls it." code=usage_sunset version=v1 sunset=2026-11-30T12:00:00.000Z only=1 both=0 quiet=0 moved=0 requests_without_client=0
}

func ExampleWeeks() {
	first, last := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Unix()
	var called usage.Weeks // of a client that called version v1 on the first of two months
	called.AddCount(&usage.Count{Version: "v1", Client: "acme", First: first, Last: last})
	fmt.Println(called.Last == usage.WeekOf(last))
	fmt.Printf("%b\n", called.Bits)
	// Output:
	// true
	// 10001
}

// The service has stored v1 for a receiver of webhooks, which no request shows.
func ExamplePage_pinned() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	config := verso.Config{Clock: func() time.Time { return now }, Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: now.AddDate(0, 0, 9), Successor: "v2"}, {Version: "v2"},
	}})}
	page := usage.NewTable(&config).Handler(nil)
	page.Pinned = func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			if version == "v1" {
				yield(usage.Pin{Client: "acme", For: "webhook https://acme.example/hooks", Since: now.AddDate(-1, 0, 0)}, nil)
			}
		}
	}
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/usage?ready=v1", nil))
	var gate struct{ Reasons []string }
	_ = json.Unmarshal(w.Body.Bytes(), &gate)
	fmt.Println(w.Code, gate.Reasons[0])
	// Output: 409 1 client has it pinned: acme (webhook https://acme.example/hooks since 21 Nov 2025)
}

// A store records once a day how many clients are left.
func ExamplePage_Judge_record() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	config := verso.Config{Clock: func() time.Time { return now }, Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: now.AddDate(0, 0, 40), Successor: "v2"}, {Version: "v2"},
	}})}
	table := usage.NewTable(&config)
	table.Observe(context.Background(), verso.Observation{Time: now, Version: verso.V("v1"), Client: "acme", Method: "GET", Route: "/users", Outcome: verso.OutcomeServed})
	judged, err := table.Handler(nil).Judge(context.Background(), slog.New(slog.DiscardHandler))
	fmt.Println(judged[0].Day, judged[0].Version, judged[0].Only, err)
	// Output: 2026-11-21 v1 1 <nil>
}

// A store of counts keeps a text for each client.
func ExampleParseRouteUses() {
	uses := usage.RouteUses{{Key: 7, Last: 20603, Served: 20601, Weeks: 1}}
	text := uses.String()
	read, err := usage.ParseRouteUses(text, nil)
	fmt.Printf("%q %+v %v\n", text, read[0].Last-read[0].Served, err)
	// Output: "7 fwb fw9 1 " 2 <nil>
}

// A store deletes what no page reads: the last request is more than 400 days old.
func ExampleForgotten() {
	last := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for _, days := range []int{usage.KeepDays, usage.KeepDays + 1} {
		fmt.Println(days, usage.Forgotten(last.Unix(), last.AddDate(0, 0, days).Unix()))
	}
	// Output:
	// 400 false
	// 401 true
}

// A Reader gets the first second of the page's 30 days, and leaves out what had its last request before this one.
func ExampleKeptFrom() {
	recent := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	fmt.Println(time.Unix(usage.KeptFrom(recent.Unix()), 0).UTC().Format(time.DateOnly))
	// Output: 2026-02-23
}

// A store drops the uses that are forgotten from the text of a client.
func ExampleRouteUses_Forget() {
	uses := usage.RouteUses{{Key: 7, Last: 20200, Served: 20200, Weeks: 1}, {Key: 8, Last: 20603, Served: 20603, Weeks: 1}}
	uses.Forget(20604 * 24 * 60 * 60)
	fmt.Println(len(uses), uses[0].Key)
	// Output: 1 8
}

func ExampleTable_Except() {
	clock := versotest.NewClock(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Successor: "v2"},
		{Version: "v2"},
	}})
	calls := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	request := func() {
		calls.Observe(context.Background(), verso.Observation{
			Time: clock.Now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/invoices", Client: "billing",
		})
		clock.Advance(24 * time.Hour)
	}
	request()

	// They have answered your mail. The next request of billing ends it.
	gone := usage.Exception{Version: "v1", Client: "billing", By: "ann@example.com", Note: "has shut down its importer"}
	if err := gone.Check(versions, clock.Now()); err != nil { // as Except does
		fmt.Println(err)
	}
	states := func() {
		response := httptest.NewRecorder()
		calls.Handler(nil).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?clients=v1&state=moved&format=json", nil))
		var moved struct{ Clients []struct{ Client string } }
		fmt.Println(json.Unmarshal(response.Body.Bytes(), &moved), moved.Clients)
	}
	fmt.Println(calls.Except(context.Background(), gone))
	states()
	fmt.Println(calls.TakeBack(context.Background(), gone))
	states()
	_ = calls.Except(context.Background(), gone)
	request()
	states()
	// Output:
	// <nil>
	// <nil> [{billing}]
	// <nil>
	// <nil> []
	// <nil> []
}

// The store that the service counts with has the exceptions, too.
func ExampleExceptionHandler() {
	calls := usage.NewTable(&verso.Config{AllowedVersions: []string{"v1", "v2"}})
	mux := http.NewServeMux()
	admins := func(h http.Handler) http.Handler { // the authentication of the service
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name, password, _ := r.BasicAuth(); name != "ann" || password != "secret" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	nameOf := func(r *http.Request) string {
		name, _, _ := r.BasicAuth()
		return name
	}
	mux.Handle("POST /exceptions", admins(usage.ExceptionHandler(calls, nameOf))) // behind your authentication

	for _, password := range []string{"guess", "secret"} {
		r := httptest.NewRequest(http.MethodPost, "/exceptions", strings.NewReader("version=v1&client=acme&note=ticket+4711"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth("ann", password)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 401
	// 303
}

// A reader of your own yields the wanted clients in the order of Compare.
func ExampleClientName_Compare() {
	clients := []usage.ClientName{{Client: "zoo"}, {Client: "acme"}, {Client: "billing"}}
	slices.SortFunc(clients, usage.ClientName.Compare)
	wanted := usage.Wanted{Names: []string{"acme", "zoo"}}
	for _, c := range clients {
		fmt.Println(c.Client, wanted.Has(c.Client))
	}
	// Output:
	// acme true
	// billing false
	// zoo true
}
