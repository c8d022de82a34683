package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// sourceRequest is a request to the service, and its facts.
type sourceRequest struct {
	http  *http.Request
	route *route.Route
	asked map[string]bool // the headers that were read
}

// sourceRouter is the router of the service: its routes.
type sourceRouter []route.Route

// Routes has no registrations, since a source asks for patterns only.
func (s sourceRouter) Routes() (all []adapter.Listed) {
	for _, r := range s {
		all = append(all, adapter.Listed{Route: r})
	}
	return all
}

// PathParam reports parameters that are empty as present, as routers do.
func (sourceRouter) PathParam(request any, name string) (string, bool) {
	r := request.(*http.Request)
	return r.PathValue(name), strings.Contains(r.Pattern, "{"+name+"}")
}

// It notes each name, since a header that Vary does not name makes a cache answer
// one version with another (RFC 9110, section 12.5.5).
func (r *sourceRequest) Header(_ any, name string) (string, bool) {
	r.asked[name] = true
	lines, ok := r.http.Header[name]
	return joined(name, lines), ok
}

// joined joins the lines of a field. Cookie is not a list (RFC 9113, section 8.2.3).
func joined(name string, lines []string) string {
	if name == "Cookie" {
		return strings.Join(lines, "; ")
	}
	return strings.Join(lines, ", ")
}

// What a source learns from these is not part of Vary: a cache key has the host, the path and
// the query already.
func (r *sourceRequest) Secure(any) bool     { return r.http.TLS != nil }
func (r *sourceRequest) Host(any) string     { return r.http.Host }
func (r *sourceRequest) RawQuery(any) string { return r.http.URL.RawQuery }
func (r *sourceRequest) Context(any) context.Context {
	r.asked[contextAsked] = true
	return r.http.Context()
}

// verso is a new request each time, so nothing is left of an earlier decision.
func (r *sourceRequest) verso() (request source.Request) {
	request.Set(r, r.http.Method, r.http, r.route)
	return request
}

// String describes the request.
func (r *sourceRequest) String() string {
	return fmt.Sprintf("host %.200q, URL %.200q, header %.300q", r.http.Host, r.http.URL, r.http.Header)
}

// changed returns a copy of the request with a change. The copy has read nothing yet.
func (r *sourceRequest) changed(change func(*sourceRequest)) *sourceRequest {
	changed := &sourceRequest{r.http.Clone(r.http.Context()), r.route, make(map[string]bool)}
	change(changed)
	return changed
}

// visit returns the request for a URL, which may lack a host. A link may be relative, and then
// has the host of its request.
func (s *sourceSuite) visit(rawURL string, header http.Header) *sourceRequest {
	r := verso.Must(http.NewRequest(http.MethodGet, rawURL, nil))
	r.Host = cmp.Or(r.Host, s.Host)
	maps.Copy(r.Header, header)
	return s.routed(r)
}

// routed returns a request with the route that matches it. A real ServeMux finds the route, so
// that path values are escaped and decoded as they are in a service.
func (s *sourceSuite) routed(r *http.Request) *sourceRequest {
	s.router.ServeHTTP(httptest.NewRecorder(), r)
	return &sourceRequest{r, &route.Route{Name: s.names[r.Pattern], Pattern: route.Braces(r.Pattern)},
		make(map[string]bool)}
}

// target returns the target of the links, in a version or, for "", in that of the
// request.
func target(version string) verso.Target {
	t := verso.Target{Name: "target", Params: verso.Params{"id": 7}, Query: url.Values{"page": {"2"}}}
	if version != "" {
		t.Version = verso.V(version)
	}
	return t
}

// written returns a request for a version. A source that writes into the URL is asked for a
// link, a source that writes a header for the header: clients use both.
func (s *sourceSuite) written(version string) (r *sourceRequest, err error) {
	if s.Request != nil {
		return s.routed(s.Request(version)), nil
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("Write panics: %v", panicked)
		}
	}()
	written, err := s.source.Write(source.Written{}, verso.V(version))
	link, linkErr := s.api.Reverse(s.without.verso(), verso.V(version), target(version))
	if err = errors.Join(err, linkErr); err != nil {
		return nil, fmt.Errorf("writing version %q: %w", version, err)
	}
	header := make(http.Header)
	if name, value := written.Header(); name != "" {
		header.Set(name, value)
	}
	return s.visit(link, header), nil
}

// read determines the version of a request, and returns the body of a rejection and Vary. It
// fails with any error that is not a rejection. A panic in Read would end a request in
// production, so here it is an error with the request that caused it.
func read(api *decider, r *sourceRequest) (version verso.Version, rejection string, vary []string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("Read panics: %v\nrequest: %s", panicked, r)
		}
	}()
	c := decide(api, r.verso())
	switch {
	case c.answer != nil:
		return version, string(c.answer.Body), c.vary, nil
	case c.err != nil:
		return version, "", nil, fmt.Errorf("%w\nrequest: %s", c.err, r)
	}
	return c.result.Version(), "", c.vary, nil
}

// checked is what a check makes of a request.
type checked struct {
	result *verso.Result
	vary   []string      // the lines of the response field
	answer *verso.Answer // nil: the request is not rejected
	err    error
}

// decider decides on requests as the checks of an adapter do. It is the seam of an adapter
// without a framework, so a source meets the same code as in a service.
type decider = adapter.Seam[*checked, struct{}]

// newDecider has no error handlers, which belong to frameworks.
func newDecider(b *adapter.Binding) *decider {
	return adapter.NewSeam(decider{
		Binding: b,
		Load:    func(c *checked) *verso.Result { return c.result },
		Store:   func(c *checked, result *verso.Result) { c.result = result },
		Write: func(c *checked, fields adapter.Fields) {
			header := make(http.Header)
			fields.Set(header)
			c.vary = header["Vary"]
		},
		Next:      func(*checked, struct{}) error { return nil },
		NoContent: func(*checked) error { return nil },
		Reject: func(c *checked, rejected *verso.Error, answer *verso.Answer) error {
			c.answer = answer
			return rejected
		},
		Fail: func(_ *checked, err error) error { return err },
	})
}

// decide returns the result, the answer or the error, whichever there is.
func decide(d *decider, r source.Request) *checked {
	c := new(checked)
	c.err = d.Check(c, &adapter.Call{Request: r}, struct{}{})
	return c
}

// reads returns an error unless a request is read as a request for a version.
func (s *sourceSuite) reads(r *sourceRequest, version string) error {
	got, rejection, _, err := read(s.api, r)
	if err == nil && got != verso.V(version) {
		err = fmt.Errorf("a request for version %q is read as %#v%s\nrequest: %s", version, got, rejection, r)
	}
	return err
}

// links checks that a written version is read, and checks the links in such requests. A link
// that its own source does not read back sends a client to another version, or to a 404, on the
// second page of a list.
func (s *sourceSuite) links() error {
	for i, version := range s.Versions {
		r := s.with[i]
		if err := s.reads(r, version); err != nil {
			return fmt.Errorf("%w\nif Write cannot write it, set SourceOptions.Request", err)
		}
		if s.Request != nil {
			continue
		}
		result := decide(s.api, r.verso()).result
		// Links to the version of the request come first, then those to each version, its own
		// included: a migration guide has them.
		for j, to := range append([]string{version}, s.Versions...) {
			of, next := r, target("")
			if j > 0 {
				of, next = s.with[j-1], target(to)
			}
			link, err := adapter.LinkFor(result, r.verso(), next)
			if err == nil {
				err = s.reads(s.visit(link, of.http.Header), to)
			}
			if err != nil {
				return fmt.Errorf("a link from version %q to %q: %w", version, to, err)
			}
		}
	}
	return nil
}

// place checks that the source, and each of its parts, is described to be where it writes.
// Place decides where a successor link can lead, and what an OpenAPI document describes. No
// other check finds a wrong one.
func (s *sourceSuite) place() error {
	for _, from := range append(s.source.Describe().Parts, s.source) {
		for _, version := range s.Versions {
			written, err := from.Write(source.Written{}, verso.V(version))
			if err != nil {
				return fmt.Errorf("writing version %q: %w", version, err)
			}
			described := from.Describe()
			if places := placesOf(&written, s.Host); !slices.Contains(places, described.Place) {
				return fmt.Errorf("the %s writes version %q %s, but Description.Place is %d, %s",
					described.Name, version, placeNames[places[0]], described.Place, placeNames[described.Place])
			}
		}
	}
	return nil
}

var placeNames = map[source.Place]string{
	source.NotInURL: "not into the URL", source.InPath: "into the path", source.InHost: "into the host",
	source.InQuery: "into the query",
}

// placesOf returns where a source has written the version, at least NotInURL.
func placesOf(w *source.Written, host string) (places []source.Place) {
	param, _ := w.Param()
	if path, err := w.Path("/"); param != "" || w.Name("") != "" || path != "/" || err != nil {
		places = append(places, source.InPath)
	}
	// A place that cannot be written for this host is still the place.
	if moved, err := w.Host(host); moved != "" || err != nil {
		places = append(places, source.InHost)
	}
	if name, _ := w.Query(); name != "" {
		places = append(places, source.InQuery)
	}
	if places == nil {
		places = []source.Place{source.NotInURL}
	}
	return places
}

// rejects checks that a version not served is rejected. Only the last version is
// served, and the requests ask for the rest: a source that drops what it cannot find would let
// them through in the default version. What is before all versions is near none.
func (s *sourceSuite) rejects() error {
	last := len(s.Versions) - 1
	api, err := s.binding(s.Versions[last])
	if err != nil {
		return err
	}
	for _, r := range s.with[:last] {
		version, rejection, _, err := read(api, r)
		if s.inPattern && version.IsNone() && err == nil {
			continue // a segment that is not a version is part of the path
		}
		if err != nil || rejection == "" {
			return fmt.Errorf("the request is answered in version %#v, which it does not ask for; error %w\nrequest: %s", version, err, r)
		}
	}
	return nil
}

// otherHeaders are headers that a source might read. They are the usual suspects: what
// libraries of other languages read, and what a proxy sets.
var otherHeaders = []string{
	"Accept", "Accept-Language", "Accept-Version", "Api-Version", "Authorization", "Cookie", "Origin", "Referer",
	"User-Agent", "Version",
	"X-Api-Version", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Version",
}

// vary checks that the source reads exactly the headers that it names.
func (s *sourceSuite) vary() error {
	var wrong complaints
	asked := make(map[string]bool)
	for _, r := range append(s.with, s.without) {
		before, rejection, vary, err := read(s.api, r)
		if err != nil {
			return err
		}
		// A header may be read without a version in it, and Vary must name it all the same:
		// another request has it.
		for name := range r.asked {
			asked[name] = true
			if name == contextAsked {
				continue
			}
			wrong.unless(slices.Contains(strings.Split(strings.Join(vary, ", "), ", "), name),
				"Read reads the header %s, which Vary does not name\nrequest: %s", name, r)
		}
		// Reading through another way than Request.Header, such as the http.Request itself, shows
		// only in the result.
		for _, name := range otherHeaders {
			changed := r.changed(func(r *sourceRequest) { r.http.Header.Set(name, s.Versions[1]) })
			after, otherwise, _, err := read(s.api, changed)
			wrong.unless(slices.Contains(s.headers, name) || err == nil && after == before && otherwise == rejection,
				"the header %s changes what is read from %#v to %#v, but Headers does not name it", name, before, after)
		}
	}
	// A name too many in Vary costs hits in every cache.
	for _, name := range s.headers {
		// What a middleware has put into the context comes from a header that Read does not read:
		// the claims of a token from Authorization.
		wrong.unless((asked[name] || asked[contextAsked]) && name == http.CanonicalHeaderKey(name),
			"Headers names %s, which Read never reads or which is not in canonical form", name)
	}
	return wrong.join()
}

// contextAsked is the context of a request, among the names of headers.
const contextAsked = ""

// otherCookies are cookies as browsers send them. A strict parser refuses some of them.
var otherCookies = []string{"theme=dark", "empty=", "flag", "name=José", `prefs={"a":1,"b":2}`}

// cookies checks the cookies beside the version's. A browser sends all cookies of a
// domain, and other code sets most of them.
func (s *sourceSuite) cookies() error {
	for i, version := range s.Versions {
		own := joined("Cookie", s.with[i].http.Header["Cookie"])
		if own == "" {
			continue
		}
		fields := [][]string{{own + ";"}}
		for _, other := range append(slices.Clip(otherCookies), "my"+strings.Split(own, "=")[0]+"=dark") {
			fields = append(fields, []string{other + "; " + own}, []string{own + "; " + other}, []string{other, own},
				[]string{own, other})
		}
		for _, lines := range fields {
			r := s.with[i].changed(func(r *sourceRequest) { r.http.Header["Cookie"] = lines })
			if err := s.reads(r, version); err != nil {
				return err
			}
		}
	}
	return nil
}

// places returns requests with a value in place of the version wherever the request has it, and
// in every other place that may have a version. The whole text and a part of it are replaced: a
// source may cut the version out before it looks at it.
func (s *sourceSuite) places(r *sourceRequest, version, value string) []*sourceRequest {
	var places []*sourceRequest
	if !s.inPattern { // otherwise a route without a pattern is a programming error
		places = append(places, r.changed(func(r *sourceRequest) { r.route, r.http.Pattern = nil, "" }))
	}
	for _, replace := range []func(string) string{
		func(text string) string { return strings.ReplaceAll(text, version, value) },
		func(string) string { return value },
	} {
		changes := []func(*sourceRequest){
			func(r *sourceRequest) { r.http.Host = replace(r.http.Host) },
			func(r *sourceRequest) { r.http.URL.RawQuery = replace(r.http.URL.RawQuery) },
			func(r *sourceRequest) { r.http.URL.RawQuery = url.QueryEscape(replace(r.http.URL.RawQuery)) },
			func(r *sourceRequest) {
				r.route = &route.Route{Name: replace(s.Versions[0] + ":target"), Pattern: r.route.Pattern}
			},
			func(r *sourceRequest) {
				for _, part := range strings.Split(r.http.Pattern, "{")[1:] {
					name, _, _ := strings.Cut(part, "}")
					r.http.SetPathValue(name, replace(r.http.PathValue(name)))
				}
			},
		}
		for _, name := range s.headers {
			changes = append(changes,
				func(r *sourceRequest) { r.http.Header[name] = []string{replace(r.http.Header.Get(name))} },
				func(r *sourceRequest) {
					r.http.Header[name] = slices.Repeat([]string{replace(r.http.Header.Get(name))}, 10)
				})
		}
		for _, change := range changes {
			places = append(places, r.changed(change))
		}
	}
	return places
}

// They have what breaks a parser (separators, quotes, half an escape), a header (line breaks),
// a log (control and direction characters), a page (markup) or a bound (length). Each contains
// "evil", which no answer may repeat.
var hostileValues = []string{
	"", " ", ",", ";", "=", "&", "evil", "evil\r\nX-Evil: 1", "evil\x00", "evil\xff\xfe", "\u202eevil", "<evil>", "%zz",
	`"`, `\`,
	"v1,evil", "evil;v1", ":evil", strings.Repeat("evil", 1<<10), strings.Repeat("evil,", 1<<10),
}

// hostile checks hostile requests. With reflected text, an error message becomes an attack on
// its reader.
func (s *sourceSuite) hostile() error {
	for i, version := range s.Versions {
		for _, value := range hostileValues {
			for _, r := range s.places(s.with[i], version, value) {
				got, rejection, _, err := read(s.api, r)
				if err != nil || strings.Contains(rejection+got.String(), "evil") {
					return fmt.Errorf("a hostile request results in version %#v, rejection %.300q, error %w\nrequest: %s", got, rejection, err, r)
				}
			}
		}
	}
	return nil
}

// What a large request may cost: a source with quadratic cost is far beyond it.
const (
	largeBytes = 64 << 10
	// The time is generous, since machines of CI are busy; a quadratic scan of 64 KiB takes longer
	// still.
	maxLarge       = 2 * time.Second
	maxAllocations = 100 * largeBytes
)

// bounded checks large requests.
func (s *sourceSuite) bounded() error {
	for _, piece := range []string{"v", ",", ";", "&", "v,", "a=b&", "v1,v2;", "=", "%41", `"`, "(", "."} {
		// Each piece is a separator of some grammar, repeated, for which a careless parser starts
		// again.
		for _, r := range s.places(s.with[0], s.Versions[0], strings.Repeat(piece, largeBytes/len(piece))) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, _, _, err := read(s.api, r)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			// A busy machine does not stop the same request twice more.
			for tries := 0; took > maxLarge && tries < 2; tries++ {
				began = time.Now()
				_, _, _, err = read(s.api, r)
				took = time.Since(began)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; err != nil || took > maxLarge ||
				allocated > maxAllocations {
				return fmt.Errorf("a request with %d KiB of %q takes %v and %d KiB of memory, error %w", largeBytes>>10,
					piece, took, allocated>>10, err)
			}
		}
	}
	return nil
}

// wrapper is a source that embeds another, for example to log. Core knows its own sources and
// takes short cuts for them. Through a wrapper it cannot, and the answer must be the same.
type wrapper struct{ source.Source }

// wrapping checks that an embedded source behaves the same.
func (s *sourceSuite) wrapping() error {
	for _, strict := range []verso.Strictness{{}, verso.Strict()} {
		// Versions that a place cannot carry must be refused when the service is built, also by a
		// wrapped source.
		for _, texts := range [][]string{s.Versions, {"v 1"}, {"v/1"}, {"v:1", "é"}} {
			config := s.config(texts)
			config.Strict = strict
			plain, err := verso.New(s.source, config)
			wrapped, wrappedErr := verso.New(wrapper{s.source}, config)
			if fmt.Sprint(err) != fmt.Sprint(wrappedErr) {
				return fmt.Errorf("with the versions %q, the error is %w; embedded, it is %w", texts, err, wrappedErr)
			}
			for _, r := range append(s.places(s.with[0], s.Versions[0], s.Versions[0]+","+s.Versions[1]), s.with...) {
				router := sourceRouter(s.routes)
				if err == nil && fmt.Sprint(read(newDecider(adapter.Bind(plain, router)),
					r)) != fmt.Sprint(read(newDecider(adapter.Bind(wrapped, router)), r)) {
					return fmt.Errorf("embedded, the source reads another version\nrequest: %s", r)
				}
			}
		}
	}
	return nil
}

// concurrent reads and writes all versions concurrently. A source is shared by all requests.
// One that keeps state between two calls shows it here, and in a race.
func (s *sourceSuite) concurrent() error {
	return concurrently(func(client, _ int) error {
		version := s.Versions[client%len(s.Versions)]
		r, err := s.written(version)
		if err != nil {
			return err
		}
		return s.reads(r, version)
	})
}
