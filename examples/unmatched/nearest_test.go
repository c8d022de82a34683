package unmatched

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func TestNearestConforms(t *testing.T) {
	dates := conformance.SourceOptions{Versions: []string{"2024-01-01", "2025-01-01", "2026-01-01"}}
	numbers := conformance.SourceOptions{Versions: []string{"0.16.1", "0.17.0", "1.0"}}
	for name, from := range map[string]source.Source{"header": verso.Header("Api-Version"), "query": verso.QueryParam("version"), "path": verso.PathParam("version"), "accept": verso.AcceptParam("version")} {
		t.Run(name, func(t *testing.T) { conformance.Source(t, verso.Nearest(from, verso.ByDate, nil), dates) })
		t.Run(name+"-numbers", func(t *testing.T) { conformance.Source(t, verso.Nearest(from, verso.ByNumber, nil), numbers) })
	}
}

// TestReleaseNumbers: a client names its own release number.
func TestReleaseNumbers(t *testing.T) {
	from := verso.Nearest(verso.Header("Api-Version"), verso.ByNumber, func() string { return "0.18" })
	each(t, service{source: from, routes: []place{{"GET", "/users", false, nil}}}, verso.Config{AllowedVersions: []string{"0.15.0", "0.16.1", "0.17.0"}}, func(framework string, do doer) {
		for version, want := range map[string]int{"0.16.3": 200, "0.17.3": 200, "0.18.0": 200, "0.18.1": 400, "0.14.9": 400, "latest": 400, "": 400} {
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			if version != "" {
				r.Header.Set("Api-Version", version)
			}
			if status, body, header := do(r); status != want || header.Get("Vary") != "Api-Version" {
				t.Errorf("%s: %s: %d %s %q", framework, version, status, body, header["Vary"])
			}
		}
	})
}
