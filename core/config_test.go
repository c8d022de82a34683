package verso_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
)

func TestConfigJSON(t *testing.T) {
	tests := []struct {
		name, json string
		want       verso.Config
	}{
		{"everything", `{"scheme":"HostNameVersioning","default_version":"v1","allowed_versions":["v1","v2"],"allow_unversioned":true,"version_param":"v","hostname_pattern":"(v[0-9]+)"}`,
			verso.Config{Scheme: "HostNameVersioning", DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}, AllowUnversioned: true, VersionParam: "v", HostNamePattern: "(v[0-9]+)"}},
		{"scheme only", `{"scheme":"URLPathVersioning"}`, verso.Config{Scheme: "URLPathVersioning"}},
		{"nothing", `{}`, verso.Config{}},
		{"nulls", `{"default_version":null,"allowed_versions":null}`, verso.Config{}},
		{"empty list", `{"allowed_versions":[]}`, verso.Config{}},
		{"empty default is not none", `{"default_version":""}`, verso.Config{DefaultVersion: verso.V("")}},
		{"empty version in the list", `{"allowed_versions":[""]}`, verso.Config{AllowedVersions: []string{""}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := verso.Config{Scheme: "overwritten", AllowedVersions: []string{"overwritten"}}
			if err := json.Unmarshal([]byte(test.json), &got); err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("decoded %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestConfigJSONErrors(t *testing.T) {
	tests := []struct {
		name, json, want string // a part of the error
	}{
		{"unknown key", `{"scheme":"URLPathVersioning","default":"v1"}`, `unknown field "default"`},
		{"null in the list", `{"allowed_versions":["v1",null]}`, `null in allowed_versions: write "allow_unversioned": true instead`},
		{"number in the list", `{"allowed_versions":["v1",2]}`, `a version is a JSON string or null, got 2`},
		{"number as default", `{"default_version":1.0}`, `a version is a JSON string or null, got 1.0`},
		{"one text as list", `{"allowed_versions":"v1,v2"}`, `cannot unmarshal string`},
		{"text as bool", `{"allow_unversioned":"true"}`, `cannot unmarshal string`},
		{"list", `["URLPathVersioning"]`, `cannot unmarshal array`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var c verso.Config
			err := json.Unmarshal([]byte(test.json), &c)
			if err == nil || !strings.HasPrefix(err.Error(), "verso: configuration: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to hold %s", err, test.want)
			}
		})
	}
}

func TestConfigFromEnv(t *testing.T) {
	tests := []struct {
		name, prefix string
		env          map[string]string
		want         verso.Config
		wantErr      string
	}{
		{"nothing", "", nil, verso.Config{}, ""},
		{"everything", "", map[string]string{
			"VERSIONING_SCHEME": "HostNameVersioning", "DEFAULT_VERSION": "v1", "ALLOWED_VERSIONS": "v1,v2",
			"ALLOW_UNVERSIONED": "true", "VERSION_PARAM": "v", "HOSTNAME_PATTERN": "(v[0-9]+)",
		}, verso.Config{Scheme: "HostNameVersioning", DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"},
			AllowUnversioned: true, VersionParam: "v", HostNamePattern: "(v[0-9]+)"}, ""},
		{"prefix", "SHOP_", map[string]string{
			"SHOP_VERSIONING_SCHEME": "URLPathVersioning", "SHOP_DEFAULT_VERSION": "v1", "SHOP_ALLOWED_VERSIONS": "v2", "SHOP_ALLOW_UNVERSIONED": "false",
			"VERSIONING_SCHEME": "other", "VERSION_PARAM": "other", "HOSTNAME_PATTERN": "other",
		}, verso.Config{Scheme: "URLPathVersioning", DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v2"}}, ""},
		{"empty is unset", "", map[string]string{"DEFAULT_VERSION": "", "ALLOWED_VERSIONS": "", "ALLOW_UNVERSIONED": ""}, verso.Config{}, ""},
		{"white space", "", map[string]string{"ALLOWED_VERSIONS": " v1 ,\tv 2\n"}, verso.Config{AllowedVersions: []string{"v1", "v 2"}}, ""},
		{"stray comma", "SHOP_", map[string]string{"SHOP_ALLOWED_VERSIONS": "v1,,v2"}, verso.Config{},
			`verso: SHOP_ALLOWED_VERSIONS="v1,,v2" holds an empty version: remove the stray comma`},
		{"comma at the end", "", map[string]string{"ALLOWED_VERSIONS": "v1,"}, verso.Config{},
			`verso: ALLOWED_VERSIONS="v1," holds an empty version: remove the stray comma`},
		{"white space only", "", map[string]string{"ALLOWED_VERSIONS": " "}, verso.Config{},
			`verso: ALLOWED_VERSIONS=" " holds an empty version: remove the stray comma`},
		{"neither true nor false", "SHOP_", map[string]string{"SHOP_ALLOW_UNVERSIONED": "True"}, verso.Config{},
			`verso: SHOP_ALLOW_UNVERSIONED="True": write true or false`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range []string{"VERSIONING_SCHEME", "DEFAULT_VERSION", "ALLOWED_VERSIONS", "ALLOW_UNVERSIONED", "VERSION_PARAM", "HOSTNAME_PATTERN"} {
				t.Setenv(name, "") // whatever the machine has
			}
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			got, err := verso.ConfigFromEnv(test.prefix)
			if test.wantErr != "" {
				if err == nil || err.Error() != test.wantErr {
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

func TestSchemes(t *testing.T) {
	for name := range constructors() {
		t.Run(name, func(t *testing.T) {
			scheme, err := verso.BuiltinSchemes().New(verso.Config{
				Scheme: name, DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v2"}, AllowUnversioned: true, VersionParam: "v",
			})
			if err != nil {
				t.Fatal(err)
			}
			got := scheme.(interface{ Settings() verso.Settings }).Settings()
			want := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v2"}, AllowUnversioned: true, VersionParam: "v"}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("settings %+v, want %+v", got, want)
			}
		})
	}
	scheme, err := verso.BuiltinSchemes().New(verso.Config{Scheme: "HostNameVersioning", HostNamePattern: "(v[0-9]+)"})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := scheme.DetermineVersion(&request{host: "v7"}); v != verso.V("v7") || err != nil {
		t.Errorf("determined %#v, %v by the pattern, want v7", v, err)
	}
}

func TestSchemesErrors(t *testing.T) {
	const names = "AcceptHeaderVersioning, HostNameVersioning, NamespaceVersioning, QueryParameterVersioning, URLPathVersioning"
	tests := []struct {
		name   string
		config verso.Config
		want   string
	}{
		{"no scheme", verso.Config{}, `verso: no scheme is called "": use one of ` + names},
		{"unknown scheme", verso.Config{Scheme: "url_path"}, `verso: no scheme is called "url_path": use one of ` + names},
		{"other case", verso.Config{Scheme: "urlpathversioning"}, `verso: no scheme is called "urlpathversioning": use one of ` + names},
		{"host pattern", verso.Config{Scheme: "URLPathVersioning", HostNamePattern: "(v1)"}, `verso: URLPathVersioning reads no host: remove the host pattern "(v1)"`},
		{"wrong settings", verso.Config{Scheme: "NamespaceVersioning", AllowedVersions: []string{"a", "a"}}, `verso: NamespaceVersioning: allowed version "a" is listed twice: remove one`},
		{"wrong host pattern", verso.Config{Scheme: "HostNameVersioning", HostNamePattern: "v1"}, `verso: HostNameVersioning: host pattern "v1" has no group 1: put parentheses around the version`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scheme, err := verso.BuiltinSchemes().New(test.config)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if scheme != nil {
				t.Errorf("scheme %#v beside the error", scheme)
			}
		})
	}
}

func TestSchemesOfOnesOwn(t *testing.T) {
	schemes := verso.BuiltinSchemes()
	schemes["LastSegmentVersioning"] = func(c verso.Config) (verso.Scheme, error) { return newLastSegment(c.Settings()) }
	config := verso.Config{Scheme: "LastSegmentVersioning", AllowedVersions: []string{"v1"}}
	scheme, err := schemes.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := scheme.DetermineVersion(&request{namespace: "api:v1"}); v != verso.V("v1") || err != nil {
		t.Errorf("determined %#v, %v, want v1", v, err)
	}
	if _, err := verso.BuiltinSchemes().New(config); err == nil {
		t.Error("a scheme that was added to one map is in another")
	}
	config.AllowedVersions = []string{"v1", "v1"}
	if scheme, err := schemes.New(config); scheme != nil || err == nil {
		t.Errorf("made %#v, %v of wrong settings", scheme, err)
	}
	if _, err := (verso.Schemes)(nil).New(config); err == nil {
		t.Error("no schemes, no error")
	}
}

// What decodes is encoded and decoded to the same again.
func FuzzConfig(f *testing.F) {
	f.Add(`{"scheme":"AcceptHeaderVersioning","default_version":"v1","allowed_versions":["v1","v2"],"version_param":"version"}`)
	f.Add(`{"scheme":"HostNameVersioning","hostname_pattern":"(v[0-9]+)","allow_unversioned":true}`)
	f.Add(`{"default_version":"","allowed_versions":[""]}`)
	f.Add(`{"default_version":null,"allowed_versions":null}`)
	f.Add(`{"allowed_versions":["a"],"ALLOWED_VERSIONS":["b"],"Default_Version":"\ud800\u0000"}`)
	f.Add(`{"allowed_versions":[null]}`)
	f.Add("{\"scheme\":\"\xff\"}")
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		var first, second verso.Config
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
		scheme, err := verso.BuiltinSchemes().New(first)
		if err != nil {
			return
		}
		for _, allowed := range first.AllowedVersions {
			if !scheme.IsAllowedVersion(verso.V(allowed)) {
				t.Errorf("%s does not allow its own version %q", text, allowed)
			}
		}
	})
}

// A configuration is the same from the environment and from JSON.
func FuzzConfigFromEnv(f *testing.F) {
	f.Add("AcceptHeaderVersioning", "v1", "v1,v2", "", "version", "")
	f.Add("HostNameVersioning", "", " v1\t,\u00a0v2 ", "true", "", `^(v[0-9]+)\.example\.com$`)
	f.Add("", "", ",", "false", "", "")
	f.Add("x", " ", "v1, ,v2", "yes", "\xff", "")
	f.Fuzz(func(t *testing.T, scheme, defaultVersion, list, unversioned, param, pattern string) {
		texts := []string{scheme, defaultVersion, list, unversioned, param, pattern}
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "\x00") }) {
			return // cannot stand in the environment
		}
		values := map[string]any{
			"scheme": scheme, "version_param": param, "hostname_pattern": pattern, "allow_unversioned": unversioned == "true",
		}
		if defaultVersion != "" {
			values["default_version"] = defaultVersion
		}
		versions := regexp.MustCompile(`[^,]*`).FindAllString(list, -1)
		for i := range versions {
			versions[i] = strings.TrimFunc(versions[i], unicode.IsSpace)
		}
		if list != "" {
			values["allowed_versions"] = versions
		}
		valid := (list == "" || !slices.Contains(versions, "")) && slices.Contains([]string{"", "true", "false"}, unversioned)

		t.Setenv("FUZZ_VERSIONING_SCHEME", scheme)
		t.Setenv("FUZZ_DEFAULT_VERSION", defaultVersion)
		t.Setenv("FUZZ_ALLOWED_VERSIONS", list)
		t.Setenv("FUZZ_ALLOW_UNVERSIONED", unversioned)
		t.Setenv("FUZZ_VERSION_PARAM", param)
		t.Setenv("FUZZ_HOSTNAME_PATTERN", pattern)
		got, err := verso.ConfigFromEnv("FUZZ_")
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
		var want verso.Config
		if err := json.Unmarshal(encoded, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("from the environment %+v, from %s %+v, %v", got, encoded, want, err)
		}
	})
}

func ExampleConfig() {
	var config verso.Config
	err := json.Unmarshal([]byte(`{
		"scheme": "QueryParameterVersioning",
		"default_version": "v1",
		"allowed_versions": ["v1", "v2"]
	}`), &config)
	if err != nil {
		panic(err)
	}
	scheme, err := verso.BuiltinSchemes().New(config)
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme.DetermineVersion(&request{query: "version=v2"}))
	// Output: v2 <nil>
}

func ExampleConfigFromEnv() {
	err := errors.Join(
		os.Setenv("EXAMPLE_VERSIONING_SCHEME", "URLPathVersioning"),
		os.Setenv("EXAMPLE_ALLOWED_VERSIONS", "v1, v2"),
	)
	if err != nil {
		panic(err)
	}
	config, err := verso.ConfigFromEnv("EXAMPLE_")
	fmt.Println(config.Scheme, config.AllowedVersions, err)
	// Output: URLPathVersioning [v1 v2] <nil>
}

func ExampleSchemes() {
	schemes := verso.BuiltinSchemes()
	schemes["LastSegmentVersioning"] = func(c verso.Config) (verso.Scheme, error) {
		return newLastSegment(c.Settings())
	}
	scheme, err := schemes.New(verso.Config{Scheme: "LastSegmentVersioning"})
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme.DetermineVersion(&request{namespace: "api:v2"}))

	_, err = schemes.New(verso.Config{Scheme: "HeaderVersioning"})
	fmt.Println(err)
	// Output:
	// v2 <nil>
	// verso: no scheme is called "HeaderVersioning": use one of AcceptHeaderVersioning, HostNameVersioning, LastSegmentVersioning, NamespaceVersioning, QueryParameterVersioning, URLPathVersioning
}
