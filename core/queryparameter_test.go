package verso_test

import (
	"errors"
	"fmt"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestQueryParameter(t *testing.T) {
	tests := []struct {
		name     string
		settings verso.Settings
		query    string
		want     verso.Version
		wantErr  error
	}{
		{"any name will do", verso.Settings{VersionParam: "api version&é"}, "api+version%26%C3%A9=v1", verso.V("v1"), nil},
		{"contradiction: the last", verso.Settings{AllowedVersions: []string{"v1"}}, "version=v9&version=v1", verso.V("v1"), nil},
		{"contradiction: the last is refused", verso.Settings{AllowedVersions: []string{"v1"}}, "version=v1&version=v9", verso.Version{}, verso.ErrNotFound},
		{"present but empty", verso.Settings{DefaultVersion: verso.V("v1")}, "version", verso.V(""), nil},
		{"decoded once", verso.Settings{}, "version=v%2531", verso.V("v%31"), nil},
		{"line break", verso.Settings{AllowedVersions: []string{"v1"}}, "version=v1%0D%0A", verso.Version{}, verso.ErrNotFound},
		{"NUL", verso.Settings{AllowedVersions: []string{"v1"}}, "version=v1%00", verso.Version{}, verso.ErrNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scheme := verso.Must(verso.NewQueryParameter(test.settings))
			v, err := scheme.DetermineVersion(&request{query: test.query})
			if v != test.want || !errors.Is(err, test.wantErr) {
				t.Errorf("determined %#v, %v, want %#v, %v", v, err, test.want, test.wantErr)
			}
		})
	}
}

func ExampleNewQueryParameter() {
	scheme, err := verso.NewQueryParameter(verso.Settings{
		DefaultVersion:  verso.V("v1"),
		AllowedVersions: []string{"v1", "v2"},
	})
	if err != nil {
		panic(err)
	}
	for _, query := range []string{"version=v2", "page=3", "version="} {
		fmt.Println(scheme.DetermineVersion(&request{query: query}))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in query parameter.
}
