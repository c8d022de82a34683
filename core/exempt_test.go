package verso_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
)

// A kept request is neither ended nor browned out, and told of it.
func TestKept(t *testing.T) {
	header := verso.Header("Api-Version")
	ended := []verso.RouteOption{verso.SunsetAt(date(2026, 7, 1))}
	forward := ending(versotest.NewClock(date(2027, 1, 1)), catalogue.FallForward, verso.MoveUnversioned)
	for _, test := range []struct {
		name    string
		config  verso.Config
		ask     ask
		options []verso.RouteOption
		kept    string
		others  string
	}{
		{"gone", ending(versotest.NewClock(date(2027, 1, 1)), catalogue.Gone, 0), field("v1"), nil, "= v1", "410 version_gone"},
		{"the default", ending(versotest.NewClock(date(2027, 1, 1)), catalogue.Gone, verso.RejectUnversioned), ask{}, nil, "= v1", "410 version_gone"},
		{"fallen forward", forward, field("v1"), nil, "= v1", "= v3"},
		{"moved", forward, ask{}, nil, "= v1", "= v2"},
		{"brownout", verso.Config{Clock: versotest.NewClock(date(2026, 12, 24)).Now, Catalogue: catalogue.MustNew(lives())}, field("v1"), nil, "= v1", "503 version_brownout"},
		{"route", ending(versotest.NewClock(date(2026, 8, 1)), catalogue.Gone, 0), field("v3"), ended, "= v3", "410 route_gone"},
		{"route without a version", with(ending(versotest.NewClock(date(2026, 8, 1)), catalogue.Gone, 0), func(c *verso.Config) {
			c.DefaultVersion, c.AllowUnversioned = verso.Version{}, true
		}), ask{}, ended, "none", "410 route_gone"},
		{"not in the version", forward, field("v1"), []verso.RouteOption{verso.Since("v2")}, "404 not_in_version", "= v3"},
		{"unknown", forward, field("v9"), nil, "400 invalid_header_version", "400 invalid_header_version"},
		{"unreleased", forward, field("v4"), nil, "400 invalid_header_version", "400 invalid_header_version"},
		{"supported", forward, field("v3"), nil, "= v3", "= v3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := bound(verso.MustNew(header, test.config))
			test.ask.route = registered(b, test.options...)
			r := test.ask.request()
			if got := outcome(b, r); got != test.others {
				t.Errorf("others: %s, want %s", got, test.others)
			}
			call := &checked{keepServed: true}
			_ = seamOf(b).Check(call, &adapter.Call{Request: r}, func(*checked) {}) // the error is in call
			version := verso.Version{}
			if call.err == nil {
				version = call.kept.Version()
			}
			if got := outcomeOf(version, call.err); got != test.kept {
				t.Errorf("kept: %s, want %s", got, test.kept)
			}
			_, other := begin(b, r)
			dates := func(call *checked) []string {
				return slices.DeleteFunc(fields(call), func(line string) bool {
					return !strings.HasPrefix(line, "Deprecation") && !strings.HasPrefix(line, "Sunset")
				})
			}
			if got, want := dates(call), dates(other); test.name != "moved" && !slices.Equal(got, want) {
				t.Errorf("kept: fields %q, others %q", got, want)
			}
		})
	}
}
