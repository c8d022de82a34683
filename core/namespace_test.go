package verso_test

import (
	"errors"
	"fmt"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestNewNamespaceErrors(t *testing.T) {
	_, err := verso.NewNamespace(verso.Settings{AllowedVersions: []string{"v1", "api:v2"}})
	want := `verso: NamespaceVersioning: allowed version "api:v2" can never be a namespace, in which a colon separates nested ones: remove the colon`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err := verso.NewNamespace(verso.Settings{DefaultVersion: verso.V("api:v2")}); err != nil {
		t.Errorf("a default, which is no namespace: %v", err)
	}
}

func TestNamespace(t *testing.T) {
	listed := verso.Settings{AllowedVersions: []string{"v1", "v2"}}
	tests := []struct {
		name      string
		settings  verso.Settings
		namespace string
		want      verso.Version // when refused: that of the error
		refused   bool
	}{
		{"the outermost counts", listed, "v2:v1", verso.V("v2"), false},
		{"empty parts", listed, "::v1", verso.V("v1"), false},
		{"empty part is a version", verso.Settings{}, ":v1", verso.V(""), false},
		{"no list: the outermost", verso.Settings{}, "api:v1", verso.V("api"), false},
		{"no namespace: the default unchecked", listed, "", verso.Version{}, false},
		{"default among the parts", verso.Settings{DefaultVersion: verso.V("v0"), AllowedVersions: []string{"v1"}}, "api:v0", verso.V("v0"), false},
		{"refused", listed, "api:v3", verso.V("api"), true},
		{"refused, outermost empty", listed, ":v3", verso.V(""), true},
		{"a part within a part", listed, "v1x:xv1", verso.V("v1x"), true},
		{"unversioned allowed", verso.Settings{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, "api", verso.V("api"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := verso.Must(verso.NewNamespace(test.settings)).DetermineVersion(&request{namespace: test.namespace})
			var refusal *verso.Error
			if errors.As(err, &refusal) != test.refused {
				t.Fatalf("determined %#v, %v, want refused: %v", v, err, test.refused)
			}
			if test.refused {
				v = refusal.Version
			}
			if v != test.want {
				t.Errorf("version %#v, want %#v", v, test.want)
			}
		})
	}
}

func ExampleNewNamespace() {
	scheme, err := verso.NewNamespace(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme.DetermineVersion(&request{namespace: "api:v2"}))
	fmt.Println(scheme.DetermineVersion(&request{namespace: "api"}))
	fmt.Println(scheme.VersionedName(verso.V("v2"), "user-list"))
	// Output:
	// v2 <nil>
	//  Invalid version in URL path. Does not match any version namespace.
	// v2:user-list
}
