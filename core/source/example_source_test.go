package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// cookie is a source that reads the version from a cookie.
type cookie struct{ name string }

func (s cookie) Read(r source.Request, served *source.ServedVersions) source.Reading {
	field, _ := r.Header("Cookie")
	cookies, err := http.ParseCookie(field)
	if err != nil {
		return source.Reading{}
	}
	var reading source.Reading
	for _, c := range cookies {
		switch {
		case c.Name != s.name:
		case reading.Outcome == source.Absent:
			reading, _ = served.Find(c.Value)
		case c.Value != reading.Text && served.RefusesContradictions():
			return source.Reading{Outcome: source.Contradicting, Text: reading.Text}
		}
	}
	return reading
}

// Write writes into the request of a client. A URL cannot carry a cookie.
func (s cookie) Write(w source.Written, v verso.Version) (source.Written, error) {
	w.SetHeader("Cookie", (&http.Cookie{Name: s.name, Value: v.String()}).String())
	return w, nil
}

func (s cookie) Describe() source.Description {
	return source.Description{
		Name:    "cookie " + s.name,
		Headers: []string{"Cookie"},
		Invalid: source.Rejection{Status: http.StatusBadRequest, Message: "invalid_cookie_version", English: "Invalid version in cookie."},
	}
}

// A source of one's own reads, writes and describes itself. docs/sources.md says
// more.
func ExampleSource() {
	api := verso.MustNew(cookie{"version"}, verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()})
	for _, field := range []string{"version=v2; theme=dark", "version=v1; version=v2", "version=v9"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Cookie", field)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	//  Contradicting versions in request.
	//  Invalid version in cookie.
}
