package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// cookies is a third-party source: it reads a cookie, and writes nothing.
type cookies struct{}

func (cookies) Read(r verso.Request, _ *verso.ServedVersions) verso.Reading {
	field, _ := r.Header("Cookie")
	sent := http.Request{Header: http.Header{"Cookie": {field}}}
	if c, err := sent.Cookie("version"); err == nil { // unlike http.ParseCookie, whatever the other cookies are
		return verso.Reading{Outcome: verso.Found, Text: c.Value}
	}
	return verso.Reading{}
}

func (cookies) Write(w verso.Written, _ verso.Version) (verso.Written, error) { return w, nil }

func (cookies) Describe() verso.Description {
	return verso.Description{Name: "cookie", Headers: []string{"Cookie"}}
}

// A source that writes nothing needs the Request of the options.
func ExampleSource() {
	var t *testing.T // the argument of a test

	conformance.Source(t, cookies{}, conformance.SourceOptions{Request: func(version string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: "version", Value: version})
		return r
	}})
}
