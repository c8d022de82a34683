package sources_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
)

func TestQueryParam(t *testing.T) {
	const invalid = "404 invalid_query_parameter_version"
	tests := []struct {
		name   string
		param  string
		config verso.Config
		query  string
		want   string
	}{
		{"any name will do", "api version&é", verso.Config{}, "api+version%26%C3%A9=v1", "= v1"},
		{"contradiction: the last", "version", coretest.List("v1"), "version=v9&version=v1", "= v1"},
		{"contradiction: the last is rejected", "version", coretest.List("v1"), "version=v1&version=v9", invalid},
		{"present but empty", "version", verso.Config{DefaultVersion: verso.V("v1")}, "version", "= "},
		{"absent", "version", coretest.WithDefault("v1"), "page=1", "= v1"},
		{"absent, no default", "version", coretest.List("v1"), "page=1", "400 missing_version"},
		{"decoded once", "version", verso.Config{}, "version=v%2531", "= v%31"},
		{"line break", "version", coretest.List("v1"), "version=v1%0D%0A", invalid},
		{"NUL", "version", coretest.List("v1"), "version=v1%00", invalid},
		{"as many pairs as are read", "version", coretest.List("v1"), strings.Repeat("&", 9999) + "version=v1", "= v1"},
		{"more pairs than are read", "version", coretest.List("v1"), strings.Repeat("&", 10000) + "version=v1", "400 invalid_version"},
		{"1 MiB of pairs, no version", "version", coretest.WithDefault("v1"), strings.Repeat("a&", 1<<19), "400 invalid_version"},
		{"1 MiB in one pair", "version", coretest.List("v1"), "a=" + strings.Repeat("b", 1<<20) + "&version=v1", "= v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.QueryParam(test.param), test.config)
			coretest.Expect(t, api, coretest.Query(test.query).Request(), test.want)
		})
	}
}
