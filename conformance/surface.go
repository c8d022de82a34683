package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// surface are checks of what an adapter offers besides.
var surface = []groupCheck{
	{"at-least", inHeader, serving("v3", "v1", "v2"), App{Routes: []Route{newRoute("", "", "/x", atLeast).checks()}}},
	{"content-type", verso.MediaType("application/vnd.acme.{resource}.{version}+json"), byDefault(), App{Routes: []Route{newRoute("", "", "/x", contentType).checks()}}},
	{"any-method", inHeader, serving("v1", "v2"), App{Routes: inGroup(&Group{AfterCheck: ran("y")}, says("", "/x", "x").behind(ran("a")).with(verso.Since("v2")))}},
	{"several-methods", inHeader, serving("v1", "v2"), App{Routes: []Route{
		{Methods: []string{http.MethodPost, http.MethodPut, http.MethodDelete}, Pattern: "/x", Handle: sayer("x"), Middleware: ran("a"), Options: []verso.RouteOption{verso.Since("v2")}},
	}}},
	{"explain", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		[]Route{
			says("GET", "/users/{id}", "user", "id").named("user").checks(), says("PUT", "/users/{id}", "user", "id").with(verso.RemovedIn("v2")),
			says("", "/any/{id}", "any").with(verso.Neutral()),
		},
		inGroup(&Group{Namespace: "shop", Since: "v2"}, says("POST", "/rooms", "room").named("rooms")),
	)}},
	{"explain-foreign", inHeader, serving("v1", "v2"), App{alone: true, Routes: []Route{
		says("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/metrics", Foreign: true, Handle: sayer("metrics")},
	}}},
	{"link", inHeader, serving("v1", "v2"), App{Routes: []Route{
		says("GET", "/x/{id}", "x", "id").named("x").with(verso.Since("v2")), says("GET", "/x/{id}/{part}", "x", "id").named("part"),
	}}},
	{"twice", inHeader, serving("v1", "v2"), App{Routes: inGroup(new(Group), says("GET", "/x", "x"), says("GET", "/x", "x"))}},
	{"nil-handler", inHeader, serving("v1", "v2"), App{Routes: inGroup(new(Group), Route{Method: http.MethodGet, Pattern: "/x"})}},
	{"added-later", inHeader, serving("v1", "v2"), App{Routes: []Route{ // Echo v4 panics if a route has more path parameters than those of before
		says("GET", "/x/{id}", "x", "id").checks(), says("GET", "/late/{id}", "late", "id").named("late").with(verso.Since("v2")),
	}}},
}

// explainedBehind is what Explain lists where the adapter's Middleware is installed.
var explainedBehind = []groupCheck{{"explain", inHeader, serving("v1", "v2"), App{Middleware: 1, Routes: []Route{
	says("GET", "/x", "x").checks(), {Method: http.MethodGet, Pattern: "/metrics", Foreign: true, Handle: sayer("metrics")},
}}}}

// hosts is in a group of its own, since few frameworks have hosts.
var hosts = []groupCheck{{"routes", inHeader, serving("v1", "v2"), App{Routes: []Route{
	{Method: http.MethodGet, Host: "a.example.com", Pattern: "/x", Handle: sayer("a"), Options: []verso.RouteOption{verso.Since("v2")}},
	{Method: http.MethodGet, Host: "b.example.com", Pattern: "/x", Handle: sayer("b")},
}}}}

var notFound = []groupCheck{
	{"header", inHeader, byDefault(), App{NotFound: true, Routes: []Route{
		says("GET", "/users", "users"), newRoute("", "", "/missing", own404).checks(), {Method: http.MethodGet, Pattern: "/outside", Outside: true, Handle: own404},
		newRoute("", "", "/fails", func(Call) Response { return Response{Err: errors.New("failed")} }).checks(),
	}}},
	{"prefix", inPrefix, ended(), App{NotFound: true, Routes: []Route{says("GET", "/api/v2/users", "users")}}},
}

func own404(Call) Response {
	return Response{Status: http.StatusNotFound, Add: http.Header{ranField: {"handler"}}}
}

func atLeast(call Call) Response {
	reached := slices.DeleteFunc([]string{"v3", "v1", "v2", "v9"}, func(version string) bool { return !call.AtLeast(version) })
	return Response{Body: strings.Join(reached, ",")}
}

func contentType(call Call) Response {
	contentType, err := call.ContentType("user")
	return Response{Body: fmt.Sprintf("%s %v", contentType, err)}
}

// ended serves v2, and has ended v1.
func ended() verso.Config {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	return verso.Config{Clock: func() time.Time { return now }, Catalogue: verso.Must(catalogue.New(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Deprecated: now.AddDate(-1, 0, 0), Sunset: now.AddDate(0, -1, 0), Successor: "v2"}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	}))}
}

// settingVersions set a version in front of a handler without a check, with a source of each kind.
func settingVersions() (of []groupCheck) {
	for _, s := range []struct {
		name      string
		source    verso.Source
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
		config := verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: "http://v1.example.com"}}
		of = append(of, groupCheck{"set-version/" + s.name, s.source, config, App{alone: true, Before: []Middleware{setV2}, Routes: []Route{
			newRoute(s.namespace, "user", s.pattern, answerNothing).checks(), {Method: http.MethodGet, Pattern: "/bare", Foreign: true, Handle: linkToUser},
		}}})
	}
	return of
}

// setV2 stops the request if SetVersion does not do what it should.
func setV2(s Step) int {
	if err := s.SetVersion(verso.V("v9")); !errors.Is(err, verso.ErrUnknownVersion) || s.SetVersion(verso.V("v2")) != nil {
		return http.StatusTeapot
	}
	return 0
}

func linkToUser(call Call) Response {
	link, err := call.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
	return Response{Body: fmt.Sprintf("%s %s %v", call.Version, link, err)}
}

// checkClient checks that Config.Client is asked for each observed request when the handler
// or the rejection has returned, and for no other.
func checkClient(tb testing.TB, mount Mount) error {
	tb.Helper()
	const field = "X-Client"
	var last atomic.Pointer[verso.Observation]
	config := byDefault()
	config.Observe = func(_ context.Context, o verso.Observation) { last.Store(&o) }
	server := mount(tb, App{
		API: verso.Must(verso.New(inHeader, config)), Client: field,
		Routes: []Route{says("GET", "/x", "x").checks(), says("GET", "/health", "x").with(verso.Neutral())},
		After: []Middleware{func(s Step) int {
			s.SetHeader(field, "late")
			return 0
		}},
	})
	var wrong complaints
	for _, test := range []struct{ target, want string }{{"GET /x v2", "late"}, {"GET /x v9", "early"}, {"GET /health", ""}} {
		last.Store(nil)
		asked := parseAsking(test.target)
		asked.request.Headers[field] = []string{"early"}
		_, err := asked.sendTo(server.Address)
		wrong = append(wrong, err)
		for deadline := time.Now().Add(waitTimeout() / 10); err == nil && last.Load() == nil && time.Now().Before(deadline) && test.want != ""; {
			time.Sleep(time.Millisecond)
		}
		client := ""
		if told := last.Load(); told != nil {
			client = told.Client
		}
		wrong.unless(err != nil || client == test.want, "%s: the client is %q instead of %q: Config.Client is asked when the handler or the rejection has returned", test.target, client, test.want)
	}
	return errors.Join(append(wrong, server.stop())...)
}
