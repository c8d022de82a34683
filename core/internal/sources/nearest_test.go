package sources_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// nearby returns a catalogue as Nearest needs it.
func nearby(entries ...catalogue.Entry) catalogue.Config {
	return catalogue.Config{ServedHeader: "Api-Version", AfterSunset: catalogue.Gone, Versions: entries}
}

func versions(texts ...string) (entries []catalogue.Entry) {
	for _, text := range texts {
		entries = append(entries, catalogue.Entry{Version: text})
	}
	return entries
}

var (
	march31 = time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC)
	dated   = nearby(
		catalogue.Entry{Version: "2024-01-01", Sunset: coretest.Date(2025, 4, 1)}, catalogue.Entry{Version: "2025-01-01"}, catalogue.Entry{Version: "2025-06-01", Preview: true},
		catalogue.Entry{Version: "2026-01-01"}, catalogue.Entry{Version: "2026-04-03", Released: coretest.Date(2026, 4, 3)}, catalogue.Entry{Version: "first"},
	)
	months   = nearby(versions("2025-01", "2025-04", "2025-07")...)
	releases = nearby(
		catalogue.Entry{Version: "0.16.1"}, catalogue.Entry{Version: "0.17.0"}, catalogue.Entry{Version: "1.2"}, catalogue.Entry{Version: "2.0-rc1", Preview: true},
		catalogue.Entry{Version: "2.0"}, catalogue.Entry{Version: "3.0", Preview: true}, catalogue.Entry{Version: "10.0"}, catalogue.Entry{Version: "11.5", Released: coretest.Date(2027, 1, 1)},
	)
	lettered = nearby(catalogue.Entry{Version: "v1.0", Sunset: coretest.Date(2026, 1, 1)}, catalogue.Entry{Version: "v1.2"}, catalogue.Entry{Version: "v2.0"})
)

// TestNearest asks for each text in each way that URLs and headers have it. The outcomes are
// the same but for the status of a rejection.
func TestNearest(t *testing.T) {
	const rejected, gone = "rejected", "410 version_gone"
	for _, test := range []struct {
		name     string
		order    verso.Order
		versions catalogue.Config
		texts    map[string]string
	}{
		{"dates", verso.ByDate(), dated, map[string]string{
			"2025-01-01": "= 2025-01-01", "2025-07-14": "= 2025-01-01", "2025-01": "= 2025-01-01", "2025-02": "= 2025-01-01", "2025-12-31": "= 2025-01-01", "2026-01-01": "= 2026-01-01", "2026-01": "= 2026-01-01",
			"2025-06-01": "= 2025-06-01", "2025-06": "= 2025-01-01", "2025-06-02": "= 2025-01-01", // a preview is for those who name it
			"2026-01-02": "= 2026-01-01", "2026-03-31": "= 2026-01-01", "2026-04-01": "= 2026-01-01", "2026-04": "= 2026-01-01", // it is tomorrow somewhere
			"2026-04-02": rejected, "2026-05": rejected, "9999-12-31": rejected,
			"2026-04-03": rejected, // not released
			"2024-01-01": gone, "2024-02-10": gone, "2024-12-31": gone, "2024-02-29": gone,
			"2023-12-31": rejected, "0000-01-01": rejected, "2023-12": rejected,
			"2025-02-29": rejected, "2025-13-01": rejected, "2025-00-01": rejected, "2025-01-32": rejected, "2025-1-3": rejected, "25-01-01": rejected, "2025": rejected, "20250714": rejected,
			"2025-07-14T00:00:00Z": rejected, "2025-07-14\t": rejected, "+025-07-14": rejected, "-025-07-14": rejected, "2025/07/14": rejected, "２025-07-14": rejected, "2025-0７-14": rejected,
			"latest": rejected, "first": "= first", "First": rejected,
		}},
		{"months", verso.ByDate(), months, map[string]string{
			"2025-01": "= 2025-01", "2025-01-01": "= 2025-01", "2025-03-31": "= 2025-01", "2025-04-01": "= 2025-04", "2026-04-01": "= 2025-07", "2024-12": rejected, "2026-04-02": rejected,
		}},
		{"numbers within the first", verso.ByNumberWithinMajor(), releases, map[string]string{
			"1.2": "= 1.2", "1.3": "= 1.2", "1.2.0.0": "= 1.2", "1.99.5.1": "= 1.2", "1.1": rejected, "1": rejected, "10.5": "= 10.0", "10": "= 10.0", "2": "= 2.0", "2.9": "= 2.0", "3.1": rejected, "9.9": rejected,
			"11": rejected, "11.5": rejected, "11.5.0": rejected, "12.0": rejected, "0.16.0": rejected, "0.16.2": "= 0.16.1", "0.17.3": "= 0.17.0", "0.99": "= 0.17.0", "0": rejected, "3.0": "= 3.0",
		}},
		{"numbers up to a release", verso.ByNumberUpTo("12.3"), releases, map[string]string{
			"0.16.1": "= 0.16.1", "0.16.9": "= 0.16.1", "0.17.3": "= 0.17.0", "0.17": "= 0.17.0", "1.1": "= 0.17.0", "1.2.0": "= 1.2", "1.10": "= 1.2", "2.0.0": "= 2.0", "3.1": "= 2.0", "9.99": "= 2.0", "3.0": "= 3.0", "3": "= 2.0",
			"10.0.1": "= 10.0", "11.5": rejected, "11.5.0": "= 10.0", "12.3": "= 10.0", "12.3.0.0": "= 10.0", "12.3.0.1": rejected, "12.4": rejected, "0.16.0": rejected, "0.16": rejected,
			"2.0-rc1": "= 2.0-rc1", "2.0-rc2": rejected, "1.2-rc1": rejected, "1.2+45": rejected, "v1.2": rejected, "V1.2": rejected, "01.2": rejected, "1.02": rejected, "1..2": rejected, ".1": rejected, "1.": rejected, "+1": rejected, "-1": rejected,
			"1.2.3.4.5": rejected, "1;3": rejected, "1.2\t": rejected, "1.x": rejected, "1.٣": rejected, "1e3": rejected, "0x10": rejected, "1_0": rejected,
			"1.99999999999999999999": "= 1.2", "99999999999999999999": rejected, "00": rejected, "0.16.01": rejected,
		}},
		{"numbers up to the newest", verso.ByNumberUpToNewest(), releases, map[string]string{
			"1.9": "= 1.2", "3.1": "= 2.0", "10.0": "= 10.0", "10.0.0": "= 10.0", "10.0.1": rejected, "11.5": rejected, "11.4": rejected, "0.1": rejected,
		}},
		{"numbers with a v", verso.ByNumberWithinMajor(), lettered, map[string]string{
			"v1.2": "= v1.2", "v1.1": gone, "v1": gone, "v1.3": "= v1.2", "1.3": rejected, "vv1.3": rejected, "v": rejected, "v-1": rejected, "v2.1": "= v2.0", "v3.0": rejected, "v0.9": rejected,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := verso.Config{Clock: func() time.Time { return march31 }, Catalogue: catalogue.MustNew(test.versions), DefaultVersion: verso.V(test.versions.Versions[1].Version), Acknowledged: []string{"order_unknown"}}
			for place, from := range map[string]source.Source{
				"400 invalid_header_version": verso.Header("Api-Version"), "404 invalid_query_parameter_version": verso.QueryParam("version"), "404 invalid_url_path_version": verso.PathParam("version"),
				"400 invalid_version": wrapped{verso.Header("Api-Version")},
			} {
				for _, source := range []source.Source{verso.Nearest(from, test.order), verso.First(verso.Stored("pin", "Authorization"), verso.Nearest(from, test.order)), verso.Agree(verso.Nearest(from, test.order), verso.Stored("pin", "Authorization"))} {
					b := adapter.Bind(verso.MustNew(source, config), nil)
					for text, want := range test.texts {
						if strings.TrimSpace(text) != text && strings.HasPrefix(place, "400") {
							continue // a header has no such text
						}
						if want == rejected {
							want = place
						}
						coretest.Expect(t, b, asking(text), want, source.Describe().Name, text)
					}
				}
			}
		})
	}
}

// wrapped is a source of another package.
type wrapped struct{ source.Source }

func (w wrapped) Describe() source.Description {
	d := w.Source.Describe()
	d.Invalid = source.Rejection{}
	return d
}

// asking returns a request that has a text everywhere.
func asking(text string) source.Request {
	r := httptest.NewRequest(http.MethodGet, "/users?"+url.Values{"version": {text}}.Encode(), nil)
	r.Header.Set("Api-Version", text)
	return versotest.Request(r, map[string]string{"version": text}, nil)
}

// TestNearestAgrees compares what texts mean, not the texts.
func TestNearestAgrees(t *testing.T) {
	config := verso.Config{Clock: func() time.Time { return march31 }, Catalogue: catalogue.MustNew(dated), Acknowledged: []string{"order_unknown"}}
	for _, test := range []struct{ header, query, want string }{
		{"2025-07-14", "2025-02", "= 2025-01-01"},
		{"2025-07-14", "2025-01-01", "= 2025-01-01"},
		{"2025-07-14", "2026-01-01", "400 contradicting_versions"},
		{"2025-07-14", "2023-01-01", "400 contradicting_versions"},
		{"2023-01-01", "2023-01-01", "400 invalid_header_version"},
		{"2024-07-14", "2024-01-01", "410 version_gone"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/users?version="+test.query, nil)
		r.Header.Set("Api-Version", test.header)
		api := verso.MustNew(verso.Agree(verso.Nearest(verso.Header("Api-Version"), verso.ByDate()), verso.Nearest(verso.QueryParam("version"), verso.ByDate())), config)
		coretest.Expect(t, api, versotest.Request(r, nil, nil), test.want, test)
	}
}

// TestNearestOverTime asks again later: the text of a day keeps its version.
func TestNearestOverTime(t *testing.T) {
	clock := versotest.NewClock(march31)
	b := adapter.Bind(verso.MustNew(verso.Nearest(verso.Header("Api-Version"), verso.ByDate()), verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(dated), Acknowledged: []string{"order_unknown"}}), nil)
	for _, test := range []struct {
		at         time.Time
		text, want string
	}{
		{march31, "2026-04-01", "= 2026-01-01"},
		{march31, "2026-04-02", "400 invalid_header_version"},
		{march31.Add(time.Second), "2026-04-02", "= 2026-01-01"},
		{march31.In(time.FixedZone("", 14*3600)), "2026-04-02", "400 invalid_header_version"},
		{march31.Add(48 * time.Hour), "2026-04-03", "400 invalid_header_version"},
		{march31.Add(49 * time.Hour), "2026-04-03", "= 2026-04-03"},
		{march31.Add(49 * time.Hour), "2026-04-04", "= 2026-04-03"},
		{march31.Add(49 * time.Hour), "2026-04-02", "= 2026-01-01"},
		{march31.AddDate(10, 0, 0), "2025-07-14", "= 2025-01-01"},
	} {
		clock.Set(test.at)
		coretest.Expect(t, b, asking(test.text), test.want, test.at, test.text)
	}
}

// TestNearestIsStoredOnce checks the response to a text that will have a version later: a cache
// must not keep it.
func TestNearestIsStoredOnce(t *testing.T) {
	config := verso.Config{Clock: func() time.Time { return march31 }, Catalogue: catalogue.MustNew(dated), Acknowledged: []string{"order_unknown"}}
	for _, test := range []struct {
		from  source.Source
		text  string
		store string
	}{
		{verso.QueryParam("version"), "2026-04-02", "no-store"},
		{verso.PathParam("version"), "2030-01-01", "no-store"},
		{verso.PathParam("version"), "2026-04-03", "no-store"},
		{verso.QueryParam("version"), "2023-01-01", ""},
		{verso.QueryParam("version"), "2024-07-14", ""},
		{verso.QueryParam("version"), "2025-07-14", ""},
		{verso.QueryParam("version"), "latest", ""},
		{verso.Header("Api-Version"), "2026-04-02", ""}, // 400 is not stored
	} {
		for _, from := range []source.Source{verso.Nearest(test.from, verso.ByDate()), verso.First(verso.Nearest(test.from, verso.ByDate()), verso.Header("X-Version")), verso.Agree(verso.Nearest(test.from, verso.ByDate()), verso.Header("X-Version"))} {
			w := httptest.NewRecorder()
			_, call := coretest.Begin(adapter.Bind(verso.MustNew(from, config), nil), asking(test.text))
			call.Fields.Set(w.Header())
			if got := w.Header().Get("Cache-Control"); got != test.store {
				t.Errorf("%s, %s: %q, want %q", from.Describe().Name, test.text, got, test.store)
			}
		}
	}
}

// TestNearestHosts reads dates and numbers from hosts, which ignore case, and links to the
// version instead of the text.
func TestNearestHosts(t *testing.T) {
	pattern := verso.HostLabel(`^(v?[0-9.-]+)\.api\.example\.com$`)
	for _, test := range []struct {
		host, origin, want, link string
		relative                 bool
	}{
		{host: "v1.3.api.example.com", want: "= v1.2", link: "http://v1.2.api.example.com/users"},
		{host: "V1.3.API.example.com", want: "= v1.2", link: "http://v1.2.API.example.com/users"},
		{host: "v1.2.api.example.com:8080", want: "= v1.2", link: "http://v1.2.api.example.com:8080/users"},
		{host: "v2.7.api.example.com", want: "= v2.0", link: "http://v2.0.api.example.com/users"},
		{host: "v2.7.api.example.com", want: "= v2.0", link: "/users", relative: true},
		{host: "v2.7.api.example.com", origin: "https://example.com", want: "= v2.0", link: "https://example.com/users"},
		{host: "api.example.com", want: "= v1.2", link: "http://api.example.com/users"}, // the default
	} {
		for _, from := range []source.Source{verso.Nearest(pattern, verso.ByNumberWithinMajor()), verso.First(verso.Header("Api-Version"), verso.Nearest(pattern, verso.ByNumberWithinMajor()))} {
			b := adapter.Bind(verso.MustNew(from, verso.Config{
				Catalogue: catalogue.MustNew(lettered), DefaultVersion: verso.V("v1.2"), Links: verso.LinkConfig{Origin: test.origin, Relative: test.relative, TrustedHosts: []string{"example.com", "*.example.com"}},
			}), nil)
			added := verso.Must(b.Add(route.Route{Name: "users", Pattern: route.Braces("/users"), Path: "/users"}))
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			r.Host = test.host
			request := versotest.Request(r, nil, added.Route())
			result, _ := coretest.Begin(b, request)
			if got := "= " + result.Version().String(); got != test.want {
				t.Errorf("%s: %s, want %s", test.host, got, test.want)
			}
			if link, err := adapter.LinkFor(result, request, verso.Target{Name: "users"}); link != test.link || err != nil {
				t.Errorf("%s: link %s, %v, want %s", test.host, link, err, test.link)
			}
		}
	}
}

// TestNearestFindings has the mistakes that are found when a versioning is made.
func TestNearestFindings(t *testing.T) {
	header, within, numbers := verso.Header("Api-Version"), verso.ByNumberWithinMajor(), nearby(versions("1.0", "2.0")...)
	unnamed := numbers
	unnamed.ServedHeader = ""
	released := func(text string, day time.Time) catalogue.Entry { return catalogue.Entry{Version: text, Released: day} }
	on := func(month time.Month, day int) time.Time { return coretest.Date(2026, month, day) }
	preview := func(text string) catalogue.Entry { return catalogue.Entry{Version: text, Preview: true} }
	before := catalogue.Entry{Version: "2025-01-01"}
	for _, test := range []struct {
		name     string
		source   source.Source
		versions catalogue.Config
		want     string
	}{
		{"nothing", verso.Nearest(header, within), numbers, ""},
		{"no order", verso.Nearest(header, verso.Order{}), numbers, "error order_missing"},
		{"no source", verso.Nearest(nil, within), numbers, "error source_missing"},
		{"no served header", verso.Nearest(header, within), unnamed, "error nearest_needs_served_header"},
		{"a release that is no number", verso.Nearest(header, verso.ByNumberUpTo("1.17.3-rc1")), numbers, "error order_release"},
		{"no release", verso.Nearest(header, verso.ByNumberUpTo("")), numbers, "error order_release"},
		{"a release with a v", verso.Nearest(header, verso.ByNumberUpTo("v2.3")), numbers, ""},
		{"around a prefix", verso.Nearest(verso.PathPrefix("/{version}"), within), numbers, "error order_place"},
		{"around a namespace", verso.Nearest(verso.Namespace(), within), numbers, "error order_place"},
		{"around a media type", verso.Nearest(verso.MediaType("application/vnd.acme.{version}+json"), within), numbers, "error order_place"},
		{"around First", verso.Nearest(verso.First(header, verso.QueryParam("v")), within), numbers, "error order_place"},
		{"around Agree", verso.Nearest(verso.Agree(header), within), numbers, "error order_place"},
		{"around Nearest", verso.Nearest(verso.Nearest(header, within), within), numbers, "error order_place"},
		{"inside First", verso.First(verso.Nearest(header, verso.Order{}), verso.QueryParam("v")), numbers, "error order_missing"},
		{"descending", verso.Nearest(header, within), nearby(versions("2.0", "1.0")...), "error order_wrong"},
		{"descending dates", verso.Nearest(header, verso.ByDate()), nearby(versions("2025-02", "2025-01-31")...), "error order_wrong"},
		{"sorted as text", verso.Nearest(header, within), nearby(versions("1.0", "10.0", "2.0")...), "error order_wrong"},
		{"one place", verso.Nearest(header, within), nearby(versions("1", "1.0")...), "error order_equal"},
		{"one day", verso.Nearest(header, verso.ByDate()), nearby(versions("2025-01", "2025-01-01")...), "error order_equal"},
		{"outside", verso.Nearest(header, within), nearby(versions("beta", "1.0")...), "warning order_unknown"},
		{"preview outside", verso.Nearest(header, verso.ByDate()), nearby(versions("2026-01-01")[0], preview("2026-03-02-preview")), ""},
		{"released by its date", verso.Nearest(header, verso.ByDate()), nearby(before, released("2026-04-10", on(4, 10))), "warning released_too_late"},
		{"released in the night before", verso.Nearest(header, verso.ByDate()), nearby(before, released("2026-04-10", on(4, 9).Add(time.Second))), "warning released_too_late"},
		{"released in time", verso.Nearest(header, verso.ByDate()), nearby(before, released("2026-04-10", on(4, 9))), ""},
		{"released long ago", verso.Nearest(header, verso.ByDate()), nearby(before, released("2025-04-10", on(1, 1))), ""},
		{"released after a later one", verso.Nearest(header, verso.ByNumberUpToNewest()), nearby(versions("1.0")[0], released("1.1", on(6, 1)), released("1.2", on(5, 1))), "warning released_too_late"},
		{"released before a later one", verso.Nearest(header, verso.ByNumberUpToNewest()), nearby(versions("1.0")[0], released("1.1", on(5, 1)), released("1.2", on(6, 1))), ""},
		{"in an open end", verso.Nearest(header, within), nearby(versions("1.0")[0], released("1.1", on(5, 1))), "warning released_too_late"},
		{"behind an open end", verso.Nearest(header, within), nearby(versions("1.0")[0], released("2.0", on(5, 1))), ""},
		{"below the release", verso.Nearest(header, verso.ByNumberUpTo("1.1")), nearby(versions("1.0")[0], released("1.1", on(5, 1))), "warning released_too_late"},
		{"above the release", verso.Nearest(header, verso.ByNumberUpTo("1.0.9")), nearby(versions("1.0")[0], released("1.1", on(5, 1))), ""},
		{"preview of tomorrow", verso.Nearest(header, verso.ByDate()), nearby(before, preview("2026-04-01")), "warning preview_reached"},
		{"preview of the day after", verso.Nearest(header, verso.ByDate()), nearby(before, preview("2026-04-02")), ""},
		{"preview in an open end", verso.Nearest(header, within), nearby(versions("1.0")[0], preview("1.1")), "warning preview_reached"},
		{"preview before the newest", verso.Nearest(header, verso.ByNumberUpToNewest()), nearby(versions("1.0")[0], preview("1.1"), versions("1.2")[0]), "warning preview_reached"},
		{"preview after the newest", verso.Nearest(header, verso.ByNumberUpToNewest()), nearby(versions("1.0")[0], preview("1.1")), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			api, err := verso.New(test.source, verso.Config{Catalogue: catalogue.MustNew(test.versions), Clock: func() time.Time { return march31 }})
			for _, f := range coretest.ConfigErrors(err) {
				got = append(got, "error "+f.Code)
			}
			if err == nil {
				for _, f := range adapter.Bind(api, nil).Explain().Findings {
					got = append(got, "warning "+f.Code)
				}
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	_, err := verso.New(verso.Nearest(header, within), coretest.List("1.0", "2.0"))
	if got := fmt.Sprint(err); !strings.Contains(got, "ServedHeader") {
		t.Errorf("a list without a catalogue: %s", got)
	}
}

// TestNearestTwice gives one source to two services.
func TestNearestTwice(t *testing.T) {
	from := verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpToNewest())
	one := verso.MustNew(from, verso.Config{Catalogue: catalogue.MustNew(nearby(versions("1.0", "3.0")...))})
	two := verso.MustNew(from, verso.Config{Catalogue: catalogue.MustNew(nearby(versions("2.0", "3.0")...))})
	for range 2 {
		coretest.Expect(t, one, asking("2.5"), "= 1.0", "one")
		coretest.Expect(t, two, asking("2.5"), "= 2.0", "two")
	}
}

// TestNearestAllocates checks that a text costs no memory, as a version does not.
func TestNearestAllocates(t *testing.T) {
	for text, order := range map[string]verso.Order{"2025-07-14": verso.ByDate(), "2026-04-01": verso.ByDate(), "2026-01": verso.ByDate()} {
		b := adapter.Bind(verso.MustNew(verso.Nearest(verso.Header("Api-Version"), order), verso.Config{Clock: func() time.Time { return march31 }, Catalogue: catalogue.MustNew(dated)}), nil)
		r := asking(text)
		if n := testing.AllocsPerRun(100, func() { _, _ = b.DetermineVersion(r) }); n > 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}
