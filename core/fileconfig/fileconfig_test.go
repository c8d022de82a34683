package fileconfig_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// yes is a setting that a file has set.
var yes = true

func TestFileConfigJSON(t *testing.T) {
	tests := []struct {
		name, json string
		want       fileconfig.Config
	}{
		{"everything", `{"scheme":"HostNameVersioning","default_version":"v1","allowed_versions":["v1","v2"],"allow_unversioned":true,"version_param":"v","hostname_pattern":"(v[0-9]+)","agree":true,"sources":[{"kind":"path","name":"v"},{"kind":"host","pattern":"p"},{"kind":"media_type","template":"t"}],"strict":true,"allowed_hosts":["a.example"],"links_origin":"https://a.example","trusted_hosts":["*.a.example"]}`,
			fileconfig.Config{Scheme: "HostNameVersioning", DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}, AllowUnversioned: &yes, VersionParam: "v", HostPattern: "(v[0-9]+)", Agree: true,
				Sources: []fileconfig.Source{{Kind: "path", Name: "v"}, {Kind: "host", Pattern: "p"}, {Kind: "media_type", Template: "t"}},
				Strict:  &yes, AllowedHosts: []string{"a.example"}, LinksOrigin: "https://a.example", TrustedHosts: []string{"*.a.example"}}},
		{"move", `{"after_default_sunset":"move"}`, fileconfig.Config{AfterDefaultSunset: verso.MoveUnversioned}},
		{"end", `{"after_default_sunset":"end"}`, fileconfig.Config{AfterDefaultSunset: verso.RejectUnversioned}},
		{"neither", `{"after_default_sunset":null}`, fileconfig.Config{}},
		{"scheme only", `{"scheme":"URLPathVersioning"}`, fileconfig.Config{Scheme: "URLPathVersioning"}},
		{"nothing", `{}`, fileconfig.Config{}},
		{"nulls", `{"default_version":null,"allowed_versions":null}`, fileconfig.Config{}},
		{"empty default is not none", `{"default_version":""}`, fileconfig.Config{DefaultVersion: verso.V("")}},
		{"empty version in the list", `{"allowed_versions":[""]}`, fileconfig.Config{AllowedVersions: []string{""}}},
		{"the same key in two objects", `{"sources":[{"name":"a"},{"name":"b"}]}`, fileconfig.Config{Sources: []fileconfig.Source{{Name: "a"}, {Name: "b"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := fileconfig.Config{Scheme: "overwritten", AllowedVersions: []string{"overwritten"}}
			if err := json.Unmarshal([]byte(test.json), &got); err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("decoded %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestFileConfigJSONErrors(t *testing.T) {
	tests := []struct {
		name, json, want string // a part of the error
	}{
		{"a catalogue", `{"versions":[{"version":"v1"}]}`, `unknown field "versions": write the catalogue under the key "catalogue"`},
		{"unknown key", `{"scheme":"URLPathVersioning","default":"v1"}`, `unknown field "default"`},
		{"unknown key of a source", `{"sources":[{"kind":"path","param":"v"}]}`, `unknown field "param"`},
		{"empty list", `{"allowed_versions":[]}`, `allowed_versions is empty: list the versions, or remove the key to allow every version`},
		{"no allowed hosts", `{"allowed_hosts":[]}`, `allowed_hosts is empty: list the hosts, or remove the key to allow every host`},
		{"no trusted hosts", `{"trusted_hosts":[]}`, `trusted_hosts is empty: list the hosts, or remove the key to allow every host`},
		{"null for allowed hosts", `{"allowed_hosts":null}`, `allowed_hosts is empty: list the hosts, or remove the key to allow every host`},
		{"null for trusted hosts", `{"trusted_hosts":null}`, `trusted_hosts is empty: list the hosts, or remove the key to allow every host`},
		{"key twice", `{"allowed_versions":["v1"],"allowed_versions":["v2"]}`, `line 1, column 45: duplicate key "allowed_versions": remove one`},
		{"key twice, once escaped", `{"scheme":"a","s\u0063heme":"b"}`, `duplicate key "scheme": remove one`},
		{"key of a source twice", `{"sources":[{"kind":"path","name":"a","name":"b"}]}`, `duplicate key "name": remove one`},
		{"key twice in another case", `{"allowed_versions":["v1"],"Allowed_Versions":["v2"]}`, `duplicate key "Allowed_Versions"`},
		{"null in the list", `{"allowed_versions":["v1",null]}`, `null in allowed_versions: write "allow_unversioned": true instead`},
		{"number in the list", `{"allowed_versions":["v1",2]}`, `a version is a JSON string or null, got 2`},
		{"number as default", `{"default_version":1.0}`, `a version is a JSON string or null, got 1.0`},
		{"one text as list", `{"allowed_versions":"v1,v2"}`, `allowed_versions is a JSON string: write a list`},
		{"text as bool", `{"allow_unversioned":"true"}`, `allow_unversioned is a JSON string: write true or false`},
		{"number in a catalogue", `{"catalogue":{"versions":[{"version":1}]}}`, `versions.version is a JSON number: write a string in quotes`},
		{"list", `["URLPathVersioning"]`, `the value is a JSON array: write an object`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var c fileconfig.Config
			err := json.Unmarshal([]byte(test.json), &c)
			if err == nil || !strings.HasPrefix(err.Error(), "verso: configuration: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to hold %s", err, test.want)
			}
		})
	}
}

// Each scheme is made of a file, and what it reads is configured.
func TestFileConfigNew(t *testing.T) {
	file := fileconfig.Config{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
	sources := []fileconfig.Source{
		{Kind: "path", Name: "v"}, {Kind: "query", Name: "v"}, {Kind: "accept", Name: "v"}, {Kind: "header", Name: "api-version"}, {Kind: "namespace"},
		{Kind: "host", Pattern: `(v[0-9]+)\.x`}, {Kind: "host"}, {Kind: "media_type", Template: coretest.Vendor},
	}
	listed := func(agree bool, sources ...fileconfig.Source) func(*fileconfig.Config) {
		return func(c *fileconfig.Config) { c.Agree, c.Sources = agree, sources }
	}
	for _, test := range []struct {
		scheme string
		change func(*fileconfig.Config)
		ask    coretest.Ask
		name   string // of the versioning
	}{
		{scheme.AcceptHeaderVersioning, func(c *fileconfig.Config) { c.VersionParam = "v" }, coretest.Accept("a/b;v=v2"), "AcceptHeaderVersioning"},
		{scheme.URLPathVersioning, func(c *fileconfig.Config) { c.VersionParam = "v" }, coretest.Ask{Params: map[string]string{"v": "v2"}}, "URLPathVersioning"},
		{scheme.URLPathVersioning, func(*fileconfig.Config) {}, coretest.In("v2"), "URLPathVersioning"},
		{scheme.NamespaceVersioning, func(*fileconfig.Config) {}, coretest.Named("v2:x"), "NamespaceVersioning"},
		{scheme.HostNameVersioning, func(*fileconfig.Config) {}, coretest.Host("v2.a.b"), "HostNameVersioning"},
		{scheme.HostNameVersioning, func(c *fileconfig.Config) { c.HostPattern = `(v[0-9]+)\.x` }, coretest.Host("v2.x"), "HostNameVersioning"},
		{scheme.QueryParameterVersioning, func(c *fileconfig.Config) { c.VersionParam = "v" }, coretest.Query("v=v2"), "QueryParameterVersioning"},
		{"", listed(false, sources[3]), coretest.Field("v2"), `header "Api-Version"`},
		{"", listed(true, sources[7]), coretest.Accept("application/vnd.acme.v2+json"), `media type "` + coretest.Vendor + `"`},
		{"", listed(false, sources[:2]...), coretest.Query("v=v2"), `first of path parameter "v", query parameter "v"`},
		{"", listed(false, sources[4:6]...), coretest.Host("v2.x"), "first of namespace of the route, host name"},
		{"", listed(true, sources[2:5]...), coretest.Field("v2"), `agreement of parameter "v" of "Accept", header "Api-Version", namespace of the route`},
		{"", listed(true, sources[6:8]...), coretest.Accept("application/vnd.acme.v2+json"), `agreement of host name, media type "` + coretest.Vendor + `"`},
	} {
		config := file
		config.Scheme = test.scheme
		test.change(&config)
		api, err := config.New(verso.Config{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got, none := coretest.Outcome(api, test.ask.Request()), coretest.Outcome(api, coretest.Ask{}.Request()); got != "= v2" || none != "= v1" || api.Name() != test.name {
			t.Errorf("%s: %s, without a version %s, called %s", test.name, got, none, api.Name())
		}
	}
}

// What is configured in code joins what is in the file.
func TestFileConfigAndCode(t *testing.T) {
	file := fileconfig.Config{Scheme: scheme.QueryParameterVersioning, AllowedVersions: []string{"v1"}, VersionParam: "v"}
	api := verso.Must(file.New(verso.Config{DefaultVersion: verso.V("v1"), Strict: verso.Strict()}))
	for text, want := range map[string]string{"": "= v1", "v=v1": "= v1", "v=": "400 empty_version", "v=v1&v=v2": "400 contradicting_versions"} {
		coretest.Expect(t, api, coretest.Query(text).Request(), want, text)
	}
	file.AfterDefaultSunset = verso.RejectUnversioned
	if got := adapter.Bind(verso.Must(file.New(verso.Config{})), nil).Explain().Findings; len(got) != 1 || got[0].Code != "when_default_ends" {
		t.Errorf("findings %v", got)
	}
	file.AfterDefaultSunset, file.AllowUnversioned = "", &yes
	coretest.Expect(t, verso.Must(file.New(verso.Config{})), coretest.Ask{}.Request(), "none", "unversioned by the file")
	file.AllowUnversioned = nil
	coretest.Expect(t, verso.Must(file.New(verso.Config{AllowUnversioned: true})), coretest.Ask{}.Request(), "none", "unversioned in code")
}

// TestFileConfigTwice sets booleans in the file and in code, false too: the code would overrule
// the file.
func TestFileConfigTwice(t *testing.T) {
	for _, test := range []struct {
		name, json string
		code       verso.Config
		field      string // of the mistake, or ""
	}{
		{"strict", `"strict":true`, verso.Config{Strict: verso.Strict()}, "Strict"},
		{"not strict, strict in code", `"strict":false`, verso.Config{Strict: verso.Strict()}, "Strict"},
		{"strict, a part in code", `"strict":true`, verso.Config{Strict: verso.Strictness{RefuseEmpty: true}}, "Strict"},
		{"strict, hosts in code", `"strict":true`, verso.Config{Strict: verso.Strictness{AllowedHosts: []string{"a.example"}}}, ""},
		{"not strict, hosts in code", `"strict":false`, verso.Config{Strict: verso.Strictness{AllowedHosts: []string{"a.example"}}}, ""},
		{"unversioned", `"allow_unversioned":true`, verso.Config{AllowUnversioned: true}, "AllowUnversioned"},
		{"not unversioned, but in code", `"allow_unversioned":false`, verso.Config{AllowUnversioned: true}, "AllowUnversioned"},
		{"null, in code", `"strict":null,"allow_unversioned":null`, verso.Config{Strict: verso.Strict(), AllowUnversioned: true}, ""},
		{"absent, in code", `"version_param":"v"`, verso.Config{Strict: verso.Strict(), AllowUnversioned: true}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var file fileconfig.Config
			if err := json.Unmarshal([]byte(`{"scheme":"QueryParameterVersioning","allowed_versions":["v1"],`+test.json+`}`), &file); err != nil {
				t.Fatal(err)
			}
			_, err := file.New(test.code)
			var mistake *verso.Finding
			if errors.As(err, &mistake); test.field == "" {
				if err != nil {
					t.Error(err)
				}
			} else if mistake == nil || mistake.Code != "configured_twice" || mistake.Field != test.field {
				t.Errorf("error %v, want configured_twice of %s", err, test.field)
			}
		})
	}
}

// What a deployment decides is in the file: strictness, hosts, and what links begin
// with.
func TestFileConfigOfDeployment(t *testing.T) {
	for _, test := range []struct {
		name, json string
		code       verso.Config
		query      string
		host       string
		want, link string
	}{
		{"strict", `"strict":true`, verso.Config{}, "version=", "a.example", "400 empty_version", ""},
		{"not strict", `"strict":false`, verso.Config{}, "version=v1&version=v2", "a.example", "= v2", "http://a.example/users?version=v2"},
		{"strict in code", `"strict":null`, verso.Config{Strict: verso.Strict()}, "version=", "a.example", "400 empty_version", ""},
		{"another host", `"allowed_hosts":["a.example"]`, verso.Config{}, "version=v1", "b.example", "421 unknown_host", ""},
		{"strict, another host", `"strict":true,"allowed_hosts":["a.example"]`, verso.Config{}, "version=v1", "b.example", "421 unknown_host", ""},
		{"strict, hosts in code", `"strict":true`, verso.Config{Strict: verso.Strictness{AllowedHosts: []string{"a.example"}}}, "version=v1", "b.example", "421 unknown_host", ""},
		{"an allowed host", `"strict":true,"allowed_hosts":["a.example"]`, verso.Config{}, "version=v1", "x.a.example", "= v1", "http://x.a.example/users?version=v1"},
		{"origin", `"links_origin":"https://a.example/api"`, verso.Config{}, "version=v1", "b.example", "= v1", "https://a.example/api/users?version=v1"},
		{"a trusted host", `"trusted_hosts":["a.example"]`, verso.Config{}, "version=v1", "a.example", "= v1", "http://a.example/users?version=v1"},
		{"another than a trusted host", `"trusted_hosts":["a.example"]`, verso.Config{}, "version=v1", "b.example", "= v1", "/users?version=v1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var file fileconfig.Config
			if err := json.Unmarshal([]byte(`{"scheme":"QueryParameterVersioning","allowed_versions":["v1","v2"],`+test.json+`}`), &file); err != nil {
				t.Fatal(err)
			}
			api := verso.Must(file.New(test.code))
			request := coretest.Ask{Query: test.query, Host: test.host}
			coretest.Expect(t, api, request.Request(), test.want)
			if test.link == "" {
				return
			}
			version, _ := strings.CutPrefix(test.want, "= ")
			b := adapter.Bind(api, nil)
			verso.Must(b.Add(route.Route{Name: "users", Path: "/users", Pattern: route.Colons("/users")}))
			link, err := b.Reverse(request.Request(), verso.V(version), verso.Target{Name: "users"})
			if err != nil || link != test.link {
				t.Errorf("link %s, %v, want %s", link, err, test.link)
			}
		})
	}
}

// TestFileConfigMistakes: each names the field, and what to change.
func TestFileConfigMistakes(t *testing.T) {
	dated := &catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Successor: "v9"}}}
	for _, test := range []struct {
		name              string
		file              fileconfig.Config
		code              verso.Config
		id, field, advice string
	}{
		{"unknown scheme", fileconfig.Config{Scheme: "url_path"}, verso.Config{}, "scheme_unknown", "Scheme", `"url_path" is not a scheme: list sources, or use one of AcceptHeaderVersioning, `},
		{"no scheme", fileconfig.Config{}, verso.Config{}, "scheme_unknown", "Scheme", `"" is not a scheme`},
		{"scheme in another case", fileconfig.Config{Scheme: "urlpathversioning"}, verso.Config{}, "scheme_unknown", "Scheme", "or use one of"},
		{"default twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, DefaultVersion: verso.V("v1")}, verso.Config{DefaultVersion: verso.V("v1")}, "configured_twice", "DefaultVersion", "remove one"},
		{"end of the default twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, AfterDefaultSunset: verso.MoveUnversioned}, verso.Config{AfterDefaultSunset: verso.MoveUnversioned}, "configured_twice", "AfterDefaultSunset", "remove one"},
		{"list twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, AllowedVersions: []string{"v1"}}, coretest.List("v1"), "configured_twice", "AllowedVersions", "remove one"},
		{"allowed hosts twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, AllowedHosts: []string{"a"}}, verso.Config{Strict: verso.Strictness{AllowedHosts: []string{"a"}}}, "configured_twice", "Strict.AllowedHosts", "remove one"},
		{"origin twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, LinksOrigin: "https://a"}, verso.Config{Links: verso.LinkConfig{Origin: "https://a"}}, "configured_twice", "Links.Origin", "remove one"},
		{"origin and a function", fileconfig.Config{Scheme: scheme.URLPathVersioning, LinksOrigin: "https://a"}, verso.Config{Links: verso.LinkConfig{OriginFunc: func(source.Request) string { return "" }}}, "origin_twice", "Links.Origin", "remove one"},
		{"trusted hosts twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, TrustedHosts: []string{"a"}}, verso.Config{Links: verso.LinkConfig{TrustedHosts: []string{"a"}}}, "configured_twice", "Links.TrustedHosts", "remove one"},
		{"allowed host null", fileconfig.Config{Scheme: scheme.URLPathVersioning, AllowedHosts: []string{""}}, coretest.List("v1"), "allowed_host", "Strict.AllowedHosts", `allowed host ""`},
		{"sources not read", fileconfig.Config{Scheme: scheme.URLPathVersioning, Sources: []fileconfig.Source{{Kind: "path"}}}, verso.Config{}, "not_read", "Sources", "URLPathVersioning does not read it: remove it"},
		{"nothing agrees", fileconfig.Config{Scheme: scheme.URLPathVersioning, Agree: true}, verso.Config{}, "not_read", "Agree", "remove it"},
		{"parameter not read", fileconfig.Config{Sources: []fileconfig.Source{{Kind: "path"}}, VersionParam: "v"}, coretest.List("v1"), "not_read", "VersionParam", "sources does not read it: remove it"},
		{"host pattern not read", fileconfig.Config{Scheme: scheme.URLPathVersioning, HostPattern: "(v)"}, coretest.List("v1"), "not_read", "HostPattern", "remove it"},
		{"header without a name", fileconfig.Config{Sources: []fileconfig.Source{{Kind: "header"}}}, coretest.List("v1"), "header_name", "Source", ""},
		{"no sources", fileconfig.Config{Sources: []fileconfig.Source{}, Agree: true}, coretest.List("v1"), "scheme_unknown", "Scheme", "list sources, or use one of AcceptHeaderVersioning,"},
		{"kind of a source", fileconfig.Config{Sources: []fileconfig.Source{{Kind: "pigeon"}}}, coretest.List("v1"), "sources", "Sources", `source 1: "pigeon" is not a kind of source: use one of header,`},
		{"key of a source", fileconfig.Config{Sources: []fileconfig.Source{{Kind: "namespace", Name: "x"}}}, coretest.List("v1"), "sources", "Sources", `has no name: remove "x"`},
		{"catalogue twice", fileconfig.Config{Scheme: scheme.URLPathVersioning, Catalogue: dated}, verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}})}, "configured_twice", "Catalogue", "remove one"},
		{"catalogue with a mistake", fileconfig.Config{Scheme: scheme.URLPathVersioning, Catalogue: dated}, verso.Config{}, "successor_unknown", "Catalogue.versions[0].successor", `"v9" is not a listed version`},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, err := test.file.New(test.code)
			all := coretest.ConfigErrors(err)
			if api != nil || !slices.ContainsFunc(all, func(f *verso.Finding) bool {
				return f.Code == test.id && f.Field == test.field && strings.Contains(f.Message, test.advice)
			}) {
				t.Errorf("%v, %v, want %s of %s: %q", api, err, test.id, test.field, test.advice)
			}
		})
	}
}

// codeOnly are the options that a file cannot have, with the reason.
var codeOnly = map[string]string{
	"AnyVersion": "a decision of the code", "HideAllowedVersions": "a decision of the code", "Acknowledged": "findings are of the code",
	"Produces": "handlers produce it", "Translator": "a value", "Observe": "a function", "Counters": "values", "Clock": "a function", "Logger": "a value",
}

// inFiles are the options whose keys have another name, or several.
var inFiles = map[string]string{"Strict": "strict", "Links": "links_origin"}

// TestOptionsOfFiles compares the options with the keys of a file.
func TestOptionsOfFiles(t *testing.T) {
	keys := make(map[string]bool)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[fileconfig.Config]()) {
		keys[field.Tag.Get("json")] = true
	}
	for _, option := range reflect.VisibleFields(reflect.TypeFor[verso.Config]()) {
		key, ok := inFiles[option.Name]
		if !ok {
			key = strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(option.Name, "${1}_${2}"))
		}
		if keys[key] == (codeOnly[option.Name] != "") {
			t.Errorf("the option %s: give fileconfig.Config a key for it, or codeOnly the reason why not", option.Name)
		}
	}
}
