package verso_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

func TestNewHostNameErrors(t *testing.T) {
	tests := []struct {
		name, pattern, want string
	}{
		{"no group", `^v1\.example\.com$`, `host pattern "^v1\\.example\\.com$" has no group 1: put parentheses around the version`},
		{"group that does not capture", `(?:v1)\.example\.com`, `host pattern "(?:v1)\\.example\\.com" has no group 1: put parentheses around the version`},
		{"no expression, closed by the anchors around it", `a)|(b`, `host pattern "a)|(b": error parsing regexp: `},
		{"no expression", `(v[0-9`, `host pattern "(v[0-9": error parsing regexp: `},
		{"what Go does not know", `(v1)(?=\.example)`, `host pattern "(v1)(?=\\.example)": error parsing regexp: invalid or unsupported Perl syntax`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := verso.NewHostName(verso.Settings{}, test.pattern)
			if want := "verso: HostNameVersioning: " + test.want; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func TestHostNamePattern(t *testing.T) {
	const digits = `(v[0-9]+)\.example\.com`
	none, fallback := verso.Version{}, verso.V("default")
	tests := []struct {
		name, pattern, host string
		want                verso.Version // none: refused
	}{
		{"anchored", "^" + digits + "$", "v1.example.com", verso.V("v1")},
		{"not anchored", digits, "v1.example.com", verso.V("v1")},
		{"port", digits, "v1.example.com:8080", verso.V("v1")},
		{"not anchored, text behind", digits, "v1.example.com.evil.com", fallback},
		{"not anchored, text before", digits, "evil-v1.example.com", fallback},
		{"line break behind", "^" + digits + "$", "v1.example.com\n", fallback},
		{"line break behind, lines matched", "(?m)^" + digits + "$", "v1.example.com\nx", fallback},
		{"alternatives are anchored too", digits + "|(v[0-9]+)", "v1.example.com.evil.com", fallback},
		{"the longer alternative", `(v1|v10)\.example\.com`, "v10.example.com", verso.V("v10")},
		{"case", digits, "V1.EXAMPLE.COM", fallback},
		{"case ignored", "(?i)" + digits, "V1.EXAMPLE.COM", verso.V("V1")},
		{"trailing dot", digits, "v1.example.com.", fallback},
		{"no version", digits, "example.com", fallback},
		{"empty host", digits, "", fallback},
		{"empty group", `(v?)example\.com`, "example.com", verso.V("")},
		{"optional group without part", `(?:(v[0-9]+)\.)?example\.com`, "example.com", none},
		{"optional group", `(?:(v[0-9]+)\.)?example\.com`, "v1.example.com", verso.V("v1")},
		{"group 1 of two", `(v[0-9]+)\.(example)\.com`, "v1.example.com", verso.V("v1")},
		{"IPv6", `(.*)`, "[::1]:80", verso.V("[")},
		{"512 bytes", `(v1|[a.]+)`, strings.Repeat("a", 512), verso.V(strings.Repeat("a", 512))},
		{"513 bytes", `(v1|[a.]+)`, strings.Repeat("a", 513), fallback},
		{"512 bytes and a port", `(v1|[a.]+)`, strings.Repeat("a", 512) + ":80", verso.V(strings.Repeat("a", 512))},
		{"an expression that backtracks elsewhere", `(a+)+b`, strings.Repeat("a", 512), fallback},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			settings := verso.Settings{DefaultVersion: fallback}
			if test.want.IsNone() {
				settings.AllowedVersions = []string{"v1"}
			}
			scheme, err := verso.NewHostName(settings, test.pattern)
			if err != nil {
				t.Fatal(err)
			}
			v, err := scheme.DetermineVersion(&request{host: test.host})
			if v != test.want || errors.Is(err, verso.ErrNotFound) != test.want.IsNone() {
				t.Errorf("determined %#v, %v, want %#v", v, err, test.want)
			}
		})
	}
}

// A group 1 that took no part is no version, which the settings may allow.
func TestHostNameOptionalGroup(t *testing.T) {
	const pattern = `(?:(v[0-9]+)\.)?example\.com`
	for _, settings := range []verso.Settings{{}, {AllowedVersions: []string{"v1"}, AllowUnversioned: true}} {
		scheme := verso.Must(verso.NewHostName(settings, pattern))
		if v, err := scheme.DetermineVersion(&request{host: "example.com"}); !v.IsNone() || err != nil {
			t.Errorf("%+v: determined %#v, %v, want none", settings, v, err)
		}
	}
}

func TestHostName(t *testing.T) {
	fallback := verso.V("default")
	scheme := verso.Must(verso.NewHostName(verso.Settings{DefaultVersion: fallback}, ""))
	tests := []struct {
		name, host string
		want       verso.Version
	}{
		{"three labels", "v1.example.com", verso.V("v1")},
		{"case is kept", "V1.Example.Com", verso.V("V1")},
		{"empty port", "v1.example.com:", verso.V("v1")},
		{"port that is none", "v1.example.com:x:y", verso.V("v1")},
		{"address", "10.0.0", verso.V("10")},
		{"the last letters and digit", "zZ9.zZ9.zZ9", verso.V("zZ9")},
		{"the first letters and digit", "aA0.aA0.aA0", verso.V("aA0")},
		{"byte before a", "v`.example.com", fallback},
		{"byte behind z", "v{.example.com", fallback},
		{"byte before A", "v@.example.com", fallback},
		{"byte behind Z", "v[.example.com", fallback},
		{"byte before 0", "v/.example.com", fallback},
		{"IPv4", "127.0.0.1", fallback},
		{"IPv6", "[::1]:80", fallback},
		{"userinfo", "v1.example.com@evil.com", fallback},
		{"userinfo behind a colon", "v1.example.com:x@evil.com", verso.V("v1")},
		{"trailing dot", "v1.example.com.", fallback},
		{"hyphen", "v-1.example.com", fallback},
		{"not ASCII", "vé.example.com", fallback},
		{"white space", " v1.example.com", fallback},
		{"very long label", strings.Repeat("v", 64<<10) + ".example.com", verso.V(strings.Repeat("v", 64<<10))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if v, err := scheme.DetermineVersion(&request{host: test.host}); v != test.want || err != nil {
				t.Errorf("determined %#v, %v, want %#v", v, err, test.want)
			}
		})
	}
}

// The scanner of the built-in pattern is the specification's expression.
func FuzzHostName(f *testing.F) {
	for _, host := range []string{
		"", ".", "..", "v1.example.com", "v1.example.com:80", "a.b.c.d", "a.b", "a..c", ".b.c", "a.b.",
		"a.b.c\n", "\na.b.c", "á.b.c", "a:.b.c", "a.b.c:d.e.f", "[a.b.c]", "A.Z.9", "a_.b.c", "a.b.c\x00", "/.@.[", "`.{.:",
	} {
		f.Add(host)
	}
	specified := regexp.MustCompile(`^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$`)
	scheme := verso.Must(verso.NewHostName(verso.Settings{}, ""))
	same := verso.Must(verso.NewHostName(verso.Settings{}, specified.String()))
	f.Fuzz(func(t *testing.T, host string) {
		want := verso.Version{}
		if match := specified.FindStringSubmatch(strings.Split(host, ":")[0]); match != nil {
			want = verso.V(match[1])
		}
		r := &request{host: host}
		if v, err := scheme.DetermineVersion(r); v != want || err != nil {
			t.Errorf("host %q: determined %#v, %v, want %#v", host, v, err, want)
		}
		if v, err := same.DetermineVersion(r); len(host) <= 512 && (v != want || err != nil) {
			t.Errorf("host %q, by a pattern: determined %#v, %v, want %#v", host, v, err, want)
		}
	})
}

// A URL in another version has that version in its host and is the same
// otherwise, or there is none.
func FuzzHostNameReverse(f *testing.F) {
	f.Add("v1.example.com:8080", "v2")
	f.Add("v1.example.com", "v2.evil")
	f.Add("a.b.c", "")
	f.Add("[::1]:80", "v1")
	f.Add("127.0.0.1", "1")
	f.Add("a.b.c:65536", "x")
	f.Add("v1.api.example.com.", "v-2")
	f.Add("a.b.c@d.e.f", "a@b")
	builtin := verso.Must(verso.NewHostName(verso.Settings{}, ""))
	loose := verso.Must(verso.NewHostName(verso.Settings{}, `(.*?)(?:\.api)?\.example\.com`))
	table := route.NewTable(route.Route{Name: "r", Pattern: route.Colons("/users")})
	f.Fuzz(func(t *testing.T, host, version string) {
		for name, scheme := range map[string]*verso.HostName{"built-in": builtin, "loose": loose} {
			r, reverser := &request{host: host}, &verso.TableReverser{Table: table, Request: &http.Request{Host: host}}
			before, err := scheme.Reverse(r, reverser, verso.Target{Name: "r"})
			if err != nil {
				t.Fatal(err)
			}
			after, err := scheme.Reverse(r, reverser, verso.Target{Name: "r", Version: verso.V(version)})
			if err != nil {
				if !errors.Is(err, verso.ErrNoReverseMatch) || after != "" {
					t.Errorf("%s, host %q: %q and the error %v", name, host, after, err)
				}
				continue
			}
			u, err := url.Parse(after)
			if err != nil || u.User != nil || u.Path != "/users" || u.String() != after {
				t.Fatalf("%s, host %q: built %q, %v", name, host, after, err)
			}
			if v, err := scheme.DetermineVersion(&request{host: u.Host}); v != verso.V(version) || err != nil {
				t.Errorf("%s, host %q: built %q, which has the version %#v, %v, want %q", name, host, after, v, err, version)
			}
			old, err := scheme.DetermineVersion(r)
			if err != nil {
				t.Fatal(err)
			}
			again, err := scheme.Reverse(r, reverser, verso.Target{Name: "r", Version: old})
			if err != nil || again != before {
				t.Errorf("%s: %q became %q, and in its own version %q, %v", name, before, after, again, err)
			}
		}
	})
}

func ExampleNewHostName() {
	settings := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
	scheme, err := verso.NewHostName(settings, "")
	if err != nil {
		panic(err)
	}
	for _, host := range []string{"v2.example.com:8080", "example.com", "v9.example.com"} {
		fmt.Println(scheme.DetermineVersion(&request{host: host}))
	}

	scheme, err = verso.NewHostName(settings, `([a-z0-9]+)\.api\.example\.com`)
	if err != nil {
		panic(err)
	}
	fmt.Println(scheme.DetermineVersion(&request{host: "v2.api.example.com"}))
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in hostname.
	// v2 <nil>
}
