package nearest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/internal/frameworks"
)

var now = time.Date(2026, 3, 31, 18, 0, 0, 0, time.UTC)

func config(observe func(context.Context, verso.Observation), entries ...catalogue.Entry) verso.Config {
	return verso.Config{
		Clock: func() time.Time { return now }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Observe: observe, Links: verso.LinkConfig{Relative: true},
		Catalogue: catalogue.MustNew(catalogue.Config{ServedHeader: "Served", AfterSunset: catalogue.Gone, Versions: entries}),
	}
}

var dates = []catalogue.Entry{
	{Version: "2024-01-01", Deprecated: now.AddDate(-2, 0, 0), Sunset: now.AddDate(-1, 0, 0), Successor: "2025-01-01"},
	{Version: "2025-01-01", Deprecated: now.AddDate(0, -1, 0), Sunset: now.AddDate(1, 0, 0), Successor: "2026-01-01"}, {Version: "2026-01-01"}, {Version: "2026-06-01", Released: now.AddDate(0, 1, 0)},
}

var numbers = []catalogue.Entry{{Version: "0.15.0", Sunset: now.AddDate(-1, 0, 0)}, {Version: "0.16.1"}, {Version: "0.17.0"}, {Version: "1.0.0", Preview: true}}

// answer is what a response has, in short.
func answer(status int, body string, header http.Header) string {
	if status < 400 {
		return body
	}
	var problem struct{ Code string }
	_ = json.Unmarshal([]byte(body), &problem)
	return strings.TrimSpace(fmt.Sprint(status, " ", problem.Code, " ", header.Get("Cache-Control")))
}

// TestInFrameworks asks with texts in a header, in the query, and in the path.
func TestInFrameworks(t *testing.T) {
	type row struct{ text, path, want, served string }
	byDate := []row{
		{"2025-07-14", "/users/7", "2025-01-01 %s/users/7%s <nil> false", "2025-01-01"}, {"2025-07", "/users/7", "2025-01-01 %s/users/7%s <nil> false", "2025-01-01"},
		{"2026-04-01", "/users/7", "2026-01-01 %s/users/7%s <nil> true", "2026-01-01"}, {"2026-01-01", "/users/7", "2026-01-01 %s/users/7%s <nil> true", "2026-01-01"},
		{"2025-12-31", "/report", "2025-01-01", "2025-01-01"}, {"2026-02-28", "/report", "2026-01-01", "2026-01-01"},
		{"2025-12-31", "/rooms", "404 not_in_version", ""}, {"2026-02-28", "/rooms", "rooms", "2026-01-01"},
		{"2024-02-10", "/users/7", "410 version_gone", ""}, {"2024-01-01", "/rooms", "410 version_gone", ""}, {"2024-12-31", "/deleted", "410 version_gone", ""},
		{"2023-12-31", "/users/7", "unknown", ""}, {"2026-04-02", "/users/7", "later", ""}, {"2026-06-01", "/users/7", "later", ""}, {"2025-02-30", "/users/7", "unknown", ""}, {"latest", "/users/7", "unknown", ""},
	}
	byNumber := []row{
		{"0.16.9", "/users/7", "0.16.1 %s/users/7%s <nil> false", "0.16.1"}, {"0.17.3", "/users/7", "0.17.0 %s/users/7%s <nil> true", "0.17.0"}, {"0.17", "/report", "0.17.0", "0.17.0"},
		{"0.18", "/rooms", "rooms", "0.17.0"}, {"0.16.1", "/rooms", "404 not_in_version", ""}, {"1.0.0", "/rooms", "rooms", "1.0.0"}, {"1.0", "/rooms", "later", ""}, {"0.19", "/rooms", "later", ""},
		{"0.15.7", "/rooms", "410 version_gone", ""}, {"0.14", "/rooms", "unknown", ""}, {"0.17.3-rc1", "/rooms", "unknown", ""}, {"v0.17.3", "/rooms", "unknown", ""}, {"0.017", "/rooms", "unknown", ""},
	}
	for framework, serve := range frameworks.All {
		for _, place := range []struct {
			name           string
			from           source.Source
			below          string
			url, header    string // with the text
			vary           string
			inPath, inLink string // of links
			unknown, later string
		}{
			{"header", verso.Header("Api-Version"), "", "", "Api-Version", "Api-Version", "", "", "400 invalid_header_version", "400 invalid_header_version"},
			{"query", verso.QueryParam("version"), "", "?version=%s", "", "", "", "?version=%s", "404 invalid_query_parameter_version", "404 invalid_query_parameter_version no-store"},
			{"path", verso.PathParam("version"), "/{version}", "/%s", "", "", "/%s", "", "404 invalid_url_path_version", "404 invalid_url_path_version no-store"},
			{"path, with a v", verso.PathParam("version"), "/v{version}", "/v%s", "", "", "/v%s", "", "404 invalid_url_path_version", "404 invalid_url_path_version no-store"},
		} {
			if framework == "http" && place.below == "/v{version}" {
				continue // a wildcard of a ServeMux is a whole segment
			}
			for order, test := range map[*verso.Order]struct {
				rows          []row
				entries       []catalogue.Entry
				first, second string
			}{
				new(verso.ByDate()): {byDate, dates, "2025-01-01", "2026-01-01"}, new(verso.ByNumberUpTo("0.18.4")): {byNumber, numbers, "0.16.1", "0.17.0"},
			} {
				var observed verso.Observation
				api := verso.MustNew(verso.Nearest(place.from, *order), config(func(_ context.Context, o verso.Observation) { observed = o }, test.entries...))
				h := serve(api, service(place.below, test.first, test.second))
				for _, row := range test.rows {
					name := fmt.Sprintf("%s, %s: %s %s", framework, place.name, row.text, row.path)
					if row.path == "/deleted" && place.header == "" && place.inPath == "" {
						continue // an unmatched path with a query is as with a header
					}
					path, headers := row.path, []string(nil)
					switch {
					case place.header != "":
						headers = []string{place.header, row.text}
					case place.inPath != "":
						path = fmt.Sprintf(place.url, row.text) + path
					default:
						path += fmt.Sprintf(place.url, row.text)
					}
					observed = verso.Observation{}
					w := frameworks.Ask(h, http.MethodGet, path, nil, headers...)
					want := row.want
					switch {
					case want == "unknown":
						want = place.unknown
					case want == "later":
						want = place.later
					case strings.Contains(want, "%s"):
						want = strings.Replace(strings.Replace(want, "%s", linked(place.inPath, row.served), 1), "%s", linked(place.inLink, row.served), 1)
					}
					if got := answer(w.Code, w.Body.String(), w.Header()); got != want || w.Header().Get("Served") != row.served || strings.Join(w.Header()["Vary"], ", ") != place.vary {
						t.Errorf("%s: %s, served %q, Vary %q; want %s, %q", name, got, w.Header().Get("Served"), w.Header()["Vary"], want, row.served)
					}
					if row.served != "" && (observed.Served.String() != row.served || observed.Version.String() != row.served || observed.Requested != verso.RequestedListed) {
						t.Errorf("%s: observed %+v", name, observed)
					}
					if said := fmt.Sprint(w.Header(), w.Body); row.served != "" && row.text != row.served && strings.Contains(strings.ReplaceAll(said, row.served, ""), row.text) {
						t.Errorf("%s: the text is in the response: %s", name, said)
					}
					if gone := w.Code == http.StatusGone && strings.HasPrefix(row.text, "2024"); gone && (w.Header().Get("Sunset") == "" || !strings.Contains(w.Body.String(), `"successor":"2025-01-01"`)) {
						t.Errorf("%s: %v %s", name, w.Header(), w.Body)
					}
					if row.served == "2025-01-01" && (w.Header().Get("Deprecation") == "" || w.Header().Get("Sunset") == "") {
						t.Errorf("%s: no dates: %v", name, w.Header())
					}
				}
			}
		}
	}
}

func linked(format, version string) string {
	if format == "" {
		return ""
	}
	return fmt.Sprintf(format, version)
}
