package catalogue_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/core/catalogue"
)

// linkLines makes the Link lines of a version with these links.
func linkLines(links ...catalogue.Link) ([]string, error) {
	c, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Links: links}}})
	if err != nil {
		return nil, err
	}
	return linesOf(c.Table().Fields(0))["Link"], nil
}

func TestLinkLine(t *testing.T) {
	tests := []struct {
		name string
		link catalogue.Link
		want string
	}{
		{"target and relation", catalogue.Link{Rel: "deprecation", Href: "https://a.example/d"}, `<https://a.example/d>; rel="deprecation"`},
		{"all parameters", catalogue.Link{Rel: "sunset", Href: "/d", Type: "text/html", Title: "Move to v2", Hreflang: "en"},
			`</d>; rel="sunset"; type="text/html"; title="Move to v2"; hreflang="en"`},
		{"quotes in a title", catalogue.Link{Rel: "sunset", Href: "/d", Title: `Use "v2" \o/`}, `</d>; rel="sunset"; title="Use \"v2\" \\o/"`},
		{"a comma in a target", catalogue.Link{Rel: "sunset", Href: "https://a.example/d?a,b;c"}, `<https://a.example/d?a,b;c>; rel="sunset"`},
		{"a URI as relation", catalogue.Link{Rel: "https://a.example/rels#x", Href: "/"}, `</>; rel="https://a.example/rels#x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines, err := linkLines(test.link)
			if err != nil || !slices.Equal(lines, []string{test.want}) {
				t.Errorf("lines %q, %v, want %q", lines, err, test.want)
			}
		})
	}
}

func TestLinkMistakes(t *testing.T) {
	const accepted = ""
	tests := []struct {
		field string
		code  string // of the wrong values
		set   func(*catalogue.Link, string)
		right []string
		wrong []string
	}{
		{"rel", "link_relation", func(l *catalogue.Link, text string) { l.Rel = text },
			[]string{"deprecation", "successor-version", "predecessor-version", "help", "service-desc", "a.b-c1", "https://a.example/r", "urn:x:y", "tag:a.example,2026:r"},
			[]string{"", " ", "Sunset", "SUNSET", "sunset deprecation", "1a", "-a", "a_b", "a\n", "é", `a"b`, "a:", ":a", "https://a.example/ r", "https://a.example/\"", "h_t:x", "https://a.example/%zz",
				"succesor-version", "successor-versions", "deprecated", "deprecaton", "sunsets", "last-version"}},
		{"href", "link_target", func(l *catalogue.Link, text string) { l.Href = text },
			[]string{"/", "/docs/v1", "/../v1?x=1#y", "//a.example/x", "https://a.example", "HTTP://A.example/", "http://a.example:8080/x",
				"https://[2001:db8::1]/x", "mailto:api@a.example", "/a%20b", "/a:b", "https://a.example/d?a,b;c"},
			[]string{"", " ", "docs", "../v1", "./v1", "?x", "#y", "https://a.example/>; rel=next", "https://a.example/a b", "https://a.example/\r\nX: y", "https://a.example/ü", "/\"", "/\\", "/{x}", "/|", "/^", "/`", "/\x7f",
				"javascript:alert(1)", "data:text/html,x", "ftp://a.example/", "https:", "https:/x", "https:///x", "http://:80/x", "mailto:", "/%", "/%2", "/%zz", "https://a.example/[x]", "/#a#b",
				"https://a.example:port/", "1a:b", "https://[::1/"}},
		{"type", "link_type", func(l *catalogue.Link, text string) { l.Type = text },
			[]string{"", "text/html", "application/vnd.acme.v1+json", "TEXT/HTML", "a/1"},
			[]string{"html", "text/", "/html", "text/html; charset=utf-8", "text/html ", "text/*", "a/b/c", "text/ht\"ml", "é/b", "a/" + strings.Repeat("b", 128)}},
		{"title", "link_title", func(l *catalogue.Link, text string) { l.Title = text },
			[]string{"", " ", "Leave v1", `"`, `\`, "~"},
			[]string{"a\nb", "a\r", "\t", "\x00", "\x7f", "\u0085", "\xff", "Über"}},
		{"hreflang", "link_hreflang", func(l *catalogue.Link, text string) { l.Hreflang = text },
			[]string{"", "de", "pt-BR", "zh-Hant-TW", "x-private", "es-419"},
			[]string{"-", "de-", "-de", "de_DE", "d e", "123", "abcdefghi", "de-abcdefghi", "dé", "de\n"}},
	}
	for _, test := range tests {
		check := func(text string, want string) {
			t.Run(test.field+"/"+text, func(t *testing.T) {
				link := catalogue.Link{Rel: "sunset", Href: "/d"}
				test.set(&link, text)
				lines, err := linkLines(link)
				if want == accepted {
					if err != nil {
						t.Errorf("%q is refused: %v", text, err)
					}
					return
				}
				if err == nil {
					t.Fatalf("%q is accepted: %q", text, lines)
				}
				checkMistakes(t, err, mistake{want, "versions[0].links[0]." + test.field})
			})
		}
		for _, text := range test.right {
			check(text, accepted)
		}
		for _, text := range test.wrong {
			check(text, test.code)
		}
	}
}

// linkValue is a link of RFC 8288, as strict as this package writes it.
var linkValue = regexp.MustCompile(`^<([!-;=?-~]*)>; rel="[!#-~]+"(; type="[!#-~]+")?(; title="([ !#-\[\]-~]|\\["\\])*")?(; hreflang="[A-Za-z0-9-]+")?$`)

// Each accepted link becomes one well-formed line.
func FuzzLink(f *testing.F) {
	f.Add("deprecation", "https://a.example/d", "text/html", `"quoted" \ title`, "de")
	f.Add("https://a.example/rel", "mailto:a@a.example", "", "Ü", "")
	f.Add("a b", "//a\r\n", "a/b;c", "\t", "--")
	f.Fuzz(func(t *testing.T, rel, href, mediaType, title, hreflang string) {
		lines, err := linkLines(catalogue.Link{Rel: rel, Href: href, Type: mediaType, Title: title, Hreflang: hreflang})
		if err != nil {
			mistakesOf(t, err)
			return
		}
		if len(lines) != 1 || !linkValue.MatchString(lines[0]) {
			t.Fatalf("lines %q", lines)
		}
		if target := linkValue.FindStringSubmatch(lines[0])[1]; target != href {
			t.Errorf("target %q of %q, want %q", target, lines[0], href)
		}
	})
}
