package verso_test

import (
	"slices"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
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
		{"listed", list("v1", "v2"), verso.V("v2"), true},
		{"not listed", list("v1", "v2"), verso.V("v3"), false},
		{"other case", list("v1", "v2"), verso.V("V2"), false},
		{"empty, not listed", list("v1", "v2"), verso.V(""), false},
		{"empty, listed", list(""), verso.V(""), true},
		{"none, empty listed", list(""), none, false},
		{"none", list("v1", "v2"), none, false},
		{"none, unversioned allowed", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, none, true},
		{"empty, unversioned allowed", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, verso.V(""), false},
		{"default beside the list", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}, verso.V("v0"), true},
		{"none, with a default", withDefault("v1"), none, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.Must(scheme.NewURLPath("version", test.config))
			if got := api.IsAllowedVersion(test.version); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
			if !test.version.IsNone() {
				if got := outcome(api, in(test.version.String()).request()); (got == "= "+test.version.String()) != test.want {
					t.Errorf("determined %s", got)
				}
			}
		})
	}
}

// Each request gets its own version, whatever others ask for at the same time; a
// version that the configuration names is the same result each time.
func TestDetermine(t *testing.T) {
	for _, config := range []verso.Config{withDefault("v1", "v2", "v3"), withDefault("v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8")} {
		api := bound(verso.Must(scheme.NewQueryParameter("version", config)))
		var group sync.WaitGroup
		for text, want := range map[string]string{"version=v1": "= v1", "version=v2": "= v2", "version=v3": "= v3", "": "= v1", "version=v9": "404 invalid_query_parameter_version"} {
			group.Go(func() {
				r := query(text).request()
				first, _ := begin(api, r)
				for range 300 {
					if got := outcome(api, r); got != want {
						t.Errorf("%s: %s, want %s", text, got, want)
					}
					if again, _ := begin(api, r); again != first {
						t.Errorf("%s: another result", text)
					}
				}
			})
		}
		group.Wait()
	}
}

// Invented versions are not kept, or a client could fill the memory.
func TestInventedVersions(t *testing.T) {
	api := bound(verso.Must(scheme.NewQueryParameter("version", verso.Config{AnyVersion: true})))
	r := query("version=invented").request()
	first, call := begin(api, r)
	second, _ := begin(api, r)
	if call.err != nil || first.Version() != verso.V("invented") || second.Version() != first.Version() || first == second {
		t.Errorf("determined %+v, %+v, %v", first, second, call.err)
	}
}

func TestVersions(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   []verso.Version
	}{
		"list":                {list("b", "a"), []verso.Version{verso.V("b"), verso.V("a")}},
		"default beside it":   {verso.Config{AllowedVersions: []string{"b"}, DefaultVersion: verso.V("a")}, []verso.Version{verso.V("b"), verso.V("a")}},
		"default in it":       {withDefault("b", "a"), []verso.Version{verso.V("b"), verso.V("a")}},
		"every version":       {verso.Config{AnyVersion: true}, nil},
		"every, with default": {verso.Config{AnyVersion: true, DefaultVersion: verso.V("a")}, nil},
	} {
		if got := verso.Must(scheme.NewURLPath("version", test.config)).Versions(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
