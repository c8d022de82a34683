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
	tests := []struct {
		name, text string
		valid      bool
	}{
		{"version", "application/vnd.acme.{version}+json", true},
		{"resource and version", "application/vnd.acme.{resource}-{version}+json", true},
		{"text before the version", "application/vnd-v{version}+json", true},
		{"version at the end", "application/vnd.acme.{version}", true},
		{"version only", "application/{version}", true},
		{"resource at the beginning", "application/{resource}.{version}", true},
		{"any token bytes", "x!#$/%&'*+-.^_`|~{version}", true},
		{"resource and version apart", "application/{resource}.vnd.acme.{version}", true},
		{"longest literals", "application/" + strings.Repeat("x", 126) + "{version}", true},
		{"longest literals with a resource", "application/{resource}" + strings.Repeat("x", 125) + "{version}", true},
		{"longest type", strings.Repeat("x", 127) + "/{version}", true},

		{"empty", "", false},
		{"no subtype", "{version}", false},
		{"parameters", "application/vnd.{version}+json; charset=utf-8", false},
		{"version in a parameter", "application/json; version={version}", false},
		{"version in the type", "{version}/json", false},
		{"brace in the type", "app}/{version}", false},
		{"no type", "/{version}", false},
		{"space in the type", "a b/{version}", false},
		{"wildcard type", "*/{version}", false},
		{"type too long", strings.Repeat("x", 128) + "/{version}", false},
		{"no version", "application/vnd.acme+json", false},
		{"empty subtype", "application/", false},
		{"resource only", "application/vnd.{resource}+json", false},
		{"version twice", "application/vnd.{version}.{version}+json", false},
		{"resource twice", "application/{resource}.{resource}.{version}", false},
		{"resource after version", "application/{version}.{resource}", false},
		{"resource touches version", "application/vnd.{resource}{version}", false},
		{"other field", "application/{name}.{version}", false},
		{"other field after version", "application/{version}.{name}", false},
		{"field in another case", "application/{Version}", false},
		{"empty field", "application/{}", false},
		{"field within a field", "application/{{version}}", false},
		{"never closed", "application/vnd.{version", false},
		{"never opened", "application/vnd.version}", false},
		{"space in front of version", "application/vnd .{version}", false},
		{"space after version", "application/{version} ", false},
		{"slash between fields", "application/{resource}/{version}", false},
		{"comma", "application/{version},a/b", false},
		{"not ASCII", "application/é{version}", false},
		{"no room", "application/" + strings.Repeat("x", 127) + "{version}", false},
		{"no room next to a resource", "application/{resource}" + strings.Repeat("x", 126) + "{version}", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template, err := mediatype.ParseTemplate(test.text)
			switch {
			case test.valid && (err != nil || template.String() != test.text):
				t.Errorf("ParseTemplate(%q) = %v, %v", test.text, template, err)
			case !test.valid && (err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("mediatype: %q is not a template: write it like application/vnd.example.{version}+json or ", test.text))):
				t.Errorf("ParseTemplate(%q) = %v, %v, want an error with the form", test.text, template, err)
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
		{"version too long", plain, "", long + "x", "", fmt.Sprintf(tooLong, long+"x")},
		{"resource too long", withResource, long[2:], "v3", "", fmt.Sprintf(tooLong, "v3")},
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
		{"longest", "application/{version}", "application/" + strings.Repeat("x", 127), strings.Repeat("x", 127)},
		{"too long", "application/{version}", "application/" + strings.Repeat("x", 128), ""},
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
		inCase       = "are the same in media types, which ignore case: rename one"
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
		{"too long", plain, []string{long + "x"}, []string{fmt.Sprintf(tooLong, long+"x")}},
		{"too long with a resource", withResource, []string{long[1:]}, []string{fmt.Sprintf(tooLong, long[1:])}},
		{"twice", plain, []string{"v1", "v1"}, []string{`: versions "v1" and "v1" ` + inCase}},
		{"case", plain, []string{"v1", "v2", "V1"}, []string{`: versions "v1" and "V1" ` + inCase}},
		{"suffix", withResource, []string{"v1", "beta-v1"}, []string{`: a media type could end in version "v1" or "beta-v1": ` + ambiguous}},
		{"suffix listed first", withResource, []string{"beta-v1", "v1"}, []string{`: a media type could end in version "beta-v1" or "v1": ` + ambiguous}},
		{"suffix in another case", withResource, []string{"v1", "beta-V1"}, []string{`: a media type could end in version "v1" or "beta-V1": ` + ambiguous}},
		{"suffix after a separator in another case", letter, []string{"2", "1x2"}, []string{`: a media type could end in version "2" or "1x2": ` + ambiguous}},
		{"begins with the separator", withResource, []string{"v1", "-v1"}, []string{`: a media type could end in version "v1" or "-v1": ` + ambiguous}},
		{"separators overlap", twoHyphens, []string{"v1", "-v1"}, []string{`: a media type could end in version "v1" or "-v1": ` + ambiguous}},
		{"part of the separator", twoHyphens, []string{"v1", "beta-v1"}, nil},
		{
			"several", withResource, []string{"v1", "é", "V1", "a-v1", "é"},
			[]string{
				`: version "é" ` + advice,
				`: versions "v1" and "V1" ` + inCase,
				`: a media type could end in version "v1" or "a-v1": ` + ambiguous,
				`: a media type could end in version "V1" or "a-v1": ` + ambiguous,
				`: version "é" ` + advice,
				`: versions "é" and "é" ` + inCase,
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

const tooLong = ": the media type with version %q is too long: shorten it, a subtype has at most 127 bytes"

const tokenPattern = "[!#$%&'*+.^_`|~0-9A-Za-z-]"

var (
	slowTemplate = regexp.MustCompile("^(" + tokenPattern + "{1,127})/(" + tokenPattern + `*)(?:(\{resource\})(` + tokenPattern + `+))?\{version\}(` + tokenPattern + "*)$")
	slowToken    = regexp.MustCompile("^" + tokenPattern + "+$")
)

// A template is valid if its type and, with a byte in place of each field, its subtype are.
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
		typ, subtype, _ := strings.Cut(text, "/")
		filled := strings.Replace(strings.Replace(subtype, "{resource}", "r", 1), "{version}", "v", 1)
		_, behind, hasResource := strings.Cut(subtype, "{resource}")
		want := slowToken.MatchString(typ) && typ != "*" && len(typ) <= 127 && slowToken.MatchString(filled) && len(filled) <= 127 &&
			strings.Contains(subtype, "{version}") && (!hasResource || strings.Index(behind, "{version}") > 0)
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
		if separator != "" && !slowToken.MatchString(separator) || len(separator) > 100 || len(versionsText) > 1000 {
			return // each version is compared with each other one
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
	// Output: mediatype: "application/vnd.acme.{resource}{version}+json" is not a template: write it like application/vnd.example.{version}+json or application/vnd.example.{resource}-{version}+json, with text between the fields, no parameters, and a subtype of at most 127 bytes
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
	// mediatype: template "application/vnd.acme.{version}+json": versions "v1" and "V1" are the same in media types, which ignore case: rename one
}

func mustParseTemplate(tb testing.TB, text string) *mediatype.Template {
	tb.Helper()
	template, err := mediatype.ParseTemplate(text)
	if err != nil {
		tb.Fatal(err)
	}
	return template
}
