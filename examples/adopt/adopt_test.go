// Package adopt_test asks the same of a service without versions, of the same service
// with v2 through Verso, and with v2 by hand.
package adopt_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/adopt/echotasks"
	"github.com/goverso/verso/examples/adopt/gintasks"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// The days of the plan in catalogue.json.
var (
	announced  = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
	deprecated = time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	ended      = time.Date(2027, time.December, 1, 0, 0, 0, 0, time.UTC)
)

var frameworks = []struct {
	name                   string
	before                 func(*tasks.Service) http.Handler
	after, deleted, byHand func(*tasks.Service, func() time.Time) http.Handler
}{
	{"Gin", gintasks.Before, gintasks.After, gintasks.Ended, gintasks.ByHand},
	{"Echo", echotasks.Before, echotasks.After, echotasks.Ended, echotasks.ByHand},
}

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	m.Run()
}

// The keys of the clients.
const ann, shop, admin, ui = "1", "2", "3", "4"

// request is "POST /api/tasks" by the client with the key.
type request struct{ line, key, body string }

// response is a whole response.
type response struct {
	Status int
	Header http.Header
	Body   string
}

// oldRequests are what clients sent before there were versions.
var oldRequests = []request{
	{"GET /api/tasks", ann, ""},
	{"GET /api/tasks?q=fence", shop, ""},
	{"HEAD /api/tasks", shop, ""},
	{"POST /api/tasks", shop, `{"title": "Sell"}`},
	{"POST /api/tasks", shop, `{`},
	{"GET /api/tasks/3", shop, ""},
	{"GET /api/tasks/3/", shop, ""},
	{"PUT /api/tasks/3", shop, `{"title": "Sell more", "done": true}`},
	{"PATCH /api/tasks/3", shop, ""},
	{"GET /api/tasks/3", ui, ""},
	{"GET /api/tasks/%33", ui, ""},
	{"POST /api/tasks/1/done", shop, ""},
	{"POST /api/tasks/9/done", shop, ""},
	{"DELETE /api/tasks/2", shop, ""},
	{"GET /api/tasks/2", shop, ""},
	{"GET /api/tasks/x", shop, ""},
	{"GET /api/tasks/1", "", ""},
	{"GET /api/me", ui, ""},
	{"OPTIONS /api/me", ui, ""},
	{"GET /api/admin/export", admin, ""},
	{"GET /api/admin/export", shop, ""},
	{"DELETE /api/admin/done", "", ""},
	{"DELETE /api/admin/done", admin, ""},
	{"GET /api/tasks", admin, ""},
	{"GET /api", shop, ""},
	{"GET /api/", shop, ""},
	{"GET /api/search?q=fence", shop, ""},
	{"GET /api/search", "", ""},
	{"POST /api/search", shop, ""},
	{"GET /api/nothing", shop, ""},
	{"GET /api/nothing", "", ""},
	{"GET /api/admin/nothing", shop, ""},
	{"GET //api/tasks", shop, ""},
	{"GET /health", "", ""},
	{"GET /ui/", "", ""},
	{"GET /ui/nothing", "", ""},
	{"GET /nothing", "", ""},
}

// newRequests are what clients send from now on.
var newRequests = []request{
	{"GET /api/v1/tasks", ann, ""},
	{"POST /api/v1/tasks", ann, `{"title": "Paint the door"}`},
	{"GET /api/v1/tasks/4", ann, ""},
	{"POST /api/v1/tasks/1/done", ann, ""},
	{"GET /api/v1/search?q=door", ann, ""},
	{"GET /api/v1/me", "", ""},
	{"GET /api/v1/admin/export", shop, ""},
	{"GET /api/v1/admin/export", admin, ""},
	{"GET /api/v1/deleted", ann, ""},
	{"GET /api/v2/tasks", ann, ""},
	{"POST /api/v2/tasks", ann, `{"title": "Paint the shed"}`},
	{"GET /api/v2/tasks/1", ann, ""},
	{"GET /api/v2/tasks/9", ann, ""},
	{"PUT /api/v2/tasks/1", ann, `{"title": "Paint the wall"}`},
	{"POST /api/v2/tasks/1/done", ann, ""},
	{"GET /api/v2/search?q=Paint", ann, ""},
	{"GET /api/v2/me", "", ""},
	{"GET /api/v2/admin/export", shop, ""},
	{"DELETE /api/v2/admin/done", admin, ""},
	{"GET /api/v2/nothing", ann, ""},
	{"GET /api/v9/tasks", ann, ""},
}

// TestRoutesLeft finds the routes of a group that has stayed with the framework: they are
// not in v2, and do not end with v1.
func TestRoutesLeft(t *testing.T) {
	r := gin.New()
	versions, _ := tasks.Versions(at(announced))
	v := versogin.New(r, versions)
	answer := func(c *gin.Context) { c.Status(http.StatusOK) }
	v.EachVersion().Group("/api").GET("/tasks", answer)
	r.Group("/api").GET("/old", answer)
	r.GET("/api/login", answer)

	outside := []string{"/api/login"} // has no version, on purpose
	var left []string
	for _, route := range v.Explain().Routes {
		if route.Unchecked && strings.HasPrefix(route.Pattern, "/api/") && !slices.Contains(outside, route.Pattern) {
			left = append(left, route.Pattern)
		}
	}
	assert.Equal(t, []string{"/api/old"}, left)
}

// TestOldClients see no difference but the announced fields.
func TestOldClients(t *testing.T) {
	for _, framework := range frameworks {
		for _, now := range []time.Time{announced, deprecated, ended.Add(-time.Second)} {
			t.Run(framework.name+now.Format(" 2006-01-02"), func(t *testing.T) {
				before := serve(t, framework.before(tasks.New()))
				after := serve(t, framework.after(tasks.New(), at(now)))
				compare(t, before, after)
			})
		}
	}
}

// compare asks two servers what old clients ask, and compares whole responses.
func compare(t *testing.T, before, after string) {
	t.Helper()
	for _, old := range oldRequests {
		want, got := ask(t, before, old), ask(t, after, old)
		for _, field := range []string{"Deprecation", "Sunset", "Link"} {
			got.Header.Del(field)
		}
		assert.Equal(t, want, got, old.line)
	}
}

// TestAnnouncement looks for a whole response in docs/start.md.
func TestAnnouncement(t *testing.T) {
	page, err := os.ReadFile("../../docs/start.md")
	require.NoError(t, err)
	for _, framework := range frameworks {
		got := ask(t, serve(t, framework.after(tasks.New(), at(announced))), request{"GET /api/tasks/1", ann, ""})
		assert.Contains(t, string(page), got.Body)
		assert.Len(t, got.Header, 5)
		for _, field := range []string{"Deprecation", "Sunset", "Link"} {
			assert.Contains(t, string(page), "\n"+field+": "+got.Header.Get(field)+"\n")
		}
	}
}

// TestOtherPlaces puts v2 into a header and into a media type.
func TestOtherPlaces(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
	for field, test := range map[string]struct {
		source source.Source
		v2     string
	}{
		"Api-Version": {verso.Header("Api-Version"), "v2"},
		"Accept":      {verso.MediaType("application/vnd.acme.{version}+json"), "application/vnd.acme.v2+json"},
	} {
		r := gin.New()
		api := versogin.New(r, verso.MustNew(test.source, config)).Group("/api")
		answer := func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) }
		api.HandleVersions("GET", "/tasks", versogin.Handlers{"v1": answer, "v2": answer})
		server := serve(t, r)
		for version, header := range map[string]http.Header{"v1": {}, "v2": {field: {test.v2}}} {
			r, err := http.NewRequest(http.MethodGet, server+"/api/tasks", nil)
			require.NoError(t, err)
			r.Header = header
			got := send(t, r)
			assert.Equal(t, version, got.Body, field)
			assert.Equal(t, field, got.Header.Get("Vary"))
		}
	}
}

// TestEnd ends v1, except for the service's own UI.
func TestEnd(t *testing.T) {
	const gone = `{"error":"This API version has ended."}`
	for _, framework := range frameworks {
		t.Run(framework.name, func(t *testing.T) {
			after := serve(t, framework.after(tasks.New(), at(ended)))
			for _, test := range []struct {
				line, key, want string
			}{
				{"GET /api/tasks/1", shop, "410 " + gone},
				{"GET /api/v1/tasks/1", shop, "410 " + gone},
				{"GET /api/v1/tasks/1/deleted", shop, "410 " + gone},
				{"GET /api/v2/tasks/1", shop, `200 {"self":"/api/v2/tasks/1","title":"Paint the fence","owner":{"name":"ann"},"done":false}`},
				{"GET /api/tasks/1", ui, `200 {"id":1,"title":"Paint the fence","owner":"ann","done":false}`},
				{"GET /api/tasks/1", "", `401 {"error":"send your key as Api-Key"}`},
				{"GET /health", "", "200 ok"},
			} {
				got := ask(t, after, request{test.line, test.key, ""})
				assert.Equal(t, test.want, fmt.Sprint(got.Status, " ", strings.TrimSpace(got.Body)), test.line)
			}
		})
	}
}

// TestDeletedCode sends what v1 had to a service without its code. All of it is gone,
// as before, but for a URL that names no version and that v2 does not have.
func TestDeletedCode(t *testing.T) {
	for _, framework := range frameworks {
		t.Run(framework.name, func(t *testing.T) {
			after, deleted := serve(t, framework.after(tasks.New(), at(ended))), serve(t, framework.deleted(tasks.New(), at(ended)))
			for _, sent := range slices.Concat(oldRequests, newRequests) {
				want, got := ask(t, after, sent), ask(t, deleted, sent)
				switch {
				case sent.key == ui: // which has moved to v2
				case sent.line == "GET /api/tasks/3/": // Echo's last parameter takes the slash
				case strings.HasPrefix(sent.line, "POST /api/tasks/") || sent.line == "POST /api/v2/tasks/1/done":
					assert.Equal(t, http.StatusNotFound, got.Status, sent.line)
				default:
					assert.Equal(t, want, got, sent.line)
				}
			}
		})
	}
}

// TestByHand compares the two ways to v2.
func TestByHand(t *testing.T) {
	for _, framework := range frameworks {
		for _, now := range []time.Time{announced, deprecated, ended} {
			t.Run(framework.name+now.Format(" 2006-01-02"), func(t *testing.T) {
				after, byHand := serve(t, framework.after(tasks.New(), at(now))), serve(t, framework.byHand(tasks.New(), at(now)))
				for _, sent := range slices.Concat(oldRequests, newRequests) {
					assert.Equal(t, ask(t, after, sent), ask(t, byHand, sent), sent.line)
				}
			})
		}
	}
}

// TestUsage asks both ways who calls v1.
func TestUsage(t *testing.T) {
	for _, framework := range frameworks {
		t.Run(framework.name, func(t *testing.T) {
			after, byHand := serve(t, framework.after(tasks.New(), at(deprecated))), serve(t, framework.byHand(tasks.New(), at(deprecated)))
			for _, sent := range slices.Concat(oldRequests, newRequests) {
				ask(t, after, sent)
				ask(t, byHand, sent)
			}
			var report struct {
				Versions []struct {
					Version string
					Clients []struct {
						Client   string
						Requests int
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(ask(t, after, request{"GET /usage", admin, ""}).Body), &report))
			calls := map[string]int{}
			for _, version := range report.Versions {
				for _, client := range version.Clients {
					calls[version.Version+" "+client.Client] = client.Requests
				}
			}
			var rows []struct {
				Version, Client string
				Requests        int
			}
			require.NoError(t, json.Unmarshal([]byte(ask(t, byHand, request{"GET /usage", admin, ""}).Body), &rows))
			want := map[string]int{}
			for _, row := range rows {
				want[row.Version+" "+row.Client] += row.Requests
			}
			assert.Equal(t, want, calls)
			assert.NotZero(t, calls["v1 shop"])
			assert.Equal(t, http.StatusForbidden, ask(t, after, request{"GET /usage", shop, ""}).Status)
		})
	}
}

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// ask sends a request, and returns the whole response but its Date.
func ask(t *testing.T, server string, sent request) response {
	t.Helper()
	method, path, _ := strings.Cut(sent.line, " ")
	r, err := http.NewRequest(method, server+path, strings.NewReader(sent.body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Api-Key", sent.key)
	return send(t, r)
}

func send(t *testing.T, r *http.Request) response {
	t.Helper()
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	answer.Header.Del("Date")
	return response{answer.StatusCode, answer.Header, string(body)}
}
