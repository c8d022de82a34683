package versohttp_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// tongues is a translator of three languages, which differ in each message.
type tongues struct{}

func (tongues) Messages(accepted string) (string, map[verso.MessageID]string) {
	messages := map[verso.MessageID]string{}
	for id, text := range verso.EnglishMessages() {
		messages[id] = accepted + ": " + text
	}
	return accepted, messages
}

// TestKeptAnswers asks a service that keeps what it has made, answers, results and the versions of
// a stage, for each rejection of each part in each language at each date, and compares it with
// a service that is new for each request. A key that lacks a field mixes two of them up.
func TestKeptAnswers(t *testing.T) {
	var clock versotest.Clock
	date := catalogue.MustDate
	twin := source.Rejection{Status: http.StatusBadRequest, Message: "invalid_twin", English: "Invalid version in twin."}
	newService := func() http.Handler {
		versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Report: true, ServedHeader: "Api-Version-Served", Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: date("2026-01-01"), Sunset: date("2026-06-01"), Successor: "v3",
				Brownouts: []catalogue.Brownout{{From: date("2026-03-01"), Until: date("2026-03-02"), Status: 410}, {From: date("2026-04-01"), Until: date("2026-04-02"), Status: 503}}},
			{Version: "v2", Deprecated: date("2026-05-01"), Sunset: date("2026-06-01"), Successor: "v4"},
			{Version: "v3"}, {Version: "v4", Released: date("2026-08-01")},
		}})
		api := verso.MustNew(
			verso.First(verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("v"), parted{verso.Header("Other"), twin}, verso.AcceptParam("version")),
			verso.Config{
				Catalogue: versions, Clock: clock.Now, Translator: tongues{}, Logger: slog.New(slog.DiscardHandler), Links: verso.LinkConfig{Relative: true},
				Produces: []string{"application/json"},
				Strict:   verso.Strictness{RefuseEmpty: true, RefuseContradictions: true, AllowedHosts: []string{"a.example"}},
			})
		mux := http.NewServeMux()
		v := versohttp.New(mux, api)
		handle := func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, versohttp.Version(r)) }
		v.HandleFunc("GET /{version}/all", handle)
		v.HandleFunc("GET /all", handle)
		v.Since("v3").HandleFunc("GET /late", handle)
		v.Since("v3").HandleFunc("POST /all", handle)
		v.With(verso.DeprecatedAt(date("2026-01-01")), verso.SunsetAt(date("2026-05-20"))).HandleFunc("GET /short", handle)
		return v.NotFound()(mux)
	}
	shared := newService()
	codes := map[string]bool{}
	for _, day := range []string{"2025-12-01", "2026-01-15", "2026-03-01", "2026-04-01", "2026-05-15", "2026-07-01", "2026-08-15", "2026-10-01", "2026-01-15", "2026-04-01"} {
		clock.Set(date(day).Add(time.Hour))
		for _, target := range []string{
			"GET /all", "POST /all", "GET /late", "GET /short", "GET /gone", "GET /v1/all", "GET /v2/all", "GET /v9/all", "GET /v1/gone", "GET /all?v=v1", "GET /all?v=v9", "GET /all?v=v1&v=v2", "GET /all?v=",
		} {
			for _, header := range [][2]string{
				{"", ""}, {"Api-Version", "v1"}, {"Api-Version", "v2"}, {"Api-Version", "v4"}, {"Api-Version", "v9"}, {"Api-Version", "v1, v2"},
				{"Other", "v9"}, {"Accept", "application/json;version=v9"}, {"Accept", "text/html"}, {"Host", "b.example"},
			} {
				for _, language := range []string{"en", "de", "fr"} {
					ask := func(h http.Handler) string {
						var method, path string
						_, _ = fmt.Sscan(target, &method, &path)
						r, w := httptest.NewRequest(method, "http://a.example"+path, nil), httptest.NewRecorder()
						r.Header.Set("Accept-Language", language)
						if header[0] == "Host" {
							r.Host = header[1]
						} else if header[0] != "" {
							r.Header.Set(header[0], header[1])
						}
						h.ServeHTTP(w, r)
						return fmt.Sprint(w.Code, w.Header(), w.Body)
					}
					got, want := ask(shared), ask(newService())
					if got != want {
						t.Errorf("%s, %s, %q in %s:\n%s\nwant\n%s", day, target, header, language, got, want)
					}
					for id := range verso.EnglishMessages() {
						if len(id) > 0 && strings.Contains(want, string(id)) {
							codes[string(id)] = true
						}
					}
					codes["invalid_twin"] = codes["invalid_twin"] || strings.Contains(want, "invalid_twin")
				}
			}
		}
	}
	for _, code := range []string{
		"invalid_twin", "invalid_header_version", "invalid_url_path_version", "invalid_query_parameter_version", "invalid_accept_header_version", "contradicting_versions", "empty_version", "missing_version",
		"unknown_host", "version_gone", "version_brownout", "route_gone", "not_in_version", "method_not_in_version", "not_acceptable",
	} {
		if !codes[code] {
			t.Errorf("no request was rejected with %s", code)
		}
	}
}

// parted is a source with a rejection of its own.
type parted struct {
	source.Source
	invalid source.Rejection
}

func (p parted) Describe() source.Description {
	d := p.Source.Describe()
	d.Name, d.Invalid = "twin", p.invalid
	return d
}
