package unmatched

import (
	"net/http"
	"net/http/httptest"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// TestSuccessorOfAnEscapedSlash: a%2Fb is another resource than a/b, so the link to the successor
// leads to a%2Fb or there is none.
func TestSuccessorOfAnEscapedSlash(t *testing.T) {
	for name, from := range map[string]source.Source{"param": verso.PathParam("version"), "last": verso.First(verso.Header("Api-Version"), verso.PathParam("version"))} {
		s := service{source: from, routes: []place{{"GET", "/{version}/files/{rest...}", false, nil}, {"GET", "/{version}/one/{id}", false, nil}}}
		config := verso.Config{Clock: now, Links: verso.LinkConfig{Relative: true}, Catalogue: catalogue.MustNew(catalogue.Config{SuccessorLinks: true, Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: now().AddDate(0, -1, 0), Sunset: now().AddDate(0, 1, 0), Successor: "v2"}, {Version: "v2"},
		}})}
		each(t, s, config, func(framework string, do doer) {
			for target, want := range map[string]string{
				"/v1/files/a/b": "/v2/files/a/b", "/v1/files/a/b%20c": "/v2/files/a/b%20c", "/v1/one/a%252Fb": "/v2/one/a%252Fb", "/v1/files/a": "/v2/files/a",
				"/v1/files/a%2Fb": "", "/v1/files/a%2fb/c": "", "/v1/files/a/%2F": "",
			} {
				if want != "" {
					want = "<" + want + `>; rel="successor-version"`
				}
				if status, _, header := do(httptest.NewRequest(http.MethodGet, target, nil)); status != 200 || header.Get("Link") != want || header.Get("Deprecation") == "" {
					t.Errorf("%s, %s: %s: %d, Link %q, want %q", name, framework, target, status, header.Get("Link"), want)
				}
			}
			if status, _, header := do(httptest.NewRequest(http.MethodGet, "/v1/one/a%2Fb", nil)); status == 200 && header.Get("Link") != "" {
				t.Errorf("%s, %s: one: Link %q", name, framework, header.Get("Link"))
			}
		})
	}
}
