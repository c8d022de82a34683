package verso_test

import (
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
)

func TestIsAllowedVersion(t *testing.T) {
	none := verso.Version{}
	tests := []struct {
		name    string
		config  verso.Config
		version verso.Version
		want    bool
	}{
		{"zero configuration, none", verso.Config{}, none, true},
		{"zero configuration, empty", verso.Config{}, verso.V(""), true},
		{"zero configuration, any", verso.Config{}, verso.V("v9"), true},
		{"empty list", verso.Config{AllowedVersions: []string{}}, verso.V("v9"), true},
		{"listed", coretest.List("v1", "v2"), verso.V("v2"), true},
		{"not listed", coretest.List("v1", "v2"), verso.V("v3"), false},
		{"other case", coretest.List("v1", "v2"), verso.V("V2"), false},
		{"empty, not listed", coretest.List("v1", "v2"), verso.V(""), false},
		{"empty, listed", coretest.List(""), verso.V(""), true},
		{"none, empty listed", coretest.List(""), none, false},
		{"none", coretest.List("v1", "v2"), none, false},
		{"none, unversioned allowed", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, none, true},
		{"empty, unversioned allowed", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, verso.V(""), false},
		{"default beside the list", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}, verso.V("v0"), true},
		{"none, with a default", coretest.WithDefault("v1"), none, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.Must(scheme.NewURLPath("version", test.config))
			if got := api.IsAllowedVersion(test.version); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
			if !test.version.IsNone() {
				if got := coretest.Outcome(api, coretest.In(test.version.String()).Request()); (got == "= "+test.version.String()) != test.want {
					t.Errorf("determined %s", got)
				}
			}
		})
	}
}

func TestVersions(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   []verso.Version
	}{
		"list":                {coretest.List("b", "a"), []verso.Version{verso.V("b"), verso.V("a")}},
		"default beside it":   {verso.Config{AllowedVersions: []string{"b"}, DefaultVersion: verso.V("a")}, []verso.Version{verso.V("b"), verso.V("a")}},
		"default in it":       {coretest.WithDefault("b", "a"), []verso.Version{verso.V("b"), verso.V("a")}},
		"every version":       {verso.Config{AnyVersion: true}, nil},
		"every, with default": {verso.Config{AnyVersion: true, DefaultVersion: verso.V("a")}, nil},
	} {
		if got := verso.Must(scheme.NewURLPath("version", test.config)).Versions(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
