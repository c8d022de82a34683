package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// observation is a request, and the expected call of Config.Observe. Metrics and the usage page
// depend on these calls. A call too many, or one with the path in the place of the pattern,
// fills a database with rows of single requests.
type observation struct {
	name, method, target string
	want                 *verso.Observation // nil: no call
	header               string             // of the request, or ""
}

// All have 17 as their path parameter, by which a leaked path is found.
var observations = []observation{
	{"served", http.MethodGet, "/v1/users/17", answeredIn("v1"), ""},
	{"head", http.MethodHead, "/v1/users/17", answeredIn("v1"), ""},
	{"options", http.MethodOptions, "/v1/users/17", answeredIn("v1"), ""},
	{"handlers", http.MethodGet, "/v1/handlers/17", answeredIn("v1"), ""},
	{"panics", http.MethodGet, "/v2/panic/17", answeredIn("v2"), ""},
	{"fails", http.MethodGet, "/v2/failing/17", answeredIn("v2"), ""},
	{"rejected", http.MethodGet, "/v9/users/17", &verso.Observation{Requested: verso.RequestedUnlisted,
		Outcome: string(source.InvalidURLPathVersion)}, ""},
	{"rejected-head", http.MethodHead, "/v9/users/17",
		&verso.Observation{Requested: verso.RequestedUnlisted, Outcome: string(source.InvalidURLPathVersion)}, ""},
	{"failed", http.MethodGet, "/v1/users/17?fault=error",
		&verso.Observation{Requested: verso.RequestedNone, Outcome: verso.OutcomeFailed}, ""},
	{"not-in-version", http.MethodGet, "/v1/late/17", &verso.Observation{
		Version: verso.V("v1"), Requested: verso.RequestedListed, State: catalogue.Supported,
		Outcome: string(verso.NotInVersion),
	}, ""},
	{"neutral", http.MethodGet, "/v1/health/17", nil, ""},
	{"unmatched", http.MethodGet, "/v1/nowhere/17", nil, ""},
	{"kept", http.MethodGet, "/v1/kept/17", kept(answeredIn("v1")), keepServed},
}

const keepServed = "X-Internal"

// It changes its argument, which each caller has just made.
func kept(u *verso.Observation) *verso.Observation {
	u.Exempt = true
	return u
}

// answeredIn has all fields that do not depend on the framework.
func answeredIn(version string) *verso.Observation {
	return &verso.Observation{
		Version: verso.V(version), Served: verso.V(version), Requested: verso.RequestedListed,
		State: catalogue.Supported, Outcome: verso.OutcomeServed,
	}
}

// observeChecks check that Config.Observe is called for each request that was decided:
// once, after the handler has returned or panicked, with the route pattern instead of
// the path, and with the request's context.
func observeChecks() (checks []check) {
	for _, o := range observations {
		checks = append(checks, check{o.name, o.check})
	}
	return checks
}

// check builds an application for each observation, since a call that comes late would be taken
// for the next one.
func (o *observation) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	var mu sync.Mutex
	// A server may call Observe in a goroutine of its own.
	var told []verso.Observation
	var wrong complaints
	var handled context.Context // of the handler, after it was called
	config := verso.Config{AllowedVersions: []string{"v1", "v2"},
		Observe: func(ctx context.Context, u verso.Observation) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, u)
			wrong.unless(handled != nil || u.Outcome != verso.OutcomeServed,
				"Observe is called before the handler has returned")
			wrong.unless(handled == nil || handled.Done() == nil ||
				ctx.Done() != nil, "the context of Observe is not that of the request: nothing cancels it")
		}}
	api := verso.MustNew(faultySource{verso.PathParam(scheme.DefaultParam)}, config)
	add := func(method, pattern string, options ...verso.RouteOption) Route {
		r := newRoute("", "", pattern, func(call Call) Response {
			mu.Lock()
			defer mu.Unlock()
			handled = call.Context
			switch err := errors.New(secret); o.name {
			case "panics":
				panic(err)
			case "fails":
				return Response{Err: err}
			}
			return Response{}
		})
		r.Method, r.Options = method, options
		return r
	}
	own, chain := add(http.MethodGet, "/{version}/kept/{id}"), add(http.MethodGet, "/{version}/handlers/{id}")
	// An exemption is asked for where the adapter checks, so this route is tried with each way of
	// checking.
	own.checked = true
	chain.Handlers, chain.Handle, chain.Group = map[string]func(Call) Response{"v1": chain.Handle}, nil,
		&Group{AfterCheck: ran("y")}
	server := start(tb, mount, App{API: api, ExemptFromSunset: keepServed, Routes: []Route{
		own, chain,
		add(http.MethodGet, "/{version}/users/{id}"),
		add(http.MethodHead, "/{version}/users/{id}"),
		add(http.MethodOptions, "/{version}/users/{id}"),
		add(http.MethodGet, "/{version}/panic/{id}"),
		add(http.MethodGet, "/{version}/failing/{id}"),
		add(http.MethodGet, "/{version}/late/{id}", verso.Since("v2")),
		add(http.MethodGet, "/{version}/health/{id}", verso.Neutral()),
	}})
	r := get(o.target, "")
	r.Method = o.method
	if o.header != "" {
		r.Headers[o.header] = []string{"1"}
	}
	got, err := r.send(server.Address)
	// Frameworks without a recover middleware let net/http break the connection.
	switch fails := o.name == "panics" || o.name == "fails"; {
	case fails && err == nil:
		wrong.unless(got.status >= http.StatusInternalServerError, "the handler %s, and the status is %d", o.name,
			got.status)
	case !fails && err != nil: // a panic may break the connection
		return errors.Join(err, server.close())
	}
	err = server.close()
	mu.Lock()
	defer mu.Unlock()
	return errors.Join(append(wrong, err, o.judge(told))...)
}

// judge returns an error for wrong calls of Observe.
func (o *observation) judge(told []verso.Observation) error {
	switch {
	case o.want == nil && len(told) == 0:
		return nil
	case o.want == nil || len(told) != 1:
		return fmt.Errorf("%s %s: Observe is called %d times: %+v", o.method, o.target, len(told), told)
	}
	got := told[0]
	pattern := got.Route
	// Each framework writes patterns in its own way, so only the necessary parts are compared.
	if pattern == "" || strings.Contains(pattern, "17") || !strings.Contains(pattern, strings.Split(o.target, "/")[2]) {
		return fmt.Errorf("%s %s: the route is %q, want the pattern", o.method, o.target, pattern)
	}
	want := *o.want
	want.Method = o.method
	got.Time, got.Route, got.Source = time.Time{}, "", ""
	if got != want {
		return fmt.Errorf("%s %s: Observe is called with %+v, want %+v (without Time, Route and Source)", o.method,
			o.target, got, want)
	}
	return nil
}
