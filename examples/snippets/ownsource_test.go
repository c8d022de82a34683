package snippets

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// cookie is a source that reads the version from a cookie.
type cookie struct{ name string }

func (s cookie) Read(r verso.Request, _ *verso.ServedVersions) verso.Reading {
	field, _ := r.Header("Cookie")
	cookies, err := http.ParseCookie(field)
	if err != nil {
		return verso.Reading{}
	}
	for _, c := range cookies {
		if c.Name == s.name {
			return verso.Reading{Outcome: verso.Found, Text: c.Value}
		}
	}
	return verso.Reading{}
}

// Write changes nothing: a URL cannot carry a cookie.
func (s cookie) Write(w verso.Written, _ verso.Version) (verso.Written, error) { return w, nil }

func (s cookie) Describe() verso.Description {
	return verso.Description{
		Name:    "cookie " + s.name,
		Headers: []string{"Cookie"},
		Invalid: verso.Rejection{Status: http.StatusBadRequest, Message: "invalid_cookie_version", English: "Invalid version in cookie."},
	}
}

func Example_ownSource() {
	api := verso.MustNew(
		verso.First(verso.QueryParam("version"), cookie{"version"}),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	e := echo.New()
	versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })

	get(e, "/users", "Cookie: version=v2")
	get(e, "/users?version=v1", "Cookie: version=v2")
	// Output:
	// 200 v2
	// 200 v1
}

func TestCookie(t *testing.T) {
	conformance.Source(t, cookie{"version"}, conformance.SourceOptions{
		Request: func(version string) *http.Request {
			r, _ := http.NewRequest(http.MethodGet, "/", nil)
			r.AddCookie(&http.Cookie{Name: "version", Value: version})
			return r
		},
	})
}
