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
	{"any-method", inHeader, serving("v1", "v2"), App{Routes: []Route{says("", "/x", "x").behind(ran("a")).with(verso.Since("v2"))}}},
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
	{"added-later", inHeader, serving("v1", "v2"), App{Routes: []Route{ // Echo v4 panics if a route has more path parameters than those of before
		says("GET", "/x/{id}", "x", "id").checks(), says("GET", "/late/{id}", "late", "id").named("late").with(verso.Since("v2")),
	}}},
}

// hosts is in a group of its own, since few frameworks have hosts.
var hosts = []groupCheck{{"routes", inHeader, serving("v1", "v2"), App{Routes: []Route{
	{Method: http.MethodGet, Host: "a.example.com", Pattern: "/x", Handle: sayer("a"), Options: []verso.RouteOption{verso.Since("v2")}},
	{Method: http.MethodGet, Host: "b.example.com", Pattern: "/x", Handle: sayer("b")},
}}}}

var notFound = []groupCheck{
	{"header", inHeader, byDefault(), App{NotFound: true, Routes: []Route{
		says("GET", "/users", "users"), newRoute("", "", "/missing", own404).checks(), {Method: http.MethodGet, Pattern: "/outside", Outside: true, Handle: own404},
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

// surfaceChecks are those that are more than requests.
func surfaceChecks() (checks []check) {
	for _, s := range inV2 {
		checks = append(checks, check{"set-version/" + s.name, s.check})
	}
	return append(checks, check{"client", checkClient}, check{"link", checkLinkOutside}, check{"twice", checkTwice})
}

// inV2 has a source of each kind, with a route and the link to it in v2 if links begin
// with http://v1.example.com.
var inV2 = []inVersion{
	{"path", verso.PathParam("version"), newRoute("", "user", "/{version}/users/{id}", nil), "http://v1.example.com/v2/users/7"},
	{"namespace", verso.Namespace(), newRoute("v2", "user", "/second/users/{id}", nil), "http://v1.example.com/second/users/7"},
	{"host", verso.HostLabel(""), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"query", verso.QueryParam("version"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7?version=v2"},
	{"accept", verso.AcceptParam("version"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"header", inHeader, newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"media-type", verso.MediaType("application/vnd.acme.{version}+json"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"first", verso.First(inHeader, verso.PathParam("version")), newRoute("", "user", "/{version}/users/{id}", nil), "http://v1.example.com/v2/users/7"},
}

type inVersion struct {
	name   string
	source verso.Source
	route  Route
	link   string
}

// check sets a version in front of a handler without a check.
func (s inVersion) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	var unknown, known atomic.Pointer[error]
	user, bare := s.route, newRoute("", "", "/bare", func(call Call) Response {
		link, err := call.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
		return Response{Body: fmt.Sprintf("%s %s %v", call.Version, link, err)}
	})
	user.Handle, user.checked, bare.Foreign = answerNothing, true, true
	server := mount(tb, App{
		alone:  true,
		API:    verso.Must(verso.New(s.source, verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: "http://v1.example.com"}})),
		Routes: []Route{user, bare},
		Before: []Middleware{func(step Step) int {
			first, second := step.SetVersion(verso.V("v9")), step.SetVersion(verso.V("v2"))
			unknown.Store(&first)
			known.Store(&second)
			return 0
		}},
	})
	request := get("/bare", "")
	got, err := request.send(server.Address)
	wrong := complaints{err}
	if want := "v2 " + s.link + " <nil>"; err == nil {
		wrong.unless(string(got.body) == want, "a handler behind SetVersion says %q instead of %q", got.body, want)
		ran := unknown.Load() != nil
		wrong.unless(ran, "App.Before did not run")
		wrong.unless(!ran || errors.Is(*unknown.Load(), verso.ErrUnknownVersion), "SetVersion to a version that is not served returns the error %v", unknown.Load())
		wrong.unless(!ran || *known.Load() == nil, "SetVersion returns the error %v", known.Load())
	}
	return errors.Join(append(wrong, server.stop())...)
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

// checkLinkOutside checks the errors of links outside of a request.
func checkLinkOutside(tb testing.TB, mount Mount) error {
	tb.Helper()
	server := mount(tb, App{API: verso.Must(verso.New(inHeader, serving("v1", "v2"))), Routes: []Route{says("GET", "/x/{id}", "x").named("x").with(verso.Since("v2"))}})
	var wrong complaints
	for _, test := range []struct {
		target verso.Target
		want   error
	}{
		{verso.Target{Name: "x", Version: verso.V("v2"), Params: verso.Params{"id": 7}}, nil},
		{verso.Target{Name: "x", Version: verso.V("v1"), Params: verso.Params{"id": 7}}, verso.ErrNotInVersion},
		{verso.Target{Name: "x", Version: verso.V("v9"), Params: verso.Params{"id": 7}}, verso.ErrUnknownVersion},
		{verso.Target{Name: "y", Version: verso.V("v2")}, verso.ErrNoReverseMatch},
		{verso.Target{Name: "x", Version: verso.V("v2")}, verso.ErrNoReverseMatch},
	} {
		link, err := server.link(test.target)
		wrong.unless(errors.Is(err, test.want), "outside of a request, the link to %+v is %q, error %v, instead of error %v", test.target, link, err, test.want)
	}
	return errors.Join(append(wrong, server.stop())...)
}

// checkTwice checks that the registration of a route panics if it is there already.
func checkTwice(tb testing.TB, mount Mount) (err error) {
	tb.Helper()
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	api := verso.Must(verso.New(inHeader, serving("v1", "v2")))
	server := mount(tb, App{API: api, Routes: inGroup(new(Group), says("GET", "/x", "x"), says("GET", "/x", "x"))})
	return errors.Join(errors.New("the registration of GET /x does not panic the second time"), server.stop())
}
