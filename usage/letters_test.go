package usage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestLetterSaysWhere: a letter says where the version belongs, and never advises what the client does already.
func TestLetterSaysWhere(t *testing.T) {
	plain := verso.RouteInfo{Method: "GET", Pattern: "/users", Path: "/users"}
	inPath := verso.RouteInfo{Method: "GET", Pattern: "/{version}/users", Path: "/{version}/users"}
	for _, test := range []struct {
		name          string
		from          source.Source
		method, route string
		want          string
	}{
		{"header", verso.Header("Api-Version"), "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026. Use GET /users with Api-Version: v2."},
		{"query", verso.QueryParam("version"), "GET", "/users", " Use GET /users?version=v2."},
		{"media type", verso.MediaType("application/vnd.acme.{version}+json"), "GET", "/users", " Use GET /users with Accept: application/vnd.acme.v2+json."},
		{"the second of two", verso.First(verso.PathParam("version"), verso.Header("Api-Version")), "GET", "/users", " Use GET /users with Api-Version: v2."},
		{"path", verso.First(verso.PathParam("version"), verso.Header("Api-Version")), "GET", "/{version}/users", " Use GET /v2/users."},
		{"HEAD", verso.PathParam("version"), "HEAD", "/{version}/users", " HEAD /v1/users: 1 request in 30 days, last on 21 Nov 2026. Use HEAD /v2/users."},
		{"host", verso.HostLabel("{version}.example.com"), "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026."},
		{"not known", nil, "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026."},
		{"no such route", verso.Header("Api-Version"), "PUT", "/users", "last on 21 Nov 2026. No such route of v2 is known."},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(lives(catalogue.Gone), noon)
			o := call("v1", "acme", test.route, noon)
			o.Method = test.method
			table.Observe(t.Context(), o)
			page := table.Handler(func() *verso.Explanation {
				return &verso.Explanation{Source: test.from, Routes: []verso.RouteInfo{plain, inPath}}
			})
			if got := ask(page, "GET", "/?letters=v1").Body.String(); !strings.Contains(got, test.want+`"}`) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestLettersAroundDeprecation: who reads the letters each month, from before the deprecation, gets no letter that says the same
// as the last one. Before it, they have its date.
func TestLettersAroundDeprecation(t *testing.T) {
	for _, test := range []struct {
		name string
		end  catalogue.Entry
		want string
	}{
		{"with a sunset", catalogue.Entry{Sunset: noon.AddDate(1, 0, 0)}, "v1 will be deprecated on 30 Jan 2027, and ends on 21 Nov 2027, 12:00 UTC. From then on,"},
		{"not supported", catalogue.Entry{Sunset: noon.AddDate(1, 0, 0), AfterSunset: catalogue.Serve}, "v1 will be deprecated on 30 Jan 2027, and is not supported from 21 Nov 2027 on."},
		{"without a sunset", catalogue.Entry{}, "v1 will be deprecated on 30 Jan 2027."},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon.AddDate(0, 0, -9))
			e := test.end
			e.Version, e.Deprecated, e.Successor = "v1", noon.AddDate(0, 0, 70), "v2"
			table := usage.NewTable(&verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone,
				Versions: []catalogue.Entry{e, {Version: "v2"}}})})
			var days []int
			query, last := "letters=v1", ""
			for day := -9; day < 200; day++ {
				clock.Set(noon.AddDate(0, 0, day))
				table.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
				if day < 0 || day%30 != 0 {
					continue
				}
				if got := ask(table.Handler(nil), "GET", "/?"+query).Body.String(); got != "" {
					_, text, _ := strings.Cut(got, `"text":`)
					text, _, _ = strings.Cut(text, ": ") // the rest has the day and the number of requests
					assert.NotEqual(t, last, text, "on day %d", day)
					days, last = append(days, day), text
					assert.Equal(t, day < 70, strings.Contains(text, test.want), text)
				}
				query = "letters=v1&since=" + clock.Now().Format(time.DateOnly)
			}
			assert.Equal(t, []int{0, 90}, days)
		})
	}
}
