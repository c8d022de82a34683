package snippets

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// claim is a statement of docs/sources.md or docs/problems.md on the response to a request.
type claim struct {
	about  string
	source source.Source
	config verso.Config
	target string
	fields string // of the request, "Name: value", separated by ";;"; a Pin is a stored value
	status int
	has    string // what the fields or the body of the response have, or lack after "!"
}

func (c *claim) request() *http.Request {
	var stored any
	r := httptest.NewRequest(http.MethodGet, c.target, nil)
	for line := range strings.SplitSeq(c.fields, ";;") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "":
		case "Host":
			r.Host = value
		case "Pin":
			stored = value
		case "Pin number":
			stored = 5
		default:
			r.Header.Add(name, value)
		}
	}
	return r.WithContext(context.WithValue(r.Context(), pinned, stored)) //nolint:staticcheck // frameworks have keys that are texts
}

const pinned = "pin"

// TestClaims sends the requests that the pages of sources and of problems talk of.
func TestClaims(t *testing.T) {
	strict, hosts := verso.Strict(), verso.Strictness{AllowedHosts: []string{"example.com"}}
	listed := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	withDefault := listed
	withDefault.DefaultVersion = verso.V("v1")
	with := func(c verso.Config, s verso.Strictness) verso.Config { c.Strict = s; return c }
	plan := func(text string) verso.Config { return verso.Config{Catalogue: catalogue.MustParse([]byte(text))} }
	dates := plan(`{"served_header": "Served-Version", "versions": [{"version": "2025-01-01"}, {"version": "2026-01-01"}]}`)
	numbers := plan(`{"served_header": "Served-Version", "versions": [{"version": "1.2"}, {"version": "2.0"}, {"version": "10.0"}]}`)
	ended := plan(`{"after_sunset": "gone", "versions": [{"version": "v1", "sunset": "2026-01-01", "successor": "v2"}, {"version": "v2"}]}`)
	header, query, accept := verso.Header("Api-Version"), verso.QueryParam("version"), verso.AcceptParam("version")
	vendor, host := verso.MediaType("application/vnd.acme.{version}+json"), verso.HostLabel("")
	first, agree := verso.First(header, query), verso.Agree(header, query)
	stored := verso.First(header, verso.Stored(pinned, "Authorization"))
	byDate, byMajor := verso.Nearest(header, verso.ByDate()), verso.Nearest(header, verso.ByNumberWithinMajor())
	upTo, upToNewest := verso.Nearest(header, verso.ByNumberUpTo("10.4")), verso.Nearest(header, verso.ByNumberUpToNewest())
	for _, c := range []claim{
		{"an unknown version in the query", query, listed, "/users?version=v9", "", 404, "invalid"},
		{"no version, no default", query, listed, "/users", "", 400, "missing_version"},
		{"an unknown version in Accept", accept, listed, "/users", "Accept: application/json; version=v9", 406, ""},
		{"an unknown version in a header", header, listed, "/users", "Api-Version: v9", 400, ""},
		{"an unknown vendor media type", vendor, listed, "/users", "Accept: application/vnd.acme.v9+json", 406, ""},
		{"a vendor media type falls back", vendor, listed, "/users", "Accept: application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5", 200, "served v2"},
		{"any media type gets the default", vendor, withDefault, "/users", "Accept: */*", 200, "served v1"},
		{"a media type without a version", vendor, withDefault, "/users", "Accept: application/json", 200, "served v1"},
		{"a parameter of Accept has no fallback", accept, listed, "/users", "Accept: application/json;version=v9, application/json;version=v2;q=0.5", 406, ""},
		{"equal values in lines and lists", header, listed, "/users", "Api-Version: v2, v2;;Api-Version: v2", 200, "served v2"},
		{"different values", header, listed, "/users", "Api-Version: v1;;Api-Version: v2", 400, "contradicting_versions"},
		{"white space around a value", header, listed, "/users", "Api-Version:   v2  ", 200, "served v2"},
		{"case is significant", header, listed, "/users", "Api-Version: V2", 400, ""},
		{"host ignores case", host, listed, "/users", "Host: V2.example.com", 200, "served v2"},
		{"another shape of host gets the default", host, withDefault, "/users", "Host: v2.my-shop.com", 200, "served v1"},
		{"an unknown version in the host", host, listed, "/users", "Host: v9.example.com", 404, ""},
		{"strict: another shape of host", host, with(withDefault, strict), "/users", "Host: v2.my-shop.com", 404, ""},
		{"the last parameter applies", query, listed, "/users?version=v1&version=v2", "", 200, "served v2"},
		{"strict contradicting query", query, with(listed, strict), "/users?version=v1&version=v2", "", 400, "contradicting_versions"},
		{"strict equal query", query, with(listed, strict), "/users?version=v1&version=v1", "", 200, "served v1"},
		{"strict empty query", query, with(listed, strict), "/users?version=", "", 400, "empty_version"},
		{"strict empty media type", accept, with(listed, strict), "/users", `Accept: application/json;version=""`, 400, "empty_version"},
		{"allowed hosts 421", query, with(listed, hosts), "/users?version=v1", "Host: evil.com", 421, "unknown_host"},
		{"allowed hosts sub", query, with(listed, hosts), "/users?version=v1", "Host: API.example.com.:80", 200, "served v1"},
		{"allowed hosts no match left", query, with(listed, hosts), "/none?version=v1", "Host: evil.com", 404, "404 page not found"},
		{"first header status", first, listed, "/users?version=v9", "", 404, ""},
		{"first ignores", first, listed, "/users?version=v9", "Api-Version: v2", 200, "served v2"},
		{"agree 400", agree, listed, "/users?version=v1", "Api-Version: v2", 400, "contradicting_versions"},
		{"agree same", agree, listed, "/users?version=v2", "Api-Version: v2", 200, "served v2"},
		{"agree first status", agree, listed, "/users?version=v9", "Api-Version: v9", 400, "invalid"},
		{"nearest", byDate, dates, "/users", "Api-Version: 2025-07-14", 200, "served 2025-01-01"},
		{"nearest month", byDate, dates, "/users", "Api-Version: 2025-07", 200, "served 2025-01-01"},
		{"nearest served field", byDate, dates, "/users", "Api-Version: 2025-07", 200, "Served-Version: 2025-01-01"},
		{"nearest before", byDate, dates, "/users", "Api-Version: 2024-12-31", 400, ""},
		{"nearest after tomorrow", byDate, dates, "/users", "Api-Version: 2031-12-31", 400, ""},
		{"num major 1.3", byMajor, numbers, "/users", "Api-Version: 1.3", 200, "served 1.2"},
		{"num major 3.1", byMajor, numbers, "/users", "Api-Version: 3.1", 400, ""},
		{"num major 10.5", byMajor, numbers, "/users", "Api-Version: 10.5", 200, "served 10.0"},
		{"num upto 10.4: 3.1", upTo, numbers, "/users", "Api-Version: 3.1", 200, "served 2.0"},
		{"num upto 10.4: 10.5", upTo, numbers, "/users", "Api-Version: 10.5", 400, ""},
		{"num upto 10.4: 10.4", upTo, numbers, "/users", "Api-Version: 10.4", 200, "served 10.0"},
		{"num newest 10.5", upToNewest, numbers, "/users", "Api-Version: 10.5", 400, ""},
		{"num newest 1.3", upToNewest, numbers, "/users", "Api-Version: 1.3", 200, "served 1.2"},
		{"404 later no-store", verso.Nearest(query, verso.ByDate()), dates, "/users?version=2031-01-01", "", 404, "Cache-Control: no-store"},
		{"vary header", header, withDefault, "/users", "", 200, "Vary: Api-Version"},
		{"vary header rejected", header, listed, "/users", "Api-Version: x", 400, "Vary: Api-Version"},
		{"no Vary for the query", query, withDefault, "/users", "", 200, "!Vary"},
		{"stored text", stored, listed, "/users", "Pin: v2", 200, "served v2"},
		{"stored vary", stored, listed, "/users", "Pin: v2", 200, "Vary: Api-Version, Authorization"},
		{"stored override", stored, listed, "/users", "Pin: v2;;Api-Version: v1", 200, "served v1"},
		{"stored nothing", stored, withDefault, "/users", "", 200, "served v1"},
		{"stored unlisted", stored, listed, "/users", "Pin: v9", 400, "invalid_version"},
		{"stored other type", stored, listed, "/users", "Pin number: 5", 500, ""},
		{"stored agree", verso.Agree(header, verso.Stored(pinned, "Authorization")), listed, "/users", "Pin: v2;;Api-Version: v1", 400, ""},
		{"stored private", verso.First(header, verso.Stored(pinned)), listed, "/users", "Pin: v2", 200, "Cache-Control: private"},
		{"stored ended", stored, ended, "/users", "Pin: v1", 410, `"successor":"v2"`},
		{"stored ended override", stored, ended, "/users", "Pin: v1;;Api-Version: v2", 200, "served v2"},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.config.Links.Relative = true
			api, err := verso.New(c.source, c.config)
			require.NoError(t, err)
			mux := http.NewServeMux()
			versohttp.New(mux, api).HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write([]byte("served " + versohttp.Version(r).String()))
			})
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, c.request())
			var got strings.Builder
			require.NoError(t, w.Header().Write(&got))
			got.WriteString(w.Body.String())
			assert.Equal(t, c.status, w.Code, got.String())
			if lacks, isLack := strings.CutPrefix(c.has, "!"); isLack {
				assert.NotContains(t, got.String(), lacks)
			} else {
				assert.Contains(t, got.String(), c.has)
			}
		})
	}
}

// TestUnversionedHandlers: docs/routes.md has what a route with a handler for each version answers to a request
// without one.
func TestUnversionedHandlers(t *testing.T) {
	handler := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
	}
	for name, test := range map[string]struct {
		allow    bool
		handlers versohttp.Handlers
		status   int
		has      string
	}{
		"not allowed":           {false, versohttp.Handlers{"v1": handler("in v1")}, http.StatusBadRequest, "missing_version"},
		"allowed, without":      {true, versohttp.Handlers{"v1": handler("in v1")}, http.StatusNotFound, "not_in_version"},
		"allowed, with its own": {true, versohttp.Handlers{"v1": handler("in v1"), "": handler("in none")}, http.StatusOK, "in none"},
	} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"),
				verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: test.allow}))
			v.HandleVersions("GET /users", test.handlers)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users", nil))
			assert.Equal(t, test.status, w.Code)
			assert.Contains(t, w.Body.String(), test.has)
		})
	}
}
