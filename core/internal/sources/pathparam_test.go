package sources_test

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
)

func TestPathParam(t *testing.T) {
	const invalid = "404 invalid_url_path_version"
	tests := []struct {
		name   string
		param  string
		config verso.Config
		params map[string]string
		want   string
	}{
		{"listed", "version", coretest.List("v1"), map[string]string{"version": "v1"}, "= v1"},
		{"not listed", "version", coretest.List("v1"), map[string]string{"version": "v9"}, invalid},
		{"other case", "version", coretest.List("v1"), map[string]string{"version": "V1"}, invalid},
		{"any name will do", "version-é", verso.Config{}, map[string]string{"version-é": "v1"}, "= v1"},
		{"name in another case", "version", verso.Config{AllowUnversioned: true, AllowedVersions: []string{"v1"}}, map[string]string{"Version": "v9"}, "none"},
		{"captured empty", "version", verso.Config{DefaultVersion: verso.V("v1")}, map[string]string{"version": ""}, "= "},
		{"captured empty, not listed", "version", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, map[string]string{"version": ""}, invalid},
		{"bytes stay", "version", verso.Config{}, map[string]string{"version": "\xff/%2F"}, "= \xff/%2F"},
		{"none and no default", "version", coretest.List("v1"), nil, "400 missing_version"},
		{"none and a default", "version", coretest.WithDefault("v1", "v2"), nil, "= v1"},
		{"none, and no list", "version", verso.Config{}, nil, "none"},
		{"default beside the list", "version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}, map[string]string{"version": "v0"}, "= v0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.PathParam(test.param), test.config)
			r := coretest.Ask{Params: test.params}.Request()
			coretest.Expect(t, api, r, test.want)
			if _, call := coretest.Begin(coretest.Bound(api), r); len(coretest.Varies(call)) != 0 || len(api.Vary()) != 0 {
				t.Errorf("Vary = %q, %q", coretest.Varies(call), api.Vary())
			}
		})
	}
}
