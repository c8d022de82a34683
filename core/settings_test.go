package verso_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// The settings and a scheme that has them answer alike.
func TestIsAllowedVersion(t *testing.T) {
	none := verso.Version{}
	list := []string{"v1", "v2"}
	tests := []struct {
		name     string
		settings verso.Settings
		version  verso.Version
		want     bool
	}{
		{"zero settings, none", verso.Settings{}, none, true},
		{"zero settings, empty", verso.Settings{}, verso.V(""), true},
		{"zero settings, any", verso.Settings{}, verso.V("v9"), true},
		{"empty list", verso.Settings{AllowedVersions: []string{}}, verso.V("v9"), true},
		{"listed", verso.Settings{AllowedVersions: list}, verso.V("v2"), true},
		{"not listed", verso.Settings{AllowedVersions: list}, verso.V("v3"), false},
		{"other case", verso.Settings{AllowedVersions: list}, verso.V("V2"), false},
		{"empty, not listed", verso.Settings{AllowedVersions: list}, verso.V(""), false},
		{"empty, listed", verso.Settings{AllowedVersions: []string{""}}, verso.V(""), true},
		{"none, empty listed", verso.Settings{AllowedVersions: []string{""}}, none, false},
		{"none", verso.Settings{AllowedVersions: list}, none, false},
		{"none, unversioned allowed", verso.Settings{AllowedVersions: list, AllowUnversioned: true}, none, true},
		{"empty, unversioned allowed", verso.Settings{AllowedVersions: list, AllowUnversioned: true}, verso.V(""), false},
		{"default beside the list", verso.Settings{AllowedVersions: list, DefaultVersion: verso.V("v0")}, verso.V("v0"), true},
		{"none, with a default", verso.Settings{AllowedVersions: list, DefaultVersion: verso.V("v0")}, none, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.settings.IsAllowedVersion(test.version); got != test.want {
				t.Errorf("Settings: %v, want %v", got, test.want)
			}
			scheme := verso.Must(verso.NewURLPath(test.settings))
			if got := scheme.IsAllowedVersion(test.version); got != test.want {
				t.Errorf("Scheme: %v, want %v", got, test.want)
			}
		})
	}
}

func TestSettingsOfScheme(t *testing.T) {
	got := verso.Must(verso.NewURLPath(verso.Settings{})).Settings()
	if got.VersionParam != "version" {
		t.Errorf("version parameter %q, want the default, version", got.VersionParam)
	}
	given := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1"}, AllowUnversioned: true, VersionParam: "v"}
	got = verso.Must(verso.NewURLPath(given)).Settings()
	if got.DefaultVersion != given.DefaultVersion || len(got.AllowedVersions) != 1 || !got.AllowUnversioned || got.VersionParam != "v" {
		t.Errorf("settings %+v, want %+v", got, given)
	}
}

// A scheme goes on as it was made when the caller's list changes.
func TestSettingsAreCopied(t *testing.T) {
	list := []string{"v1", "v2"}
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: list}))
	list[0] = "v9"
	if !scheme.IsAllowedVersion(verso.V("v1")) || scheme.IsAllowedVersion(verso.V("v9")) || scheme.Settings().AllowedVersions[0] != "v1" {
		t.Error("the scheme follows the caller's list")
	}
}

func TestDuplicateVersion(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1", "v2", "v1"}}
	for name, construct := range constructors() {
		t.Run(name, func(t *testing.T) {
			_, err := construct(settings)
			want := "verso: " + name + `: allowed version "v1" is listed twice: remove one`
			if err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
	for _, different := range []string{"v1 v2", "v1 V1", "1 1.0", "é e\u0301"} {
		for name, construct := range constructors() {
			if _, err := construct(verso.Settings{AllowedVersions: strings.Fields(different)}); err != nil {
				t.Errorf("%s, %q: %v", name, different, err)
			}
		}
	}
}

// constructors returns what makes the built-in schemes, by their names.
func constructors() map[string]func(verso.Settings) (verso.Scheme, error) {
	return map[string]func(verso.Settings) (verso.Scheme, error){
		"AcceptHeaderVersioning":   asScheme(verso.NewAcceptHeader),
		"URLPathVersioning":        asScheme(verso.NewURLPath),
		"NamespaceVersioning":      asScheme(verso.NewNamespace),
		"QueryParameterVersioning": asScheme(verso.NewQueryParameter),
		"HostNameVersioning": asScheme(func(s verso.Settings) (*verso.HostName, error) {
			return verso.NewHostName(s, "")
		}),
	}
}

func asScheme[S verso.Scheme](construct func(verso.Settings) (S, error)) func(verso.Settings) (verso.Scheme, error) {
	return func(settings verso.Settings) (verso.Scheme, error) { return construct(settings) }
}
