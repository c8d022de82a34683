package adapter_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// observed returns what Observe is told of a request, nil for nothing.
func observed(t *testing.T, from source.Source, config verso.Config, r source.Request, client func(*coretest.Checked) string) *verso.Observation {
	t.Helper()
	var told []verso.Observation
	config.Observe = func(_ context.Context, u verso.Observation) { told = append(told, u) }
	b := coretest.Bound(verso.MustNew(from, config))
	seam := *coretest.SeamOf(b)
	seam.Client = client
	_ = seam.Check(new(coretest.Checked), &adapter.Call{Request: r}, func(*coretest.Checked) {}) // the error is in the observation
	switch len(told) {
	case 0:
		return nil
	case 1:
		return &told[0]
	}
	t.Fatalf("told %d times", len(told))
	return nil
}

func TestObserve(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	dated := catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v0", Sunset: now.AddDate(-1, 0, 0), AfterSunset: catalogue.Gone},
			{Version: "v1", Sunset: now.AddDate(0, -1, 0)},
			{Version: "v2", Deprecated: now.AddDate(0, -1, 0)},
			{Version: "v3"},
			{Version: "v4", Released: now.AddDate(1, 0, 0)},
		},
		AfterSunset: catalogue.FallForward, ServedHeader: "Api-Version",
	})
	list := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	withV1 := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
	overTime := verso.Config{Catalogue: dated}
	strict := list
	strict.Strict = verso.Strict()
	path, header := verso.PathParam("version"), verso.Header("Api-Version")
	served := func(version string, asked verso.Requested, state catalogue.State) verso.Observation {
		return verso.Observation{Version: verso.V(version), Served: verso.V(version), Requested: asked, State: state, Outcome: verso.OutcomeServed}
	}
	for _, test := range []struct {
		name   string
		source source.Source
		config verso.Config
		ask    coretest.Ask
		want   verso.Observation // with the Source header "Api-Version", unless it says another
	}{
		{"a listed version", header, list, coretest.Field("v1"), served("v1", verso.RequestedListed, catalogue.Supported)},
		{"the default version", header, withV1, coretest.Ask{}, served("v1", verso.RequestedNone, catalogue.Supported)},
		{"the default version by name", header, withV1, coretest.Field("v1"), served("v1", verso.RequestedListed, catalogue.Supported)},
		{"a version that is not listed", header, list, coretest.Field("v9"), verso.Observation{Requested: verso.RequestedUnlisted, Outcome: "invalid_header_version"}},
		{"several versions", header, list, coretest.Field("v1, v2"), verso.Observation{Requested: verso.RequestedUnlisted, Outcome: "contradicting_versions"}},
		{"no version", header, list, coretest.Ask{}, verso.Observation{Requested: verso.RequestedNone, Outcome: "missing_version"}},
		{"the empty version", header, strict, coretest.Field(""), verso.Observation{Requested: verso.RequestedUnlisted, Outcome: "empty_version"}},
		{"any version", header, verso.Config{AnyVersion: true}, coretest.Field("made up"), verso.Observation{Requested: verso.RequestedUnlisted, Outcome: verso.OutcomeServed}},
		{"none where any is served", header, verso.Config{AnyVersion: true}, coretest.Ask{}, verso.Observation{Requested: verso.RequestedNone, Outcome: verso.OutcomeServed}},
		{
			"the default where any is served", header, verso.Config{AnyVersion: true, DefaultVersion: verso.V("d")}, coretest.Field("d"),
			verso.Observation{Version: verso.V("d"), Served: verso.V("d"), Requested: verso.RequestedListed, Outcome: verso.OutcomeServed},
		},
		{"a deprecated version", header, overTime, coretest.Field("v2"), served("v2", verso.RequestedListed, catalogue.Deprecated)},
		{"a supported version", header, overTime, coretest.Field("v3"), served("v3", verso.RequestedListed, catalogue.Supported)},
		{"a version that another answers for", header, overTime, coretest.Field("v1"), verso.Observation{
			Version: verso.V("v1"), Served: verso.V("v2"), Requested: verso.RequestedListed, State: catalogue.Ended, Outcome: verso.OutcomeServed,
		}},
		{"a version that is gone", header, overTime, coretest.Field("v0"), verso.Observation{
			Version: verso.V("v0"), Requested: verso.RequestedListed, State: catalogue.Ended, Outcome: "version_gone",
		}},
		{"a version to come", header, overTime, coretest.Field("v4"), verso.Observation{Requested: verso.RequestedUnlisted, Outcome: "invalid_header_version"}},
		{"the source among several", verso.First(path, header), list, coretest.In("v2"), func() verso.Observation {
			u := served("v2", verso.RequestedListed, catalogue.Supported)
			u.Source = `path parameter "version"`
			return u
		}()},
		{"a source that fails", failing{}, list, coretest.Ask{}, verso.Observation{Requested: verso.RequestedNone, Outcome: verso.OutcomeFailed, Source: "failing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.config.Clock = versotest.NewClock(now).Now
			test.ask.Route = &route.Route{Path: "/users"}
			got := observed(t, test.source, test.config, test.ask.Request(), func(*coretest.Checked) string { return "acme" })
			want := test.want
			want.Time, want.Method, want.Route, want.Client = now, "GET", "/users", "acme"
			if want.Source == "" {
				want.Source = `header "Api-Version"`
			}
			if got == nil || !got.Time.Equal(now) {
				t.Fatalf("told %+v, want %+v", got, want)
			}
			if got.Time = now; *got != want {
				t.Errorf("told %+v\nwant %+v", *got, want)
			}
		})
	}
}

// failing is a source that cannot read.
type failing struct{ source.Source }

func (failing) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{Outcome: source.Failed, Err: errors.New("broken")}
}

func (failing) Describe() source.Description { return source.Description{Name: "failing"} }

func TestObserveNothing(t *testing.T) {
	list := verso.Config{AllowedVersions: []string{"v1"}}
	preflight := coretest.Ask{Method: "OPTIONS", Header: map[string][]string{"Origin": {"https://a.example"}, "Access-Control-Request-Method": {"GET"}}}
	if got := observed(t, verso.Header("Api-Version"), list, preflight.Request(), nil); got != nil {
		t.Errorf("of a preflight: %+v", *got)
	}
	list.Observe = func(context.Context, verso.Observation) { t.Error("a neutral route is observed") }
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), list))
	coretest.Begin(b, coretest.Ask{Route: coretest.Registered(b, verso.Neutral())}.Request())
}

func TestObserveKept(t *testing.T) {
	var told verso.Observation
	config := ending(versotest.NewClock(coretest.Date(2027, 1, 1)), catalogue.Gone, "")
	config.Observe = func(_ context.Context, u verso.Observation) { told = u }
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), config))
	_ = coretest.SeamOf(b).Check(&coretest.Checked{KeepServed: true}, &adapter.Call{Request: coretest.Ask{Header: coretest.Field("v1").Header, Route: coretest.Registered(b)}.Request()}, func(*coretest.Checked) {}) // it is served
	want := verso.Observation{
		Time: told.Time, Method: "GET", Version: verso.V("v1"), Served: verso.V("v1"), Requested: verso.RequestedListed, State: catalogue.Ended,
		Outcome: verso.OutcomeServed, Exempt: true, Source: `header "Api-Version"`, Route: "/:version/users",
	}
	if told != want {
		t.Errorf("told %+v, want %+v", told, want)
	}
}

// TestObserveMethod sees that a method which a client makes up is none of a label's
// values.
func TestObserveMethod(t *testing.T) {
	for method, want := range map[string]string{"GET": "GET", "PATCH": "PATCH", "TRACE": "TRACE", "get": "_OTHER", "MADE-UP": "_OTHER"} {
		asked := coretest.Field("v1")
		asked.Method = method
		got := observed(t, verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}, asked.Request(), nil)
		if got == nil || got.Method != want {
			t.Errorf("%s: told %+v, want the method %q", method, got, want)
		}
	}
}

func TestObserveClient(t *testing.T) {
	for _, test := range []struct {
		name   string
		client func(*coretest.Checked) string
		want   string
	}{
		{"none", nil, ""},
		{"a name", func(*coretest.Checked) string { return "acme" }, "acme"},
		{"a megabyte", func(*coretest.Checked) string { return strings.Repeat("x", 1<<20) }, strings.Repeat("x", verso.MaxClientBytes)},
		{"a megabyte of characters", func(*coretest.Checked) string { return strings.Repeat("ü€", 1<<18) }, strings.Repeat("ü€", 25) + "ü"},
		{"a character over the bound", func(*coretest.Checked) string { return strings.Repeat("x", verso.MaxClientBytes-3) + "\U0001D11E" }, strings.Repeat("x", verso.MaxClientBytes-3)},
		{"no UTF-8", func(*coretest.Checked) string { return "a\xffb" }, "a\uFFFDb"},
		{"much of no UTF-8", func(*coretest.Checked) string { return strings.Repeat("\xffx", 100) }, strings.Repeat("\uFFFDx", 32)},
		{"a panic", func(*coretest.Checked) string { panic("broken") }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := coretest.Logging(t)
			got := observed(t, verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}, coretest.Field("v1").Request(), test.client)
			if got == nil || got.Client != test.want || !utf8.ValidString(got.Client) || len(got.Client) > verso.MaxClientBytes {
				t.Errorf("told %+v, want the client %q", got, test.want)
			}
			if panics := test.name == "a panic"; panics != strings.Contains(log.String(), "Client panicked") {
				t.Errorf("logged %s", log)
			}
		})
	}
}

func TestObservePanics(t *testing.T) {
	log := coretest.Logging(t)
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), verso.Config{
		AllowedVersions: []string{"v1"},
		Observe:         func(context.Context, verso.Observation) { panic("broken\n" + strings.Repeat("x", 1000)) },
	}))
	for range 3 {
		coretest.Begin(b, coretest.Field("v1").Request())
	}
	if text := log.String(); strings.Count(text, "Observe panicked") != 1 || len(text) > 500 {
		t.Errorf("logged %s", text)
	}
}

// TestClientNotRead sees that a callback which nobody would call is refused.
func TestClientNotRead(t *testing.T) {
	silent := *coretest.SeamOf(coretest.Bound(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})))
	silent.Client = func(*coretest.Checked) string { return "" }
	defer func() {
		err, _ := recover().(error)
		var refused *verso.Finding
		if !errors.As(err, &refused) || refused.Code != "client_not_read" {
			t.Errorf("panics with %v", err)
		}
	}()
	adapter.NewSeam(silent)
}

// TestClientNotSet sees that an Observe which is told no client is found.
func TestClientNotSet(t *testing.T) {
	observe := func(context.Context, verso.Observation) {}
	for _, test := range []struct {
		name    string
		observe func(context.Context, verso.Observation)
		client  func(*coretest.Checked) string
		found   bool
	}{
		{"nobody observes", nil, nil, false},
		{"without Client", observe, nil, true},
		{"with Client", observe, func(*coretest.Checked) string { return "acme" }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Observe: test.observe}))
			adapter.NewSeam(adapter.Seam[*coretest.Checked, func(*coretest.Checked)]{
				Binding: b, Client: test.client,
				Load: func(*coretest.Checked) *verso.Result { return nil }, Store: func(*coretest.Checked, *verso.Result) {}, Write: func(*coretest.Checked, adapter.Fields) {},
				Next:      func(*coretest.Checked, func(*coretest.Checked)) error { return nil },
				NoContent: func(*coretest.Checked) error { return nil },
				Reject:    func(*coretest.Checked, *verso.Error, *verso.Answer) error { return nil },
				Fail:      func(_ *coretest.Checked, err error) error { return err },
			})
			found := slices.ContainsFunc(b.Explain().Findings, func(f verso.Finding) bool {
				return f.Code == "client_not_set" && strings.Contains(f.Message, "or Acknowledged: []string{\"client_not_set\"} in verso.Config")
			})
			if found != test.found {
				t.Errorf("found %v, want %v: %+v", found, test.found, b.Explain().Findings)
			}
		})
	}
}

func TestObserveAllocs(t *testing.T) {
	told := 0
	for name, config := range map[string]verso.Config{
		"a list":      {AllowedVersions: []string{"v1", "v2"}},
		"a catalogue": {Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Deprecated: time.Unix(1, 0)}}})},
	} {
		config.Observe = func(context.Context, verso.Observation) { told++ }
		b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), config))
		r := coretest.Field("v1").Request()
		c, seam, next := new(coretest.Checked), coretest.SeamOf(b), func(*coretest.Checked) {}
		if allocs := testing.AllocsPerRun(100, func() {
			*c = coretest.Checked{Client: "acme"}
			var call adapter.Call
			call.Request = r
			_ = seam.Check(c, &call, next) // it is served
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
	if told != 202 {
		t.Errorf("told %d times", told)
	}
}
