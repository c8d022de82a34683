package sources_test

import (
	"errors"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

func TestNamespace(t *testing.T) {
	listed := coretest.List("v1", "v2")
	tests := []struct {
		name      string
		config    verso.Config
		namespace string
		want      string
		asked     string // in the rejection
	}{
		{"the outermost counts", listed, "v2:v1", "= v2", ""},
		{"empty parts", listed, "::v1", "= v1", ""},
		{"empty part is a version", verso.Config{}, ":v1", "= ", ""},
		{"no list: the outermost", verso.Config{}, "api:v1", "= api", ""},
		{"no namespace: the default unchecked", listed, "", "none", ""},
		{"default among the parts", verso.Config{DefaultVersion: verso.V("v0"), AllowedVersions: []string{"v1"}}, "api:v0", "= v0", ""},
		{"rejected", listed, "api:v3", "404 invalid_namespace_version", "api"},
		{"rejected, outermost empty", listed, ":v3", "404 invalid_namespace_version", ""},
		{"a part within a part", listed, "v1x:xv1", "404 invalid_namespace_version", "v1x"},
		{"unversioned allowed", verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, "api", "404 invalid_namespace_version", "api"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := "users"
			if test.namespace != "" {
				name = test.namespace + ":users"
			}
			api, r := verso.Must(scheme.NewNamespace(test.config)), coretest.Named(name).Request()
			coretest.Expect(t, api, r, test.want)
			_, err := adapter.Bind(api, nil).DetermineVersion(r)
			var rejected *verso.Error
			if errors.As(err, &rejected) && (rejected.Requested != test.asked || !rejected.HasRequested) {
				t.Errorf("asked for %q", rejected.Requested)
			}
		})
	}
	api := verso.Must(scheme.NewNamespace(coretest.WithDefault("v1")))
	for name, r := range map[string]coretest.Ask{"no route": {}, "route without a name": {Route: &route.Route{}}} {
		coretest.Expect(t, api, r.Request(), "= v1", name)
	}
}

// A default that can be no namespace is a mistake, as one in the list is.
func TestNamespaceDefault(t *testing.T) {
	_, err := scheme.NewNamespace(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("api:v2")})
	if all := coretest.ConfigErrors(err); len(all) != 1 || all[0].Code != "version_colon" {
		t.Errorf("error %v", err)
	}
	if _, err := scheme.NewNamespace(verso.Config{DefaultVersion: verso.V("api:v2")}); err != nil {
		t.Errorf("where every version is served: %v", err)
	}
}
