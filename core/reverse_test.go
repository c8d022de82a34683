package verso_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

func TestReverseOfSchemes(t *testing.T) {
	none, v1, v2 := verso.Version{}, verso.V("v1"), verso.V("v2")
	path := verso.Must(verso.NewURLPath(verso.Settings{VersionParam: "ver", AllowedVersions: []string{"v1"}}))
	namespace := verso.Must(verso.NewNamespace(verso.Settings{}))
	query := verso.Must(verso.NewQueryParameter(verso.Settings{VersionParam: "ver"}))
	accept := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	host := verso.Must(verso.NewHostName(verso.Settings{}, ""))
	own := verso.Kwargs{"id": 7}
	tests := []struct {
		name       string
		scheme     verso.Scheme
		request    verso.Version // of the request
		target     verso.Version
		kwargs     verso.Kwargs
		wantName   string
		wantKwargs verso.Kwargs
		wantURL    string
	}{
		{"path", path, v1, none, own, "user", verso.Kwargs{"id": 7, "ver": "v1"}, "/u?a=1"},
		{"path, none", path, none, none, own, "user", own, "/u?a=1"},
		{"path, empty", path, verso.V(""), none, own, "user", verso.Kwargs{"id": 7, "ver": ""}, "/u?a=1"},
		{"path, no arguments", path, v1, none, nil, "user", verso.Kwargs{"ver": "v1"}, "/u?a=1"},
		{"path, of the target", path, v1, v2, own, "user", verso.Kwargs{"id": 7, "ver": "v2"}, "/u?a=1"},
		{"path, of the target, none of the request", path, none, v2, own, "user", verso.Kwargs{"id": 7, "ver": "v2"}, "/u?a=1"},
		{"path, the caller's argument", path, v1, none, verso.Kwargs{"ver": 3}, "user", verso.Kwargs{"ver": 3}, "/u?a=1"},
		{"path, the caller's argument and the target", path, v1, v2, verso.Kwargs{"ver": 3}, "user", verso.Kwargs{"ver": 3}, "/u?a=1"},
		{"namespace", namespace, v1, none, own, "v1:user", own, "/u?a=1"},
		{"namespace, none", namespace, none, none, own, "user", own, "/u?a=1"},
		{"namespace, empty", namespace, verso.V(""), none, own, ":user", own, "/u?a=1"},
		{"namespace, of the target", namespace, v1, v2, own, "v2:user", own, "/u?a=1"},
		{"query", query, v1, none, own, "user", own, "/u?a=1&ver=v1"},
		{"query, none", query, none, none, own, "user", own, "/u?a=1"},
		{"query, empty", query, verso.V(""), none, own, "user", own, "/u?a=1&ver="},
		{"query, escaped", query, verso.V("a&b#c"), none, own, "user", own, "/u?a=1&ver=a%26b%23c"},
		{"query, of the target", query, v1, v2, own, "user", own, "/u?a=1&ver=v2"},
		{"accept", accept, v1, none, own, "user", own, "/u?a=1"},
		{"accept, of the target", accept, v1, v2, own, "user", own, "/u?a=1"},
		{"host", host, v1, none, own, "user", own, "/u?a=1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reverser := &stubReverser{url: "/u?a=1"}
			before := maps.Clone(test.kwargs)
			got, err := test.scheme.Reverse(&request{version: test.request}, reverser,
				verso.Target{Name: "user", Kwargs: test.kwargs, Version: test.target})
			if err != nil || got != test.wantURL {
				t.Errorf("reversed %q, %v, want %q", got, err, test.wantURL)
			}
			if len(reverser.targets) != 1 || reverser.targets[0].Name != test.wantName || !maps.Equal(reverser.targets[0].Kwargs, test.wantKwargs) {
				t.Errorf("the reverser was asked for %+v, want %q with %v", reverser.targets, test.wantName, test.wantKwargs)
			}
			if !maps.Equal(test.kwargs, before) {
				t.Errorf("the caller's arguments became %v", test.kwargs)
			}
		})
	}
}

// Outside of a request there is no version but that of the target.
func TestReverseWithoutRequest(t *testing.T) {
	for name, construct := range constructors() {
		scheme, err := construct(verso.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		reverser := &stubReverser{url: "http://v1.example.com/u"}
		if got, err := scheme.Reverse(nil, reverser, verso.Target{Name: "user"}); got != reverser.url || err != nil {
			t.Errorf("%s: reversed %q, %v, want it unchanged", name, got, err)
		}
		if _, err := scheme.Reverse(nil, reverser, verso.Target{Name: "user", Version: verso.V("v2")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReverseHostInVersion(t *testing.T) {
	const (
		refused = "(refused)"
		prefix  = `([a-z0-9-]+)\.api\.example\.com`
	)
	tests := []struct {
		name, pattern, url, version, want string
	}{
		{"path", "", "http://v1.example.com/u", "v2", "http://v2.example.com/u"},
		{"https", "", "https://v1.example.com/u", "v2", "https://v2.example.com/u"},
		{"port", "", "http://v1.example.com:8080/u", "v2", "http://v2.example.com:8080/u"},
		{"no path", "", "http://v1.example.com", "v2", "http://v2.example.com"},
		{"query behind the host", "", "http://v1.example.com?u=http://a.b.c/", "v2", "http://v2.example.com?u=http://a.b.c/"},
		{"fragment behind the host", "", "http://v1.example.com#/", "v2", "http://v2.example.com#/"},
		{"the same version", "", "http://v1.example.com/u", "v1", "http://v1.example.com/u"},
		{"longer version", "", "http://v1.example.com/u", "2026", "http://2026.example.com/u"},
		{"whatever stands first", "", "http://api.example.com/u", "v2", "http://v2.example.com/u"},
		{"own pattern", prefix, "http://v1.api.example.com:80/u", "v-2", "http://v-2.api.example.com:80/u"},
		{"own pattern, in the middle", `api\.(v[0-9]+)\.example\.com`, "http://api.v1.example.com/u", "v2", "http://api.v2.example.com/u"},
		{"own pattern, at the end", `api\.example\.([a-z]+)`, "http://api.example.com/u", "org", "http://api.example.org/u"},

		{"relative", "", "/u", "v2", refused},
		{"relative to the scheme", "", "//v1.example.com/u", "v2", refused},
		{"relative, a URL in the query", "", "/u?next=http://v1.example.com", "v2", refused},
		{"empty", "", "", "v2", refused},
		{"too few labels", "", "http://example.com/u", "v2", refused},
		{"too many labels", "", "http://v1.api.example.com/u", "v2", refused},
		{"IPv4", "", "http://127.0.0.1/u", "v2", refused},
		{"IPv6", "", "http://[::1]:80/u", "v2", refused},
		{"IPv6, own pattern", `(.*)`, "http://[::1]:80/u", "v2", refused},
		{"userinfo", "", "http://a.b.c:x@example.com/u", "v2", refused},
		{"own pattern does not match", prefix, "http://v1.example.com/u", "v2", refused},
		{"own pattern, no version in the host", `(?:(v[0-9]+)\.)?example\.com`, "http://example.com/u", "v2", refused},
		{"own pattern, another version", `(v1)\.example\.com`, "http://v1.example.com/u", "v2", refused},
		{"own pattern, part of the version", `(v[0-9])[0-9]*\.example\.com`, "http://v1.example.com/u", "v22", refused},
		{"own pattern, empty version and no match", `(v[0-9]+)example\.com`, "http://v1example.com/u", "", refused},
		{"own pattern, empty version and no group", `(v[0-9]+)?example\.com`, "http://v1example.com/u", "", refused},
		{"empty version", "", "http://v1.example.com/u", "", refused},
		{"version with a hyphen", "", "http://v1.example.com/u", "v-2", refused},
		{"version with a dot", "", "http://v1.example.com/u", "v2.x", refused},
		{"version with a colon", "", "http://v1.example.com/u", "v2:80", refused},
		{"version beyond ASCII", "", "http://v1.example.com/u", "vé", refused},
		{"version is another host", `(.+)\.example\.com`, "http://v1.example.com/u", "evil.com/", refused},
		{"version is a user", `(.+)\.example\.com`, "http://v1.example.com/u", "user@evil", refused},
		{"version with a space", `(.+)\.example\.com`, "http://v1.example.com/u", "a b", refused},
		{"version with a line break", `((?s).+)\.example\.com`, "http://v1.example.com/u", "a\r\nb", refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scheme, err := verso.NewHostName(verso.Settings{}, test.pattern)
			if err != nil {
				t.Fatal(err)
			}
			reverser := &stubReverser{url: test.url}
			got, err := verso.Reverse(scheme, &request{version: verso.V("v1")}, reverser, verso.Target{Name: "user", Version: verso.V(test.version)})
			if errors.Is(err, verso.ErrNoReverseMatch) {
				got += refused
			}
			if got != test.want {
				t.Errorf("reversed %q, %v, want %q", got, err, test.want)
			}
			if len(reverser.targets) != 1 {
				t.Errorf("%d tries, want 1", len(reverser.targets))
			}
		})
	}
}

func TestReverseHostInVersionErrors(t *testing.T) {
	scheme := verso.Must(verso.NewHostName(verso.Settings{}, ""))
	for built, want := range map[string]string{
		"/u":                   `no reverse match: the relative URL "/u" has no host to carry version "v-2": set an origin`,
		"http://example.com/u": `no reverse match: host "example.com" has no place for a version in the pattern of HostNameVersioning`,
		"http://a.b.c/u":       `no reverse match: version "v-2" cannot stand in host "a.b.c"`,
	} {
		got, err := scheme.Reverse(&request{}, &stubReverser{url: built}, verso.Target{Version: verso.V("v-2")})
		if got != "" || err == nil || err.Error() != want {
			t.Errorf("%s: reversed %q, %v, want %s", built, got, err, want)
		}
	}
}

func TestReverse(t *testing.T) {
	noMatch := fmt.Errorf("%w: first", verso.ErrNoReverseMatch)
	second := fmt.Errorf("%w: second", verso.ErrNoReverseMatch)
	other := errors.New("out of order")
	v1, none := verso.V("v1"), verso.Version{}
	namespace := verso.Must(verso.NewNamespace(verso.Settings{}))
	tests := []struct {
		name            string
		scheme          verso.Scheme
		request, target verso.Version
		errs            []error
		wantNames       []string // what the reverser is asked for
		wantErrs        []error
	}{
		{"found", namespace, v1, none, nil, []string{"v1:user"}, nil},
		{"found without the version", namespace, v1, none, []error{noMatch}, []string{"v1:user", "user"}, nil},
		{"found in neither", namespace, v1, none, []error{noMatch, second}, []string{"v1:user", "user"}, []error{noMatch, second, verso.ErrNoReverseMatch}},
		{"another error", namespace, v1, none, []error{other}, []string{"v1:user"}, []error{other}},
		{"another error at the second try", namespace, v1, none, []error{noMatch, other}, []string{"v1:user", "user"}, []error{other}},
		{"mixed arguments", namespace, v1, none, []error{verso.ErrMixedArguments}, []string{"v1:user"}, []error{verso.ErrMixedArguments}},
		{"explicit version", namespace, none, v1, []error{noMatch}, []string{"v1:user"}, []error{noMatch}},
		{"explicit version, the request's too", namespace, v1, v1, []error{noMatch}, []string{"v1:user"}, []error{noMatch}},
		{"no scheme", nil, v1, none, nil, []string{"user"}, nil},
		{"no scheme, no route", nil, v1, none, []error{noMatch}, []string{"user"}, []error{noMatch}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reverser := &stubReverser{url: "/u", errs: test.errs}
			got, err := verso.Reverse(test.scheme, &request{version: test.request}, reverser, verso.Target{Name: "user", Version: test.target})
			if (err == nil) != (test.wantErrs == nil) || err == nil && got != "/u" || err != nil && got != "" {
				t.Errorf("reversed %q, %v", got, err)
			}
			for _, want := range test.wantErrs {
				if !errors.Is(err, want) {
					t.Errorf("error %v does not match %v", err, want)
				}
			}
			var names []string
			for _, target := range reverser.targets {
				names = append(names, target.Name)
			}
			if !slices.Equal(names, test.wantNames) {
				t.Errorf("the reverser was asked for %q, want %q", names, test.wantNames)
			}
		})
	}
}

// Each scheme asks its question of a table of the given size: an absolute URL
// with two named arguments.
func BenchmarkReverse(b *testing.B) {
	for _, routes := range []int{10, 200, 10_000} {
		table := tableOf(routes)
		for _, scheme := range []struct {
			name   string
			scheme verso.Scheme
			prefix string // of the route's name
		}{
			{"accept_header", verso.Must(verso.NewAcceptHeader(verso.Settings{})), "plain"},
			{"url_path", verso.Must(verso.NewURLPath(verso.Settings{})), "path"},
			{"namespace", verso.Must(verso.NewNamespace(verso.Settings{})), "plain"},
			{"hostname", verso.Must(verso.NewHostName(verso.Settings{}, "")), "plain"},
			{"query_parameter", verso.Must(verso.NewQueryParameter(verso.Settings{})), "plain"},
		} {
			b.Run(scheme.name+"/"+strconv.Itoa(routes), func(b *testing.B) {
				r := &request{version: verso.V("v1")}
				reverser := &verso.TableReverser{Table: table, Request: &http.Request{Host: "v1.example.com"}}
				target := verso.Target{
					Name:   scheme.prefix + strconv.Itoa(routes/2),
					Kwargs: verso.Kwargs{"user": 4711, "order": "2026-000017"},
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := verso.Reverse(scheme.scheme, r, reverser, target); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func ExampleReverse() {
	reverser := &verso.TableReverser{
		Table: route.NewTable(
			route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")},
			route.Route{Name: "health", Pattern: route.Braces("/health")},
		),
		Request: &http.Request{Host: "api.example.com"},
	}
	scheme := verso.Must(verso.NewURLPath(verso.Settings{}))
	r := &request{version: verso.V("v1")}

	user := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}
	fmt.Println(verso.Reverse(scheme, r, reverser, user))
	user.Version = verso.V("v2")
	fmt.Println(verso.Reverse(scheme, r, reverser, user))
	fmt.Println(verso.Reverse(scheme, r, reverser, verso.Target{Name: "health"}))
	// Output:
	// http://api.example.com/v1/users/7 <nil>
	// http://api.example.com/v2/users/7 <nil>
	// http://api.example.com/health <nil>
}

// The host scheme puts the version of a target in place of the request's.
func ExampleHostName_Reverse() {
	reverser := &verso.TableReverser{
		Table:   route.NewTable(route.Route{Name: "user", Pattern: route.Colons("/users/:id")}),
		Request: &http.Request{Host: "v1.example.com:8080"},
	}
	scheme := verso.Must(verso.NewHostName(verso.Settings{}, ""))
	target := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")}
	fmt.Println(scheme.Reverse(&request{version: verso.V("v1")}, reverser, target))
	// Output: http://v2.example.com:8080/users/7 <nil>
}

// stubReverser fails with errs, one after the other, and then returns url.
type stubReverser struct {
	url     string
	errs    []error
	targets []verso.Target // what it was asked for
}

func (s *stubReverser) Reverse(_ verso.Request, target verso.Target) (string, error) {
	s.targets = append(s.targets, target)
	if len(s.errs) > 0 {
		err := s.errs[0]
		s.errs = s.errs[1:]
		return "", err
	}
	return s.url, nil
}

// tableOf returns a table of n routes for each scheme: plain0, v1:plain0 and
// path0, plain1, ...
func tableOf(n int) *route.Table {
	var routes []route.Route
	for i := range n {
		number := strconv.Itoa(i)
		rest := "/" + number + "/users/:user/orders/:order"
		routes = append(routes,
			route.Route{Name: "plain" + number, Pattern: route.Colons(rest)},
			route.Route{Name: "v1:plain" + number, Pattern: route.Colons("/v1" + rest)},
			route.Route{Name: "path" + number, Pattern: route.Colons("/:version" + rest)},
		)
	}
	return route.NewTable(routes...)
}
