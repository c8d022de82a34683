package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// TestWrites sends requests to a server that reads the version with the same source.
func TestWrites(t *testing.T) {
	const template, resources = "application/vnd.acme.{version}+json", "application/vnd.acme.{resource}-{version}+json"
	tests := []struct {
		name    string
		source  source.Source
		version string
		query   string
		header  http.Header
		want    string // the query or the header lines of the sources
		read    string // "": the version
	}{
		{name: "header", source: verso.Header("Api-Version"), want: "v2"},
		{name: "header in another case", source: verso.Header("aPI-version"), want: "v2"},
		{name: "header that is there", source: verso.Header("Api-Version"), header: http.Header{"Api-Version": {"v1"}}, want: "v1", read: "v1"},
		{name: "query", source: verso.QueryParam("version"), want: "version=v2"},
		{name: "query, escaped", source: verso.QueryParam("the version"), version: "v 2&ü", want: "the+version=v+2%26%C3%BC"},
		{name: "query after others, which stay unchanged", source: verso.QueryParam("version"), query: "b=%7e&a;&&c", want: "b=%7e&a;&&c&version=v2"},
		{name: "query that is there", source: verso.QueryParam("version"), query: "a=b&version=v1", want: "a=b&version=v1", read: "v1"},
		{name: "query that is there, escaped", source: verso.QueryParam("version"), query: "%76ersion=v1", want: "%76ersion=v1", read: "v1"},
		{name: "query that is there without a value", source: verso.QueryParam("version"), query: "version", want: "version", read: "400 empty_version"},
		{name: "first of several, by the query", source: verso.First(verso.Header("Api-Version"), verso.QueryParam("version")), want: "version=v2"},

		{name: "parameter", source: verso.AcceptParam("version"), want: "*/*; version=v2"},
		{name: "parameter in quotes", source: verso.AcceptParam("version"), version: `v "2"`, want: `*/*; version="v \"2\""`},
		{name: "parameter in quotes in each range", source: verso.AcceptParam("version"), version: `v,2`, header: accept("text/html, */*"),
			want: `text/html; version="v,2", */*; version="v,2"`},
		{name: "parameter, an empty field", source: verso.AcceptParam("version"), header: accept("", " , "), want: "*/*; version=v2"},
		{name: "parameter in each range", source: verso.AcceptParam("version"), header: accept("text/html, application/json;q=0.9", "*/*; a=b ;q=0.8;x=y"),
			want: "text/html; version=v2, application/json; version=v2;q=0.9, */*; version=v2; a=b ;q=0.8;x=y"},
		{name: "parameter, not in ranges of no weight", source: verso.AcceptParam("version"), header: accept("application/json, text/html;q=0.00"),
			want: "application/json; version=v2, text/html;q=0.00"},
		{name: "parameter, not in text that is not a range", source: verso.AcceptParam("version"), header: accept("application/json, b, */html"),
			want: "application/json; version=v2, b, */html"},
		{name: "parameter in front of quotes", source: verso.AcceptParam("version"), header: accept(`application/json; a="b;q=0,\","; q=1`),
			want: `application/json; version=v2; a="b;q=0,\","; q=1`},
		{name: "parameter that is there", source: verso.AcceptParam("version"), header: accept("text/html;q=0.1, application/json; VERSION=\"v1\""),
			want: `text/html;q=0.1, application/json; VERSION="v1"`, read: "v1"},

		{name: "media type", source: verso.MediaType(template), want: "application/vnd.acme.v2+json"},
		{name: "media type with a resource", source: verso.MediaType(resources), want: "application/vnd.acme.any-v2+json"},
		{name: "media type in place of the plain one", source: verso.MediaType(template), header: accept("application/json; charset=utf-8"),
			want: "application/vnd.acme.v2+json; charset=utf-8"},
		{name: "media type in place of a wildcard", source: verso.MediaType(template), header: accept("text/html;q=0.9", "*/*;q=0.1"),
			want: "text/html;q=0.9, application/vnd.acme.v2+json;q=0.1", read: "none"}, // HTML has no version
		{name: "media type in place of the most specific range", source: verso.MediaType(template), header: accept("*/*;q=0.1, application/*;q=0.2, Application/JSON;q=0.5"),
			want: "application/vnd.acme.v2+json;q=0.5"},
		{name: "media type, not in place of ranges of no weight", source: verso.MediaType(template), header: accept("application/json, */*;q=0"),
			want: "application/vnd.acme.v2+json, */*;q=0"},
		{name: "media type, not replacing text that is not a range", source: verso.MediaType(template), header: accept("*/*;q=0.5", `application/json; a="`),
			want: `application/vnd.acme.v2+json;q=0.5, application/json; a="`, read: "none"},
		{name: "media type that has no place", source: verso.MediaType(template), header: accept("text/html"), want: "text/html", read: "none"},
		{name: "media type that is there", source: verso.MediaType(template), header: accept("*/*;q=0.1, APPLICATION/vnd.acme.V1+json"),
			want: "*/*;q=0.1, APPLICATION/vnd.acme.V1+json", read: "v1"},
		{name: "media type of a resource that is there", source: verso.MediaType(resources), header: accept("application/vnd.acme.a-b-v1+json, application/json"),
			want: "application/vnd.acme.a-b-v1+json, application/json", read: "v1"},
		{name: "another vendor's media type", source: verso.MediaType(template), header: accept("application/vnd.other.v1+json, */*;q=0.5"),
			want: "application/vnd.other.v1+json, application/vnd.acme.v2+json;q=0.5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			version := test.version
			if version == "" {
				version = "v2"
			}
			api := adapter.Bind(verso.MustNew(test.source, verso.Config{
				AllowedVersions: []string{"v1", version}, AllowUnversioned: true, Strict: verso.Strictness{RefuseEmpty: true},
				Produces: []string{"application/json", "text/html"},
			}), nil)
			var got, read string
			target, host := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				if got = r.URL.RawQuery; got == "" {
					name := test.source.Describe().Headers[0]
					got = strings.Join(r.Header[name], " | ")
				}
				determined, err := api.DetermineVersion(versotest.Request(r, nil, nil))
				var rejected *verso.Error
				isRejected := errors.As(err, &rejected)
				switch {
				case isRejected:
					read = "400 " + string(rejected.MessageID)
				case err != nil:
					read = err.Error()
				case determined.IsNone():
					read = "none"
				default:
					read = determined.String()
				}
			})
			transport := verso.Must(client.New(client.Config{Source: test.source, Version: verso.V(version), Hosts: []string{host}, Logger: quiet}))
			defer transport.CloseIdleConnections()
			r := request(t, target+"/users")
			r.URL.RawQuery = test.query
			maps.Copy(r.Header, test.header)
			before := r.Clone(context.Background())
			roundTrip(t, transport, r)
			if got != test.want {
				t.Errorf("sent %q, want %q", got, test.want)
			}
			if want := test.read; read != want && (want != "" || read != version) {
				t.Errorf("the server read %q, want %q", read, want)
			}
			if !reflect.DeepEqual(r.Header, before.Header) || *r.URL != *before.URL {
				t.Error("the request was modified")
			}
		})
	}
}

// TestWritesPaths requests paths that have the version as a segment.
func TestWritesPaths(t *testing.T) {
	for _, test := range []struct{ template, path, want string }{
		{"/api/{version}", "/api/users/a%2Fb", "/api/v2/users/a%2Fb"},
		{"/api/{version}", "/api", "/api/v2"},
		{"/{version}", "/users", "/v2/users"},
		{"/{version}", "/", "/v2/"},
		{"/{version}", "/v2/users", "/v2/users"},
		{"/x{version}y", "/users", "/xv2y/users"},
		{"/api/{version}", "/health", "/health"},
	} {
		from := verso.PathPrefix(test.template)
		var got string
		target, host := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.URL.EscapedPath() })
		transport := verso.Must(client.New(client.Config{Source: from, Version: verso.V("v2"), Hosts: []string{host}, Logger: quiet}))
		get(t, transport, target+test.path)
		if got != test.want {
			t.Errorf("%s: sent %q, want %q", test.template, got, test.want)
		}
		transport.CloseIdleConnections()
	}
}

func accept(lines ...string) http.Header { return http.Header{"Accept": lines} }

// Notice.Asked is the version that the request asked for.
func TestAsked(t *testing.T) {
	template := verso.MediaType("application/vnd.acme.{resource}-{version}+json")
	tests := []struct {
		name   string
		source source.Source
		query  string
		header http.Header
		want   verso.Version
	}{
		{"written", verso.Header("Api-Version"), "", nil, verso.V("v1")},
		{"header", verso.Header("Api-Version"), "", http.Header{"Api-Version": {" v2 "}}, verso.V("v2")},
		{"header that is not ASCII", verso.Header("Api-Version"), "", http.Header{"Api-Version": {"v\xfc"}}, verso.Version{}},
		{"header with several", verso.Header("Api-Version"), "", http.Header{"Api-Version": {"v2, v3"}}, verso.Version{}},
		{"header in several lines", verso.Header("Api-Version"), "", http.Header{"Api-Version": {"v2", "v3"}}, verso.Version{}},
		{"empty header", verso.Header("Api-Version"), "", http.Header{"Api-Version": {""}}, verso.Version{}},
		{"query", verso.QueryParam("version"), "version=v3&version=v%32", nil, verso.V("v2")},
		{"malformed query", verso.QueryParam("version"), "version=%zz", nil, verso.Version{}},
		{"parameter", verso.AcceptParam("version"), "", accept(`a/b;version="v2"`), verso.V("v2")},
		{"parameters that differ", verso.AcceptParam("version"), "", accept(`a/b;version=v2, a/c;version=v3`), verso.Version{}},
		{"no place for a parameter", verso.AcceptParam("version"), "", accept("garbage"), verso.Version{}},
		{"media type", template, "", accept("application/vnd.acme.a-b-v2+json"), verso.V("v2")},
		{"no place for a media type", template, "", accept("text/html"), verso.Version{}},
	}
	t.Run("in the URL", func(t *testing.T) {
		var heard notices
		config := v1(answering(200, "Api-Supported-Versions", "v1, v2", "Api-Version", "v2"), &heard)
		config.Source, config.InURL = nil, true
		sent := get(t, verso.Must(client.New(config)), "http://api.example.com/v1/users")
		if got := heard.take(); len(got) != 1 || got[0].Asked != verso.V("v1") || got[0].Served != "" || !slices.Equal(got[0].Newer, []string{"v2"}) {
			t.Errorf("notices %+v", got)
		}
		if len(sent.Header) != 0 || sent.URL.RawQuery != "" {
			t.Errorf("sent %s, %v", sent.URL, sent.Header)
		}
	})
	t.Run("in the URL, served in a header", func(t *testing.T) {
		for served, want := range map[string]string{"v1": "", "v2": "v2"} {
			var heard notices
			config := v1(answering(200, "Deprecation", "true", "X-Shop-Version", served), &heard)
			config.Source, config.InURL, config.ServedHeader = nil, true, "x-shop-version"
			get(t, verso.Must(client.New(config)), "http://api.example.com/v1/users")
			if got := heard.take(); len(got) != 1 || got[0].Served != want {
				t.Errorf("notices %+v, want served %q", got, want)
			}
		}
	})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var heard notices
			config := v1(answering(200, "Deprecation", "true"), &heard)
			config.Source = test.source
			transport := verso.Must(client.New(config))
			r := request(t, "http://api.example.com/?"+test.query)
			r.Header = test.header
			roundTrip(t, transport, r)
			if got := heard.take(); len(got) != 1 || got[0].Asked != test.want {
				t.Errorf("notices %+v, want one about %#v", got, test.want)
			}
		})
	}
}

// strange is a source with arbitrary output.
type strange struct {
	source.Source
	write func(*source.Written)
}

func (s strange) Write(w source.Written, _ verso.Version) (source.Written, error) {
	s.write(&w)
	return w, nil
}

// A custom source writes another form of Accept field: the request's field stays.
func TestAcceptOfAnotherForm(t *testing.T) {
	for _, value := range []string{"application/json; v=2", "*/*", "application/vnd.acme.v1+json"} {
		config := v1(nil, nil)
		config.Source = strange{verso.Header("Api-Version"), func(w *source.Written) { w.SetHeader("accept", value) }}
		var got []string
		config.Base = base(func(r *http.Request) (*http.Response, error) {
			got = append(got, r.Header.Get("Accept"))
			return answering(200)(r)
		})
		transport := verso.Must(client.New(config))
		get(t, transport, "http://api.example.com/")
		r := request(t, "http://api.example.com/")
		r.Header.Set("Accept", "text/html")
		roundTrip(t, transport, r)
		if want := []string{value, "text/html"}; !slices.Equal(got, want) {
			t.Errorf("sent %q, want %q", got, want)
		}
	}
}

func TestHosts(t *testing.T) {
	tests := []struct {
		host, target string
		want         bool
	}{
		{"api.example.com", "http://api.example.com/", true},
		{"api.example.com", "https://API.example.COM:8443/", true},
		{"API.Example.com", "https://api.example.com/", true},
		{"api.example.com:8443", "https://api.example.com:8443/", true},
		{"api.example.com:8443", "https://api.example.com/", false},
		{"api.example.com:443", "https://api.example.com/", true},
		{"api.example.com:80", "http://api.example.com/", true},
		{"api.example.com:443", "http://api.example.com/", false},
		{"api.example.com", "http://example.com/", false},
		{"api.example.com", "http://v1.api.example.com/", false},
		{"api.example.com", "http://api.example.com.evil.com/", false},
		{"api.example.com", "http://api.example.com@evil.com/", false},
		{"api.example.com", "http://evil.com/?api.example.com", false},
		{"api.example.com", "http://api.example.com./", false},
		{"kit.example", "http://\u212ait.example/", false}, // a Kelvin sign
		{"127.0.0.1", "http://127.0.0.1:80/", true},
		{"[::1]", "http://[::1]:8080/", true},
		{"[::1]:8080", "http://[::1]:8080/", true},
		{"[::1]:8080", "http://[::1]/", false},
	}
	for _, test := range tests {
		var told bool
		var heard notices
		config := v1(base(func(r *http.Request) (*http.Response, error) {
			told = r.Header.Get("Api-Version") == "v1"
			return answering(200, "Deprecation", "true")(r)
		}), &heard)
		config.Hosts = []string{"other.example", test.host}
		transport := verso.Must(client.New(config))
		get(t, transport, test.target)
		if heard := len(heard.take()) == 1; told != test.want || heard != test.want {
			t.Errorf("%s: %s: told %t, heard %t, want %t", test.host, test.target, told, heard, test.want)
		}
	}
}

// TestNoHostReached: a request to another host is in the log once, unless the hosts had one before.
func TestNoHostReached(t *testing.T) {
	for targets, want := range map[string]int{
		"http://api.exmaple.com/ http://api.exmaple.com/": 1, "http://api.example.com/ http://other.example/": 0,
	} {
		var log bytes.Buffer
		config := v1(answering(200), new(notices))
		config.Hosts, config.Logger = []string{"api.example.com"}, slog.New(slog.NewTextHandler(&log, nil))
		transport := verso.Must(client.New(config))
		for target := range strings.SplitSeq(targets, " ") {
			get(t, transport, target)
		}
		if got := strings.Count(log.String(), "Hosts lacks"); got != want {
			t.Errorf("%s: %d in the log, want %d: %s", targets, got, want, &log)
		}
	}
}

// TestRedirect: the version is not sent to the target host of a redirect.
func TestRedirect(t *testing.T) {
	var told []string
	other, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("Api-Version"))
		w.Header().Set("Sunset", "Fri, 01 Jan 2027 00:00:00 GMT")
	})
	target, host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("Api-Version"))
		http.Redirect(w, r, other, http.StatusFound)
	})
	var heard notices
	config := v1(nil, &heard)
	config.Hosts = []string{host}
	api := &http.Client{Transport: verso.Must(client.New(config))}
	defer api.CloseIdleConnections()
	response, err := api.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if !slices.Equal(told, []string{"v1", ""}) || len(heard.take()) != 0 {
		t.Errorf("told %q", told)
	}
}

func TestNewErrors(t *testing.T) {
	header := verso.Header("Api-Version")
	host := []string{"api.example.com"}
	var none *nilSource
	tests := []struct {
		name   string
		config client.Config
		want   string
	}{
		{"nothing", client.Config{}, "Hosts/hosts_missing Version/version_missing"},
		{"no source", client.Config{Version: verso.V("v1"), Hosts: host}, "Source/source_missing"},
		{"two mistakes", client.Config{Source: verso.Header("Cookie"), Version: verso.V("v1")}, "Hosts/hosts_missing Source/header_reserved"},
		{"a source that fails", client.Config{Source: failing{header}, Version: verso.V("v1"), Hosts: host}, "Version/version_place"},
		{"a source next to the URL", client.Config{Source: header, InURL: true, Version: verso.V("v1"), Hosts: host}, "InURL/in_url"},
		{"no version in the URL", client.Config{InURL: true, Hosts: host}, "Version/version_missing"},
		{"no name of a header", client.Config{InURL: true, ServedHeader: "Api Version", Version: verso.V("v1"), Hosts: host}, "ServedHeader/header_name"},
		{"a nil pointer", client.Config{Source: none, Version: verso.V("v1"), Hosts: host}, "Source/source_missing"},
		{"no version", client.Config{Source: header, Hosts: host}, "Version/version_missing"},
		{"an empty version", client.Config{Source: header, Version: verso.V(""), Hosts: host}, "Version/version_missing"},
		{"two versions in one", client.Config{Source: header, Version: verso.V("v1,v2"), Hosts: host}, "Version/version_place"},
		{"a line break", client.Config{Source: header, Version: verso.V("v1\r\nCookie: a"), Hosts: host}, "Version/version_place"},
		{"not ASCII", client.Config{Source: verso.AcceptParam("version"), Version: verso.V("vü"), Hosts: host}, "Version/version_place"},
		{"not UTF-8", client.Config{Source: verso.AcceptParam("version"), Version: verso.V("v\xff"), Hosts: host}, "Version/version_place"},
		{"a line break in Accept", client.Config{Source: verso.AcceptParam("version"), Version: verso.V("v1\nv2"), Hosts: host}, "Version/version_place"},
		{"white space around it", client.Config{Source: verso.QueryParam("version"), Version: verso.V(" v1"), Hosts: host}, "Version/version_place"},
		{"not in a media type", client.Config{Source: verso.MediaType("a/{version}"), Version: verso.V("v/1"), Hosts: host}, "Version/version_place"},
		{"not a template", client.Config{Source: verso.MediaType("a/b"), Version: verso.V("v1"), Hosts: host}, "Source/source_invalid"},
		{"a field of another meaning", client.Config{Source: verso.Header("Cookie"), Version: verso.V("v1"), Hosts: host}, "Source/header_reserved"},
		{"no field", client.Config{Source: verso.Header("Api Version"), Version: verso.V("v1"), Hosts: host}, "Source/header_name"},
		{"no parameter", client.Config{Source: verso.AcceptParam("a b"), Version: verso.V("v1"), Hosts: host}, "Source/source_invalid"},
		{"no query parameter", client.Config{Source: verso.QueryParam(""), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"path", client.Config{Source: verso.PathParam("version"), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"namespace", client.Config{Source: verso.Namespace(), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"host", client.Config{Source: verso.HostLabel(""), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"path first", client.Config{Source: verso.First(verso.PathParam("version"), header), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"header first", client.Config{Source: verso.First(header, verso.PathParam("version")), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"two headers", client.Config{Source: verso.Agree(header, verso.AcceptParam("version")), Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
		{"a source that writes nothing", client.Config{Source: strange{header, func(*source.Written) {}}, Version: verso.V("v1"), Hosts: host}, "Source/source_place"},
	}
	for _, text := range []string{"", "https://api.example.com", "api.example.com/v1", "*.example.com", "a b", "me@api.example.com", "api.example.com:", "api.example.com:x", ":80", "bücher.example", "::1", "a?b", "a#b"} {
		tests = append(tests, struct {
			name   string
			config client.Config
			want   string
		}{"host " + text, client.Config{Source: header, Version: verso.V("v1"), Hosts: []string{"api.example.com", text}}, "Hosts/host"})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			transport, err := client.New(test.config)
			if got := codes(err); got != test.want || transport != nil {
				t.Errorf("codes %q (%v), want %q", got, err, test.want)
			}
		})
	}
}

// failing is a source that cannot write any version.
type failing struct{ source.Source }

func (failing) Write(w source.Written, _ verso.Version) (source.Written, error) {
	return w, verso.ErrNoReverseMatch
}

type nilSource struct{ source.Source }

// body is a request body that records whether it was closed.
type body struct {
	io.Reader
	closed int
}

func (b *body) Close() error { b.closed++; return nil }

// TestContract checks the contract of http.RoundTripper.
func TestContract(t *testing.T) {
	broken := errors.New("broken")
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Sunset": {"2027-01-01"}}, Body: http.NoBody}
	tests := []struct {
		name     string
		base     base
		answer   *http.Response
		err      error
		reported int
	}{
		{"answer", func(r *http.Request) (*http.Response, error) { return answer, r.Body.Close() }, answer, nil, 1},
		{"error", func(r *http.Request) (*http.Response, error) { return nil, errors.Join(r.Body.Close(), broken) }, nil, broken, 0},
		{"answer and error", func(r *http.Request) (*http.Response, error) { return answer, errors.Join(r.Body.Close(), broken) }, answer, broken, 0},
		{"neither", func(r *http.Request) (*http.Response, error) { return nil, r.Body.Close() }, nil, nil, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var heard notices
			transport := verso.Must(client.New(v1(test.base, &heard)))
			sent := &body{Reader: strings.NewReader("x")}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://api.example.com/", sent)
			if err != nil {
				t.Fatal(err)
			}
			got, err := transport.RoundTrip(r) //nolint:bodyclose // the body is http.NoBody
			if got != test.answer || !errors.Is(err, test.err) || sent.closed != 1 {
				t.Errorf("answer %v, error %v, closed %d times", got, err, sent.closed)
			}
			if r.Header.Get("Api-Version") != "" {
				t.Error("the request was modified")
			}
			if n := len(heard.take()); n != test.reported {
				t.Errorf("%d notices", n)
			}
		})
	}
	t.Run("no connection", func(t *testing.T) {
		target, host := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		config := v1(nil, nil)
		config.Hosts = []string{host}
		transport := verso.Must(client.New(config))
		sent := &body{Reader: strings.NewReader("x")}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, sent)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := transport.RoundTrip(r); err == nil || sent.closed == 0 { //nolint:bodyclose // there is no response
			t.Errorf("error %v, closed %d times", err, sent.closed)
		}
	})
	t.Run("malformed requests", func(t *testing.T) {
		transport := verso.Must(client.New(v1(http.DefaultTransport, nil)))
		sent := &body{Reader: strings.NewReader("x")}
		if _, err := transport.RoundTrip(&http.Request{Method: http.MethodPost, Body: sent}); err == nil || sent.closed == 0 { //nolint:bodyclose // there is no response
			t.Errorf("error %v, closed %d times", err, sent.closed)
		}
	})
	t.Run("idle connections", func(t *testing.T) {
		closing := &closer{RoundTripper: answering(200)}
		(&http.Client{Transport: verso.Must(client.New(v1(closing, nil)))}).CloseIdleConnections()
		(&http.Client{Transport: verso.Must(client.New(v1(answering(200), nil)))}).CloseIdleConnections()
		if closing.closed != 1 {
			t.Errorf("closed %d times", closing.closed)
		}
	})
}

type closer struct {
	http.RoundTripper
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }
