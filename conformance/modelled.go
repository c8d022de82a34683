package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/goverso/verso/conformance/internal/model"
	verso "github.com/goverso/verso/core"
)

// modelled is a server of a random service.
type modelled struct {
	*model.Service
	*Server

	runs atomic.Int64 // of handlers
}

// mountModel builds a service, nil when its configuration contradicts itself.
func mountModel(tb testing.TB, s *model.Service, mount Mount) (server *modelled) {
	tb.Helper()
	api, err := s.API()
	if err != nil {
		return nil
	}
	app := App{API: api, NotFound: s.Strict}
	if s.Kept {
		app.ExemptFromSunset = "X-Kept"
	}
	if s.Other {
		app.Other = otherAPI()
		app.After = []Middleware{func(step Step) int {
			_ = step.SetTestVersion(verso.V("a"))
			return 0
		}}
	}
	server = &modelled{Service: s}
	guarded := &Group{Middleware: ran("before"), AfterCheck: ran("after")}
	for _, r := range s.Routes {
		app.Routes = append(app.Routes, server.route(r, guarded))
	}
	// A Finding is how an adapter refuses a route. Any other panic is a failure, and without the
	// service it could not be repeated.
	defer func() {
		panicked := recover()
		err, _ := panicked.(error)
		if panicked == nil {
			return
		}
		if server = nil; !errors.As(err, new(*verso.Finding)) {
			panic(fmt.Sprintf("%v\n%s", panicked, s))
		}
	}()
	server.Server = mount(tb, app)
	return server
}

// route returns a route of the model as a mount registers it.
func (s *modelled) route(r *model.Route, guarded *Group) Route {
	route := Route{Method: r.Method, Pattern: r.Pattern, Namespace: r.Namespace, Name: r.Name, Options: r.Options,
		Outside: r.Outside, EachVersion: r.EachVersion, Handle: s.handler(r, model.Only)}
	if !r.Outside {
		route.Group = guarded
	}
	for version, from := range s.Handlers(r) {
		if route.Handlers == nil {
			route.Handlers = make(map[string]func(Call) Response)
		}
		if route.Handlers[version] = nil; from != model.Removed {
			route.Handlers[version] = s.handler(r, from)
		}
	}
	return route
}

// handler is a handler of a route: from a version on, or the only one. It reports in its response
// what it saw, and also makes a link to some other route: the links of a version must work in the
// middle of any traffic.
func (s *modelled) handler(r *model.Route, from int) func(Call) Response {
	return func(call Call) Response {
		run := int(s.runs.Add(1))
		version := "none"
		if !call.Version.IsNone() {
			version = strconv.QuoteToASCII(call.Version.String())
		}
		return Response{Set: http.Header{seenVersion: {version}, seenHandler: {r.Handler(from)},
			seenReason: {s.WrongLink(r, run, call.Link)}}}
	}
}
