package catalogue_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/goverso/verso/core/catalogue"
)

func TestDecide(t *testing.T) {
	c := newCatalogue(t, retirement())
	plain := c.Table()
	since := newRoute(t, c, catalogue.RouteConfig{Since: "v3"})
	ends := newRoute(t, c, catalogue.RouteConfig{RemovedIn: "v2", Sunset: at("2026-06-01"), Links: []catalogue.Link{{Rel: "sunset", Href: "/route"}}})
	tests := []struct {
		name    string
		table   *catalogue.Table
		now     string
		version string
		want    catalogue.Decision // without fields
		fields  string             // the version whose fields are sent, "": no fields, "route": the route's
	}{
		{"before the release", plain, "2024-01-14T23:59:59Z", "v1", catalogue.Decision{Outcome: catalogue.Unknown, State: catalogue.Unreleased, Version: -1}, ""},
		{"at the release", plain, "2024-01-15", "v1", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Supported}, "v1"},
		{"before the deprecation", plain, "2026-02-28T23:59:59Z", "v1", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Supported}, "v1"},
		{"at the deprecation", plain, "2026-03-01", "v1", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Deprecated}, "v1"},
		{"in a brownout", plain, "2026-11-10T14:30:00Z", "v1",
			catalogue.Decision{Outcome: catalogue.VersionBrownout, State: catalogue.Deprecated, Status: 410, RetryAfter: 1800}, "v1"},
		{"before the sunset", plain, "2026-11-30T23:59:59Z", "v1", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Deprecated}, "v1"},
		{"at the sunset", plain, "2026-12-01", "v1", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Ended, Version: 1}, "v1"},
		{"another version", plain, "2026-12-01", "v2", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Supported, Version: 1}, ""},
		{"a preview", plain, "2026-12-01", "beta", catalogue.Decision{Outcome: catalogue.Served, State: catalogue.Supported, Version: 3}, ""},
		{"forward to a version without the route", since, "2026-12-01", "v1",
			catalogue.Decision{Outcome: catalogue.NotInVersion, State: catalogue.Ended, Version: 1}, "v1"},
		{"a brownout of a version without the route", since, "2026-11-10T14:59:59Z", "v1",
			catalogue.Decision{Outcome: catalogue.VersionBrownout, State: catalogue.Deprecated, Status: 410, RetryAfter: 1}, "v1"},
		{"a version to come that has the route", since, "2026-12-31T23:59:59Z", "v3", catalogue.Decision{Outcome: catalogue.Unknown, State: catalogue.Unreleased, Version: -1}, ""},
		{"a route that is gone", ends, "2026-06-01", "v2", catalogue.Decision{Outcome: catalogue.RouteGone, State: catalogue.Supported, Version: 1}, "route"},
		{"a route that is not gone yet, in a version without it", ends, "2026-05-31", "v2",
			catalogue.Decision{Outcome: catalogue.NotInVersion, State: catalogue.Supported, Version: 1}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			index, ok := c.Index(test.version)
			if !ok {
				t.Fatalf("no version %s", test.version)
			}
			got := test.table.Decide(c.At(at(test.now)), index)
			fields := map[string][]string{}
			switch test.fields {
			case "v1":
				fields = linesOf(test.table.Fields(0))
			case "route":
				fields = linesOf(test.table.RouteFields())
			}
			if lines := linesOf(got.Fields); !maps.EqualFunc(lines, fields, slices.Equal) {
				t.Errorf("fields %v, want %v", lines, fields)
			}
			got.Fields, test.want.Fields = nil, nil
			if got.Outcome != test.want.Outcome || got.State != test.want.State || got.Version != test.want.Version ||
				got.Status != test.want.Status || got.RetryAfter != test.want.RetryAfter {
				t.Errorf("Decide() = %+v, want %+v", got, test.want)
			}
		})
	}
}

// Problem details and fields have the same dates.
func TestSunset(t *testing.T) {
	c := newCatalogue(t, retirement())
	route := newRoute(t, c, catalogue.RouteConfig{RemovedIn: "v3", Sunset: at("2026-11-15T12:00:00Z")})
	for _, test := range []struct{ name, got, want string }{
		{"a version", c.Table().Sunset(0), "2026-12-01T00:00:00Z"},
		{"a version without a date", c.Table().Sunset(1), ""},
		{"the earlier one", route.Sunset(0), "2026-11-15T12:00:00Z"},
		{"the route's", route.Sunset(1), "2026-11-15T12:00:00Z"},
		{"a version without the route", route.Sunset(2), ""},
		{"the route", route.RouteSunset(), "2026-11-15T12:00:00Z"},
		{"no route", c.Table().RouteSunset(), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

// Lists can be map keys: the pointer stays the same while nothing changes, and is
// the same for every route with the same versions.
func TestSharedLists(t *testing.T) {
	c := newCatalogue(t, retirement())
	one := newRoute(t, c, catalogue.RouteConfig{Since: "v2"})
	other := newRoute(t, c, catalogue.RouteConfig{Since: "v2", Deprecated: at("2026-01-01")})
	before, after := c.At(at("2026-01-01")), c.At(at("2026-12-31"))
	if one.Lists(before) != one.Lists(after) || one.Lists(before) != other.Lists(before) {
		t.Error("the lists of v2 and later differ before the release of v3")
	}
	if one.Lists(before) == c.Table().Lists(before) || one.Lists(before) == one.Lists(c.At(at("2027-01-01"))) {
		t.Error("different lists are the same")
	}
	if before.Stage() == after.Stage() || after.Stage() >= c.Stages() {
		t.Errorf("stages %d and %d of %d", before.Stage(), after.Stage(), c.Stages())
	}
	if brownout := c.At(at("2026-11-10T14:30:00Z")); brownout.Stage() != c.At(at("2026-11-01")).Stage() {
		t.Error("a brownout begins a stage")
	}
}

func TestNames(t *testing.T) {
	for i, want := range []string{"", "unreleased", "supported", "deprecated", "ended"} {
		if got := catalogue.State(i).String(); got != want {
			t.Errorf("State(%d) is %q, want %q", i, got, want)
		}
	}
	for i, want := range []string{"unknown", "version_gone", "version_brownout", "route_gone", "not_in_version", "served"} {
		if got := catalogue.Outcome(i).String(); got != want {
			t.Errorf("Outcome(%d) is %q, want %q", i, got, want)
		}
	}
}
