package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// mistakes are invalid routes of an API that serves v1 and v2.
var mistakes = []struct {
	name     string
	options  []verso.RouteOption
	handlers map[string]func(Call) Response
}{
	{"unknown-version", []verso.RouteOption{verso.Since("v9")}, nil},
	{"neutral-and-versioned", []verso.RouteOption{verso.Neutral(), verso.Since("v1")}, nil},
	{"in-no-version", []verso.RouteOption{verso.Since("v2"), verso.RemovedIn("v2")}, nil},
	{"choice-of-nothing", nil, map[string]func(Call) Response{}},
	{"choice-of-unknown-version", nil, map[string]func(Call) Response{"v9": answerNothing}},
	{"choice-without-a-version", nil, map[string]func(Call) Response{"": answerNothing, "v1": answerNothing}},
	{"removed-before-its-first", nil, map[string]func(Call) Response{"v1": nil, "v2": answerNothing}},
}

func answerNothing(Call) Response { return Response{} }

// mistakeChecks check that the registration of such a route panics with the finding of
// core.
func mistakeChecks() (checks []check) {
	for _, m := range mistakes {
		checks = append(checks, check{"mistakes/" + m.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
			return registering(tb, mount, App{API: api, Routes: []Route{{
				Method: http.MethodGet, Pattern: "/{version}/mistaken", Options: m.options, Handlers: m.handlers, Handle: answerNothing,
			}}})
		}})
	}
	return checks
}

// registering mounts an application, and returns an error unless that fails as it
// should.
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
