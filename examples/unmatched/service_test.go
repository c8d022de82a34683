package unmatched

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// place is a route of a service: its path in the syntax of net/http, whether v registers it, and options.
type place struct {
	method, path string
	foreign      bool
	options      []verso.RouteOption
}

func now() time.Time { return time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC) }

func ended(names ...string) *catalogue.Catalogue {
	entries := []catalogue.Entry{{Version: names[0], Sunset: now().AddDate(0, -5, 0), Successor: names[1]}}
	for _, name := range names[1:] {
		entries = append(entries, catalogue.Entry{Version: name})
	}
	return catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: entries})
}

type service struct {
	source  source.Source
	names   []string
	routes  []place
	without []string // frameworks that cannot have its patterns
}

var (
	since   = []verso.RouteOption{verso.Since("v3")}
	neutral = []verso.RouteOption{verso.Neutral()}
	dated   = []verso.RouteOption{verso.Neutral(), verso.SunsetAt(now().AddDate(0, -1, 0))}
	ending  = []verso.RouteOption{verso.Neutral(), verso.DeprecatedAt(now().AddDate(0, -1, 0)), verso.SunsetAt(now().AddDate(0, 1, 0))}
	v123    = []string{"v1", "v2", "v3"}
)

var services = map[string]service{
	"path": {verso.PathParam("version"), v123, []place{
		{"GET", "/{version}/users", false, nil}, {"POST", "/{version}/users", false, since}, {"POST", "/{version}/late", false, since},
		{"GET", "/health", false, neutral}, {"POST", "/login", false, neutral}, {"GET", "/metrics", true, nil}, {"GET", "/users", false, nil},
	}, nil},
	"header": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/users", false, nil}, {"POST", "/users", false, since},
		{"GET", "/health", false, neutral}, {"GET", "/metrics", true, nil}, {"GET", "/static/{rest...}", true, nil},
		{"GET", "/old", false, dated}, {"GET", "/ending", false, ending},
	}, nil},
	"neighbour": {verso.Header("Api-Version"), v123, []place{{"GET", "/metrics", true, nil}, {"GET", "/logs/{rest...}", true, nil}, {"PUT", "/{id}", false, since}, {"PUT", "/{id}/{rest...}", false, nil}}, nil},
	"tenant":    {verso.PathParam("version"), v123, []place{{"GET", "/{tenant}/{version}/users", false, nil}, {"GET", "/health", false, neutral}}, nil},
	"text":      {verso.PathParam("version"), []string{"1", "2", "3"}, []place{{"GET", "/v{version}/users", false, nil}, {"GET", "/health", false, neutral}}, []string{"http"}},
	"literal": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/users/search", false, since}, {"GET", "/users/{id}", false, nil},
	}, nil},
	"several": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/search", false, nil}, {"DELETE", "/search", false, []verso.RouteOption{verso.RemovedIn("v3")}}, {"POST", "/{id}", false, nil}, {"PUT", "/{id}", false, since}, {"DELETE", "/{id}", true, nil},
	}, nil},
}

type row struct {
	ID       string            `json:"id"`
	Service  string            `json:"service"`
	Method   string            `json:"method"`
	Target   string            `json:"target"`
	Version  string            `json:"version,omitempty"` // of the header
	CORS     bool              `json:"cors,omitempty"`
	Want     string            `json:"want"`              // with NotFound
	Except   map[string]string `json:"except,omitempty"`  // by framework
	Without  string            `json:"without,omitempty"` // without NotFound, "": as with it
	Excepted map[string]string `json:"except_without,omitempty"`
	Why      string            `json:"why"`
	Suite    bool              `json:"suite"` // should be a check of the suite
}

// ask returns the answer of a service: status, code, Vary, Allow, and what is observed.
func ask(t *testing.T, framework string, s service, r row, notFound bool) string {
	t.Helper()
	seen := "-"
	config := verso.Config{Clock: now, Catalogue: ended(s.names...), Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Observe: func(_ context.Context, o verso.Observation) {
		seen = fmt.Sprintf("%s/%s", cmp.Or(string(o.Requested), "?"), o.Outcome)
	}}
	if r.Service == "path" {
		config.DefaultVersion = verso.V("v2")
	}
	request := httptest.NewRequest(r.Method, r.Target, nil)
	if r.Version != "" {
		request.Header.Set("Api-Version", r.Version)
	}
	if r.CORS {
		request.Header.Set("Origin", "https://example.com")
		request.Header.Set("Access-Control-Request-Method", "PUT")
	}
	api := verso.MustNew(s.source, config)
	status, body, header := over(frameworks.All[framework](api, app(s, notFound)))(request)
	var problem struct{ Code string }
	_ = json.Unmarshal([]byte(body), &problem)
	allow := strings.Split(strings.ReplaceAll(strings.Join(header["Allow"], ","), " ", ""), ",")
	slices.Sort(allow)
	return fmt.Sprintf("%d %s vary=%s allow=%s seen=%s", status, cmp.Or(problem.Code, "-"), strings.Join(header["Vary"], ","), strings.Join(allow, ","), seen)
}

// app returns the service with NotFound, or without.
func app(s service, notFound bool) frameworks.App {
	a := frameworks.App{NotFound: notFound}
	ok := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
	for _, p := range s.routes {
		a.Routes = append(a.Routes, frameworks.Route{Method: p.method, Path: p.path, Foreign: p.foreign, Options: p.options, Handle: ok})
	}
	return a
}

// doer sends a request to a service.
type doer func(r *http.Request) (status int, body string, header http.Header)

func over(h http.Handler) doer {
	return func(r *http.Request) (int, string, http.Header) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String(), w.Header()
	}
}

func quiet(c verso.Config) verso.Config {
	c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	return c
}

func codes(x *verso.Explanation) (codes []string) {
	for _, f := range x.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// each asks a service in all frameworks.
func each(t *testing.T, s service, config verso.Config, check func(framework string, do doer)) {
	t.Helper()
	for framework, serve := range frameworks.All {
		check(framework, over(serve(verso.MustNew(s.source, quiet(config)), app(s, true))))
	}
}
