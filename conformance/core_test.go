package conformance

import (
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/route"
)

// TestCore runs every case of level core against the core module.
func TestCore(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	var count tally
	for _, c := range cases {
		if !count.add(&c, "core") {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			if err := checkCore(&c); err != nil {
				t.Errorf("%v\nrule: %s\ncase: %s", err, c.Rule, c.Source)
			}
		})
	}
	t.Log(count)
}

func checkCore(c *Case) error {
	switch c.Op {
	case "determine":
		return checkDetermineCore(c)
	case "determine_stub":
		return checkDetermineStub(c)
	case "is_allowed":
		return checkIsAllowed(c)
	case "reverse":
		return checkReverseCore(c)
	case "reverse_call":
		return checkReverseCall(c)
	case "viewname":
		return checkViewname(c)
	case "replace_query_param":
		return checkReplaceQueryParam(c)
	default:
		return fmt.Errorf("unknown operation %q at level core", c.Op)
	}
}

// stubRequest is a request made by hand.
type stubRequest struct {
	accepted   string
	acceptable bool
	path       map[string]*string
	query      string
	namespace  string
	host       string
	version    verso.Version
}

var _ verso.Request = (*stubRequest)(nil)

func (r *stubRequest) AcceptedMediaType() (string, bool) { return r.accepted, r.acceptable }
func (r *stubRequest) PathParam(name string) (string, bool) {
	if value := r.path[name]; value != nil {
		return *value, true
	}
	return "", false
}
func (r *stubRequest) QueryParam(name string) (string, bool) { return verso.QueryParam(r.query, name) }
func (r *stubRequest) Namespace() string                     { return r.namespace }
func (r *stubRequest) Host() string                          { return r.host }
func (r *stubRequest) Version() verso.Version                { return r.version }

func checkDetermineCore(c *Case) error {
	var d determineCase
	if err := c.decode(&d); err != nil {
		return err
	}
	negotiator, err := mediatype.NewNegotiator(d.Produces...)
	if err != nil {
		return err
	}
	accepted, acceptable := negotiator.Negotiate(d.Request.Headers["Accept"])
	stub := &stubRequest{accepted: accepted.MediaType, acceptable: acceptable, path: d.Route.Captured}
	if d.Request.Host != nil {
		stub.host = *d.Request.Host
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	return judgeStub(scheme, stub, d.Want)
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
			determineWant
			Error string `json:"error"`
		} `json:"want"`
	}
	if err := c.decode(&d); err != nil {
		return err
	}
	stub := &stubRequest{acceptable: true, path: d.Kwargs, host: d.Request.Host}
	if text := d.Request.AcceptedMediaType; text != nil {
		stub.accepted = string(latin1Bytes(*text))
	}
	if match := d.Request.ResolverMatch; match != nil {
		stub.namespace = match.Namespace
	}
	for _, pair := range d.Request.QueryParams {
		stub.query = verso.ReplaceQueryParam("?"+stub.query, pair[0], pair[1])[1:]
	}
	if d.Want.Error == "not-implemented" {
		base, err := verso.NewBase(d.ClassName, c.settings.verso())
		if err != nil {
			return err
		}
		if _, err = base.DetermineVersion(stub); !errors.Is(err, verso.ErrNotImplemented) || err.Error() != d.Want.Message {
			return fmt.Errorf("error is %w instead of %q", err, d.Want.Message)
		}
		return nil
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	return judgeStub(scheme, stub, d.Want.determineWant)
}

// latin1Bytes returns the bytes that the characters of text stand for.
func latin1Bytes(text string) (bytes []byte) {
	for _, char := range text {
		bytes = append(bytes, byte(char))
	}
	return bytes
}

func judgeStub(scheme verso.Scheme, stub *stubRequest, want determineWant) error {
	got, err := scheme.DetermineVersion(stub)
	if want.Status == 0 {
		if err != nil {
			return fmt.Errorf("refused with %w instead of %s", err, want)
		}
		if !sameText(got, want.Version) {
			return fmt.Errorf("determined %#v instead of %s", got, want)
		}
		return nil
	}
	var refused *verso.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("determined %#v, error %w, instead of %s", got, err, want)
	}
	if refused.Status != want.Status || refused.Message != want.Message {
		return fmt.Errorf("refused with status %d, %q instead of %s", refused.Status, refused.Message, want)
	}
	sentinel := verso.ErrNotFound
	if want.Status == http.StatusNotAcceptable {
		sentinel = verso.ErrNotAcceptable
	}
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
	if err := c.decode(&d); err != nil {
		return err
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	for name, got := range map[string]bool{
		"scheme":   scheme.IsAllowedVersion(d.Version),
		"settings": c.settings.verso().IsAllowedVersion(d.Version),
	} {
		if got != d.Want.Allowed {
			return fmt.Errorf("%s: IsAllowedVersion(%#v) is %t instead of %t", name, d.Version, got, d.Want.Allowed)
		}
	}
	return nil
}

// checkReverseCore reverses over the table of the case, without a server.
func checkReverseCore(c *Case) error {
	var r reverseCase
	var determined requestVersion
	if err := errors.Join(c.decode(&r), c.decode(&determined)); err != nil {
		return err
	}
	var routes []route.Route
	for _, tableRoute := range c.tables[r.Routes] {
		routes = append(routes, route.Route{Name: route.Join(tableRoute.Namespace, tableRoute.Name), Pattern: route.Braces(tableRoute.Pattern)})
	}
	table := route.NewTable(routes...)
	var stub verso.Request
	var httpRequest *http.Request
	if r.Request != nil {
		stub = &stubRequest{version: determined.Request.Version}
		httpRequest = &http.Request{Host: *r.Request.Host}
		if r.Request.URLScheme == "https" {
			httpRequest.TLS = new(tls.ConnectionState)
		}
	}
	return r.Want.judge(r.run(c, stub, &verso.TableReverser{Table: table, Request: httpRequest}))
}

// run reverses the target of the case by the entry that the case names.
func (r *reverseCase) run(c *Case, stub verso.Request, reverser verso.Reverser) (string, error) {
	var scheme verso.Scheme
	if r.AttachScheme == nil || *r.AttachScheme {
		var err error
		if scheme, err = c.newScheme(); err != nil {
			return "", err
		}
	}
	if r.Entry == "scheme" {
		return scheme.Reverse(stub, reverser, r.target())
	}
	return verso.Reverse(scheme, stub, reverser, r.target())
}

// stubReverser fails a number of times and then returns its URL.
type stubReverser struct {
	URL   string `json:"url"`
	Fail  int    `json:"fail"`
	calls []baseCall
}

// baseCall is what a stub reverser was called with.
type baseCall struct {
	Viewname string         `json:"viewname"`
	Args     []any          `json:"args"`
	Kwargs   map[string]any `json:"kwargs"`
	Format   string         `json:"format"`
	Extra    map[string]any `json:"extra"`
}

func (s *stubReverser) Reverse(_ verso.Request, target verso.Target) (string, error) {
	s.calls = append(s.calls, baseCall{target.Name, target.Args, target.Kwargs, target.Format, target.Extra})
	if len(s.calls) <= s.Fail {
		return "", verso.ErrNoReverseMatch
	}
	return s.URL, nil
}

func checkReverseCall(c *Case) error {
	var r reverseCase
	var determined requestVersion
	var d struct {
		Base stubReverser `json:"base"`
		Want struct {
			BaseCalls []baseCall `json:"base_calls"`
		} `json:"want"`
	}
	if err := errors.Join(c.decode(&r), c.decode(&determined), c.decode(&d)); err != nil {
		return err
	}
	stub := &stubRequest{version: determined.Request.Version}
	if err := r.Want.judge(r.run(c, stub, &d.Base)); err != nil {
		return err
	}
	if len(d.Base.calls) != len(d.Want.BaseCalls) {
		return fmt.Errorf("the reverser was called %d times instead of %d", len(d.Base.calls), len(d.Want.BaseCalls))
	}
	for i, want := range d.Want.BaseCalls {
		if got := d.Base.calls[i]; !got.equal(want) {
			return fmt.Errorf("call %d of the reverser was %+v instead of %+v", i, got, want)
		}
	}
	return nil
}

// equal compares calls. Nil and empty are the same, for args and kwargs.
func (c baseCall) equal(other baseCall) bool {
	equal := func(a, b any) bool { return a == b }
	return c.Viewname == other.Viewname && c.Format == other.Format &&
		slices.EqualFunc(c.Args, other.Args, equal) &&
		maps.EqualFunc(c.Kwargs, other.Kwargs, equal) &&
		maps.EqualFunc(c.Extra, other.Extra, equal)
}

func checkViewname(c *Case) error {
	var d requestVersion
	var named struct {
		Viewname string `json:"viewname"`
		Want     struct {
			Viewname string `json:"viewname"`
		} `json:"want"`
	}
	if err := errors.Join(c.decode(&d), c.decode(&named)); err != nil {
		return err
	}
	scheme, err := verso.NewNamespace(c.settings.verso())
	if err != nil {
		return err
	}
	if got := scheme.VersionedName(d.Request.Version, named.Viewname); got != named.Want.Viewname {
		return fmt.Errorf("the versioned name is %q instead of %q", got, named.Want.Viewname)
	}
	return nil
}

func checkReplaceQueryParam(c *Case) error {
	var d struct {
		URL, Key, Value string
		Want            struct{ URL string }
	}
	if err := c.decode(&d); err != nil {
		return err
	}
	if got := verso.ReplaceQueryParam(d.URL, d.Key, d.Value); got != d.Want.URL {
		return fmt.Errorf("URL is %q instead of %q", got, d.Want.URL)
	}
	return nil
}
