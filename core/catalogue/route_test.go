package catalogue_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

func TestRouteMistakes(t *testing.T) {
	c := newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: at("2026-06-30"), Sunset: at("2027-06-30")}, {Version: "v2", Deprecated: at("2026-07-30")}, {Version: "v3"},
	}})
	tests := []struct {
		name  string
		route catalogue.RouteConfig
		want  []mistake
	}{
		{"an unknown beginning", catalogue.RouteConfig{Since: "v9"}, []mistake{{"since_unknown", "since"}}},
		{"an unknown end", catalogue.RouteConfig{RemovedIn: "v9"}, []mistake{{"removed_unknown", "removed_in"}}},
		{"both unknown", catalogue.RouteConfig{Since: "v8", RemovedIn: "v9"},
			[]mistake{{"since_unknown", "since"}, {"removed_unknown", "removed_in"}}},
		{"removed where it begins", catalogue.RouteConfig{Since: "v2", RemovedIn: "v2"}, []mistake{{"range_empty", ""}}},
		{"removed before it begins", catalogue.RouteConfig{Since: "v3", RemovedIn: "v2"}, []mistake{{"range_empty", ""}}},
		{"removed in the first version", catalogue.RouteConfig{RemovedIn: "v1"}, []mistake{{"range_empty", ""}}},
		{"no range next to a link without target", catalogue.RouteConfig{RemovedIn: "v1", Links: []catalogue.Link{{Rel: "sunset"}}},
			[]mistake{{"link_target", "links[0].href"}, {"range_empty", ""}}},
		{"no choice", catalogue.RouteConfig{Choices: []catalogue.Choice{}}, []mistake{{"dispatch_empty", "choices"}}},
		{"a removal first", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v1", Removed: true}, {From: "v2"}}},
			[]mistake{{"dispatch_empty", `choices["v1"]`}}},
		{"a removal alone", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v2", Removed: true}}}, []mistake{{"dispatch_empty", `choices["v2"]`}}},
		{"an unknown choice", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v9"}}}, []mistake{{"since_unknown", `choices["v9"]`}}},
		{"an unknown choice before a removal", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: ""}, {From: "v2", Removed: true}}},
			[]mistake{{"since_unknown", `choices[""]`}}},
		{"an unknown removal", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v1"}, {From: "v9", Removed: true}}},
			[]mistake{{"removed_unknown", `choices["v9"]`}}},
		{"two unknown choices", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v8"}, {From: "v9"}}},
			[]mistake{{"since_unknown", `choices["v8"]`}, {"since_unknown", `choices["v9"]`}}},
		{"choices outside of the range", catalogue.RouteConfig{RemovedIn: "v2", Choices: []catalogue.Choice{{From: "v2"}}},
			[]mistake{{"range_empty", ""}}},
		{"a choice after the range", catalogue.RouteConfig{RemovedIn: "v2", Choices: []catalogue.Choice{{From: "v1"}, {From: "v2"}}},
			[]mistake{{"choice_unused", `choices["v2"]`}}},
		{"a choice before the range", catalogue.RouteConfig{Since: "v2", Choices: []catalogue.Choice{{From: "v2"}, {From: "v1"}, {From: "v3", Removed: true}}},
			[]mistake{{"choice_unused", `choices["v1"]`}}},
		{"a choice that begins before the range", catalogue.RouteConfig{Since: "v2", Choices: []catalogue.Choice{{From: "v1"}}}, nil},
		{"a fraction", catalogue.RouteConfig{Deprecated: time.Unix(1, 1)}, []mistake{{"date_fraction", "deprecated"}}},
		{"its own dates in the wrong order", catalogue.RouteConfig{Deprecated: at("2026-01-02"), Sunset: at("2026-01-01")},
			[]mistake{{"sunset_before_deprecation", "sunset"}}},
		{"a sunset before the deprecation of its versions", catalogue.RouteConfig{Sunset: at("2026-03-01")},
			[]mistake{{"sunset_before_deprecation", "sunset"}}},
		{"a sunset before the deprecation of one version", catalogue.RouteConfig{Sunset: at("2026-07-29"), Since: "v2"},
			[]mistake{{"sunset_before_deprecation", "sunset"}}},
		{"a sunset before the deprecation of a version without the route", catalogue.RouteConfig{Sunset: at("2026-03-01"), Since: "v3"}, nil},
		{"a sunset before the deprecation of versions, with an earlier deprecation",
			catalogue.RouteConfig{Deprecated: at("2026-02-01"), Sunset: at("2026-03-01")}, nil},
		{"a deprecation after the sunset of a version that is deprecated", catalogue.RouteConfig{Deprecated: at("2028-01-01")}, nil},
		{"a link without a relation", catalogue.RouteConfig{Links: []catalogue.Link{{Href: "/"}}}, []mistake{{"link_relation", "links[0].rel"}}},
		{"many links", catalogue.RouteConfig{Links: slices.Repeat([]catalogue.Link{{Rel: "sunset", Href: "/"}}, 9)}, []mistake{{"link_bound", "links"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table, err := c.Route(test.route)
			checkMistakes(t, err, test.want...)
			if (table == nil) != (err != nil) {
				t.Errorf("a table and the error %v", err)
			}
		})
	}
}

// The error for a misspelt version lists the newest ten versions.
func TestUnknownVersion(t *testing.T) {
	for n, want := range map[int]string{
		2:  `"v9" is not a listed version: write one, such as v21, v22`,
		12: `"v9" is not a listed version: write one, such as v23, v24, v25, v26, v27, v28, v29, v30, v31, v32`,
	} {
		var config catalogue.Config
		for i := range n {
			config.Versions = append(config.Versions, catalogue.Entry{Version: fmt.Sprint("v", 21+i)})
		}
		_, err := newCatalogue(t, config).Route(catalogue.RouteConfig{Since: "v9"})
		var mistake *catalogue.Error
		if !errors.As(err, &mistake) || mistake.Message != want {
			t.Errorf("of %d versions: %v, want %s", n, err, want)
		}
	}
}

func TestChoice(t *testing.T) {
	c := newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{{Version: "v8"}, {Version: "v9"}, {Version: "v10"}, {Version: "v11"}}})
	tests := []struct {
		name  string
		route catalogue.RouteConfig
		want  []int
	}{
		{"every version", catalogue.RouteConfig{}, []int{0, 0, 0, 0}},
		{"since, in the order of the list", catalogue.RouteConfig{Since: "v10"}, []int{-1, -1, 0, 0}},
		{"removed", catalogue.RouteConfig{RemovedIn: "v10"}, []int{0, 0, -1, -1}},
		{"since and removed", catalogue.RouteConfig{Since: "v9", RemovedIn: "v11"}, []int{-1, 0, 0, -1}},
		{"choices in any order", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v10"}, {From: "v8"}}}, []int{1, 1, 0, 0}},
		{"a gap", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v8"}, {From: "v9", Removed: true}, {From: "v11"}}}, []int{0, -1, -1, 2}},
		{"a removal twice", catalogue.RouteConfig{Choices: []catalogue.Choice{{From: "v8"}, {From: "v9", Removed: true}, {From: "v10", Removed: true}}}, []int{0, -1, -1, -1}},
		{"choices within a range", catalogue.RouteConfig{Since: "v9", RemovedIn: "v11", Choices: []catalogue.Choice{{From: "v8"}, {From: "v10"}}}, []int{-1, 0, 1, -1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := newRoute(t, c, test.route)
			for i, want := range test.want {
				if got := table.Choice(i); got != want || table.Has(i) != (want >= 0) {
					t.Errorf("Choice(%d) = %d, want %d", i, got, want)
				}
			}
		})
	}
}

func ExampleCatalogue_Route() {
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}},
		Report:   true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	route, err := versions.Route(catalogue.RouteConfig{
		Since:      "v2",
		Deprecated: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	moment := versions.At(time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC))
	for i, version := range versions.Versions() {
		decision := route.Decide(moment, i)
		fmt.Println(version, decision.Outcome, decision.Fields)
	}
	fmt.Println(route.Lists(moment).Fields)
	// Output:
	// v1 not_in_version []
	// v2 served [{Deprecation [@1772323200]}]
	// v3 served [{Deprecation [@1772323200]}]
	// [{Api-Supported-Versions [v2, v3]}]
}
