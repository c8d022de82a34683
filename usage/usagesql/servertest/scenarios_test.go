package servertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestScenarios plays each eighth scenario, TestLongScenarios all of them.
func TestScenarios(t *testing.T) { playScenarios(t, 8) }

func TestLongScenarios(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	playScenarios(t, 1)
}

// playScenarios plays scenarios of package usage: two processes and a database answer as a
// table in memory does, of which package usage tests that the answers are right.
func playScenarios(t *testing.T, each int) {
	t.Helper()
	names, err := filepath.Glob(cmp.Or(os.Getenv("VERSO_QUIET_CASES"), "../../testdata/*.jsonl"))
	require.NoError(t, err)
	var lines [][]byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		lines = append(lines, bytes.Split(bytes.TrimSpace(text), []byte("\n"))...)
	}
	require.Greater(t, len(lines), 60)
	for i := 0; i < len(lines); i += each {
		line := lines[i]
		var s struct {
			ID, After, Successor, Query string
			Since, Sunset               int
			Calls                       map[string][][2]any
		}
		require.NoError(t, json.Unmarshal(line, &s))
		versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Action(cmp.Or(s.After, "serve")), ServedHeader: "Api-Version", Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: noon.AddDate(0, 0, -60), Sunset: noon.AddDate(0, 0, s.Sunset), Successor: s.Successor}, {Version: "v2"}, {Version: "v3"},
		}})
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			onEach(t, func(t *test, d database) {
				clock := versotest.NewClock(noon.AddDate(0, 0, -s.Since))
				alone := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
				var processes []*process
				for range 2 {
					processes = append(processes, start(t, d, func(c *settings) { c.Catalogue, c.Clock, c.MaxClients = versions, clock.Now, usage.MaxClients }))
				}
				processes[0].answer(t, "level=summary") // counting begins
				observed, turn := -1, 0                 // days ago: the first that no process has written
				for ago := s.Since; ago >= 0; ago-- {
					clock.Set(noon.AddDate(0, 0, -ago))
					for client, calls := range s.Calls {
						for _, c := range calls {
							if !slices.Contains(c[1].([]any), any(float64(ago))) {
								continue
							}
							version, rejected := strings.CutSuffix(c[0].(string), "!")
							o := call(version, client, "/users", clock.Now())
							if rejected {
								o.Outcome = string(verso.VersionGone)
							}
							alone.Observe(t.Context(), o)
							processes[turn%2].Observe(t.Context(), o)
							observed = max(observed, ago)
						}
					}
					if observed-ago > 5 || ago == 0 {
						processes[turn%2].answer(t, "level=summary")
						observed, turn = -1, turn+1
					}
				}
				processes[turn%2].answer(t, "level=summary")
				page := alone.Handler(nil)
				for _, query := range []string{"ready=v1" + s.Query, "format=csv", "format=openmetrics", "clients=v1"} {
					want := httptest.NewRecorder()
					page.ServeHTTP(want, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
					for i, p := range processes {
						require.EventuallyWithT(t, func(t *assert.CollectT) {
							processes[1-i].get("level=summary") // a page does not wait for long until its process has written
							got := p.get(query)
							assert.Equal(t, want.Code, got.Code, query)
							assert.Equal(t, ofVersions(want.Body.String()), ofVersions(got.Body.String()), query)
						}, time.Minute, time.Millisecond, p.log)
					}
				}
			})
		})
	}
}

// ofVersions leaves out of metrics how many processes there are, and names: a table in memory
// keeps those of clients that it has forgotten.
func ofVersions(text string) string {
	return ofStores.ReplaceAllString(text, "")
}

var ofStores = regexp.MustCompile(`(?m)^verso_usage_(processes\{|names ).*\n`)
