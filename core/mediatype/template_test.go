package mediatype_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

func TestParseTemplate(t *testing.T) {
	const badText = "which cannot be in a media type: use letters, digits, dots, hyphens and +"
	tests := []struct {
		name, text, want string // want: the error after the template, "" for no error
	}{
		{"version", "application/vnd.acme.{version}+json", ""},
		{"resource and version", "application/vnd.acme.{resource}-{version}+json", ""},
		{"text before the version", "application/vnd-v{version}+json", ""},
		{"version at the end", "application/vnd.acme.{version}", ""},
		{"version only", "application/{version}", ""},
		{"resource at the beginning", "application/{resource}.{version}", ""},
		{"any token bytes", "x!#$/%&'*+-.^_`|~{version}", ""},
		{"resource and version apart", "application/{resource}.vnd.acme.{version}", ""},
		{"longest literals", "application/" + strings.Repeat("x", 126) + "{version}", ""},
		{"longest literals with a resource", "application/{resource}" + strings.Repeat("x", 125) + "{version}", ""},
		{"longest type", strings.Repeat("x", 127) + "/{version}", ""},

		{"empty", "", "is not a media type: write it like application/vnd.example.{version}+json"},
		{"no subtype", "{version}", "is not a media type: write it like application/vnd.example.{version}+json"},
		{"parameters", "application/vnd.{version}+json; charset=utf-8", `has parameters: remove ";" and what follows it`},
		{"version in a parameter", "application/json; version={version}", `has parameters: remove ";" and what follows it`},
		{"version in the type", "{version}/json", "has a field in the type: move it into the subtype, after the slash"},
		{"brace in the type", "app}/{version}", "has a field in the type: move it into the subtype, after the slash"},
		{"no type", "/{version}", `has the type "": write one like application`},
		{"space in the type", "a b/{version}", `has the type "a b": write one like application`},
		{"wildcard type", "*/{version}", `has the type "*": write one like application`},
		{"type too long", strings.Repeat("x", 128) + "/{version}", `has the type "` + strings.Repeat("x", 128) + `": write one like application`},
		{"no version", "application/vnd.acme+json", "has no {version}: put it where the version is"},
		{"empty subtype", "application/", "has no {version}: put it where the version is"},
		{"resource only", "application/vnd.{resource}+json", "has no {version}: put it where the version is"},
		{"version twice", "application/vnd.{version}.{version}+json", "has {version} twice: remove one"},
		{"resource twice", "application/{resource}.{resource}.{version}", "has {resource} twice: remove one"},
		{"resource after version", "application/{version}.{resource}", "has {resource} after {version}: move it before {version}, or remove it"},
		{"resource touches version", "application/vnd.{resource}{version}", "has nothing between {resource} and {version}: put text between them, such as a hyphen"},
		{"other field", "application/{name}.{version}", `has the field "{name}": only {version} and {resource} are known`},
		{"other field after version", "application/{version}.{name}", `has the field "{name}": only {version} and {resource} are known`},
		{"field in another case", "application/{Version}", `has the field "{Version}": only {version} and {resource} are known`},
		{"empty field", "application/{}", `has the field "{}": only {version} and {resource} are known`},
		{"field within a field", "application/{{version}}", `has the field "{{version}": only {version} and {resource} are known`},
		{"never closed", "application/vnd.{version", `has "{" without "}": write {version}`},
		{"never opened", "application/vnd.version}", `has the text "vnd.version}", ` + badText},
		{"space in front of version", "application/vnd .{version}", `has the text "vnd .", ` + badText},
		{"space after version", "application/{version} ", `has the text " ", ` + badText},
		{"slash between fields", "application/{resource}/{version}", `has the text "/", ` + badText},
		{"comma", "application/{version},a/b", `has the text ",a/b", ` + badText},
		{"not ASCII", "application/é{version}", `has the text "é", ` + badText},
		{"no room", "application/" + strings.Repeat("x", 127) + "{version}", "leaves no room for a version: a subtype has at most 127 bytes"},
		{"no room next to a resource", "application/{resource}" + strings.Repeat("x", 126) + "{version}", "leaves no room for a version: a subtype has at most 127 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template, err := mediatype.ParseTemplate(test.text)
			got, want := "", test.want
			if err != nil {
				got = err.Error()
			} else if template.String() != test.text {
				t.Errorf("String() = %q", template)
			}
			if want != "" {
				want = fmt.Sprintf("mediatype: template %q ", test.text) + want
			}
			if got != want {
				t.Errorf("ParseTemplate(%q):\ngot  %s\nwant %s", test.text, got, want)
			}
		})
	}
}

func TestTemplateMediaType(t *testing.T) {
	const (
		plain        = "application/vnd.acme.{version}+json"
		withResource = "application/vnd.acme.{resource}-{version}+json"
		advice       = "cannot be in a media type: use letters, digits, dots and hyphens"
	)
	long := strings.Repeat("x", 127-len("vnd.acme.+json"))
	tests := []struct {
		name, template, resource, version string
		want, wantErr                     string // wantErr: after the template
	}{
		{"version", plain, "", "v3", "application/vnd.acme.v3+json", ""},
		{"resource", withResource, "order", "v3", "application/vnd.acme.order-v3+json", ""},
		{"resource with the separator", withResource, "order-item", "v3", "application/vnd.acme.order-item-v3+json", ""},
		{"case stays", "Application/Vnd.{version}", "", "V3", "Application/Vnd.V3", ""},
		{"longest version", plain, "", long, "application/vnd.acme." + long + "+json", ""},
		{"longest resource", withResource, long[3:], "v3", "application/vnd.acme." + long[3:] + "-v3+json", ""},

		{"no resource", withResource, "", "v3", "", `: resource "" ` + advice},
		{"resource with a slash", withResource, "a/b", "v3", "", `: resource "a/b" ` + advice},
		{"resource for no {resource}", plain, "order", "v3", "", ` has no {resource}: add it to the template, or leave out the resource "order"`},
		{"no version", plain, "", "", "", `: version "" ` + advice},
		{"version with a space", withResource, "order", "v 3", "", `: version "v 3" ` + advice},
		{"wildcard", "application/{version}", "", "*", "", `: version "*" ` + advice},
		{"version too long", plain, "", long + "x", "", fmt.Sprintf(`: version %q is too long: it has %d bytes: shorten it to %d`, long+"x", len(long)+1, len(long))},
		{"resource too long", withResource, long[2:], "v3", "", fmt.Sprintf(`: resource %q and version "v3" are too long: a subtype has at most 127 bytes`, long[2:])},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := mustParseTemplate(t, test.template).MediaType(test.resource, test.version)
			gotErr, wantErr := "", test.wantErr
			if err != nil {
				gotErr = err.Error()
			}
			if wantErr != "" {
				wantErr = fmt.Sprintf("mediatype: template %q", test.template) + wantErr
			}
			if got != test.want || gotErr != wantErr {
				t.Errorf("MediaType(%q, %q) = %q, %s\nwant %q, %s", test.resource, test.version, got, gotErr, test.want, wantErr)
			}
		})
	}
}

func TestTemplateVersion(t *testing.T) {
	tests := []struct{ name, template, mediaType, want string }{
		{"as written", "application/vnd.acme.{version}+json", "application/vnd.acme.v2+json", "v2"},
		{"without a suffix", "application/{version}", "application/v2", "v2"},
		{"another case", "application/vnd.acme.{version}+json", "application/vnd.Acme.v2+json", ""},
		{"another type", "application/vnd.acme.{version}+json", "text/vnd.acme.v2+json", ""},
		{"another subtype", "application/vnd.acme.{version}+json", "application/vnd.other.v2+json", ""},
		{"another suffix", "application/vnd.acme.{version}+json", "application/vnd.acme.v2+xml", ""},
		{"a parameter", "application/vnd.acme.{version}", "application/vnd.acme.v2;q=0", ""},
		{"two ranges", "application/vnd.acme.{version}", "application/vnd.acme.v2,text/html", ""},
		{"white space", "application/vnd.acme.{version}", "application/vnd.acme.v2 ", ""},
		{"no version", "application/vnd.acme.{version}+json", "application/vnd.acme.+json", ""},
		{"the parts overlap", "application/a.{version}.a", "application/a.a", ""},
		{"any", "application/{version}", "application/*", ""},
		{"a resource", "application/{resource}-{version}", "application/order-v2", ""},
		{"empty", "application/{version}", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template, err := mediatype.ParseTemplate(test.template)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := template.Version(test.mediaType)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("Version(%q) = %q, %v, want %q", test.mediaType, got, ok, test.want)
			}
		})
	}
}

func TestTemplateCheck(t *testing.T) {
	const (
		plain        = "application/vnd.acme.{version}+json"
		withResource = "application/vnd.acme.{resource}-{version}+json"
		twoHyphens   = "application/vnd.acme.{resource}--{version}"
		letter       = "application/vnd.acme.{resource}X{version}"
		advice       = "cannot be in a media type: use letters, digits, dots and hyphens"
		ambiguous    = "rename one, or change the text before {version}"
		inCase       = "differ only in case, which media types ignore: rename one"
	)
	long := strings.Repeat("x", 127-len("vnd.acme.+json"))
	tests := []struct {
		name, template string
		versions       []string
		want           []string // the errors, after the template
	}{
		{"versions", plain, []string{"v1", "v2", "2.1", "2026-01-01"}, nil},
		{"versions with a resource", withResource, []string{"v1", "v2"}, nil},
		{"one version ends like another", withResource, []string{"1", "11"}, nil},
		{"the same ends without a resource", plain, []string{"v1", "beta-v1"}, nil},
		{"the separator within a version", withResource, []string{"2026-01-01", "2025-01-01"}, nil},
		{"longest", plain, []string{long}, nil},
		{"longest with a resource", withResource, []string{long[2:]}, nil},

		{"none", plain, nil, []string{" needs the known versions: list them"}},
		{"empty version", plain, []string{"v1", ""}, []string{`: version "" ` + advice}},
		{"space", plain, []string{"v 1"}, []string{`: version "v 1" ` + advice}},
		{"not ASCII", plain, []string{"é"}, []string{`: version "é" ` + advice}},
		{"wildcard", plain, []string{"*"}, []string{`: version "*" ` + advice}},
		{"too long", plain, []string{long + "x"}, []string{fmt.Sprintf(": version %q is too long: it has %d bytes: shorten it to %d", long+"x", len(long)+1, len(long))}},
		{"too long with a resource", withResource, []string{long[1:]}, []string{fmt.Sprintf(": version %q is too long: it has %d bytes: shorten it to %d", long[1:], len(long)-1, len(long)-2)}},
		{"twice", plain, []string{"v1", "v1"}, []string{`: version "v1" is listed twice: remove one`}},
		{"case", plain, []string{"v1", "v2", "V1"}, []string{`: versions "v1" and "V1" ` + inCase}},
		{"suffix", withResource, []string{"v1", "beta-v1"}, []string{`: a media type with "-beta-v1" could mean version "beta-v1" or "v1": ` + ambiguous}},
		{"suffix listed first", withResource, []string{"beta-v1", "v1"}, []string{`: a media type with "-beta-v1" could mean version "beta-v1" or "v1": ` + ambiguous}},
		{"suffix in another case", withResource, []string{"v1", "beta-V1"}, []string{`: a media type with "-beta-V1" could mean version "beta-V1" or "v1": ` + ambiguous}},
		{"suffix after a separator in another case", letter, []string{"2", "1x2"}, []string{`: a media type with "X1x2" could mean version "1x2" or "2": ` + ambiguous}},
		{"begins with the separator", withResource, []string{"v1", "-v1"}, []string{`: a media type with "--v1" could mean version "-v1" or "v1": ` + ambiguous}},
		{"separators overlap", twoHyphens, []string{"v1", "-v1"}, []string{`: a media type with "---v1" could mean version "-v1" or "v1": ` + ambiguous}},
		{"part of the separator", twoHyphens, []string{"v1", "beta-v1"}, nil},
		{
			"several", withResource, []string{"v1", "é", "V1", "a-v1", "é"},
			[]string{
				`: version "é" ` + advice,
				`: versions "v1" and "V1" ` + inCase,
				`: version "é" ` + advice,
				`: a media type with "-a-v1" could mean version "a-v1" or "v1": ` + ambiguous,
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, want := "", ""
			if err := mustParseTemplate(t, test.template).Check(test.versions); err != nil {
				got = err.Error()
			}
			for i, line := range test.want {
				if i > 0 {
					want += "\n"
				}
				want += fmt.Sprintf("mediatype: template %q", test.template) + line
			}
			if got != want {
				t.Errorf("Check(%q):\ngot  %s\nwant %s", test.versions, got, want)
			}
		})
	}
}

const tokenPattern = "[!#$%&'*+.^_`|~0-9A-Za-z-]"

var (
	slowTemplate = regexp.MustCompile("^(" + tokenPattern + "{1,127})/(" + tokenPattern + `*)(?:(\{resource\})(` + tokenPattern + `+))?\{version\}(` + tokenPattern + "*)$")
	slowToken    = regexp.MustCompile("^" + tokenPattern + "+$")
)

// A regular expression matches all valid templates, and no others.
func FuzzParseTemplate(f *testing.F) {
	f.Add("application/vnd.acme.{version}+json")
	f.Add("application/vnd.acme.{resource}-{version}+json")
	f.Add("application/{resource}{version}")
	f.Add("*/{version}")
	f.Add("a/b{version}{version}; q=1")
	f.Add("a/{}{resource}x{resource}-{version")
	f.Add("a/" + strings.Repeat("x", 126) + "{version}")
	f.Add("a/" + strings.Repeat("x", 100) + "{resource}" + strings.Repeat("y", 26) + "{version}")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := mediatype.ParseTemplate(text)
		want := false
		if match := slowTemplate.FindStringSubmatch(text); match != nil && match[1] != "*" {
			shortest := match[2] + match[4] + match[5] + "v"
			if match[3] != "" {
				shortest += "r"
			}
			want = len(shortest) <= 127
		}
		if want != (err == nil) {
			t.Errorf("ParseTemplate(%q): %v, want valid: %v", text, err, want)
		}
	})
}

// A list of versions is valid when each version is, and no two can be confused.
func FuzzTemplateCheck(f *testing.F) {
	f.Add("-", "v1,v2")
	f.Add("-", "v1,beta-v1")
	f.Add("--", "v1,-v1")
	f.Add("x", "1,1X1,2")
	f.Add("", "v1,V1")
	f.Add("", "1,*,a b")
	f.Fuzz(func(t *testing.T, separator, versionsText string) {
		if separator != "" && !slowToken.MatchString(separator) || len(separator) > 100 {
			return
		}
		text, room := "a/b.{version}", 127-len("b.")
		if separator != "" {
			text, room = "a/b.{resource}"+separator+"{version}", 127-len("b.")-len("r")-len(separator)
		}
		versions := strings.Split(versionsText, ",")
		want := true
		for i, version := range versions {
			want = want && slowToken.MatchString(version) && version != "*" && len(version) <= room
			for _, other := range versions[i+1:] {
				a, b := asciiLower(separator+version), asciiLower(separator+other)
				ambiguous := separator != "" && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
				want = want && a != b && !ambiguous
			}
		}
		if err := mustParseTemplate(t, text).Check(versions); want != (err == nil) {
			t.Errorf("Check(%q) of %q: %v, want valid: %v", versions, text, err, want)
		}
	})
}

// MediaType builds a single media range. Negotiate reads the version in it, whatever
// the resource, if the versions pass Check.
func FuzzTemplateMediaType(f *testing.F) {
	f.Add("application/vnd.acme.{version}+json", "", "v3", "v2,v1")
	f.Add("application/vnd.acme.{resource}-{version}+json", "order-item", "11", "1,v1")
	f.Add("a/{resource}--{version}", "-", "V1", "-v1")
	f.Add("a/{resource}--{version}", "x--v2", "-1", "v2")
	f.Add("a/{resource}+{version}-1", "1+1-1", "1-1", "1")
	f.Add("a/{version}", strings.Repeat("x", 130), strings.Repeat("v", 127), "")
	f.Fuzz(func(t *testing.T, templateText, resource, version, othersText string) {
		template, err := mediatype.ParseTemplate(templateText)
		if err != nil {
			return
		}
		mediaType, err := template.MediaType(resource, version)
		if err != nil {
			return
		}
		parsed, ok := slowParse(mediaType)
		if !ok || parsed.after != "" || len(parsed.subtype) > 127 {
			t.Fatalf("MediaType(%q, %q) = %q", resource, version, mediaType)
		}
		versions := slices.Concat(strings.Split(othersText, ","), []string{version})
		if template.Check(versions) != nil {
			return
		}
		rank, outcome := template.Negotiate(mediaType, rankedVersions(versions), nil, -1)
		if outcome != mediatype.Named || rank != len(versions)-1 {
			t.Errorf("%q among %q: %d, %v", mediaType, versions, rank, outcome)
		}
	})
}

func ExampleParseTemplate() {
	_, err := mediatype.ParseTemplate("application/vnd.acme.{resource}{version}+json")
	fmt.Println(err)
	// Output: mediatype: template "application/vnd.acme.{resource}{version}+json" has nothing between {resource} and {version}: put text between them, such as a hyphen
}

func ExampleTemplate_MediaType() {
	template, err := mediatype.ParseTemplate("application/vnd.acme.{resource}-{version}+json")
	if err != nil {
		panic(err)
	}
	contentType, err := template.MediaType("order", "v3")
	fmt.Println(contentType, err)
	// Output: application/vnd.acme.order-v3+json <nil>
}

// A media type as the service writes it needs no negotiation.
func ExampleTemplate_Version() {
	template, err := mediatype.ParseTemplate("application/vnd.acme.{version}+json")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(template.Version("application/vnd.acme.v2+json"))
	fmt.Println(template.Version("application/vnd.acme.v2+json, */*;q=0.1"))
	// Output:
	// v2 true
	//  false
}

func ExampleTemplate_Check() {
	template, err := mediatype.ParseTemplate("application/vnd.acme.{version}+json")
	if err != nil {
		panic(err)
	}
	fmt.Println(template.Check([]string{"v1", "v2"}))
	fmt.Println(template.Check([]string{"v1", "V1"}))
	// Output:
	// <nil>
	// mediatype: template "application/vnd.acme.{version}+json": versions "v1" and "V1" differ only in case, which media types ignore: rename one
}

func mustParseTemplate(tb testing.TB, text string) *mediatype.Template {
	tb.Helper()
	template, err := mediatype.ParseTemplate(text)
	if err != nil {
		tb.Fatal(err)
	}
	return template
}
