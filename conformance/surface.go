package conformance

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// surface are checks of what an adapter offers besides. Each is small, and easy to forget when
// an adapter is written.
var surface = []groupCheck{
	{"at-least", inHeader, serving("v3", "v1", "v2"), App{Routes: []Route{newRoute("", "", "/x", atLeast).checks()}}},
	{"content-type", verso.MediaType("application/vnd.acme.{resource}.{version}+json"), byDefault(),
		App{Routes: []Route{newRoute("", "", "/x", contentType).checks()}}},
	{"any-method", inHeader, serving("v1", "v2"), App{Routes: inGroup(&Group{AfterCheck: ran("y")},
		answering("", "/x", "x").behind(ran("a")).with(verso.Since("v2")))}},
	{"several-methods", inHeader, serving("v1", "v2"), App{Routes: []Route{
		{Methods: []string{http.MethodPost, http.MethodPut, http.MethodDelete}, Pattern: "/x", Handle: answerer("x"),
			Middleware: ran("a"), Options: []verso.RouteOption{verso.Since("v2")}},
	}}},
	{"several-preflight", inHeader, serving("v1", "v2"), App{Routes: []Route{
		{Methods: withOptions, Pattern: "/x", Handle: answerer("x"), checked: true},
		{Methods: []string{http.MethodOptions}, Pattern: "/alone", Handle: answerer("alone"), checked: true},
	}}},
	{"explain", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		[]Route{
			answering("GET", "/users/{id}", "user", "id").named("user").checks(),
			answering("PUT", "/users/{id}", "user", "id").with(verso.RemovedIn("v2")),
			answering("", "/any/{id}", "any").with(verso.Neutral()),
		},
		inGroup(&Group{Namespace: "shop", Since: "v2"}, answering("POST", "/rooms", "room").named("rooms")),
	)}},
	{"explain-foreign", inHeader, serving("v1", "v2"), App{alone: true, Routes: []Route{
		answering("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/metrics", Foreign: true,
			Handle: answerer("metrics")},
	}}},
	{"link", inHeader, serving("v1", "v2"), App{Routes: []Route{
		answering("GET", "/x/{id}", "x", "id").named("x").with(verso.Since("v2")),
		answering("GET", "/x/{id}/{part}", "x", "id").named("part"),
	}}},
	{"twice", inHeader, serving("v1", "v2"), App{Routes: inGroup(new(Group), answering("GET", "/x", "x"),
		answering("GET", "/x", "x"))}},
	{"nil-handler", inHeader, serving("v1", "v2"),
		App{Routes: inGroup(new(Group), Route{Method: http.MethodGet, Pattern: "/x"})}},
	{"head", inHeader, serving("v1", "v2"), App{Routes: []Route{
		answering("GET", "/x", "x").behind(ran("a")).with(verso.Since("v2")),
		answering("GET", "/health", "x").with(verso.Neutral()), answering("GET", "/choice", "").choosing(choice),
	}}},
	{"not-checked", inHeader, serving("v1", "v2"), App{Routes: []Route{
		{Method: http.MethodGet, Pattern: "/outside", Outside: true, Handle: notChecked},
	}}},
	// The documents of openapi take the media type of rejections from Explain.
	{"problem-type", inHeader, translated(), App{Routes: []Route{answering("GET", "/x", "x")}}},
	// Otherwise the service silently answers pinned callers in the default version.
	{"stored-before", stored, byDefault(), App{Before: []Middleware{keepPin},
		Routes: []Route{answering("GET", "/x", "x").checks()}}},
	{"stored", stored, byDefault(), App{After: []Middleware{keepPin},
		Routes: []Route{answering("GET", "/x", "x").checks()}}},
	// Echo v4 panics if a route has more path parameters than those of before
	{"added-later", inHeader, serving("v1", "v2"), App{Routes: []Route{
		answering("GET", "/x/{id}", "x", "id").checks(),
		answering("GET", "/late/{id}", "late", "id").named("late").with(verso.Since("v2")),
	}}},
}

// checkHeadAllowed checks that the Allow of a route that a version lacks has HEAD where the router serves it.
func checkHeadAllowed(tb testing.TB, mount Mount) error {
	tb.Helper()
	server := mount(tb, App{API: verso.MustNew(inHeader, serving("v1", "v2")), Routes: []Route{
		answering("GET", "/x", "x"), answering("POST", "/x", "x").with(verso.RemovedIn("v2")),
	}})
	post, err := parseAsking("POST /x v2").request.send(server.Address)
	head, otherErr := parseAsking("HEAD /x v2").request.send(server.Address)
	if err = errors.Join(err, otherErr, server.stop()); err != nil {
		return err
	}
	var wrong complaints
	allow := strings.Join(post.header["Allow"], ",")
	wrong.unless(allow == "" || strings.Contains(allow, http.MethodHead) == (head.status == http.StatusOK),
		"POST /x v2 gets Allow: %s, and HEAD /x v2 gets status %d", allow, head.status)
	return errors.Join(wrong...)
}

// foreignRoutes are checks of what other code registers behind the adapter's Middleware.
// Services are moved to Verso in steps: for a while most routes are the framework's, and the
// check before them has to know which route will answer.
var foreignRoutes = []groupCheck{
	{"explain", inHeader, serving("v1", "v2"), App{Middleware: 1, Routes: []Route{
		answering("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/metrics", Foreign: true,
			Handle: answerer("metrics")},
	}}},
	{"several-preflight", inHeader, serving("v1", "v2"), App{Middleware: 1, Routes: []Route{
		{Methods: withOptions, Pattern: "/x", Foreign: true, Handle: answerer("x")},
	}}},
	{"added-later", inHeader, ended(), App{Middleware: 1, ExemptFromSunset: keepServed, Routes: []Route{
		answering("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/late", Foreign: true,
			Handle: answerer("late")},
		answering("GET", "/mixed", "own").checks(),
		{Method: http.MethodPost, Pattern: "/mixed", Foreign: true, Handle: answerer("late")},
	}}},
	{"skipped", inHeader, serving("v1", "v2"), App{Middleware: 1, NotFound: true, Skipper: skippedField, Routes: []Route{
		answering("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/files", Foreign: true,
			Handle: answerer("files")},
	}}},
	{"param", verso.PathParam("version"), serving("v1", "v2"), App{Skipper: skippedField, Middleware: 1, Routes: []Route{
		answering("GET", "/{version}/users/{id}", "own", "id").checks(),
		{Method: http.MethodPost, Pattern: "/{version}/users/{id}", Foreign: true, Handle: answerer("user", "id")},
	}}},
	// in Echo the last parameter takes slashes
	{"escaped", inHeader, serving("v1", "v2"), App{Middleware: 1, Routes: []Route{
		answering("GET", "/files/{id}/tags", "own", "id").checks(),
		{Method: http.MethodPost, Pattern: "/files/{id}/tags", Foreign: true, Handle: answerer("file", "id")},
		{Method: http.MethodOptions, Pattern: "/files/{id}/tags", Foreign: true, Handle: answerer("options", "id")},
	}}},
}

// withOptions are some methods among which OPTIONS is, but that are not any method. An adapter
// that takes such a list for any method lets OPTIONS run undecided.
var withOptions = []string{http.MethodGet, http.MethodPost, http.MethodOptions}

// errorHandlers answer rejections with the error and the answer that they get. A service with
// an error format of its own writes all errors in it, rejections too.
var errorHandlers = []groupCheck{
	{"rejected", inHeader, serving("v1", "v2", "v3"), App{NotFound: true, ErrorHandler: handled, Routes: []Route{
		answering("GET", "/x", "x").checks(), answering("GET", "/late", "late").with(verso.Since("v2")),
	}}},
	{"problem-type", inHeader, translated(), App{ErrorHandler: handled, Routes: []Route{answering("GET", "/x", "x")}}},
	{"status", inHeader, serving("v1", "v2"), App{Routes: []Route{answering("GET", "/x", "x").checks()},
		ErrorHandler: func(*verso.Error, *verso.Answer) Response { return Response{Status: http.StatusTeapot} }}},
	{"streams", inHeader, serving("v1", "v2"), App{Routes: []Route{answering("GET", "/x", "x").checks()},
		ErrorHandler: func(rejected *verso.Error, _ *verso.Answer) Response {
			return Response{Status: rejected.Status, Stream: func(w io.Writer, flush func() error) error {
				_, err := io.WriteString(w, "streamed")
				return errors.Join(err, flush())
			}}
		}}},
}

// An error from an error handler goes the way of the framework, which must not show it. A handler that
// does nothing, or only logs, leaves the answer to the adapter.
func handled(rejected *verso.Error, answer *verso.Answer) Response {
	if rejected.Status == http.StatusNotFound {
		return Response{Err: errors.New(secret)}
	}
	body := fmt.Sprintf("%d %s %d", rejected.Status, answer.Problem.Code, answer.Problem.Status)
	return Response{Silent: rejected.MessageID == source.MissingVersion, Status: http.StatusTeapot, Body: body,
		Add: http.Header{ranField: {"handled"}}}
}

// translated has texts that differ by language, which a cache has to know.
func translated() verso.Config {
	config := serving("v1", "v2")
	config.Translator = translator{"en", "de"}
	return config
}

// ins register their routes with groups of the framework's own, by the adapter's In.
var ins = []groupCheck{
	{"groups", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		inGroup(framed, answering("GET", "/x/{id}", "x", "id").named("x").with(verso.Since("v2"))),
		inGroup(&Group{Within: framed, Prefix: "/in", Middleware: ran("b"), AfterCheck: ran("y")},
			answering("GET", "/y", "y").behind(ran("c"))),
	)}},
	{"each", inPrefix, byDefault(), App{Routes: inGroup(
		&Group{In: true, Prefix: "/api", EachVersion: true},
		answering("GET", "/lists/{id}", "lists", "id").named("lists"),
	)}},
	{"each-around", inPrefix, byDefault(), App{Routes: inGroup(
		&Group{Within: &Group{EachVersion: true}, In: true, Prefix: "/api"},
		answering("GET", "/lists/{id}", "lists", "id"))}},
	{"unmatched", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(inGroup(framed, answering("GET", "/x", "x")),
		inGroup(&Group{Prefix: "/made", Middleware: ran("a"), AfterCheck: ran("y")}, answering("GET", "/x", "x")))}},
	{"unmatched-versions", inHeader, serving("v1", "v2"), App{Routes: inGroup(framed, answering("GET", "/x", "x")),
		Mounts: []Mounted{{&Group{Prefix: "/made", AfterCheck: ran("y")}, map[string]*MountedVersion{
			"v1": {ran("a"), []Route{answering("GET", "/x", "one")}},
			"v2": {ran("b"), []Route{answering("GET", "/x", "two")}},
		}}}}},
	{"behind-middleware", inHeader, serving("v1", "v2"), App{Routes: inGroup(
		&Group{Within: &Group{Middleware: ran("a")}, In: true, Prefix: "/own", Middleware: ran("b")},
		answering("GET", "/x", "x"))}},
}

// The prefix is the framework's, so Verso learns of it only from the group itself.
var framed = &Group{In: true, Prefix: "/own", Middleware: ran("a")}

// scopes register their routes with a group of the framework's own, which has one check. All
// options belong to the group, so that a later route cannot miss them.
var scopes = []groupCheck{
	{"groups", inHeader, serving("v1", "v2", "v3"), App{Routes: inGroup(
		&Group{Scope: true, Prefix: "/own", Middleware: ran("a"), Since: "v2", AfterCheck: ran("y")},
		answering("GET", "/x/{id}", "x", "id"), answering("POST", "/x/{id}", "x", "id").behind(ran("b")),
		answering("PUT", "/z", "z"),
	)}},
	{"overridden", inHeader, serving("v1", "v2"), App{Middleware: 1, Before: []Middleware{setMethod}, Routes: inGroup(
		&Group{Scope: true, Prefix: "/own"}, answering("POST", "/x", "x"), answering("OPTIONS", "/x", "options"))}},
	{"each", inPrefix, byDefault(), App{Routes: inGroup(&Group{Scope: true, Prefix: "/api", EachVersion: true},
		answering("GET", "/x", "x"))}},
	{"rewriter", inHeader, serving("v1", "v2"), App{Routes: inGroup(&Group{Scope: true, Rewriter: new(Shouting)},
		answering("GET", "/x", "x"))}},
}

// setMethod replaces the method, as services do for clients that only send POST.
func setMethod(s Step) int {
	if method := s.Header(methodField); method != "" {
		s.SetMethod(method)
	}
	return 0
}

// hosts is in a group of its own, since few frameworks have hosts.
var hosts = []groupCheck{{"routes", inHeader, serving("v1", "v2"), App{Routes: []Route{
	{Method: http.MethodGet, Host: "a.example.com", Pattern: "/x", Handle: answerer("a"),
		Options: []verso.RouteOption{verso.Since("v2")}},
	{Method: http.MethodGet, Host: "b.example.com", Pattern: "/x", Handle: answerer("b")},
}}}}

// A page for paths without a route is part of most services. It must not take the place of a
// rejection, nor a rejection its place.
var notFound = []groupCheck{
	{"header", inHeader, byDefault(), App{NotFound: true, Routes: []Route{
		answering("GET", "/users", "users"), answering("GET", "/health", "health").with(verso.Neutral()),
		newRoute("", "", "/missing", own404).checks(),
		{Method: http.MethodGet, Pattern: "/outside", Outside: true, Handle: own404},
		newRoute("", "", "/fails", func(Call) Response { return Response{Err: errors.New("failed")} }).checks(),
	}}},
	{"param", unprocessable{verso.PathParam("version")}, ended(), App{NotFound: true, Routes: []Route{
		answering("GET", "/{version}/users", "users").checks(),
		answering("GET", "/health", "health").with(verso.Neutral()),
		answering("POST", "/login", "login").with(verso.Neutral()), answering("POST", "/{version}/orders", "order").checks(),
	}}},
	{"tenant", unprocessable{verso.PathParam("version")}, ended(),
		App{NotFound: true, Routes: []Route{answering("GET", "/{tenant}/{version}/users", "users").checks()}}},
	{"prefix", inPrefix, ended(), App{NotFound: true, Routes: []Route{answering("GET", "/api/v2/users", "users")}}},
}

// unprocessable rejects unknown versions with a status that no router answers with.
type unprocessable struct{ source.Source }

// The status shows that the rejection comes from the source, and not from a router that found
// nothing.
func (s unprocessable) Describe() source.Description {
	d := s.Source.Describe()
	d.Invalid = source.Rejection{Status: http.StatusUnprocessableEntity, Message: source.InvalidURLPathVersion}
	return d
}

// own404 is a handler that answers 404 for a reason of its own, which the adapter must not
// replace.
func own404(Call) Response {
	return Response{Status: http.StatusNotFound, Add: http.Header{ranField: {"handler"}}}
}

// atLeast compares in the order of the configuration, where v3 is the oldest.
func atLeast(call Call) Response {
	reached := slices.DeleteFunc([]string{"v3", "v1", "v2", "v9"},
		func(version string) bool { return !call.AtLeast(version) })
	return Response{Body: strings.Join(reached, ",")}
}

// contentType puts the error into the body, since an error of a handler would be hidden.
func contentType(call Call) Response {
	contentType, err := call.ContentType("user")
	return Response{Body: fmt.Sprintf("%s %v", contentType, err)}
}

// notChecked asks for what only a check gives.
func notChecked(call Call) Response {
	_, linkErr := call.Link(verso.Target{Name: "x"})
	_, typeErr := call.ContentType("x")
	return Response{Body: fmt.Sprint(call.Version.IsNone(), call.AtLeast("v1"), errors.Is(linkErr, verso.ErrNotChecked),
		errors.Is(typeErr, verso.ErrNotChecked))}
}

// ended serves v2, and has ended v1. Only an ended version with a successor shows whether a
// foreign route is checked at all.
func ended() verso.Config {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	return verso.Config{Clock: func() time.Time { return now }, Catalogue: catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{{Version: "v1", Deprecated: now.AddDate(-1, 0, 0), Sunset: now.AddDate(0, -1, 0),
			Successor: "v2"}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})}
}

// settingVersions set a version in front of a handler without a check, with a source of each
// kind. Tests of handlers use SetTestVersion, so a handler must not notice the difference:
// links work as after a check, whatever the source.
func settingVersions() (of []groupCheck) {
	for _, s := range []struct {
		name      string
		source    source.Source
		namespace string
		pattern   string
	}{
		{"path", verso.PathParam("version"), "", "/{version}/users/{id}"},
		{"namespace", verso.Namespace(), "v2", "/second/users/{id}"},
		{"host", verso.HostLabel(""), "", "/users/{id}"},
		{"query", verso.QueryParam("version"), "", "/users/{id}"},
		{"accept", verso.AcceptParam("version"), "", "/users/{id}"},
		{"header", inHeader, "", "/users/{id}"},
		{"media-type", verso.MediaType("application/vnd.acme.{version}+json"), "", "/users/{id}"},
		{"first", verso.First(inHeader, verso.PathParam("version")), "", "/{version}/users/{id}"},
	} {
		config := verso.Config{AllowedVersions: []string{"v1", "v2"},
			Links: verso.LinkConfig{Origin: "http://v1.example.com"}}
		of = append(of, groupCheck{"set-version/" + s.name, s.source, config,
			App{alone: true, Before: []Middleware{setV2}, Routes: []Route{
				newRoute(s.namespace, "user", s.pattern, answerNothing).checks(),
				{Method: http.MethodGet, Pattern: "/bare", Foreign: true, Handle: linkToUser},
			}}})
	}
	return of
}

// setV2 stops the request if SetTestVersion does not do what it should. With a version that the
// service does not serve, a test would pass in a state that production never has.
func setV2(s Step) int {
	if err := s.SetTestVersion(verso.V("v9")); !errors.Is(err, verso.ErrUnknownVersion) ||
		s.SetTestVersion(verso.V("v2")) != nil {
		return http.StatusTeapot
	}
	return 0
}

// linkToUser is on a route without a check, where only the set version can lead to a link.
func linkToUser(call Call) Response {
	link, err := call.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
	return Response{Body: fmt.Sprintf("%s %s %v", call.Version, link, err)}
}

// Clients are named by Config.Client, which is asked for each observed request when the handler
// or the rejection has returned, and for no other. In a mount it sees the version and the path
// parameters that a check has stored.
var (
	clientsOfRoutes = groupCheck{"client", inHeader, byDefault(), naming(nil, func(s Step) string {
		switch s.Header(stopField) {
		case "client":
			// It is the service's code, and runs after the response: a panic here would end
			// the process in some frameworks.
			panic(errors.New(secret))
		case "long":
			return strings.Repeat("l", verso.MaxClientBytes+1)
		}
		return s.Header(callerField)
	})}
	clientsOfMounts = groupCheck{"client-after", inHeader, byDefault(), naming(mountings[1].app.Mounts,
		func(s Step) string { return strings.TrimSpace(s.Version.String() + " " + s.Param("area")) })}
)

func naming(mounts []Mounted, client func(Step) string) App {
	late := func(s Step) int {
		s.SetHeader(callerField, "late")
		return 0
	}
	return App{Client: client, Mounts: mounts, Before: []Middleware{setV2}, After: []Middleware{late}, Routes: []Route{
		answering("GET", "/x", "x").checks(), answering("GET", "/health", "x").with(verso.Neutral()),
	}}
}

var stored = verso.First(inHeader, verso.Stored("pin", callerField))

// keepPin stores the version of a caller.
func keepPin(s Step) int {
	if pin := s.Header(callerField); pin != "" && s.Keep != nil {
		s.Keep("pin", pin)
	}
	return 0
}
