package verso_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
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
		{"contradiction: the last", "version", list("v1"), "version=v9&version=v1", "= v1"},
		{"contradiction: the last is rejected", "version", list("v1"), "version=v1&version=v9", invalid},
		{"present but empty", "version", verso.Config{DefaultVersion: verso.V("v1")}, "version", "= "},
		{"absent", "version", withDefault("v1"), "page=1", "= v1"},
		{"absent, no default", "version", list("v1"), "page=1", "400 missing_version"},
		{"decoded once", "version", verso.Config{}, "version=v%2531", "= v%31"},
		{"line break", "version", list("v1"), "version=v1%0D%0A", invalid},
		{"NUL", "version", list("v1"), "version=v1%00", invalid},
		{"as many pairs as are read", "version", list("v1"), strings.Repeat("&", 9999) + "version=v1", "= v1"},
		{"more pairs than are read", "version", list("v1"), strings.Repeat("&", 10000) + "version=v1", "400 invalid_version"},
		{"1 MiB of pairs, no version", "version", withDefault("v1"), strings.Repeat("a&", 1<<19), "400 invalid_version"},
		{"1 MiB in one pair", "version", list("v1"), "a=" + strings.Repeat("b", 1<<20) + "&version=v1", "= v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.QueryParam(test.param), test.config)
			if got := outcome(api, query(test.query).request()); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
