package adapter_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// refusing rejects all that can be rejected.
var refusing = verso.Strictness{RefuseUnversioned: true, RefuseContradictions: true, RefuseEmpty: true, AllowedHosts: []string{"example.com"}}

func TestStrictness(t *testing.T) {
	config := coretest.With(coretest.WithDefault("v1", "v2", "ü", "ab"), func(c *verso.Config) { c.Strict = refusing })
	path := verso.Must(scheme.NewURLPath("version", config))
	param := verso.Must(scheme.NewQueryParameter("version", config))
	acceptParam := verso.Must(scheme.NewAcceptHeader("version", config))
	open := verso.MustNew(verso.QueryParam("api version"), verso.Config{AnyVersion: true, Strict: refusing})
	label := verso.Must(scheme.NewHostName("", config))
	namespace := verso.Must(scheme.NewNamespace(config))
	const (
		contradicting = "400 contradicting_versions"
		empty         = "400 empty_version"
		unknown       = "421 unknown_host"
		badQuery      = "404 invalid_query_parameter_version"
	)
	at := func(name string, a coretest.Ask) coretest.Ask { a.Host = name; return a }
	tests := []struct {
		name  string
		api   *verso.Versioning
		ask   coretest.Ask
		want  string
		asked string // in a rejection, "-": nothing
	}{
		{"query", param, coretest.Query("version=v2&page=1&page=2"), "= v2", ""},
		{"query without a version", param, coretest.Query("page=1&Version=v9"), "= v1", ""},
		{"query, not allowed", param, coretest.Query("version=v9"), badQuery, "v9"},
		{"query, twice the same", param, coretest.Query("version=v2&version=v2"), "= v2", ""},
		{"query, twice the same, once encoded", param, coretest.Query("version=v2&%76ersion=%762"), "= v2", ""},
		{"query, twice the same, a space in two ways", open, coretest.Query("api+version=a+b&api+version=a%20b"), "= a b", ""},
		{"query, contradicting", param, coretest.Query("version=v1&version=v2"), contradicting, "v2"},
		{"query, contradicting, the last not allowed", param, coretest.Query("version=v1&version=v9"), contradicting, "v9"},
		{"query, contradicting, once encoded", param, coretest.Query("version=v1&a=b&%76ersion=%762"), contradicting, "v2"},
		{"query, contradicting in letter case", param, coretest.Query("version=V2&version=v2"), contradicting, "v2"},
		{"query, one value begins the other", param, coretest.Query("version=v&version=v2"), contradicting, "v2"},
		{"query, the first of three differs", param, coretest.Query("version=v1&version=v2&version=v2"), contradicting, "v2"},
		{"query, one empty", param, coretest.Query("version=&version=v2"), contradicting, "v2"},
		{"query, empty", param, coretest.Query("version="), empty, ""},
		{"query, empty twice", param, coretest.Query("version=&version"), empty, ""},
		{"query, no equals sign", param, coretest.Query("version"), empty, ""},
		{"query, empty without a list", open, coretest.Query("api+version="), empty, ""},
		{"query, contradicting without a list", open, coretest.Query("api+version=1&api%20version=2"), contradicting, "2"},

		{"accept", acceptParam, coretest.Accept("a/b;version=v2;x=1;x=2"), "= v2", ""},
		{"accept without a header", acceptParam, coretest.Ask{}, "= v1", ""},
		{"accept, not allowed", acceptParam, coretest.Accept("a/b;version=v9"), "406 invalid_accept_header_version", "v9"},
		{"accept nothing", acceptParam, coretest.Accept("a/b;version=v1;version=v2;q=0"), "406 not_acceptable", "-"},
		{"accept, twice the same", acceptParam, coretest.Accept(`a/b;version=v2;VERSION="v\2"`), "= v2", ""},
		{"accept, contradicting", acceptParam, coretest.Accept("a/b;version=v1;version=v2"), contradicting, "v2"},
		{"accept, contradicting in another case", acceptParam, coretest.Accept(`a/b;version="v1";Version=v2;q=0.5`), contradicting, "v2"},
		{"accept, contradicting in another range", acceptParam, coretest.Accept("a/b;version=v2, c/d;version=v1;version=v2;q=0.9"), "= v2", ""},
		{"accept, two ranges", acceptParam, coretest.Accept("a/b;version=v2, a/b;version=v1"), "= v2", ""},
		{"accept, ISO-8859-1", acceptParam, coretest.Accept("a/b;version=\xfc;version=\xfc"), "= ü", ""},
		{"accept, empty", acceptParam, coretest.Accept("a/b;version="), empty, ""},
		{"accept, empty in quotes", acceptParam, coretest.Accept(`a/b;version=""`), empty, ""},
		{"accept, empty in two ways", acceptParam, coretest.Accept(`a/b;version="";version`), empty, ""},
		{"accept, one empty", acceptParam, coretest.Accept("a/b;version=v1;version"), contradicting, ""},

		{"path", path, coretest.Ask{Params: coretest.In("v2").Params, Query: "version=v1&version="}, "= v2", ""},
		{"path, empty", path, coretest.In(""), empty, ""},
		{"path without the parameter", path, coretest.Ask{}, "= v1", ""},
		{"host", label, coretest.Host("v2.example.com"), "= v2", ""},
		{"host, none", label, coretest.Host("a.b.example.com"), coretest.RejectedHost, "-"},
		{"host, not allowed", label, coretest.Host("v9.example.com"), coretest.RejectedHost, "v9"},
		{"host, unknown instead of the default", label, coretest.Host("example.org"), unknown, "-"},
		{"host, unknown", label, coretest.Host("v2.example.org"), unknown, "-"},
		{"host, unknown and not allowed", label, coretest.Host("v9.example.org"), unknown, "-"},
		{"namespace", namespace, coretest.Named("v2:x"), "= v2", ""},
		{"namespace, none", namespace, coretest.Named("x"), "404 invalid_namespace_version", "-"},
		{"namespace, no route", namespace, coretest.Ask{}, "404 invalid_namespace_version", "-"},
		{"namespace, empty", namespace, coretest.Named("::x"), empty, ""},

		{"host before contradiction", param, at("example.org", coretest.Query("version=v1&version=v2")), unknown, "-"},
		{"host before emptiness", param, at("example.org", coretest.Query("version=")), unknown, "-"},
		{"host before rejection", param, at("example.org", coretest.Query("version=v9")), unknown, "-"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.ask.Host == "" {
				test.ask.Host = "example.com"
			}
			r := test.ask.Request()
			if got := coretest.Outcome(test.api, r); got != test.want {
				t.Fatalf("%s, want %s", got, test.want)
			}
			_, call := coretest.Begin(coretest.Bound(test.api), r)
			if !slices.Equal(coretest.Varies(call), test.api.Vary()) {
				t.Errorf("Vary = %q, want %q", coretest.Varies(call), test.api.Vary())
			}
			var rejected *verso.Error
			if errors.As(call.Err, &rejected) {
				if rejected.Message != verso.EnglishMessages()[rejected.MessageID] || rejected.Source == "" || rejected.HasRequested == (test.asked == "-") ||
					rejected.HasRequested && rejected.Requested != test.asked {
					t.Errorf("rejected with %+v", rejected)
				}
			}
		})
	}
}

// RefuseUnversioned closes each scheme: whatever has no version, and no default,
// is rejected.
func TestRefuseUnversioned(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2", "v3"), func(c *verso.Config) { c.Strict = verso.Strictness{RefuseUnversioned: true} })
	for _, s := range everySource(config) {
		for name, a := range map[string]coretest.Ask{"nothing": {}, "unknown host": coretest.Host("v9-x.example.com"), "no namespace": coretest.Named("x"), "nothing acceptable": coretest.Accept("x/y;q=0")} {
			if got := coretest.Outcome(s.api, a.Request()); !strings.HasPrefix(got, "4") {
				t.Errorf("%s, %s: %s", s.name, name, got)
			}
		}
		coretest.Expect(t, s.api, s.ask.Request(), "= v2", s.name)
	}
}

func TestAllowedHosts(t *testing.T) {
	domains := []string{"example.com", "API.Example.ORG", "xn--bcher-kva.example", "localhost", "127.0.0.1", "[::1]"}
	api := verso.Must(scheme.NewURLPath("version", verso.Config{Strict: verso.Strictness{AllowedHosts: domains}}))
	for name, want := range map[string]bool{
		"example.com": true, "example.com:8080": true, "example.com.": true, "example.com.:8080": true, "EXAMPLE.COM": true, "v1.api.example.org": true,
		"v1.example.com": true, "a.b.c.example.com:443": true, "v1.xn--bcher-kva.example": true, "localhost:8080": true, "127.0.0.1:8080": true,
		"[::1]": true, "[::1]:8080": true,

		"example.org": false, "com": false, "badexample.com": false, "example.com.evil.net": false, "127.0.0.2": false, "[::2]:8080": false, "::1": false,
		"v1.[::1]": false, "example.com..": false, ".example.com": false, "v1..example.com": false, "\u212aexample.com": false,
		"bac\u212a.example.com": false, "example.com:port": false, "example.com:65536": false, "evil@example.com": false,
		strings.Repeat("a.", 200) + "example.com": false, "": false,
	} {
		_, err := adapter.Bind(api, nil).DetermineVersion(coretest.Host(name).Request())
		if want != (err == nil) || !want && !errors.Is(err, verso.ErrMisdirectedRequest) {
			t.Errorf("host %q: error %v, want it served: %v", name, err, want)
		}
	}
}

// Without a Strictness, and with one that rejects other things, requests are what
// the specification says.
func TestStrictnessIsOffByDefault(t *testing.T) {
	contradicting := coretest.Ask{Query: "version=v1&version=v2", Header: coretest.Accept("a/b;version=v1;version=v2").Header}
	empty := coretest.Ask{Query: "version=", Header: coretest.Accept("a/b;version=").Header}
	foreign := coretest.Ask{Host: "example.org", Query: "version=v2", Header: coretest.Accept("a/b;version=v2").Header}
	for _, test := range []struct {
		name   string
		strict verso.Strictness
		ask    coretest.Ask
		want   string
	}{
		{"contradicting", verso.Strictness{}, contradicting, "= v2"},
		{"empty", verso.Strictness{}, empty, "= "},
		{"foreign", verso.Strictness{}, foreign, "= v2"},
		{"contradicting, others refused", verso.Strictness{RefuseEmpty: true, RefuseUnversioned: true}, contradicting, "= v2"},
		{"empty, others refused", verso.Strictness{RefuseContradictions: true, RefuseUnversioned: true}, empty, "= "},
		{"foreign, others refused", verso.Strict(), foreign, "= v2"},
	} {
		for name, construct := range map[string]func(string, verso.Config) (*verso.Versioning, error){"query": scheme.NewQueryParameter, "accept": scheme.NewAcceptHeader} {
			api := verso.Must(construct("version", verso.Config{AnyVersion: true, Strict: test.strict}))
			coretest.Expect(t, api, test.ask.Request(), test.want, test.name, name)
		}
	}
}

// Each part of a Strictness works without the others.
func TestStrictnessInParts(t *testing.T) {
	for _, test := range []struct {
		name   string
		strict verso.Strictness
		query  string
		want   string
	}{
		{"contradictions", verso.Strictness{RefuseContradictions: true}, "version=v1&version=v2", "400 contradicting_versions"},
		{"empty", verso.Strictness{RefuseEmpty: true}, "version=", "400 empty_version"},
		{"host", verso.Strictness{AllowedHosts: []string{"example.com"}}, "version=v1", "421 unknown_host"},
	} {
		api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AnyVersion: true, Strict: test.strict}))
		coretest.Expect(t, api, coretest.Ask{Host: "example.org", Query: test.query}.Request(), test.want, test.name)
	}
}

func TestStrictProblems(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict = refusing })))
	for _, test := range []struct {
		ask      coretest.Ask
		sentinel error
		want     string
	}{
		{coretest.Ask{Host: "example.com", Query: "version=v1&version=v2"}, verso.ErrBadRequest, `{"type":"` + verso.ProblemURI(source.ContradictingVersions) +
			`","title":"Invalid API version","status":400,"detail":"Contradicting versions in request.","code":"contradicting_versions","allowed_versions":["v1"]}`},
		{coretest.Ask{Host: "example.com", Query: "version"}, verso.ErrBadRequest, `{"type":"` + verso.ProblemURI(verso.EmptyVersion) +
			`","title":"Invalid API version","status":400,"detail":"Empty version in request.","code":"empty_version","allowed_versions":["v1"]}`},
		{coretest.Ask{Host: "example.org", Query: "version=v1"}, verso.ErrMisdirectedRequest, `{"type":"` + verso.ProblemURI(verso.UnknownHost) +
			`","title":"Misdirected request","status":421,"detail":"Unknown hostname in request.","code":"unknown_host"}`},
	} {
		_, call := coretest.Begin(coretest.Bound(api), test.ask.Request())
		err, answer, ok := call.Rejected()
		if !ok {
			t.Fatalf("error %v", call.Err)
		}
		if got := string(answer.Body); got != test.want {
			t.Errorf("answered %s, want %s", got, test.want)
		}
		for _, sentinel := range []error{verso.ErrBadRequest, verso.ErrMisdirectedRequest, verso.ErrNotFound, verso.ErrNotAcceptable, verso.ErrGone, verso.ErrMethodNotAllowed, verso.ErrNotImplemented} {
			if errors.Is(err, sentinel) != errors.Is(test.sentinel, sentinel) {
				t.Errorf("errors.Is(%v, %v) is wrong", err, sentinel)
			}
		}
	}
}

// An error of the program stays one, on a host that is served.
func TestStrictnessKeepsOtherErrors(t *testing.T) {
	other := errors.New("other")
	from := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(source.Request, *source.ServedVersions) source.Reading {
		return source.Reading{Outcome: source.Failed, Err: other}
	}}
	api := verso.MustNew(from, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict = refusing }))
	_, err := adapter.Bind(api, nil).DetermineVersion(coretest.Ask{Method: http.MethodPost, Host: "example.com"}.Request())
	if !errors.Is(err, other) || errors.Is(err, verso.ErrMisdirectedRequest) {
		t.Errorf("error %v, want that of the source", err)
	}
}
