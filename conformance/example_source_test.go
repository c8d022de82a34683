package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// cookies is a third-party source: it reads a cookie, and writes nothing.
type cookies struct{}

func (cookies) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	field, _ := r.Header("Cookie")
	sent := http.Request{Header: http.Header{"Cookie": {field}}}
	if c, err := sent.Cookie("version"); err == nil { // unlike http.ParseCookie, whatever the other cookies are
		return source.Reading{Outcome: source.Found, Text: c.Value}
	}
	return source.Reading{}
}

func (cookies) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (cookies) Describe() source.Description {
	return source.Description{Name: "cookie", Headers: []string{"Cookie"}}
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
