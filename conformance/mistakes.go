package conformance

import (
	"errors"
	"fmt"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// mistake is an application of an API that serves v1 and v2, with an invalid route. A mistake
// must be found when the service starts. If it is found by the first request, it is found in
// production.
type mistake struct {
	name   string
	source source.Source
	app    App
}

// Core finds them. The check is that an adapter passes on all that it is given, and does not
// lose the finding.
var mistakes = []mistake{
	{"unknown-version", inHeader, mistaken(nil, verso.Since("v9"))},
	{"neutral-and-versioned", inHeader, mistaken(nil, verso.Neutral(), verso.Since("v1"))},
	{"in-no-version", inHeader, mistaken(nil, verso.Since("v2"), verso.RemovedIn("v2"))},
	{"choice-of-nothing", inHeader, mistaken(map[string]func(Call) Response{})},
	{"choice-of-unknown-version", inHeader, mistaken(map[string]func(Call) Response{"v9": answerNothing})},
	{"choice-without-a-version", inHeader, mistaken(map[string]func(Call) Response{"": answerNothing,
		"v1": answerNothing})},
	{"removed-before-its-first", inHeader, mistaken(map[string]func(Call) Response{"v1": nil, "v2": answerNothing})},
}

// These exist only with groups, where options of several places meet.
var groupMistakes = []mistake{
	{"each-outside", inPrefix, App{Routes: inGroup(&Group{EachVersion: true}, answering("GET", "/health", "x"))}},
	{"each-twice", inPrefix, App{Routes: inGroup(&Group{Prefix: "/api/v1", EachVersion: true},
		answering("GET", "/x", "x"))}},
	{"each-parameter", inPrefix, App{Routes: inGroup(&Group{EachVersion: true},
		answering("GET", "/api/{kind}/x", "x"))}},
	{"each-without-prefix", inHeader, App{Routes: inGroup(&Group{EachVersion: true}, answering("GET", "/api/x", "x"))}},
	{"contradicting", inHeader, App{Routes: inGroup(&Group{Since: "v1"},
		answering("GET", "/x", "x").with(verso.Neutral()))}},
}

// A router for each version is registered at once, so a mistake in one stops all.
var mountMistakes = []mistake{
	{"nothing", inHeader, App{Mounts: []Mounted{{}}}},
	{"no-route", inHeader, App{Mounts: []Mounted{{nil, map[string]*MountedVersion{"v1": {}}}}}},
	{"unknown-version", inHeader, App{Mounts: []Mounted{{nil, map[string]*MountedVersion{
		"v1": {nil, []Route{answering("GET", "/a", "a")}}, "v9": {nil, []Route{answering("GET", "/a", "a")}},
	}}}}},
}

// mistaken has one route, so nothing else can be refused.
func mistaken(handlers map[string]func(Call) Response, options ...verso.RouteOption) App {
	return App{Routes: []Route{answering("GET", "/mistaken", "mistaken").with(options...).choosing(handlers)}}
}

// answerNothing never runs in these applications.
func answerNothing(Call) Response { return Response{} }

// mistakeChecks check that the registration of such a route panics with the finding of
// core.
func mistakeChecks(of []mistake) (checks []check) {
	for _, m := range of {
		checks = append(checks, check{"mistakes/" + m.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			app := m.app
			app.API = verso.MustNew(m.source, byDefault())
			return registering(tb, mount, app)
		}})
	}
	return checks
}

// registering mounts an application, and returns an error unless that fails as it should. Other
// panics are the framework's, with a text that does not lead to the mistake.
func registering(tb testing.TB, mount Mount, app App) (err error) {
	tb.Helper()
	defer func() {
		panicked := recover()
		if panicked == nil {
			return
		}
		said, _ := panicked.(error)
		if _, known := errors.AsType[*verso.Finding](said); !known {
			err = fmt.Errorf("the registration panics with %v, which is not a *verso.Finding", panicked)
		}
	}()
	server := mount(tb, app)
	return errors.Join(errors.New("the registration of the route does not panic"), server.stop())
}
