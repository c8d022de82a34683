package catalogue_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// decode decodes a configuration and makes its catalogue.
func decode(text string) error {
	var config catalogue.Config
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		return err
	}
	_, err := catalogue.New(config)
	return err
}

// entry is a configuration with this entry and one after it.
func entry(members string) string {
	return `{"versions": [{"version": "v1", ` + members + `}, {"version": "v2"}]}`
}

// brownouts is a configuration with these windows in a version that is deprecated
// in 2025 and ends on 2026-06-30.
func brownouts(windows, settings string) string {
	return `{"versions": [{"version": "v1", "deprecated": "2025-06-30", "sunset": "2026-06-30", "brownouts": [` +
		windows + `]}, {"version": "v2"}], ` + settings + `}`
}

func TestMistakes(t *testing.T) {
	const served = `"served_header": "Api-Version"`
	tests := []struct {
		name, config string
		want         []mistake
	}{
		{"no versions", `{"versions": []}`, []mistake{{catalogue.CodeNoVersions, "versions"}}},
		{"no key of versions", `{}`, []mistake{{catalogue.CodeNoVersions, "versions"}}},
		{"a version without text", `{"versions": [{"version": ""}]}`, []mistake{{catalogue.CodeVersionEmpty, "versions[0].version"}}},
		{"a version twice", `{"versions": [{"version": "v1"}, {"version": "v2"}, {"version": "v1"}]}`,
			[]mistake{{catalogue.CodeVersionTwice, "versions[2].version"}}},
		{"versions that differ in case only", `{"versions": [{"version": "v1"}, {"version": "V1"}]}`, nil},
		{"only previews", `{"versions": [{"version": "v1", "preview": true}]}`, []mistake{{catalogue.CodeOnlyPreview, "versions"}}},

		{"a comma in lists", `{"versions": [{"version": "v1,v2"}], "report": true}`, []mistake{{catalogue.CodeVersionNotListable, "versions[0].version"}}},
		{"a control character in the served field", `{"versions": [{"version": "v1\n"}], ` + served + `}`,
			[]mistake{{catalogue.CodeVersionNotListable, "versions[0].version"}}},
		{"not ASCII in the served field", `{"versions": [{"version": "v²"}], ` + served + `}`,
			[]mistake{{catalogue.CodeVersionNotListable, "versions[0].version"}}},
		{"a space in lists", `{"versions": [{"version": "v 1"}], "report": true}`, []mistake{{catalogue.CodeVersionNotListable, "versions[0].version"}}},
		{"any text in no field", `{"versions": [{"version": "v1,²\n"}]}`, nil},
		{"too long for lists", `{"versions": [{"version": "` + strings.Repeat("v", 8<<10+1) + `"}], "report": true}`,
			[]mistake{{catalogue.CodeVersionBound, "versions"}}},
		{"as long as lists may be", `{"versions": [{"version": "` + strings.Repeat("v", 8<<10) + `"}], "report": true}`, nil},

		{"a malformed date", entry(`"sunset": "soon"`), []mistake{{catalogue.CodeDateMalformed, "versions[0].sunset"}}},
		{"a fraction of a second", entry(`"deprecated": "2026-06-30T00:00:00.5Z"`), []mistake{{catalogue.CodeDateFraction, "versions[0].deprecated"}}},
		{"the first second of 1970", entry(`"released": "1970-01-01T00:00:00Z"`), []mistake{{catalogue.CodeDateUnset, "versions[0].released"}}},
		{"the second after it", entry(`"released": "1970-01-01T00:00:01Z"`), nil},
		{"the zero time written out", entry(`"sunset": "0001-01-01T00:00:00Z"`), []mistake{{catalogue.CodeDateUnset, "versions[0].sunset"}}},
		{"the year 10000 by its zone", entry(`"sunset": "9999-12-31T23:59:59-01:00"`), []mistake{{catalogue.CodeDateRange, "versions[0].sunset"}}},

		{"a sunset before the deprecation", entry(`"deprecated": "2026-06-30T00:00:01Z", "sunset": "2026-06-30T00:00:00Z"`),
			[]mistake{{catalogue.CodeSunsetBeforeDeprecation, "versions[0].sunset"}}},
		{"before it by the zone", entry(`"deprecated": "2026-06-30T00:00:00Z", "sunset": "2026-06-30T01:00:00+02:00"`),
			[]mistake{{catalogue.CodeSunsetBeforeDeprecation, "versions[0].sunset"}}},
		{"a sunset with the deprecation", entry(`"deprecated": "2026-06-30T00:00:00Z", "sunset": "2026-06-30T02:00:00+02:00"`), nil},
		{"a deprecation before the release", entry(`"released": "2026-06-30", "deprecated": "2026-06-29"`),
			[]mistake{{catalogue.CodeDeprecationBeforeRelease, "versions[0].deprecated"}}},
		{"a deprecation with the release", entry(`"released": "2026-06-30", "deprecated": "2026-06-30"`), nil},
		{"a sunset before the release", entry(`"released": "2026-06-30", "sunset": "2026-06-29"`),
			[]mistake{{catalogue.CodeSunsetBeforeRelease, "versions[0].sunset"}}},
		{"a sunset with the release", entry(`"released": "2026-06-30", "sunset": "2026-06-30"`), nil},
		{"a sunset before both", entry(`"released": "2026-06-28", "deprecated": "2026-06-30", "sunset": "2026-06-27"`), []mistake{
			{catalogue.CodeSunsetBeforeDeprecation, "versions[0].sunset"}, {catalogue.CodeSunsetBeforeRelease, "versions[0].sunset"}}},

		{"an unknown successor", entry(`"successor": "v9"`), []mistake{{catalogue.CodeSuccessorUnknown, "versions[0].successor"}}},
		{"a successor of itself", entry(`"successor": "v1"`), []mistake{{catalogue.CodeSuccessorSelf, "versions[0].successor"}}},
		{"an older successor", `{"versions": [{"version": "v1"}, {"version": "v2", "successor": "v1"}]}`,
			[]mistake{{catalogue.CodeSuccessorOlder, "versions[1].successor"}}},
		{"a preview as successor", `{"versions": [{"version": "v1", "successor": "v2"}, {"version": "v2", "preview": true}]}`,
			[]mistake{{catalogue.CodeSuccessorPreview, "versions[0].successor"}}},
		{"a successor that is gone first",
			`{"versions": [{"version": "v1", "sunset": "2027-01-01", "successor": "v2"}, {"version": "v2", "sunset": "2026-12-31"}]}`,
			[]mistake{{catalogue.CodeSuccessorGoneFirst, "versions[0].successor"}}},
		{"a successor that is gone at once",
			`{"versions": [{"version": "v1", "sunset": "2027-01-01", "successor": "v2"}, {"version": "v2", "sunset": "2027-01-01"}]}`, nil},
		{"a successor that is gone, of a version that stays",
			`{"versions": [{"version": "v1", "successor": "v2"}, {"version": "v2", "sunset": "2027-01-01"}]}`, nil},
		{"a preview may have a successor", `{"versions": [{"version": "v1", "preview": true, "successor": "v2"}, {"version": "v2"}]}`, nil},

		{"a window without length", brownouts(`{"from": "2026-05-05", "until": "2026-05-05"}`, served),
			[]mistake{{catalogue.CodeBrownoutWindow, "versions[0].brownouts[0]"}}},
		{"a window backwards", brownouts(`{"from": "2026-05-05", "until": "2026-05-04"}`, served),
			[]mistake{{catalogue.CodeBrownoutWindow, "versions[0].brownouts[0]"}}},
		{"a window without an end", brownouts(`{"from": "2026-05-05"}`, served), []mistake{{catalogue.CodeBrownoutWindow, "versions[0].brownouts[0].until"}}},
		{"a window without a beginning", brownouts(`{"until": "2026-05-05"}`, served), []mistake{{catalogue.CodeBrownoutWindow, "versions[0].brownouts[0].from"}}},
		{"a window of a fraction", brownouts(`{"from": "2026-05-05T00:00:00.1Z", "until": "2026-05-06"}`, served),
			[]mistake{{catalogue.CodeDateFraction, "versions[0].brownouts[0].from"}}},
		{"windows that overlap, in any order",
			brownouts(`{"from": "2026-05-05", "until": "2026-05-07"}, {"from": "2026-05-03", "until": "2026-05-06"}`, served),
			[]mistake{{catalogue.CodeBrownoutOverlap, "versions[0].brownouts[0]"}}},
		{"a window twice", brownouts(`{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-05", "until": "2026-05-06"}`, served),
			[]mistake{{catalogue.CodeBrownoutOverlap, "versions[0].brownouts[1]"}}},
		{"a window within one, and one after it",
			brownouts(`{"from": "2026-05-01", "until": "2026-05-09"}, {"from": "2026-05-02", "until": "2026-05-03"}, {"from": "2026-05-08", "until": "2026-05-10"}`, served),
			[]mistake{{catalogue.CodeBrownoutOverlap, "versions[0].brownouts[1]"}, {catalogue.CodeBrownoutOverlap, "versions[0].brownouts[2]"}}},
		{"windows that touch", brownouts(`{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-06", "until": "2026-05-07"}`, served), nil},
		{"a window before the deprecation", brownouts(`{"from": "2025-06-29T23:59:59Z", "until": "2026-05-06"}`, served),
			[]mistake{{catalogue.CodeBrownoutNotDeprecated, "versions[0].brownouts[0].from"}}},
		{"a window with the deprecation", brownouts(`{"from": "2025-06-30", "until": "2026-05-06"}`, served), nil},
		{"windows without a deprecation", entry(`"brownouts": [{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-07", "until": "2026-05-08"}]`),
			[]mistake{{catalogue.CodeBrownoutNotDeprecated, "versions[0].brownouts"}}},
		{"a window after the sunset", brownouts(`{"from": "2026-06-29", "until": "2026-06-30T00:00:01Z"}`, `"after_sunset": "gone"`),
			[]mistake{{catalogue.CodeBrownoutAfterSunset, "versions[0].brownouts[0].until"}}},
		{"a window until the sunset", brownouts(`{"from": "2026-06-29", "until": "2026-06-30"}`, `"after_sunset": "gone"`), nil},
		{"a window after a sunset that ends nothing", brownouts(`{"from": "2026-07-05", "until": "2026-07-06"}`, `"after_sunset": "serve"`), nil},
		{"a status of success", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 200}`, served),
			[]mistake{{catalogue.CodeBrownoutStatus, "versions[0].brownouts[0].status"}}},
		{"a status below 400", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 399}`, served),
			[]mistake{{catalogue.CodeBrownoutStatus, "versions[0].brownouts[0].status"}}},
		{"a status of 400", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 400}`, served), nil},
		{"a status of 599", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 599}`, served), nil},
		{"a status above 599", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 600}`, served),
			[]mistake{{catalogue.CodeBrownoutStatus, "versions[0].brownouts[0].status"}}},

		{"an unknown action", `{"versions": [{"version": "v1"}], "after_sunset": "redirect"}`, []mistake{{catalogue.CodeAfterSunsetUnknown, "after_sunset"}}},
		{"an unknown action of a version", entry(`"after_sunset": "Gone"`), []mistake{{catalogue.CodeAfterSunsetUnknown, "versions[0].after_sunset"}}},
		{"falling forward in silence", `{"versions": [{"version": "v1"}], "after_sunset": "fall_forward"}`,
			[]mistake{{catalogue.CodeForwardNeedsServedHeader, "served_header"}}},
		{"one version that falls forward in silence", entry(`"after_sunset": "fall_forward"`),
			[]mistake{{catalogue.CodeForwardNeedsServedHeader, "served_header"}}},
		{"falling forward", `{"versions": [{"version": "v1"}], "after_sunset": "fall_forward", ` + served + `}`, nil},
		{"no version falls forward", `{"versions": [{"version": "v1", "after_sunset": "gone"}], "after_sunset": "fall_forward"}`, nil},
		{"a name that is none", `{"versions": [{"version": "v1"}], "served_header": "Api Version"}`, []mistake{{catalogue.CodeHeaderName, "served_header"}}},
		{"the name of a list", `{"versions": [{"version": "v1"}], "served_header": "api-supported-versions"}`,
			[]mistake{{catalogue.CodeHeaderReserved, "served_header"}}},

		{"many links", entry(`"links": [` + strings.TrimSuffix(strings.Repeat(`{"rel": "a", "href": "/"},`, 9), ",") + `]`),
			[]mistake{{catalogue.CodeLinkBound, "versions[0].links"}}},
		{"as many links as there may be", entry(`"links": [` + strings.TrimSuffix(strings.Repeat(`{"rel": "a", "href": "/"},`, 8), ",") + `]`), nil},
		{"long links", entry(`"links": [{"rel": "a", "href": "/"}, {"rel": "a", "href": "/` + strings.Repeat("x", 2<<10-23) + `"}]`),
			[]mistake{{catalogue.CodeLinkBound, "versions[0].links"}}},
		{"as long as links may be", entry(`"links": [{"rel": "a", "href": "/"}, {"rel": "a", "href": "/` + strings.Repeat("x", 2<<10-24) + `"}]`), nil},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if seen[test.name] {
			t.Errorf("two tests are named %q", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			checkMistakes(t, decode(test.config), test.want...)
		})
	}
}

// What is wrong does not hide what else is wrong.
func TestAllMistakes(t *testing.T) {
	err := decode(`{"versions": [
		{"version": "v1", "deprecated": "2026-02-30", "sunset": "2026-06-30", "links": [{"rel": "", "href": ""}], "successor": "v9"},
		{"version": "v1", "released": "2026-01-01T00:00:00.25Z", "deprecated": "2025-01-01", "sunset": "2024-01-01"}
	], "after_sunset": "vanish", "served_header": "Link"}`)
	checkMistakes(t, err,
		mistake{catalogue.CodeDateMalformed, "versions[0].deprecated"},
		mistake{catalogue.CodeDateFraction, "versions[1].released"},
		mistake{catalogue.CodeAfterSunsetUnknown, "after_sunset"},
		mistake{catalogue.CodeHeaderReserved, "served_header"},
		mistake{catalogue.CodeLinkRelation, "versions[0].links[0].rel"},
		mistake{catalogue.CodeLinkTarget, "versions[0].links[0].href"},
		mistake{catalogue.CodeVersionTwice, "versions[1].version"},
		mistake{catalogue.CodeSunsetBeforeDeprecation, "versions[1].sunset"},
		mistake{catalogue.CodeSuccessorUnknown, "versions[0].successor"},
	)
	if !errors.Is(err, catalogue.CodeSunsetBeforeDeprecation) || errors.Is(err, catalogue.CodeDateRange) || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v does not match its codes alone", err)
	}
}

// Dates from Go are checked like those from JSON.
func TestDatesInGo(t *testing.T) {
	tests := []struct {
		name string
		date time.Time
		want catalogue.Code
	}{
		{"none", time.Time{}, ""},
		{"none in a zone", time.Time{}.In(time.FixedZone("", 3600)), ""},
		{"a second", time.Unix(1, 0), ""},
		{"the epoch", time.Unix(0, 0), catalogue.CodeDateUnset},
		{"a nanosecond after the epoch", time.Unix(0, 1), catalogue.CodeDateUnset},
		{"before the epoch", time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), catalogue.CodeDateUnset},
		{"a nanosecond after the zero time", time.Time{}.Add(1), catalogue.CodeDateUnset},
		{"a nanosecond", time.Unix(1, 1), catalogue.CodeDateFraction},
		{"the last second", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), ""},
		{"the year 10000", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), catalogue.CodeDateRange},
		{"the year 10000 in GMT", time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -1)), catalogue.CodeDateRange},
		{"the year 10000 elsewhere", time.Date(10000, 1, 1, 0, 0, 0, 0, time.FixedZone("", 1)), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []mistake
			if test.want != "" {
				want = []mistake{{test.want, "versions[0].sunset"}}
			}
			_, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Sunset: test.date}}})
			checkMistakes(t, err, want...)
		})
	}
}

func TestBounds(t *testing.T) {
	many := func(versions, instants int) catalogue.Config {
		var config catalogue.Config
		for i := range versions {
			config.Versions = append(config.Versions, catalogue.Entry{Version: fmt.Sprint("v", i)})
		}
		first := &config.Versions[0]
		first.Deprecated = time.Unix(1, 0)
		for i := range int64(instants-1) / 2 {
			first.Brownouts = append(first.Brownouts, catalogue.Brownout{From: time.Unix(4*i+2, 0), Until: time.Unix(4*i+4, 0)})
		}
		if instants%2 == 0 {
			first.Sunset = time.Unix(1e9, 0)
		}
		return config
	}
	tests := []struct {
		name               string
		versions, instants int
		want               []mistake
	}{
		{"at both bounds", catalogue.MaxVersions, catalogue.MaxInstants, nil},
		{"a version more", catalogue.MaxVersions + 1, 1, []mistake{{catalogue.CodeVersionBound, "versions"}}},
		{"an instant more", 1, catalogue.MaxInstants + 1, []mistake{{catalogue.CodeInstantBound, "versions"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := catalogue.New(many(test.versions, test.instants))
			checkMistakes(t, err, test.want...)
		})
	}
}

func TestError(t *testing.T) {
	err := &catalogue.Error{Code: catalogue.CodeDateUnset, Field: "versions[1].sunset", Message: "what to change"}
	if got, want := err.Error(), "catalogue: versions[1].sunset: what to change (date_unset)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	err.Field = ""
	if got, want := err.Error(), "catalogue: what to change (date_unset)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if got, want := err.Code.Error(), "date_unset"; got != want {
		t.Errorf("Code.Error() = %q, want %q", got, want)
	}
}
