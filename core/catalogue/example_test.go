package catalogue_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// A list of versions is a catalogue without dates.
func ExampleList() {
	versions, err := catalogue.List("v1", "v2")
	if err != nil {
		fmt.Println(err)
		return
	}
	index, ok := versions.Index("v2")
	fmt.Println(versions.Versions(), index, ok, versions.IsPlain())
	// Output: [v1 v2] 1 true true
}

// A date without a time means the first second of the day in UTC.
func ExampleParse() {
	versions, err := catalogue.Parse([]byte(`{
		"versions": [
			{"version": "v1", "deprecated": "2026-03-02", "sunset": "2026-12-01", "successor": "v2"},
			{"version": "v2"}
		],
		"after_sunset": "gone"
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(versions.Versions(), versions.Entry(0).Sunset)

	_, err = catalogue.Parse([]byte(`{"versions": [{"version": "v1", "sunset": "2026-13-01"}]}`))
	fmt.Println(err)
	// Output:
	// [v1 v2] 2026-12-01 00:00:00 +0000 UTC
	// catalogue: versions[0].sunset: "2026-13-01" is not a date: write "2026-06-30T12:00:00Z", with a zone, or "2026-06-30" (date_malformed)
}

// A moment is one reading of the clock. Within a stage only brownouts begin and end.
func ExampleCatalogue_At() {
	day := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, time.UTC)
	}
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version:    "v1",
				Deprecated: day(time.March, 1, 0),
				Sunset:     day(time.December, 1, 0),
				Successor:  "v2",
				Brownouts:  []catalogue.Brownout{{From: day(time.November, 3, 14), Until: day(time.November, 3, 15)}},
			},
			{Version: "v2"},
		},
		AfterSunset:    catalogue.FallForward,
		ServedHeader:   "Api-Version",
		SuccessorLinks: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const v1 = 0
	for _, now := range []time.Time{day(time.January, 1, 0), day(time.November, 3, 14), day(time.December, 1, 0)} {
		moment := versions.At(now)
		status, retryAfter, brownout := moment.Brownout(v1)
		successor, _ := moment.Successor(v1)
		forward, _ := moment.Forward(v1)
		fmt.Println(moment.Stage(), "of", versions.Stages(), moment.State(v1), moment.Listed(v1), status, retryAfter, brownout,
			versions.Versions()[successor], versions.Versions()[forward])
	}
	served, _ := versions.ServedField(v1)
	fmt.Println(versions.FallsForward(v1), served)
	// Output:
	// 0 of 3 supported true 0 0 false v2 v2
	// 1 of 3 deprecated true 410 3600 true v2 v2
	// 2 of 3 ended false 0 0 false v2 v2
	// true {Api-Version [v1]}
}

// Scripts of other origins may read the fields in Access-Control-Expose-Headers.
func ExampleCatalogue_FieldNames() {
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v1", Sunset: time.Date(2027, time.June, 30, 0, 0, 0, 0, time.UTC)},
			{Version: "v2"},
		},
		ExposeHeaders: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(versions.FieldNames())
	fmt.Println(versions.ExposeField())
	// Output:
	// [Deprecation Sunset Link Retry-After]
	// {Access-Control-Expose-Headers [Deprecation, Sunset, Link, Retry-After]} true
}

// A route has a separate table, with a choice for each version.
func ExampleTable() {
	versions, err := catalogue.New(catalogue.Config{
		Versions:       []catalogue.Entry{{Version: "v1", Successor: "v2"}, {Version: "v2"}, {Version: "v3"}},
		AfterSunset:    catalogue.Gone,
		SuccessorLinks: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sunset := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	table, err := versions.Route(catalogue.RouteConfig{
		Sunset:  sunset,
		Choices: []catalogue.Choice{{From: "v1"}, {From: "v2"}, {From: "v3", Removed: true}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, version := range versions.Versions() {
		fmt.Println(version, table.Has(i), table.Choice(i), table.Sunset(i), table.Fields(i))
	}
	fmt.Println(table.RouteSunset(), table.RouteFields())
	before := versions.At(sunset.Add(-time.Second))
	fmt.Println(table.Gone(before), table.Gone(versions.At(sunset)))
	fmt.Println(table.NamesSuccessor(before, 0))
	fmt.Println(before.Successor(0))
	// Output:
	// v1 true 0 2026-12-01T00:00:00Z [{Sunset [Tue, 01 Dec 2026 00:00:00 GMT]}]
	// v2 true 1 2026-12-01T00:00:00Z [{Sunset [Tue, 01 Dec 2026 00:00:00 GMT]}]
	// v3 false -1  []
	// 2026-12-01T00:00:00Z [{Sunset [Tue, 01 Dec 2026 00:00:00 GMT]}]
	// false true
	// true
	// 1 true
}

// After its end a version is rejected, except for requests that are kept.
func ExampleTable_DecideExempt() {
	sunset := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	versions, err := catalogue.New(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: sunset}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})
	if err != nil {
		panic(err)
	}
	moment, table := versions.At(sunset), versions.Table()
	fmt.Println(table.Decide(moment, 0).Outcome == catalogue.Served, table.DecideExempt(moment, 0).Outcome == catalogue.Served)
	fmt.Println(moment.Next(0))
	// Output:
	// false true
	// 1 true
}

// Clients discover the versions.
func ExampleCatalogue_Handler() {
	now := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	versions, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: now.AddDate(0, -6, 0), Sunset: now.AddDate(0, 6, 0), Successor: "v2"},
		{Version: "v2"},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /versions", versions.Handler(func() time.Time { return now }))

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/versions", nil))
	fmt.Println(w.Header().Get("Cache-Control"))
	fmt.Println(w.Body)
	// Output:
	// max-age=3600
	// {"versions":[{"id":"v1","status":"DEPRECATED","deprecated":"2026-05-21T00:00:00Z","sunset":"2027-05-21T00:00:00Z","successor":"v2","links":[]},{"id":"v2","status":"CURRENT","links":[]}]}
}

func ExampleCheckFieldName() {
	fmt.Println(catalogue.CheckFieldName("Api-Version"))
	fmt.Println(catalogue.CheckFieldName("Accept"))
	fmt.Println(catalogue.Listable("v2"), catalogue.Listable("v2, v3"))
	// Output:
	// <nil>
	// catalogue: Accept already has another meaning: choose another name, such as "Api-Version" (header_reserved)
	// true false
}

func ExampleMustNew() {
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: catalogue.MustDate("2027-12-31")},
		{Version: "v2"},
	}})
	fmt.Println(versions.Versions())
	// Output: [v1 v2]
}

func ExampleMustParse() {
	versions := catalogue.MustParse([]byte(`{"versions": [{"version": "v1"}, {"version": "v2"}]}`))
	fmt.Println(versions.Versions())
	// Output: [v1 v2]
}
