package sources_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// askNearest returns the version that answers a text, or the reason why none does.
func askNearest(t *testing.T, api *verso.Versioning, text string) (version string, reason verso.MessageID) {
	t.Helper()
	target := "/users?" + url.Values{"version": {text}}.Encode()
	b := adapter.Bind(api, nil)
	added, err := b.Add(route.Route{Path: "/users"})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Api-Version", text)
	var request source.Request
	request.SetHTTP(r, r, added.Route())
	result, c := coretest.Begin(b, request)
	if result != nil {
		return result.Version().String(), ""
	}
	rejected, _, _ := c.Rejected()
	return "", rejected.MessageID
}

func TestNearest(t *testing.T) {
	clock := versotest.NewClock(coretest.Date(2026, 3, 31))
	dates := verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "2024-01-01", Sunset: coretest.Date(2025, 4, 1)}, {Version: "2025-01-01"}, {Version: "2025-06-01", Preview: true}, {Version: "2026-01-01"}, {Version: "2026-04-01", Released: coretest.Date(2026, 4, 1)},
	}})}
	numbers := coretest.List("0.16.1", "0.17.0", "1.2", "10.0")
	lettered := coretest.List("v1.0", "v1.2", "v2.0")
	const invalid, gone = source.InvalidHeaderVersion, verso.VersionGone
	until := func(text string) func() string { return func() string { return text } }
	for _, test := range []struct {
		name   string
		order  verso.Order
		until  func() string
		config verso.Config
		want   map[string]string
	}{
		{"dates", verso.ByDate, nil, dates, map[string]string{
			"2025-01-01": "2025-01-01", "2025-07-14": "2025-01-01", "2025-06-01": "2025-06-01", "2026-01-01": "2026-01-01", "2026-01-02": string(invalid), "2026-04-01": string(invalid),
			"2024-01-01": string(gone), "2024-07-14": string(gone), "2023-12-31": string(invalid), "2025-13-01": string(invalid), "latest": string(invalid), "2025-1-3": string(invalid), "2025-07-14T00:00:00Z": string(invalid),
		}},
		{"until tomorrow", verso.ByDate, verso.Tomorrow(clock.Now), dates, map[string]string{
			"2026-03-31": "2026-01-01", "2026-04-01": "2026-01-01", "2026-04-02": string(invalid),
		}},
		{"numbers", verso.ByNumber, until("10.4"), numbers, map[string]string{
			"0.16.1": "0.16.1", "0.16.9": "0.16.1", "0.17.3": "0.17.0", "0.17": "0.17.0", "1.1": "0.17.0", "1.2.0": "1.2", "2.0": "1.2", "10.4": "10.0", "10.5": string(invalid),
			"0.16.0": string(invalid), "v1.2": string(invalid), "01.2": string(invalid), "1.2-rc1": string(invalid), "1..2": string(invalid), "+1": string(invalid), "1.2.3.4.5": string(invalid), "99999999999999999999": string(invalid),
		}},
		{"numbers without a bound", verso.ByNumber, nil, numbers, map[string]string{"10.0": "10.0", "10": "10.0", "10.0.1": string(invalid)}},
		{"within the first number", verso.ByMinor, nil, lettered, map[string]string{"v1.1": "v1.0", "v1.3": string(invalid), "1.1": string(invalid), "v2.1": string(invalid), "v3.0": string(invalid)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), test.order, test.until), test.config)
			for text, want := range test.want {
				version, reason := askNearest(t, api, text)
				if got := version + string(reason); got != want {
					t.Errorf("%s: %s, want %s", text, got, want)
				}
			}
		})
	}
}

func TestNearestFindings(t *testing.T) {
	for _, test := range []struct {
		source source.Source
		config verso.Config
		code   string
	}{
		{verso.Nearest(verso.Header("Api-Version"), nil, nil), coretest.List("v1", "v2"), "order_missing"},
		{verso.Nearest(verso.PathPrefix("/{version}"), verso.ByNumber, nil), coretest.List("v1", "v2"), "order_place"},
		{verso.Nearest(verso.MediaType("application/vnd.acme.{version}+json"), verso.ByNumber, nil), coretest.List("v1", "v2"), "order_place"},
		{verso.Nearest(verso.Header("Api-Version"), verso.ByNumber, nil), coretest.List("v2", "v1"), "order_wrong"},
	} {
		_, err := verso.New(test.source, test.config)
		if all := coretest.ConfigErrors(err); len(all) != 1 || all[0].Code != test.code {
			t.Errorf("%v, want %s", err, test.code)
		}
	}
}
