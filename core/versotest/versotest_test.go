package versotest_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

func TestRequest(t *testing.T) {
	raw := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://example.com:8080/users?a=b", nil)
	raw.Header.Add("Accept", "a/b")
	raw.Header.Add("Accept", "c/d")
	users := &route.Route{Name: "users"}
	r := versotest.Request(raw, map[string]string{"version": ""}, users)
	accept, _ := r.Header("Accept")
	version, ok := r.PathParam("version")
	got := fmt.Sprintln(r.Method(), r.Secure(), r.Host(), r.RawQuery(), accept, version, ok)
	if want := "POST true example.com:8080 a=b a/b, c/d  true\n"; got != want {
		t.Errorf("facts %q, want %q", got, want)
	}
	if r.Route() != users || r.Unwrap() != any(raw) || r.Context() != raw.Context() || r.IsNone() {
		t.Error("route, request or context is another")
	}
	bare := versotest.Request(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), nil, nil)
	_, hasParam := bare.PathParam("version")
	if _, hasHeader := bare.Header("Accept"); hasParam || hasHeader || bare.Route() != nil || bare.Secure() {
		t.Error("a bare request has something")
	}
}

func TestClock(t *testing.T) {
	start := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	clock := versotest.NewClock(start)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				clock.Advance(time.Second)
				_ = clock.Now()
			}
		})
	}
	group.Wait()
	if got := clock.Now().Sub(start); got != 800*time.Second {
		t.Errorf("advanced by %v", got)
	}
	clock.Advance(-time.Hour)
	clock.Set(start)
	if !clock.Now().Equal(start) {
		t.Errorf("set to %v", clock.Now())
	}
}

// recorder is a test that continues after a failure.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	panic(r)
}

func golden(t *testing.T, explanation *verso.Explanation, file string) (failure string) {
	t.Helper()
	r := &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		failure = r.failure
	}()
	versotest.Golden(r, explanation, file)
	return ""
}

func TestGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "versions.txt")
	explain := func(versions ...string) *verso.Explanation {
		return adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: versions})), nil).Explain()
	}
	t.Setenv(versotest.UpdateVariable, "")
	if got := golden(t, explain("v1"), file); !strings.Contains(got, "VERSO_UPDATE=1") {
		t.Errorf("no file: %q", got)
	}
	t.Setenv(versotest.UpdateVariable, "1")
	if got := golden(t, explain("v1"), file); got != "" {
		t.Errorf("updating: %q", got)
	}
	if got := golden(t, explain("v1"), t.TempDir()); got == "" {
		t.Error("a directory was written")
	}
	t.Setenv(versotest.UpdateVariable, "")
	if got := golden(t, explain("v1"), file); got != "" {
		t.Errorf("the same: %q", got)
	}
	got := golden(t, explain("v1", "v2"), file)
	for _, part := range []string{"in line 3\n", "file: \"  serves   v1\\n\"\n", "text: \"  serves   v1, v2\\n\"\n", "VERSO_UPDATE=1"} {
		if !strings.Contains(got, part) {
			t.Errorf("another version: %q, want %q in it", got, part)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(content), "\n", "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := golden(t, explain("v1"), file); got != "" {
		t.Errorf("checked out on Windows: %q", got)
	}
	if err := os.WriteFile(file, content[:len(content)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := golden(t, explain("v1"), file); !strings.Contains(got, "differs") {
		t.Errorf("without the last line break: %q", got)
	}
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	m.Run()
}
