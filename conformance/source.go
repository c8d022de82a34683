package conformance

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// SourceOptions describes a source to [Source]. The zero SourceOptions suits most
// sources.
type SourceOptions struct {
	// Versions are versions that the source can carry, at least two, the oldest first.
	// Optional. Default value: v1, v2, v3.
	Versions []string

	// Host is the host of the requests. If the source reads hosts, it must have a
	// place for a version.
	// Optional. Default value: "api.example.com".
	Host string

	// Produces are the media types that the service produces.
	// Optional. Default value: nil, every media type is acceptable.
	Produces []string

	// Request returns a request for a version. It is required for a source that
	// writes nothing, such as one that reads a cookie.
	// Optional. Default value: nil, Write writes the version into the request.
	Request func(version string) *http.Request

	// Pattern returns the pattern of the route "target" in a version, or without a
	// version for "", with the path parameter {id} at the end. It is for a source
	// that reads the pattern of the matched route.
	// Optional. Default value: nil, "/target/{id}" with the prefix in
	// [source.Description.PathPrefix].
	Pattern func(version string) string
}

// Source tests a custom source against the contract of [source.Source], each part in a
// subtest:
//
//   - links: a link to a version is read as that version;
//   - place: Description.Place names the part of the URL that Write writes, if any;
//   - rejects: an unsupported version is rejected;
//   - vary: Description.Headers names exactly the headers that Read reads;
//   - cookies: other cookies beside the version's, in any form that browsers send, do
//     not change what Read returns;
//   - hostile: no request makes Read panic or fail, and no answer repeats its text;
//   - bounded: a large request takes neither much time nor much memory;
//   - wrapping: the source behaves the same when it is embedded in another type;
//   - concurrent: concurrent requests do not affect each other. Run this test under the
//     race detector.
func Source(t *testing.T, from source.Source, opts SourceOptions) {
	t.Helper()
	quiet(t)
	for _, c := range sourceChecks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(from, opts); err != nil {
				t.Error(err)
			}
		})
	}
}

// sourceCheck is a subtest of Source.
type sourceCheck struct {
	name  string
	check func(*sourceSuite) error
}

// They are in the order in which an author should mend them: a source whose links cannot be
// read fails most of the later ones too.
var sourceChecks = []sourceCheck{
	{"links", (*sourceSuite).links},
	{"place", (*sourceSuite).place},
	{"rejects", (*sourceSuite).rejects},
	{"vary", (*sourceSuite).vary},
	{"cookies", (*sourceSuite).cookies},
	{"hostile", (*sourceSuite).hostile},
	{"bounded", (*sourceSuite).bounded},
	{"wrapping", (*sourceSuite).wrapping},
	{"concurrent", (*sourceSuite).concurrent},
}

func (c *sourceCheck) run(from source.Source, opts SourceOptions) (err error) {
	s := &sourceSuite{SourceOptions: opts, source: from, headers: from.Describe().Headers}
	if s.Versions == nil {
		s.Versions = []string{"v1", "v2", "v3"}
	}
	s.Host = cmp.Or(s.Host, "api.example.com")
	s.addRoutes()
	// Core itself refuses a description with a contradiction, and its message is better than any
	// check's.
	if s.api, err = s.binding(s.Versions...); err != nil {
		return err
	}
	// Links are also built from the request without a version: a client that never named one must
	// get links, too.
	s.without = s.visit("http://"+s.Host+strings.Replace(s.Pattern(""), "{id}", "7", 1), nil)
	s.with = make([]*sourceRequest, len(s.Versions))
	for i, version := range s.Versions {
		if s.with[i], err = s.written(version); err != nil {
			return err
		}
	}
	return c.check(s)
}

// sourceSuite is a source under test, in a service with routes.
type sourceSuite struct {
	SourceOptions
	source  source.Source
	headers []string
	api     *decider
	router  *http.ServeMux
	names   map[string]string // of the routes, by pattern
	routes  []route.Route
	with    []*sourceRequest // for each of the versions
	without *sourceRequest   // a request without a version

	inPattern bool // the version is in the pattern of the route
}

// addRoutes adds the route "target": alone, after each path parameter that the source reads,
// and in the namespace of each version. A source may read any part of a route, and which one it
// reads is not known here. So the same target is everywhere where a version could be.
func (s *sourceSuite) addRoutes() {
	const target = "/target/{id}"
	s.inPattern = s.Pattern != nil
	if !s.inPattern {
		s.Pattern = func(string) string { return target }
	}
	s.router, s.names = http.NewServeMux(), make(map[string]string)
	// A combination has no path parameter of its own: its parts have.
	for _, from := range append(s.source.Describe().Parts, s.source) {
		described := from.Describe()
		if described.PathParam != "" {
			s.names["/{"+described.PathParam+"}"+target] = "target"
		}
		if template := described.PathPrefix; template != "" {
			s.inPattern = true
			s.Pattern = func(version string) string {
				if version == "" {
					return template[:strings.LastIndexByte(template, '/')] + target
				}
				return strings.Replace(template, "{version}", version, 1) + target
			}
		}
	}
	for _, version := range append([]string{""}, s.Versions...) {
		s.names[s.Pattern(version)] = "target"
	}
	for _, version := range s.Versions {
		s.names["/in/"+url.PathEscape(version)+target] = version + ":target"
	}
	var routes []route.Route
	for pattern, name := range s.names {
		s.router.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
		routes = append(routes, route.Route{Name: name, Pattern: route.Braces(pattern)})
	}
	s.routes = routes
}

// binding returns the versioning of the source with the given versions.
func (s *sourceSuite) binding(versions ...string) (*decider, error) {
	// Without a default, a source that fails to read a version cannot hide behind the right
	// answer.
	api, err := verso.New(s.source, s.config(versions))
	if err != nil {
		return nil, err
	}
	return newDecider(adapter.Bind(api, sourceRouter(s.routes))), nil
}

// config lists versions, in a catalogue if they can be in one: some sources need the header that
// names the version which answers.
func (s *sourceSuite) config(versions []string) verso.Config {
	listed := catalogue.Config{ServedHeader: "Served-Version"}
	for _, version := range versions {
		listed.Versions = append(listed.Versions, catalogue.Entry{Version: version})
	}
	config := verso.Config{AllowUnversioned: true, Produces: s.Produces}
	var err error
	if config.Catalogue, err = catalogue.New(listed); err != nil {
		config.Catalogue, config.AllowedVersions = nil, versions
	}
	return config
}
