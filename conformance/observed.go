package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// observation is a request, and what Config.Observe is told of it: the version that is asked for
// and its state, the outcome and the version that answers. Metrics and the usage page depend on
// these calls. A call too many, or one with the path in the place of the pattern, fills a database
// with rows of single requests.
type observation struct{ name, ask string }

// All have 17 as their path parameter, by which a leaked path is found.
var observations = []observation{
	{"served", "GET /v1/users/17: listed v1 supported served v1"},
	{"head", "HEAD /v1/users/17: listed v1 supported served v1"},
	{"options", "OPTIONS /v1/users/17: listed v1 supported served v1"},
	{"handlers", "GET /v1/handlers/17: listed v1 supported served v1"},
	{"panics", "GET /v2/panic/17: listed v2 supported served v2"},
	{"fails", "GET /v2/failing/17: listed v2 supported served v2"},
	{"rejected", "GET /v9/users/17: unlisted invalid_url_path_version"},
	{"rejected-head", "HEAD /v9/users/17: unlisted invalid_url_path_version"},
	{"failed", "GET /v1/users/17?fault=error: none failed"},
	{"not-in-version", "GET /v1/late/17: listed v1 supported not_in_version"},
	{"neutral", "GET /v1/health/17"},
	{"unmatched", "GET /v1/nowhere/17"},
	{"kept", "GET /v1/kept/17 kept: listed v1 supported served v1 exempt"},
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
	asked := parseAsking(o.ask)
	got, err := asked.request.send(server.Address)
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
	return errors.Join(append(wrong, err, asked.judge(told))...)
}

// judge returns an error for wrong calls of Observe.
func (a *asking) judge(told []verso.Observation) error {
	switch {
	case a.want == "" && len(told) == 0:
		return nil
	case a.want == "" || len(told) != 1:
		return fmt.Errorf("%s: Observe is called %d times: %+v", a.name, len(told), told)
	}
	o := told[0]
	// Each framework writes patterns in its own way, so only the necessary parts are compared.
	if o.Route == "" || strings.Contains(o.Route, "17") ||
		!strings.Contains(o.Route, strings.Split(a.request.Target, "/")[2]) {
		return fmt.Errorf("%s: the route is %q, want the pattern", a.name, o.Route)
	}
	got := fmt.Sprint(o.Requested, " ", o.Version.String(), " ", o.State, " ", o.Outcome, " ", o.Served.String())
	if o.Exempt {
		got += " exempt"
	}
	if got = strings.Join(strings.Fields(got), " "); got != a.want || o.Method != a.request.Method || o.Client != "" {
		return fmt.Errorf("%s: Observe is called with %+v, %q instead of %q", a.name, o, got, a.want)
	}
	return nil
}
