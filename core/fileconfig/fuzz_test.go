package fileconfig_test

import (
	"encoding/json"
	"reflect"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

// What decodes is encoded and decoded to the same again, and is allowed by the
// versioning that it makes.
func FuzzFileConfig(f *testing.F) {
	for _, text := range []string{
		`{"scheme":"AcceptHeaderVersioning","default_version":"v1","allowed_versions":["v1","v2"],"version_param":"version"}`,
		`{"scheme":"HostNameVersioning","hostname_pattern":"(v[0-9]+)","allow_unversioned":true}`,
		`{"default_version":"","allowed_versions":[""]}`, `{"default_version":null,"allowed_versions":null}`,
		`{"allowed_versions":["a"],"ALLOWED_VERSIONS":["b"],"Default_Version":"\ud800\u0000"}`, `{"allowed_versions":[null]}`,
		"{\"scheme\":\"\xff\"}", `null`, `{"allowed_versions":["v1"],"agree":true,"sources":[{"kind":"path","name":"v"},{"kind":"header","name":"Api-Version"}]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second fileconfig.Config
		if err := json.Unmarshal([]byte(text), &first); err != nil {
			return
		}
		encoded, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("%+v does not encode: %v", first, err)
		}
		if err := json.Unmarshal(encoded, &second); err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%s became %s, which is %+v, %v, want %+v", text, encoded, second, err, first)
		}
		api, err := first.New(verso.Config{})
		if err != nil {
			if len(coretest.ConfigErrors(err)) == 0 {
				t.Errorf("%s: error %v is no Finding", text, err)
			}
			return
		}
		for _, allowed := range first.AllowedVersions {
			if !api.IsAllowedVersion(verso.V(allowed)) {
				t.Errorf("%s does not allow its own version %q", text, allowed)
			}
		}
		_ = coretest.Bound(api, route.Route{Name: "x", Pattern: route.Colons("/")}).Explain().String()
	})
}
