package conformance

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// shared mounts the applications of a group of cases: those with the same App.service on one
// server, until the group ends. Most time of a run would go into starting servers: there are
// thousands of cases and a few hundred services.
type shared struct {
	group   *testing.T
	mount   Mount
	servers map[string]*sharedServer // by service
}

// sharedServer calls the handlers of the application that was mounted last. Cases of one
// service differ in their handlers only, so these are exchanged between two cases.
type sharedServer struct {
	*Server
	routes atomic.Pointer[[]Route]
}

// serve is the [Mount] of the group. A case without a service text needs a server of its own,
// which it may break.
func (s *shared) serve(tb testing.TB, app App) *Server {
	tb.Helper()
	if app.service == "" {
		return s.mount(tb, app)
	}
	server, ok := s.servers[app.service]
	if !ok {
		server = new(sharedServer)
	}
	routes := app.Routes
	server.routes.Store(&routes)
	if !ok {
		app.Routes = server.forwarding(routes)
		server.Server = s.mount(lasting{tb, s.group}, app)
		s.servers[app.service] = server
	}
	return &Server{Address: server.Address, Close: func() error { return nil }, Handler: server.Handler}
}

// forwarding returns the routes with handlers that call those of the last application. A route
// without a handler for a version must stay one: it is a removal.
func (s *sharedServer) forwarding(routes []Route) []Route {
	all := make([]Route, len(routes))
	for i, route := range routes {
		all[i] = route
		all[i].Handle = func(call Call) Response { return (*s.routes.Load())[i].Handle(call) }
		if route.Handlers != nil {
			all[i].Handlers = make(map[string]func(Call) Response, len(route.Handlers))
		}
		for version, handle := range route.Handlers {
			if all[i].Handlers[version] = nil; handle != nil {
				all[i].Handlers[version] = func(call Call) Response { return (*s.routes.Load())[i].Handlers[version](call) }
			}
		}
	}
	return all
}

// end closes the servers, all at once, since some frameworks take their time.
func (s *shared) end() error {
	errs := make(chan error)
	for _, server := range s.servers {
		go func() { errs <- server.stop() }()
	}
	var wrong error
	for range s.servers {
		if err := <-errs; err != nil {
			wrong = fmt.Errorf("one of %d servers of the group: %w", len(s.servers), err)
		}
	}
	clear(s.servers)
	return wrong
}

// lasting is the test of a case, for a server that outlives it. What a mount cleans up has to
// last as long as its server.
type lasting struct {
	testing.TB
	group *testing.T
}

// These three are what testing ties to the end of a test.
func (l lasting) Cleanup(f func())         { l.group.Cleanup(f) }
func (l lasting) Context() context.Context { return l.group.Context() }
func (l lasting) TempDir() string          { return l.group.TempDir() }
