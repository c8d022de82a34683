package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/viper"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/usage"
)

// newPlan writes a plan into a file.
func newPlan(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.yaml")
	write(t, path, text)
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

const (
	plan      = "after_sunset: gone\nversions:\n  - version: v1\n    sunset: 2099-12-31\n  - version: v2\n"
	postponed = "after_sunset: gone\nversions:\n  - version: v1\n    sunset: 2100-06-30\n  - version: v2\n    sunset: 2101-06-30\n"
)

// get returns the status, the Sunset field and the body of an answer. It is for many
// goroutines.
func get(t *testing.T, url string) (status int, sunset, body string) {
	t.Helper()
	response, err := http.Get(url)
	if !assert.NoError(t, err) {
		return 0, "", ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	assert.NoError(t, err)
	return response.StatusCode, response.Header.Get("Sunset"), string(text)
}

func TestReload(t *testing.T) {
	path, s := newPlan(t, plan), new(service)
	require.NoError(t, s.reload(path))
	server := httptest.NewServer(s)
	defer server.Close()
	status, sunset, body := get(t, server.URL+"/v1/users")
	assert.Equal(t, []any{200, "Thu, 31 Dec 2099 00:00:00 GMT", "users of v1\n"}, []any{status, sunset, body})

	write(t, path, postponed)
	require.NoError(t, s.reload(path))
	for _, test := range []struct{ name, plan, want string }{
		{"YAML", "versions: [\n", "did not find expected node content"},
		{"a key twice", plan + "versions: []\n", `key "versions" already set in map`},
		{"a date", "versions:\n  - version: v1\n    sunset: 2026-13-01\n", `versions[0].sunset: "2026-13-01" is not a date: write`},
		{"a version as a number", "versions:\n  - version: 1\n", "versions.version is a JSON number: write a string in quotes"},
		{"a version that a route is for", "versions:\n  - version: v1\n", `versohttp: route GET /{version}/rooms: verso: Routes.since: "v2" is not a listed version: write one, such as v1`},
		{"nothing", "", "catalogue: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			write(t, path, test.plan)
			assert.ErrorContains(t, s.reload(path), test.want)
			status, sunset, _ := get(t, server.URL+"/v1/users")
			assert.Equal(t, []any{200, "Wed, 30 Jun 2100 00:00:00 GMT"}, []any{status, sunset})
		})
	}
	require.NoError(t, os.Remove(path))
	assert.ErrorIs(t, s.reload(path), os.ErrNotExist)
	assert.Equal(t, map[string]float64{"v1": 7, "v2": 0}, counted(t, s))
}

// counted returns how many requests were counted for each version.
func counted(t *testing.T, s *service) map[string]float64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "usage.jsonl")
	require.NoError(t, save(s.current.Load().calls, path))
	return countedIn(t, path)
}

func countedIn(t *testing.T, path string) map[string]float64 {
	t.Helper()
	calls := usage.NewTable(&verso.Config{Catalogue: verso.Must(catalogue.List("v1", "v2"))})
	require.NoError(t, restore(calls, path))
	counts := map[string]float64{"v1": 0, "v2": 0}
	for _, count := range calls.Take() {
		if count.Kind == usage.KindRequests {
			counts[count.Version] += float64(count.Requests)
		}
	}
	return counts
}

// TestReloadWhileServing loses no request.
func TestReloadWhileServing(t *testing.T) {
	path, s := newPlan(t, plan), new(service)
	require.NoError(t, s.reload(path))
	server := httptest.NewServer(s)
	defer server.Close()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				status, _, _ := get(t, server.URL+"/v2/rooms")
				assert.Equal(t, 200, status)
			}
		})
	}
	for i := range 50 {
		write(t, path, []string{plan, postponed}[i%2])
		require.NoError(t, s.reload(path))
	}
	group.Wait()
}

// TestRun starts the service twice, with a reload in between.
func TestRun(t *testing.T) {
	path, counts := newPlan(t, ""), filepath.Join(t.TempDir(), "usage.jsonl")
	assert.Error(t, run(t.Context(), nil, path, counts, nil), "no plan")
	for _, want := range []float64{2, 4} {
		write(t, path, plan)
		listener, err := net.Listen("tcp", "localhost:0")
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		hup, ended := make(chan os.Signal), make(chan error, 1)
		go func() { ended <- run(ctx, listener, path, counts, hup) }()
		url := "http://" + listener.Addr().String()
		get(t, url+"/v1/users")
		write(t, path, postponed)
		hup <- nil
		for sunset := ""; sunset == ""; {
			_, sunset, _ = get(t, url+"/v2/users")
		}
		_, sunset, _ := get(t, url+"/v1/users")
		assert.Equal(t, "Wed, 30 Jun 2100 00:00:00 GMT", sunset)
		write(t, path, "versions: [")
		hup <- nil
		cancel()
		require.NoError(t, <-ended)
		assert.Equal(t, want, countedIn(t, counts)["v1"])
	}
	assert.NoFileExists(t, counts+".new")
}

// TestStop counts a request that is under way when the service is told to stop.
func TestStop(t *testing.T) {
	s, counts := new(service), filepath.Join(t.TempDir(), "usage.jsonl")
	require.NoError(t, s.reload(newPlan(t, plan)))
	arrived, release := make(chan bool), make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- true
		<-release
		s.ServeHTTP(w, r)
	}))
	defer slow.Close()
	var status atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		got, _, _ := get(t, slow.URL+"/v2/users")
		status.Store(int64(got))
	})
	<-arrived
	closing := make(chan bool)
	slow.Config.RegisterOnShutdown(func() { close(closing) })
	stopped := make(chan error, 1)
	go func() { stopped <- stop(slow.Config, s, counts) }()
	<-closing
	release <- true
	require.NoError(t, <-stopped)
	group.Wait()
	assert.EqualValues(t, 200, status.Load())
	assert.Equal(t, map[string]float64{"v1": 0, "v2": 1}, countedIn(t, counts))
}

func TestRestoreErrors(t *testing.T) {
	s, counts := new(service), filepath.Join(t.TempDir(), "usage.jsonl")
	require.NoError(t, s.reload(newPlan(t, plan)))
	calls := s.current.Load().calls
	assert.NoError(t, restore(calls, counts), "the first start")
	write(t, counts, "half a file")
	assert.ErrorContains(t, restore(calls, counts), "usage.jsonl: invalid character")
	assert.Error(t, restore(calls, t.TempDir()))
	assert.Error(t, save(calls, filepath.Join(t.TempDir(), "missing", "usage.jsonl")))
}

// TestNginx has what nginx 1.22 answered as it should: 410 for v0, the fields of v1
// on each response.
func TestNginx(t *testing.T) {
	versions, err := readPlan("testdata/plan.yaml")
	require.NoError(t, err)
	conf := nginx(versions, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	assert.Equal(t, `location /v0/ {
    add_header Deprecation @1735689600 always;
    add_header Sunset "Thu, 01 Jan 2026 00:00:00 GMT" always;
    return 410;
}
location /v1/ {
    add_header Deprecation @1782777600 always;
    add_header Sunset "Fri, 31 Dec 2027 00:00:00 GMT" always;
    proxy_pass http://service;
}
location /v2/ {
    proxy_pass http://service;
}
`, conf)
}

// TestFileOfThePage makes a versioning of the file that the page shows.
func TestFileOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	name := filepath.Join(t.TempDir(), "versioning.json")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	api, err := fromFile(name)
	require.NoError(t, err)
	assert.Equal(t, []verso.Version{verso.V("v1"), verso.V("v2")}, api.Versions())
}

func fromFile(name string) (*verso.Versioning, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file fileconfig.Config
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	return file.New(verso.Config{Acknowledged: []string{"client_not_set"}})
}

// fromViper reads a configuration that viper has at a key.
func fromViper(v *viper.Viper, key string) (file fileconfig.Config, err error) {
	text, err := json.Marshal(v.Get(key))
	return file, errors.Join(err, json.Unmarshal(text, &file))
}

func TestViper(t *testing.T) {
	v := viper.New()
	v.SetConfigType("yaml")
	require.NoError(t, v.ReadConfig(bytes.NewBufferString(`
versioning:
  sources:
    - kind: header
      name: Api-Version
  strict: true
  links_origin: https://api.example.com
  catalogue:
    versions:
      - version: v1
        sunset: 2027-12-31
      - version: v2
misspelt:
  sources:
    - kind: header
      header: Api-Version
`)))
	file, err := fromViper(v, "versioning")
	require.NoError(t, err)
	assert.Equal(t, "2027-12-31T00:00:00Z", file.Catalogue.Versions[0].Sunset.Format(time.RFC3339))
	api, err := file.New(verso.Config{})
	require.NoError(t, err)
	assert.Equal(t, []verso.Version{verso.V("v1"), verso.V("v2")}, api.Versions())
	var lost fileconfig.Config
	require.NoError(t, v.UnmarshalKey("versioning", &lost))
	assert.Equal(t, []any{"Api-Version", ""}, []any{lost.Sources[0].Name, lost.LinksOrigin}, "what the page warns of")
	_, err = fromViper(v, "misspelt")
	assert.ErrorContains(t, err, `unknown field "header"`)
}
