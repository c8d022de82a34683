package adapter_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// An error handler of a service that writes nothing does not end in an empty 200.
func ExampleRespond() {
	rejected := &verso.Error{Status: http.StatusGone, MessageID: verso.VersionGone, Message: "This version has ended."}
	answer := &verso.Answer{Problem: verso.Problem{Status: http.StatusGone}, Body: []byte(`{"status":410}`)}
	for _, text := range []string{"not this version", ""} {
		w := httptest.NewRecorder()
		adapter.Respond(w, httptest.NewRequest(http.MethodGet, "/", nil), rejected, answer,
			func(w http.ResponseWriter, _ *http.Request, _ *verso.Error, _ *verso.Answer) {
				if text != "" {
					_, _ = fmt.Fprintln(w, text)
				}
			})
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 410 not this version
	// 410 {"status":410}
}

// An error handler of a service answers a rejection with 200.
func ExampleBinding_NoteAnswer() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key != slog.LevelKey && a.Key != "code" {
			return slog.Attr{}
		}
		return a
	}}))
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: logger}), nil)
	for _, status := range []int{http.StatusBadRequest, http.StatusOK, http.StatusOK} {
		b.NoteAnswer(status)
	}
	// Output: level=WARN code=rejected_as_success
}

func ExampleIsTimeout() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Println(adapter.IsTimeout(w)) })
	http.TimeoutHandler(handler, time.Minute, "").ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	// Output:
	// true
	// false
}

// The response of a handler fails behind compression outside: the answer to the failure has its field, and
// none of the handler's.
func ExampleBodyFields() {
	h := http.Header{"Content-Encoding": {"br"}}
	outside := adapter.BodyFieldsOf(h)
	h.Set("Content-Encoding", "gzip")
	h.Set("Cache-Control", "max-age=60")
	outside.Restore(h)
	fmt.Println(h)

	h.Set("Cache-Control", "no-store") // of middleware inside
	inside := adapter.BodyFieldsOf(h)
	h.Set("Etag", "x") // of the handler, which panics
	fmt.Println(outside.Abandon(h, inside), h)

	h.Set("Content-Encoding", "gzip")
	fmt.Println(outside.Abandon(h, inside), h)
	// Output:
	// map[Content-Encoding:[br]]
	// false map[Cache-Control:[no-store] Content-Encoding:[br]]
	// true map[Content-Encoding:[br]]
}

// What middleware inside writes after a panic goes nowhere.
func ExampleDiscard() {
	n, err := adapter.Discard{}.Write([]byte("the rest"))
	fmt.Println(n, err)
	// Output: 8 <nil>
}
