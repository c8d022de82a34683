package adapter_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// build builds the URL of /users/7 in a request.
func build(links verso.LinkConfig, a coretest.Ask) (string, error) {
	config := coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links = links })
	api := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), config), route.Route{Name: "user", Pattern: route.Colons("/users/:id")})
	return api.Reverse(a.Request(), verso.Version{}, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
}

func TestOrigin(t *testing.T) {
	api := func(source.Request) string { return "https://api.example.com/v" }
	ofRequest := func(source.Request) string { return "" }
	ofHost := func(r source.Request) string { return "https://" + r.Host() }
	insecure, secure := coretest.Host("example.com:8080"), coretest.Ask{Host: "example.com", TLS: true}
	tests := []struct {
		name  string
		links verso.LinkConfig
		ask   coretest.Ask
		want  string // what the URL begins with
	}{
		{"of the request", verso.LinkConfig{}, insecure, "http://example.com:8080"},
		{"of the request, TLS", verso.LinkConfig{}, secure, "https://example.com"},
		{"host stays as it was sent", verso.LinkConfig{}, coretest.Host("EXAMPLE.com."), "http://EXAMPLE.com."},
		{"letters, digits and marks", verso.LinkConfig{}, coretest.Host("azAZ09-_.azAZ09-_"), "http://azAZ09-_.azAZ09-_"},
		{"longest name", verso.LinkConfig{}, coretest.Host(strings.Repeat("a", 254) + ":80"), "http://" + strings.Repeat("a", 254) + ":80"},
		{"name that is too long", verso.LinkConfig{}, coretest.Host(strings.Repeat("a", 255)), ""},
		{"highest port", verso.LinkConfig{}, coretest.Host("example.com:65535"), "http://example.com:65535"},
		{"IPv4", verso.LinkConfig{}, coretest.Host("127.0.0.1:80"), "http://127.0.0.1:80"},
		{"IPv4 that stays", verso.LinkConfig{}, coretest.Host("1.2.3.4"), "http://1.2.3.4"},
		{"IPv6", verso.LinkConfig{}, coretest.Host("[::1]"), "http://[::1]"},
		{"IPv6 and a port", verso.LinkConfig{}, coretest.Host("[fe80::1]:8080"), "http://[fe80::1]:8080"},
		{"digits, not the last label", verso.LinkConfig{}, coretest.Host("2130706433.example"), "http://2130706433.example"},
		{"hexadecimal, not the last label", verso.LinkConfig{}, coretest.Host("0x7f.example"), "http://0x7f.example"},
		{"almost hexadecimal", verso.LinkConfig{}, coretest.Host("a.0xg"), "http://a.0xg"},
		{"Origin", verso.LinkConfig{Origin: "https://api.example.com"}, insecure, "https://api.example.com"},
		{"Origin with a path", verso.LinkConfig{Origin: "https://example.com:8080/api"}, insecure, "https://example.com:8080/api"},
		{"a path", verso.LinkConfig{Origin: "/api"}, insecure, "/api"},
		{"a path of several segments, where hosts are trusted", verso.LinkConfig{Origin: "/a/b%20c", TrustedHosts: []string{"a.com"}}, insecure, "/a/b%20c"},
		{"OriginFunc, a path", verso.LinkConfig{OriginFunc: func(source.Request) string { return "/api" }}, insecure, "/api"},
		{"OriginFunc", verso.LinkConfig{OriginFunc: api}, insecure, "https://api.example.com/v"},
		{"OriginFunc, the request's own", verso.LinkConfig{OriginFunc: ofRequest}, secure, "https://example.com"},
		{"OriginFunc reads the request", verso.LinkConfig{OriginFunc: ofHost}, insecure, "https://example.com:8080"},
		{"OriginFunc, not trusted", verso.LinkConfig{OriginFunc: api, TrustedHosts: []string{"example.com"}}, insecure, ""},
		{"OriginFunc, trusted", verso.LinkConfig{OriginFunc: api, TrustedHosts: []string{"*.example.com"}}, insecure, "https://api.example.com/v"},
		{"Relative", verso.LinkConfig{Relative: true}, insecure, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, err := build(test.links, test.ask); got != test.want+"/users/7" || err != nil {
				t.Errorf("built %q, %v, want %s", got, err, test.want)
			}
		})
	}
	for _, origin := range append([]string{"example.com", "//example.com", "localhost:8080"}, coretest.WrongOrigins...) {
		log := coretest.Logging(t)
		got, err := build(verso.LinkConfig{OriginFunc: func(source.Request) string { return origin }}, insecure)
		if got != "/users/7" || err != nil {
			t.Errorf("OriginFunc returns %q: built %q, %v, want a relative URL", origin, got, err)
		}
		if codes := coretest.Codes(t, log); !slices.Equal(codes, []string{"origin_unusable"}) {
			t.Errorf("OriginFunc returns %q: logged %q", origin, codes)
		}
	}
}

// What a client sends as its host and is none never gets into a URL.
func TestHostileHosts(t *testing.T) {
	hosts := []string{
		"", ":", ":80", "a b", " a", "a\t", "a\r\nX-Evil: 1", "a\x00",
		"evil.com@good.com", "user:password@good.com", "good.com:x@evil.com",
		"evil.com/", "evil.com/good.com", "/evil.com", "//evil.com", "evil.com?", "evil.com#", `evil.com\good.com`, `\\evil.com`,
		".", ".example.com", "..", "example..com", "example.com..", "a`b", "a@b", "a[b", "a{b",
		"x:", "x:65536", "x:99999999", "x:-1", "x:+80", "x:8 0", "x:http", "x:80:80", "x:٨٠",
		"::1", "[::1", "::1]", "[]", "[]:80", "[::1]x", "[::1]80", "[::1]:", "[::1]:x", "[[::1]]", "[::1%25eth0]", "[evil.com]", "x[::1]", "[1.2.3.4]",
		"%65vil.com", "é.com", "\xff.com", "a,b", "a;b", "a'b", `a"b`, "<script>", "a&b", "a=b", "a*b", "a(b)", "a|b", "{a}", "a^b",
		// what browsers read as numbers
		"2130706433", "0x7f.1", "127.1", "0X7F000001", "017700000001", "0x", "a.0x", "1.2.3.4.5", "1.2.3", "256.1.1.1", "127.0.0.01", "example.1", "127.1.", "0x7f.1:80",
	}
	for _, name := range hosts {
		t.Run(name, func(t *testing.T) {
			if got, err := build(verso.LinkConfig{}, coretest.Host(name)); got != "/users/7" || err != nil {
				t.Errorf("built %q, %v, want a relative URL", got, err)
			}
		})
	}
}

// A host is checked, whatever host an earlier request had.
func TestHostAfterAnother(t *testing.T) {
	config := coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.TrustedHosts = []string{"*.example.com"} })
	api := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), config), route.Route{Name: "users", Pattern: route.Colons("/users")})
	for _, request := range []struct{ host, want string }{
		{"evil.com", "/users"}, {"a.example.com", "http://a.example.com/users"}, {"evil.com", "/users"}, {"a b.example.com", "/users"},
		{"b.example.com", "http://b.example.com/users"}, {"a.example.com", "http://a.example.com/users"}, {"", "/users"},
	} {
		if got, err := api.Reverse(coretest.Host(request.host).Request(), verso.Version{}, verso.Target{Name: "users"}); got != request.want || err != nil {
			t.Errorf("host %q: built %q, %v, want %q", request.host, got, err, request.want)
		}
	}
}

func TestTrustedHosts(t *testing.T) {
	tests := []struct {
		name, trusted, host string
		want                bool
	}{
		{"the host", "api.example.com", "api.example.com", true},
		{"any port", "api.example.com", "api.example.com:8080", true},
		{"case", "API.example.com", "api.EXAMPLE.com", true},
		{"another", "api.example.com", "evil.com", false},
		{"below", "example.com", "api.example.com", false},
		{"begins alike", "example.com", "example.com.evil.com", false},
		{"ends alike", "example.com", "evilexample.com", false},
		{"trailing dot", "example.com", "example.com.", false},
		{"this port", "example.com:8080", "example.com:8080", true},
		{"other port", "example.com:8080", "example.com:80", false},
		{"no port", "example.com:8080", "example.com", false},
		{"under", "*.example.com", "api.example.com", true},
		{"deep under", "*.example.com", "v1.api.example.com", true},
		{"under, port", "*.example.com", "api.example.com:8080", true},
		{"under, case", "*.Example.com", "api.eXAMPLE.com", true},
		{"not under itself", "*.example.com", "example.com", false},
		{"under, ends alike", "*.example.com", "evilexample.com", false},
		{"under, begins alike", "*.example.com", "api.example.com.evil.com", false},
		{"under, in the port", "*.example.com", "evil.com:80.example.com", false},
		{"under, userinfo", "*.example.com", "evil.com@api.example.com", false},
		{"IPv6", "[::1]", "[::1]:8080", true},
		{"IPv6, other", "[::1]", "[::2]:8080", false},
		{"no host", "example.com", "", false},
		{"second of the list", "a.com b.com", "b.com", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := "/users/7"
			if test.want {
				want = "http://" + test.host + want
			}
			if got, err := build(verso.LinkConfig{TrustedHosts: strings.Fields(test.trusted)}, coretest.Host(test.host)); err != nil || got != want {
				t.Errorf("built %q, %v, want %q", got, err, want)
			}
		})
	}
}
