package usage_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestBeyondBounds: the first line, the metrics, the log and the gate are true however many
// clients there are.
func TestBeyondBounds(t *testing.T) {
	const others = 3000 // beyond the bound
	for _, test := range []struct {
		name    string
		did     func(table *usage.Table)
		want    string // of the page
		metric  string
		warning string // "": none
		ready   int
	}{
		{"all names are of clients of v3, which give them up to those that call v1", func(table *usage.Table) {
			for i := range usage.MaxClients {
				table.Observe(t.Context(), call("v3", fmt.Sprint("new ", i), "/users", noon.AddDate(0, 0, -10)))
			}
			for day := range 10 {
				for i := range others {
					table.Observe(t.Context(), call("v1", fmt.Sprint("old ", i), "/users", noon.AddDate(0, 0, day-9)))
				}
			}
		}, "1,001 of 1,001 clients have not moved. Only 1,000 clients have a name here: the rest counts as one.", `state="only"} 1001`, "1,001 of 1,001 clients have not moved", http.StatusConflict},
		{"those with a name have moved, others call v1 daily", func(table *usage.Table) {
			for day := range 40 {
				for i := range usage.MaxClients + others {
					version := "v1"
					if i < usage.MaxClients && day > 15 {
						version = "v3"
					}
					table.Observe(t.Context(), call(version, fmt.Sprint("client ", i), "/users", noon.AddDate(0, 0, day-39)))
				}
			}
		}, "1 of 1,001 clients has not moved.", `state="only"} 1`, "1 of 1,001 clients has not moved", http.StatusConflict},
		{"those with a name have moved, others called v1 two months ago", func(table *usage.Table) {
			for i := range usage.MaxClients {
				table.Observe(t.Context(), call("v1", fmt.Sprint("client ", i), "/users", noon.AddDate(0, 0, -95)))
				table.Observe(t.Context(), call("v3", fmt.Sprint("client ", i), "/users", noon.AddDate(0, 0, -75)))
				table.Observe(t.Context(), call("v3", fmt.Sprint("client ", i), "/users", noon.AddDate(0, 0, -50)))
			}
			for i := range others {
				table.Observe(t.Context(), call("v1", fmt.Sprint("job ", i), "/report", noon.AddDate(0, 0, -60)))
			}
		}, "1 of 1,001 clients may call it again.", `state="quiet"} 1`, "1 of 1,001 clients may call it again", http.StatusConflict},
		{"each of 1,000 clients has moved 60 routes", func(table *usage.Table) {
			for _, day := range []int{0, 20, 40} {
				for i := range 1000 * 60 {
					version := "v1"
					if day > 0 {
						version = "v3"
					}
					table.Observe(t.Context(), call(version, fmt.Sprint("client ", i%1000), fmt.Sprint("/", (i%1000*7+i/1000*13)%300), noon.AddDate(0, 0, day-59)))
				}
			}
		}, "All clients have moved.", `state="moved"} 1000`, "", http.StatusOK},
		{"routes run out, and a client with a name calls v1", func(table *usage.Table) {
			table.Observe(t.Context(), call("v1", "billing", "/a", noon.AddDate(0, 0, -59)))
			for day := range 60 {
				table.Observe(t.Context(), call("v3", "billing", "/b", noon.AddDate(0, 0, day-59)))
			}
			for i := range usage.MaxCells {
				table.Observe(t.Context(), call("v3", fmt.Sprint("c", i%900), fmt.Sprint("/", i), noon.AddDate(0, 0, -59)))
			}
			for day := range 60 {
				table.Observe(t.Context(), call("v1", "billing", "/new", noon.AddDate(0, 0, day-59)))
			}
		}, "1 of 1 client has not moved.", `state="both"} 1`, "1 of 1 client has not moved", http.StatusConflict},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(versions(t), noon)
			test.did(table)
			contains(t, textOf(table), test.want)
			contains(t, ask(table.Handler(nil), "GET", "/?format=openmetrics").Body.String(), `verso_usage_clients{version="v1",`+test.metric)
			var log bytes.Buffer
			if err := table.Handler(nil).Warn(t.Context(), slog.New(slog.NewTextHandler(&log, nil))); err != nil || !strings.Contains(log.String(), test.warning) || test.warning == "" && strings.Contains(log.String(), "version=v1") {
				t.Errorf("%v %s", err, log.String())
			}
			if ready := ask(table.Handler(nil), "GET", "/?ready=v1"); ready.Code != test.ready {
				t.Errorf("%d %.300s", ready.Code, ready.Body)
			}
		})
	}
}

// TestRoutesBeyondBounds: a route for which a table has no room has not moved, and replaces none.
func TestRoutesBeyondBounds(t *testing.T) {
	const reason = `more routes than there was room for, so it is not known which have moved: see usage.Bounds"`
	for _, test := range []struct {
		name string
		did  func(call func(day int, version, client, route string))
		want int
		says string
	}{
		{"others fill it before a client with a rare job calls v3", func(call func(day int, version, client, route string)) {
			call(0, "v1", "acme", "/orders")
			call(1, "v1", "acme", "/report")
			for i := range 1000 {
				call(2, "v3", fmt.Sprint("free ", i%20), fmt.Sprint("/", i/20))
			}
			for day := 3; day < 90; day++ {
				call(day, "v3", "acme", "/orders")
			}
		}, http.StatusConflict, `1 client called ` + reason},
		{"others fill it before a client calls v1", func(call func(day int, version, client, route string)) {
			call(0, "v3", "acme", "/orders")
			for i := range 1000 {
				call(0, "v3", fmt.Sprint("free ", i%20), fmt.Sprint("/", i/20))
			}
			for day := range 22 {
				call(day, "v1", "acme", "/orders")
			}
			for day := 22; day < 90; day++ {
				call(day, "v3", "acme", "/orders")
			}
		}, http.StatusConflict, `acme ((other routes): not in v3 since 14 Sep 2026)","1 client called ` + reason},
		{"others fill it, and a client calls v1 for months, half a year ago", func(call func(day int, version, client, route string)) {
			call(-301, "v3", "acme", "/orders")
			for i := range 1000 {
				call(-300, "v3", fmt.Sprint("free ", i%20), fmt.Sprint("/", i/20))
			}
			for day := -299; day < -100; day++ {
				call(day, "v1", "acme", "/orders")
			}
			for day := -100; day < 90; day++ {
				call(day, "v3", "acme", "/orders")
			}
		}, http.StatusConflict, `acme ((other routes): not in v3 since 15 May 2026)","1 client called ` + reason},
		{"others fill it after a client has moved", func(call func(day int, version, client, route string)) {
			call(0, "v1", "acme", "/orders")
			call(1, "v3", "acme", "/orders")
			for i := range 1000 {
				call(2, "v3", fmt.Sprint("free ", i%20), fmt.Sprint("/", i/20))
			}
			for day := 3; day < 90; day++ {
				call(day, "v3", "acme", "/orders")
				call(day, "v3", "acme", "/new")
			}
		}, http.StatusOK, `"ready":true`},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon.AddDate(-1, 0, -89))
			table := usage.NewBoundedTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now}, usage.Bounds{Cells: 500})
			test.did(func(day int, version, client, route string) {
				clock.Set(noon.AddDate(0, 0, day-89))
				table.Observe(t.Context(), call(version, client, route, clock.Now()))
			})
			clock.Set(noon)
			if got := ask(table.Handler(nil), "GET", "/?ready=v1"); got.Code != test.want || !strings.Contains(got.Body.String(), test.says) {
				t.Errorf("%d %.500s, want %d %s", got.Code, got.Body, test.want, test.says)
			}
		})
	}
}

// TestCallerKeepsName: at the bound, the clients that never called a version with an end give up
// their names first, the one whose last request is the oldest before the others.
func TestCallerKeepsName(t *testing.T) {
	table := newTable(versions(t), noon)
	table.Observe(t.Context(), rejected(call("", "made up", "/users", noon.AddDate(0, 0, -9)))) // has no name of these
	table.Observe(t.Context(), call("v3", "new 0", "/rooms", noon))
	for i := range usage.MaxClients {
		table.Observe(t.Context(), call("v3", fmt.Sprint("new ", i), "/users", noon.Add(time.Duration(i-usage.MaxClients)*time.Minute)))
	}
	table.Observe(t.Context(), call("v1", "billing", "/users", noon))
	table.Observe(t.Context(), call("v3", "one more", "/users", noon))
	page := textOf(table)
	contains(t, page, "1 of 1 client has not moved.", "billing 0 21 Nov 2026 GET /users")
	got := read(t, table)
	names, others := map[string]bool{}, uint64(0)
	for _, v := range got.Versions {
		for _, c := range v.Clients {
			names[c.Client] = true
			if c.Other {
				others += c.Requests
			}
		}
	}
	if len(names) != usage.MaxClients+2 || !names["made up"] || !names["new 0"] || names["new 1"] || !names["billing"] || names["one more"] || others != 2 {
		t.Errorf("%d names, others %d", len(names), others)
	}
	contains(t, ask(table.Handler(nil), "GET", "/?format=openmetrics").Body.String(), "verso_usage_names 1000\n")
}
