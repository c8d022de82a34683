package verso_test

import (
	"errors"
	"fmt"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestURLPath(t *testing.T) {
	tests := []struct {
		name     string
		settings verso.Settings
		path     map[string]string
		want     verso.Version
		wantErr  error
	}{
		{"any name will do", verso.Settings{VersionParam: "api version/é"}, map[string]string{"api version/é": "v1"}, verso.V("v1"), nil},
		{"name in another case", verso.Settings{AllowUnversioned: true, AllowedVersions: []string{"v1"}}, map[string]string{"Version": "v9"}, verso.Version{}, nil},
		{"captured empty", verso.Settings{DefaultVersion: verso.V("v1")}, map[string]string{"version": ""}, verso.V(""), nil},
		{"captured empty, not listed", verso.Settings{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, map[string]string{"version": ""}, verso.Version{}, verso.ErrNotFound},
		{"bytes stay", verso.Settings{}, map[string]string{"version": "\xff/%2F"}, verso.V("\xff/%2F"), nil},
		{"none and no default", verso.Settings{AllowedVersions: []string{"v1"}}, nil, verso.Version{}, verso.ErrNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scheme := verso.Must(verso.NewURLPath(test.settings))
			v, err := scheme.DetermineVersion(&request{path: test.path})
			if v != test.want || !errors.Is(err, test.wantErr) {
				t.Errorf("determined %#v, %v, want %#v, %v", v, err, test.want, test.wantErr)
			}
			if vary := scheme.Vary(); len(vary) != 0 {
				t.Errorf("Vary() = %q, want none", vary)
			}
		})
	}
}

func ExampleNewURLPath() {
	scheme, err := verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme.DetermineVersion(&request{path: map[string]string{"version": "v2"}}))
	fmt.Println(scheme.DetermineVersion(&request{path: map[string]string{"version": "v9"}}))
	// Output:
	// v2 <nil>
	//  Invalid version in URL path.
}
