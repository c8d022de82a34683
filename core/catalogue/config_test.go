package catalogue_test

import (
	"encoding/json"
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
		{"no versions", `{"versions": []}`, []mistake{{"no_versions", "versions"}}},
		{"no key of versions", `{}`, []mistake{{"no_versions", "versions"}}},
		{"a version without text", `{"versions": [{"version": ""}]}`, []mistake{{"version_empty", "versions[0].version"}}},
		{"a version twice", `{"versions": [{"version": "v1"}, {"version": "v2"}, {"version": "v1"}]}`,
			[]mistake{{"version_twice", "versions[2].version"}}},
		{"versions that differ in case only", `{"versions": [{"version": "v1"}, {"version": "V1"}]}`, nil},
		{"only previews", `{"versions": [{"version": "v1", "preview": true}]}`, []mistake{{"only_preview", "versions"}}},

		{"a comma in lists", `{"versions": [{"version": "v1,v2"}], "report": true}`, []mistake{{"version_not_listable", "versions[0].version"}}},
		{"a control character in the served field", `{"versions": [{"version": "v1\n"}], ` + served + `}`,
			[]mistake{{"version_not_listable", "versions[0].version"}}},
		{"not ASCII in the served field", `{"versions": [{"version": "v²"}], ` + served + `}`,
			[]mistake{{"version_not_listable", "versions[0].version"}}},
		{"a space in lists", `{"versions": [{"version": "v 1"}], "report": true}`, []mistake{{"version_not_listable", "versions[0].version"}}},
		{"any text in no field", `{"versions": [{"version": "v1,²\n"}]}`, nil},
		{"too long for lists", `{"versions": [{"version": "` + strings.Repeat("v", 8<<10+1) + `"}], "report": true}`,
			[]mistake{{"version_bound", "versions"}}},
		{"as long as lists may be", `{"versions": [{"version": "` + strings.Repeat("v", 8<<10) + `"}], "report": true}`, nil},

		{"a malformed date", entry(`"sunset": "soon"`), []mistake{{"date_malformed", "versions[0].sunset"}}},
		{"a fraction of a second", entry(`"deprecated": "2026-06-30T00:00:00.5Z"`), []mistake{{"date_fraction", "versions[0].deprecated"}}},
		{"the first second of 1970", entry(`"released": "1970-01-01T00:00:00Z"`), []mistake{{"date_unset", "versions[0].released"}}},
		{"the second after it", entry(`"released": "1970-01-01T00:00:01Z"`), nil},
		{"the zero time written out", entry(`"sunset": "0001-01-01T00:00:00Z"`), []mistake{{"date_unset", "versions[0].sunset"}}},
		{"the year 10000 by its zone", entry(`"sunset": "9999-12-31T23:59:59-01:00"`), []mistake{{"date_range", "versions[0].sunset"}}},

		{"a sunset before the deprecation", entry(`"deprecated": "2026-06-30T00:00:01Z", "sunset": "2026-06-30T00:00:00Z"`),
			[]mistake{{"sunset_before_deprecation", "versions[0].sunset"}}},
		{"before it by the zone", entry(`"deprecated": "2026-06-30T00:00:00Z", "sunset": "2026-06-30T01:00:00+02:00"`),
			[]mistake{{"sunset_before_deprecation", "versions[0].sunset"}}},
		{"a sunset with the deprecation", entry(`"deprecated": "2026-06-30T00:00:00Z", "sunset": "2026-06-30T02:00:00+02:00"`), nil},
		{"a deprecation before the release", entry(`"released": "2026-06-30", "deprecated": "2026-06-29"`),
			[]mistake{{"deprecation_before_release", "versions[0].deprecated"}}},
		{"a deprecation with the release", entry(`"released": "2026-06-30", "deprecated": "2026-06-30"`), nil},
		{"a sunset before the release", entry(`"released": "2026-06-30", "sunset": "2026-06-29"`),
			[]mistake{{"sunset_before_release", "versions[0].sunset"}}},
		{"a sunset with the release", entry(`"released": "2026-06-30", "sunset": "2026-06-30"`), nil},
		{"a sunset before both", entry(`"released": "2026-06-28", "deprecated": "2026-06-30", "sunset": "2026-06-27"`), []mistake{
			{"sunset_before_deprecation", "versions[0].sunset"}, {"sunset_before_release", "versions[0].sunset"}}},

		{"an unknown successor", entry(`"successor": "v9"`), []mistake{{"successor_unknown", "versions[0].successor"}}},
		{"a successor of itself", entry(`"successor": "v1"`), []mistake{{"successor_self", "versions[0].successor"}}},
		{"an older successor", `{"versions": [{"version": "v1"}, {"version": "v2", "successor": "v1"}]}`,
			[]mistake{{"successor_older", "versions[1].successor"}}},
		{"a preview as successor", `{"versions": [{"version": "v1", "successor": "v2"}, {"version": "v2", "preview": true}]}`,
			[]mistake{{"successor_preview", "versions[0].successor"}}},
		{"a successor that is gone first",
			`{"versions": [{"version": "v1", "sunset": "2027-01-01", "successor": "v2"}, {"version": "v2", "sunset": "2026-12-31"}]}`,
			[]mistake{{"successor_gone_first", "versions[0].successor"}}},
		{"a successor that is gone at once",
			`{"versions": [{"version": "v1", "sunset": "2027-01-01", "successor": "v2"}, {"version": "v2", "sunset": "2027-01-01"}]}`, nil},
		{"a successor that is gone, of a version that stays",
			`{"versions": [{"version": "v1", "successor": "v2"}, {"version": "v2", "sunset": "2027-01-01"}]}`, nil},
		{"a preview may have a successor", `{"versions": [{"version": "v1", "preview": true, "successor": "v2"}, {"version": "v2"}]}`, nil},

		{"a window without length", brownouts(`{"from": "2026-05-05", "until": "2026-05-05"}`, served),
			[]mistake{{"brownout_window", "versions[0].brownouts[0]"}}},
		{"a window backwards", brownouts(`{"from": "2026-05-05", "until": "2026-05-04"}`, served),
			[]mistake{{"brownout_window", "versions[0].brownouts[0]"}}},
		{"a window without an end", brownouts(`{"from": "2026-05-05"}`, served), []mistake{{"brownout_window", "versions[0].brownouts[0].until"}}},
		{"a window without a beginning", brownouts(`{"until": "2026-05-05"}`, served), []mistake{{"brownout_window", "versions[0].brownouts[0].from"}}},
		{"a window of a fraction", brownouts(`{"from": "2026-05-05T00:00:00.1Z", "until": "2026-05-06"}`, served),
			[]mistake{{"date_fraction", "versions[0].brownouts[0].from"}}},
		{"windows that overlap, in any order",
			brownouts(`{"from": "2026-05-05", "until": "2026-05-07"}, {"from": "2026-05-03", "until": "2026-05-06"}`, served),
			[]mistake{{"brownout_overlap", "versions[0].brownouts[0]"}}},
		{"a window twice", brownouts(`{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-05", "until": "2026-05-06"}`, served),
			[]mistake{{"brownout_overlap", "versions[0].brownouts[1]"}}},
		{"a window within one, and one after it",
			brownouts(`{"from": "2026-05-01", "until": "2026-05-09"}, {"from": "2026-05-02", "until": "2026-05-03"}, {"from": "2026-05-08", "until": "2026-05-10"}`, served),
			[]mistake{{"brownout_overlap", "versions[0].brownouts[1]"}, {"brownout_overlap", "versions[0].brownouts[2]"}}},
		{"windows that touch", brownouts(`{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-06", "until": "2026-05-07"}`, served), nil},
		{"a window before the deprecation", brownouts(`{"from": "2025-06-29T23:59:59Z", "until": "2026-05-06"}`, served),
			[]mistake{{"brownout_not_deprecated", "versions[0].brownouts[0].from"}}},
		{"a window with the deprecation", brownouts(`{"from": "2025-06-30", "until": "2026-05-06"}`, served), nil},
		{"windows without a deprecation", entry(`"brownouts": [{"from": "2026-05-05", "until": "2026-05-06"}, {"from": "2026-05-07", "until": "2026-05-08"}]`),
			[]mistake{{"brownout_not_deprecated", "versions[0].brownouts"}}},
		{"a window after the sunset", brownouts(`{"from": "2026-06-29", "until": "2026-06-30T00:00:01Z"}`, `"after_sunset": "gone"`),
			[]mistake{{"brownout_after_sunset", "versions[0].brownouts[0].until"}}},
		{"a window until the sunset", brownouts(`{"from": "2026-06-29", "until": "2026-06-30"}`, `"after_sunset": "gone"`), nil},
		{"a window after a sunset that does not end the version", brownouts(`{"from": "2026-07-05", "until": "2026-07-06"}`, `"after_sunset": "serve"`), nil},
		{"a status of success", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 200}`, served),
			[]mistake{{"brownout_status", "versions[0].brownouts[0].status"}}},
		{"a status below 400", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 399}`, served),
			[]mistake{{"brownout_status", "versions[0].brownouts[0].status"}}},
		{"a status of 400", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 400}`, served), nil},
		{"a status of 599", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 599}`, served), nil},
		{"a status above 599", brownouts(`{"from": "2026-05-05", "until": "2026-05-06", "status": 600}`, served),
			[]mistake{{"brownout_status", "versions[0].brownouts[0].status"}}},

		{"an unknown action", `{"versions": [{"version": "v1"}], "after_sunset": "redirect"}`, []mistake{{"after_sunset_unknown", "after_sunset"}}},
		{"an unknown action of a version", entry(`"after_sunset": "Gone"`), []mistake{{"after_sunset_unknown", "versions[0].after_sunset"}}},
		{"falling forward in silence", `{"versions": [{"version": "v1"}], "after_sunset": "fall_forward"}`,
			[]mistake{{"forward_needs_served_header", "served_header"}}},
		{"one version that falls forward in silence", entry(`"after_sunset": "fall_forward"`),
			[]mistake{{"forward_needs_served_header", "served_header"}}},
		{"falling forward", `{"versions": [{"version": "v1"}], "after_sunset": "fall_forward", ` + served + `}`, nil},
		{"no version falls forward", `{"versions": [{"version": "v1", "after_sunset": "gone"}], "after_sunset": "fall_forward"}`, nil},
		{"a name that is none", `{"versions": [{"version": "v1"}], "served_header": "Api Version"}`, []mistake{{"header_name", "served_header"}}},
		{"the name of a list", `{"versions": [{"version": "v1"}], "served_header": "api-supported-versions"}`,
			[]mistake{{"header_reserved", "served_header"}}},

		{"many links", entry(`"links": [` + strings.TrimSuffix(strings.Repeat(`{"rel": "a", "href": "/"},`, 9), ",") + `]`),
			[]mistake{{"link_bound", "versions[0].links"}}},
		{"as many links as there may be", entry(`"links": [` + strings.TrimSuffix(strings.Repeat(`{"rel": "a", "href": "/"},`, 8), ",") + `]`), nil},
		{"long links", entry(`"links": [{"rel": "a", "href": "/"}, {"rel": "a", "href": "/` + strings.Repeat("x", 2<<10-23) + `"}]`),
			[]mistake{{"link_bound", "versions[0].links"}}},
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

// One mistake does not hide another.
func TestAllMistakes(t *testing.T) {
	err := decode(`{"versions": [
		{"version": "v1", "deprecated": "2026-02-30", "sunset": "2026-06-30", "links": [{"rel": "", "href": ""}], "successor": "v9"},
		{"version": "v1", "released": "2026-01-01T00:00:00.25Z", "deprecated": "2025-01-01", "sunset": "2024-01-01"}
	], "after_sunset": "vanish", "served_header": "Link"}`)
	checkMistakes(t, err,
		mistake{"date_malformed", "versions[0].deprecated"},
		mistake{"date_fraction", "versions[1].released"},
		mistake{"after_sunset_unknown", "after_sunset"},
		mistake{"header_reserved", "served_header"},
		mistake{"link_relation", "versions[0].links[0].rel"},
		mistake{"link_target", "versions[0].links[0].href"},
		mistake{"version_twice", "versions[1].version"},
		mistake{"sunset_before_deprecation", "versions[1].sunset"},
		mistake{"successor_unknown", "versions[0].successor"},
	)
}

// Dates from Go are checked like those from JSON.
func TestDatesInGo(t *testing.T) {
	tests := []struct {
		name string
		date time.Time
		want string
	}{
		{"none", time.Time{}, ""},
		{"none in a zone", time.Time{}.In(time.FixedZone("", 3600)), ""},
		{"a second", time.Unix(1, 0), ""},
		{"the period", time.Unix(0, 0), "date_unset"},
		{"a nanosecond after the period", time.Unix(0, 1), "date_unset"},
		{"before the period", time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), "date_unset"},
		{"a nanosecond after the zero time", time.Time{}.Add(1), "date_unset"},
		{"a nanosecond", time.Unix(1, 1), "date_fraction"},
		{"the last second", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), ""},
		{"the year 10000", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "date_range"},
		{"the year 10000 in GMT", time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -1)), "date_range"},
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

// The first date that somebody tries is now, and the error says what to write.
func TestNowInGo(t *testing.T) {
	now := time.Now().Truncate(time.Second).Add(time.Nanosecond)
	deprecated := func(at time.Time) error {
		_, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: at}}})
		return err
	}
	if err := deprecated(now); err == nil || !strings.Contains(err.Error(), ".Truncate(time.Second)") {
		t.Error(err)
	}
	if err := deprecated(now.Truncate(time.Second)); err != nil {
		t.Error(err)
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
		{"a version more", catalogue.MaxVersions + 1, 1, []mistake{{"version_bound", "versions"}}},
		{"an instant more", 1, catalogue.MaxInstants + 1, []mistake{{"instant_bound", "versions"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := catalogue.New(many(test.versions, test.instants))
			checkMistakes(t, err, test.want...)
		})
	}
}

func TestError(t *testing.T) {
	err := &catalogue.Error{Code: "date_unset", Field: "versions[1].sunset", Message: "what to change"}
	if got, want := err.Error(), "catalogue: versions[1].sunset: what to change (date_unset)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	err.Field = ""
	if got, want := err.Error(), "catalogue: what to change (date_unset)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}
