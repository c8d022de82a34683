package adapter_test

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

// TestUnusedDefault ends a default version that no request has: only that it is unused matters.
func TestUnusedDefault(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Sunset: catalogue.MustDate("2020-06-01"), Successor: "v2"}, {Version: "v2"},
	}})
	config := verso.Config{Catalogue: versions, DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}}
	var codes []string
	for _, f := range coretest.Bound(verso.MustNew(verso.PathParam("version"), config), route.Route{Pattern: route.Colons("/:version/users")}).Explain().Findings {
		codes = append(codes, f.Code)
	}
	if len(codes) != 1 || codes[0] != "default_unused" {
		t.Errorf("found %q, want default_unused alone", codes)
	}
}

// TestRefusedDefault has a default version that Strict refuses beside a prefix.
func TestRefusedDefault(t *testing.T) {
	for name, test := range map[string]struct {
		strict        verso.Strictness
		without, code string
	}{
		"served":  {verso.Strictness{RefuseEmpty: true}, `served as version "v1"`, ""},
		"refused": {verso.Strict(), "404 invalid_url_path_version", "default_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"), Strict: test.strict}
			explained := coretest.Bound(verso.MustNew(verso.PathPrefix("/{version}"), config),
				route.Route{Pattern: route.Colons("/v2/users")}, route.Route{Pattern: route.Colons("/users")}).Explain()
			code := ""
			for _, f := range explained.Findings {
				if f.Field == "DefaultVersion" {
					code = f.Code
				}
			}
			if code != test.code {
				t.Errorf("found %q, want %q", code, test.code)
			}
			if got := explained.Requests[0].Response; got != test.without {
				t.Errorf("a request without a version: %q, want %q", got, test.without)
			}
		})
	}
}

// TestUnversionedUnused sets AllowUnversioned where no request is without a version.
func TestUnversionedUnused(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   bool
	}{
		"with a default":    {verso.Config{DefaultVersion: verso.V("v1"), AllowUnversioned: true}, true},
		"without a default": {verso.Config{AllowUnversioned: true}, false},
		"default alone":     {verso.Config{DefaultVersion: verso.V("v1")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.AllowedVersions, test.config.Links.Relative = []string{"v1"}, true
			found := false
			for _, f := range coretest.Bound(verso.MustNew(verso.Header("Api-Version"), test.config)).Explain().Findings {
				found = found || f.Code == "unversioned_unused" && f.Field == "AllowUnversioned"
			}
			if found != test.want {
				t.Errorf("found: %t", found)
			}
		})
	}
}

// TestVersionlessPrefix compares what Explain says of requests without a version, which a prefix
// leaves to the router.
func TestVersionlessPrefix(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Sunset: catalogue.MustDate("2099-06-01")}, {Version: "v2"},
	}})
	api := coretest.Bound(verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{Catalogue: versions, Links: verso.LinkConfig{Relative: true}}))
	explained := api.Explain()
	for _, period := range explained.Timeline {
		if period.Unversioned != explained.Requests[0].Response {
			t.Errorf("from %s: %q, and without a date %q", period.From, period.Unversioned, explained.Requests[0].Response)
		}
	}
	if len(explained.Timeline) == 0 {
		t.Error("there is no timeline")
	}
}
