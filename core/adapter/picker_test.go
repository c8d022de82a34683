package adapter_test

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
)

func TestHandlers(t *testing.T) {
	handler := func(text string) func() string { return func() string { return text } }
	api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1", "v2", "v10", "v3", "v4", "v5"), func(c *verso.Config) { c.AllowUnversioned = true })))
	const absent, unknown = "404 not_in_version", "404 invalid_url_path_version"
	for name, test := range map[string]struct {
		handlers    verso.Handlers[func() string]
		want        map[string]string
		unversioned string
	}{
		"a gap and an end": {
			verso.Handlers[func() string]{"v2": handler("two"), "v3": nil, "v4": handler("four"), "v5": nil},
			map[string]string{"v1": absent, "v2": "two", "v10": "two", "v3": absent, "v4": "four", "v5": absent, "": unknown}, absent,
		},
		"without a version": {
			verso.Handlers[func() string]{"": handler("any"), "v2": handler("two")},
			map[string]string{"v1": absent, "v2": "two", "v5": "two"}, "any",
		},
		"removed before the first": { // as it is from the beginning
			verso.Handlers[func() string]{"v10": handler("ten"), "v4": nil},
			map[string]string{"v1": absent, "v2": absent, "v10": "ten", "v3": "ten", "v4": absent, "v5": absent}, absent,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, given := coretest.Bound(api), len(test.handlers)
			pick, option, err := adapter.Picker(test.handlers, b)
			if err != nil || len(test.handlers) != given {
				t.Fatal(err, test.handlers)
			}
			for version := range test.handlers { // the caller's map may change
				test.handlers[version] = handler("changed")
			}
			matched := coretest.Registered(b, option)
			answer := func(a coretest.Ask) string {
				a.Route = matched
				result, c := coretest.Begin(b, a.Request())
				if result == nil || c.NoContent {
					return coretest.Outcome(b, a.Request())
				}
				return pick(result)()
			}
			for version, want := range test.want {
				if got := answer(coretest.In(version)); got != want {
					t.Errorf("%q: %q, want %q", version, got, want)
				}
			}
			if got := answer(coretest.Ask{}); got != test.unversioned {
				t.Errorf("without a version: %q, want %q", got, test.unversioned)
			}
			a, want := coretest.Preflight(nil), "204" // which names none
			if test.unversioned == "any" {
				want = "any"
			}
			if got := answer(a); got != want {
				t.Errorf("a preflight: %q", got)
			}
		})
	}
}

func TestHandlersErrors(t *testing.T) {
	listed := verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2")))
	unversioned := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.AllowUnversioned = true })))
	open := verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))
	handler := func() {}
	var typed *int
	for name, test := range map[string]struct {
		api      *verso.Versioning
		handlers verso.Handlers[any]
		code     string
		field    string
	}{
		"none":                                 {listed, nil, "dispatch_empty", "Handlers"},
		"empty":                                {listed, verso.Handlers[any]{}, "dispatch_empty", "Handlers"},
		"only a removal":                       {listed, verso.Handlers[any]{"v1": nil}, "dispatch_empty", `Handlers["v1"]`},
		"a removal first":                      {listed, verso.Handlers[any]{"v1": nil, "v2": handler}, "dispatch_empty", `Handlers["v1"]`},
		"a nil pointer first":                  {listed, verso.Handlers[any]{"v1": typed, "v2": handler}, "dispatch_empty", `Handlers["v1"]`},
		"a nil slice first":                    {listed, verso.Handlers[any]{"v1": []any(nil), "v2": handler}, "dispatch_empty", `Handlers["v1"]`},
		"an empty slice first":                 {listed, verso.Handlers[any]{"v1": []any{}, "v2": handler}, "dispatch_empty", `Handlers["v1"]`},
		"a nil function first":                 {listed, verso.Handlers[any]{"v1": (func())(nil), "v2": handler}, "dispatch_empty", `Handlers["v1"]`},
		"unknown":                              {listed, verso.Handlers[any]{"v9": handler}, "since_unknown", `Handlers["v9"]`},
		"removal of an unknown one":            {listed, verso.Handlers[any]{"v1": handler, "v9": nil}, "removed_unknown", `Handlers["v9"]`},
		"without a version, which is rejected": {listed, verso.Handlers[any]{"": handler, "v1": handler}, "handler_unversioned", "Routes"},
		"without a version, nil":               {unversioned, verso.Handlers[any]{"": nil, "v1": handler}, "handler_unversioned", "Routes"},
		"without a version only":               {unversioned, verso.Handlers[any]{"": handler}, "dispatch_empty", "Handlers"},
		"no list":                              {open, verso.Handlers[any]{"v1": handler}, "route_needs_catalogue", "Routes"},
	} {
		t.Run(name, func(t *testing.T) {
			pick, option, err := adapter.Picker(test.handlers, coretest.Bound(test.api))
			checkRefused(t, pick == nil && option == nil, err, test.code, test.field)
		})
	}
}

// What falls forward gets the handler of the version that answers.
func TestHandlersFallForward(t *testing.T) {
	api, clock := coretest.OverTime(t, nil)
	clock.Set(coretest.Date(2027, 1, 1))
	b := coretest.Bound(api)
	pick, option, err := adapter.Picker(verso.Handlers[string]{"v1": "one", "v2": "two"}, b)
	if err != nil {
		t.Fatal(err)
	}
	a := coretest.In("v1")
	a.Route = coretest.Registered(b, option)
	result, call := coretest.Begin(b, a.Request())
	if call.Err != nil || pick(result) != "two" || result.Version() != verso.V("v2") {
		t.Errorf("%v in %s", call.Err, result.Version())
	}
}

// A version that a route has by its handlers, and does not by an option, has no
// handler to run.
func TestHandlersAndOptions(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2", "v3"))))
	pick, option, err := adapter.Picker(verso.Handlers[string]{"v1": "one"}, b)
	if err != nil {
		t.Fatal(err)
	}
	matched := coretest.Registered(b, verso.Since("v2"), verso.RemovedIn("v3"), option)
	for version, want := range map[string]string{"v1": "404 not_in_version", "v2": "= v2", "v3": "404 not_in_version"} {
		a := coretest.In(version)
		a.Route = matched
		result, _ := coretest.Begin(b, a.Request())
		if coretest.Outcome(b, a.Request()) != want || (result != nil) != (version == "v2") || result != nil && pick(result) != "one" {
			t.Errorf("%s: %s", version, coretest.Outcome(b, a.Request()))
		}
	}
}
