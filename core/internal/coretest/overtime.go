package coretest

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

// SixFields is a catalogue whose v1 has six response fields, at the time of its
// clock: Deprecation, Sunset, Link, both lists and the version served.
func SixFields() verso.Config {
	return verso.Config{
		Clock: versotest.NewClock(Date(2026, 11, 21)).Now,
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{
					Version: "v1", Deprecated: Date(2026, 1, 1), Sunset: Date(2027, 1, 1), Successor: "v2",
					Links: []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1"}},
				},
				{Version: "v2"}, {Version: "v3"},
			},
			AfterSunset: catalogue.Gone, Report: true, ServedHeader: "Api-Version",
		}),
	}
}

// Lives is a catalogue of versions in all states on 2026-11-21 and around it.
func Lives() catalogue.Config {
	return catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v0", Deprecated: Date(2025, 1, 1), Sunset: Date(2026, 1, 1), Successor: "v2",
				AfterSunset: catalogue.Gone},
			{
				Version: "v1", Deprecated: Date(2026, 1, 1), Sunset: Date(2027, 1, 1), Successor: "v2",
				AfterSunset: catalogue.FallForward,
				Brownouts: []catalogue.Brownout{{From: Date(2026, 12, 1), Until: Date(2026, 12, 2)},
					{From: Date(2026, 12, 24), Until: Date(2027, 1, 1), Status: 503}},
			},
			{Version: "v2"},
			{Version: "v3", Released: Date(2026, 12, 1)},
			{Version: "beta", Preview: true},
		},
		Report: true, ServedHeader: "Api-Version", SuccessorLinks: true, ExposeHeaders: true,
	}
}

// OverTime returns the path scheme over the catalogue, and its clock.
func OverTime(tb testing.TB, change func(*verso.Config)) (*verso.Versioning, *versotest.Clock) {
	tb.Helper()
	clock := versotest.NewClock(Date(2026, 11, 21))
	config := verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(Lives())}
	if change != nil {
		change(&config)
	}
	api, err := scheme.NewURLPath("version", config)
	if err != nil {
		tb.Fatal(err)
	}
	return api, clock
}
