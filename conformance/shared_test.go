package conformance

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

// TestShared mounts applications as the cases of a group do.
func TestShared(t *testing.T) {
	var mounted []App
	var closed atomic.Int32 // at once
	servers := shared{t, func(tb testing.TB, app App) *Server {
		tb.Helper()
		mounted = append(mounted, app)
		return &Server{Close: func() error { closed.Add(1); return errors.New("too late") }}
	}, make(map[string]*sharedServer)}
	app := func(service, body string) App {
		handle := func(Call) Response { return Response{Body: body} }
		return App{service: service, Routes: []Route{
			{Handle: handle}, {Handlers: map[string]func(Call) Response{"v1": handle, "v2": nil}},
		}}
	}
	for i, test := range []struct {
		app  App
		want []string // what the handlers of the mounted applications respond
	}{
		{app("one", "a"), []string{"a", "a"}},
		{app("two", "b"), []string{"a", "a", "b", "b"}},
		{app("one", "c"), []string{"c", "c", "b", "b"}},
		{app("", "d"), []string{"c", "c", "b", "b", "d", "d"}},
	} {
		server := servers.serve(t, test.app)
		var got []string
		for _, a := range mounted {
			got = append(got, a.Routes[0].Handle(Call{}).Body, a.Routes[1].Handlers["v1"](Call{}).Body)
			if remove, ok := a.Routes[1].Handlers["v2"]; remove != nil || !ok {
				t.Errorf("application %d has a handler for a version without one", i)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("after application %d the handlers respond %q instead of %q", i, got, test.want)
		}
		if err := server.stop(); (err != nil) != (test.app.service == "") {
			t.Errorf("application %d: %v", i, err)
		}
	}
	if err := servers.end(); err == nil || err.Error() != "one of 2 servers of the group: closing the server: too late" || closed.Load() != 3 {
		t.Errorf("%d servers closed, error %v", closed.Load(), err)
	}
	servers.serve(t, app("one", "e"))
	if len(mounted) != 4 {
		t.Errorf("a service whose server is closed is not mounted again")
	}
}
