package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// fault is a request that triggers a fault. The code of a service may fail in any way, and only
// its own request may suffer.
type fault struct {
	name     string // of the subtest
	target   string // chooses the fault of the handler, the source or the origin
	language string // chooses the fault of the translator; "" is English
	want     *requestWant
}

const mayFail = "/users/7?version=v1&fault="

// A name begins with whose fault it is.
var faults = []fault{
	{"handler/panics", "/panic?version=v1", "", nil},
	{"handler/panics-in-its-answer", "/torn?version=v1", "", nil},
	{"handler/returns-an-error", "/failing?version=v1", "", nil},

	{"source/panics", mayFail + "panic", "", nil},
	{"source/fails", mayFail + "error", "", nil},
	{"source/fails-without-an-error", mayFail + "nil-error", "", nil},
	{"source/returns-unknown-outcome", mayFail + "outcome", "", nil},
	{"source/returns-unknown-part", mayFail + "part", "", nil},
	{"source/returns-version-not-allowed", mayFail + "invented", "de", rejected("[de] ", "de")},
	{"source/returns-empty-version", mayFail + "empty", "de", rejected("[de] ", "de")},
	{"source/panics-in-a-link", "/users/7?version=v3", "", nil},
	{"source/fails-in-a-link", "/users/7?version=v4", "", nil},

	{"origin/panics", mayFail + "origin-panic", "", nil},
	{"origin/returns-line-break", mayFail + "origin-break", "", answered(verso.V("v1"), "/users/7?version=v1")},
	{"origin/returns-script", mayFail + "origin-script", "", answered(verso.V("v1"), "/users/7?version=v1")},

	{"translator/panics", "/users/7?version=v9", "x-panic", nil},
	{"translator/returns-nothing", "/users/7?version=v9", "x-nothing", rejected("", "")},
	{"translator/returns-no-messages", "/users/7?version=v9", "x-empty", rejected("", "en")},
	{"translator/returns-no-language", "/users/7?version=v9", "x-mute", rejected("[de] ", "")},
	{"translator/returns-line-break", "/users/7?version=v9", "x-break", rejected("[de] ", "")},
}

// answered wants a handler to answer with a link to a user.
func answered(version verso.Version, link string) *requestWant {
	return &requestWant{Version: wantVersion{version, true}, URL: link}
}

// rejected wants a rejection in the language, whose texts begin with the mark.
func rejected(mark, language string) *requestWant {
	return &requestWant{
		Status: http.StatusNotFound, Code: string(source.InvalidQueryParameterVersion), Language: language,
		Message: mark + "Invalid version in query parameter.",
	}
}

// sound are requests without a fault. They use what a fault may have damaged: a pooled object,
// a stored version, a lock.
var sound = []fault{
	{"", "/users/8", "de", answered(verso.Version{}, "http://api.example.com/users/8")},
	{"", "/users/8?version=v2", "de", answered(verso.V("v2"), "http://api.example.com/users/8?version=v2")},
	{"", "/users/8?version=v9", "de", rejected("[de] ", "de")},
	{"", "/users/8", "de", answered(verso.Version{}, "http://api.example.com/users/8")},
}

// check sends the faulty request repeatedly, followed by sound ones.
func (f fault) check(tb testing.TB, mount Mount) (err error) {
	tb.Helper()
	server := start(tb, mount, faultyApp(faultyTranslator{}))
	// Once is not enough: what is taken from a pool may be another object.
	for range 4 {
		if f.name == "handler/panics-in-its-answer" && server.Handler == nil {
			break // a panic ends the process of servers that stream in a separate goroutine
		}
		if err = f.send(server); err == nil {
			err = server.checkSound()
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, server.close())
}

// checkFields makes a handler panic inside middleware that recovers the panic and answers, or
// return an error: the response must have the fields that the adapter has set. A server other
// than net/http may break the connection of a panic instead. A cache that sees a 500 without
// Vary may give it to clients of other versions, and a client that only gets errors would never
// see the deprecation.
func checkFields(panics bool) func(testing.TB, Mount) error {
	return func(tb testing.TB, mount Mount) error {
		tb.Helper()
		app := App{
			API: Retiring(tb, func() time.Time { return Deprecated }), recovers: true,
			Routes: []Route{newRoute("", "", "/fails", func(Call) Response {
				if panics {
					panic(secret)
				}
				return Response{Err: errors.New(secret)}
			})},
		}
		server := start(tb, mount, app)
		r := get("/fails", "")
		r.Headers["Api-Version"] = []string{"v1"}
		got, err := r.send(server.Address)
		var wrong complaints
		switch {
		case err == nil:
			wrong.unless(got.status == http.StatusInternalServerError, "status is %d instead of 500", got.status)
			wrong.judgeFields(got.header, FieldsOfV1, "Api-Version")
			wrong.unless(len(wrong) == 0, "request:\n%sgot: %v", &r, got)
		case !panics || server.Handler != nil || errors.Is(err, errHangs):
			wrong.unless(false, "%w", err)
		}
		return errors.Join(append(wrong, server.close())...)
	}
}

// checkErrorLog checks that an error that a client must not see is not in the log of the process where the server has a
// log of its own, in which a service looks for it.
func checkErrorLog(tb testing.TB, mount Mount) error {
	tb.Helper()
	var logged bytes.Buffer
	before := log.Writer()
	log.SetOutput(&logged)
	server := mount(tb, faultyApp(faultyTranslator{}))
	r := get(mayFail+"error", "")
	_, err := r.send(server.Address)
	err = errors.Join(err, server.stop())
	log.SetOutput(before)
	var wrong complaints
	wrong.unless(server.Handler == nil || !strings.Contains(logged.String(), secret),
		"the log of the process instead of the server's ErrorLog has %q", &logged)
	return errors.Join(append(wrong, err)...)
}

// checkSound shows that a fault has harmed its own request only.
func (s *running) checkSound() error {
	for _, f := range sound {
		if err := f.send(s); err != nil {
			return err
		}
	}
	return nil
}

// send sends the request, and returns an error for a wrong answer.
func (f fault) send(s *running) error {
	r := requestCase{Request: get(f.target, f.language)}
	got, err := r.Request.send(s.Address)
	var wrong complaints
	switch {
	case errors.Is(err, errHangs):
		wrong = complaints{err}
	// Breaking the connection is how net/http answers a panic.
	case f.want == nil && err != nil: // a broken connection is allowed
	case f.want == nil:
		wrong.unless(got.status == http.StatusInternalServerError, "status is %d instead of 500", got.status)
		wrong.unless(!bytes.Contains(got.body, []byte(secret)), "the client sees the error")
		wrong.unless(got.header.Get(seenVersion) == "" ||
			strings.HasSuffix(f.name, "-in-a-link"), "the handler runs without a version")
	case err != nil:
		return err
	default:
		r.Want = *f.want
		wrong = r.judge(got, nil)
		// Only rejections are translated.
		if !r.Want.Version.given {
			wrong = r.judge(got, []string{"Accept-Language"})
		}
	}
	if got != nil {
		// An unescaped line break in a value would add a field to the response.
		for name, lines := range got.header {
			wrong.unless(!strings.Contains(name+strings.Join(lines, ""), "X-Evil"),
				"the header has an unexpected field: %s: %q", name, lines)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("%w\nrequest:\n%sgot: %v", err, &r.Request, got)
	}
	return nil
}

// faultyApp is an application with the faults that requests name.
func faultyApp(translator verso.Translator) App {
	api := verso.MustNew(faultySource{verso.QueryParam("version")}, verso.Config{
		AllowedVersions: []string{"v1", "v2", "v3", "v4"}, AllowUnversioned: true, Translator: translator,
		Links: verso.LinkConfig{OriginFunc: faultyOrigin},
	})
	return App{API: api, Routes: []Route{
		newRoute("", "user", "/users/{id}", answerWithLink),
		newRoute("", "panic", "/panic", func(Call) Response { panic(secret) }),
		newRoute("", "failing", "/failing", func(Call) Response { return Response{Err: errors.New(secret)} }),
		newRoute("", "torn", "/torn", func(Call) Response {
			return Response{Stream: func(w io.Writer, flush func() error) error {
				_, err := io.WriteString(w, "half an ans")
				panic(errors.Join(errors.New(secret), err, flush()))
			}}
		}),
	}}
}

// answerWithLink answers with the version and a link to a user.
func answerWithLink(call Call) Response {
	return (&requestCase{Link: &link{Name: "user", Params: map[string]any{"id": "{id}"}}}).handle("", call)
}

// faultOf returns the fault that a request names.
func faultOf(r source.Request) string {
	query, _ := url.ParseQuery(r.RawQuery())
	return query.Get("fault")
}

// faultySource is a source with the fault that the request names. It fails to write v3 and v4.
// The public interface Source lets a service write anything, so each result that the types
// allow is tried.
type faultySource struct{ source.Source }

// Read fails only for requests that ask for it, so the same server can prove that it still
// works.
func (s faultySource) Read(r source.Request, served *source.ServedVersions) source.Reading {
	reading := s.Source.Read(r, served)
	switch faultOf(r) {
	case "panic":
		panic(secret)
	case "error":
		return source.Reading{Outcome: source.Failed, Err: errors.New(secret)}
	// A failure without a reason must not become a nil error on its way up.
	case "nil-error":
		return source.Reading{Outcome: source.Failed}
	case "outcome":
		return source.Reading{Outcome: 200, Text: "v1"}
	case "part":
		reading.Part = 7
	case "invented":
		return source.Reading{Outcome: source.Found, Text: "v0"}
	case "empty":
		return source.Reading{Outcome: source.Found}
	}
	return reading
}

// Write fails in the middle of a link, where a handler has begun to answer already.
func (s faultySource) Write(w source.Written, v verso.Version) (source.Written, error) {
	switch v.String() {
	case "v3":
		panic(secret)
	case "v4":
		return w, errors.New(secret)
	}
	return s.Source.Write(w, v)
}

// faultyOrigin has the fault that the request names. It is called for each link, and often
// takes the host from a request.
func faultyOrigin(r source.Request) string {
	switch faultOf(r) {
	case "origin-panic":
		panic(secret)
	case "origin-break":
		return "http://api.example.com\r\nX-Evil: 1"
	case "origin-script":
		return "javascript:alert(1)"
	}
	return ""
}

// faultyTranslator has the fault that the client's language names. Translations come from files
// that no compiler reads.
type faultyTranslator struct{}

// Messages is asked while a rejection is written, so a fault here meets half a response.
func (faultyTranslator) Messages(acceptLanguage string) (string, map[verso.MessageID]string) {
	language, messages := translator{"de"}.Messages("")
	switch acceptLanguage {
	case "x-panic":
		panic(secret)
	case "x-nothing":
		return "", nil
	case "x-empty":
		return "fr", map[verso.MessageID]string{}
	case "x-mute":
		return "", messages
	case "x-break":
		return "de\r\nX-Evil: 1", messages
	}
	return language, messages
}
