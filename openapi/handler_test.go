package openapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/openapi"
)

// client sends requests to a server.
type client struct {
	*testing.T
	server *httptest.Server
}

// serve serves a handler on loopback.
func serve(t *testing.T, handler http.Handler) client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return client{t, server}
}

// answer is a response with its body.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with pairs of header fields.
func (c client) ask(method, path string, fields ...string) answer {
	c.Helper()
	request, err := http.NewRequestWithContext(c.Context(), method, c.server.URL+path, nil)
	require.NoError(c, err)
	for i := 0; i < len(fields); i += 2 {
		request.Header.Set(fields[i], fields[i+1])
	}
	response, err := c.server.Client().Do(request)
	require.NoError(c, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(c, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

// handler returns a handler of a document, and a counter of the documents it made.
func handler(whole *openapi3.T, explain func() *verso.Explanation) (*openapi.Handler, *atomic.Int32) {
	var made atomic.Int32
	return verso.Must(openapi.NewHandler(explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		made.Add(1)
		return openapi.ForVersion(whole, service, version)
	})), &made
}

func TestHandler(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), dated()), bookings()...)
	h, made := handler(load(t, "bookings.yaml"), binding.Explain)
	mux := http.NewServeMux()
	mux.Handle("/openapi/", h)
	mux.HandleFunc("/api/{version}/openapi.yaml", func(w http.ResponseWriter, r *http.Request) { h.ServeVersion(w, r, r.PathValue("version")) })
	c := serve(t, mux)
	const inJSON, inYAML = "application/json", "application/yaml"
	for name, test := range map[string]struct {
		path, accept string
		status       int
		contentType  string
		vary         string
	}{
		"JSON":            {"/openapi/v2.json", inYAML, 200, inJSON, ""},
		"YAML":            {"/openapi/v2.yaml", inJSON, 200, inYAML, ""},
		"yml":             {"/openapi/v2.yml", "", 200, inYAML, ""},
		"any":             {"/openapi/v2", "", 200, inJSON, "Accept"},
		"a browser":       {"/openapi/v2", "text/html,*/*;q=0.8", 200, inJSON, "Accept"},
		"accepts YAML":    {"/openapi/v2", "application/yaml, */*;q=0.1", 200, inYAML, "Accept"},
		"accepts JSON":    {"/openapi/v2", "application/json, application/yaml;q=0.9", 200, inJSON, "Accept"},
		"accepts neither": {"/openapi/v2", "image/png", 200, inJSON, "Accept"},
		"versioned route": {"/api/v2/openapi.yaml", "", 200, inYAML, ""},
		"unknown version": {"/openapi/v9.json", "", 404, "text/plain; charset=utf-8", ""},
		"no version":      {"/openapi/", "", 404, "text/plain; charset=utf-8", ""},
		"another ending":  {"/openapi/v2.txt", "", 404, "text/plain; charset=utf-8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.ask("GET", test.path, "Accept", test.accept)
			assert.Equal(t, test.status, got.status)
			assert.Equal(t, test.contentType, got.header.Get("Content-Type"))
			assert.Equal(t, test.vary, got.header.Get("Vary"))
			if test.status == 200 {
				document, err := openapi3.NewLoader().LoadFromData([]byte(got.body))
				require.NoError(t, err)
				assert.Equal(t, "v2", document.Info.Version)
				assert.Equal(t, test.contentType == inJSON, json.Valid([]byte(got.body)))
			}
		})
	}
	assert.EqualValues(t, 3, made.Load(), "each is made once, before the first request")

	got := c.ask("POST", "/openapi/v2.json")
	assert.Equal(t, 405, got.status)
	assert.Equal(t, "GET, HEAD", got.header.Get("Allow"))
	got = c.ask("HEAD", "/openapi/v2.json")
	assert.Equal(t, 200, got.status)
	assert.Empty(t, got.body)
}

type code int

func (c code) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"code-%d"`, int(c)), nil }

// The served JSON is that of the document, byte for byte.
func TestHandlerServesTheDocument(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), dated()), bookings()...)
	for name, extension := range map[string]any{
		"none":       nil,
		"raw":        json.RawMessage(`{"b": 1.0, "a": [1e400, "<"]}`),
		"a number":   1.5e300,
		"marshalers": []any{code(7), map[string]code{"a": 1}, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), []byte("abc")},
		"nil":        []any{nil, []string(nil), map[string]any(nil), (*openapi3.SchemaRef)(nil), (*int)(nil)},
		"of Go":      struct{ B, A int }{1, 2},
		"maps":       map[string]map[int]string{"x": {2: "b", 1: "a"}},
		"parts":      openapi3.Schemas{"a": openapi3.NewIntegerSchema().WithMin(1.5).NewRef(), "b": {Ref: "#/components/schemas/Room"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range []string{"bookings.yaml", "bookings-3.1.yaml", "rooms.yaml"} {
				whole := load(t, file)
				whole.Extensions = map[string]any{"x-a": extension}
				want, err := whole.MarshalJSON()
				require.NoError(t, err)
				h, err := openapi.NewHandler(binding.Explain, func(*verso.Explanation, string) (*openapi3.T, error) { return whole, nil })
				require.NoError(t, err)
				assert.Equal(t, string(want), serve(t, h).ask("GET", "/v2.json").body)
			}
		})
	}
}

func TestETag(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), dated()), bookings()...)
	h, _ := handler(load(t, "bookings.yaml"), binding.Explain)
	c := serve(t, h)
	first := c.ask("GET", "/v2.json")
	tag := first.header.Get("ETag")
	require.Regexp(t, `^"[\w-]+"$`, tag)
	assert.Equal(t, "no-cache", first.header.Get("Cache-Control"))
	for _, field := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		got := c.ask("GET", "/v2.json", "If-None-Match", field)
		assert.Equal(t, 304, got.status, field)
		assert.Equal(t, tag, got.header.Get("ETag"))
		assert.Empty(t, got.body)
	}
	got := c.ask("GET", "/v2.json", "If-None-Match", `"other"`)
	assert.Equal(t, 200, got.status)
	assert.Equal(t, first.body, got.body)
	for _, other := range []string{"/v2.yaml", "/v1.json"} {
		assert.NotEqual(t, tag, c.ask("GET", other).header.Get("ETag"), other)
	}
}

// Documents change over time and with the routes.
func TestHandlerOverTime(t *testing.T) {
	clock := versotest.NewClock(day(2026, time.January))
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{
		Clock: clock.Now,
		Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: day(2026, time.March), Sunset: day(2026, time.September)},
			{Version: "v2", Released: day(2026, time.March)},
		}}),
	})
	binding := bind(t, api, at("GET", "/rooms"), at("GET", "/health", verso.DeprecatedAt(day(2026, time.July))))
	var explained atomic.Int32
	h, made := handler(load(t, "bookings.yaml"), func() *verso.Explanation { explained.Add(1); return binding.Explain() })
	c := serve(t, h)
	deprecated := func(path string) (all []bool) {
		document, err := openapi3.NewLoader().LoadFromData([]byte(c.ask("GET", path).body))
		require.NoError(t, err)
		for _, path := range document.Paths.Keys() {
			for _, operation := range document.Paths.Value(path).Operations() {
				all = append(all, operation.Deprecated)
			}
		}
		return all
	}
	assert.Equal(t, []bool{false, false}, deprecated("/v1.json"))
	assert.Equal(t, 404, c.ask("GET", "/v2.json").status, "not released")

	clock.Set(day(2026, time.February))
	assert.Equal(t, []bool{false, false}, deprecated("/v1.json"))
	assert.EqualValues(t, 2, made.Load(), "nothing has changed")
	assert.EqualValues(t, 1, explained.Load(), "nothing has changed")

	clock.Set(day(2026, time.April))
	assert.Equal(t, []bool{true, true}, deprecated("/v1.json"))
	assert.Equal(t, []bool{false, false}, deprecated("/v2.json"))
	assert.EqualValues(t, 4, made.Load())
	assert.EqualValues(t, 2, explained.Load())

	clock.Set(day(2026, time.August))
	assert.Equal(t, []bool{true, false}, deprecated("/v2.json"), "the route is deprecated")

	clock.Set(day(2026, time.October))
	assert.Equal(t, 404, c.ask("GET", "/v1.json").status, "it has ended")
	assert.Equal(t, []bool{true, false}, deprecated("/v2.json"))
	assert.EqualValues(t, 5, made.Load(), "the end of v1 does not change v2")

	_, err := binding.Add(route.Route{Method: "POST", Path: "/rooms", Pattern: route.Colons("/rooms")})
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false, false}, deprecated("/v2.json"), "a new route")
}

// What cannot be made is an error at the start. Later, a client learns nothing of it.
func TestHandlerFails(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), list()), at("GET", "/users"))
	whole := load(t, "rooms.yaml")
	_, err := openapi.NewHandler(binding.Explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		return openapi.ForVersion(whole, service, version)
	})
	assert.ErrorContains(t, err, `version "v1": no operation`)
	assert.ErrorContains(t, err, `version "v2": no operation`)

	var later atomic.Bool
	c := serve(t, verso.Must(openapi.NewHandler(binding.Explain, func(*verso.Explanation, string) (*openapi3.T, error) {
		if later.Load() {
			return nil, errors.New("a secret")
		}
		return whole, nil
	})))
	later.Store(true)
	_, err = binding.Add(route.Route{Method: "GET", Path: "/people", Pattern: route.Colons("/people")})
	require.NoError(t, err)
	for _, path := range []string{"/v1.json", "/v1.yaml"} {
		got := c.ask("GET", path)
		assert.Equal(t, 500, got.status)
		assert.NotContains(t, got.body, "secret")
	}

	open := bind(t, verso.MustNew(verso.Header("Api-Version"), verso.Config{AnyVersion: true}), bookings()[0])
	h, made := handler(load(t, "bookings.yaml"), open.Explain)
	assert.Equal(t, 404, serve(t, h).ask("GET", "/v1.json").status, "a client could ask for a document of any text")
	assert.Zero(t, made.Load())
}

func TestHandlerConcurrently(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), dated()), bookings()...)
	h, made := handler(load(t, "bookings.yaml"), binding.Explain)
	c := serve(t, h)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, path := range []string{"/v1.json", "/v2.yaml", "/v3"} {
				assert.Equal(t, 200, c.ask("GET", path).status)
			}
		})
	}
	group.Wait()
	assert.EqualValues(t, 3, made.Load())

	_, err := binding.Add(route.Route{Method: "GET", Path: "/users", Pattern: route.Colons("/users")})
	require.NoError(t, err)
	for range 8 {
		group.Go(func() { assert.Equal(t, 200, c.ask("GET", "/v2.json").status) })
	}
	group.Wait()
	assert.EqualValues(t, 4, made.Load())
}

// A request for a version does not wait while the document of another one is made.
func TestHandlerDoesNotWait(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), list()), at("GET", "/rooms/:id"))
	whole, slow, release := load(t, "rooms.yaml"), make(chan struct{}), make(chan struct{})
	var later atomic.Bool
	c := serve(t, verso.Must(openapi.NewHandler(binding.Explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		if later.Load() && version == "v1" {
			close(slow)
			<-release
		}
		return openapi.ForVersion(whole, service, version)
	})))
	later.Store(true)
	_, err := binding.Add(route.Route{Method: "GET", Path: "/users", Pattern: route.Colons("/users")})
	require.NoError(t, err)
	var group sync.WaitGroup
	group.Go(func() { assert.Equal(t, 200, c.ask("GET", "/v1.json").status) })
	<-slow
	assert.Equal(t, 200, c.ask("GET", "/v2.json").status)
	assert.Equal(t, 200, c.ask("GET", "/v2.yaml").status)
	close(release)
	group.Wait()
}

// A document with a mistake of its own is served, with a warning.
func TestHandlerOfInvalidDocument(t *testing.T) {
	binding := bind(t, verso.MustNew(verso.Header("Api-Version"), list()), at("GET", "/rooms/:id"), at("DELETE", "/rooms/:id"))
	whole := load(t, "rooms.yaml", "  /health:", "  /rooms/{room}: {delete: {parameters: [{name: room, in: path, required: true, schema: {}}], responses: {'204': {description: Gone.}}}}\n  /health:")
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	h, _ := handler(whole, binding.Explain)
	c := serve(t, h)
	for _, path := range []string{"/v1.json", "/v2.json", "/v2.yaml"} {
		assert.Equal(t, 200, c.ask("GET", path).status)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	assert.Contains(t, log.String(), "level=WARN")
	assert.Contains(t, log.String(), "conflicting paths")
}
