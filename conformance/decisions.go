package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// decision sends the requests of a sheet to one application, next to whose routes there is
// something that must not decide for them. What a request gets is the status, the version that
// the handler sees ("*": any), and the name of the handler. With "set:" or "method:" the
// middleware of the suite sets that, with "kept" ExemptFromSunset returns true. The rule behind
// all of them: the check of the route decides, once, on the request as it arrives there.
// Whatever ran before, an older check or a stored version included, does not count.
type decision struct {
	name  string
	place string // where the suite sets a version: the name of a field of App, "" for nowhere
	other bool   // there is App.Other
}

// decisions are those that all adapters can make. Each is a way in which real middleware has
// let a request through: a test helper left in production, a rewritten header, an outer API
// with versions of its own.
var decisions = []decision{
	{"versions", "", false},
	{"preflights", "", false},
	{"set-before", "Before", false},
	{"rewritten", "Between", false},
	{"set-after", "After", false},
	{"set-other", "After", true},
}

// decisionsBehind are those that need the adapter's Middleware.
var decisionsBehind = []decision{
	{"foreign", "", false},
	{"foreign-preflights", "", false},
	{"foreign-set-before", "Before", false},
	{"overridden", "Before", false},
	{"other-after", "", true},
}

// otherAPI has versions with other names, so that a version of the wrong API is recognized
// wherever it shows. It allows requests without a version, since those of the checks name none
// for it.
func otherAPI() *verso.Versioning {
	config := verso.Config{AllowedVersions: []string{"a", "b"}, AllowUnversioned: true,
		Observe: func(context.Context, verso.Observation) {}}
	return verso.MustNew(verso.QueryParam("of"), config)
}

// decisionChecks check who is served, without anything, with an Observe, and with a
// ExemptFromSunset; and once more how often a request is decided on and observed. They do so
// with the routes alone and, in the group middleware, behind the adapter's Middleware. The
// variants exist because adapters take short cuts: without Observe nothing is recorded, and
// without an exemption no client asks for it. Each short cut has to decide alike.
func decisionChecks(all []decision, behind bool) (checks []check) {
	of := sheets("decisions")
	maps.Copy(of, sheets("middleware"))
	for _, d := range all {
		variants := []string{"plain", "observe", "keep-served", "once"}
		if behind {
			variants = append(variants, "twice")
		}
		for _, variant := range variants {
			checks = append(checks, check{d.name + "/" + variant, func(tb testing.TB, mount Mount) error {
				tb.Helper()
				return d.check(tb, mount, of[d.name], behind, variant)
			}})
		}
	}
	return checks
}

// decided holds the outcomes of the requests to one application. The counters are atomic, and
// the rest has a lock, since a server works in goroutines of its own.
type decided struct {
	reads   atomic.Int32           // of the version, by the source
	times   atomic.Int32           // that the clock was read
	asked   atomic.Pointer[asking] // the current request
	ran     atomic.Int32           // how often the middleware of the suite ran
	refused atomic.Bool            // SetTestVersion has returned an error
	told    witness
}

// check runs one variant of the decision. The places are tried in one application each, because
// middleware that sets a version in one place would hide the effect of the next place.
func (d *decision) check(tb testing.TB, mount Mount, s *sheet, behind bool, variant string) error {
	tb.Helper()
	seen := new(decided)
	app := App{API: seen.api(variant), Routes: decidedRoutes()}
	if behind {
		app.Middleware = 1
	}
	switch variant {
	case "twice":
		app.Middleware = 2
	case "keep-served":
		app.ExemptFromSunset = keepServed
	}
	switch d.place {
	case "Before":
		app.Before = []Middleware{seen.setVersion}
	case "Between":
		app.Between = []Middleware{seen.setHeader}
	case "After":
		app.After = []Middleware{seen.setVersion}
	}
	if d.other {
		app.Other = otherAPI()
	}
	server := start(tb, mount, app)
	// The first request of a service builds what all share, and may read the clock for that.
	_, err := seen.send(server.Address, parseAsking("GET /users v2")) // makes what is made once
	wrong := complaints{err}
	for _, l := range s.lines {
		asked := parseAsking(l.text)
		if err != nil || asked.kept && app.ExemptFromSunset == "" {
			continue
		}
		var got string
		got, err = seen.send(server.Address, asked)
		// Middleware after the check does not run for a rejection, so it is only required for what
		// is served.
		matches, ran := asked.settle(got), seen.ran.Load() == 1 || d.place == "" ||
			d.place == "After" && (!asked.isServed() || asked.want == "204")
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case variant != "once" && variant != "twice":
			wrong.unless(matches, "%s gets %q instead of %q (%s)", asked.name, got, asked.want, l.at)
			wrong.unless(!matches || ran, "%s: App.%s ran %d times instead of once: the mount does not install it, or something has rejected the request before it",
				asked.name, d.place, seen.ran.Load())
			wrong.unless(!d.other || !seen.refused.Load(),
				"%s: SetTestVersion refuses the version of App.Other: App.After calls that of the other API",
				asked.name)
		case matches: // the other applications complain otherwise
			wrong = append(wrong, seen.judgeOnce(asked)...)
		}
	}
	wrong = append(wrong, server.close())
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("%w\nrule: %s", err, s.rule)
	}
	return nil
}

// send sends a request, and returns what it gets.
func (d *decided) send(address string, asked *asking) (string, error) {
	d.told.clear()
	d.reads.Store(0)
	d.times.Store(0)
	d.ran.Store(0)
	d.refused.Store(false)
	d.asked.Store(asked)
	got, err := asked.sendTo(address)
	return strings.TrimSuffix(got, " |"), err
}

// judgeOnce checks that one check has decided on a request, and has observed it. Two checks of
// one request cost twice, count twice on the usage page, and may disagree at midnight of a
// sunset.
func (d *decided) judgeOnce(asked *asking) (wrong complaints) {
	want := 1
	if asked.isExempt() {
		want = 0
	}
	told := d.told.observed(want)
	reads := int(d.reads.Load())
	wrong.unless(reads == want || asked.preflight && asked.isExempt(),
		"%s: the source is read %d times instead of %d: once by the check that decides, and by no other", asked.name,
		reads, want)
	// Two readings of the clock can lie on both sides of a sunset: headers of one state with the
	// body of the other.
	wrong.unless(d.times.Load() <= 1, "%s: the clock is read %d times: once by the check that decides, and by no other",
		asked.name, d.times.Load())
	wrong.unless(len(told) == want, "%s: Observe is called %d times instead of %d: %+v", asked.name, len(told), want,
		told)
	if len(told) == 1 && asked.isServed() {
		wrong.unless(asked.method == "" || told[0].Method == asked.method,
			"%s: Observe is called with the method %s: Step.SetMethod does not set it", asked.name, told[0].Method)
		wrong.unless(told[0].Outcome == verso.OutcomeServed && told[0].Version.String() == asked.decided(),
			"%s: Observe is called with the outcome %q in version %q, but the check has decided to serve it in version %q",
			asked.name, told[0].Outcome, told[0].Version, asked.decided())
	}
	return wrong
}

// api returns the API, in which v1 has ended and v4 is not released.
func (d *decided) api(variant string) *verso.Versioning {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	config := verso.Config{
		Clock: func() time.Time {
			d.times.Add(1)
			return now
		},
		Catalogue: catalogue.MustNew(catalogue.Config{
			// One of each state, since ended and unreleased versions go through other code.
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: now.AddDate(-1, 0, 0), Sunset: now.AddDate(0, -1, 0), Successor: "v2"},
				{Version: "v2"}, {Version: "v3"}, {Version: "v4", Released: now.AddDate(0, 1, 0)},
			},
			AfterSunset: catalogue.Gone,
		}),
	}
	if variant == "observe" || variant == "once" || variant == "twice" {
		config.Observe = d.told.observe
	}
	return verso.MustNew(countedSource{inHeader, &d.reads}, config)
}

// countedSource counts how often it reads a version. Embedding hides the source from short cuts
// that core takes for its own, which is intended: each read is seen.
type countedSource struct {
	source.Source
	reads *atomic.Int32
}

func (s countedSource) Read(r source.Request, served *source.ServedVersions) source.Reading {
	s.reads.Add(1)
	return s.Source.Read(r, served)
}

// setVersion passes the version that the current request names for it to the adapter's
// SetTestVersion, which may refuse it, or changes the method of the request.
func (d *decided) setVersion(s Step) int {
	d.ran.Add(1)
	switch asked := d.asked.Load(); {
	case asked.method != "":
		s.SetMethod(asked.method)
	case asked.set != "":
		d.refused.Store(s.SetTestVersion(verso.V(asked.set)) != nil)
	}
	return 0
}

// setHeader changes the version that the current request asks for.
func (d *decided) setHeader(s Step) int {
	d.ran.Add(1)
	if set := d.asked.Load().set; set != "" {
		s.SetHeader("Api-Version", set)
	}
	return 0
}

// decidedRoutes has a route for each way of registering one: with a handler, with handlers for
// versions, for any method, for OPTIONS, neutral, and by the framework alone.
func decidedRoutes() []Route {
	own := func(name string, options ...verso.RouteOption) Route {
		return answering("GET", "/"+name, "").named(name).with(options...).checks()
	}
	// These are beside versioned routes of the same path, which must not lend them their versions.
	foreign := func(method, name, text string) Route {
		return Route{Method: method, Pattern: "/" + name, Foreign: true, Handle: answerer(text)}
	}
	choices := own("choice").choosing(map[string]func(Call) Response{"v1": answerer("one"), "v2": answerer("two"),
		"v3": answerer("three")})
	on := func(method string, r Route) Route { r.Method = method; return r }
	return []Route{
		own("users"), own("late", verso.Since("v3")), own("health", verso.Neutral()), own("rooms"), choices,
		on("OPTIONS", choices.named("")),
		on("", own("any")), on("", own("any-late", verso.Since("v3"))), on("OPTIONS", own("options")),
		on("OPTIONS", own("options-late", verso.Since("v3"))),
		foreign("POST", "foreign", "foreign"), foreign("OPTIONS", "foreign", "options"),
		foreign("", "foreign-any", "foreign"),
		foreign("POST", "health", "foreign"), foreign("POST", "rooms", "foreign"), foreign("POST", "choice", "foreign"),
	}
}
