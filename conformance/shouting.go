package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Shouting is the [verso.Rewriter] of the suite: it writes bodies of v1 in upper case,
// renames the parameter "old" of queries and forms to "new", changes the value "same" of another one,
// refuses requests with a field X-Refuse, cannot rewrite a body beginning with "cannot" or compressed by
// gzip, and panics at a body beginning with "panic". It changes the case of letters, where a real rewriter changes JSON, so
// that the suite needs no module but core. The zero Shouting is ready to use.
type Shouting struct {
	bytes            atomic.Int64 // of bodies that it was given
	begun, recovered atomic.Int32
	isDefault        bool
}

// refusal is the error of a refused request. A rewriter may refuse a request with an error of
// its own, which frameworks answer by its StatusCode.
type refusal struct{}

// The three methods are what an adapter may ask of such an error.
func (refusal) Error() string   { return "refused" }
func (refusal) StatusCode() int { return http.StatusConflict }
func (refusal) Problem() verso.Problem {
	return verso.Problem{Type: "about:blank", Title: "Conflict", Status: http.StatusConflict, Detail: "refused",
		Code: "conflict"}
}

// refused returns a nil error, and not a nil value of a type, if the request is fine.
func refused(isRefused bool) error {
	if isRefused {
		return refusal{}
	}
	return nil
}

// shout is the whole rewriting, for a buffer and for a stream.
func shout(body string) (string, error) {
	switch {
	case strings.HasPrefix(body, "cannot"), strings.HasPrefix(body, "\x1f\x8b"): // compressed
		return "", errors.New(secret)
	case strings.HasPrefix(body, "panic"):
		panic(errors.New(secret))
	}
	return strings.ToUpper(body), nil
}

// renamed is an example of all changes of a request: a handler that sees the old name was not
// behind the rewriter.
func renamed(query string) string {
	return strings.NewReplacer("old=", "new=", "stays=same", "stays=other").Replace(query)
}

// formType is the media type of a form.
const formType = "application/x-www-form-urlencoded"

// LowerQuery is the way back, for links in v1: "new" is "old".
func (*Shouting) LowerQuery(v verso.Version, query url.Values) url.Values {
	if !v.Is("v1") {
		return query
	}
	return url.Values{"old": query["new"]}
}

// IsDefault implements [verso.DefaultRewriter].
func (s *Shouting) IsDefault() bool { return s.isDefault }

// Review has nothing to find: findings of rewriters are tested in migrate.
func (s *Shouting) Review(*verso.Versioning) []verso.Finding { return nil }

// Begin copies the header and the URL before it changes them, as the interface asks: middleware
// outside sees the same request.
func (s *Shouting) Begin(v verso.Version, w http.ResponseWriter, r *http.Request) (verso.Rewriting, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	s.begun.Add(1)
	sent := r.Header
	r.Header = sent.Clone()
	r.Header.Set(rewritingField, "yes")
	r.Header.Set("If-None-Match", `"changed"`)
	r.Header.Del("Range")
	restore := func() { r.Header = sent }
	changed := *r.URL
	changed.RawQuery = renamed(changed.RawQuery)
	r.URL, r.Form = &changed, nil
	if r.Header.Get("Content-Type") == formType {
		form, _ := io.ReadAll(r.Body) // each case has a readable body
		if r.PostForm != nil {        // a middleware has read it
			form = []byte(r.PostForm.Encode())
		}
		lifted := renamed(string(form))
		r.Body, r.ContentLength, r.PostForm = io.NopCloser(strings.NewReader(lifted)), int64(len(lifted)), nil
	}
	return &shouted{ResponseWriter: w, of: s, restore: restore}, refused(sent.Get(refuseField) != "")
}

// BeginBuffered is for frameworks that hold whole messages, such as Fiber on fasthttp.
func (s *Shouting) BeginBuffered(v verso.Version, _ string,
	request verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	line := func(field string) string { return string(bytes.Join(request.PeekAll(field), nil)) }
	tags, ranges := line("If-None-Match"), line("Range")
	request.Set(rewritingField, "yes")
	request.Set("If-None-Match", `"changed"`)
	request.Del("Range")
	request.SetQueryString(renamed(string(request.QueryString())))
	if line("Content-Type") == formType {
		request.SetBody([]byte(renamed(string(request.Body()))))
	}
	return func(status int, response verso.ResponseMessage) error {
		request.Del(rewritingField)
		request.Set("If-None-Match", tags)
		request.Set("Range", ranges)
		if response.IsBodyStream() {
			return errors.New("a stream cannot be shouted")
		}
		s.bytes.Add(int64(len(response.Body())))
		body, err := shout(string(response.Body()))
		if err == nil {
			response.Set(rewrittenField, fmt.Sprintf("rewritten@%d", status))
			response.SetBody([]byte(body))
		}
		return err
	}, refused(line(refuseField) != "")
}

// shouted holds a response until the handler flushes it or has returned.
type shouted struct {
	http.ResponseWriter
	of      *Shouting
	restore func() // gives the request its own fields back
	status  int
	held    strings.Builder
	sent    bool
}

// Unwrap gives [http.ResponseController] the way to deadlines and hijacking.
func (s *shouted) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// WriteHeader holds the status as well: a body that cannot be rewritten becomes a 500.
func (s *shouted) WriteHeader(status int) {
	if s.status == 0 {
		s.status = status
	}
}

// Write counts what it gets, by which a second copy is found.
func (s *shouted) Write(body []byte) (int, error) {
	s.of.bytes.Add(int64(len(body)))
	s.WriteHeader(http.StatusOK)
	return s.held.Write(body)
}

// FlushError is for [http.ResponseController]. It marks the place with a slash.
func (s *shouted) FlushError() error {
	_, _ = s.held.WriteString("/")
	s.WriteHeader(http.StatusOK)
	return errors.Join(s.send(), http.NewResponseController(s.ResponseWriter).Flush())
}

// Finish gives the request back first, since sending may fail.
func (s *shouted) Finish() error {
	s.restore()
	return s.send()
}

// Nothing is sent before the text is rewritten, so that a failure can still be status 500.
func (s *shouted) send() error {
	body, err := shout(s.held.String())
	s.held.Reset()
	if err != nil {
		s.status = 0
		return err
	}
	if s.status != 0 && !s.sent {
		s.sent = true
		s.Header().Set(rewrittenField, fmt.Sprintf("rewritten@%d", s.status))
		s.ResponseWriter.WriteHeader(s.status)
	}
	if body != "" {
		_, err = io.WriteString(s.ResponseWriter, body)
	}
	return err
}

// Recover repeats the panic, which middleware outside has to see.
func (s *shouted) Recover(restart func()) {
	cause := recover()
	if cause == nil {
		return
	}
	s.restore()
	s.of.recovered.Add(1)
	s.held.Reset()
	if !s.sent {
		s.status = 0
		restart()
	}
	panic(cause)
}

// rewriting mounts an application whose routes have a rewriter. Observe is set, since adapters
// defer its call, and the order of deferred calls matters for a panic.
func rewriting(tb testing.TB, mount Mount, app App, routes ...Route) (*Server, *Shouting) {
	tb.Helper()
	rewriter, config := new(Shouting), serving("v1", "v2")
	config.Observe = func(context.Context, verso.Observation) {}
	app.API, app.Routes = verso.MustNew(inHeader, config), inGroup(&Group{Rewriter: rewriter}, routes...)
	return mount(tb, app), rewriter
}
