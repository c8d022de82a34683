package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
)

const (
	clients           = 64 // of Concurrent, at once
	requestsPerClient = 16
)

// Concurrent sends 1024 requests from 64 clients at once, in each scheme in
// a subtest: for several versions, for none, and for one that is not served,
// from clients of three languages. The handlers build a link, and wait for each
// other, so that several requests are always under way. Each answer must be the
// one to its own request: the version, the link, the language of the refusal.
// No goroutine may stay behind when the server is closed.
//
// It counts goroutines, so it does not run beside other tests (t.Parallel). Run
// it under the race detector too.
func Concurrent(t *testing.T, mount Mount) {
	t.Helper()
	for _, c := range crowds() {
		t.Run(c.scheme, func(t *testing.T) {
			if err := c.check(t, mount); err != nil {
				t.Error(err)
			}
		})
	}
}

// crowd are the requests of one scheme.
type crowd struct {
	scheme  string
	routes  []Route // without Handle
	wishes  []wish
	refused verso.MessageID
}

// wish is a request for a version, and its answer. In the texts, * stands for
// what no other request has.
type wish struct {
	url    string
	accept string
	answer string // of the handler: the version and the link; "" for a refusal
}

func crowds() []crowd {
	users := func(namespace, prefix string) Route {
		return Route{Method: http.MethodGet, Namespace: namespace, Name: "user", Pattern: prefix + "/users/{id}"}
	}
	plain, versioned := users("", ""), users("", "/{version}")
	return []crowd{
		{"accept_header", []Route{plain}, []wish{
			{"http://api.example.com/users/*", "application/json; version=v1", "v1 http://api.example.com/users/*"},
			{"http://api.example.com/users/*", "application/json; version=v2", "v2 http://api.example.com/users/*"},
			{"http://api.example.com/users/*", "text/html; version=v3, */*; q=0.5", "v3 http://api.example.com/users/*"},
			{"http://api.example.com/users/*", "application/json; version=v9", ""},
			{"http://api.example.com/users/*", "application/json", ""},
		}, verso.InvalidAcceptHeaderVersion},
		{"url_path", []Route{plain, versioned}, []wish{
			{"http://api.example.com/v1/users/*", "", "v1 http://api.example.com/v1/users/*"},
			{"http://api.example.com/v2/users/*", "", "v2 http://api.example.com/v2/users/*"},
			{"http://api.example.com/v3/users/*", "", "v3 http://api.example.com/v3/users/*"},
			{"http://api.example.com/v9/users/*", "", ""},
			{"http://api.example.com/users/*", "", ""},
		}, verso.InvalidURLPathVersion},
		{"namespace", []Route{plain, users("v1", "/v1"), users("v2", "/v2"), users("api:v3", "/v3"), users("v9", "/v9")}, []wish{
			{"http://api.example.com/v1/users/*", "", "v1 http://api.example.com/v1/users/*"},
			{"http://api.example.com/v2/users/*", "", "v2 http://api.example.com/v2/users/*"},
			{"http://api.example.com/v3/users/*", "", "v3 http://api.example.com/users/*"}, // v3:user is no route
			{"http://api.example.com/v9/users/*", "", ""},
			{"http://api.example.com/users/*", "", " http://api.example.com/users/*"},
		}, verso.InvalidNamespaceVersion},
		{"hostname", []Route{plain}, []wish{
			{"http://v1.example.com/users/*", "", "v1 http://v1.example.com/users/*"},
			{"http://v2.example.com/users/*", "", "v2 http://v2.example.com/users/*"},
			{"http://v3.example.com:8080/users/*", "", "v3 http://v3.example.com:8080/users/*"},
			{"http://v9.example.com/users/*", "", ""},
			{"http://localhost/users/*", "", " http://localhost/users/*"},
		}, verso.InvalidHostNameVersion},
		{"query_parameter", []Route{plain}, []wish{
			{"http://api.example.com/users/*?version=v1", "", "v1 http://api.example.com/users/*?version=v1"},
			{"http://api.example.com/users/*?version=v2", "", "v2 http://api.example.com/users/*?version=v2"},
			{"http://api.example.com/users/*?version=v3", "", "v3 http://api.example.com/users/*?version=v3"},
			{"http://api.example.com/users/*?version=v9", "", ""},
			{"http://api.example.com/users/*", "", ""},
		}, verso.InvalidQueryParameterVersion},
	}
}

func (c crowd) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	scheme, err := settings{AllowedVersions: []verso.Version{verso.V("v1"), verso.V("v2"), verso.V("v3")}}.newScheme(c.scheme)
	if err != nil {
		return err
	}
	meet := make(encounter)
	app := App{Scheme: scheme, Routes: c.routes, Translator: translator{"en", "de", "fr"}}
	for i := range app.Routes {
		app.Routes[i].Handle = func(w http.ResponseWriter, r *http.Request, call Call) {
			meet.another()
			link, err := call.Reverse(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": path.Base(r.URL.Path)}})
			if err != nil {
				link = "error: " + err.Error()
			}
			_, _ = fmt.Fprintf(w, "%s %s", call.Version, link)
		}
	}
	server, err := serve(mount(tb, app))
	if err != nil {
		return err
	}
	failures := make([]error, clients)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for i := range requestsPerClient {
				unique := strconv.Itoa(client*requestsPerClient + i)
				language := []string{"en", "de", "fr"}[(client+i)%3]
				if failures[client] = c.send(tb.Context(), server, c.wishes[(3*client+i)%len(c.wishes)], unique, language); failures[client] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	failed := slices.DeleteFunc(failures, func(err error) bool { return err == nil })
	if len(failed) > 0 {
		err = fmt.Errorf("%d of %d clients failed, the first one with: %w", len(failed), clients, failed[0])
	}
	return errors.Join(err, server.close())
}

// send sends one request and returns what is wrong with the answer.
func (c crowd) send(ctx context.Context, server *server, w wish, unique, language string) error {
	own := strings.NewReplacer("*", unique)
	header := map[string]string{"Accept-Language": language}
	if w.accept != "" {
		header["Accept"] = w.accept
	}
	url := own.Replace(w.url)
	got, err := server.get(ctx, url, header)
	if err != nil {
		return err
	}
	if w.answer != "" {
		err = judgeAnswer(got, own.Replace(w.answer))
	} else {
		err = judgeRefusal(got, c.refused, "["+language+"] ", language)
	}
	if err != nil {
		return fmt.Errorf("GET %s with %v: %w", url, header, err)
	}
	return nil
}

// judgeAnswer returns what is wrong with what a handler answered.
func judgeAnswer(got *response, want string) error {
	if got.status != http.StatusOK || string(got.body) != want || got.header.Get("Content-Language") != "" {
		return fmt.Errorf("answer is status %d, %.200q, Content-Language %q, instead of %q",
			got.status, got.body, got.header.Get("Content-Language"), want)
	}
	return nil
}

// judgeRefusal returns what is wrong with a refusal, whose English text stands
// behind the given mark. Without a language, it has no Content-Language.
func judgeRefusal(got *response, id verso.MessageID, mark, language string) error {
	status := http.StatusNotFound
	if id == verso.InvalidAcceptHeaderVersion {
		status = http.StatusNotAcceptable
	}
	var problem verso.Problem
	if err := json.Unmarshal(got.body, &problem); err != nil {
		return fmt.Errorf("instead of a refusal, status %d, %.200q", got.status, got.body)
	}
	lines, named := got.header["Content-Language"]
	if got.status != status || problem.Code != id || problem.Detail != mark+verso.EnglishMessages()[id] ||
		named != (language != "") || strings.Join(lines, "\n") != language {
		return fmt.Errorf("refusal is status %d, code %q, detail %q, Content-Language %q, instead of %d, %q, in %q",
			got.status, problem.Code, problem.Detail, lines, status, id, language)
	}
	return nil
}

// encounter lets handlers wait for each other.
type encounter chan struct{}

// another returns when another handler calls it too, so that the versions of
// both are determined, or after a moment: the last one is alone.
func (e encounter) another() {
	select {
	case e <- struct{}{}:
	case <-e:
	case <-time.After(20 * time.Millisecond):
	}
}
