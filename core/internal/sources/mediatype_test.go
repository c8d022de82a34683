package sources_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
)

func TestMediaType(t *testing.T) {
	const none, missing = "406 not_acceptable", "400 missing_version"
	listed := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json"} })
	defaulted := coretest.With(coretest.WithDefault("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json"} })
	unlisted := coretest.With(listed, func(c *verso.Config) { c.DefaultVersion = verso.V("v9") })
	tests := []struct {
		name   string
		config verso.Config
		accept []string
		want   string
	}{
		{"named", listed, []string{"application/vnd.acme.v1+json"}, "= v1"},
		{"in another case", listed, []string{"Application/VND.acme.V1+JSON"}, "= v1"},
		{"unknown", listed, []string{"application/vnd.acme.v9+json"}, none},
		{"unknown, then known", listed, []string{"application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5"}, "= v2"},
		{"by weight", listed, []string{"application/vnd.acme.v1+json;q=0.9", "application/vnd.acme.v2+json;q=0.8"}, "= v1"},
		{"equal weights: the newest", listed, []string{"application/vnd.acme.v1+json, application/vnd.acme.v2+json"}, "= v2"},
		{"equal weights: a default that is not listed comes last", unlisted, []string{"application/vnd.acme.v1+json, application/vnd.acme.v9+json"}, "= v1"},
		{"a plain type has none", listed, []string{"application/json"}, missing},
		{"a plain type has the default", defaulted, []string{"application/json"}, "= v1"},
		{"wildcard without a default", listed, []string{"*/*"}, missing},
		{"wildcard with a default", defaulted, []string{"*/*"}, "= v1"},
		{"no header, no default", listed, nil, missing},
		{"no header", defaulted, nil, "= v1"},
		{"something else", defaulted, []string{"image/png"}, "= v1"},
		{"something else, no default", listed, []string{"image/png"}, missing},
		{"something else beside an unknown version", defaulted, []string{"image/png", "application/vnd.acme.v9+json"}, none},
		{"64 KiB", defaulted, []string{strings.Repeat("a", 64<<10)}, none},
		{"control bytes", defaulted, []string{"application/vnd.acme.v2\x00+json"}, "= v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.MediaType(coretest.Vendor), test.config)
			r := coretest.Accept(test.accept...).Request()
			coretest.Expect(t, api, r, test.want)
			if _, call := coretest.Begin(coretest.Bound(api), r); !slices.Equal(coretest.Varies(call), []string{"Accept"}) {
				t.Errorf("Vary = %q", coretest.Varies(call))
			}
		})
	}
}

func TestContentType(t *testing.T) {
	api := verso.MustNew(verso.First(verso.PathParam("version"), verso.MediaType("application/vnd.acme.{resource}-{version}+json")), coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.AllowUnversioned = true }))
	result := func(r coretest.Ask) *verso.Result {
		result, _ := coretest.Decided(t, coretest.Bound(api), r.Request())
		return result
	}
	for name, r := range map[string]coretest.Ask{"path": coretest.In("v2"), "media type": coretest.Accept("application/vnd.acme.order-v2+json")} {
		if got, err := result(r).ContentType("order"); got != "application/vnd.acme.order-v2+json" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := result(coretest.In("v2")).ContentType("a b"); err == nil {
		t.Errorf("a resource that no media type can have: %q", got)
	}
	if got, err := result(coretest.Ask{}).ContentType("order"); err == nil || !strings.Contains(err.Error(), "the request has no version") {
		t.Errorf("without a version: %q, %v", got, err)
	}
	other, _ := coretest.Begin(coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1")))), coretest.In("v1").Request())
	if got, err := other.ContentType("order"); err == nil || !strings.Contains(err.Error(), "no source is a MediaType") {
		t.Errorf("without a template: %q, %v", got, err)
	}
}
