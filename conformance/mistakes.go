package conformance

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// mistake returns a check that an invalid route of an API that serves v1 and v2 is refused. A
// mistake must be found when the service starts. If it is found by the first request, it is
// found in production.
func mistake(name string, from source.Source, app App) groupCheck {
	return groupCheck{"mistakes/" + name, from, byDefault(), app}
}

// Core finds them. The check is that an adapter passes on all that it is given, and does not
// lose the finding.
var mistakes = []groupCheck{
	mistake("unknown-version", inHeader, mistaken(nil, verso.Since("v9"))),
	mistake("neutral-and-versioned", inHeader, mistaken(nil, verso.Neutral(), verso.Since("v1"))),
	mistake("in-no-version", inHeader, mistaken(nil, verso.Since("v2"), verso.RemovedIn("v2"))),
	mistake("choice-of-nothing", inHeader, mistaken(map[string]func(Call) Response{})),
	mistake("choice-of-unknown-version", inHeader, mistaken(map[string]func(Call) Response{"v9": answerNothing})),
	mistake("choice-without-a-version", inHeader, mistaken(map[string]func(Call) Response{"": answerNothing,
		"v1": answerNothing})),
	mistake("removed-before-its-first", inHeader, mistaken(map[string]func(Call) Response{"v1": nil, "v2": answerNothing})),
}

// These exist only with groups, where options of several places meet.
var groupMistakes = []groupCheck{
	mistake("each-outside", inPrefix, App{Routes: inGroup(&Group{EachVersion: true}, answering("GET", "/health", "x"))}),
	mistake("each-twice", inPrefix, App{Routes: inGroup(&Group{Prefix: "/api/v1", EachVersion: true},
		answering("GET", "/x", "x"))}),
	mistake("each-parameter", inPrefix, App{Routes: inGroup(&Group{EachVersion: true},
		answering("GET", "/api/{kind}/x", "x"))}),
	mistake("each-without-prefix", inHeader, App{Routes: inGroup(&Group{EachVersion: true}, answering("GET", "/api/x", "x"))}),
	mistake("contradicting", inHeader, App{Routes: inGroup(&Group{Since: "v1"},
		answering("GET", "/x", "x").with(verso.Neutral()))}),
}

// A router for each version is registered at once, so a mistake in one stops all.
var mountMistakes = []groupCheck{
	mistake("nothing", inHeader, App{Mounts: []Mounted{{}}}),
	mistake("no-route", inHeader, App{Mounts: []Mounted{{nil, map[string]*MountedVersion{"v1": {}}}}}),
	mistake("unknown-version", inHeader, App{Mounts: []Mounted{{nil, map[string]*MountedVersion{
		"v1": {nil, []Route{answering("GET", "/a", "a")}}, "v9": {nil, []Route{answering("GET", "/a", "a")}},
	}}}}),
}

// mistaken has one route, so nothing else can be refused.
func mistaken(handlers map[string]func(Call) Response, options ...verso.RouteOption) App {
	return App{Routes: []Route{answering("GET", "/mistaken", "mistaken").with(options...).choosing(handlers)}}
}

// answerNothing never runs in these applications.
func answerNothing(Call) Response { return Response{} }
