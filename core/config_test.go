package verso_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// nilSource is a source of one's own, to make a nil pointer of.
type nilSource struct{ source.Source }

// mistakes are configurations that are refused: each names what is wrong, and
// what to change.
func mistakes() []mistake {
	path := verso.PathParam("version")
	var typedNil *nilSource
	of := func(from source.Source, c verso.Config) func() (*verso.Versioning, error) {
		return func() (*verso.Versioning, error) { return verso.New(from, c) }
	}
	dated := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2", Preview: true}}})
	origin := func(source.Request) string { return "" }
	links := func(l verso.LinkConfig) func() (*verso.Versioning, error) {
		return of(path, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links = l }))
	}
	first := func(sources ...source.Source) func() (*verso.Versioning, error) {
		return of(verso.First(sources...), coretest.List("v1"))
	}
	agree := func(sources ...source.Source) func() (*verso.Versioning, error) {
		return of(verso.Agree(sources...), coretest.List("v1"))
	}
	counted := func(counters ...verso.Counter) verso.Config {
		return coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Counters = counters })
	}
	all := []mistake{
		{"no source", of(nil, coretest.List("v1")), "source_missing", "Source", "pass one"},
		{"typed nil", of(typedNil, coretest.List("v1")), "source_missing", "Source", "pass one"},
		{"nil in First", first(path, nil), "source_missing", "Source", "source 2 is nil: remove it"},
		{"typed nil in Agree", agree(typedNil, path), "source_missing", "Source", "source 1 is nil: remove it"},
		{"nil alone in First", first(nil), "sources_empty", "Source", "First and Agree need at least one source"},
		{"none in First", first(), "sources_empty", "Source", "First and Agree need at least one source"},
		{"none in Agree", agree(), "sources_empty", "Source", "First and Agree need at least one source"},
		{"none in First in Agree", agree(path, verso.First()), "sources_empty", "Source", "First and Agree need at least one source"},
		{"path twice", first(path, verso.PathParam("version")), "sources_twice", "Source", `path parameter "version" is in the combination twice: remove one`},
		{"header twice, in another case", agree(verso.Header("Api-Version"), verso.Header("API-VERSION")), "sources_twice", "Source", `header "Api-Version" is in the combination twice: remove one`},
		{"twice, one nested", first(path, verso.Agree(verso.QueryParam("v"), path)), "sources_twice", "Source", "is in the combination twice: remove one"},
		{"behind a host that always answers", first(verso.HostLabel(`(.*)`), path), "sources_unreachable", "Source", "put it last"},
		{"a nil translator", of(path, verso.Config{AllowedVersions: []string{"v1"}, Translator: (*translator)(nil)}), "translator_nil", "Translator", "the translator is a nil pointer: check the error of what made it, or remove it"},
		{"a nil counter", of(path, counted(new(counter), nil)), "counter_missing", "Counters", "counter 2 is nil: give one, or remove it"},
		{"a typed nil counter", of(path, counted((*counter)(nil))), "counter_missing", "Counters", "counter 1 is nil: give one, or remove it"},
		{"version twice", of(path, coretest.List("v1", "v1")), "version_twice", "AllowedVersions", `"v1" is listed twice: remove one`},
		{"white space before", of(verso.QueryParam("v"), coretest.List(" v1")), "version_white_space", "AllowedVersions", "remove it"},
		{"line break behind", of(verso.QueryParam("v"), coretest.List("v1\n")), "version_white_space", "AllowedVersions", "remove it"},
		{"white space in a path", of(path, coretest.List("v 1")), "version_white_space", "AllowedVersions", "remove it"},
		{"slash in a path", of(path, coretest.List("v/1")), "version_slash", "AllowedVersions", "remove the slash"},
		{"slash in a default in a path", of(path, verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v/1")}), "version_slash", "AllowedVersions", "remove the slash"},
		{"colon in a namespace", of(verso.Namespace(), coretest.List("api:v1")), "version_colon", "AllowedVersions", "remove the colon"},
		{"comma in a header", of(verso.Header("Api-Version"), coretest.List("v1,v2")), "version_not_listable", "AllowedVersions", "without commas and spaces"},
		{"space in a header", of(verso.Header("Api-Version"), coretest.List("v 1")), "version_not_listable", "AllowedVersions", "without commas and spaces"},
		{"not ASCII in a header", of(verso.Header("Api-Version"), coretest.List("vé")), "version_not_listable", "AllowedVersions", "printable ASCII"},
		{"the empty version in a header", of(verso.Header("Api-Version"), coretest.List("")), "version_not_listable", "AllowedVersions", "printable ASCII"},
		{"parameter with a colon", of(verso.PathParam(":version"), coretest.List("v1")), "path_param", "Source", "write the name alone"},
		{"parameter in braces", of(verso.PathParam("{version}"), coretest.List("v1")), "path_param", "Source", "write the name alone"},
		{"parameter with a star", of(verso.PathParam("*version"), coretest.List("v1")), "path_param", "Source", "write the name alone"},
		{"parameter with a slash", of(verso.PathParam("v/x"), coretest.List("v1")), "path_param", "Source", "write the name alone"},
		{"parameter without a name", of(verso.PathParam(""), coretest.List("v1")), "path_param", "Source", "write the name alone"},
		{"query with its question mark", of(verso.QueryParam("?version"), coretest.List("v1")), "query_param", "Source", "write the name alone"},
		{"query with its equals sign", of(verso.QueryParam("version="), coretest.List("v1")), "query_param", "Source", "write the name alone"},
		{"two names of a query", of(verso.QueryParam("a,b"), coretest.List("v1")), "query_param", "Source", "write the name alone"},
		{"query without a name", of(verso.QueryParam(""), coretest.List("v1")), "query_param", "Source", "write one"},
		{"header without a name", of(verso.Header(""), coretest.List("v1")), "header_name", "Source", "write letters, digits and hyphens"},
		{"header with a space", of(verso.Header("Api Version"), coretest.List("v1")), "header_name", "Source", "write letters, digits and hyphens"},
		{"template without a version", of(verso.MediaType("application/vnd.acme+json"), coretest.List("v1")), "template", "Source", ""},
		{"template with two", of(verso.MediaType("application/vnd.{version}.{version}"), coretest.List("v1")), "template", "Source", ""},
		{"template with a wildcard", of(verso.MediaType("application/*+{version}"), coretest.List("v1")), "template", "Source", ""},
		{"template that is empty", of(verso.MediaType(""), coretest.List("v1")), "template", "Source", ""},
		{"template, versions alike but for case", of(verso.MediaType("application/vnd.acme.{version}+json"), coretest.List("v1", "V1")), "template_version", "AllowedVersions", ""},
		{"template, any version", of(verso.MediaType("application/vnd.acme.{version}+json"), verso.Config{AnyVersion: true}), "template_version", "AllowedVersions", ""},
		{"template, no token", of(verso.MediaType("application/vnd.acme.{version}+json"), coretest.List("v/1")), "template_version", "AllowedVersions", ""},
		{"prefix without a slash first", of(verso.PathPrefix("api/{version}"), coretest.List("v1")), "prefix_template", "Source", `"api/{version}": write it like "/api/{version}"`},
		{"prefix, any version", of(verso.PathPrefix("/{version}"), verso.Config{AnyVersion: true}), "prefix_needs_versions", "AllowedVersions", "list them"},
		{"prefix, the empty version", of(verso.PathPrefix("/{version}"), coretest.List("")), "version_unreachable", "AllowedVersions", `"" cannot be a literal segment`},
		{"prefix, the folder", of(verso.PathPrefix("/{version}"), coretest.List(".")), "version_unreachable", "AllowedVersions", `"." cannot be a literal segment`},
		{"prefix, the folder above", of(verso.PathPrefix("/{version}"), coretest.List("..")), "version_unreachable", "AllowedVersions", `".." cannot be a literal segment`},
		{"prefix, a colon", of(verso.PathPrefix("/{version}"), coretest.List("v:1")), "version_unreachable", "AllowedVersions", "write it with letters, digits, dots and hyphens"},
		{"prefix, text that the versions have", of(verso.PathPrefix("/api/v{version}"), coretest.List("v1", "v2")), "version_doubled", "Source", `"/api/v{version}" has "v" before the version, which the versions have already, so that clients would write "vv2"`},
		{"template, text that the versions have", of(verso.MediaType("application/vnd.acme-v{version}+json"), coretest.List("v1")), "version_doubled", "Source", `would write "vv1"`},
		{"pattern without a group", of(verso.HostLabel(`^v1\.example\.com$`), coretest.List("v1")), "host_pattern", "Source", `"^v1\\.example\\.com$" has no group 1: put parentheses around the version`},
		{"pattern with a group that does not capture", of(verso.HostLabel(`(?:v1)\.example\.com`), coretest.List("v1")), "host_pattern", "Source", "has no group 1"},
		{"pattern that does not parse", of(verso.HostLabel(`(v[0-9`), coretest.List("v1")), "host_pattern", "Source", `"(v[0-9" is not a regular expression: error parsing regexp: `},
		{"pattern closed by the anchors around it", of(verso.HostLabel(`a)|(b`), coretest.List("v1")), "host_pattern", "Source", "error parsing regexp: "},
		{"pattern that Go does not know", of(verso.HostLabel(`(v1)(?=\.example)`), coretest.List("v1")), "host_pattern", "Source", "invalid or unsupported Perl syntax"},
		{"produces", of(path, verso.Config{AllowedVersions: []string{"v1"}, Produces: []string{"json"}}), "produces", "Produces", `"json" is not a media type`},
		{"two origins", links(verso.LinkConfig{Origin: "https://a.com", OriginFunc: origin}), "origin_twice", "Links.Origin", "remove one"},
		{"relative, Origin", links(verso.LinkConfig{Origin: "https://a.com", Relative: true}), "origin_relative", "Links.Relative", "remove one"},
		{"relative, a path", links(verso.LinkConfig{Origin: "/api", Relative: true}), "origin_relative", "Links.Relative", "remove one"},
		{"relative, OriginFunc", links(verso.LinkConfig{OriginFunc: origin, Relative: true}), "origin_relative", "Links.Relative", "remove one"},
		{"origin that is not trusted", links(verso.LinkConfig{Origin: "https://a.com", TrustedHosts: []string{"b.com"}}), "origin", "Links.Origin", `the host of origin "https://a.com" is not among the TrustedHosts: add it`},
		{"the empty version, refused and the default", of(path, verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V(""), Strict: verso.Strictness{RefuseEmpty: true}}), "strict_empty", "Strict.RefuseEmpty", "remove one"},
		{"the empty version, refused and listed", of(path, coretest.With(coretest.List("", "v1"), func(c *verso.Config) { c.Strict = verso.Strict() })), "strict_empty", "Strict.RefuseEmpty", "remove one"},
		{"every version, strict", of(path, verso.Config{Strict: verso.Strict()}), "any_version", "AllowedVersions", "list the versions, or set AnyVersion if you mean it"},
		{"a list, and every version", of(path, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.AnyVersion = true })), "any_version", "AnyVersion", "remove one"},
		{"a catalogue, and every version", of(path, verso.Config{Catalogue: dated, AnyVersion: true}), "any_version", "AnyVersion", "remove one"},
		{"two lists", of(path, verso.Config{Catalogue: dated, AllowedVersions: []string{"v1"}}), "two_lists", "AllowedVersions", "remove either"},
		{"default that the catalogue does not have", of(path, verso.Config{Catalogue: dated, DefaultVersion: verso.V("v9")}), "default_unknown", "DefaultVersion", "add it, or correct it"},
		{"default that is a preview", of(path, verso.Config{Catalogue: dated, DefaultVersion: verso.V("v2")}), "default_preview", "DefaultVersion", "choose another"},
		{"move that no field says", of(path, verso.Config{Catalogue: dated, DefaultVersion: verso.V("v1"), AfterDefaultSunset: verso.MoveUnversioned}), "default_moves_unsaid", "AfterDefaultSunset", "set ServedHeader in the Catalogue"},
		{"no such AfterDefaultSunset", of(path, verso.Config{Catalogue: dated, DefaultVersion: verso.V("v1"), AfterDefaultSunset: "MOVE"}), "when_default_ends", "AfterDefaultSunset", `"MOVE" does not exist: use RejectUnversioned (in a file "end") or MoveUnversioned ("move")`},
		{"an error is not acknowledged", of(path, coretest.With(coretest.List("v1", "v1"), func(c *verso.Config) { c.Acknowledged = []string{"version_twice"} })), "version_twice", "AllowedVersions", "remove one"},
		{"source without a name", of(coretest.Own{}, coretest.List("v1")), "source_name", "Source", "let Describe return one"},
		{"source with a wrong status", of(coretest.Own{Described: source.Description{Name: "own", Invalid: source.Rejection{Status: 200, Message: "x"}}}, coretest.List("v1")), "source_rejection", "Source", "use a status of 400 to 599"},
		{"source with a status too high", of(coretest.Own{Described: source.Description{Name: "own", Missing: source.Rejection{Status: 600, Message: "x"}}}, coretest.List("v1")), "source_rejection", "Source", "use a status of 400 to 599"},
		{"source without a message", of(coretest.Own{Described: source.Description{Name: "own", Missing: source.Rejection{Status: 404}}}, coretest.List("v1")), "source_rejection", "Source", "and a message"},
	}
	for _, name := range reserved {
		all = append(all, mistake{"header " + name, of(verso.Header(name), coretest.List("v1")), "header_reserved", "Source", "already has another meaning: choose another name"})
	}
	for _, name := range []string{"api version", "version=", "a;b", `"v"`, "é", "a/b", "v\n", ""} {
		all = append(all, mistake{"parameter of Accept " + name, of(verso.AcceptParam(name), coretest.List("v1")), "accept_param", "Source", "use letters, digits and hyphens"})
	}
	for _, host := range []string{"", "*", "*.", "https://a.com", "a.*.com", "a.com/", "a b", "a:x", "**.a.com", "2130706433", "0x7f.1", "*.127.1"} {
		all = append(all, mistake{"trusted host " + host, links(verso.LinkConfig{TrustedHosts: []string{"a.com", host}}), "trusted_host", "Links.TrustedHosts", "write it like api.example.com or *.example.com"})
	}
	for _, origin := range coretest.WrongOrigins {
		all = append(all, mistake{"origin " + origin, links(verso.LinkConfig{Origin: origin}), "origin", "Links.Origin", "write it like https://api.example.com or like /api, without a slash at the end"})
	}
	for _, origin := range []string{"example.com", "//example.com", "example.com/", "localhost:8080"} {
		all = append(all, mistake{"origin " + origin, links(verso.LinkConfig{Origin: origin}), "origin", "Links.Origin", "has no scheme: write https://" + strings.Trim(origin, "/")})
	}
	for _, domain := range []string{"", "https://example.com", "example.com:443", "example.com/api", "*.example.com", ".example.com", "example.com.", " example.com", "::1", "[::1]:80", "bücher.example", "127.1"} {
		all = append(all, mistake{"allowed host " + domain, of(path, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict.AllowedHosts = []string{"example.org", domain} })),
			"allowed_host", "Strict.AllowedHosts", "write it like example.com, in ASCII, without a scheme, port, wildcard, or dot at either end"})
	}
	return all
}

// reserved are the header fields that mean something else (lifecycle.md, 8).
var reserved = []string{
	"Host", "host", "Accept", "Accept-Language", "Content-Type", "Content-Version", "Vary", "Link", "Deprecation", "Sunset",
	"Retry-After", "Cache-Control", "Location", "Allow", "Date", "Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade",
	"Authorization", "Cookie", "Set-Cookie", "ETag", "Api-Supported-Versions", "Api-Deprecated-Versions", "Access-Control-Allow-Origin",
}

type mistake struct {
	name                string
	make                func() (*verso.Versioning, error)
	code, field, advice string
}

func TestConfigErrors(t *testing.T) {
	for _, test := range mistakes() {
		t.Run(test.name, func(t *testing.T) {
			api, err := test.make()
			if api != nil || err == nil {
				t.Fatalf("made %v, %v", api, err)
			}
			all := coretest.ConfigErrors(err)
			i := slices.IndexFunc(all, func(e *verso.Finding) bool { return e.Code == test.code })
			if i < 0 {
				t.Fatalf("error %v, want one with the code %s", err, test.code)
			}
			if got := all[i]; got.Field != test.field || !strings.Contains(got.Message, test.advice) || got.Error() != "verso: "+got.Field+": "+got.Message {
				t.Errorf("error %+v, want field %s and %q", got, test.field, test.advice)
			}
			for _, e := range all {
				if e.Message == "" || strings.Contains(e.Message, "%!") {
					t.Errorf("message %q", e.Message)
				}
			}
			if !errors.As(err, new(*verso.Finding)) {
				t.Errorf("error %T is no Finding", err)
			}
		})
	}
}

// The constructors of the schemes refuse what New does.
func TestConfigErrorsOfSchemes(t *testing.T) {
	for name, construct := range coretest.Schemes() {
		api, err := construct(coretest.List("v1", "v1"))
		if all := coretest.ConfigErrors(err); api != nil || len(all) != 1 || all[0].Code != "version_twice" {
			t.Errorf("%s: %v, %v", name, api, err)
		}
	}
	if _, err := scheme.NewBase("MyVersioning", coretest.List("v1", "v1")); len(coretest.ConfigErrors(err)) != 1 {
		t.Errorf("NewBase: %v", err)
	}
	for _, param := range []string{":version", "{version}"} {
		if _, err := scheme.NewURLPath(param, coretest.List("v1")); len(coretest.ConfigErrors(err)) != 1 {
			t.Errorf("NewURLPath, %s: %v", param, err)
		}
	}
}

// Everything that is wrong is said at once.
func TestConfigErrorsAreJoined(t *testing.T) {
	_, err := verso.New(verso.First(nil, verso.PathParam(":v"), verso.Header("Host")), verso.Config{
		AllowedVersions: []string{"v1", "v1", "a/b "},
		Links:           verso.LinkConfig{TrustedHosts: []string{"a b", "https://x"}},
	})
	var got []string
	for _, e := range coretest.ConfigErrors(err) {
		got = append(got, e.Code)
	}
	slices.Sort(got)
	want := []string{"header_reserved", "path_param", "source_missing", "trusted_host", "trusted_host", "version_not_listable", "version_slash", "version_twice", "version_white_space", "version_white_space"}
	if !slices.Equal(got, want) {
		t.Errorf("codes %q, want %q\n%v", got, want, err)
	}
	if text := err.Error(); strings.Count(text, "\n") != len(want)-1 {
		t.Errorf("the errors are not one a line: %s", text)
	}
}

// many returns versions.
func many(count int) (versions []string) {
	for i := range count {
		versions = append(versions, fmt.Sprintf("v%d", i+1))
	}
	return versions
}

func TestConfigWarnings(t *testing.T) {
	path := verso.PathParam("version")
	tests := []struct {
		name   string
		source source.Source
		config verso.Config
		want   []string
	}{
		{"a list", path, coretest.List("v1", "v2"), nil},
		{"every version", path, verso.Config{}, []string{"any_version"}},
		{"every version, with a default", path, verso.Config{DefaultVersion: verso.V("v1")}, []string{"any_version"}},
		{"every version, on purpose", path, verso.Config{AnyVersion: true}, nil},
		{"every version, on purpose and strict", path, verso.Config{AnyVersion: true, Strict: verso.Strict()}, nil},
		{"as many versions as a catalogue", path, coretest.List(many(200)...), nil},
		{"more versions", path, coretest.List(many(201)...), []string{"version_bound"}},
		{"more versions, that rejections do not list", path, coretest.With(coretest.List(many(201)...), func(c *verso.Config) { c.HideAllowedVersions = true }), nil},
		{"versions of other kinds", path, coretest.List("2024-01-01", "v1", "v2", "v2-beta", "v2.1"), nil},
		{"a header with an underscore", verso.Header("Api_Version"), coretest.List("v1"), []string{"header_underscore"}},
		{"a header before a path prefix", verso.First(verso.Header("Api-Version"), verso.PathPrefix("/{version}")), coretest.List("v1"), []string{"prefix_overruled"}},
		{"a header before a path parameter", verso.First(verso.Header("Api-Version"), verso.PathParam("version")), coretest.List("v1"), []string{"prefix_overruled"}},
		{"a path prefix before a header", verso.First(verso.PathPrefix("/{version}"), verso.Header("Api-Version")), coretest.List("v1"), nil},
		{"a header that agrees with a path prefix", verso.Agree(verso.Header("Api-Version"), verso.PathPrefix("/{version}")), coretest.List("v1"), nil},
		{"default beside the list", path, verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}, []string{"default_not_listed"}},
		{"default in another case", path, verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("V1")}, []string{"default_not_listed"}},
		{"default that the built-in pattern never yields", verso.HostLabel(""), verso.Config{AllowedVersions: []string{"v1", "v-2"}, DefaultVersion: verso.V("v-2")}, nil},
		{"default that the pattern never yields", verso.HostLabel(`(v[0-9])\.example\.com`), verso.Config{AllowedVersions: []string{"v1", "beta"}, DefaultVersion: verso.V("beta")}, nil},
		{"version that the built-in pattern never yields", verso.HostLabel(""), coretest.List("v1", "v-2"), []string{"version_unreachable"}},
		{"the weight of Accept", verso.AcceptParam("Q"), coretest.List("v1"), []string{"accept_param"}},
		{"the encoding of Accept", verso.AcceptParam("Charset"), coretest.List("v1"), []string{"accept_param"}},
		{"versions that no group yields", verso.HostLabel(`([0-9]+)\.(v1)\.com`), coretest.List("v1", "V2", "3"), []string{"version_unreachable", "version_unreachable"}},
		{"versions in another case than the group", verso.HostLabel(`(?:x-)*(v[0-9])\.com|b`), coretest.List("V1"), nil},
		{"end of a default without a catalogue", path, coretest.With(coretest.WithDefault("v1"), func(c *verso.Config) { c.AfterDefaultSunset = verso.MoveUnversioned }), []string{"when_default_ends"}},
		{"end of no default", path, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.AfterDefaultSunset = verso.RejectUnversioned }), []string{"when_default_ends"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api, err := verso.New(test.source, test.config)
			if err != nil {
				t.Fatal(err)
			}
			explanation := adapter.Bind(api, nil).Explain()
			if got := coretest.Findings(explanation); !slices.Equal(got, test.want) {
				t.Errorf("findings %q, want %q", got, test.want)
			}
			for _, f := range explanation.Findings {
				if f.Level != verso.LevelWarning || f.Field == "" || !strings.Contains(f.Message, ": ") {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
}

// A versioning goes on as it was made when the caller's values change.
func TestConfigIsCopied(t *testing.T) {
	config := verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Produces:        []string{"application/json"},
		Links:           verso.LinkConfig{TrustedHosts: []string{"example.com"}},
		Strict:          verso.Strictness{AllowedHosts: []string{"example.com"}},
		Acknowledged:    []string{"param_in_no_route"},
	}
	api := verso.Must(scheme.NewAcceptHeader("version", config))
	b := coretest.Bound(api, coretest.Users)
	config.AllowedVersions[0], config.Produces[0], config.Links.TrustedHosts[0], config.Strict.AllowedHosts[0] = "v9", "text/csv", "evil.com", "evil.com"
	config.Acknowledged[0] = "x"
	r := coretest.Accept("application/json;version=v1")
	r.Host = "example.com"
	result, _ := coretest.Begin(b, r.Request())
	if built, err := adapter.LinkFor(result, r.Request(), verso.Target{Name: "users"}); built != "http://example.com/users" || err != nil {
		t.Errorf("built %q, %v", built, err)
	}
	if got := coretest.Findings(b.Explain()); !slices.Equal(got, []string{"accepted_unknown"}) || !strings.Contains(b.Explain().String(), `"param_in_no_route"`) {
		t.Errorf("findings %q", got)
	}
	if got := api.Versions(); !slices.Equal(got, []verso.Version{verso.V("v1"), verso.V("v2")}) {
		t.Errorf("versions %v", got)
	}
	api.Versions()[0], b.Explain().Versions[0], api.Vary()[0] = verso.V("x"), "x", "X"
	if api.Versions()[0] != verso.V("v1") || b.Explain().Versions[0] != "v1" || api.Vary()[0] != "Accept" {
		t.Error("what a caller was given is shared")
	}
}

func TestMust(t *testing.T) {
	api, err := scheme.NewURLPath("version", coretest.List("v1"))
	if got := verso.Must(api, err); got != api {
		t.Errorf("Must = %v, want what it was given", got)
	}
	defer func() {
		if err, _ := recover().(error); err == nil || len(coretest.ConfigErrors(err)) != 1 {
			t.Errorf("panic with %v", err)
		}
	}()
	verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v1")))
	t.Error("Must returned in spite of an error")
}

// The warning about many versions says how many of them a rejection names.
func TestVersionBound(t *testing.T) {
	api := verso.MustNew(verso.QueryParam("version"), coretest.List(many(201)...))
	c, call := new(coretest.Checked), new(adapter.Call)
	call.Request = coretest.Query("version=x").Request()
	_ = coretest.SeamOf(coretest.Bound(api)).Check(c, call, func(*coretest.Checked) {})
	_, answer, _ := c.Rejected()
	want := fmt.Sprintf("201 versions are listed, and each rejection names the newest %d:", len(answer.Problem.AllowedVersions))
	for _, f := range coretest.Bound(api).Explain().Findings {
		if f.Code == "version_bound" && strings.HasPrefix(f.Message, want) {
			return
		}
	}
	t.Errorf("no finding says: %s", want)
}

type counter struct{}

func (*counter) Observe(context.Context, verso.Observation) {}

type translator struct{}

func (*translator) Messages(string) (string, map[verso.MessageID]string) { return "", nil }
