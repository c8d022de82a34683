package sources_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestAcceptParam(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "versión", "\u0080"}, AllowUnversioned: true}
	api := verso.MustNew(verso.AcceptParam("X-API.Version"), config)
	const invalid = "406 invalid_accept_header_version"
	tests := []struct {
		name   string
		accept []string // lines
		want   string
	}{
		{"name in another case", []string{"a/b; x-api.version=v1"}, "= v1"},
		{"quoted", []string{`a/b; x-api.version="v1"`}, "= v1"},
		{"other name", []string{"a/b; version=v9"}, "none"},
		{"none", []string{"a/b"}, "none"},
		{"no header", nil, "none"},
		{"empty is not none", []string{"a/b; x-api.version"}, invalid},
		{"ISO-8859-1", []string{"a/b; x-api.version=versi\xf3n"}, "= versión"},
		{"ISO-8859-1 in quotes", []string{"a/b; x-api.version=\"vers\\i\xf3n\""}, "= versión"},
		{"ISO-8859-1, the first beyond ASCII", []string{"a/b; x-api.version=\x80"}, "= \u0080"},
		{"UTF-8 is not ISO-8859-1", []string{"a/b; x-api.version=versión"}, invalid},
		{"other case", []string{"a/b; x-api.version=V1"}, invalid},
		{"nothing but q=0", []string{"*/*;q=0"}, "406 not_acceptable"},
		{"longer than is read", []string{strings.Repeat(" ", mediatype.MaxBytes) + "a/b"}, "406 not_acceptable"},
		{"second line", []string{"a/b;q=0.5", "c/d;x-api.version=v1"}, "= v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := coretest.Accept(test.accept...).Request()
			coretest.Expect(t, api, r, test.want)
			if _, call := coretest.Begin(coretest.Bound(api), r); !slices.Equal(coretest.Varies(call), []string{"Accept"}) {
				t.Errorf("Vary = %q", coretest.Varies(call))
			}
		})
	}
}

// A header that accepts nothing is told from a version that is not served.
func TestAcceptParamMessages(t *testing.T) {
	api := verso.Must(scheme.NewAcceptHeader("version", coretest.List("v1")))
	for text, want := range map[string]string{
		"*/*;q=0":         "406 not_acceptable",
		"a/b":             "406 invalid_accept_header_version",
		"a/b;version=":    "406 invalid_accept_header_version",
		"a/b;version=v9":  "406 invalid_accept_header_version",
		"garbage":         "406 not_acceptable",
		"a/b;version=v1,": "= v1",
	} {
		coretest.Expect(t, api, coretest.Accept(text).Request(), want, text)
	}
}

func TestAcceptParamNegotiates(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json", "text/csv"} })
	api := verso.Must(scheme.NewAcceptHeader("version", config))
	for text, want := range map[string]string{
		"image/png;version=v1":                           "406 not_acceptable",
		"image/png;version=v1, text/csv;version=v2":      "= v2",
		"text/csv;version=v1;q=0.1, a/b, */*;version=v2": "= v2",
	} {
		coretest.Expect(t, api, coretest.Accept(text).Request(), want, text)
	}
}

func TestAcceptParamWrites(t *testing.T) {
	for version, want := range map[string]string{
		"v1": "*/*; version=v1", "": `*/*; version=""`, `a "b"`: `*/*; version="a \"b\""`, `a\b`: `*/*; version="a\\b"`,
	} {
		written, err := verso.AcceptParam("version").Write(source.Written{}, verso.V(version))
		param, _ := written.Param()
		query, _ := written.Query()
		header, value := written.Header()
		if err != nil || param != "" || query != "" || header != "Accept" || value != want || written.Name("users") != "users" {
			t.Errorf("%q: wrote %q %q %q %q, %v", version, param, query, header, value, err)
		}
	}
}
