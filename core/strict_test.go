package verso_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// strict refuses all that can be refused.
var strict = verso.Strictness{RefuseContradictions: true, RefuseEmpty: true, BaseDomains: []string{"example.com"}}

func TestStrictness(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1", "v2", "ü", "a b"}, DefaultVersion: verso.V("v1")}
	path := verso.Must(verso.NewURLPath(settings))
	query := verso.Must(verso.NewQueryParameter(settings))
	accept := verso.Must(verso.NewAcceptHeader(settings))
	openQuery := verso.Must(verso.NewQueryParameter(verso.Settings{VersionParam: "api version"}))
	host := verso.Must(verso.NewHostName(settings, ""))
	custom, err := newLastSegment(settings)
	if err != nil {
		t.Fatal(err)
	}
	const (
		contradicting = verso.ContradictingVersions
		empty         = verso.EmptyVersion
		unknown       = verso.UnknownHost
	)
	tests := []struct {
		name    string
		scheme  verso.Scheme
		request request
		want    verso.MessageID // "": served
		version verso.Version   // asked for, or served
	}{
		{"query", query, request{query: "version=v2&page=1&page=2"}, "", verso.V("v2")},
		{"query without a version", query, request{query: "page=1&Version=v9"}, "", verso.V("v1")},
		{"query, not allowed", query, request{query: "version=v9"}, verso.InvalidQueryParameterVersion, verso.V("v9")},
		{"query, twice the same", query, request{query: "version=v2&version=v2"}, "", verso.V("v2")},
		{"query, twice the same, once encoded", query, request{query: "version=v2&%76ersion=%762"}, "", verso.V("v2")},
		{"query, twice the same, a space in two ways", query, request{query: "version=a+b&version=a%20b"}, "", verso.V("a b")},
		{"query, contradicting", query, request{query: "version=v1&version=v2"}, contradicting, verso.V("v2")},
		{"query, contradicting, the last not allowed", query, request{query: "version=v1&version=v9"}, contradicting, verso.V("v9")},
		{"query, contradicting, once encoded", query, request{query: "version=v1&a=b&%76ersion=%762"}, contradicting, verso.V("v2")},
		{"query, contradicting in letter case", query, request{query: "version=V2&version=v2"}, contradicting, verso.V("v2")},
		{"query, one value begins the other", query, request{query: "version=v&version=v2"}, contradicting, verso.V("v2")},
		{"query, the first of three differs", query, request{query: "version=v1&version=v2&version=v2"}, contradicting, verso.V("v2")},
		{"query, one empty", query, request{query: "version=&version=v2"}, contradicting, verso.V("v2")},
		{"query, empty", query, request{query: "version="}, empty, verso.V("")},
		{"query, empty twice", query, request{query: "version=&version"}, empty, verso.V("")},
		{"query, no equals sign", query, request{query: "version"}, empty, verso.V("")},
		{"query, empty without a list", openQuery, request{query: "api+version="}, empty, verso.V("")},
		{"query, contradicting without a list", openQuery, request{query: "api+version=1&api%20version=2"}, contradicting, verso.V("2")},
		{"query, embedded in another scheme", embedding{query}, request{query: "version=v1&version=v2"}, contradicting, verso.V("v2")},

		{"accept", accept, request{accept: []string{"a/b;version=v2;x=1;x=2"}}, "", verso.V("v2")},
		{"accept without a header", accept, request{}, "", verso.V("v1")},
		{"accept, not allowed", accept, request{accept: []string{"a/b;version=v9"}}, verso.InvalidAcceptHeaderVersion, verso.V("v9")},
		{"accept nothing", accept, request{accept: []string{"a/b;version=v1;version=v2;q=0"}}, verso.NotAcceptable, verso.Version{}},
		{"accept, twice the same", accept, request{accept: []string{`a/b;version=v2;VERSION="v\2"`}}, "", verso.V("v2")},
		{"accept, contradicting", accept, request{accept: []string{"a/b;version=v1;version=v2"}}, contradicting, verso.V("v2")},
		{"accept, contradicting in another case", accept, request{accept: []string{`a/b;version="v1";Version=v2;q=0.5`}}, contradicting, verso.V("v2")},
		{"accept, contradicting in another range", accept, request{accept: []string{"a/b;version=v2, c/d;version=v1;version=v2;q=0.9"}}, "", verso.V("v2")},
		{"accept, two ranges", accept, request{accept: []string{"a/b;version=v2, a/b;version=v1"}}, "", verso.V("v2")},
		{"accept, ISO-8859-1", accept, request{accept: []string{"a/b;version=\xfc;version=\xfc"}}, "", verso.V("ü")},
		{"accept, empty", accept, request{accept: []string{"a/b;version="}}, empty, verso.V("")},
		{"accept, empty in quotes", accept, request{accept: []string{`a/b;version=""`}}, empty, verso.V("")},
		{"accept, empty in two ways", accept, request{accept: []string{`a/b;version="";version`}}, empty, verso.V("")},
		{"accept, one empty", accept, request{accept: []string{"a/b;version=v1;version"}}, contradicting, verso.V("")},

		{"path", path, request{path: map[string]string{"version": "v2"}, query: "version=v1&version="}, "", verso.V("v2")},
		{"path, empty", path, request{path: map[string]string{"version": ""}}, empty, verso.V("")},
		{"host", host, request{host: "v2.example.com"}, "", verso.V("v2")},
		{"host, the default", host, request{host: "a.b.example.com"}, "", verso.V("v1")},
		{"host, not allowed", host, request{host: "v9.example.com"}, verso.InvalidHostNameVersion, verso.V("v9")},
		{"host, unknown instead of the default", host, request{host: "example.org"}, unknown, verso.Version{}},
		{"host, unknown", host, request{host: "v2.example.org"}, unknown, verso.Version{}},
		{"host, unknown and not allowed", host, request{host: "v9.example.org"}, unknown, verso.Version{}},
		{"scheme of one's own", custom, request{namespace: "v2"}, "", verso.V("v2")},
		{"host of a scheme of one's own", custom, request{namespace: "v2", host: "example.org"}, unknown, verso.Version{}},

		{"host before contradiction", query, request{host: "example.org", query: "version=v1&version=v2"}, unknown, verso.Version{}},
		{"host before emptiness", query, request{host: "example.org", query: "version="}, unknown, verso.Version{}},
		{"host before refusal", query, request{host: "example.org", query: "version=v9"}, unknown, verso.Version{}},
	}
	statuses := map[verso.MessageID]int{contradicting: 400, empty: 400, unknown: 421}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := newVersioning(t, verso.VersioningConfig{Scheme: test.scheme, Strict: strict})
			r, response := &test.request, http.Header{}
			if r.host == "" {
				r.host = "example.com"
			}
			got, err := v.Determine(r, raw(r), response)
			if !slices.Equal(response["Vary"], test.scheme.Vary()) {
				t.Errorf("Vary = %q, want %q", response["Vary"], test.scheme.Vary())
			}
			if test.want == "" {
				if err != nil || got.Version != test.version {
					t.Errorf("determined %v, %v, want %v", got, err, test.version)
				}
				return
			}
			refused, ok := errors.AsType[*verso.Error](err)
			if !ok || got != nil || refused.MessageID != test.want || refused.Version != test.version {
				t.Fatalf("determined %v, %#v, want %s of %v", got, err, test.want, test.version)
			}
			if refused.Message != verso.EnglishMessages()[test.want] || refused.Scheme == "" {
				t.Errorf("refused with %+v", refused)
			}
			if want, ok := statuses[test.want]; ok && refused.Status != want {
				t.Errorf("status %d, want %d", refused.Status, want)
			}
		})
	}
}

// embedding is a scheme of one's own that reads the version as another does.
type embedding struct{ *verso.QueryParameter }

// raw is a request as net/http has it.
func raw(r *request) *http.Request {
	made := httptest.NewRequest(http.MethodGet, "/", nil)
	made.URL.RawQuery = r.query
	return made
}

func TestBaseDomains(t *testing.T) {
	domains := []string{"example.com", "API.Example.ORG", "xn--bcher-kva.example", "localhost", "127.0.0.1", "[::1]"}
	v := newVersioning(t, verso.VersioningConfig{
		Scheme: verso.Must(verso.NewURLPath(verso.Settings{})),
		Strict: verso.Strictness{BaseDomains: domains},
	})
	tests := []struct {
		name, host string
		want       bool
	}{
		{"the domain", "example.com", true},
		{"with a port", "example.com:8080", true},
		{"with a dot at its end", "example.com.", true},
		{"with a dot and a port", "example.com.:8080", true},
		{"in capitals", "EXAMPLE.COM", true},
		{"listed in capitals", "v1.api.example.org", true},
		{"a subdomain", "v1.example.com", true},
		{"a deep subdomain", "a.b.c.example.com:443", true},
		{"in punycode", "v1.xn--bcher-kva.example", true},
		{"one label", "localhost:8080", true},
		{"IPv4", "127.0.0.1:8080", true},
		{"IPv6", "[::1]", true},
		{"IPv6 with a port", "[::1]:8080", true},

		{"another", "example.org", false},
		{"the parent of one", "com", false},
		{"ends the same", "badexample.com", false},
		{"begins the same", "example.com.evil.net", false},
		{"another IPv4", "127.0.0.2", false},
		{"another IPv6", "[::2]:8080", false},
		{"IPv6 without brackets", "::1", false},
		{"IPv6 and a subdomain", "v1.[::1]", false},
		{"two dots at the end", "example.com..", false},
		{"a dot at the start", ".example.com", false},
		{"an empty label", "v1..example.com", false},
		{"not ASCII, but folded", "\u212aexample.com", false},
		{"the Kelvin sign for k", "bac\u212a.example.com", false},
		{"no port", "example.com:port", false},
		{"a port out of range", "example.com:65536", false},
		{"user information", "evil@example.com", false},
		{"too long", strings.Repeat("a.", 200) + "example.com", false},
		{"none", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := v.Determine(&request{host: test.host}, nil, http.Header{})
			if test.want != (err == nil) || !test.want && !errors.Is(err, verso.ErrMisdirectedRequest) {
				t.Errorf("host %q: error %v, want it served: %v", test.host, err, test.want)
			}
		})
	}
}

// Without a Strictness, and with one that refuses other things, requests are
// what the specification says.
func TestStrictnessIsOffByDefault(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(verso.Settings{}))
	accept := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	contradicting := request{query: "version=v1&version=v2", accept: []string{"a/b;version=v1;version=v2"}}
	empty := request{query: "version=", accept: []string{"a/b;version="}}
	foreign := request{host: "example.org", query: "version=v2", accept: []string{"a/b;version=v2"}}
	tests := []struct {
		name    string
		strict  verso.Strictness
		request request
		want    string
	}{
		{"contradicting", verso.Strictness{}, contradicting, "v2"},
		{"empty", verso.Strictness{}, empty, ""},
		{"foreign", verso.Strictness{}, foreign, "v2"},
		{"contradicting, empty ones refused", verso.Strictness{RefuseEmpty: true}, contradicting, "v2"},
		{"empty, contradictions refused", verso.Strictness{RefuseContradictions: true}, empty, ""},
		{"foreign, both refused", verso.Strictness{RefuseContradictions: true, RefuseEmpty: true}, foreign, "v2"},
	}
	for _, test := range tests {
		for _, scheme := range []verso.Scheme{query, accept} {
			t.Run(test.name, func(t *testing.T) {
				v := newVersioning(t, verso.VersioningConfig{Scheme: scheme, Strict: test.strict})
				got, err := v.Determine(&test.request, raw(&test.request), http.Header{})
				if err != nil || got.Version != verso.V(test.want) {
					t.Errorf("determined %v, %v, want %q", got, err, test.want)
				}
			})
		}
	}
}

func TestStrictnessOfAnEmptyDefault(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("")}
	_, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme: verso.Must(verso.NewQueryParameter(settings)),
		Strict: verso.Strictness{RefuseEmpty: true},
	})
	want := "verso: strictness: RefuseEmpty refuses the empty version, which is the default or in the list: remove one"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBaseDomainErrors(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{}))
	for name, domain := range map[string]string{
		"empty": "", "scheme": "https://example.com", "port": "example.com:443", "path": "example.com/api",
		"wildcard": "*.example.com", "dot at the start": ".example.com", "dot at the end": "example.com.",
		"white space": " example.com", "IPv6 without brackets": "::1", "IPv6 with a port": "[::1]:80", "not ASCII": "bücher.example",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := verso.NewVersioning(verso.VersioningConfig{
				Scheme: scheme, Strict: verso.Strictness{BaseDomains: []string{"example.org", domain}},
			})
			if err == nil || !strings.HasPrefix(err.Error(), "verso: strictness: base domain ") || !strings.Contains(err.Error(), "write it like example.com, in ASCII, without a scheme") {
				t.Errorf("error %v for base domain %q", err, domain)
			}
		})
	}
}

// An error of the program stays one.
func TestStrictnessKeepsOtherErrors(t *testing.T) {
	custom, err := newLastSegment(verso.Settings{AllowedVersions: []string{"v1"}})
	if err != nil {
		t.Fatal(err)
	}
	v := newVersioning(t, verso.VersioningConfig{Scheme: custom, Strict: strict})
	_, err = v.Determine(&request{namespace: "v9", host: "example.org"}, nil, http.Header{})
	if err == nil || !errors.Is(err, verso.ErrNotFound) || errors.Is(err, verso.ErrMisdirectedRequest) {
		t.Errorf("error %v, want that of the scheme", err)
	}
}

func TestStrictProblems(t *testing.T) {
	scheme := verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1"}}))
	v := newVersioning(t, verso.VersioningConfig{Scheme: scheme, Strict: strict})
	tests := []struct {
		name     string
		request  request
		sentinel error
		want     verso.Problem
	}{
		{"contradicting", request{host: "example.com", query: "version=v1&version=v2"}, verso.ErrBadRequest, verso.Problem{
			Type: verso.ProblemContradictingVersions, Title: "Invalid API version", Status: 400,
			Detail: "Contradicting versions in request.", Code: "contradicting_versions", AllowedVersions: []string{"v1"},
		}},
		{"empty", request{host: "example.com", query: "version"}, verso.ErrBadRequest, verso.Problem{
			Type: verso.ProblemEmptyVersion, Title: "Invalid API version", Status: 400,
			Detail: "Empty version in request.", Code: "empty_version", AllowedVersions: []string{"v1"},
		}},
		{"host", request{host: "example.org", query: "version=v1"}, verso.ErrMisdirectedRequest, verso.Problem{
			Type: verso.ProblemUnknownHost, Title: "Misdirected request", Status: 421,
			Detail: "Unknown hostname in request.", Code: "unknown_host",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := v.Determine(&test.request, raw(&test.request), http.Header{})
			refused, ok := errors.AsType[*verso.Error](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			got := v.Problem(refused, http.Header{}, http.Header{})
			if !slices.Equal(got.AllowedVersions, test.want.AllowedVersions) {
				t.Errorf("allowed versions %q, want %q", got.AllowedVersions, test.want.AllowedVersions)
			}
			if got.Type != test.want.Type || got.Title != test.want.Title || got.Status != test.want.Status ||
				got.Detail != test.want.Detail || got.Code != test.want.Code {
				t.Errorf("problem %+v, want %+v", got, test.want)
			}
			for _, sentinel := range []error{verso.ErrBadRequest, verso.ErrMisdirectedRequest, verso.ErrNotFound, verso.ErrNotAcceptable} {
				if errors.Is(err, sentinel) != errors.Is(test.sentinel, sentinel) {
					t.Errorf("errors.Is(%v, %v) is wrong", err, sentinel)
				}
			}
		})
	}
}

func TestStrictnessAllocs(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
	for name, scheme := range map[string]verso.Scheme{
		"accept": verso.Must(verso.NewAcceptHeader(settings)),
		"path":   verso.Must(verso.NewURLPath(settings)),
		"query":  verso.Must(verso.NewQueryParameter(settings)),
	} {
		for state, strict := range map[string]verso.Strictness{"off": {}, "on": strict} {
			t.Run(name+" "+state, func(t *testing.T) {
				v := newVersioning(t, verso.VersioningConfig{Scheme: scheme, Strict: strict})
				r := &request{
					accept: []string{"application/json;version=v2;version=v2"}, path: map[string]string{"version": "v2"},
					query: "page=2&version=v2&version=v2", host: "v2.example.com:8080",
				}
				request, response := raw(r), http.Header{}
				if got := testing.AllocsPerRun(100, func() {
					if _, err := v.Determine(r, request, response); err != nil {
						t.Fatal(err)
					}
				}); got != 0 {
					t.Errorf("Determine allocates %v times, want 0", got)
				}
			})
		}
	}
}

func BenchmarkStrictness(b *testing.B) {
	settings := verso.Settings{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
	for _, bench := range []struct {
		name   string
		scheme verso.Scheme
	}{
		{"accept", verso.Must(verso.NewAcceptHeader(settings))},
		{"path", verso.Must(verso.NewURLPath(settings))},
		{"query", verso.Must(verso.NewQueryParameter(settings))},
	} {
		for _, state := range []struct {
			name   string
			strict verso.Strictness
		}{{"off", verso.Strictness{}}, {"on", strict}} {
			b.Run(bench.name+" "+state.name, func(b *testing.B) {
				v, err := verso.NewVersioning(verso.VersioningConfig{Scheme: bench.scheme, Strict: state.strict})
				if err != nil {
					b.Fatal(err)
				}
				r := &request{
					accept: []string{"application/json;version=v2"}, path: map[string]string{"version": "v2"},
					query: "page=2&version=v2", host: "v2.example.com:8080",
				}
				request, response := raw(r), http.Header{}
				b.ReportAllocs()
				for b.Loop() {
					_, _ = v.Determine(r, request, response)
				}
			})
		}
	}
}

// The values that contradict each other are those that net/url reads.
func FuzzContradictingQuery(f *testing.F) {
	f.Add("version=v1&version=v2")
	f.Add("version=v1&a=b&%76ersion=%761&version")
	v, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme: verso.Must(verso.NewQueryParameter(verso.Settings{})),
		Strict: verso.Strictness{RefuseContradictions: true},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return // a semicolon or a stray percent sign, which verso reads otherwise
		}
		_, err = v.Determine(&request{query: query}, &http.Request{URL: &url.URL{RawQuery: query}}, http.Header{})
		want := len(slices.Compact(values["version"])) > 1
		if errors.Is(err, verso.ErrBadRequest) != want {
			t.Errorf("%q has the versions %q, refused with %v", query, values["version"], err)
		}
	})
}

// A client that names two versions learns of it, instead of getting the last.
func ExampleStrictness() {
	versioning, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme: verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1", "v2"}})),
		Strict: verso.Strictness{RefuseContradictions: true, RefuseEmpty: true, BaseDomains: []string{"example.com"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, address := range []string{
		"http://api.example.com/users?version=v2",
		"http://api.example.com/users?version=v1&version=v2",
		"http://api.example.com/users?version=",
		"http://api.example.org/users?version=v2",
	} {
		r := httptest.NewRequest(http.MethodGet, address, nil)
		determined, err := versioning.Determine(&request{query: r.URL.RawQuery, host: r.Host}, r, http.Header{})
		if refusal, ok := errors.AsType[*verso.Error](err); ok {
			fmt.Println(refusal.Status, refusal)
			continue
		}
		fmt.Println(determined.Version)
	}
	// Output:
	// v2
	// 400 Contradicting versions in request.
	// 400 Empty version in request.
	// 421 Unknown hostname in request.
}

// Each part of a Strictness works without the others.
func TestStrictnessInParts(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(verso.Settings{}))
	for _, test := range []struct {
		name   string
		strict verso.Strictness
		query  string
		want   verso.MessageID
	}{
		{"contradictions", verso.Strictness{RefuseContradictions: true}, "version=v1&version=v2", verso.ContradictingVersions},
		{"empty", verso.Strictness{RefuseEmpty: true}, "version=", verso.EmptyVersion},
		{"host", verso.Strictness{BaseDomains: []string{"example.com"}}, "version=v1", verso.UnknownHost},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := newVersioning(t, verso.VersioningConfig{Scheme: query, Strict: test.strict})
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://example.org/?"+test.query, nil)
			_, err := v.Determine(&request{query: test.query, host: r.Host}, r, http.Header{})
			refusal, ok := errors.AsType[*verso.Error](err)
			if !ok || refusal.MessageID != test.want {
				t.Errorf("error %v, want the refusal %s", err, test.want)
			}
		})
	}
}
