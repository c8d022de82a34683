package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// observation is a request, and what Config.Observe must be told of it.
type observation struct {
	name, target string
	want         *verso.Usage // nil: nothing
	header       string       // that the request has, "" for none
}

var observations = []observation{
	{"served", "/v1/users/17", answeredIn("v1"), ""},
	{"panics", "/v2/panic/17", answeredIn("v2"), ""},
	{"rejected", "/v9/users/17", &verso.Usage{Asked: verso.AskedUnlisted, Outcome: string(verso.InvalidURLPathVersion)}, ""},
	{"not-in-version", "/v1/late/17", &verso.Usage{
		Version: verso.V("v1"), Asked: verso.AskedListed, State: catalogue.Supported, Outcome: string(verso.NotInVersion),
	}, ""},
	{"neutral", "/v1/health/17", nil, ""},
	{"unmatched", "/v1/nowhere/17", nil, ""},
	{"kept", "/v1/kept/17", kept(answeredIn("v1")), keepServed},
}

const keepServed = "X-Internal"

func kept(u *verso.Usage) *verso.Usage {
	u.Kept = true
	return u
}

func answeredIn(version string) *verso.Usage {
	return &verso.Usage{
		Version: verso.V(version), Answered: verso.V(version), Asked: verso.AskedListed, State: catalogue.Supported, Outcome: verso.OutcomeServed,
	}
}

// observeChecks see that Config.Observe is told of each request on which
// something was decided: once, when the handler has returned or panicked, with the
// pattern of the route and nothing of the path.
func observeChecks() (checks []check) {
	for _, o := range observations {
		checks = append(checks, check{o.name, o.check})
	}
	return checks
}

func (o *observation) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	var mu sync.Mutex
	var told []verso.Usage
	var wrong complaints
	handled := false
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}, Observe: func(_ context.Context, u verso.Usage) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, u)
		wrong.unless(handled || u.Outcome != verso.OutcomeServed, "Observe is called before the handler has returned")
	}}))
	add := func(pattern string, panics bool, options ...verso.RouteOption) Route {
		r := newRoute("", "", pattern, func(Call) Response {
			mu.Lock()
			defer mu.Unlock()
			handled = true
			if panics {
				panic(errors.New(secret))
			}
			return Response{}
		})
		r.Options = options
		return r
	}
	own := add("/{version}/kept/{id}", false)
	own.Name = "kept" // so that the adapter registers it, and no other
	server := start(tb, mount, App{API: api, KeepServed: keepServed, Routes: []Route{
		own,
		add("/{version}/users/{id}", false),
		add("/{version}/panic/{id}", true),
		add("/{version}/late/{id}", false, verso.Since("v2")),
		add("/{version}/health/{id}", false, verso.Neutral()),
	}})
	r := get(o.target, "")
	if o.header != "" {
		r.Headers[o.header] = []string{"1"}
	}
	if _, err := r.send(server.Address); err != nil && o.name != "panics" { // which may break the connection
		return errors.Join(err, server.close())
	}
	err := server.close()
	mu.Lock()
	defer mu.Unlock()
	return errors.Join(append(wrong, err, o.judge(told))...)
}

// judge returns what is wrong with what Observe was told.
func (o *observation) judge(told []verso.Usage) error {
	switch {
	case o.want == nil && len(told) == 0:
		return nil
	case o.want == nil || len(told) != 1:
		return fmt.Errorf("GET %s: Observe is called %d times: %+v", o.target, len(told), told)
	}
	got := told[0]
	pattern := got.Route
	if pattern == "" || strings.Contains(pattern, "17") || !strings.Contains(pattern, strings.Split(o.target, "/")[2]) {
		return fmt.Errorf("GET %s: the route is %q, want the pattern", o.target, pattern)
	}
	want := *o.want
	want.Method = "GET"
	got.Time, got.Route, got.Source = time.Time{}, "", ""
	if got != want {
		return fmt.Errorf("GET %s: Observe is told %+v, want %+v", o.target, got, want)
	}
	return nil
}
