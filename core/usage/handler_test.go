package usage_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/usage"
	"github.com/goverso/verso/core/versotest"
)

func TestHandlerFormats(t *testing.T) {
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	for _, test := range []struct {
		method, target, accept string
		status                 int
		contentType            string
	}{
		{"GET", "/", "", 200, "application/json"},
		{"GET", "/", "*/*", 200, "application/json"},
		{"GET", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, "text/html; charset=utf-8"},
		{"GET", "/", "application/json, text/html;q=0.5", 200, "application/json"},
		{"GET", "/", "image/png", 200, "application/json"},
		{"GET", "/?format=json", "text/html", 200, "application/json"},
		{"GET", "/?format=html", "", 200, "text/html; charset=utf-8"},
		{"HEAD", "/", "text/html", 200, "text/html; charset=utf-8"},
		{"POST", "/", "text/html", 405, "text/plain; charset=utf-8"},
	} {
		r := httptest.NewRequest(test.method, test.target, nil)
		if test.accept != "" {
			r.Header.Set("Accept", test.accept)
		}
		response := httptest.NewRecorder()
		table.Handler().ServeHTTP(response, r)
		header := response.Header()
		if response.Code != test.status || header.Get("Content-Type") != test.contentType || header.Get("Vary") != "Accept" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s, Accept: %s: %d %v", test.method, test.target, test.accept, response.Code, header)
		}
		if html := strings.HasPrefix(test.contentType, "text/html"); html != strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'sha256-") {
			t.Errorf("%s %s: %s", test.method, test.target, header.Get("Content-Security-Policy"))
		}
	}
}

// htmlOf returns the page.
func htmlOf(table *usage.Table) string {
	response := httptest.NewRecorder()
	table.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/?format=html", nil))
	return response.Body.String()
}

func TestPage(t *testing.T) {
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	for day := range 40 {
		for range 1000 + day {
			table.Observe(t.Context(), call("v1", "acme", "/users", noon.AddDate(0, 0, day-39)))
		}
	}
	table.Observe(t.Context(), call("v0", "", "", noon))
	table.Observe(t.Context(), call("", "acme", "/users", noon))
	page := htmlOf(table)
	position := 0
	for _, text := range []string{
		"<time datetime=\"2026-11-21T12:00:00Z\">2026-11-21 12:00 UTC</time>",
		`<a href="#version-0"><bdi>v0</bdi></a>`, "ended</span>", "61 days ago, 2026-09-21",
		`<a href="#version-1"><bdi>v1</bdi></a>`, "deprecated</span>", "in 1 day, 2026-11-23", "40,780",
		`<th scope="row"><bdi>v2</bdi></th>`,
		`<th scope="row"><bdi>v3</bdi></th>`,
		"no listed version",
		"Its clients must move to v3: sunset 61 days ago, 2026-09-21.", "<bdi>not known</bdi>",
		"Its clients must move to v3: sunset in 1 day, 2026-11-23.",
		"Requests for v1 on each of the last 90 days: at most 1,039, on 2026-11-21; 1,039 today",
		`<path class="bars" d="M200 59v-53.9h3v53.9z`, `M356 59v-56.0h3v56.0z"/>`,
		"<bdi>acme</bdi>", "<bdi>/users</bdi>: 40,780",
	} {
		found := strings.Index(page[position:], text)
		if found < 0 {
			t.Fatalf("no %q in\n%s", text, page[position:])
		}
		position += found
	}
	if strings.Contains(page, "<script") || strings.Contains(page, " style=") || strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("the page has a script or a style attribute, or loads something")
	}
}

// TestPageSunset shows when v1 ends, at several times before and after.
func TestPageSunset(t *testing.T) {
	for _, test := range []struct {
		left time.Duration // until the sunset, which is noon
		days int
		want string
	}{
		{72 * time.Hour, 3, "in 3 days, 2026-11-21"},
		{48*time.Hour - time.Second, 1, "in 1 day, 2026-11-21"},
		{24 * time.Hour, 1, "in 1 day, 2026-11-21"},
		{24*time.Hour - time.Second, 0, "within 24 hours, 2026-11-21"},
		{0, 0, "within 24 hours, 2026-11-21"},
		{-time.Second, -1, "in the last 24 hours, 2026-11-21"},
		{-24 * time.Hour, -1, "in the last 24 hours, 2026-11-21"},
		{-24*time.Hour - time.Second, -2, "2 days ago, 2026-11-21"},
	} {
		t.Run(test.left.String(), func(t *testing.T) {
			dated := verso.Must(catalogue.New(catalogue.Config{
				Versions:    []catalogue.Entry{{Version: "v1", Sunset: noon}, {Version: "v2"}},
				AfterSunset: catalogue.Gone,
			}))
			table := usage.NewTable(dated, versotest.NewClock(noon.Add(-test.left)).Now)
			table.Observe(t.Context(), call("v1", "acme", "/users", noon))
			if days := read(t, table).Versions[0].DaysToSunset; *days != test.days {
				t.Errorf("%d days, want %d", *days, test.days)
			}
			for _, text := range []string{"<td>" + test.want + "</td>", "Its clients must move to another version: sunset " + test.want + "."} {
				if page := htmlOf(table); !strings.Contains(page, text) {
					t.Errorf("no %q in\n%s", text, page)
				}
			}
		})
	}
}

// TestPageAdvice shows what the clients of a version without a sunset must do.
func TestPageAdvice(t *testing.T) {
	for _, test := range []struct {
		name  string
		entry catalogue.Entry
		want  string
	}{
		{"supported", catalogue.Entry{Version: "v1"}, ""},
		{"supported, with a successor", catalogue.Entry{Version: "v1", Successor: "v2"}, ""},
		{"deprecated", catalogue.Entry{Version: "v1", Deprecated: noon}, "<p>Its clients should move to another version: it is deprecated.</p>"},
		{"deprecated, with a successor", catalogue.Entry{Version: "v1", Deprecated: noon, Successor: "v2"}, "<p>Its clients should move to v2: it is deprecated.</p>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dated := verso.Must(catalogue.New(catalogue.Config{Versions: []catalogue.Entry{test.entry, {Version: "v2"}}}))
			table := usage.NewTable(dated, versotest.NewClock(noon).Now)
			table.Observe(t.Context(), call("v1", "acme", "/users", noon))
			if page := htmlOf(table); !strings.Contains(page, test.want) || strings.Contains(page, "Its clients") != (test.want != "") {
				t.Errorf("no %q in\n%s", test.want, page)
			}
		})
	}
}

// TestPageOrder lists first who must move first.
func TestPageOrder(t *testing.T) {
	dated := verso.Must(catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "supported"},
		{Version: "deprecated", Deprecated: noon},
		{Version: "later", Sunset: noon.AddDate(1, 0, 0)},
		{Version: "sooner", Deprecated: noon, Sunset: noon.AddDate(0, 1, 0)},
		{Version: "newest"},
	}, AfterSunset: catalogue.Gone}))
	var order []string
	for _, v := range read(t, usage.NewTable(dated, versotest.NewClock(noon).Now)).Versions {
		order = append(order, v.Version)
	}
	if got, want := strings.Join(order, " "), "sooner later deprecated supported newest "; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

// TestPageRows reads rows of the page.
func TestPageRows(t *testing.T) {
	for _, test := range []struct {
		name  string
		calls func(observe func(times int, u verso.Usage))
		want  []string
		not   string
	}{
		{
			"no requests", func(func(int, verso.Usage)) {},
			[]string{`<th scope="row"><bdi>v3</bdi></th><td><span class="state supported">supported</span></td><td></td><td class="number"></td><td class="number"></td><td></td></tr>`},
			"no listed version",
		},
		{
			"clients of the last 30 days", func(observe func(int, verso.Usage)) {
				observe(1, call("v3", "today", "/users", noon))
				observe(1, call("v3", "in time", "/users", noon.Add(-30*24*time.Hour+time.Second)))
				observe(1, call("v3", "too old", "/users", noon.Add(-30*24*time.Hour)))
			},
			[]string{`<td class="number">3</td><td class="number">2</td><td>2026-11-21 12:00 UTC</td></tr>`}, "",
		},
		{
			"numbers", func(observe func(int, verso.Usage)) {
				observe(100, call("v3", "acme", "/hundred", noon))
				observe(1000, call("v3", "acme", "/thousand", noon))
			},
			[]string{"<bdi>/thousand</bdi>: 1,000</li>", "<bdi>/hundred</bdi>: 100</li>", "at most 1,100, on 2026-11-21; 1,100 today"}, "",
		},
		{
			"the first of equal days", func(observe func(int, verso.Usage)) {
				observe(2, call("v3", "acme", "/users", noon.AddDate(0, 0, -2)))
				observe(2, call("v3", "acme", "/users", noon.AddDate(0, 0, -1)))
			},
			[]string{"at most 2, on 2026-11-19; 0 today"}, "",
		},
		{
			"no requests in 90 days", func(observe func(int, verso.Usage)) {
				observe(1, call("v3", "acme", "/users", noon.AddDate(0, 0, -90)))
			},
			[]string{"Requests for v3 on each of the last 90 days: none"}, "",
		},
		{
			"100 clients and 20 routes", func(observe func(int, verso.Usage)) {
				for i := range 100 {
					observe(1, call("v3", fmt.Sprint("client ", i), "/users", noon))
				}
				for i := range 20 {
					observe(1, call("v2", "acme", fmt.Sprint("/", i), noon))
				}
			},
			[]string{"client 99", "/19"}, "see the JSON",
		},
		{
			"101 clients and 21 routes", func(observe func(int, verso.Usage)) {
				for i := range 101 {
					observe(1, call("v3", fmt.Sprintf("client %03d", i), "/users", noon))
				}
				for i := range 21 {
					observe(1, call("v2", "acme", fmt.Sprintf("/%02d", i), noon))
				}
			},
			[]string{"/19", "and 1 more: see the JSON", "client 099", "And 1 more clients"}, "client 100",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
			test.calls(func(times int, u verso.Usage) {
				for range times {
					table.Observe(t.Context(), u)
				}
			})
			page := htmlOf(table)
			for _, text := range test.want {
				if !strings.Contains(page, text) {
					t.Errorf("no %q in\n%s", text, page)
				}
			}
			if test.not != "" && strings.Contains(page, test.not) {
				t.Errorf("%q in\n%s", test.not, page)
			}
		})
	}
}

// TestHostileNames sees that the name of a client stays text.
func TestHostileNames(t *testing.T) {
	for name, shown := range map[string]string{
		`<script>alert(1)</script>`:  `&lt;script&gt;alert(1)&lt;/script&gt;`,
		`"><img src=x onerror=y>`:    `&#34;&gt;&lt;img src=x onerror=y&gt;`,
		"a\u202egpj.exe":             `a\u202egpj.exe`,
		"line\nbreak\x00\x1b[31m":    `line\nbreak\x00\x1b[31m`,
		"{{.Time}} ${x} `y`":         "{{.Time}} ${x} `y`",
		"</title></style></svg>":     `&lt;/title&gt;&lt;/style&gt;&lt;/svg&gt;`,
		"Größe 株式会社":                 "Größe 株式会社",
		"javascript:alert(1)":        "javascript:alert(1)",
		strings.Repeat("\u0301", 20): strings.Repeat("\u0301", 20),
	} {
		table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
		table.Observe(t.Context(), call("v1", name, name, noon))
		if page := htmlOf(table); strings.Count(page, "<bdi>"+shown+"</bdi>") != 2 {
			t.Errorf("%q is not shown as %q:\n%s", name, shown, page)
		}
		if got := read(t, table).Versions[1].Clients[0].Client; got != name {
			t.Errorf("JSON has %q, want %q", got, name)
		}
	}
}

// TestLongPage sees that the page shows some of many clients and routes.
func TestLongPage(t *testing.T) {
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	for i := range 1200 {
		table.Observe(t.Context(), call("v3", fmt.Sprint("client ", i), "/users", noon))
	}
	for i := range 50 {
		table.Observe(t.Context(), call("v3", "client 7", fmt.Sprint("/", i), noon))
	}
	page := htmlOf(table)
	if len(page) > 100<<10 {
		t.Errorf("%d KiB", len(page)>>10)
	}
	for _, text := range []string{"all others, beyond the first 1000", "And 901 more clients, with fewer requests: see the JSON.", "and 31 more: see the JSON"} {
		if !strings.Contains(page, text) {
			t.Errorf("no %q in\n%.3000s", text, page)
		}
	}
}
