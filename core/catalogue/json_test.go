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

	for name, data := range map[string]string{
		"nothing":         ``,
		"not JSON":        `{"versions": [}`,
		"more than one":   `{"versions": []} {}`,
		"an unknown key":  `{"version": []}`,
		"refused by New":  `{"versions": [{"version": "v1", "successor": "v1"}]}`,
		"no object":       `["v1"]`,
		"the same, twice": `{"versions": [{"version": "v1"}, {"version": "v1"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if versions, err := catalogue.Parse([]byte(data)); err == nil || versions != nil {
				t.Error(versions, err)
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
		{"a list", `[]`, []mistake{{catalogue.CodeJSONType, ""}}},
		{"an unknown key", `{"version": []}`, []mistake{{catalogue.CodeJSONKeyUnknown, ""}}},
		{"an unknown key of a version", `{"versions": [{"version": "v1", "sunsett": "2026-06-30"}]}`,
			[]mistake{{catalogue.CodeJSONKeyUnknown, "versions[0]"}}},
		{"a key in other case", `{"Versions": []}`, []mistake{{catalogue.CodeJSONKeyUnknown, ""}}},
		{"a key twice", `{"report": true, "report": false}`, []mistake{{catalogue.CodeJSONKeyTwice, "report"}}},
		{"a key twice, once null", `{"report": null, "report": true}`, []mistake{{catalogue.CodeJSONKeyTwice, "report"}}},
		{"a date twice", `{"versions": [{"version": "v1", "sunset": "2026-06-30", "sunset": "2027-06-30"}]}`,
			[]mistake{{catalogue.CodeJSONKeyTwice, "versions[0].sunset"}}},
		{"a key twice in its escape", `{"report": true, "\u0072eport": false}`, []mistake{{catalogue.CodeJSONKeyTwice, "report"}}},
		{"versions that are no list", `{"versions": {}}`, []mistake{{catalogue.CodeJSONType, "versions"}}},
		{"a version that is text", `{"versions": ["v1"]}`, []mistake{{catalogue.CodeJSONType, "versions[0]"}}},
		{"a version that is null", `{"versions": [null]}`, []mistake{{catalogue.CodeJSONType, "versions[0]"}}},
		{"a number as version", `{"versions": [{"version": 1}]}`, []mistake{{catalogue.CodeJSONType, "versions[0].version"}}},
		{"text as truth", `{"report": "true"}`, []mistake{{catalogue.CodeJSONType, "report"}}},
		{"a number as date", `{"versions": [{"version": "v1", "sunset": 1782777600}]}`, []mistake{{catalogue.CodeJSONType, "versions[0].sunset"}}},
		{"an empty date", `{"versions": [{"version": "v1", "sunset": ""}]}`, []mistake{{catalogue.CodeDateMalformed, "versions[0].sunset"}}},
		{"a status that is no whole number", `{"versions": [{"version": "v1", "deprecated": "2026-01-01", "brownouts": [
			{"from": "2026-01-01", "until": "2026-01-02", "status": 410.5}]}]}`,
			[]mistake{{catalogue.CodeJSONType, "versions[0].brownouts[0].status"}}},
		{"an action that is a number", `{"after_sunset": 1}`, []mistake{{catalogue.CodeJSONType, "after_sunset"}}},
		{"a malformed window beside a version twice", `{"versions": [{"version": "v1", "deprecated": "2026-01-01", "brownouts": [
			{"from": "2026-01-01", "until": "tomorrow"}]}, {"version": "v1"}]}`,
			[]mistake{{catalogue.CodeDateMalformed, "versions[0].brownouts[0].until"}, {catalogue.CodeVersionTwice, "versions[1].version"}}},
		{"a malformed deprecation beside windows", `{"versions": [{"version": "v1", "deprecated": "now", "brownouts": [
			{"from": "2026-01-01", "until": "2026-01-02"}]}]}`,
			[]mistake{{catalogue.CodeDateMalformed, "versions[0].deprecated"}}},
		{"not UTF-8", "{\"served_header\": \"\xff\"}", []mistake{{catalogue.CodeJSONMalformed, ""}}},
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
		checkMistakes(t, config.UnmarshalJSON([]byte(text)), mistake{catalogue.CodeJSONMalformed, ""})
	}
	config := catalogue.Config{Report: true}
	if err := config.UnmarshalJSON([]byte(" null ")); err != nil || !config.Report {
		t.Errorf("null: %v, %+v", err, config)
	}
}

// What decodes without a mistake and makes a catalogue survives another round.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"versions": [{"version": "v1", "deprecated": "2025-06-30", "sunset": "2026-06-30T12:00:00+02:00", "successor": "v2",
		"links": [{"rel": "sunset", "href": "https://a.example/", "title": "ä"}],
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

// checkInvariants checks what holds for every catalogue at every time.
func checkInvariants(t *testing.T, c *catalogue.Catalogue) {
	t.Helper()
	for _, epoch := range c.Epochs(at("1970-01-02")) {
		lists := c.Table().Lists(epoch.Moment)
		n := 0
		for i, version := range c.Versions() {
			if !epoch.Listed(i) {
				continue
			}
			if lists.Allowed[n] != version {
				t.Fatalf("%s is listed, and lists are %q", version, lists.Allowed)
			}
			n++
			if state := epoch.State(i); state != catalogue.Supported && state != catalogue.Deprecated {
				t.Errorf("%s is listed and %v", version, state)
			}
		}
		if n != len(lists.Allowed) {
			t.Errorf("%d versions are listed, and lists are %q", n, lists.Allowed)
		}
	}
}
