package migrate_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/migrate"
)

type oldGuest struct {
	Whole string `json:"whole"`
}

// party is a type with edits only in a form that it had before.
type party struct {
	Host string `json:"host"`
}

type oldParty struct {
	Guest oldGuest `json:"guest"`
}

func changelogHistory(t *testing.T) (*migrate.History, *catalogue.Catalogue, *verso.Explanation) {
	t.Helper()
	date := catalogue.MustDate
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Released: date("2023-01-01"), Deprecated: date("2024-01-01"), Sunset: date("2025-01-01"), Successor: "v3"},
		{Version: "v2", Released: date("2024-01-01"), Deprecated: date("2026-01-01"), Sunset: date("2027-01-01"), Successor: "v3",
			Links: []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v2?a&b", Title: `From <v2> to v3`}, {Rel: "sunset", Href: "https://example.com/v2?a&b"}}},
		{Version: "v3", Released: date("2025-06-01")},
		{Version: "v4", Released: date("2028-01-01")},
	}})
	clock := func() time.Time { return date("2026-07-01") }
	api := verso.MustNew(verso.PathParam("v"), verso.Config{Catalogue: versions, Clock: clock})
	named := migrate.Behaves("Guests are ordered by name.")
	h, err := migrate.New(api,
		migrate.Release("v4", migrate.Changed("Secret <plans>.", migrate.For[party](migrate.Additive("host")))),
		migrate.Release("v3",
			migrate.Changed("A guest is <b>whole</b>.", migrate.For[oldGuest](migrate.Renamed("name", "whole"))),
			migrate.Changed("Guests have counts.", migrate.For[Guest](migrate.Added("count", migrate.Absent), migrate.Additive("notes"))),
			named),
		migrate.Release("v2",
			migrate.Changed("A room is no more text.", migrate.For[Guest](migrate.Added("room", migrate.Absent), migrate.Removed("fax", "")))),
		migrate.Release("v1"))
	require.NoError(t, err)
	service := &verso.Explanation{Source: verso.PathParam("v"), Time: clock(), Catalogue: versions, Routes: []verso.RouteInfo{
		{Method: "GET", Pattern: "/:v/guests", Path: "/{v}/guests", Name: "guests", Rewriter: h.Route(migrate.Returns[[]*Guest](), migrate.Open[Guest]("meta"))},
		{Method: "POST", Pattern: "/:v/guests", Path: "/{v}/guests", Name: "guests", Rewriter: h.Route(migrate.Accepts[Guest](), migrate.Open[Guest]("meta"), migrate.Fails[oldGuest]("text/problem"),
			named.Status(200, 201), named.ResponseHeader("x-count", "x-total"))},
		{Method: "GET", Pattern: "/guests", Path: "/guests", Name: "guests", Rewriter: h.Route(migrate.Returns[[]*Guest](), migrate.Open[Guest]("meta"))},
		{Method: "GET", Path: "/{v}/old", Name: "moved", Versions: []string{"v1", "v2"}},
		{Method: "GET", Path: "/{v}/new", Name: "moved", Versions: []string{"v3", "v4"}},
		{Method: "PUT", Path: "/{v}/gone", Name: "gone", Versions: []string{"v1"}},
		{Method: "PUT", Path: "/{v}/came", Versions: []string{"v3", "v4"}},
		{Method: "PUT", Path: "/{v}/secret", Versions: []string{"v4"}},
		{Method: "GET", Path: "/health", Neutral: true},
	}}
	return h, versions, service
}

func TestChangelog(t *testing.T) {
	var text strings.Builder
	require.NoError(t, history(t).Changelog(nil).Markdown(&text))
	assert.Equal(t, `## v3

- A guest has a first and a last name. **Breaking.**
  - `+"`Guest`"+`: "name" is now "first" and "last".
- Guests are ordered by name. **Breaking.**

## v2

- A guest has a room and notes. **Breaking.**
  - `+"`Guest`"+`: "room" is new; for older clients it is "none".
  - `+"`Guest`"+`: "notes" is new, in all versions.
  - `+"`Guest`"+`: "fax" is removed; older clients read "".
  - `+"`Guest`"+`: "name" has other values: "admin" is new, and older clients read "anon"; "anon" is now "nobody".
  - `+"`Guest`"+`: "count" was string.

## v1
`, text.String())
}

func TestChangelogOfService(t *testing.T) {
	h, _, service := changelogHistory(t)
	var text strings.Builder
	require.NoError(t, h.Changelog(service).Markdown(&text))
	assert.Equal(t, strings.ReplaceAll(`## v4

Released on 1 January 2028.

- Secret \<plans>.
  - 'party': "host" is new, in all versions.
- PUT /secret is new.

## v3

Released on 1 June 2025.

- A guest is \<b>whole\</b>. **Breaking.**
  - 'oldGuest': "name" is now named "whole".
  - In 'POST /guests'.
- Guests have counts.
  - 'Guest': "count" is new.
  - 'Guest': "notes" is new, in all versions.
  - In 'GET /guests', 'POST /guests'.
- Guests are ordered by name. **Breaking.**
  - 'POST /guests': status 201 was 200.
  - 'POST /guests': the header "X-Total" was "X-Count".
  - In 'POST /guests'.
- GET /old is now GET /new. **Breaking.**
- PUT /came is new.

## v2

Released on 1 January 2024. Deprecated since 1 January 2026. Sunset on 1 January 2027. Move to v3.

- A room is no more text. **Breaking.**
  - 'Guest': "room" is new.
  - 'Guest': "fax" is removed; older clients read "".
  - In 'GET /guests', 'POST /guests'.
- PUT /gone is removed. **Breaking.**

## v1

Released on 1 January 2023. Ended on 1 January 2025. Move to v3.
`, "'", "`"), text.String())
}

// A type that a Reshaped had before is in the bodies of older versions.
func TestChangelogRoutesOfReshaped(t *testing.T) {
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("A party has a host.", migrate.For[party](migrate.Reshaped(nil, func(party) (oldParty, error) { return oldParty{}, nil }, "")))),
		migrate.Release("v2", migrate.Changed("A guest is whole.", migrate.For[oldGuest](migrate.Renamed("name", "whole")))),
		migrate.Release("v1"))
	require.NoError(t, err)
	c := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Path: "/party", Rewriter: h.Route(migrate.Returns[party]())}}})
	for _, v := range c.Versions[:2] {
		assert.Equal(t, []string{"GET /party"}, v.Changes[0].Routes, v.Version)
	}
}

func TestChangelogAsJSON(t *testing.T) {
	h, _, service := changelogHistory(t)
	c := h.Changelog(service)
	raw, err := json.Marshal(c)
	require.NoError(t, err)
	var again migrate.Changelog
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, c, &again)
	raw, err = json.Marshal(c.Versions[3])
	require.NoError(t, err)
	assert.JSONEq(t, `{"version":"v1","state":"ended","released":"2023-01-01T00:00:00Z","deprecated":"2024-01-01T00:00:00Z","sunset":"2025-01-01T00:00:00Z","successor":"v3","changes":[]}`, string(raw))
}

func TestChangelogHandler(t *testing.T) {
	h, versions, service := changelogHistory(t)
	explained := 0
	handler := h.ChangelogHandler(func() *verso.Explanation { explained++; return service }, versions.Handler(func() time.Time { return service.Time }))
	const chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	for _, test := range []struct {
		name, method, accept string
		status               int
		contentType, begin   string
	}{
		{"a browser", http.MethodGet, chromium, 200, "text/html; charset=utf-8", "<!DOCTYPE html>"},
		{"HEAD of a browser", http.MethodHead, chromium, 200, "text/html; charset=utf-8", ""},
		{"curl", http.MethodGet, "*/*", 200, "application/json", `{"versions":[{"id":"v2"`},
		{"without Accept", http.MethodGet, "", 200, "application/json", `{"versions":[{"id":"v2"`},
		{"JSON", http.MethodGet, "application/json, text/html;q=0.1", 200, "application/json", `{"versions":[{"id":"v2"`},
		{"neither", http.MethodGet, "image/png", 200, "application/json", `{"versions":[{"id":"v2"`},
		{"POST", http.MethodPost, chromium, 405, "text/plain; charset=utf-8", "Method Not Allowed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, w := httptest.NewRequest(test.method, "/versions", nil), httptest.NewRecorder()
			if test.accept != "" {
				r.Header.Set("Accept", test.accept)
			}
			handler.ServeHTTP(w, r)
			assert.Equal(t, test.status, w.Code)
			assert.Equal(t, test.contentType, w.Header().Get("Content-Type"))
			assert.Equal(t, "Accept", w.Header().Get("Vary"))
			assert.Truef(t, strings.HasPrefix(w.Body.String(), test.begin), "%.40s", w.Body)
		})
	}
	assert.Positive(t, explained)
}

// TestChangelogPageIsKept changes what is explained behind the handler's back, so a page that
// is made again differs.
func TestChangelogPageIsKept(t *testing.T) {
	h, versions, service := changelogHistory(t)
	current, explained := true, 0
	service.Current = func() bool { return current }
	handler := h.ChangelogHandler(func() *verso.Explanation { explained++; return service }, versions.Handler(nil))
	ask := func(header ...string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, "/versions", nil), httptest.NewRecorder()
		r.Header.Set("Accept", "text/html")
		if len(header) > 0 {
			r.Header.Set(header[0], header[1])
		}
		handler.ServeHTTP(w, r)
		return w
	}
	first := ask()
	tag := first.Header().Get("ETag")
	require.NotEmpty(t, tag)
	service.Routes = nil
	kept := ask()
	assert.Equal(t, first.Body.String(), kept.Body.String())
	assert.Equal(t, tag, kept.Header().Get("ETag"))
	assert.Equal(t, 1, explained)
	unchanged := ask("If-None-Match", tag)
	assert.Equal(t, http.StatusNotModified, unchanged.Code)
	assert.Equal(t, "Accept", unchanged.Header().Get("Vary"))

	current = false
	changed := ask("If-None-Match", tag)
	assert.Equal(t, http.StatusOK, changed.Code)
	assert.NotEqual(t, tag, changed.Header().Get("ETag"))
	assert.Equal(t, 2, explained)
}

// A status that differs breaks clients, whatever else a change does.
func TestAStatusBreaks(t *testing.T) {
	change := migrate.Changed("x", migrate.For[Person](migrate.Additive("email")))
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1"))
	require.NoError(t, err)
	for name, bodies := range map[string][]migrate.Body{"": {migrate.Returns[Person]()}, "a status": {migrate.Returns[Person](), change.Status(200, 201)}} {
		service := &verso.Explanation{Routes: []verso.RouteInfo{{Method: "POST", Pattern: "/people", Rewriter: h.Route(bodies...), Rewritten: true, Versions: []string{"v1", "v2"}}}}
		assert.Equal(t, name != "", h.Changelog(service).Versions[0].Changes[0].Breaking, name)
	}
}

func TestChangelogPage(t *testing.T) {
	h, versions, service := changelogHistory(t)
	r, w := httptest.NewRequest(http.MethodGet, "/versions", nil), httptest.NewRecorder()
	r.Header.Set("Accept", "text/html")
	h.ChangelogHandler(func() *verso.Explanation { return service }, versions.Handler(nil)).ServeHTTP(w, r)
	page := w.Body.String()
	for _, want := range []string{
		`A guest is &lt;b&gt;whole&lt;/b&gt;. <strong>breaking</strong>`, `<code>POST /guests</code>`, `<code>Guest</code>: &#34;count&#34; is new`,
		`<a href="#version-v3">What v3 changes</a> <a href="https://example.com/v2?a&amp;b" rel="deprecation">From &lt;v2&gt; to v3</a></p>`,
		`Released on 1 January 2023. Ended on 1 January 2025. Move to v3.`, `<span class="state ended">ended</span>`,
	} {
		assert.Contains(t, page, want)
	}
	for _, secret := range []string{"plans", "v4", "/secret"} {
		assert.NotContains(t, page, secret, "it is not released")
	}
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'; style-src 'sha256-")
}

// A preview is not in the lists of the catalogue's handler, and is not "supported" here.
func TestChangelogOfAPreview(t *testing.T) {
	h := history(t)
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3", Preview: true}}})
	c := h.Changelog(&verso.Explanation{Catalogue: versions, Time: catalogue.MustDate("2026-07-01")})
	assert.Equal(t, "preview", c.Versions[0].State)
	assert.Equal(t, "supported", c.Versions[1].State)
	assert.PanicsWithError(t, "migrate: the handler for other clients is nil: pass the handler of the catalogue", func() { h.ChangelogHandler(nil, nil) })
}

// Without dates there is a page all the same.
func TestChangelogPageWithoutDates(t *testing.T) {
	var page strings.Builder
	require.NoError(t, history(t).Changelog(nil).HTML(&page))
	assert.Contains(t, page.String(), "<p class=\"quiet\">No changes are recorded.</p>")
	assert.ErrorContains(t, history(t).Changelog(nil).HTML(failing{}), "no space")
	assert.ErrorContains(t, history(t).Changelog(nil).Markdown(failing{}), "no space")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space") }
