package catalogue_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/goverso/verso/core/catalogue"
)

func TestUnmarshalJSON(t *testing.T) {
	const text = `{
		"versions": [
			{
				"version": "v1", "released": "2024-01-15", "deprecated": "2026-03-01", "sunset": "2026-12-01T12:00:00+02:00",
				"successor": "v2", "after_sunset": "gone", "preview": null,
				"links": [{"rel": "deprecation", "href": "/v1", "type": "text/html", "title": "Leave v1", "hreflang": "en"}],
				"brownouts": [{"from": "2026-11-03T14:00:00Z", "until": "2026-11-03T15:00:00Z"}, {"from": "2026-11-10", "until": "2026-11-11", "status": 503}]
			},
			{"version": "v2"},
			{"version": "v3", "preview": true}
		],
		"after_sunset": "fall_forward", "report": true, "served_header": "Api-Version", "successor_links": true, "expose_headers": true
	}`
	want := catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version: "v1", Released: at("2024-01-15"), Deprecated: at("2026-03-01"), Sunset: at("2026-12-01T10:00:00Z"),
				Successor: "v2", AfterSunset: catalogue.Gone,
				Links: []catalogue.Link{{Rel: "deprecation", Href: "/v1", Type: "text/html", Title: "Leave v1", Hreflang: "en"}},
				Brownouts: []catalogue.Brownout{
					{From: at("2026-11-03T14:00:00Z"), Until: at("2026-11-03T15:00:00Z")},
					{From: at("2026-11-10"), Until: at("2026-11-11"), Status: 503},
				},
			},
			{Version: "v2"},
			{Version: "v3", Preview: true},
		},
		AfterSunset: catalogue.FallForward, Report: true, ServedHeader: "Api-Version", SuccessorLinks: true, ExposeHeaders: true,
	}
	var got catalogue.Config
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var second catalogue.Config
	if err := json.Unmarshal(again, &second); err != nil || !reflect.DeepEqual(second, want) {
		t.Errorf("%s: %v, %+v", again, err, second)
	}
}

func TestParse(t *testing.T) {
	versions, err := catalogue.Parse([]byte(`{"versions": [{"version": "v1"}, {"version": "v2"}]}`))
	if err != nil || !slices.Equal(versions.Versions(), []string{"v1", "v2"}) {
		t.Fatal(versions, err)
	}

	tests := []struct{ name, data, want string }{
		{"nothing", ``, "catalogue: unexpected end of JSON input: write a JSON object (json_malformed)"},
		{"not JSON", `{"versions": [}`, "catalogue: line 1, column 15: invalid character '}' looking for beginning of value: correct it there (json_malformed)"},
		{"a trailing comma in a list", "{\"versions\": [\n\t{\"version\": \"v1\"},\n]}", "catalogue: line 2, column 19: nothing follows the comma: remove it (json_malformed)"},
		{"a trailing comma in an object", "{\n\"versions\": [{\"version\": \"v1\"}],\n}", "catalogue: line 2, column 32: nothing follows the comma: remove it (json_malformed)"},
		{"more than one", `{"versions": []} {}`, "catalogue: line 1, column 18: invalid character '{' after top-level value: correct it there (json_malformed)"},
		{"a file of fileconfig", `{"sources": [], "catalogue": {}}`, `catalogue: unknown field "sources": read a file with sources with package fileconfig (json_key_unknown)`},
		{"an unknown key", `{"version": []}`, `catalogue: unknown field "version": correct the key, or remove it (json_key_unknown)`},
		{"a key twice", "{\"report\": true,\n\"report\": true}", `catalogue: line 2, column 8: duplicate key "report": remove one (json_key_twice)`},
		{"no object", `["v1"]`, "catalogue: the value is a JSON array: write an object (json_type)"},
		{"a number for a version", `{"versions": [{"version": 1}]}`, "catalogue: versions.version is a JSON number: write a string in quotes (json_type)"},
		{"text for a list", `{"versions": "v1"}`, "catalogue: versions is a JSON string: write a list (json_type)"},
		{"text for true", `{"report": "yes"}`, "catalogue: report is a JSON string: write true or false (json_type)"},
		{"a status with a fraction", `{"versions": [{"version": "v1", "brownouts": [{"status": 410.5}]}]}`,
			"catalogue: versions.brownouts.status is a JSON number 410.5: write a whole number (json_type)"},
		{"a version without text", `{"versions": [null]}`, "catalogue: versions[0].version: the version is empty: write it, or remove the entry (version_empty)"},
		{"refused by New", `{"versions": [{"version": "v1", "successor": "v1"}]}`,
			`catalogue: versions[0].successor: "v1" cannot succeed itself: name a later version (successor_self)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			versions, err := catalogue.Parse([]byte(test.data))
			if versions != nil || err == nil || err.Error() != test.want {
				t.Errorf("%v, %v, want %s", versions, err, test.want)
			}
		})
	}
}

func TestUnmarshalJSONMistakes(t *testing.T) {
	tests := []struct {
		name, text string
		want       []mistake
	}{
		{"null", `null`, nil},
		{"every key null", `{"versions": null, "after_sunset": null, "report": null, "served_header": null, "successor_links": null, "expose_headers": null}`, nil},
		{"a list", `[]`, []mistake{{"json_type", ""}}},
		{"an unknown key", `{"version": []}`, []mistake{{"json_key_unknown", ""}}},
		{"an unknown key of a version", `{"versions": [{"version": "v1", "sunsett": "2026-06-30"}]}`, []mistake{{"json_key_unknown", ""}}},
		{"a key in other case", `{"Versions": []}`, []mistake{{"json_key_unknown", ""}}},
		{"a key twice, in two cases", `{"report": true, "Report": false}`, []mistake{{"json_key_twice", ""}}},
		{"a key twice", `{"report": true, "report": false}`, []mistake{{"json_key_twice", ""}}},
		{"a key twice, once null", `{"report": null, "report": true}`, []mistake{{"json_key_twice", ""}}},
		{"a date twice", `{"versions": [{"version": "v1", "sunset": "2026-06-30", "sunset": "2027-06-30"}]}`,
			[]mistake{{"json_key_twice", ""}}},
		{"a key twice in its escape", `{"report": true, "\u0072eport": false}`, []mistake{{"json_key_twice", ""}}},
		{"versions that are no list", `{"versions": {}}`, []mistake{{"json_type", ""}}},
		{"a version that is text", `{"versions": ["v1"]}`, []mistake{{"json_type", ""}}},
		{"a version that is null", `{"versions": [null]}`, nil},
		{"a number as version", `{"versions": [{"version": 1}]}`, []mistake{{"json_type", ""}}},
		{"text as truth", `{"report": "true"}`, []mistake{{"json_type", ""}}},
		{"a number as date", `{"versions": [{"version": "v1", "sunset": 1782777600}]}`, []mistake{{"json_type", ""}}},
		{"an empty date", `{"versions": [{"version": "v1", "sunset": ""}]}`, []mistake{{"date_malformed", "versions[0].sunset"}}},
		{"a status that is not a whole number", `{"versions": [{"version": "v1", "deprecated": "2026-01-01", "brownouts": [
			{"from": "2026-01-01", "until": "2026-01-02", "status": 410.5}]}]}`,
			[]mistake{{"json_type", ""}}},
		{"an action that is a number", `{"after_sunset": 1}`, []mistake{{"json_type", ""}}},
		{"a malformed window and a duplicate version", `{"versions": [{"version": "v1", "deprecated": "2026-01-01", "brownouts": [
			{"from": "2026-01-01", "until": "tomorrow"}]}, {"version": "v1"}]}`,
			[]mistake{{"date_malformed", "versions[0].brownouts[0].until"}, {"version_twice", "versions[1].version"}}},
		{"a malformed deprecation next to windows", `{"versions": [{"version": "v1", "deprecated": "now", "brownouts": [
			{"from": "2026-01-01", "until": "2026-01-02"}]}]}`,
			[]mistake{{"date_malformed", "versions[0].deprecated"}}},
		{"not UTF-8", "{\"served_header\": \"\xff\"}", []mistake{{"json_malformed", ""}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := catalogue.Config{ServedHeader: "before"}
			err := json.Unmarshal([]byte(test.text), &config)
			checkMistakes(t, err, test.want...)
			if err != nil && config.ServedHeader != "before" {
				t.Errorf("changed to %+v", config)
			}
		})
	}
}

// Called directly, UnmarshalJSON cannot rely on what encoding/json checked.
func TestUnmarshalJSONDirectly(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "{]", `{"report"}`, "\xff"} {
		var config catalogue.Config
		checkMistakes(t, config.UnmarshalJSON([]byte(text)), mistake{"json_malformed", ""})
	}
	config := catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}, Report: true}
	if err := config.UnmarshalJSON([]byte(" null ")); err != nil || !config.Report || len(config.Versions) != 1 {
		t.Errorf("null: %v, %+v", err, config)
	}
	if err := config.UnmarshalJSON([]byte("{}")); err != nil || !reflect.DeepEqual(config, catalogue.Config{}) {
		t.Errorf("an empty object: %v, %+v", err, config)
	}
}

// A configuration that decodes and makes a catalogue survives another round trip.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"versions": [{"version": "v1", "deprecated": "2025-06-30", "sunset": "2026-06-30T12:00:00+02:00", "successor": "v2",
		"links": [{"rel": "sunset", "href": "https://a.example/", "title": "a"}],
		"brownouts": [{"from": "2026-05-05", "until": "2026-05-06", "status": 503}]}, {"version": "v2"}],
		"after_sunset": "gone", "report": true, "served_header": "Api-Version"}`))
	f.Add([]byte(`{"versions": [{"version": "v1", "preview": true}, {"version": "v1"}], "report": 1, "report": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var config catalogue.Config
		if err := config.UnmarshalJSON(data); err != nil {
			mistakesOf(t, err)
			return
		}
		c, err := catalogue.New(config)
		if err != nil {
			mistakesOf(t, err)
			return
		}
		checkInvariants(t, c)
		again, err := json.Marshal(config)
		if err != nil {
			t.Fatal(err)
		}
		var second catalogue.Config
		if err := json.Unmarshal(again, &second); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if len(config.Versions) != len(second.Versions) || !reflect.DeepEqual(config.Versions[0].Sunset, second.Versions[0].Sunset) {
			t.Errorf("%s is another configuration", again)
		}
	})
}

// checkInvariants checks the invariants of every catalogue at every time.
func checkInvariants(t *testing.T, c *catalogue.Catalogue) {
	t.Helper()
	for _, period := range c.Periods(at("1970-01-02")) {
		lists := c.Table().Lists(period.Moment)
		n := 0
		for i, version := range c.Versions() {
			if !period.Listed(i) {
				continue
			}
			if lists.Allowed[n] != version {
				t.Fatalf("%s is listed, and lists are %q", version, lists.Allowed)
			}
			n++
			if state := period.State(i); state != catalogue.Supported && state != catalogue.Deprecated {
				t.Errorf("%s is listed and %v", version, state)
			}
		}
		if n != len(lists.Allowed) {
			t.Errorf("%d versions are listed, and lists are %q", n, lists.Allowed)
		}
	}
}
