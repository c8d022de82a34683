package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

// checkReadBefore checks that a handler gets parameters in the newest form also if a middleware in
// front of the rewriting has read them, or that the request fails: a framework may keep what it
// returned.
func checkReadBefore(form bool) func(testing.TB, Mount) error {
	return func(tb testing.TB, mount Mount) error {
		tb.Helper()
		var isRead atomic.Bool // by this framework
		reads := func(s Step) int {
			read := s.Query
			if form {
				read = s.Form
			}
			if isRead.Store(read != nil); read != nil {
				_, _ = read("old"), read("stays")
			}
			return 0
		}
		route := newRoute("", "", "/read", func(call Call) Response {
			read := call.Query
			if form {
				read = call.Form
			}
			if read == nil {
				return Response{}
			}
			return Response{Body: fmt.Sprintf("old %s, new %s, stays %s", read("old"), read("new"), read("stays"))}
		})
		if form {
			route.Method = http.MethodPost
		}
		server, _ := rewriting(tb, mount, App{Before: []Middleware{reads}}, route)
		var wrong complaints
		for _, test := range []struct{ version, sent, want string }{
			{"v1", "old=7&stays=same", "OLD , NEW 7, STAYS OTHER"},
			{"v1", "stays=same", "OLD , NEW , STAYS OTHER"},
			{"v2", "old=7&stays=same", "old 7, new , stays same"},
		} {
			r := get("/read?"+test.sent, "")
			r.Method, r.Headers["Api-Version"] = route.Method, []string{test.version}
			if form {
				r.Target, r.body, r.Headers["Content-Type"] = "/read", test.sent, []string{formType}
			}
			got, err := r.send(server.Address)
			switch {
			case err != nil:
				wrong = append(wrong, err)
			case isRead.Load() && (test.version == "v2" || got.status != http.StatusInternalServerError):
				wrong.unless(string(got.body) == test.want,
					"%s /read %s with %q, after a middleware has read it: %v instead of %q, or of status 500",
					route.Method, test.version, test.sent, got, test.want)
			}
		}
		return errors.Join(append(wrong, server.stop())...)
	}
}
