package catalogue_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

func TestHandler(t *testing.T) {
	c, err := catalogue.New(catalogue.Config{
		AfterSunset: catalogue.Gone,
		Versions: []catalogue.Entry{
			{
				Version: "v1", Released: at("2024-01-15"), Deprecated: at("2026-03-01"), Sunset: at("2026-12-01"), Successor: "v2",
				Links:     []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1?a=b&c=d"}},
				Brownouts: []catalogue.Brownout{{From: at("2026-11-10T14:00:00Z"), Until: at("2026-11-10T15:00:00Z")}},
			},
			{Version: "v2"},
			{Version: "v3", Released: at("2026-11-01")},
			{Version: "v4", Preview: true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	const (
		dates  = `"released":"2024-01-15T00:00:00Z","deprecated":"2026-03-01T00:00:00Z","sunset":"2026-12-01T00:00:00Z"`
		rest   = dates + `,"successor":"v2","links":[{"rel":"deprecation","href":"https://example.com/v1?a=b\u0026c=d"}]},`
		fresh  = `{"id":"v1","status":"SUPPORTED",` + rest
		old    = `{"id":"v1","status":"DEPRECATED",` + rest
		v2     = `{"id":"v2","status":"CURRENT","links":[]},`
		second = `{"id":"v2","status":"SUPPORTED","links":[]},`
		v3     = `{"id":"v3","status":"CURRENT","released":"2026-11-01T00:00:00Z","links":[]},`
		v4     = `{"id":"v4","status":"EXPERIMENTAL","links":[]}`
	)
	for _, test := range []struct{ name, now, versions, cacheControl string }{
		{"before the first release", "2024-01-14T23:59:00Z", v2 + v4, "max-age=60"},
		{"released", "2024-01-15", fresh + v2 + v4, "max-age=3600"},
		{"deprecated", "2026-03-01", old + v2 + v4, "max-age=3600"},
		{"the second before a release", "2026-10-31T23:59:59Z", old + v2 + v4, "max-age=1"},
		{"two releases", "2026-11-01", old + second + v3 + v4, "max-age=3600"},
		{"before a brownout", "2026-11-10T13:30:00Z", old + second + v3 + v4, "max-age=1800"},
		{"in a brownout", "2026-11-10T14:59:30Z", old + second + v3 + v4, "max-age=30"},
		{"ended", "2026-12-01", second + v3 + v4, "max-age=3600"},
	} {
		t.Run(test.name, func(t *testing.T) {
			handler := c.Handler(func() time.Time { return at(test.now) })
			response := httptest.NewRecorder()
			handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/versions", nil))
			header := response.Header()
			if got, want := response.Body.String(), `{"versions":[`+test.versions+"]}\n"; got != want {
				t.Errorf("answers\n%s, want\n%s", got, want)
			}
			if got := header.Get("Cache-Control"); got != test.cacheControl || header.Get("Content-Type") != "application/json" {
				t.Errorf("fields %v, want %s", header, test.cacheControl)
			}
			again := httptest.NewRequest(http.MethodGet, "/versions", nil)
			again.Header.Set("If-None-Match", header.Get("Etag"))
			response = httptest.NewRecorder()
			handler.ServeHTTP(response, again)
			if response.Code != http.StatusNotModified || response.Header().Get("Cache-Control") != test.cacheControl || response.Body.Len() != 0 {
				t.Errorf("with the ETag %s: %d %v", header.Get("Etag"), response.Code, response.Header())
			}
		})
	}
}

func TestHandlerMethods(t *testing.T) {
	c, err := catalogue.List("v1", "v2")
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]int{http.MethodGet: 200, http.MethodHead: 200, http.MethodPost: 405} {
		response := httptest.NewRecorder()
		c.Handler(nil).ServeHTTP(response, httptest.NewRequest(method, "/versions", nil))
		if response.Code != want || response.Code == http.StatusMethodNotAllowed && response.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, response.Code, response.Header())
		}
	}
}

// A version that clients cannot use yet is skipped as successor: the next one in the
// chain is the successor, if there is one.
func TestHandlerSuccessor(t *testing.T) {
	c := newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Successor: "v2"}, {Version: "v2", Released: at("2027-01-01"), Successor: "v3"}, {Version: "v3", Released: at("2026-01-01")},
	}})
	for now, want := range map[string]string{
		"2025-01-01": `{"versions":[{"id":"v1","status":"CURRENT","links":[]}]}`,
		"2026-01-01": `{"versions":[{"id":"v1","status":"SUPPORTED","successor":"v3","links":[]},` +
			`{"id":"v3","status":"CURRENT","released":"2026-01-01T00:00:00Z","links":[]}]}`,
		"2027-01-01": `{"versions":[{"id":"v1","status":"SUPPORTED","successor":"v2","links":[]},` +
			`{"id":"v2","status":"SUPPORTED","released":"2027-01-01T00:00:00Z","successor":"v3","links":[]},` +
			`{"id":"v3","status":"CURRENT","released":"2026-01-01T00:00:00Z","links":[]}]}`,
	} {
		response := httptest.NewRecorder()
		c.Handler(func() time.Time { return at(now) }).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/versions", nil))
		if got := response.Body.String(); got != want+"\n" {
			t.Errorf("%s: %s, want %s", now, got, want)
		}
	}
}
