package unmatched

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// TestNever200: a rejection is never 200, whatever an ErrorHandler forgets.
func TestNever200(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	const body = `{"error":"no"}`
	forgetful := frameworks.App{
		Routes:       []frameworks.Route{{Method: http.MethodGet, Path: "/users", Handle: func(http.ResponseWriter, *http.Request) {}}},
		ErrorHandler: func(w http.ResponseWriter, _ *verso.Error) { _, _ = io.WriteString(w, body) },
	}
	for name, serve := range frameworks.All {
		request := httptest.NewRequest(http.MethodGet, "/users", nil)
		request.Header.Set("Api-Version", "v9")
		if status, got, _ := over(serve(api, forgetful))(request); status != 400 || got != body {
			t.Errorf("%s: %d %s", name, status, got)
		}
	}
}

// TestRouteGoneNamesNoVersion: no version would help.
func TestRouteGoneNamesNoVersion(t *testing.T) {
	s := service{source: verso.Header("Api-Version"), routes: []place{{"GET", "/users", false, []verso.RouteOption{verso.SunsetAt(now().AddDate(0, -1, 0))}}}}
	each(t, s, verso.Config{Clock: now, Catalogue: ended(v123...)}, func(framework string, do doer) {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", "v2")
		if status, body, _ := do(r); status != 410 || !strings.Contains(body, "route_gone") || strings.Contains(body, "allowed_versions") {
			t.Errorf("%s: %d %s", framework, status, body)
		}
	})
}

// TestNeutralDatesFields: the dates are sent to everyone alike, without Vary and lists.
func TestNeutralDatesFields(t *testing.T) {
	each(t, services["header"], verso.Config{Clock: now, Catalogue: ended(v123...)}, func(framework string, do doer) {
		for target, want := range map[string]int{"/ending": 200, "/old": 410} {
			status, _, header := do(httptest.NewRequest(http.MethodGet, target, nil))
			if status != want || header.Get("Sunset") == "" || (header.Get("Deprecation") == "") != (target == "/old") || header.Get("Vary") != "" || header.Get("Api-Supported-Versions") != "" {
				t.Errorf("%s: %s: %d %v", framework, target, status, header)
			}
		}
	})
}
