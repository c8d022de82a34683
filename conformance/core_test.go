package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// TestCore runs every case of level core against the core module, except those of the
// client.
func TestCore(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	quiet(t)
	for _, c := range cases {
		if c.Op == "notice" || c.Level != "core" { // the tests of module client run notice
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			operation, ok := map[string]func(*Case) error{
				"determine":           checkDetermineCore,
				"determine_stub":      checkDetermineStub,
				"is_allowed":          checkIsAllowed,
				"reverse":             checkLinkCore,
				"reverse_call":        checkReverseCall,
				"configure":           checkConfigure,
				"viewname":            checkViewname,
				"replace_query_param": checkReplaceQueryParam,
			}[c.Op]
			if !ok {
				t.Fatal(c.explain(fmt.Errorf("operation %q at level core: not implemented yet", c.Op)))
			}
			if err := c.explain(operation(&c)); err != nil {
				t.Error(err)
			}
		})
	}
	t.Log(summary(cases, "core"))
}

// configureCase is a case of the operation configure.
type configureCase struct {
	Route       *caseRoute  `json:"route"`
	OtherRoutes []caseRoute `json:"other_routes"`
	Want        struct {
		Error      string   `json:"error"`
		Warning    string   `json:"warning"`       // must be among the findings
		NoWarnings []string `json:"no_warnings"`   // must not be among the findings
		About      string   `json:"finding_about"` // a code that a finding of another code must name
	} `json:"want"`
}

// checkConfigure makes the service of a case and registers its routes.
func checkConfigure(c *Case) error {
	var d configureCase
	if err := c.Decode(&d); err != nil {
		return err
	}
	var b *adapter.Binding
	api, err := c.service.versioning(c.Scheme)
	if err == nil {
		b = adapter.Bind(api, new(stub))
		err = d.register(b)
	}
	var findings []verso.Finding
	if err == nil {
		findings = b.Explain().Findings
	}
	return d.judge(err, findings)
}

// register registers the routes of the case.
func (d *configureCase) register(b *adapter.Binding) error {
	routes := d.OtherRoutes
	if d.Route != nil {
		routes = append(routes, *d.Route)
	}
	for _, r := range routes {
		options := r.options()
		if r.Choices != nil {
			handlers := make(verso.Handlers[*string])
			for _, choice := range r.Choices {
				handlers[choice.From] = choice.Handler
			}
			_, option, err := adapter.Picker(handlers, b)
			if err != nil {
				return err
			}
			options = append(options, option)
		}
		added := route.Route{Method: cmp.Or(r.Method, http.MethodGet), Path: cmp.Or(r.Pattern, "/"), Name: r.route().FullName(), Pattern: route.Braces(cmp.Or(r.Pattern, "/"))}
		if _, err := b.Add(added, options...); err != nil {
			return err
		}
	}
	return nil
}

// judge returns an error for a wrong start-up error or wrong findings.
func (d *configureCase) judge(err error, findings []verso.Finding) error {
	var wrong complaints
	codes := codesOf(err)
	wrong.unless((err == nil) == (d.Want.Error == "") && (err == nil || slices.Contains(codes, d.Want.Error)),
		"the error is %q (%w) instead of %q", codes, err, d.Want.Error)
	has := func(code string) bool {
		return slices.ContainsFunc(findings, func(f verso.Finding) bool { return f.Code == code })
	}
	wrong.unless(d.Want.Warning == "" || has(d.Want.Warning), "Explain has no finding %q: %v", d.Want.Warning, findings)
	for _, code := range d.Want.NoWarnings {
		wrong.unless(!has(code), "Explain has the finding %q: %v", code, findings)
	}
	wrong.unless(d.Want.About == "" || slices.ContainsFunc(findings, func(f verso.Finding) bool {
		return f.Code != d.Want.About && strings.Contains(f.Message, strconv.Quote(d.Want.About))
	}), "Explain has no finding about %q: %v", d.Want.About, findings)
	return wrong.join()
}

// codesOf returns the codes of all joined mistakes.
func codesOf(err error) (codes []string) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			codes = append(codes, codesOf(one)...)
		}
		return codes
	}
	var mistake *verso.Finding
	if errors.As(err, &mistake) {
		return []string{mistake.Code}
	}
	var invalid *catalogue.Error
	if errors.As(err, &invalid) {
		return []string{invalid.Code}
	}
	return nil
}

// stub is a hand-made request, and its facts.
type stub struct {
	host, query string
	secure      bool
	header      map[string][]string // in the form of cases
	path        map[string]*string
	route       *route.Route
	routes      []route.Route // that links lead to
}

var (
	_ source.RequestReader = (*stub)(nil)
	_ adapter.Router       = (*stub)(nil)
)

func (s *stub) request() (r source.Request) {
	r.Set(s, http.MethodGet, nil, s.route)
	r.SetParams(s)
	return r
}
func (s *stub) Secure(any) bool             { return s.secure }
func (s *stub) Host(any) string             { return s.host }
func (s *stub) RawQuery(any) string         { return s.query }
func (s *stub) Routes() []adapter.Listed    { return sourceRouter(s.routes).Routes() }
func (s *stub) Context(any) context.Context { return context.Background() }

func (s *stub) Header(_ any, name string) (string, bool) {
	lines, ok := s.header[name]
	return string(latin1Bytes(strings.Join(lines, ", "))), ok
}

func (s *stub) PathParam(_ any, name string) (string, bool) {
	if value := s.path[name]; value != nil {
		return *value, true
	}
	return "", false
}

// newStub returns the stub of the request of a case, if there is one.
func newStub(r *request) *stub {
	s := new(stub)
	if r != nil {
		_, s.query, _ = strings.Cut(string(latin1Bytes(r.Target)), "?")
		s.secure, s.header = r.URLScheme == "https", r.Headers
		if r.Host != nil {
			s.host = *r.Host
		}
	}
	return s
}

// stub returns the stub of the request of the case.
func (r *requestCase) stub() *stub {
	s := newStub(&r.Request)
	s.path, s.route = r.Route.Captured, &route.Route{Name: route.Join(strings.Join(r.Route.Namespaces, ":"), "route")}
	return s
}

func checkDetermineCore(c *Case) error {
	var d requestCase
	if err := c.Decode(&d); err != nil {
		return err
	}
	s := d.stub()
	api, err := c.service.versioning(c.Scheme)
	if err != nil {
		return err
	}
	return d.Want.judgeVersion(adapter.Bind(api, nil).DetermineVersion(s.request()))
}

func checkDetermineStub(c *Case) error {
	var d struct {
		ClassName string             `json:"class_name"`
		Kwargs    map[string]*string `json:"kwargs"`
		Request   struct {
			AcceptedMediaType *string     `json:"accepted_media_type"`
			QueryParams       [][2]string `json:"query_params"`
			ResolverMatch     *struct {
				Namespace string `json:"namespace"`
			} `json:"resolver_match"`
			Host string `json:"host"`
		} `json:"request"`
		Want struct {
			requestWant
			Error string `json:"error"`
		} `json:"want"`
	}
	if err := c.Decode(&d); err != nil {
		return err
	}
	if d.Want.Error == "not-implemented" {
		base, err := scheme.NewBase(d.ClassName, verso.Must(c.service.config()))
		if err != nil {
			return err
		}
		if _, err = adapter.Bind(base, nil).DetermineVersion(new(stub).request()); !errors.Is(err, verso.ErrNotImplemented) || err.Error() != d.Want.Message {
			return fmt.Errorf("error is %w instead of %q", err, d.Want.Message)
		}
		return nil
	}
	api, err := c.service.versioning(c.Scheme)
	if err != nil {
		return err
	}
	s := &stub{path: d.Kwargs, host: d.Request.Host}
	if match := d.Request.ResolverMatch; match != nil {
		s.route = &route.Route{Name: route.Join(match.Namespace, "route")}
	}
	query := make([]string, len(d.Request.QueryParams))
	for i, pair := range d.Request.QueryParams {
		query[i] = url.QueryEscape(pair[0]) + "=" + url.QueryEscape(pair[1])
	}
	s.query = strings.Join(query, "&")
	if text := d.Request.AcceptedMediaType; text != nil {
		s.header = map[string][]string{"Accept": {*text}}
		if api, err = c.accepting(api, string(latin1Bytes(*text))); err != nil {
			return err
		}
	}
	return d.Want.judgeVersion(adapter.Bind(api, nil).DetermineVersion(s.request()))
}

// accepting returns a versioning that reads the given media type: api, if an Accept
// header with it negotiates the same, and otherwise one whose source does not
// negotiate.
func (c *Case) accepting(api *verso.Versioning, mediaType string) (*verso.Versioning, error) {
	negotiator, err := mediatype.NewNegotiator()
	if err != nil {
		return nil, err
	}
	if accepted, ok := negotiator.Negotiate(mediaType); ok && accepted.MediaType == mediaType {
		return api, nil
	}
	from, err := c.service.source(c.Scheme)
	if err != nil {
		return nil, err
	}
	text, found := mediatype.Param(mediaType, cmp.Or(c.service.Settings.VersionParam, scheme.DefaultParam))
	reading := source.Reading{Outcome: source.Absent}
	if found {
		reading = source.Reading{Outcome: source.Found, Text: latin1Text(text)}
	}
	return verso.New(fixed{from, reading}, verso.Must(c.service.config()))
}

// latin1Text returns text with one character for each byte of value.
func latin1Text(value string) string {
	text := make([]rune, len(value))
	for i := range len(value) {
		text[i] = rune(value[i])
	}
	return string(text)
}

// judgeVersion returns an error for a wrong version.
func (w *requestWant) judgeVersion(got verso.Version, err error) error {
	if w.Version.given {
		if err != nil || got.IsNone() != w.Version.IsNone() || string([]rune(got.String())) != w.Version.String() {
			return fmt.Errorf("determined %#v, error \"%w\", instead of %#v", got, err, w.Version.Version)
		}
		return nil
	}
	var rejected *verso.Error
	if !errors.As(err, &rejected) {
		return fmt.Errorf("determined %#v, error \"%w\", instead of status %d", got, err, w.Status)
	}
	if rejected.Status != w.Status || w.Message != "" && rejected.Message != w.Message {
		return fmt.Errorf("rejected with status %d, %q instead of %d, %q", rejected.Status, rejected.Message, w.Status, w.Message)
	}
	sentinel := map[int]error{400: verso.ErrBadRequest, 404: verso.ErrNotFound, 406: verso.ErrNotAcceptable}[w.Status]
	if !errors.Is(err, sentinel) {
		return fmt.Errorf("the error does not match %w", sentinel)
	}
	return nil
}

func checkIsAllowed(c *Case) error {
	var d struct {
		Version verso.Version `json:"version"`
		Want    struct {
			Allowed bool `json:"allowed"`
		} `json:"want"`
	}
	if err := c.Decode(&d); err != nil {
		return err
	}
	api, err := c.service.versioning(c.Scheme)
	if err != nil {
		return err
	}
	if got := api.IsAllowedVersion(d.Version); got != d.Want.Allowed {
		return fmt.Errorf("IsAllowedVersion(%#v) is %t instead of %t", d.Version, got, d.Want.Allowed)
	}
	return nil
}

// checkLinkCore builds a link over the table of the case, without a server.
func checkLinkCore(c *Case) error {
	var l linkCase
	if err := c.Decode(&l); err != nil {
		return err
	}
	router := new(stub)
	for _, r := range c.tables[l.Routes] {
		router.routes = append(router.routes, route.Route{Name: route.Join(r.Namespace, r.Name), Path: r.Pattern, Pattern: route.Braces(r.Pattern)})
	}
	return l.judge(l.build(c, router))
}

// judge returns an error for a wrong link.
func (l *linkCase) judge(url string, err error) error {
	if url != l.Want.URL || (err != nil) != (l.Want.Error != "") || err != nil && errorName(err) != l.Want.Error {
		return fmt.Errorf("the link is %q, error \"%w\", instead of %q, error %q", url, err, l.Want.URL, l.Want.Error)
	}
	return nil
}

// build builds the link of the case with the function that its entry names.
func (l *linkCase) build(c *Case, router adapter.Router) (string, error) {
	if l.AttachScheme != nil && !*l.AttachScheme {
		detached := *c
		detached.Scheme = "base"
		c = &detached
	}
	var r source.Request
	var version verso.Version
	if l.Request != nil {
		r, version = newStub(&l.Request.request).request(), l.Request.Version
	}
	if l.Entry == "scheme" {
		api, err := c.service.versioning(c.Scheme)
		if err != nil {
			return "", err
		}
		return adapter.Bind(api, router).Reverse(r, version, l.target(Call{}))
	}
	api, err := c.determined(version)
	if err != nil {
		return "", err
	}
	of := decide(newDecider(adapter.Bind(api, router)), new(stub).request())
	if of.err != nil {
		return "", of.err
	}
	return adapter.LinkFor(of.result, r, l.target(Call{}))
}

// call is what a framework is asked for.
type call struct {
	Name   string         `json:"viewname"`
	Args   []any          `json:"args"`
	Kwargs map[string]any `json:"kwargs"`
	Format string         `json:"format"`
}

// checkReverseCall compares what a source writes for a target. The case's own framework
// fails a number of times and then answers with a URL.
func checkReverseCall(c *Case) error {
	var l linkCase
	var d struct {
		Base struct {
			URL  string `json:"url"`
			Fail int    `json:"fail"`
		} `json:"base"`
		Want struct {
			Calls []call `json:"base_calls"`
		} `json:"want"`
	}
	if err := c.Decode(&l, &d); err != nil {
		return err
	}
	from, err := c.service.source(c.Scheme)
	if err != nil {
		return err
	}
	tries := make([]source.Written, 1, 2)
	if version := l.Request.Version; !version.IsNone() {
		if tries[0], err = from.Write(tries[0], version); err != nil {
			return err
		}
	}
	if l.Entry == "wrapper" {
		tries = append(tries, source.Written{})
	}
	tries = tries[:min(len(tries), d.Base.Fail+1)]
	if len(tries) != len(d.Want.Calls) {
		return fmt.Errorf("there were %d tries instead of %d", len(tries), len(d.Want.Calls))
	}
	for i, want := range d.Want.Calls {
		to := l.target(Call{})
		got := call{tries[i].Name(to.Name), to.Args, to.Params, to.Format}
		if name, version := tries[i].Param(); name != "" {
			got.Kwargs = map[string]any{name: version}
			maps.Copy(got.Kwargs, to.Params)
		}
		asked := (&link{Name: want.Name, Args: want.Args, Params: want.Kwargs}).target(Call{}) // with integers
		want.Args, want.Kwargs = asked.Args, asked.Params
		if fmt.Sprintf("%#v", got.orNil()) != fmt.Sprintf("%#v", want.orNil()) {
			return fmt.Errorf("try %d was %#v instead of %#v", i, got, want)
		}
	}
	if d.Base.Fail >= len(tries) {
		return l.judge("", verso.ErrNoReverseMatch)
	}
	name, version := tries[len(tries)-1].Query()
	return l.judge(rewrite(d.Base.URL, name, version), nil)
}

// orNil returns the call with nil for empty slices and maps.
func (c call) orNil() call {
	if len(c.Args) == 0 {
		c.Args = nil
	}
	if len(c.Kwargs) == 0 {
		c.Kwargs = nil
	}
	return c
}

func checkViewname(c *Case) error {
	var l linkCase
	var d struct {
		Want struct {
			Viewname string `json:"viewname"`
		} `json:"want"`
	}
	if err := c.Decode(&l, &d); err != nil {
		return err
	}
	if got := l.Request.Version.InNamespace(l.Name); got != d.Want.Viewname {
		return fmt.Errorf("the versioned name is %q instead of %q", got, d.Want.Viewname)
	}
	return nil
}

func checkReplaceQueryParam(c *Case) error {
	var d struct {
		URL, Key, Value string
		Want            struct{ URL string }
	}
	if err := c.Decode(&d); err != nil {
		return err
	}
	if got := rewrite(d.URL, d.Key, d.Value); got != d.Want.URL {
		return fmt.Errorf("URL is %q instead of %q", got, d.Want.URL)
	}
	return nil
}

// rewrite returns a URL with a version in a query parameter, as in a link of core. It is
// the URL itself for no parameter.
func rewrite(text, param, version string) string {
	if param == "" {
		return text
	}
	head, fragment, hasFragment := strings.Cut(text, "#")
	head, query, _ := strings.Cut(head, "?")
	target := verso.Target{Name: "root", Query: make(url.Values), Version: verso.V(version)}
	for pair := range strings.SplitSeq(query, "&") {
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			target.Query.Add(unescape(name), unescape(value))
		}
	}
	b := adapter.Bind(verso.MustNew(verso.QueryParam(param), verso.Config{AnyVersion: true}), nil)
	verso.Must(b.Add(route.Route{Name: "root", Path: "/", Pattern: route.Braces("/")}))
	link := strings.TrimPrefix(verso.Must(b.Link(target)), "/")
	if hasFragment && fragment != "" {
		link += "#" + fragment
	}
	return head + link
}

// unescape decodes a query component. A percent sign that does not begin an escape
// stands for itself.
func unescape(text string) string {
	parts := strings.Split(text, "%")
	for i, part := range parts[1:] {
		if _, err := url.QueryUnescape("%" + part); err != nil {
			parts[i+1] = "25" + part
		}
	}
	return verso.Must(url.QueryUnescape(strings.Join(parts, "%")))
}

// TestWrapped embeds each source of the cases in another type, for example to log or
// to count, and checks that this changes no answer (version, problem details, Vary)
// and no check of a configuration.
func TestWrapped(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	quiet(t)
	for _, c := range cases {
		if c.Op != "determine" && c.Op != "lifecycle" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			var r requestCase
			if err := c.Decode(&r); err != nil {
				t.Fatal(err)
			}
			plain, sourceErr := c.service.source(c.Scheme)
			own, configErr := c.service.config()
			if err := errors.Join(sourceErr, configErr); err != nil {
				t.Fatal(c.explain(err))
			}
			wrapped := &counting{Source: plain}
			if from := c.service.Sources.From; len(from) > 0 {
				parts := make([]source.Source, len(from))
				for i := range from {
					parts[i] = &counting{Source: verso.Must(from[i].source())}
				}
				wrapped.Source = map[string]func(...source.Source) source.Source{"first": verso.First, "agree": verso.Agree}[c.service.Sources.Mode](parts...)
			}
			for _, strict := range []verso.Strictness{{}, verso.Strict(), {RefuseContradictions: true}, {RefuseEmpty: true}, {AllowedHosts: []string{"example.com"}}} {
				for _, texts := range [][]string{nil, {"v 1"}, {"v/1"}, {"v:1"}, {"v,1", "V,1"}, {"\u00e9"}} {
					config := own
					config.Strict = strict
					if texts != nil {
						config.AllowedVersions, config.AnyVersion = texts, false
					}
					reads := wrapped.reads
					got, want := describeAnswer(wrapped, config, r.stub()), describeAnswer(plain, config, r.stub())
					if got != want {
						t.Errorf("strict %+v, versions %q: the wrapped source gives %s, without the wrapper it is %s", strict, texts, got, want)
					}
					if isAsked := !strings.HasPrefix(want, "not started") && !strings.Contains(want, string(verso.UnknownHost)); isAsked && wrapped.reads == reads {
						t.Error("the wrapper was not called")
					}
				}
			}
		})
	}
}

// counting is a source that counts the readings of another.
type counting struct {
	source.Source
	reads int
}

func (c *counting) Read(r source.Request, served *source.ServedVersions) source.Reading {
	c.reads++
	return c.Source.Read(r, served)
}

// describeAnswer returns the answer to a request, as text.
func describeAnswer(from source.Source, config verso.Config, s *stub) string {
	api, err := verso.New(from, config)
	if err != nil {
		return "not started: " + err.Error()
	}
	b := adapter.Bind(api, nil)
	c := decide(newDecider(b), s.request())
	text := fmt.Sprintf("name %q, findings %v, Vary %q of %q, error %v", api.Name(), b.Explain().Findings, c.vary, api.Vary(), c.err)
	var rejected *verso.Error
	if errors.As(c.err, &rejected) {
		return text + fmt.Sprintf(", source %q, requested %q, body %s", rejected.Source, rejected.Requested, c.answer.Body)
	}
	return text + fmt.Sprintf(", version %#v", c.result.Version())
}
