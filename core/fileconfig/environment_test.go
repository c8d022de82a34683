package fileconfig_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/internal/coretest"
)

func TestFileConfigFromEnv(t *testing.T) {
	tests := []struct {
		name, prefix string
		env          map[string]string
		want         fileconfig.Config
		wantErr      string // its beginning
	}{
		{"nothing", "", nil, fileconfig.Config{}, ""},
		{"everything", "SHOP_", map[string]string{
			"SHOP_VERSIONING_SCHEME": "HostNameVersioning", "SHOP_DEFAULT_VERSION": "v1", "SHOP_ALLOWED_VERSIONS": "v1,v2", "SHOP_ALLOW_UNVERSIONED": "true",
			"SHOP_VERSION_PARAM": "v", "SHOP_HOSTNAME_PATTERN": "(v[0-9]+)", "SHOP_HEADER_NAME": "H", "SHOP_MEDIA_TYPE_TEMPLATE": "T",
			"SHOP_STRICT": "true", "SHOP_ALLOWED_HOSTS": "example.com, example.org", "SHOP_LINKS_ORIGIN": "https://api.example.com", "SHOP_TRUSTED_HOSTS": "*.example.com",
			"VERSIONING_SCHEME": "other", "VERSION_PARAM": "other",
		}, fileconfig.Config{Scheme: "HostNameVersioning", DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"},
			AllowUnversioned: new(true), VersionParam: "v", HostPattern: "(v[0-9]+)", HeaderName: "H", MediaTypeTemplate: "T",
			Strict: new(true), AllowedHosts: []string{"example.com", "example.org"}, LinksOrigin: "https://api.example.com", TrustedHosts: []string{"*.example.com"}}, ""},
		{"no prefix", "", map[string]string{"VERSIONING_SCHEME": "URLPathVersioning"}, fileconfig.Config{Scheme: "URLPathVersioning"}, ""},
		{"empty is unset", "", map[string]string{"DEFAULT_VERSION": "", "ALLOW_UNVERSIONED": "", "VERSIONING_FILE": ""}, fileconfig.Config{}, ""},
		{"false", "", map[string]string{"ALLOW_UNVERSIONED": "false", "STRICT": ""}, fileconfig.Config{AllowUnversioned: new(false)}, ""},
		{"white space", "", map[string]string{"ALLOWED_VERSIONS": " v1 ,\tv 2\n"}, fileconfig.Config{AllowedVersions: []string{"v1", "v 2"}}, ""},
		{"empty list", "", map[string]string{"ALLOWED_VERSIONS": ""}, fileconfig.Config{}, `verso: ALLOWED_VERSIONS="" has an empty element: remove the stray comma, or unset the variable to allow all`},
		{"stray comma", "SHOP_", map[string]string{"SHOP_ALLOWED_VERSIONS": "v1,,v2"}, fileconfig.Config{}, `verso: SHOP_ALLOWED_VERSIONS="v1,,v2" has an empty element: remove the stray comma`},
		{"comma at the end", "", map[string]string{"ALLOWED_VERSIONS": "v1,"}, fileconfig.Config{}, `verso: ALLOWED_VERSIONS="v1," has an empty element: remove the stray comma`},
		{"white space only", "", map[string]string{"ALLOWED_VERSIONS": " "}, fileconfig.Config{}, `verso: ALLOWED_VERSIONS=" " has an empty element: remove the stray comma`},
		{"neither true nor false", "SHOP_", map[string]string{"SHOP_ALLOW_UNVERSIONED": "True"}, fileconfig.Config{}, `verso: SHOP_ALLOW_UNVERSIONED="True": write true or false`},
		{"strict, neither true nor false", "", map[string]string{"STRICT": "1"}, fileconfig.Config{}, `verso: STRICT="1": write true or false`},
		{"empty hosts", "", map[string]string{"ALLOWED_HOSTS": ""}, fileconfig.Config{}, `verso: ALLOWED_HOSTS="" has an empty element: remove the stray comma, or unset the variable to allow all`},
		{"trusted hosts, stray comma", "", map[string]string{"TRUSTED_HOSTS": "a.example,"}, fileconfig.Config{}, `verso: TRUSTED_HOSTS="a.example," has an empty element`},
		{"beside a file", "SHOP_", map[string]string{"SHOP_VERSIONING_FILE": "a.json", "SHOP_DEFAULT_VERSION": "v1"}, fileconfig.Config{}, `verso: SHOP_DEFAULT_VERSION is set next to SHOP_VERSIONING_FILE: remove one`},
		{"no such file", "SHOP_", map[string]string{"SHOP_VERSIONING_FILE": "/nonexistent/a.json"}, fileconfig.Config{}, `verso: SHOP_VERSIONING_FILE: open /nonexistent/a.json: `},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			got, err := fileconfig.FromEnv(test.prefix)
			if test.wantErr != "" {
				if err == nil || !strings.HasPrefix(err.Error(), test.wantErr) {
					t.Errorf("error %v, want %s", err, test.wantErr)
				}
			} else if err != nil {
				t.Error(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("read %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestFileOfTheEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verso.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SHOP_VERSIONING_FILE", path)
	write(`{"scheme":"AgreeVersioning","allowed_versions":["v1"],"sources":[{"kind":"path","name":"version"},{"kind":"header","name":"Api-Version"}]}`)
	file, err := fileconfig.FromEnv("SHOP_")
	if err != nil || file.Scheme != fileconfig.AgreeVersioning || len(file.Sources) != 2 {
		t.Fatalf("read %+v, %v", file, err)
	}
	coretest.Expect(t, verso.Must(file.New(verso.Config{})), coretest.Ask{Params: coretest.In("v1").Params, Header: coretest.Field("v1").Header}.Request(), "= v1")
	write("{\n\"scheme\": \"x\",\n}")
	if _, err := fileconfig.FromEnv("SHOP_"); err == nil || err.Error() != "verso: "+path+": verso: configuration: line 2, column 14: nothing follows the comma: remove it" {
		t.Errorf("error %v", err)
	}
	write(`{"scheme":"x","scheme":"y"}`)
	if _, err := fileconfig.FromEnv("SHOP_"); err == nil || !strings.HasPrefix(err.Error(), "verso: "+path+": ") || !strings.Contains(err.Error(), "duplicate key") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := fileconfig.FromEnv("SHOP_"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A configuration is the same from the environment and from JSON.
func FuzzFileConfigFromEnv(f *testing.F) {
	f.Add("AcceptHeaderVersioning", "v1", "v1,v2", "", "version", "")
	f.Add("HostNameVersioning", "", " v1\t,\u00a0v2 ", "true", "", `^(v[0-9]+)\.example\.com$`)
	f.Add("", "", ",", "false", "", "")
	f.Add("x", " ", "v1, ,v2", "yes", "\xff", "")
	f.Fuzz(func(t *testing.T, scheme, defaultVersion, list, unversioned, param, pattern string) {
		texts := []string{scheme, defaultVersion, list, unversioned, param, pattern}
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "\x00") }) {
			return // cannot be in the environment
		}
		versions := regexp.MustCompile(`[^,]*`).FindAllString(list, -1)
		for i := range versions {
			versions[i] = strings.TrimFunc(versions[i], unicode.IsSpace)
		}
		values := map[string]any{
			"scheme": scheme, "version_param": param, "hostname_pattern": pattern, "allowed_versions": versions, "allowed_hosts": versions, "trusted_hosts": versions, "links_origin": pattern,
		}
		if defaultVersion != "" {
			values["default_version"] = defaultVersion
		}
		if unversioned != "" {
			values["allow_unversioned"], values["strict"] = unversioned == "true", unversioned == "true"
		}
		valid := !slices.Contains(versions, "") && slices.Contains([]string{"", "true", "false"}, unversioned)
		t.Setenv("FUZZ_VERSIONING_SCHEME", scheme)
		t.Setenv("FUZZ_DEFAULT_VERSION", defaultVersion)
		t.Setenv("FUZZ_ALLOWED_VERSIONS", list)
		t.Setenv("FUZZ_ALLOW_UNVERSIONED", unversioned)
		t.Setenv("FUZZ_STRICT", unversioned)
		t.Setenv("FUZZ_ALLOWED_HOSTS", list)
		t.Setenv("FUZZ_TRUSTED_HOSTS", list)
		t.Setenv("FUZZ_LINKS_ORIGIN", pattern)
		t.Setenv("FUZZ_VERSION_PARAM", param)
		t.Setenv("FUZZ_HOSTNAME_PATTERN", pattern)
		got, err := fileconfig.FromEnv("FUZZ_")
		if valid != (err == nil) {
			t.Fatalf("versions %q, unversioned %q: %v, want valid: %v", list, unversioned, err, valid)
		}
		if err != nil || slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) }) {
			return // JSON is UTF-8
		}
		encoded, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		var want fileconfig.Config
		if err := json.Unmarshal(encoded, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("from the environment %+v, from %s %+v, %v", got, encoded, want, err)
		}
	})
}

// codeOnly are the options that a file cannot have, with the reason.
var codeOnly = map[string]string{
	"AnyVersion": "a decision of the code", "HideAllowedVersions": "a decision of the code", "Acknowledged": "findings are of the code",
	"Produces": "handlers produce it", "Translator": "a value", "Observe": "a function", "Clock": "a function", "Logger": "a value",
}

// inFiles are the options whose keys have another name, or several.
var inFiles = map[string]string{"Strict": "strict", "Links": "links_origin"}

// TestOptionsOfFiles compares the options with the keys of a file, and these with the variables.
func TestOptionsOfFiles(t *testing.T) {
	keys := make(map[string]reflect.StructField)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[fileconfig.Config]()) {
		keys[field.Tag.Get("json")] = field
	}
	for _, option := range reflect.VisibleFields(reflect.TypeFor[verso.Config]()) {
		key, ok := inFiles[option.Name]
		if !ok {
			key = strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(option.Name, "${1}_${2}"))
		}
		if _, isKey := keys[key]; isKey == (codeOnly[option.Name] != "") {
			t.Errorf("the option %s: give fileconfig.Config a key for it, or codeOnly the reason why not", option.Name)
		}
	}
	for key, field := range keys {
		if key == "sources" || key == "catalogue" || key == "after_default_sunset" {
			continue // objects, and what needs a catalogue, are in files only
		}
		t.Run(key, func(t *testing.T) {
			name := strings.ToUpper(key)
			if key == "scheme" {
				name = "VERSIONING_SCHEME"
			}
			t.Setenv("OPTION_"+name, "true")
			c, err := fileconfig.FromEnv("OPTION_")
			if err != nil || reflect.ValueOf(c).FieldByIndex(field.Index).IsZero() {
				t.Errorf("OPTION_%s sets nothing: %v", name, err)
			}
		})
	}
}
