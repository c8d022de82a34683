package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Faults lets what the authors of an application write go wrong (handlers, a
// scheme, a Reverser, a Translator) and lets clients go away in the middle of a
// request, each in a subtest. A request that cannot be answered must fail with
// status 500 or a broken connection: it must not hang, reach the handler
// without a version, nor seem to be answered, and the client must not read what
// went wrong. The next requests, to the same server and in the same goroutine,
// must be answered right, and no goroutine may stay behind.
//
// The mount installs nothing that recovers panics. Like [Concurrent], Faults
// does not run beside other tests.
func Faults(t *testing.T, mount Mount) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			if err := f.check(t, mount); err != nil {
				t.Error(err)
			}
		})
	}
	for name, leave := range departures {
		t.Run(name, func(t *testing.T) {
			if err := leave.check(t, mount); err != nil {
				t.Error(err)
			}
		})
	}
}

// fault is a request with which something goes wrong.
type fault struct {
	name     string // of the subtest
	target   string // chooses the fault of the handler, the scheme or the Reverser
	language string // chooses that of the Translator; "" is English
	judge    func(got *response, err error) error
}

const mayFail = "/users/7?fault="

var faults = []fault{
	{"handler/panics", "/panic?version=v1", "", failed},
	{"handler/panics-in-its-answer", "/torn?version=v1", "", broken},

	{"scheme/panics", mayFail + "panic&version=v1", "", failed},
	{"scheme/errs", mayFail + "error&version=v1", "", failed},
	{"scheme/returns-nil-refusal", mayFail + "nil-refusal&version=v1", "", failed},
	{"scheme/refuses-without-status", mayFail + "status-0&version=v1", "", failed},
	{"scheme/refuses-with-200", mayFail + "status-200&version=v1", "", failed},
	{"scheme/returns-version-not-allowed", mayFail + "invented&version=v1", "", answered(`verso.V("v0") http://api.example.com/users/7?version=v0`)},
	{"scheme/returns-empty-version", mayFail + "empty&version=v1", "", answered(`verso.V("") http://api.example.com/users/7?version=`)},

	{"reverser/panics", mayFail + "reverser-panic&version=v1", "", failed},
	{"reverser/errs", mayFail + "reverser-error&version=v1", "", failed},
	{"reverser/returns-line-break", mayFail + "reverser-break&version=v1", "", answered("verso.V(\"v1\") \r\nX-Evil: 1?version=v1")},

	{"translator/panics", "/users/7?version=v9", "x-panic", failed},
	{"translator/returns-nothing", "/users/7?version=v9", "x-nothing", refused("", "")},
	{"translator/returns-no-messages", "/users/7?version=v9", "x-empty", refused("", "de")},
	{"translator/returns-no-language", "/users/7?version=v9", "x-mute", refused("[de] ", "")},
	{"translator/returns-line-break", "/users/7?version=v9", "x-break", refused("[de] ", "")},
}

// check sends the request that fails, over the wire and then in the goroutine
// of the test, each time with sound ones behind it.
func (f fault) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	handler := mount(tb, faultyApp())
	server, err := serve(handler)
	if err != nil {
		return err
	}
	overTheWire := func(target, language string) (*response, error) {
		return server.get(tb.Context(), "http://api.example.com"+target, map[string]string{"Accept-Language": language})
	}
	inThisGoroutine := func(target, language string) (*response, error) {
		return record(context.WithValue(tb.Context(), http.ServerContextKey, server.http), handler, target, language)
	}
	err = errors.Join(f.checkWith(overTheWire), server.close())
	for range 3 {
		if err == nil {
			err = f.checkWith(inThisGoroutine)
		}
	}
	return err
}

func (f fault) checkWith(send func(target, language string) (*response, error)) error {
	got, err := send(f.target, f.language)
	if err := f.judge(got, err); err != nil {
		return fmt.Errorf("GET %s: %w", f.target, err)
	}
	return checkSound(send)
}

// checkSound sends requests that fail nowhere.
func checkSound(send func(target, language string) (*response, error)) error {
	for _, sound := range []struct {
		target string
		judge  func(*response, error) error
	}{
		{"/users/8", answered("verso.Version{} http://api.example.com/users/8")},
		{"/users/8?version=v2", answered(`verso.V("v2") http://api.example.com/users/8?version=v2`)},
		{"/users/8?version=v9", refused("[de] ", "de")},
		{"/users/8", answered("verso.Version{} http://api.example.com/users/8")},
	} {
		got, err := send(sound.target, "de")
		if err := sound.judge(got, err); err != nil {
			return fmt.Errorf("GET %s, after a request that failed: %w", sound.target, err)
		}
	}
	return nil
}

// record lets a handler answer in this goroutine. It fails when the handler
// panics.
func record(ctx context.Context, handler http.Handler, target, language string) (got *response, err error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://api.example.com"+target, nil)
	r.Header.Set("Accept-Language", language)
	recorder := httptest.NewRecorder()
	defer func() {
		if panicked := recover(); panicked != nil {
			got, err = nil, fmt.Errorf("panic: %v", panicked)
		}
	}()
	handler.ServeHTTP(recorder, r)
	result := recorder.Result()
	defer func() { _ = result.Body.Close() }()
	return &response{result.StatusCode, result.Header, recorder.Body.Bytes()}, nil
}

// secret stands in all errors and panics: clients must not see it.
const secret = "the secret of the program"

// failed accepts a broken connection and a status of 500 or more, of which the
// client learns nothing.
func failed(got *response, err error) error {
	switch {
	case errors.Is(err, errHangs):
		return err
	case got == nil: // the connection broke
		return nil
	case got.status < http.StatusInternalServerError:
		return fmt.Errorf("instead of failing, it is answered with status %d, %.200q", got.status, got.body)
	case bytes.Contains(got.body, []byte(secret)):
		return fmt.Errorf("the client sees what went wrong: %.200q", got.body)
	}
	return nil
}

// broken accepts a broken connection.
func broken(got *response, err error) error {
	if err == nil {
		return fmt.Errorf("half an answer seems to be a whole one: status %d, %.200q", got.status, got.body)
	}
	return failed(got, err)
}

// answered accepts what a handler answers.
func answered(body string) func(*response, error) error {
	return func(got *response, err error) error {
		if err != nil {
			return err
		}
		return errors.Join(judgeAnswer(got, body), judgeFields(got))
	}
}

// refused accepts a refusal, in the texts behind the mark and in the language.
func refused(mark, language string) func(*response, error) error {
	return func(got *response, err error) error {
		if err != nil {
			return err
		}
		return errors.Join(judgeRefusal(got, verso.InvalidQueryParameterVersion, mark, language), judgeFields(got))
	}
}

// judgeFields returns an error when text of the program has become a field of
// the header.
func judgeFields(got *response) error {
	for name, lines := range got.header {
		if strings.HasPrefix(name, "X-Evil") {
			return fmt.Errorf("the header has a field that nobody set: %s", name)
		}
		if name != "Location" && strings.Contains(strings.Join(lines, ""), "X-Evil") {
			return fmt.Errorf("the field %s has a line break in it: %q", name, lines)
		}
	}
	return nil
}

// faultyApp is an application in which what a request names goes wrong.
func faultyApp() App {
	scheme := verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1", "v2"}, AllowUnversioned: true}))
	route := func(name, pattern string, handle func(http.ResponseWriter, *http.Request, Call)) Route {
		return Route{Method: http.MethodGet, Name: name, Pattern: pattern, Handle: handle}
	}
	return App{Scheme: faultyScheme{scheme}, Translator: faultyTranslator{}, Routes: []Route{
		route("user", "/users/{id}", answerWithLink),
		route("panic", "/panic", func(http.ResponseWriter, *http.Request, Call) { panic(secret) }),
		route("torn", "/torn", func(w http.ResponseWriter, _ *http.Request, _ Call) {
			_, _ = w.Write([]byte("half an ans"))
			_ = http.NewResponseController(w).Flush()
			panic(secret)
		}),
	}}
}

// answerWithLink answers with the version and a link.
func answerWithLink(w http.ResponseWriter, r *http.Request, call Call) {
	link, err := call.Reverse(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": path.Base(r.URL.Path)}})
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Location", link)
	_, _ = fmt.Fprintf(w, "%#v %s", call.Version, link)
}

// faultyScheme is a scheme that does what the request names in its parameter
// fault.
type faultyScheme struct{ *verso.QueryParameter }

func (s faultyScheme) DetermineVersion(r verso.Request) (verso.Version, error) {
	refusal := verso.Error{MessageID: verso.InvalidQueryParameterVersion, Message: secret}
	switch fault, _ := r.QueryParam("fault"); fault {
	case "panic":
		panic(secret)
	case "error":
		return verso.V("v1"), errors.New(secret)
	case "nil-refusal":
		return verso.V("v1"), (*verso.Error)(nil)
	case "status-0":
		return verso.V("v1"), &refusal
	case "status-200":
		refusal.Status = http.StatusOK
		return verso.V("v1"), &refusal
	case "invented":
		return verso.V("v0"), nil
	case "empty":
		return verso.V(""), nil
	}
	return s.QueryParameter.DetermineVersion(r)
}

func (s faultyScheme) Reverse(r verso.Request, reverser verso.Reverser, target verso.Target) (string, error) {
	return s.QueryParameter.Reverse(r, faultyReverser{reverser}, target)
}

// faultyReverser is what faultyScheme reverses with.
type faultyReverser struct{ verso.Reverser }

func (f faultyReverser) Reverse(r verso.Request, target verso.Target) (string, error) {
	switch fault, _ := r.QueryParam("fault"); fault {
	case "reverser-panic":
		panic(secret)
	case "reverser-error":
		return "http://api.example.com/nowhere", errors.New(secret)
	case "reverser-break":
		return "\r\nX-Evil: 1", nil
	}
	return f.Reverser.Reverse(r, target)
}

// faultyTranslator does what the client's language names.
type faultyTranslator struct{}

func (faultyTranslator) Messages(acceptLanguage []string) (string, map[verso.MessageID]string) {
	language, messages := translator{"de"}.Messages(nil)
	switch strings.Join(acceptLanguage, ",") {
	case "x-panic":
		panic(secret)
	case "x-nothing":
		return "", nil
	case "x-empty":
		return language, map[verso.MessageID]string{}
	case "x-mute":
		return "", messages
	case "x-break":
		return "de\r\nX-Evil: 1", messages
	}
	return language, messages
}
