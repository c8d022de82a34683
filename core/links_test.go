package verso_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

func TestOrigin(t *testing.T) {
	api := func(*http.Request) string { return "https://api.example.com" }
	ofRequest := func(*http.Request) string { return "" }
	insecure, secure := &http.Request{Host: "example.com:8080"}, &http.Request{Host: "example.com", TLS: new(tls.ConnectionState)}
	tests := []struct {
		name    string
		links   *verso.LinkConfig
		request *http.Request
		want    string // what the URL begins with
	}{
		{"no configuration", nil, insecure, "http://example.com:8080"},
		{"of the request", &verso.LinkConfig{}, insecure, "http://example.com:8080"},
		{"of the request, TLS", &verso.LinkConfig{}, secure, "https://example.com"},
		{"host stays as it was sent", nil, &http.Request{Host: "EXAMPLE.com."}, "http://EXAMPLE.com."},
		{"letters, digits and marks", nil, &http.Request{Host: "azAZ09-_.azAZ09-_"}, "http://azAZ09-_.azAZ09-_"},
		{"port", nil, &http.Request{Host: "example.com:9876"}, "http://example.com:9876"},
		{"longest name", nil, &http.Request{Host: strings.Repeat("a", 254) + ":80"}, "http://" + strings.Repeat("a", 254) + ":80"},
		{"name that is too long", nil, &http.Request{Host: strings.Repeat("a", 255)}, ""},
		{"highest port", nil, &http.Request{Host: "example.com:65535"}, "http://example.com:65535"},
		{"IPv4", nil, &http.Request{Host: "127.0.0.1:80"}, "http://127.0.0.1:80"},
		{"IPv6", nil, &http.Request{Host: "[::1]"}, "http://[::1]"},
		{"IPv6 and a port", nil, &http.Request{Host: "[fe80::1]:8080"}, "http://[fe80::1]:8080"},
		{"underscore", nil, &http.Request{Host: "user_service"}, "http://user_service"},
		{"no request", nil, nil, ""},
		{"X-Forwarded is not read", nil, &http.Request{Host: "example.com", Header: http.Header{
			"X-Forwarded-Host": {"evil.com"}, "X-Forwarded-Proto": {"https"}, "Forwarded": {"host=evil.com"}}}, "http://example.com"},
		{"Origin", &verso.LinkConfig{Origin: "https://api.example.com"}, insecure, "https://api.example.com"},
		{"Origin with a path", &verso.LinkConfig{Origin: "https://example.com/api"}, insecure, "https://example.com/api"},
		{"Origin, no request", &verso.LinkConfig{Origin: "https://api.example.com"}, nil, "https://api.example.com"},
		{"OriginFunc", &verso.LinkConfig{OriginFunc: api}, insecure, "https://api.example.com"},
		{"OriginFunc returns none", &verso.LinkConfig{OriginFunc: ofRequest}, secure, "https://example.com"},
		{"OriginFunc, no request", &verso.LinkConfig{OriginFunc: api}, nil, ""},
		{"Relative", &verso.LinkConfig{Relative: true}, insecure, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := build(test.links, test.request)
			if want := test.want + "/users/7"; err != nil || got != want {
				t.Errorf("built %q, %v, want %q", got, err, want)
			}
		})
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
		"::1", "[::1", "::1]", "[]", "[]:80", "[::1]x", "[::1]80", "[::1]:", "[::1]:x", "[[::1]]", "[::1%25eth0]", "[evil.com]", "x[::1]",
		"%65vil.com", "é.com", "\xff.com", "a,b", "a;b", "a'b", `a"b`, "<script>", "a&b", "a=b", "a*b", "a(b)", "a|b", "{a}", "a^b", "a`b",
	}
	for _, host := range hosts {
		t.Run(host, func(t *testing.T) {
			if got, err := build(nil, &http.Request{Host: host}); got != "/users/7" || err != nil {
				t.Errorf("built %q, %v, want a relative URL", got, err)
			}
		})
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
			links := &verso.LinkConfig{TrustedHosts: strings.Fields(test.trusted)}
			if got, err := build(links, &http.Request{Host: test.host}); err != nil || got != want {
				t.Errorf("built %q, %v, want %q", got, err, want)
			}
		})
	}
}

// wrongOrigins are texts that no URL may begin with.
var wrongOrigins = []string{
	"example.com", "//example.com", "/", "https:", "https://", "https:example.com", "https:///users",
	"ftp://example.com", "javascript:alert(1)", "https://example.com/", "https://example.com/api/", "https://user@example.com", "https://u:p@example.com",
	"https://example.com?", "https://example.com?a=b", "https://example.com#", "https://example.com#a",
	"https://example.com:99999999", "https://example.com:x", "https://[::1", "https://a b", "https://example.com\r\nX: y", "https://é.com", " https://example.com",
}

func TestOriginFuncReturnsNonsense(t *testing.T) {
	for _, origin := range wrongOrigins {
		t.Run(origin, func(t *testing.T) {
			links := &verso.LinkConfig{OriginFunc: func(*http.Request) string { return origin }}
			got, err := build(links, &http.Request{Host: "example.com"})
			want := fmt.Sprintf("verso: OriginFunc: origin %q: write it like https://api.example.com, without a slash at the end", origin)
			if got != "" || err == nil || err.Error() != want {
				t.Errorf("built %q, %v, want the error %s", got, err, want)
			}
		})
	}
	links := &verso.LinkConfig{OriginFunc: func(*http.Request) string { return "https://evil.com" }, TrustedHosts: []string{"example.com"}}
	got, err := build(links, &http.Request{Host: "example.com"})
	if want := `verso: OriginFunc: the host of origin "https://evil.com" is not among the trusted hosts: add it`; got != "" || err == nil || err.Error() != want {
		t.Errorf("built %q, %v, want the error %s", got, err, want)
	}
}

func TestLinkConfigErrors(t *testing.T) {
	origin := func(*http.Request) string { return "" }
	type test struct {
		name  string
		links verso.LinkConfig
		want  string
	}
	tests := []test{
		{"two origins", verso.LinkConfig{Origin: "https://a.com", OriginFunc: origin}, "both Origin and OriginFunc are set: remove one"},
		{"relative, Origin", verso.LinkConfig{Origin: "https://a.com", Relative: true}, "URLs are Relative, but an origin is set: remove one"},
		{"relative, OriginFunc", verso.LinkConfig{OriginFunc: origin, Relative: true}, "URLs are Relative, but an origin is set: remove one"},
		{"untrusted origin", verso.LinkConfig{Origin: "https://a.com", TrustedHosts: []string{"b.com"}},
			`the host of origin "https://a.com" is not among the trusted hosts: add it`},
	}
	for _, host := range []string{"", "*", "*.", "https://a.com", "a.*.com", "a.com/", "a b", "a:x", "**.a.com"} {
		tests = append(tests, test{"trusted host " + host, verso.LinkConfig{TrustedHosts: []string{"a.com", host}},
			fmt.Sprintf("trusted host %q is no host: write it like api.example.com or *.example.com", host)})
	}
	for _, origin := range wrongOrigins {
		tests = append(tests, test{"origin " + origin, verso.LinkConfig{Origin: origin},
			fmt.Sprintf("origin %q: write it like https://api.example.com, without a slash at the end", origin)})
	}
	scheme := verso.Must(verso.NewURLPath(verso.Settings{}))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := verso.NewVersioning(verso.VersioningConfig{Scheme: scheme, Links: test.links})
			if err == nil || !strings.HasSuffix(err.Error(), ": "+test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestLinkConfig(t *testing.T) {
	for name, links := range map[string]verso.LinkConfig{
		"zero":           {},
		"relative":       {Relative: true},
		"http":           {Origin: "http://example.com"},
		"https":          {Origin: "https://example.com:8080/api"},
		"trusted hosts":  {TrustedHosts: []string{"example.com", "*.example.com", "example.com:80", "[::1]"}},
		"trusted origin": {Origin: "https://api.example.com", TrustedHosts: []string{"*.example.com"}},
		"OriginFunc":     {OriginFunc: func(*http.Request) string { return "" }},
	} {
		if err := links.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTableReverser(t *testing.T) {
	reverser := &verso.TableReverser{
		Table: route.NewTable(
			route.Route{Name: "user", Pattern: route.Colons("/users/:id")},
			route.Route{Name: "user", Pattern: route.Braces("/users/{id}.{format}")},
			route.Route{Name: "list", Pattern: route.Colons("/users")},
			route.Route{Name: "list", Pattern: route.Colons("/staff"), Host: "admin.example.com:8080"},
			route.Route{Name: "stock", Pattern: route.Colons("/stock"), Host: "shop.example.com"},
		),
		Request: &http.Request{Host: "example.com"},
	}
	id := verso.Kwargs{"id": 7}
	const origin = "http://example.com"
	tests := []struct {
		name   string
		target verso.Target
		want   string // the URL
		err    error
	}{
		{"named arguments", verso.Target{Name: "user", Kwargs: id}, origin + "/users/7", nil},
		{"positional arguments", verso.Target{Name: "user", Args: []any{7}}, origin + "/users/7", nil},
		{"format", verso.Target{Name: "user", Kwargs: id, Format: "json"}, origin + "/users/7.json", nil},
		{"format twice", verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7, "format": "xml"}, Format: "json"}, origin + "/users/7.json", nil},
		{"format that is not taken", verso.Target{Name: "list", Format: "json"}, "", verso.ErrNoReverseMatch},
		{"format and positional arguments", verso.Target{Name: "user", Args: []any{7}, Format: "json"}, "", verso.ErrMixedArguments},
		{"query", verso.Target{Name: "list", Query: url.Values{"q": {"a b&c"}, "page": {"2", "3"}}}, origin + "/users?page=2&page=3&q=a+b%26c", nil},
		{"empty query", verso.Target{Name: "list", Query: url.Values{}}, origin + "/users", nil},
		{"fragment", verso.Target{Name: "list", Fragment: "a b#é"}, origin + "/users#a%20b%23%C3%A9", nil},
		{"query and fragment", verso.Target{Name: "list", Query: url.Values{"a": {""}}, Fragment: "b"}, origin + "/users?a=#b", nil},
		{"route of another host", verso.Target{Name: "stock"}, "http://shop.example.com/stock", nil},
		{"version is not the reverser's", verso.Target{Name: "list", Version: verso.V("v2")}, origin + "/users", nil},
		{"unknown", verso.Target{Name: "users"}, "", verso.ErrNoReverseMatch},
		{"missing argument", verso.Target{Name: "user"}, "", verso.ErrNoReverseMatch},
		{"nil argument", verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": nil}}, "", verso.ErrNoReverseMatch},
		{"mixed", verso.Target{Name: "user", Args: []any{7}, Kwargs: id}, "", verso.ErrMixedArguments},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := reverser.Reverse(nil, test.target)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("built %q, %v, want %q, %v", got, err, test.want, test.err)
			}
		})
	}
	if len(id) != 1 {
		t.Errorf("the caller's arguments became %v", id)
	}

	got, err := reverser.Reverse(nil, verso.Target{Name: "list", Extra: map[string]any{"a": 1}})
	if want := "verso: the built-in reverser takes no Extra: remove it, or give a Reverser of your own"; got != "" || err == nil || err.Error() != want {
		t.Errorf("Extra: %q, %v, want %s", got, err, want)
	}
	reverser.Request = &http.Request{Host: "admin.example.com:8080"}
	if got, err := reverser.Reverse(nil, verso.Target{Name: "list"}); got != "http://admin.example.com:8080/staff" || err != nil {
		t.Errorf("route of the host: %q, %v", got, err)
	}
	reverser.Links = &verso.LinkConfig{TrustedHosts: []string{"*.example.com:8080", "admin.example.com"}}
	if got, err := reverser.Reverse(nil, verso.Target{Name: "stock"}); got != "/stock" || err != nil {
		t.Errorf("route of a host that is not trusted: %q, %v, want a relative URL", got, err)
	}
}

// build builds the URL of /users/7.
func build(links *verso.LinkConfig, r *http.Request) (string, error) {
	reverser := &verso.TableReverser{
		Table:   route.NewTable(route.Route{Name: "user", Pattern: route.Colons("/users/:id")}),
		Links:   links,
		Request: r,
	}
	return reverser.Reverse(nil, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}})
}
