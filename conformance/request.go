package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// requestCase is a case of the operations determine and lifecycle: one HTTP
// request to a route.
type requestCase struct {
	Request     request     `json:"request"`
	Route       caseRoute   `json:"route"`
	OtherRoutes []caseRoute `json:"other_routes"`
	Handler     struct {
		Status int         `json:"status"`
		Add    http.Header `json:"add"`
		Set    http.Header `json:"set"`
	} `json:"handler"`
	Catalogue struct {
		ServedHeader string `json:"served_header"`
	} `json:"catalogue"`
	Outer  http.Header `json:"outer"`  // see [App]
	Kept   string      `json:"kept"`   // App.ExemptFromSunset
	Once   bool        `json:"once"`   // Route.EachVersion, of all routes
	Link   *link       `json:"link"`   // that the handler builds
	Routes string      `json:"routes"` // the table of routes.json for the link; "": the other routes
	Want   requestWant `json:"want"`

	Unmatched bool `json:"unmatched"` // App.NotFound
}

// caseRoute is a route of a case. A case names a route as every framework could register it.
// Captured has the parameters that a framework names otherwise, for the core alone.
type caseRoute struct {
	Method     string             `json:"method"`
	Pattern    string             `json:"pattern"`
	Namespaces []string           `json:"namespaces"`
	Captured   map[string]*string `json:"captured"`
	Name       string             `json:"name"`
	Outside    bool               `json:"outside"` // see [Route]
	planned
}

// route returns the route, without a handler.
func (r *caseRoute) route() Route {
	return Route{
		Method: r.Method, Namespace: strings.Join(r.Namespaces, ":"), Name: r.Name, Pattern: r.Pattern,
		Outside: r.Outside, Options: r.options(),
	}
}

// requestWant is the answer of a handler (Version is set), or a rejection with a
// status and more; or the Reason "unmatched" if the framework itself answers that it
// has no such route. The other fields are checked if they are set.
type requestWant struct {
	Version         wantVersion         `json:"version"`
	Status          int                 `json:"status"`  // 0: 200
	Handler         string              `json:"handler"` // the name of the choice that answers
	URL             string              `json:"url"`     // of the link
	Error           string              `json:"error"`   // of the link, by the name of linkErrors
	Message         string              `json:"message"`
	Reason          string              `json:"reason"`
	Title           string              `json:"title"`
	Code            string              `json:"code"`
	AllowedVersions []string            `json:"allowed_versions"`
	Problem         map[string]any      `json:"problem"`  // members of the problem details, nil for absent ones
	Language        string              `json:"language"` // of the Content-Language field
	Headers         map[string][]string `json:"headers"`  // nil: only Vary is checked
	OneLine         []string            `json:"one_line"` // fields that must be one line
	Hostile         bool                `json:"hostile"`  // nothing else is checked: see judgeHostile
}

// wantVersion is the version that a handler sees, or no version. An absent version in a case
// means a rejection, and null means a handler without a version.
type wantVersion struct {
	verso.Version
	given bool
}

// UnmarshalJSON is called for null too, which encoding/json does for a type with this method.
func (w *wantVersion) UnmarshalJSON(data []byte) error {
	w.given = true
	return w.Version.UnmarshalJSON(data)
}

// checkRequest sends the request of a case.
func checkRequest(tb testing.TB, mount Mount, c *Case) error {
	tb.Helper()
	var r requestCase
	if err := c.Decode(&r); err != nil {
		return err
	}
	api, err := c.service.versioning(c.Scheme)
	if err != nil {
		return err
	}
	return r.run(tb, mount, c, api)
}

// run sends the request to an application with the route of the case and those of its
// table.
func (r *requestCase) run(tb testing.TB, mount Mount, c *Case, api *verso.Versioning) error {
	tb.Helper()
	routes, err := c.table(r.Routes)
	if err != nil {
		return err
	}
	calls := new(atomic.Int32)
	own := r.route(c.Op, func(name string) func(Call) Response {
		return func(call Call) Response {
			calls.Add(1)
			return r.handle(name, call)
		}
	})
	// A foreign route has the header of its client only behind Middleware, where exemptions are
	// tried by themselves.
	own.checked = r.Kept != ""
	for _, other := range r.OtherRoutes {
		route := other.route()
		route.EachVersion = r.Once
		route.Handle = func(Call) Response { return Response{} }
		routes = append(routes, route)
	}
	service, err := r.service(c, own.Method)
	if err != nil {
		return err
	}
	got, err := ask(tb, mount, App{
		API: api, Routes: append(routes, own), Outer: r.Outer, NotFound: r.Unmatched, ExemptFromSunset: r.Kept,
		service: service,
	}, &r.Request)
	if err != nil {
		// A server may refuse to parse such a request at all, which is fine. To keep the client
		// waiting is not.
		if r.Want.Hostile && !errors.Is(err, errHangs) {
			return nil // the server closed the connection
		}
		return fmt.Errorf("%w\nrequest:\n%s", err, &r.Request)
	}
	// A handler that runs before its response is replaced by a rejection has done its work
	// already: an order was placed. So the calls are counted, and the response alone is not
	// trusted.
	wantCalls := int32(0)
	if r.Want.Version.given {
		wantCalls = 1
	}
	wrong := r.judge(got, r.vary(c))
	wrong.unless(r.Want.Hostile || calls.Load() == wantCalls, "the handler ran %d times instead of %d", calls.Load(),
		wantCalls)
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("%w\nrequest:\n%sgot: %v", err, &r.Request, got)
	}
	return nil
}

// service returns the service of the case as text: all of the case but its request, its handler
// and its answer. method is that of the route. Cases with the same service share a server,
// since starting one for each of thousands of cases would take minutes.
func (r *requestCase) service(c *Case, method string) (string, error) {
	rest := requestCase{
		Request: request{URLScheme: r.Request.URLScheme}, Route: r.Route, OtherRoutes: r.OtherRoutes,
		Catalogue: r.Catalogue,
		Outer:     r.Outer, Kept: r.Kept, Once: r.Once, Routes: r.Routes, Unmatched: r.Unmatched,
	}
	if rest.Route.Captured = nil; c.Op == "reverse" {
		rest.Want.Version = r.Want.Version // of all requests
	}
	text, err := json.Marshal([]any{c.Op, c.Scheme, c.added, c.service, method, rest})
	return string(text), err
}

// handler returns the handler of the route with a name.
func (r *requestCase) handler(name string) func(Call) Response {
	return func(call Call) Response { return r.handle(name, call) }
}

// route returns the route that the request is for. In the operation lifecycle it may
// have no name.
func (r *requestCase) route(op string, handle func(name string) func(Call) Response) Route {
	own := r.Route.route()
	own.Method, own.EachVersion, own.Handlers, own.Handle = r.Request.Method, r.Once, r.Route.handlers(handle),
		handle("")
	// A route with a name in no namespace is what most services have. Without one, some adapters
	// take another way to find the route.
	if op != "lifecycle" {
		own.Name = cmp.Or(own.Name, "route")
	}
	// A request with another method must match no route here.
	if r.Want.Reason == "unmatched" {
		own.Method = http.MethodGet
	}
	return own
}

// Response fields in which the handlers of the suite report what they saw. The client side sees
// a handler through its response only, which also proves that fields set by the adapter did not
// replace those of the handler.
const (
	seenVersion = "X-Seen-Version" // quoted, or "none"
	seenHandler = "X-Seen-Handler" // the name of the choice
	seenLink    = "X-Seen-Link"    // quoted
	seenError   = "X-Seen-Error"   // of the link: a name in linkErrors
	seenReason  = "X-Seen-Reason"  // the text of this error, quoted
)

// handle is the handler of the route with a name, "" for the only one.
func (r *requestCase) handle(name string, call Call) Response {
	response := Response{Status: r.Handler.Status, Set: r.Handler.Set, Add: make(http.Header)}
	maps.Copy(response.Add, r.Handler.Add)
	response.Add.Set(seenVersion, "none")
	if name != "" {
		response.Add.Set(seenHandler, name)
	}
	// It is quoted, since a version may be empty or have characters that a field cannot carry.
	if !call.Version.IsNone() {
		response.Add.Set(seenVersion, strconv.QuoteToASCII(call.Version.String()))
	}
	if r.Link != nil {
		url, err := call.Link(r.Link.target(call))
		response.Add.Set(seenLink, strconv.QuoteToASCII(url))
		if err != nil {
			response.Status = http.StatusInternalServerError
			response.Add.Set(seenError, errorName(err))
			response.Add.Set(seenReason, fmt.Sprintf("%+.1000q", err.Error()))
		}
	}
	return response
}

// vary returns the request headers that the response must name in Vary, unless the case lists
// them. A missing name lets a cache mix versions; one too many splits it for nothing (RFC 9110,
// section 12.5.5).
func (r *requestCase) vary(c *Case) []string {
	var vary []string
	switch {
	case r.Want.Reason == "unmatched":
		return nil
	case c.Scheme == "accept_header" || c.Scheme == "media_type":
		vary = []string{"Accept"}
	case c.Scheme == "header":
		vary = []string{c.service.Settings.HeaderName}
	}
	// Only rejections are translated, so the responses of handlers must not vary by language.
	if !r.Want.Version.given && len(c.service.Languages) > 0 {
		vary = append(vary, "Accept-Language")
	}
	return vary
}

// judge returns the complaints about the response.
func (r *requestCase) judge(got *response, vary []string) (wrong complaints) {
	want := &r.Want
	seen, handled := got.header[seenVersion]
	switch {
	case want.Hostile:
		wrong.judgeHostile(got)
		return wrong
	case want.Version.given:
		status := cmp.Or(want.Status, http.StatusOK)
		if want.Error != "" {
			status = http.StatusInternalServerError
		}
		wrong.unless(got.status == status, "status is %d instead of %d", got.status, status)
		wrong.unless(len(seen) == 1 && sameVersion(seen[0], want.Version.Version),
			"the handler saw version %q instead of %#v", seen, want.Version.Version)
		wrong.unless(got.header.Get(seenHandler) == want.Handler, "the handler is %q instead of %q",
			got.header.Get(seenHandler), want.Handler)
		link, _ := strconv.Unquote(got.header.Get(seenLink))
		wrong.unless(got.header.Get(seenError) == want.Error && link == want.URL,
			"the link is %q, error %q (%s), instead of %q, error %q",
			link, got.header.Get(seenError), got.header.Get(seenReason), want.URL, want.Error)
	// The framework's own 404 belongs to the service, which may have a page for it.
	case want.Reason == "unmatched":
		wrong.unless(got.status == want.Status, "status is %d instead of %d", got.status, want.Status)
		wrong.unless(got.status != http.StatusMethodNotAllowed ||
			got.header["Allow"] != nil, "the 405 has no field Allow")
		wrong.unless(!bytes.Contains(got.body, []byte(`"code"`)),
			"the answer to an unmatched request has problem details")
	default:
		wrong.unless(got.status == want.Status, "status is %d instead of %d", got.status, want.Status)
		if r.Request.Method != http.MethodHead {
			wrong.judgeProblem(got, want)
		}
	}
	wrong.unless(handled == want.Version.given, "the handler answers: %v", handled)
	// A body after HEAD would be read as the next response on the connection (RFC 9110, section
	// 9.3.2).
	wrong.unless(r.Request.Method != http.MethodHead || len(got.body) == 0, "the response to HEAD has a body")
	wrong.unless(got.header.Get("Content-Language") == want.Language, "the field Content-Language is %q instead of %q",
		got.header.Get("Content-Language"), want.Language)
	if want.Headers != nil {
		wrong.judgeFields(got.header, want.Headers, r.Catalogue.ServedHeader)
	} else {
		wrong.judgeList(got.header, "Vary", vary)
	}
	for _, name := range want.OneLine {
		wrong.unless(len(got.header[name]) == 1, "the field %s is not one line: %q", name, got.header[name])
	}
	return wrong
}

// sameVersion compares a version with one as JSON can write it: there, U+FFFD
// replaces bytes that are not UTF-8.
func sameVersion(seen string, want verso.Version) bool {
	text, err := strconv.Unquote(seen)
	return (err != nil) == want.IsNone() && string([]rune(text)) == want.String()
}

// complaints are the mistakes in an answer. All are collected: an adapter under development has
// several at once, and one run should show them.
type complaints []error

// unless reads as a sentence: wrong unless the condition holds.
func (c *complaints) unless(right bool, format string, args ...any) {
	if !right {
		*c = append(*c, fmt.Errorf(format, args...))
	}
}

// join returns nil if nothing was wrong.
func (c *complaints) join() error { return errors.Join(*c...) }

// judgeHostile checks the response to a hostile request: the request is rejected, or has no
// version, and the response repeats no part of it. A status of 500 would mean that the text got
// as far as code that could not take it.
func (c *complaints) judgeHostile(got *response) {
	seen, handled := got.header[seenVersion]
	c.unless(got.status < http.StatusInternalServerError && (!handled || seen[0] == "none"),
		"status %d, the handler saw %.300q", got.status, seen)
	c.unless(!strings.Contains(strings.ToLower(fmt.Sprint(got.header)+string(got.body)), "evil"),
		"the response repeats the request: %.300q, %.300q", got.header, got.body)
}

// judgeProblem checks the body of a rejection, problem details (RFC 9457).
func (c *complaints) judgeProblem(got *response, want *requestWant) {
	members := make(map[string]any)
	if err := decode(got.body, &members); err != nil {
		c.unless(false, "the body of the rejection is not problem details: %w", err)
		return
	}
	for name, text := range map[string]string{"type": "", "detail": want.Message, "title": want.Title,
		"code": want.Code} {
		wanted := "any text"
		if text != "" {
			wanted = strconv.Quote(text)
		}
		got := members[name]
		c.unless(got != nil && got != "" && (text == "" || got == text), "%s is %s instead of %s", name, shown(got),
			wanted)
	}
	c.unless(fmt.Sprint(members["status"]) == strconv.Itoa(got.status),
		"the status in the problem details is %s, that of the response %d", shown(members["status"]), got.status)
	if allowed := members["allowed_versions"]; want.AllowedVersions != nil &&
		(allowed != nil || len(want.AllowedVersions) > 0) {
		c.unless(fmt.Sprintf("%q", allowed) == fmt.Sprintf("%q", want.AllowedVersions),
			"allowed_versions are %s instead of %q", shown(allowed), want.AllowedVersions)
	}
	for name, value := range want.Problem {
		c.unless(members[name] == value, "the member %s is %s instead of %s", name, shown(members[name]), shown(value))
	}
}

// shown returns a member of problem details for a failure.
func shown(member any) string {
	if member == nil {
		return "missing"
	}
	return fmt.Sprintf("%q", member)
}

// closedFields are the response fields that must be absent unless a case names them. They are
// what Verso may write. One that appears without a reason makes a client retry, a cache keep a
// response, or a developer plan a move. So must each that begins with Api-.
var closedFields = []string{
	"Vary", "Deprecation", "Sunset", "Link", "Retry-After", "Cache-Control", "Location", "Warning", "Content-Location",
	"Access-Control-Expose-Headers",
}

// judgeFields checks the fields of a response. The served header, if not "", is one of
// the closed fields.
func (c *complaints) judgeFields(got http.Header, want map[string][]string, served string) {
	names := slices.AppendSeq(append(slices.Clone(closedFields), served), maps.Keys(want))
	for name := range got {
		if strings.HasPrefix(name, "Api-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name == "Vary" || name == "Allow" {
			c.judgeList(got, name, want[name])
		} else {
			c.unless(slices.Equal(got.Values(name), want[name]), "the field %s is %q instead of %q", name,
				got.Values(name), want[name])
		}
	}
}

// judgeList checks that a field names exactly the given elements, once each.
func (c *complaints) judgeList(header http.Header, field string, want []string) {
	got := header[field]
	isSame := slices.Equal(elementsOf(field, got), elementsOf(field, want))
	c.unless(isSame, "the field %s is %q instead of %q", field, got, want)
}

// elementsOf returns the elements of a field without HEAD and OPTIONS in Allow. Frameworks add
// these two methods by themselves, each in its own way, and case and order have no meaning.
func elementsOf(field string, lines []string) (elements []string) {
	for _, line := range lines {
		for element := range strings.SplitSeq(line, ",") {
			element = strings.ToLower(strings.TrimSpace(element))
			if field != "Allow" || element != "" && element != "head" && element != "options" {
				elements = append(elements, element)
			}
		}
	}
	return slices.Sorted(slices.Values(elements))
}
