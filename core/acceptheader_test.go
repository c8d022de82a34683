package verso_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

func TestNewAcceptHeaderErrors(t *testing.T) {
	for _, param := range []string{"api version", "version=", "a;b", `"v"`, "é", "a/b", "v\n"} {
		t.Run(param, func(t *testing.T) {
			_, err := verso.NewAcceptHeader(verso.Settings{VersionParam: param})
			want := fmt.Sprintf("verso: AcceptHeaderVersioning: version parameter %q cannot occur in a media type: use letters, digits and hyphens", param)
			if err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func TestAcceptHeader(t *testing.T) {
	latin := verso.V("versión")
	scheme := verso.Must(verso.NewAcceptHeader(verso.Settings{AllowedVersions: []string{"v1", latin.String(), "\u0080"}, AllowUnversioned: true, VersionParam: "X-API.Version"}))
	tests := []struct {
		name, accept string
		want         verso.Version
		wantErr      error
	}{
		{"name in another case", "a/b; x-api.version=v1", verso.V("v1"), nil},
		{"other name", "a/b; version=v9", verso.Version{}, nil},
		{"none", "a/b", verso.Version{}, nil},
		{"empty is not none", "a/b; x-api.version", verso.Version{}, verso.ErrNotAcceptable},
		{"ISO-8859-1", "a/b; x-api.version=versi\xf3n", latin, nil},
		{"ISO-8859-1 in quotes", "a/b; x-api.version=\"vers\\i\xf3n\"", latin, nil},
		{"ISO-8859-1, the first beyond ASCII", "a/b; x-api.version=\x80", verso.V("\u0080"), nil},
		{"UTF-8 is not ISO-8859-1", "a/b; x-api.version=versión", verso.Version{}, verso.ErrNotAcceptable},
		{"other case", "a/b; x-api.version=V1", verso.Version{}, verso.ErrNotAcceptable},
		{"nothing but q=0", "*/*;q=0", verso.Version{}, verso.ErrNotAcceptable},
		{"longer than is read", strings.Repeat(" ", mediatype.MaxBytes) + "a/b", verso.Version{}, verso.ErrNotAcceptable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := scheme.DetermineVersion(&request{accept: []string{test.accept}})
			if v != test.want || !errors.Is(err, test.wantErr) {
				t.Errorf("determined %#v, %v, want %#v, %v", v, err, test.want, test.wantErr)
			}
		})
	}
	if vary := scheme.Vary(); !slices.Equal(vary, []string{"Accept"}) {
		t.Errorf("Vary() = %q, want Accept", vary)
	}
}

// A header that accepts nothing is told from a version that is not served.
func TestAcceptHeaderMessages(t *testing.T) {
	scheme := verso.Must(verso.NewAcceptHeader(verso.Settings{AllowedVersions: []string{"v1"}}))
	for accept, want := range map[string]verso.MessageID{
		"*/*;q=0":      verso.NotAcceptable,
		"a/b":          verso.InvalidAcceptHeaderVersion,
		"a/b;version=": verso.InvalidAcceptHeaderVersion,
	} {
		var refusal *verso.Error
		if _, err := scheme.DetermineVersion(&request{accept: []string{accept}}); !errors.As(err, &refusal) || refusal.MessageID != want {
			t.Errorf("%q: error %v, want %s", accept, err, want)
		}
	}
}

func ExampleNewAcceptHeader() {
	scheme, err := verso.NewAcceptHeader(verso.Settings{
		DefaultVersion:  verso.V("v1"),
		AllowedVersions: []string{"v1", "v2"},
	})
	if err != nil {
		panic(err)
	}
	for _, accept := range []string{"application/json; version=v2", "application/json", "application/json; version=v9"} {
		v, err := scheme.DetermineVersion(&request{accept: []string{accept}})
		fmt.Println(v, err)
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in "Accept" header.
}
