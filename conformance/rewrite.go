package conformance

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// rewriteChecks send requests to routes whose bodies are rewritten for v1: see
// [Route.Rewriter].
func rewriteChecks() (checks []check) {
	for _, r := range rewrites {
		checks = append(checks, check{r.name, r.check})
	}
	return checks
}

// rewriteCheck is a request to a route that rewrites.
type rewriteCheck struct {
	name, target, version string
	refuse                bool
	status                int    // 0 for any, or none
	body                  string // "" for any
}

var rewrites = []rewriteCheck{
	{"newest", "/said", "v2", false, 200, "said with é"},
	{"older", "/said", "v1", false, 200, "SAID WITH É"},
	{"status", "/missing", "v1", false, 404, "MISSING"},
	{"empty", "/nothing", "v1", false, 204, ""},
	{"refused", "/said", "v1", true, 409, ""},
	{"refused-by-nobody", "/said", "v2", true, 200, "said with é"},
	{"fails", "/cannot", "v1", false, 500, ""},
	{"cannot-fail", "/cannot", "v2", false, 200, "cannot: " + secret},
	{"panics", "/panics", "v1", false, 0, ""},
}

func (r rewriteCheck) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	var called atomic.Int32
	rewriter := new(shouting)
	say := func(status int, body string) func(Call) Response {
		return func(Call) Response {
			called.Add(1)
			return Response{Status: status, Body: body}
		}
	}
	app := App{API: verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})}
	for _, route := range []Route{
		newRoute("", "said", "/said", say(200, "said with é")), newRoute("", "missing", "/missing", say(404, "missing")),
		newRoute("", "nothing", "/nothing", say(204, "")), newRoute("", "cannot", "/cannot", say(200, "cannot: "+secret)),
		newRoute("", "panics", "/panics", func(Call) Response { called.Add(1); panic(errors.New(secret)) }),
	} {
		route.Rewriter = rewriter
		app.Routes = append(app.Routes, route)
	}
	server := start(tb, mount, app)
	sent := get(r.target, "")
	sent.Headers["Api-Version"] = []string{r.version}
	if r.refuse {
		sent.Headers["X-Refuse"] = []string{"yes"}
	}
	var wrong complaints
	for range 2 { // nothing stays of the first
		got, err := sent.send(server.Address)
		if r.status == 0 {
			continue
		}
		if err != nil {
			wrong.unless(false, "%w", err)
			break
		}
		wrong.unless(got.status == r.status, "status is %d instead of %d", got.status, r.status)
		wrong.unless(r.body == "" || string(got.body) == r.body, "body is %q instead of %q", got.body, r.body)
		wrong.unless(r.status != http.StatusInternalServerError || !strings.Contains(strings.ToLower(string(got.body)), secret), "the client sees what cannot be rewritten")
	}
	wrong.unless(rewriter.told.Load() == int32(r.status) || r.version == "v2" || r.body == "" && r.status != http.StatusNoContent, "the rewriter is told the status %d instead of %d", rewriter.told.Load(), r.status)
	wrong.unless(r.status != 0 || rewriter.dropped.Load() == rewriter.begun.Load(), "Drop sees %d of %d panics: it has to be deferred", rewriter.dropped.Load(), rewriter.begun.Load())
	wrong.unless((called.Load() == 0) == (r.status == http.StatusConflict), "the handler was called %d times", called.Load())
	return errors.Join(append(wrong, server.close())...)
}

// shouting is a [verso.Rewriter] that writes bodies of v1 in upper case, refuses
// requests with a field X-Refuse, and cannot rewrite a body that begins with "cannot".
type shouting struct {
	told           atomic.Int32 // the latest status
	begun, dropped atomic.Int32
}

// refusal is the error of a refused request.
type refusal struct{}

func (refusal) Error() string   { return "refused" }
func (refusal) StatusCode() int { return http.StatusConflict }
func (refusal) Problem() verso.Problem {
	return verso.Problem{Type: "about:blank", Title: "Conflict", Status: http.StatusConflict, Detail: "refused", Code: "conflict"}
}

func refused(isRefused bool) error {
	if isRefused {
		return refusal{}
	}
	return nil
}

func shout(body []byte) ([]byte, error) {
	if bytes.HasPrefix(body, []byte("cannot")) {
		return nil, errors.New(secret)
	}
	return bytes.ToUpper(body), nil
}

func (s *shouting) Begin(v verso.Version, w http.ResponseWriter, r *http.Request) (verso.Rewriting, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	s.begun.Add(1)
	return &shouted{ResponseWriter: w, of: s}, refused(r.Header.Get("X-Refuse") != "")
}

func (s *shouting) BeginBuffered(v verso.Version, _ string, request verso.Message) (func(int, verso.Message) error, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	return func(status int, response verso.Message) error {
		s.told.Store(int32(status))
		body, err := shout(response.Body())
		if err == nil {
			response.SetBody(body)
		}
		return err
	}, refused(len(request.Peek("X-Refuse")) > 0)
}

type shouted struct {
	http.ResponseWriter
	of     *shouting
	status int
	body   []byte
}

func (s *shouted) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *shouted) WriteHeader(status int) {
	if s.status == 0 {
		s.status = status
		s.of.told.Store(int32(status))
	}
}

func (s *shouted) Write(body []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	s.body = append(s.body, body...)
	return len(body), nil
}

func (s *shouted) Finish() error {
	body, err := shout(s.body)
	if s.body = nil; err != nil {
		s.status = 0
		return err
	}
	if s.status != 0 {
		s.ResponseWriter.WriteHeader(s.status)
	}
	if len(body) > 0 {
		_, err = s.ResponseWriter.Write(body)
	}
	return err
}

func (s *shouted) Recover(restart func()) {
	if cause := recover(); cause != nil {
		s.of.dropped.Add(1)
		s.status, s.body = 0, nil
		restart()
		panic(cause)
	}
}
