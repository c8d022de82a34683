package catalogue_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

func TestWarnings(t *testing.T) {
	link := []catalogue.Link{{Rel: "sunset", Href: "/"}}
	last := catalogue.Entry{Version: "v9"}
	type warning struct {
		code    string
		version string
		from    string
	}
	tests := []struct {
		name    string
		now     string
		action  catalogue.Action
		entries []catalogue.Entry
		want    []warning
	}{
		{"nothing", "2026-01-01", "", []catalogue.Entry{last}, nil},
		{"a plan", "2026-01-01", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-03-01"), Sunset: at("2026-12-01"), Successor: "v9"}, last}, nil},
		{"a sunset to come, and nobody said what happens then", "2025-12-31T23:59:59Z", "", []catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2026-01-01"), Links: link}, last},
			[]warning{{"sunset_without_end", "v1", "2026-01-01T00:00:00Z"}}},
		{"a sunset to come that ends nothing", "2025-12-31T23:59:59Z", catalogue.Serve, []catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2026-01-01"), Links: link}, last}, nil},
		{"a sunset to come that ends nothing in one version", "2025-12-31T23:59:59Z", "",
			[]catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2026-01-01"), Links: link, AfterSunset: catalogue.Serve}, last}, nil},
		{"a sunset that passed and ended nothing", "2026-01-01", "", []catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2026-01-01"), Links: link}, last},
			[]warning{{"sunset_passed", "v1", "2026-01-01T00:00:00Z"}}},
		{"a sunset that passed and ended the version", "2026-01-01", catalogue.Gone,
			[]catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2026-01-01"), Links: link}, last}, nil},
		{"a sunset without a deprecation", "2026-01-01", catalogue.Serve, []catalogue.Entry{{Version: "v1", Sunset: at("2027-01-01"), Links: link}, last},
			[]warning{{"sunset_without_deprecation", "v1", "2027-01-01T00:00:00Z"}}},
		{"a second less than 30 days", "2026-01-01", catalogue.Serve, []catalogue.Entry{{Version: "v1", Deprecated: at("2027-01-01T00:00:01Z"), Sunset: at("2027-01-31"), Links: link}, last},
			[]warning{{"short_notice", "v1", "2027-01-01T00:00:01Z"}}},
		{"30 days", "2026-01-01", catalogue.Serve, []catalogue.Entry{{Version: "v1", Deprecated: at("2027-01-01"), Sunset: at("2027-01-31"), Links: link}, last}, nil},
		{"a brownout of a second more than 30 days", "2026-01-01", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2027-01-01"), Links: link,
			Brownouts: []catalogue.Brownout{{From: at("2026-03-01"), Until: at("2026-03-31T00:00:01Z")}}}, last}, []warning{{"brownout_long", "v1", "2026-03-01T00:00:00Z"}}},
		{"30 days off", "2026-01-01", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2027-01-01"), Links: link,
			Brownouts: []catalogue.Brownout{{From: at("2026-03-01"), Until: at("2026-03-31")}}}, last}, nil},
		{"a long brownout that is over", "2026-06-01", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2027-01-01"), Links: link,
			Brownouts: []catalogue.Brownout{{From: at("2026-03-01"), Until: at("2026-05-01")}}}, last}, nil},
		{"another year than was meant", "2026-11-30", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2206-01-01"), Links: link}, last},
			[]warning{{"date_distant", "v1", "2206-01-01T00:00:00Z"}}},
		{"a deprecation in another year", "2026-11-30", "", []catalogue.Entry{{Version: "v1", Deprecated: at("2206-01-01"), Links: link}, last},
			[]warning{{"date_distant", "v1", "2206-01-01T00:00:00Z"}}},
		{"the end of the century", "2026-11-30", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2099-12-31"), Links: link}, last},
			[]warning{{"date_distant", "v1", "2099-12-31T00:00:00Z"}}},
		{"in twenty years", "2026-11-30", catalogue.Gone, []catalogue.Entry{{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2046-11-01"), Links: link}, last}, nil},
		{"no way forward from a deprecation", "2026-01-01", "", []catalogue.Entry{{Version: "v1", Deprecated: at("2027-01-01")}, last},
			[]warning{{"no_way_forward", "v1", "2027-01-01T00:00:00Z"}}},
		{"no way forward from a sunset", "2026-01-01", catalogue.Serve, []catalogue.Entry{{Version: "v1", Sunset: at("2027-01-01")}, last},
			[]warning{{"sunset_without_deprecation", "v1", "2027-01-01T00:00:00Z"}, {"no_way_forward", "v1", "2027-01-01T00:00:00Z"}}},
		{"nothing left some day", "2026-01-01", catalogue.Gone,
			[]catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2027-01-01"), Links: link}, {Version: "beta", Preview: true}},
			[]warning{{"nothing_left", "", "2027-01-01T00:00:00Z"}}},
		{"nothing left already", "2028-01-01", catalogue.Gone,
			[]catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2027-01-01"), Links: link}},
			[]warning{{"nothing_left", "", "2027-01-01T00:00:00Z"}}},
		{"nothing left but what is served past its sunset", "2026-01-01", catalogue.Serve,
			[]catalogue.Entry{{Version: "v1", Deprecated: at("2025-01-01"), Sunset: at("2027-01-01"), Links: link}}, nil},
		{"nothing yet", "2026-01-01", "", []catalogue.Entry{{Version: "v1", Released: at("2027-01-01")}}, []warning{{"nothing_left", "", ""}}},
		{"nothing yet, once", "2028-01-01", "", []catalogue.Entry{{Version: "v1", Released: at("2027-01-01")}}, nil},
		{"two times without a version", "2026-01-01", catalogue.Gone,
			[]catalogue.Entry{{Version: "v1", Released: at("2026-02-01"), Deprecated: at("2026-02-01"), Sunset: at("2026-04-01"), Links: link},
				{Version: "v2", Released: at("2026-05-01")}, {Version: "v3", Released: at("2026-06-01")}},
			[]warning{{"nothing_left", "", ""}, {"nothing_left", "", "2026-04-01T00:00:00Z"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newCatalogue(t, catalogue.Config{Versions: test.entries, AfterSunset: test.action, ServedHeader: "Api-Version"})
			var got []warning
			for _, w := range c.Warnings(at(test.now)) {
				if w.Message == "" {
					t.Errorf("%+v has no message", w)
				}
				from := ""
				if !w.From.IsZero() {
					from = w.From.Format(time.RFC3339)
				}
				got = append(got, warning{w.Code, w.Version, from})
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("warnings %v, want %v", got, test.want)
			}
		})
	}
}

func ExampleCatalogue_Warnings() {
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{{
			Version:    "v1",
			Deprecated: time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC),
			Sunset:     time.Date(2026, time.June, 15, 0, 0, 0, 0, time.UTC),
		}},
		AfterSunset: catalogue.Gone,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, warning := range versions.Warnings(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)) {
		fmt.Printf("%s: %s\n", warning.Code, warning.Message)
	}
	// Output:
	// short_notice: version "v1" ends less than 30 days after it is deprecated: move either date
	// no_way_forward: version "v1" is deprecated or ends, but has neither a successor nor a link for clients: add one
	// nothing_left: no version is served, except previews, from 2026-06-15T00:00:00Z: list a version without a sunset, or move a release or a sunset
}
