package verso_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// ask is a request by its parts, also those that net/http would not parse.
type ask struct {
	method string // "": GET
	host   string
	query  string
	header http.Header
	params map[string]string // path parameters
	route  *route.Route
	tls    bool
}

func (a ask) request() source.Request {
	r := &http.Request{Method: a.method, Host: a.host, URL: &url.URL{Path: "/", RawQuery: a.query}, Header: a.header}
	if a.method == "" {
		r.Method = http.MethodGet
	}
	if a.tls {
		r.TLS = new(tls.ConnectionState)
	}
	return versotest.Request(r, a.params, a.route)
}

// in returns the request with the version as its path parameter.
func in(version string) ask { return ask{params: map[string]string{"version": version}} }

// accept returns the request with an Accept header of the given lines.
func accept(lines ...string) ask { return ask{header: http.Header{"Accept": lines}} }

// field returns the request with the given lines of Api-Version.
func field(lines ...string) ask { return ask{header: http.Header{"Api-Version": lines}} }

func query(text string) ask { return ask{query: text} }

func host(name string) ask { return ask{host: name} }

// named returns the request that matched a route of the given name.
func named(name string) ask {
	for matched := range route.NewTable(route.Route{Name: name, Pattern: route.Colons("/users")}).Routes() {
		return ask{route: matched}
	}
	return ask{}
}

// checked is what a check has made of a request.
type checked struct {
	kept   *verso.Result
	fields adapter.Fields
	err    error
	answer *verso.Answer // nil: it is not rejected

	keepServed bool
	noContent  bool // it was answered with status 204
	client     string
}

// rejected returns the rejection and its answer. ok is false if there is none.
func (c *checked) rejected() (rejected *verso.Error, answer *verso.Answer, ok bool) {
	rejected, ok = errors.AsType[*verso.Error](c.err)
	return rejected, c.answer, ok
}

var seams sync.Map // of bindings, each made once

// seamOf returns the check of an adapter whose store is the request itself.
func seamOf(b *adapter.Binding) *adapter.Seam[*checked, func(*checked)] {
	made, _ := seams.LoadOrStore(b, sync.OnceValue(func() *adapter.Seam[*checked, func(*checked)] { return newSeam(b) }))
	return made.(func() *adapter.Seam[*checked, func(*checked)])()
}

func newSeam(b *adapter.Binding) *adapter.Seam[*checked, func(*checked)] {
	s := adapter.Seam[*checked, func(*checked)]{
		Binding:   b,
		Load:      func(c *checked) *verso.Result { return c.kept },
		Store:     func(c *checked, result *verso.Result) { c.kept = result },
		Write:     func(c *checked, fields adapter.Fields) { c.fields = fields },
		Next:      func(c *checked, next func(*checked)) error { next(c); return nil },
		NoContent: func(c *checked) error { c.noContent = true; return nil },
		Reject: func(c *checked, rejected *verso.Error, answer *verso.Answer) error {
			c.err, c.answer = rejected, answer
			return nil
		},
		Fail:             func(c *checked, err error) error { c.err = err; return nil },
		ExemptFromSunset: func(c *checked) bool { return c.keepServed },
	}
	if b.Observes() {
		s.Client = func(c *checked) string { return c.client }
	}
	return adapter.NewSeam(s)
}

// begin decides on a request as the check of an adapter does. The result is nil if the
// request is rejected.
func begin(b *adapter.Binding, r source.Request) (*verso.Result, *checked) {
	c := new(checked)
	call := adapter.Call{Request: r}
	_ = seamOf(b).Check(c, &call, func(*checked) {}) // the error is in c
	if c.err != nil {
		return nil, c
	}
	return c.kept, c
}

// answerTo returns the answer to a request, nil unless it is rejected.
func answerTo(b *adapter.Binding, r source.Request) *verso.Answer {
	_, call := begin(b, r)
	return call.answer
}

// fields returns the response fields of a decision but Vary, a line each.
func fields(call *checked) (lines []string) {
	call.fields.Each(func(f catalogue.Field, mode adapter.FieldMode) {
		if mode != adapter.JoinField {
			lines = append(lines, fmt.Sprint(f.Name, ": ", strings.Join(f.Lines, " | "), " ", mode))
		}
	})
	return lines
}

// varies returns the names in the Vary field of a decision.
func varies(call *checked) (names []string) {
	w := httptest.NewRecorder()
	call.fields.Set(w.Header())
	for _, line := range w.Header()["Vary"] {
		names = append(names, strings.Split(line, ", ")...)
	}
	return names
}

// outcome says in a few words what becomes of a request: "= v1", "none", "404
// invalid_url_path_version", or "error" and its text.
func outcome[A *verso.Versioning | *adapter.Binding](api A, r source.Request) string {
	var version verso.Version
	var err error
	switch api := any(api).(type) {
	case *verso.Versioning:
		version, err = adapter.Bind(api, nil).DetermineVersion(r)
	case *adapter.Binding:
		result, call := begin(api, r)
		if err = call.err; err == nil {
			version = result.Version()
		} else if result != nil {
			return "a result besides the error " + err.Error()
		}
		if call.noContent {
			return "204"
		}
	}
	return outcomeOf(version, err)
}

func outcomeOf(version verso.Version, err error) string {
	rejected, ok := errors.AsType[*verso.Error](err)
	switch {
	case ok:
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "error " + err.Error()
	case version.IsNone():
		return "none"
	}
	return "= " + version.String()
}

// list is the configuration of most tests.
func list(versions ...string) verso.Config { return verso.Config{AllowedVersions: versions} }

// withDefault is a list and a default, which is its first.
func withDefault(versions ...string) verso.Config {
	return verso.Config{AllowedVersions: versions, DefaultVersion: verso.V(versions[0])}
}

// with returns a copy of the configuration with one thing changed.
func with(c verso.Config, change func(*verso.Config)) verso.Config {
	change(&c)
	return c
}

// schemes are the schemes of the specification.
func schemes() map[string]func(verso.Config) (*verso.Versioning, error) {
	of := func(construct func(string, verso.Config) (*verso.Versioning, error), where string) func(verso.Config) (*verso.Versioning, error) {
		return func(c verso.Config) (*verso.Versioning, error) { return construct(where, c) }
	}
	return map[string]func(verso.Config) (*verso.Versioning, error){
		scheme.AcceptHeaderVersioning:   of(scheme.NewAcceptHeader, "version"),
		scheme.URLPathVersioning:        of(scheme.NewURLPath, "version"),
		scheme.NamespaceVersioning:      scheme.NewNamespace,
		scheme.HostNameVersioning:       of(scheme.NewHostName, ""),
		scheme.QueryParameterVersioning: of(scheme.NewQueryParameter, "version"),
	}
}

// sources are all single sources, and what a request for a version is in each.
func sources() map[string]struct {
	source source.Source
	ask    func(version string) ask
} {
	type entry = struct {
		source source.Source
		ask    func(version string) ask
	}
	return map[string]entry{
		"accept":     {verso.AcceptParam("version"), func(v string) ask { return accept("application/json; version=" + v) }},
		"path":       {verso.PathParam("version"), in},
		"namespace":  {verso.Namespace(), func(v string) ask { return named(v + ":users") }},
		"host":       {verso.HostLabel(""), func(v string) ask { return host(v + ".example.com") }},
		"pattern":    {verso.HostLabel(`([a-z0-9]+)\.api\.example\.com`), func(v string) ask { return host(v + ".api.example.com") }},
		"query":      {verso.QueryParam("version"), func(v string) ask { return query("version=" + v) }},
		"header":     {verso.Header("Api-Version"), func(v string) ask { return field(v) }},
		"media type": {verso.MediaType("application/vnd.acme.{version}+json"), func(v string) ask { return accept("application/vnd.acme." + v + "+json") }},
	}
}

// three is a source of three and a request that names the version in the last
// two.
func three(how func(...source.Source) source.Source) source.Source {
	return how(verso.QueryParam("version"), verso.PathParam("version"), verso.Header("Api-Version"))
}

func inTwo(version string) ask {
	return ask{params: map[string]string{"version": version}, header: http.Header{"Api-Version": {version}}}
}

// logging makes the default logger write into the buffer, as JSON, until the end
// of the test.
func logging(tb testing.TB) *bytes.Buffer {
	tb.Helper()
	var buffer bytes.Buffer
	logger, writer, flags := slog.Default(), log.Writer(), log.Flags()
	tb.Cleanup(func() {
		slog.SetDefault(logger)
		log.SetOutput(writer) // SetDefault has changed package log too
		log.SetFlags(flags)
	})
	slog.SetDefault(slog.New(slog.NewJSONHandler(&buffer, nil)))
	return &buffer
}

// codes returns the codes of the warnings in a log.
func codes(tb testing.TB, buffer *bytes.Buffer) (codes []string) {
	tb.Helper()
	for line := range strings.Lines(buffer.String()) {
		var record struct{ Level, Msg, Code, Field string }
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Level != "WARN" || record.Field == "" || !strings.HasPrefix(record.Msg, "verso: ") {
			tb.Fatalf("logged %s, %v", line, err)
		}
		codes = append(codes, record.Code)
	}
	return codes
}

// listing is a router that lists routes. Requests have their own path parameters.
type listing []route.Route

func (listing) PathParam(any, string) (string, bool) { return "", false }

func (l listing) Routes() (all []adapter.Listed) {
	for _, r := range l {
		all = append(all, adapter.Listed{Route: r})
	}
	return all
}

// bound returns a binding with the given routes, each of which carries its check.
func bound(api *verso.Versioning, routes ...route.Route) *adapter.Binding {
	b := adapter.Bind(api, nil)
	for _, r := range routes {
		register(b, r)
	}
	return b
}

// register registers a route, whose path is its pattern.
func register(b *adapter.Binding, r route.Route, options ...verso.RouteOption) *adapter.Registration {
	r.Path = r.Pattern.String()
	return verso.Must(b.Add(r, options...))
}

// registered returns a route as requests to it have it.
func registered(b *adapter.Binding, options ...verso.RouteOption) *route.Route {
	return register(b, route.Route{Pattern: route.Colons("/:version/users")}, options...).Route()
}

// findings returns the codes of what Explain finds.
func findings(e *verso.Explanation) (codes []string) {
	for _, f := range e.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// configErrors returns the mistakes that are joined in an error.
func configErrors(err error) (all []*verso.Finding) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			all = append(all, configErrors(one)...)
		}
		return all
	}
	if mistake, ok := errors.AsType[*verso.Finding](err); ok {
		all = append(all, mistake)
	}
	return all
}

// TestMain discards what is logged, but for tests that look at it.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	m.Run()
}

// others are the paths of routes that others have registered.
type others map[string]bool

func (others) PathParam(any, string) (string, bool) { return "", false }

func (o others) Routes() (all []adapter.Listed) {
	for path := range o {
		all = append(all, adapter.Listed{Route: route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}})
	}
	return all
}
