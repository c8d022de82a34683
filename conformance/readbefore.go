package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
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
			target, body := "/read?"+test.sent, ""
			if form {
				target, body = "/read", test.sent
			}
			status, got, err := sendForm(route.Method, server.Address+target, test.version, body)
			switch {
			case err != nil:
				wrong = append(wrong, err)
			case isRead.Load() && (test.version == "v2" || status != http.StatusInternalServerError):
				wrong.unless(got == test.want,
					"%s /read %s with %q, after a middleware has read it: %d %q instead of %q, or of status 500",
					route.Method, test.version, test.sent, status, got, test.want)
			}
		}
		return errors.Join(append(wrong, server.stop())...)
	}
}

// sendForm sends a request, with a form if it has a body.
func sendForm(method, address, version, body string) (status int, text string, err error) {
	r, err := http.NewRequestWithContext(context.Background(), method, "http://"+address, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Api-Version", version)
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return sendHTTP(r)
}

// sendHTTP sends a request by a connection of its own.
func sendHTTP(r *http.Request) (status int, text string, err error) {
	r.Close = true
	response, err := (&http.Client{Timeout: waitTimeout()}).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	all, err := io.ReadAll(response.Body)
	return response.StatusCode, string(all), err
}
