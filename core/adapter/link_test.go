package adapter_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestLink(t *testing.T) {
	routes := []route.Route{
		{Name: "user", Pattern: route.Colons("/users/:id")}, {Name: "user", Pattern: route.Braces("/users/{id}.{format}")},
		{Name: "list", Pattern: route.Colons("/users")}, {Name: "list", Pattern: route.Colons("/staff"), Host: "admin.example.com:8080"},
		{Name: "stock", Pattern: route.Colons("/stock"), Host: "shop.example.com"}, {Name: "wrong", Pattern: route.Colons("/:from-:to")},
		{Name: "slashes", Pattern: verso.Must(route.NewPattern("//evil.com/", route.Escaped("//evil.com/")))},
	}
	id := verso.Params{"id": 7}
	const origin = "http://example.com"
	tests := []struct {
		name   string
		target verso.Target
		want   string // the URL
		err    error
	}{
		{"named parameters", verso.Target{Name: "user", Params: id}, origin + "/users/7", nil},
		{"positional parameters", verso.Target{Name: "user", Args: []any{7}}, origin + "/users/7", nil},
		{"format", verso.Target{Name: "user", Params: id, Format: "json"}, origin + "/users/7.json", nil},
		{"format twice", verso.Target{Name: "user", Params: verso.Params{"id": 7, "format": "xml"}, Format: "json"}, origin + "/users/7.json", nil},
		{"format that is not taken", verso.Target{Name: "list", Format: "json"}, "", verso.ErrNoReverseMatch},
		{"format and positional parameters", verso.Target{Name: "user", Args: []any{7}, Format: "json"}, "", verso.ErrMixedParams},
		{"query", verso.Target{Name: "list", Query: url.Values{"q": {"a b&c"}, "page": {"2", "3"}}}, origin + "/users?page=2&page=3&q=a+b%26c", nil},
		{"empty query", verso.Target{Name: "list", Query: url.Values{}}, origin + "/users", nil},
		{"fragment", verso.Target{Name: "list", Fragment: "a b#é"}, origin + "/users#a%20b%23%C3%A9", nil},
		{"query and fragment", verso.Target{Name: "list", Query: url.Values{"a": {""}}, Fragment: "b"}, origin + "/users?a=#b", nil},
		{"route of another host", verso.Target{Name: "stock"}, "http://shop.example.com/stock", nil},
		{"unknown", verso.Target{Name: "users"}, "", verso.ErrNoReverseMatch},
		{"missing parameter", verso.Target{Name: "user"}, "", verso.ErrNoReverseMatch},
		{"nil parameter", verso.Target{Name: "user", Params: verso.Params{"id": nil}}, "", verso.ErrNoReverseMatch},
		{"mixed", verso.Target{Name: "user", Args: []any{7}, Params: id}, "", verso.ErrMixedParams},
		{"pattern that is not understood", verso.Target{Name: "wrong", Params: verso.Params{"from": 1, "to": 2}}, "", verso.ErrPattern},
		{"version that is served", verso.Target{Name: "list", Version: verso.V("v2")}, origin + "/users", nil},
		{"version that is not", verso.Target{Name: "list", Version: verso.V("v9")}, "", verso.ErrUnknownVersion},
	}
	api := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1", "v2")), routes...)
	r := coretest.Ask{Host: "example.com", Header: coretest.Field("v1").Header}.Request()
	result, _ := coretest.Decided(t, api, r)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := adapter.LinkFor(result, r, test.target)
			if got != test.want || !errors.Is(err, test.err) || test.want == "" && err == nil {
				t.Errorf("built %q, %v, want %q, %v", got, err, test.want, test.err)
			}
		})
	}
	if len(id) != 1 {
		t.Errorf("the caller's parameters became %v", id)
	}
	admin := coretest.Host("admin.example.com:8080").Request()
	if got, err := adapter.LinkFor(result, admin, verso.Target{Name: "list"}); got != "http://admin.example.com:8080/staff" || err != nil {
		t.Errorf("route of the host: %q, %v", got, err)
	}
	if got, err := api.Link(verso.Target{Name: "slashes"}); got != "" || err == nil || !strings.Contains(err.Error(), "begins with two slashes") {
		t.Errorf("relative to another host: %q, %v", got, err)
	}
	if got, err := api.Link(verso.Target{Name: "list"}); got != "/users" || err != nil {
		t.Errorf("outside of a request: %q, %v", got, err)
	}
	narrow := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.TrustedHosts = []string{"admin.example.com"} }))), routes...)
	if got, err := narrow.Reverse(admin, verso.Version{}, verso.Target{Name: "stock"}); got != "/stock" || err != nil {
		t.Errorf("route of a host that is not trusted: %q, %v, want a relative URL", got, err)
	}
}

// What each source writes.
func TestSourcesWrite(t *testing.T) {
	path, query := verso.PathParam("ver"), verso.QueryParam("ver")
	none := [2]string{}
	tests := []struct {
		name    string
		source  source.Source
		version string

		wantName                         string
		wantParam, wantQuery, wantHeader [2]string
	}{
		{"path", path, "v1", "user", [2]string{"ver", "v1"}, none, none},
		{"path, empty", path, "", "user", [2]string{"ver", ""}, none, none},
		{"namespace", verso.Namespace(), "v1", "v1:user", none, none, none},
		{"namespace, empty", verso.Namespace(), "", ":user", none, none, none},
		{"query", query, "v1", "user", none, [2]string{"ver", "v1"}, none},
		{"query, empty", query, "", "user", none, [2]string{"ver", ""}, none},
		{"header", verso.Header("Api-Version"), "v1", "user", none, none, [2]string{"Api-Version", "v1"}},
		{"accept", verso.AcceptParam("v"), "v1", "user", none, none, [2]string{"Accept", "*/*; v=v1"}},
		{"media type", verso.MediaType(coretest.Vendor), "v1", "user", none, none, [2]string{"Accept", "application/vnd.acme.v1+json"}},
		{"host", verso.HostLabel(""), "v1", "user", none, none, none},
		{"several", verso.First(verso.Header("Api-Version"), query), "v1", "user", none, [2]string{"ver", "v1"}, none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			written, err := test.source.Write(source.Written{}, verso.V(test.version))
			if err != nil {
				t.Fatal(err)
			}
			param, value := written.Param()
			query, queried := written.Query()
			header, line := written.Header()
			if written.Name("user") != test.wantName || [2]string{param, value} != test.wantParam || [2]string{query, queried} != test.wantQuery || [2]string{header, line} != test.wantHeader {
				t.Errorf("wrote %q, parameter %q %q, query %q %q, header %q %q", written.Name("user"), param, value, query, queried, header, line)
			}
		})
	}
}

func TestLinkMovesTheHost(t *testing.T) {
	const (
		refused = "(no link)"
		prefix  = `([a-z0-9-]+)\.api\.example\.com`
	)
	tests := []struct {
		name, pattern, origin, version, want string
	}{
		{"http", "", "http://v1.example.com", "v2", "http://v2.example.com"},
		{"https", "", "https://v1.example.com", "v2", "https://v2.example.com"},
		{"port", "", "http://v1.example.com:8080", "v2", "http://v2.example.com:8080"},
		{"path", "", "http://v1.example.com/api", "v2", "http://v2.example.com/api"},
		{"the same version", "", "http://v1.example.com", "v1", "http://v1.example.com"},
		{"longer version", "", "http://v1.example.com", "2026", "http://2026.example.com"},
		{"whatever is first", "", "http://api.example.com", "v2", "http://v2.example.com"},
		{"own pattern", prefix, "http://v1.api.example.com:80", "v-2", "http://v-2.api.example.com:80"},
		{"own pattern, in the middle", `api\.(v[0-9]+)\.example\.com`, "http://api.v1.example.com", "v2", "http://api.v2.example.com"},
		{"own pattern, at the end", `api\.example\.([a-z]+)`, "http://api.example.com", "org", "http://api.example.org"},

		{"relative", "", "", "v2", refused},
		{"too few labels", "", "http://example.com", "v2", refused},
		{"too many labels", "", "http://v1.api.example.com", "v2", refused},
		{"IPv4", "", "http://127.0.0.1", "v2", refused},
		{"IPv6", "", "http://[::1]:80", "v2", refused},
		{"IPv6, own pattern", `(.*)`, "http://[::1]:80", "v2", refused},
		{"own pattern does not match", prefix, "http://v1.example.com", "v2", refused},
		{"own pattern, no version in the host", `(?:(v[0-9]+)\.)?example\.com`, "http://example.com", "v2", refused},
		{"own pattern, another version", `(v1)\.example\.com`, "http://v1.example.com", "v2", refused},
		{"own pattern, part of the version", `(v[0-9])[0-9]*\.example\.com`, "http://v1.example.com", "v22", refused},
		{"own pattern, empty version and no match", `(v[0-9]+)example\.com`, "http://v1example.com", "", refused},
		{"own pattern, empty version and no group", `(v[0-9]+)?example\.com`, "http://v1example.com", "", refused},
		{"own pattern, becomes a number", `example\.([a-z0-9]+)`, "http://example.com", "127", refused},
		{"empty version", "", "http://v1.example.com", "", refused},
		{"version with a hyphen", "", "http://v1.example.com", "v-2", refused},
		{"version with a dot", "", "http://v1.example.com", "v2.x", refused},
		{"version with a colon", "", "http://v1.example.com", "v2:80", refused},
		{"version beyond ASCII", "", "http://v1.example.com", "vé", refused},
		{"version is another host", `(.+)\.example\.com`, "http://v1.example.com", "evil.com/", refused},
		{"version is a user", `(.+)\.example\.com`, "http://v1.example.com", "user@evil", refused},
		{"version with a space", `(.+)\.example\.com`, "http://v1.example.com", "a b", refused},
		{"version with a line break", `((?s).+)\.example\.com`, "http://v1.example.com", "a\r\nb", refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := verso.Config{AnyVersion: true, Links: verso.LinkConfig{Origin: test.origin}}
			api := coretest.Bound(verso.MustNew(verso.HostLabel(test.pattern), config), coretest.Users)
			got, err := api.Link(verso.Target{Name: "users", Version: verso.V(test.version)})
			if errors.Is(err, verso.ErrNoReverseMatch) {
				got += refused + "/users"
			}
			if got != test.want+"/users" {
				t.Errorf("built %q, %v, want %q", got, err, test.want)
			}
		})
	}
	for origin, want := range map[string]string{
		"":                   `verso: no reverse match: a relative URL has no host to carry version "v-2": set an origin`,
		"http://example.com": `verso: no reverse match: host "example.com" has no place for a version in the host pattern`,
		"http://a.b.c":       `verso: no reverse match: version "v-2" cannot be in host "a.b.c"`,
	} {
		api := coretest.Bound(verso.Must(scheme.NewHostName("", verso.Config{AnyVersion: true, Links: verso.LinkConfig{Origin: origin}})), coretest.Users)
		if got, err := api.Link(verso.Target{Name: "users", Version: verso.V("v-2")}); got != "" || err == nil || err.Error() != want {
			t.Errorf("%s: built %q, %v, want %s", origin, got, err, want)
		}
	}
}

func TestLinkTrustsOneHost(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2", "v3"), func(c *verso.Config) { c.Links.TrustedHosts = []string{"v1.example.com", "v2.example.com"} })
	api := coretest.Bound(verso.Must(scheme.NewHostName("", config)), coretest.Users)
	r := coretest.Host("v1.example.com:8080").Request()
	for version, want := range map[string]string{"": "http://v1.example.com:8080/users", "v2": "http://v2.example.com:8080/users"} {
		target := verso.Target{Name: "users"}
		if version != "" {
			target.Version = verso.V(version)
		}
		if got, err := api.Reverse(r, verso.V("v1"), target); got != want || err != nil {
			t.Errorf("%q: built %q, %v", version, got, err)
		}
	}
	got, err := api.Reverse(r, verso.V("v1"), verso.Target{Name: "users", Version: verso.V("v3")})
	if want := `verso: host "v3.example.com:8080" of the URL in version "v3" is not among the TrustedHosts: add it`; got != "" || err == nil || err.Error() != want {
		t.Errorf("built %q, %v, want %s", got, err, want)
	}
}

// The namespace of a version may be nested, and others may be nested in it: links lead to the
// same name in the version, also those to the successor.
func TestLinkInNestedNamespaces(t *testing.T) {
	var routes []route.Route
	for _, name := range []string{"api:v1:user", "api:v2:user", "v1:admin:user", "v2:admin:user", "a:b:v1:c:user", "a:b:v2:c:user", "v1:user", "v2:user"} {
		routes = append(routes, route.Route{Name: name, Method: "GET", Path: "/" + name, Pattern: route.Colons("/" + strings.ReplaceAll(name, ":", "/") + "/:id")})
	}
	b := coretest.Bound(verso.MustNew(verso.Namespace(), verso.Config{Links: verso.LinkConfig{Relative: true}, Clock: func() time.Time { return coretest.Date(2026, 6, 1) }, Catalogue: catalogue.MustNew(catalogue.Config{
		SuccessorLinks: true, Versions: []catalogue.Entry{{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Sunset: coretest.Date(2027, 1, 1), Successor: "v2"}, {Version: "v2"}},
	})}), routes...)
	for _, f := range b.Explain().Findings {
		if f.Code == "successor_unlinked" {
			t.Errorf("%v", f)
		}
	}
	for at, name := range map[string]string{"api:v1:user": "api:user", "v1:admin:user": "admin:user", "a:b:v1:c:user": "a:b:c:user", "v1:user": "user"} {
		a := coretest.Ask{Params: map[string]string{"id": "7"}, Route: route.Route{Name: at, Pattern: route.Colons("/" + strings.ReplaceAll(at, ":", "/") + "/:id")}.Prepare()}
		result, call := coretest.Decided(t, b, a.Request())
		own := "/" + strings.ReplaceAll(at, ":", "/") + "/8"
		for version, want := range map[string]string{"": own, "v1": own, "v2": strings.Replace(own, "v1", "v2", 1)} {
			target := verso.Target{Name: name, Params: verso.Params{"id": 8}}
			if version != "" {
				target.Version = verso.V(version)
			}
			if got, err := adapter.LinkFor(result, a.Request(), target); got != want {
				t.Errorf("%s: %s in %q: %q, %v, want %q", at, name, version, got, err, want)
			}
		}
		want := "Link: <" + strings.NewReplacer("v1", "v2", "/8", "/7").Replace(own) + `>; rel="successor-version" 1`
		if got := coretest.Fields(call); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %s", at, got, want)
		}
	}
}

// A link in the version of the request is tried once more without it; one in an
// explicit version is not.
func TestLinkSecondTry(t *testing.T) {
	api := coretest.Bound(verso.Must(scheme.NewNamespace(coretest.List("v1", "v2"))),
		route.Route{Name: "v1:users", Pattern: route.Colons("/v1/users")}, route.Route{Name: "health", Pattern: route.Colons("/health")},
		route.Route{Name: "v1:wrong", Pattern: route.Colons("/:a-:b")}, route.Route{Name: "wrong", Pattern: route.Colons("/wrong")})
	r := coretest.Ask{Host: "example.com", Route: coretest.Named("v1:x").Route}.Request()
	result, _ := coretest.Decided(t, api, r)
	for _, test := range []struct {
		name   string
		target verso.Target
		want   string
		errs   []error
		text   []string
	}{
		{"found", verso.Target{Name: "users"}, "http://example.com/v1/users", nil, nil},
		{"found without the version", verso.Target{Name: "health"}, "http://example.com/health", nil, nil},
		{"found in neither", verso.Target{Name: "nobody"}, "", []error{verso.ErrNoReverseMatch}, []string{`"v1:nobody"`, `"nobody"`}},
		{"another error is not tried again", verso.Target{Name: "wrong"}, "", []error{verso.ErrPattern}, nil},
		{"mixed parameters", verso.Target{Name: "users", Args: []any{1}, Params: verso.Params{"a": 1}}, "", []error{verso.ErrMixedParams}, nil},
		{"explicit version", verso.Target{Name: "health", Version: verso.V("v1")}, "", []error{verso.ErrNoReverseMatch}, nil},
		{"explicit version, another", verso.Target{Name: "users", Version: verso.V("v2")}, "", []error{verso.ErrNoReverseMatch}, nil},
		{"unknown version", verso.Target{Name: "users", Version: verso.V("v9")}, "", []error{verso.ErrUnknownVersion}, nil},
		{"the empty version", verso.Target{Name: "users", Version: verso.V("")}, "", []error{verso.ErrUnknownVersion}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := adapter.LinkFor(result, r, test.target)
			if got != test.want || (err == nil) != (test.errs == nil) {
				t.Errorf("built %q, %v, want %q", got, err, test.want)
			}
			for _, want := range test.errs {
				if !errors.Is(err, want) {
					t.Errorf("error %v does not match %v", err, want)
				}
			}
			if slices.ContainsFunc(test.text, func(text string) bool { return !strings.Contains(err.Error(), text) }) {
				t.Errorf("error %v, want %q in it", err, test.text)
			}
		})
	}
}

// Outside of a request, and without routes.
func TestLinkOutsideOfARequest(t *testing.T) {
	for name, construct := range coretest.Schemes() {
		api := coretest.Bound(verso.Must(construct(coretest.List("v1", "v2"))), coretest.Users, route.Route{Name: "v2:users", Pattern: route.Colons("/v2/users")})
		if got, err := api.Link(verso.Target{Name: "users"}); got != "/users" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		bare := coretest.Bound(verso.Must(construct(coretest.List("v1"))))
		if got, err := bare.Link(verso.Target{Name: "users"}); got != "" || !errors.Is(err, verso.ErrNoReverseMatch) {
			t.Errorf("%s, no routes: %q, %v", name, got, err)
		}
	}
	base := coretest.Bound(verso.Must(scheme.NewBase("MyVersioning", coretest.List("v1", "v2"))), coretest.Users)
	if got, err := base.Link(verso.Target{Name: "users", Version: verso.V("v2")}); got != "/users" || err != nil {
		t.Errorf("base: %q, %v", got, err)
	}
}

func TestErrorsAreThoseOfRoute(t *testing.T) {
	if !errors.Is(verso.ErrNoReverseMatch, route.ErrNoMatch) || !errors.Is(verso.ErrMixedParams, route.ErrMixedParams) || !errors.Is(verso.ErrPattern, route.ErrPattern) {
		t.Error("the sentinels differ")
	}
}

// A name that EachVersion has put under the prefixes of later versions only is not in the
// version of the link. One that nobody has registered there is no name.
func TestLinkUnderPrefixes(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.PathPrefix("/api/{version}"), coretest.With(coretest.WithDefault("v1", "v2"), func(c *verso.Config) { c.Links.Relative = true })))
	for _, form := range verso.Must(b.Forms("/api/search", verso.Since("v2"))) {
		coretest.Register(b, route.Route{Name: "search", RegisteredPath: "/api/search", Pattern: route.Colons(form)}, verso.Since("v2"))
	}
	coretest.Register(b, route.Route{Name: "own", Pattern: route.Colons("/api/v2/own")})
	coretest.Register(b, route.Route{Name: "old", Pattern: route.Colons("/api/v1/old")})
	for _, test := range []struct {
		name, version, want string
		err                 error
	}{
		{"search", "v2", "/api/v2/search", nil},
		{"search", "v1", "", verso.ErrNotInVersion},
		{"own", "v2", "/api/v2/own", nil},
		{"own", "v1", "", verso.ErrNoReverseMatch},
		{"old", "v1", "/api/v1/old", nil},
		{"old", "v2", "", verso.ErrNoReverseMatch},
	} {
		got, err := b.Link(verso.Target{Name: test.name, Version: verso.V(test.version)})
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s in %s: %q, %v, want %q, %v", test.name, test.version, got, err, test.want, test.err)
		}
	}
	const advice = `verso: no reverse match: route "own" is only under the prefixes of other versions: link to it in such a version`
	if _, err := b.Link(verso.Target{Name: "own", Version: verso.V("v1")}); err == nil || err.Error() != advice {
		t.Error(err)
	}
	for path, want := range map[string]string{"/api/v1/rooms": "/api/v1/old", "/api/v2/rooms": "/api/v2/own"} {
		r := coretest.Ask{Route: coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons(path)}).Route()}.Request()
		result, _ := coretest.Begin(b, r)
		if got, err := adapter.LinkFor(result, r, verso.Target{Name: want[len("/api/v1/"):]}); got != want || err != nil {
			t.Errorf("in a request to %s: %q, %v, want %q", path, got, err, want)
		}
	}
	here := coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/api/here")})
	r := coretest.Ask{Route: here.Route()}.Request()
	result, _ := coretest.Begin(b, r)
	if got, err := adapter.LinkFor(result, r, verso.Target{Name: "search"}); !errors.Is(err, verso.ErrNotInVersion) {
		t.Errorf("in a request without a version: %q, %v", got, err)
	}
}
