package adapter_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/versotest"
)

// A kept request is neither ended nor browned out, and told of it.
func TestKept(t *testing.T) {
	header := verso.Header("Api-Version")
	ended := []verso.RouteOption{verso.SunsetAt(coretest.Date(2026, 7, 1))}
	forward := ending(versotest.NewClock(coretest.Date(2027, 1, 1)), catalogue.FallForward, verso.MoveUnversioned)
	for _, test := range []struct {
		name    string
		config  verso.Config
		ask     coretest.Ask
		options []verso.RouteOption
		kept    string
		others  string
	}{
		{"gone", ending(versotest.NewClock(coretest.Date(2027, 1, 1)), catalogue.Gone, ""), coretest.Field("v1"), nil, "= v1", "410 version_gone"},
		{"the default", ending(versotest.NewClock(coretest.Date(2027, 1, 1)), catalogue.Gone, verso.RejectUnversioned), coretest.Ask{}, nil, "= v1", "410 version_gone"},
		{"fallen forward", forward, coretest.Field("v1"), nil, "= v1", "= v3"},
		{"moved", forward, coretest.Ask{}, nil, "= v1", "= v2"},
		{"brownout", verso.Config{Clock: versotest.NewClock(coretest.Date(2026, 12, 24)).Now, Catalogue: catalogue.MustNew(coretest.Lives())}, coretest.Field("v1"), nil, "= v1", "503 version_brownout"},
		{"route", ending(versotest.NewClock(coretest.Date(2026, 8, 1)), catalogue.Gone, ""), coretest.Field("v3"), ended, "= v3", "410 route_gone"},
		{"route without a version", coretest.With(ending(versotest.NewClock(coretest.Date(2026, 8, 1)), catalogue.Gone, ""), func(c *verso.Config) {
			c.DefaultVersion, c.AllowUnversioned = verso.Version{}, true
		}), coretest.Ask{}, ended, "none", "410 route_gone"},
		{"neutral", ending(versotest.NewClock(coretest.Date(2026, 8, 1)), catalogue.Gone, ""), coretest.Field("v3"), append([]verso.RouteOption{verso.Neutral()}, ended...), "none", "410 route_gone"},
		{"not in the version", forward, coretest.Field("v1"), []verso.RouteOption{verso.Since("v2")}, "404 not_in_version", "= v3"},
		{"unknown", forward, coretest.Field("v9"), nil, "400 invalid_header_version", "400 invalid_header_version"},
		{"unreleased", forward, coretest.Field("v4"), nil, "400 invalid_header_version", "400 invalid_header_version"},
		{"supported", forward, coretest.Field("v3"), nil, "= v3", "= v3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := coretest.Bound(verso.MustNew(header, test.config))
			test.ask.Route = coretest.Registered(b, test.options...)
			r := test.ask.Request()
			coretest.Expect(t, b, r, test.others, "others")
			call := &coretest.Checked{KeepServed: true}
			_ = coretest.SeamOf(b).Check(call, &adapter.Call{Request: r}, func(*coretest.Checked) {}) // the error is in call
			version := verso.Version{}
			if call.Err == nil {
				version = call.Kept.Version()
			}
			if got := coretest.OutcomeOf(version, call.Err); got != test.kept {
				t.Errorf("kept: %s, want %s", got, test.kept)
			}
			_, other := coretest.Begin(b, r)
			dates := func(call *coretest.Checked) []string {
				return slices.DeleteFunc(coretest.Fields(call), func(line string) bool {
					return !strings.HasPrefix(line, "Deprecation") && !strings.HasPrefix(line, "Sunset")
				})
			}
			if got, want := dates(call), dates(other); test.name != "moved" && !slices.Equal(got, want) {
				t.Errorf("kept: fields %q, others %q", got, want)
			}
		})
	}
}
