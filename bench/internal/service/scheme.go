package service

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/source"
)

// Config is that of all services.
var Config = verso.Config{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2", "v3"}}

// NotServed is a version that is not allowed. In the namespace scheme it has a
// route nevertheless, so that Verso rejects it there too.
const NotServed = "beta"

// known has the versions that are served.
var known = map[string]bool{"v1": true, "v2": true, "v3": true}

// Scheme is a place of the version, and the routes of the service that uses it.
type Scheme struct {
	Name   string
	Status int // of its rejections, 0 where no route is for a version that is not served
	Routes []Route

	source          source.Source
	vary            string                           // the Vary field of its responses, "" for none
	inPath, grouped bool                             // the version is a path parameter; the group of a route says it
	put             func(r *Request, version string) // a version into a request
}

// Route is a route, its pattern as net/http has it.
type Route struct{ Name, Pattern string }

// version returns the version that the pattern begins with, "" for none.
func (r Route) version() string {
	version, _, _ := strings.Cut(r.Pattern[1:], "/")
	if known[version] || version == NotServed {
		return version
	}
	return ""
}

// API returns the versioning of the scheme. Its findings are of no interest: the services
// leave out on purpose what would be measured otherwise, such as a name for each client.
func (s *Scheme) API(config verso.Config) *verso.Versioning {
	config.Logger = slog.New(slog.DiscardHandler)
	return verso.MustNew(s.source, config)
}

var (
	plain  = []Route{{"user", "/users/{id}"}}
	inPath = append([]Route{{"user", "/{version}/users/{id}"}}, plain...)
	named  = append([]Route{
		{"v1:user", "/v1/users/{id}"},
		{"v2:user", "/v2/users/{id}"},
		{"v3:user", "/v3/users/{id}"},
		{NotServed + ":user", "/" + NotServed + "/users/{id}"},
	}, plain...)
	prefixed = append([]Route{{"user", "/v1/users/{id}"}, {"user", "/v2/users/{id}"}, {"user", "/v3/users/{id}"}},
		plain...)
)

// Schemes are the five of the specification, then a header, a vendor media type,
// the first of three sources, which is the header here, and a path prefix.
var Schemes = []*Scheme{
	{"accept", http.StatusNotAcceptable, plain, of("accept"), "Accept", false, false,
		field("Accept", "application/json; version=%s")},
	{"path", http.StatusNotFound, inPath, of("path"), "", true, false, segment},
	{"namespace", http.StatusNotFound, named, of("namespace"), "", false, true, segment},
	{"host", http.StatusNotFound, plain, of("host"), "", false, false,
		func(r *Request, v string) { r.Host = v + ".example.com" }},
	{"query", http.StatusNotFound, plain, of("query"), "", false, false,
		func(r *Request, v string) { r.Query = "fields=name&page=2&version=" + v }},
	{"header", http.StatusBadRequest, plain, of("header"), "Api-Version", false, false, field("Api-Version", "%s")},
	{"media type", http.StatusNotAcceptable, plain, of("media_type"), "Accept", false, false,
		field("Accept", "application/vnd.acme.%s+json")},
	{
		"three sources", http.StatusBadRequest, inPath,
		verso.First(verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("version")),
		"Api-Version", true, false, field("Api-Version", "%s"),
	},
	{"prefix", 0, prefixed, verso.PathPrefix("/{version}"), "", false, true, segment},
}

// of returns the source of a kind.
func of(name string) source.Source {
	for _, kind := range fileconfig.Kinds() {
		if kind.Name == name {
			return kind.New(kind.Example)
		}
	}
	panic("there is no kind of source " + name)
}

// Named returns the scheme of that name.
func Named(name string) *Scheme {
	for _, s := range Schemes {
		if s.Name == name {
			return s
		}
	}
	panic("there is no scheme " + name)
}

// ByPathOrHeader is the first of two sources, the path in its requests.
var ByPathOrHeader = &Scheme{
	"path or header", http.StatusNotFound, inPath, verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
	"", true, false, segment,
}

func field(name, format string) func(*Request, string) {
	return func(r *Request, v string) { r.Fields[name] = fmt.Sprintf(format, v) }
}

func segment(r *Request, v string) { r.Path = "/" + v + r.Path }

// Request returns a request for a version, "" for none.
func (s *Scheme) Request(version string) Request {
	r := Request{Path: "/users/42", Host: "example.com", Fields: make(map[string]string)}
	if version != "" {
		s.put(&r, version)
	}
	return r
}

// Request is what a client sends.
type Request struct {
	Path, Query, Host string
	Fields            map[string]string // the header
}

// Target returns the target of the request line.
func (r *Request) Target() string {
	return strings.TrimSuffix(r.Path+"?"+r.Query, "?")
}

// HTTP returns the request as net/http has it, for a server at an address.
func (r *Request) HTTP(address string) *http.Request {
	request, err := http.NewRequest(http.MethodGet, "http://"+address+r.Target(), nil)
	if err != nil {
		panic(err)
	}
	request.Host = r.Host
	for name, value := range r.Fields {
		request.Header.Set(name, value)
	}
	return request
}
