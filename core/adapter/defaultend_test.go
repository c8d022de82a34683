package adapter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// ending is a configuration whose default version, v1, ends by an action.
func ending(clock *versotest.Clock, action catalogue.Action, end verso.AfterDefaultSunset) verso.Config {
	return verso.Config{
		Clock: clock.Now, DefaultVersion: verso.V("v1"), AfterDefaultSunset: end,
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Sunset: coretest.Date(2027, 1, 1), Successor: "v3"},
				{Version: "beta", Preview: true},
				{Version: "v2", Deprecated: coretest.Date(2026, 6, 1), Sunset: coretest.Date(2026, 12, 1), AfterSunset: catalogue.Serve},
				{Version: "v3", Sunset: coretest.Date(2028, 1, 1), Successor: "v4"},
				{Version: "v4", Released: coretest.Date(2027, 6, 1), Sunset: coretest.Date(2029, 1, 1)},
			},
			AfterSunset: action, ServedHeader: "Served-Version",
		}),
	}
}

func TestWhenDefaultEnds(t *testing.T) {
	before, after, last := coretest.Date(2026, 12, 31), coretest.Date(2027, 1, 1), coretest.Date(2029, 1, 1)
	for _, test := range []struct {
		name    string
		action  catalogue.Action
		end     verso.AfterDefaultSunset
		now     time.Time
		ask     coretest.Ask
		options []verso.RouteOption
		want    string
	}{
		{"before its end", catalogue.Gone, verso.MoveUnversioned, before, coretest.Ask{}, nil, "= v1"},
		{"unsaid, gone", catalogue.Gone, "", after, coretest.Ask{}, nil, "410 version_gone"},
		{"unsaid, fall forward", catalogue.FallForward, "", after, coretest.Ask{}, nil, "= v3"},
		{"rejected", catalogue.Gone, verso.RejectUnversioned, after, coretest.Ask{}, nil, "410 version_gone"},
		{"rejected in spite of fall forward", catalogue.FallForward, verso.RejectUnversioned, after, coretest.Ask{}, nil, "410 version_gone"},
		{"by name it falls forward", catalogue.FallForward, verso.RejectUnversioned, after, coretest.Field("v1"), nil, "= v3"},
		{"moved, past a preview, to one whose sunset is over and that is served", catalogue.Gone, verso.MoveUnversioned, after, coretest.Ask{}, nil, "= v2"},
		{"moved in spite of fall forward", catalogue.FallForward, verso.MoveUnversioned, after, coretest.Ask{}, nil, "= v2"},
		{"by name it is not moved", catalogue.Gone, verso.MoveUnversioned, after, coretest.Field("v1"), nil, "410 version_gone"},
		{"never ends", catalogue.Serve, verso.MoveUnversioned, after, coretest.Ask{}, nil, "= v1"},
		{"the last version that is served", catalogue.Gone, verso.MoveUnversioned, last, coretest.Ask{}, nil, "= v2"},
		{"moved to a version without the route", catalogue.Gone, verso.MoveUnversioned, after, coretest.Ask{}, []verso.RouteOption{verso.Since("v3")}, "404 not_in_version"},
		{"moved, the route has ended", catalogue.Gone, verso.MoveUnversioned, after, coretest.Ask{}, []verso.RouteOption{verso.SunsetAt(before)}, "410 route_gone"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), ending(versotest.NewClock(test.now), test.action, test.end)))
			test.ask.Route = coretest.Registered(b, test.options...)
			coretest.Expect(t, b, test.ask.Request(), test.want)
		})
	}
}

// A moved request has the fields of the version that answers, and usage tells of
// both versions.
func TestMovedRequest(t *testing.T) {
	config := ending(versotest.NewClock(coretest.Date(2027, 1, 1)), catalogue.Gone, verso.MoveUnversioned)
	header := verso.Header("Api-Version")
	_, call := coretest.Begin(coretest.Bound(verso.MustNew(header, config)), coretest.Ask{}.Request())
	want := []string{"Deprecation: @1780272000 2", "Sunset: Tue, 01 Dec 2026 00:00:00 GMT 2", "Served-Version: v2 0"}
	if got := coretest.Fields(call); !slices.Equal(got, want) {
		t.Errorf("fields %q, want %q", got, want)
	}
	told := verso.Observation{
		Time: coretest.Date(2027, 1, 1), Method: "GET", Source: `header "Api-Version"`, Version: verso.V("v1"), Served: verso.V("v2"), Requested: verso.RequestedNone,
		State: catalogue.Ended, Outcome: verso.OutcomeServed,
	}
	if got := observed(t, header, config, coretest.Ask{}.Request(), nil); !isTold(got, told) {
		t.Errorf("told %+v, want %+v", got, told)
	}
	config.AfterDefaultSunset = verso.RejectUnversioned
	told.Served, told.Outcome = verso.Version{}, "version_gone"
	if got := observed(t, header, config, coretest.Ask{}.Request(), nil); !isTold(got, told) {
		t.Errorf("told %+v, want %+v", got, told)
	}
	_, call = coretest.Begin(coretest.Bound(verso.MustNew(header, config)), coretest.Ask{}.Request())
	var rejected *verso.Error
	if !errors.As(call.Err, &rejected) || rejected.HasRequested || rejected.Requested != "" || rejected.Successor != "v3" {
		t.Errorf("rejected with %+v", rejected)
	}
}

func isTold(got *verso.Observation, want verso.Observation) bool {
	return got != nil && got.Time.Equal(want.Time) && func() bool { got.Time = want.Time; return *got == want }()
}

// The timeline says what requests without a version get, and there is no warning
// once somebody has decided.
func TestExplainWhenDefaultEnds(t *testing.T) {
	for _, test := range []struct {
		end      verso.AfterDefaultSunset
		unnamed  string // from 2027 on
		findings []string
	}{
		{"", "410 version_gone", []string{"default_deprecated", "default_gone"}},
		{verso.RejectUnversioned, "410 version_gone", nil},
		{verso.MoveUnversioned, `served as version "v2"`, nil},
	} {
		api := verso.MustNew(verso.Header("Api-Version"), ending(versotest.NewClock(coretest.Date(2026, 7, 1)), catalogue.Gone, test.end))
		e := adapter.Bind(api, nil).Explain()
		if got := slices.DeleteFunc(coretest.Findings(e), func(code string) bool { return !strings.HasPrefix(code, "default_") }); !slices.Equal(got, test.findings) {
			t.Errorf("%q: findings %q, want %q", test.end, got, test.findings)
		}
		for _, period := range e.Timeline {
			want := test.unnamed
			if period.From.Before(coretest.Date(2027, 1, 1)) {
				want = `served as version "v1"`
			}
			if period.Unversioned != want {
				t.Errorf("%q: from %v without a version %s, want %s", test.end, period.From, period.Unversioned, want)
			}
		}
	}
}

// The timeline says what happens to a version at its sunset, and no two of its lines are
// equal.
func TestTimelineNamesWhatHappens(t *testing.T) {
	const before, after = "v1 deprecated; v2 supported; without a version: 400 missing_version", "; v2 supported; without a version: 400 missing_version"
	for action, want := range map[catalogue.Action]string{
		"":                    "v1 past its sunset, still served" + after,
		catalogue.Serve:       "v1 past its sunset, still served" + after,
		catalogue.Gone:        "v1 ended: 410" + after,
		catalogue.FallForward: "v1 ended, v2 answers" + after,
	} {
		versions := catalogue.MustNew(catalogue.Config{AfterSunset: action, ServedHeader: "Served-Version", Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Sunset: coretest.Date(2027, 1, 1), Successor: "v2"}, {Version: "v2"},
		}})
		e := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, Clock: versotest.NewClock(coretest.Date(2026, 7, 1)).Now}), nil).Explain()
		_, text, _ := strings.Cut(e.String(), "From today\n")
		text, _, _ = strings.Cut(text, "\n\n")
		var said []string
		for line := range strings.Lines(text) {
			said = append(said, strings.TrimSpace(line[len("  2027-01-01T00:00:00Z "):]))
		}
		if !slices.Equal(said, []string{before, want}) {
			t.Errorf("%q: %q, want %q", action, said, []string{before, want})
		}
		if got := slices.Contains(coretest.Findings(e), "sunset_without_end"); got != (action == "") {
			t.Errorf("%q: finding %t", action, got)
		}
	}
}

// A path with a version that is not served has no route: the router answers.
func TestExplainUnservedPrefix(t *testing.T) {
	const router = "404 of the router, unless it has a route there"
	prefix := verso.PathPrefix("/api/{version}")
	for _, from := range []source.Source{prefix, verso.First(verso.Header("Api-Version"), prefix)} {
		for _, r := range coretest.Bound(verso.MustNew(from, coretest.WithDefault("v1", "v2"))).Explain().Requests {
			isOfPath := strings.HasPrefix(r.Request, "for a version that is not served") && !strings.Contains(r.Request, "header")
			if isOfPath != (r.Response == router) && r.Request != "for the empty version" {
				t.Errorf("%s: %s", r.Request, r.Response)
			}
		}
	}
}

// Without a default, no path without a version has a route of EachVersion.
func TestExplainPrefixWithoutDefault(t *testing.T) {
	for want, config := range map[string]verso.Config{
		"404 of the router, unless it has a route there": coretest.List("v1", "v2"),
		`served as version "v1"`:                         coretest.WithDefault("v1", "v2"),
	} {
		first := coretest.Bound(verso.MustNew(verso.PathPrefix("/api/{version}"), config)).Explain().Requests[0]
		if first.Request != "without a version" || first.Response != want {
			t.Errorf("%s: %s, want %s", first.Request, first.Response, want)
		}
	}
}
