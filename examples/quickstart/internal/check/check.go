// Package check tests the programs of the README: what a program answers today, and
// on the day on which v1 ends.
package check

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	names   = `{"first_name":"Ada","last_name":"Lovelace"}`
	user    = `{"name":"Ada Lovelace","self":"/v2/users/7"}`
	apiUser = `{"name":"Ada Lovelace","self":"/api/v2/users/7"}`
	list    = `["Ada Lovelace"]`
	invalid = `"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}`
	gone    = `"code":"version_gone","allowed_versions":["v2"],"sunset":"2027-12-31T00:00:00Z","successor":"v2"}`
)

type call struct {
	day    string
	path   string
	status int
	body   string // its end; "" for an answer of the framework itself
	next   string // the path in v2, if the response announces the end of v1
}

// First tests the first program of the README, which has no dates.
func First(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	run(t, newServer, []call{
		{"2027-12-30", "/v1/users/7", http.StatusOK, "Lovelace, Ada", ""},
		{"2027-12-30", "/v2/users/7", http.StatusOK, "Ada Lovelace", ""},
		{"2027-12-30", "/v9/users/7", http.StatusNotFound, invalid, ""},
		{"2027-12-30", "/users/7", http.StatusNotFound, "", ""},
	})
}

// Dates tests the first program with dates: v1 ended first.
func Dates(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	const ended = `"code":"version_gone","allowed_versions":["v2","v3"],"sunset":"2026-03-31T00:00:00Z","successor":"v2"}`
	run(t, newServer, []call{
		{"2026-03-31", "/v1/users/7", http.StatusGone, ended, "/v2/users/7"},
		{"2027-12-30", "/v2/users/7", http.StatusOK, "Ada Lovelace", "/v3/users/7"},
		{"2027-12-30", "/v3/users/7", http.StatusOK, "Ada Lovelace", ""},
		{"2027-12-31", "/v2/users/7", http.StatusGone, `"allowed_versions":["v3"],"sunset":"2027-12-31T00:00:00Z","successor":"v3"}`, "/v3/users/7"},
		{"2027-12-31", "/v3/users/7", http.StatusOK, "Ada Lovelace", ""},
	})
}

// NewService tests a service whose routes have the version as a path parameter.
func NewService(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	run(t, newServer, []call{
		{"2027-12-30", "/api/v1/users/7", http.StatusOK, names, "/api/v2/users/7"},
		{"2027-12-30", "/api/v2/users/7", http.StatusOK, apiUser, ""},
		{"2027-12-30", "/api/v9/users/7", http.StatusNotFound, invalid, ""},
		{"2027-12-30", "/api/users/7", http.StatusNotFound, "", ""},
		{"2027-12-31", "/api/v1/users/7", http.StatusGone, gone, "/api/v2/users/7"},
		{"2027-12-31", "/api/v2/users/7", http.StatusOK, apiUser, ""},
	})
}

// APIV1 tests a service whose routes were below /api/v1.
func APIV1(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	run(t, newServer, []call{
		{"2027-12-30", "/api/v1/users/7", http.StatusOK, names, "/api/v2/users/7"},
		{"2027-12-30", "/api/v1/users", http.StatusOK, list, "/api/v2/users"},
		{"2027-12-30", "/api/v2/users/7", http.StatusOK, apiUser, ""},
		{"2027-12-30", "/api/v2/users", http.StatusOK, list, ""},
		{"2027-12-30", "/api/v9/users/7", http.StatusNotFound, "", ""},
		{"2027-12-30", "/api/users/7", http.StatusNotFound, "", ""},
		{"2027-12-31", "/api/v1/users/7", http.StatusGone, gone, "/api/v2/users/7"},
		{"2027-12-31", "/api/v2/users/7", http.StatusOK, apiUser, ""},
	})
}

// Unversioned tests a service whose URLs had no version.
func Unversioned(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	run(t, newServer, []call{
		{"2027-12-30", "/users/7", http.StatusOK, names, "/v2/users/7"},
		{"2027-12-30", "/v1/users/7", http.StatusOK, names, "/v2/users/7"},
		{"2027-12-30", "/v2/users/7", http.StatusOK, user, ""},
		{"2027-12-30", "/v9/users/7", http.StatusNotFound, "", ""},
		{"2027-12-31", "/users/7", http.StatusGone, gone, "/v2/users/7"},
		{"2027-12-31", "/v1/users/7", http.StatusGone, gone, "/v2/users/7"},
		{"2027-12-31", "/v2/users/7", http.StatusOK, user, ""},
	})
}

// Groups tests a service that has the groups /v1 and /v2.
func Groups(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	groups(t, newServer, user)
}

// Middleware tests the same service, whose routes stay with the framework.
func Middleware(t *testing.T, newServer func() http.Handler) {
	t.Helper()
	groups(t, newServer, `{"name":"Ada Lovelace"}`)
}

func groups(t *testing.T, newServer func() http.Handler, user string) {
	t.Helper()
	run(t, newServer, []call{
		{"2027-12-30", "/v1/users/7", http.StatusOK, names, "/v2/users/7"},
		{"2027-12-30", "/v2/users/7", http.StatusOK, user, ""},
		{"2027-12-30", "/v9/users/7", http.StatusNotFound, "", ""},
		{"2027-12-31", "/v1/users/7", http.StatusGone, gone, "/v2/users/7"},
		{"2027-12-31", "/v2/users/7", http.StatusOK, user, ""},
	})
}

// run starts the program in a bubble of package synctest, whose clock runs ahead to
// the day of each call.
func run(t *testing.T, newServer func() http.Handler, calls []call) {
	t.Helper()
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	synctest.Test(t, func(t *testing.T) {
		server := newServer()
		for _, call := range calls {
			day, err := time.Parse(time.DateOnly, call.day)
			require.NoError(t, err)
			time.Sleep(time.Until(day))

			r := httptest.NewRequest(http.MethodGet, call.path, nil)
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)

			about := call.day + " " + call.path
			assert.Equal(t, call.status, w.Code, about)
			if call.body == "" {
				assert.NotContains(t, w.Body.String(), "code", about)
			} else {
				assert.True(t, strings.HasSuffix(strings.TrimSpace(w.Body.String()), call.body), "%s: %s", about, w.Body)
			}
			want := http.Header{}
			if call.next != "" {
				want = http.Header{"Deprecation": {"@1782777600"}, "Sunset": {"Fri, 31 Dec 2027 00:00:00 GMT"},
					"Link": {"<" + call.next + `>; rel="successor-version"`}}
			}
			if call.day == "2026-03-31" { // v1 of Dates
				want["Deprecation"], want["Sunset"] = []string{"@1743379200"}, []string{"Tue, 31 Mar 2026 00:00:00 GMT"}
			}
			for _, name := range []string{"Deprecation", "Sunset", "Link"} {
				assert.Equal(t, want[name], w.Header()[name], about)
			}
		}
		assert.Empty(t, log.String(), "warnings of Verso")
	})
}
