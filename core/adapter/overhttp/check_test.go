package overhttp_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// added returns a handler behind the check of a route.
func added(over overhttp.Group, path string, handler http.HandlerFunc) http.Handler {
	return over.Add(path, route.Route{Path: path, Pattern: route.Braces(path)}, over.Handler(path, handler))
}

// asked returns the response to a request for a version.
func asked(handler http.Handler, version string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Api-Version", version)
	handler.ServeHTTP(w, r)
	return w
}

func TestObserved(t *testing.T) {
	var seen []string
	over := overhttp.New("myadapter", verso.MustNew(verso.Header("Api-Version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe:         func(_ context.Context, o verso.Observation) { seen = append(seen, o.Version.String()) },
	}), nil, overhttp.Config{})
	inner := added(over, "/inner", func(http.ResponseWriter, *http.Request) {})
	forward := func(w http.ResponseWriter, r *http.Request) {
		r = r.Clone(r.Context())
		r.Header.Set("Api-Version", "v2")
		inner.ServeHTTP(w, r)
	}
	for _, test := range []struct {
		name    string
		handler http.Handler
		want    []string
	}{
		{"a request", inner, []string{"v1"}},
		{"a forwarded request, instead of its own", added(over, "/forward", forward), []string{"v2"}},
		{"one of a batch, besides its own", added(over, "/batch", func(_ http.ResponseWriter, r *http.Request) {
			forward(httptest.NewRecorder(), r)
		}), []string{"v2", "v1"}},
	} {
		seen = nil
		if asked(test.handler, "v1"); !slices.Equal(seen, test.want) {
			t.Errorf("%s: observed %q, want %q", test.name, seen, test.want)
		}
	}
}

func TestProblemType(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	own := func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) {}
	for _, test := range []struct {
		config overhttp.Config
		want   string
	}{{overhttp.Config{}, verso.ProblemType}, {overhttp.Config{ErrorHandler: own}, ""}} {
		if got := overhttp.New("myadapter", api, nil, test.config).Seam.Explain().ProblemType; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestStoredLate(t *testing.T) {
	var log strings.Builder
	over := overhttp.New("myadapter", verso.MustNew(verso.Stored("pin", "Authorization"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2"), Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}), nil, overhttp.Config{})
	store := func(r *http.Request) *http.Request {
		return r.WithContext(context.WithValue(r.Context(), "pin", "v1")) //nolint:staticcheck // frameworks have texts
	}
	handle := func(_ http.ResponseWriter, r *http.Request) { overhttp.Result(store(r)) }
	tested, err := over.SetTestVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
	if handle(nil, tested); err != nil || log.Len() > 0 {
		t.Errorf("a test has set the version: logged %s, %v", &log, err)
	}
	if asked(added(over, "/", handle), ""); !strings.Contains(log.String(), "code=stored_late") {
		t.Errorf("behind a check: logged %q", &log)
	}
}

func TestPanicUnderTimeout(t *testing.T) {
	var log strings.Builder
	over := overhttp.New("myadapter", verso.MustNew(verso.Header("Api-Version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}), nil, overhttp.Config{})
	over.Group = over.Rewrite(guests{})
	recovered := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				if recover() != nil {
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(`{"guest_name":"nobody"}`))
				}
			}()
			next.ServeHTTP(w, r)
		})
	}
	timed := func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Hour, "") }
	answer := added(over, "/answer", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"guest_name":"Ada"}`)) })
	panics := added(over, "/panic", func(http.ResponseWriter, *http.Request) { panic("a fault") })
	for _, test := range []struct {
		name    string
		handler http.Handler
		version string
		want    string
	}{
		{"an answer", answer, "v1", `{"guest":"Ada"}`},
		{"an answer in the newest version", answer, "v2", `{"guest_name":"Ada"}`},
		{"a panic", panics, "v1", `{"guest":"nobody"}`},
		{"a panic in the newest version", panics, "v2", `{"guest_name":"nobody"}`},
	} {
		for way, handler := range map[string]http.Handler{
			"alone": recovered(test.handler), "under a timeout": recovered(timed(test.handler)),
		} {
			if got := asked(over.RewriteErrors()(handler), test.version).Body.String(); got != test.want {
				t.Errorf("%s, %s: %s, want %s", test.name, way, got, test.want)
			}
		}
	}
	logged := func() bool { return strings.Contains(log.String(), "code=errors_not_rewritten") }
	if logged() {
		t.Errorf("behind RewriteErrors: logged %s", &log)
	}
	if asked(answer, "v1"); !logged() {
		t.Errorf("without it: logged %q", &log)
	}
}
