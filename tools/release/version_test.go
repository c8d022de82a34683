package main

import "testing"

func TestNextVersion(t *testing.T) {
	for _, test := range []struct {
		name string
		tags []string
		want string
	}{
		{"no tags", nil, "v0.1.0"},
		{"patch after the last", []string{"core/v0.1.9", "core/v0.1.10", "adapters/versogin/v0.1.9"}, "v0.1.11"},
		{"the release after a candidate", []string{"core/v0.1.0", "core/v0.2.0-rc.1"}, "v0.2.0"},
		{"other tags", []string{"v3.0.0", "core/v1", "core/later", "nightly/2026"}, "v0.1.0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := nextVersion(test.tags); got != test.want {
				t.Errorf("got %s instead of %s", got, test.want)
			}
		})
	}
}

func TestCheckVersion(t *testing.T) {
	for version, ok := range map[string]bool{
		"v0.1.0": true, "v1.2.3": true, "v0.2.0-rc.1": true,
		"": false, "0.1.0": false, "v0.1": false, "v0.1.0+meta": false, "v2.0.0": false,
		"v0.0.0-20260101000000-abcdefabcdef": false,
	} {
		if err := checkVersion(version); (err == nil) != ok {
			t.Errorf("%q: error %v", version, err)
		}
	}
}
